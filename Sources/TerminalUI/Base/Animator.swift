/// Whether changes of place are shown as movements.
public enum Motion: Hashable, Sendable {
    /// What slides in and out is seen to slide.
    case full
    /// Everything is at its place at once: for users who ask for that, slow lines and plain terminals.
    case reduced
}

/// Runs short movements, at most 30 frames a second, none longer than 150 ms.
///
/// A movement only changes how a settled state is shown: the containers have taken their new arrangement before it
/// begins, so that any input can end it at once without a trace.
@MainActor
final class Animator {
    /// Between two frames.
    static let frame = Duration.milliseconds(33)
    /// How long a movement takes.
    static let duration = Duration.milliseconds(150)

    private struct Movement {
        let start: ContinuousClock.Instant
        let step: (Double) -> Void
    }

    private var movements: [Movement] = []

    /// Whether something moves.
    var isRunning: Bool { !movements.isEmpty }

    /// Begins a movement; `step` is called with 0 at once, with what has passed at each frame, and last with 1.
    func run(at now: ContinuousClock.Instant, _ step: @escaping (Double) -> Void) {
        movements.append(Movement(start: now, step: step))
        step(0)
    }

    /// Shows the state of a moment.
    func advance(to now: ContinuousClock.Instant) {
        let present = movements
        movements = []
        for movement in present {
            let share = movement.start.duration(to: now) / Animator.duration
            // Fast at first, slow at the end.
            let eased = 1 - (1 - min(1, share)) * (1 - min(1, share))
            movement.step(share >= 1 ? 1 : eased)
            if share < 1 { movements.append(movement) }
        }
    }

    /// Ends all movements where they lead to.
    func finish() {
        let present = movements
        movements = []
        for movement in present { movement.step(1) }
    }
}
