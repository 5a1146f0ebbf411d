import Feeds
import TerminalUI

/// Finds the words of a search in what is shown, to highlight them.
@MainActor
package struct SearchHits {
    private let matcher: WordMatcher

    /// - Parameter query: The search, or `nil` for no hits.
    package init(of query: SearchQuery?) { matcher = WordMatcher(query?.words ?? []) }

    /// Whether nothing is highlighted.
    package var isEmpty: Bool { matcher.isEmpty }

    /// Returns the columns of the hits in a text.
    package func columns(in text: DisplayText) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        // The text with the column of each byte.
        var (bytes, starts): ([UInt8], [Int]) = ([], [])
        var column = 0
        for glyph in text.glyphs {
            glyph.append(to: &bytes)
            starts += repeatElement(column, count: bytes.count - starts.count)
            column += glyph.columns
        }
        return matcher.ranges(in: String(decoding: bytes, as: UTF8.self)).map { range in
            let end = range.upperBound < starts.count ? starts[range.upperBound] : text.columns
            return starts[range.lowerBound]..<max(starts[range.lowerBound], end)
        }
    }

    /// Returns the columns of the hits in a text with their role.
    package func roles(in text: DisplayText) -> [(columns: Range<Int>, role: ThemeRole)] {
        columns(in: text).map { ($0, .match) }
    }
}
