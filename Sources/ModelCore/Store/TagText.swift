import Fetching

/// Tags as they are typed: with blanks between them, and between quotation marks where they have blanks of their own, as labels
/// of servers may.
package enum TagText {
    /// The tags of a typed line, each once.
    package static func tags(in text: String) -> [String] {
        var seen: Set<String> = []
        return CommandWords.split(text).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The line that ``tags(in:)`` reads as these tags.
    package static func line(_ tags: [String]) -> String { CommandWords.joined(tags) }
}
