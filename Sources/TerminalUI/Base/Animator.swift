/// Whether changes of position are animated.
public enum Motion: Hashable, Sendable {
    /// Views slide in and out.
    case full
    /// Changes are immediate: for users who prefer that, slow connections and plain terminals.
    case reduced
}

/// Runs short animations, at most 30 frames a second and 150 ms long.
///
/// An animation only changes how the final state is shown. Containers have their new arrangement before it starts, so
/// any input can end it at once.
@MainActor
final class Animator {
    /// The time between frames.
    static let frame = Duration.milliseconds(33)
    static let duration = Duration.milliseconds(150)

    private struct Movement {
        let start: ContinuousClock.Instant
        let step: (Double) -> Void
    }

    private var movements: [Movement] = []

    var isRunning: Bool { !movements.isEmpty }

    /// Starts an animation. `step` receives 0 at once, the elapsed share at each frame, and finally 1.
    func run(at now: ContinuousClock.Instant, _ step: @escaping (Double) -> Void) {
        movements.append(Movement(start: now, step: step))
        step(0)
    }

    /// Shows the state at a time.
    func advance(to now: ContinuousClock.Instant) {
        let present = movements
        movements = []
        for movement in present {
            let share = movement.start.duration(to: now) / Animator.duration
            // Ease out: fast at first, slow at the end.
            let eased = 1 - (1 - min(1, share)) * (1 - min(1, share))
            movement.step(share >= 1 ? 1 : eased)
            if share < 1 { movements.append(movement) }
        }
    }

    /// Ends all animations in their final state.
    func finish() {
        let present = movements
        movements = []
        for movement in present { movement.step(1) }
    }
}
