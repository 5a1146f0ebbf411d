/// Takes part in a transition while it goes on: a resize, or a level that comes or goes (row SPL-14).
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

    /// Calls back with shares from 0 to 1 while the transition is shown; once with 1 where nothing is seen to move.
    public func animateAlongside(_ step: @escaping (_ share: Double) -> Void) { animations.append(step) }

    /// Calls back at the end, with whether the user has taken the transition back.
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
