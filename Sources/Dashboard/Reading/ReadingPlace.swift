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

extension TextView.Place {
    /// The same place in a later version of the text: of the paragraphs from this one upwards, the first that the later version still
    /// has keeps its line.
    func inLaterVersion(of old: [TextParagraph], _ new: [TextParagraph]) -> TextView.Place {
        guard self != .start, old.indices.contains(paragraph) else { return self }
        var places: [String: [Int]] = [:]
        for (index, paragraph) in new.enumerated() { places[paragraph.words, default: []].append(index) }
        for index in (0...paragraph).reversed() {
            let words = old[index].words
            // The nearest of several paragraphs with the same words is the same one most likely.
            guard !words.isEmpty, let nearest = places[words]?.min(by: { abs($0 - index) < abs($1 - index) }) else {
                continue
            }
            let moved = min(nearest + paragraph - index, new.count - 1)
            return TextView.Place(paragraph: moved, offset: index == paragraph ? offset : 0)
        }
        return self
    }
}

extension TextParagraph {
    /// The text without its looks and links.
    fileprivate var words: String { spans.map(\.text.string).joined() }
}
