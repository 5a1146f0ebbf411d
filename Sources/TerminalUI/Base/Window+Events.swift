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
        // What a key acts on is in place, whatever has changed since the last frame.
        layoutIfNeeded()
        let isUsed = keys.dispatch(press)
        if isUsed { usedKey() }
        return isUsed
    }

    /// Dispatches pasted text, which only views that accept text handle.
    public func send(paste text: String) {
        layoutIfNeeded()
        for responder in responderChain where responder.handle(paste: text) { return }
    }

    /// Dispatches a mouse event.
    public func send(_ event: MouseEvent) { mouse.send(event) }
}
