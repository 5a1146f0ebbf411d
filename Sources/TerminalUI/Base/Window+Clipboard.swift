/// Copying to the terminal's clipboard.
extension Window {
    /// Copies lines to the terminal's clipboard if the terminal allows it.
    ///
    /// Copied text usually comes from outside and may be pasted into a shell, so it is sanitised (``Sanitizer``), which
    /// removes the line breaks in a line.
    ///
    /// - Parameter report: Called with the clipboard that received them.
    public func copyToClipboard(_ lines: [String], report: @escaping @MainActor (Clipboard) -> Void = { _ in }) {
        terminal?.copy(lines.map { Sanitizer.sanitize($0) }.joined(separator: "\n"), report)
    }

    /// Copies text selected with the mouse, with its line breaks.
    func copy(selected text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        copyToClipboard(lines.map(String.init)) { [weak self] clipboard in
            self?.onCopy(text.count, clipboard)
        }
    }
}
