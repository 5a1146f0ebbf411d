/// A row of a recorded screen.
struct ScreenRow: Hashable, CustomStringConvertible {
    var text = ""
    /// A letter for each cell's style: b bold, d dim, r reversed, u underlined, i italic, f another foreground, g
    /// another background, B several. Trailing cells without style are omitted.
    var look = ""

    /// The text, and after a tab the look with the lengths of its runs, such as `3.12b`.
    var description: String {
        guard !look.isEmpty else { return text }
        let runs = look.matches(of: /(.)\1*/).map { $0.0.count > 1 ? "\($0.0.count)\($0.1)" : String($0.1) }
        return "\(text)\t\(runs.joined())"
    }
}
