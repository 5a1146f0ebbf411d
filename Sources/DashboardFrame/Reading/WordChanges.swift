import Articles
import TerminalUI

/// The differences between two texts, word by word, marked by signs as well as styles: `++added++`, `~~removed~~`.
enum WordChanges {
    /// The maximum number of differing paragraphs or words to compare one by one. Beyond it, all count as replaced.
    private static let maximumParts = 6_000

    static func paragraphs(from old: ArticleDocument, to new: ArticleDocument) -> [TextParagraph] {
        var writer = Writer()
        // Paragraphs first, so that the differences of words are looked for only in paragraphs that differ.
        for part in parts(from: paragraphs(old), to: paragraphs(new)) {
            for part in parts(from: part.old.flatMap { $0 }, to: part.new.flatMap { $0 }) {
                if part.isSame {
                    for word in part.new { writer.add(word, .same) }
                } else {
                    for word in part.old { writer.add(word, .went) }
                    for word in part.new { writer.add(word, .came) }
                }
            }
        }
        return writer.finish()
    }

    /// A run of elements in both texts, or of elements in one replaced by those of the other.
    private struct Part<Element> {
        var isSame: Bool
        var old: [Element] = []
        var new: [Element] = []
    }

    private static func parts<Element: Hashable>(from old: [Element], to new: [Element]) -> [Part<Element>] {
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        var result: [Part<Element>] = []
        func add(_ isSame: Bool, old: ArraySlice<Element>, new: ArraySlice<Element>) {
            guard !old.isEmpty || !new.isEmpty else { return }
            if result.last?.isSame != isSame { result.append(Part(isSame: isSame)) }
            result[result.count - 1].old += old
            result[result.count - 1].new += new
        }
        add(true, old: old[..<start], new: new[..<start])
        let (before, after) = (old[start..<old.count - end], new[start..<new.count - end])
        if max(before.count, after.count) > maximumParts {
            add(false, old: before, new: after)
        } else {
            var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
            for change in after.difference(from: before) {
                switch change {
                case .remove(let offset, _, _): removed.insert(before.startIndex + offset)
                case .insert(let offset, _, _): inserted.insert(after.startIndex + offset)
                }
            }
            var (left, right) = (before.startIndex, after.startIndex)
            while left < before.endIndex || right < after.endIndex {
                if left < before.endIndex, removed.contains(left) {
                    add(false, old: before[left...left], new: [])
                    left += 1
                } else if right < after.endIndex, inserted.contains(right) {
                    add(false, old: [], new: after[right...right])
                    right += 1
                } else {
                    add(true, old: before[left...left], new: after[right...right])
                    left += 1
                    right += 1
                }
            }
        }
        add(true, old: old[(old.count - end)...], new: new[(new.count - end)...])
        return result
    }

    /// The element that ends a paragraph among words.
    private static let paragraphEnd = "\n"

    private static func paragraphs(_ article: ArticleDocument) -> [[String]] {
        article.paragraphs.map { paragraph in
            paragraph.spans.map(\.text.string).joined().split(separator: " ").map(String.init) + [paragraphEnd]
        }
    }

    private struct Writer {
        enum Kind {
            case same, came, went
        }

        private var paragraphs: [TextParagraph] = []
        private var spans: [StyledSpan] = []
        private var run: [String] = []
        private var kind = Kind.same

        mutating func add(_ word: String, _ kind: Kind) {
            if word == paragraphEnd {
                guard kind != .went else { return }
                endRun()
                paragraphs.append(TextParagraph(spans))
                spans = []
                return
            }
            if kind != self.kind { endRun() }
            self.kind = kind
            run.append(word)
        }

        private mutating func endRun() {
            guard !run.isEmpty else { return }
            let words = run.joined(separator: " ")
            run = []
            if !spans.isEmpty { spans.append(StyledSpan(" ")) }
            switch kind {
            case .same: spans.append(StyledSpan(DisplayText(words)))
            case .came: spans.append(StyledSpan(DisplayText("++\(words)++"), .strong))
            case .went: spans.append(StyledSpan(DisplayText("~~\(words)~~"), .failure))
            }
        }

        mutating func finish() -> [TextParagraph] {
            endRun()
            if !spans.isEmpty { paragraphs.append(TextParagraph(spans)) }
            return paragraphs
        }
    }
}
