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

    /// As it is kept for an article that was read so far; empty at the beginning and at the end, where there is no place to keep.
    func kept(progress: Double?) -> String { (progress ?? 1) < 1 && self != .start ? kept : "" }
}

extension TextView.Place {
    /// The same place in a later version of the text: in what both versions have at their beginning or end it moves with the text. In
    /// between, of the paragraphs from this one upwards, the first that the later version still has keeps its line.
    func inLaterVersion(of old: [TextParagraph], _ new: [TextParagraph]) -> TextView.Place {
        guard self != .start, old.indices.contains(paragraph) else { return self }
        let (before, after) = (old.map(\.words), new.map(\.words))
        let first = zip(before, after).prefix { $0 == $1 }.count
        guard paragraph >= first else { return self }
        let room = min(before.count, after.count) - first
        let last = zip(before.reversed(), after.reversed()).prefix(room).prefix { $0 == $1 }.count
        if paragraph >= before.count - last {
            return TextView.Place(paragraph: paragraph + after.count - before.count, offset: offset)
        }
        var places: [String: [Int]] = [:]
        for (index, words) in after.enumerated() { places[words, default: []].append(index) }
        for index in (0...paragraph).reversed() where !before[index].isEmpty {
            // The nearest of several paragraphs with the same words is the same one most likely.
            guard let nearest = places[before[index]]?.min(by: { abs($0 - index) < abs($1 - index) }) else { continue }
            let moved = min(nearest + paragraph - index, after.count - 1)
            return TextView.Place(paragraph: moved, offset: index == paragraph ? offset : 0)
        }
        return self
    }
}

extension TextParagraph {
    /// The text without its looks and links.
    fileprivate var words: String { spans.map(\.text.string).joined() }
}
