/// Closures that are called as long as their owners exist.
@MainActor
struct WeakListeners {
    private struct Listener {
        weak var owner: AnyObject?
        var hear: @MainActor () -> Void
    }

    private var listeners: [ObjectIdentifier: Listener] = [:]

    /// Adds a closure, or replaces the one of the same owner.
    mutating func add(_ owner: AnyObject, _ hear: @escaping @MainActor () -> Void) {
        listeners = listeners.filter { $0.value.owner != nil }
        listeners[ObjectIdentifier(owner)] = Listener(owner: owner, hear: hear)
    }

    func notify() { for listener in listeners.values where listener.owner != nil { listener.hear() } }
}
