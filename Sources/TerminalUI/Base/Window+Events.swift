/// Dispatch of keys, pasted text and mouse events.
extension Window {
    /// Dispatches a key press, innermost responder first.
    ///
    /// An unbound Alt-key counts as Esc followed by the key, because some terminals send a quick Esc that way (row
    /// TER-05).
    ///
    /// - Returns: Whether the key was handled.
    @discardableResult
    public func send(_ press: KeyPress) -> Bool {
        let isUsed = keys.dispatch(press)
        if isUsed { usedKey() }
        return isUsed
    }

    /// Whether typed characters go into a text field.
    var canType: Bool { focusedView is TextField && !keys.isWaiting }

    /// Inserts several typed characters into the focused text field.
    ///
    /// - Returns: Whether there is one.
    func send(typed characters: [Character]) -> Bool {
        guard canType, let field = focusedView as? TextField else { return false }
        field.insert(typed: characters)
        usedKey()
        return true
    }

    /// Dispatches pasted text, which only views that accept text handle.
    public func send(paste text: String) {
        for responder in responderChain where responder.handle(paste: text) { return }
    }

    /// Dispatches a mouse event.
    public func send(_ event: MouseEvent) { mouse.send(event) }
}
