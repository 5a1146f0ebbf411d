/// Lets controllers animate alongside a transition: a resize, a push or a pop (row SPL-14).
///
/// ```swift
/// override func willTransition(to size: Size) {
///     super.willTransition(to: size)
///     window?.transitionCoordinator?.animateAlongside { [weak self] share in self?.fade(to: share) }
/// }
/// ```
@MainActor
public final class TransitionCoordinator {
    private var animations: [(Double) -> Void] = []
    private var completions: [(Bool) -> Void] = []

    /// Calls `step` with shares from 0 to 1 during the transition, or once with 1 if it isn't animated.
    public func animateAlongside(_ step: @escaping (_ share: Double) -> Void) { animations.append(step) }

    /// Calls `completion` at the end with whether the user cancelled the transition.
    public func onCompletion(_ completion: @escaping (_ isCancelled: Bool) -> Void) { completions.append(completion) }

    var hasAnimations: Bool { !animations.isEmpty }

    func advance(to share: Double) {
        for step in animations { step(share) }
    }

    func end(isCancelled: Bool) {
        let waiting = completions
        (animations, completions) = ([], [])
        for completion in waiting { completion(isCancelled) }
    }
}
