import ArticleRendering
import TerminalUI

/// What came to a text and went from it, word by word, told by signs as well as by looks: `++came++`, `~~went~~`.
enum WordChanges {
    /// More words of one side are compared by their beginnings only.
    private static let mostWords = 6_000

    /// The new text with what came and went.
    static func paragraphs(from old: ArticleDocument, to new: ArticleDocument) -> [TextParagraph] {
        let (before, after) = (words(old), words(new))
        var start = 0
        while start < before.count, start < after.count, before[start] == after[start] { start += 1 }
        var end = 0
        while end < before.count - start, end < after.count - start,
            before[before.count - 1 - end] == after[after.count - 1 - end]
        {
            end += 1
        }
        let middleBefore = Array(before[start..<before.count - end].prefix(mostWords))
        let middleAfter = Array(after[start..<after.count - end].prefix(mostWords))
        let difference = middleAfter.difference(from: middleBefore)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var writer = Writer()
        for word in after[..<start] { writer.add(word, .same) }
        var (left, right) = (0, 0)
        while left < middleBefore.count || right < middleAfter.count {
            if left < middleBefore.count, removed.contains(left) {
                writer.add(middleBefore[left], .went)
                left += 1
            } else if right < middleAfter.count, inserted.contains(right) {
                writer.add(middleAfter[right], .came)
                right += 1
            } else {
                if right < middleAfter.count { writer.add(middleAfter[right], .same) }
                left += 1
                right += 1
            }
        }
        for word in after[(after.count - end)...] { writer.add(word, .same) }
        return writer.finish()
    }

    /// The end of a paragraph among the words.
    private static let paragraphEnd = "\n"

    private static func words(_ article: ArticleDocument) -> [String] {
        article.paragraphs.flatMap { paragraph in
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
