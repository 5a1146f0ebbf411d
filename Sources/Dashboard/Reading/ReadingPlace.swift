import TerminalUI

/// A place in a text as the library keeps it: `12:340`, the paragraph and the bytes of it above the line.
extension TextView.Place {
    /// The beginning.
    static let start = TextView.Place(paragraph: 0, offset: 0)

    /// Reads what was kept; `nil` for anything else.
    init?(kept text: String) {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy((0...1_000_000_000).contains) else { return nil }
        self.init(paragraph: parts[0], offset: parts[1])
    }

    /// As it is kept.
    var kept: String { "\(paragraph):\(offset)" }
}
