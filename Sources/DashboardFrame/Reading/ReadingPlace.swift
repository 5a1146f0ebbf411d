import TerminalUI

/// The stored form of a reading position, such as `12:340`: the paragraph, and the bytes of it above the first visible
/// line.
extension TextView.Place {
    /// The beginning of the text.
    package static let start = TextView.Place(paragraph: 0, offset: 0)

    /// Parses the stored form. Returns `nil` for anything else.
    package init?(kept text: String) {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy((0...1_000_000_000).contains) else { return nil }
        self.init(paragraph: parts[0], offset: parts[1])
    }

    /// The stored form.
    package var kept: String { "\(paragraph):\(offset)" }

    /// Returns the stored form at a progress through the article. It is empty at the beginning and the end, which are
    /// not stored.
    package func kept(progress: Double?) -> String { (progress ?? 1) < 1 && self != .start ? kept : "" }
}

extension TextView.Place {
    /// Returns the same position in a later version of the text.
    ///
    /// In the unchanged beginning and end, the position moves with the text. In between it is the nearest paragraph at
    /// or above the position that still exists.
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
            // Of several equal paragraphs, the nearest is most likely the same.
            guard let nearest = places[before[index]]?.min(by: { abs($0 - index) < abs($1 - index) }) else { continue }
            let moved = min(nearest + paragraph - index, after.count - 1)
            return TextView.Place(paragraph: moved, offset: index == paragraph ? offset : 0)
        }
        return self
    }
}

extension TextParagraph {
    fileprivate var words: String { spans.map(\.text.string).joined() }
}
