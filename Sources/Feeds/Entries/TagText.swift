import Fetching
import LibraryKernel

/// Converts tags to and from typed text.
///
/// Tags are separated by spaces. A tag that contains spaces, such as a server's label, is in quotation marks.
package enum TagText {
    /// Returns the tags in a typed line, without duplicates.
    package static func tags(in text: String) -> [String] {
        var seen: Set<String> = []
        return CommandWords.split(text).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// Returns the line that ``tags(in:)`` parses as these tags.
    package static func line(_ tags: [String]) -> String { CommandWords.joined(tags) }
}
