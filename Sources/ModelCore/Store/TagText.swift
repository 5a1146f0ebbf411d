import Fetching

/// Tags as typed text: separated by spaces, and quoted if they contain spaces, as labels of servers may.
package enum TagText {
    /// Returns the tags of a typed line without duplicates.
    package static func tags(in text: String) -> [String] {
        var seen: Set<String> = []
        return CommandWords.split(text).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// Returns the line that ``tags(in:)`` parses into these tags.
    package static func line(_ tags: [String]) -> String { CommandWords.joined(tags) }
}
