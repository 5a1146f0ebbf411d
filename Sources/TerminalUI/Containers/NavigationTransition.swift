/// The transition to a new top of a navigation stack, which follows from the old and the new stack (row NAV-01).
public enum NavigationTransition: Hashable, Sendable {
    /// The top doesn't change.
    case none
    /// The new top was not on the stack.
    case push
    /// The new top was already on the stack.
    case pop

    @MainActor
    init(from old: [ViewController], to new: [ViewController]) {
        if old.last === new.last {
            self = .none
        } else if let top = new.last, old.contains(where: { $0 === top }) {
            self = .pop
        } else {
            self = new.isEmpty ? .pop : .push
        }
    }
}
