import TerminalText

/// Writes superscripts and subscripts as signs, otherwise in brackets.
final class RaisedTextWriter {
    private let paragraphs: ParagraphWriter
    private var open = 0

    /// The maximum length of a note's mark, and of other raised text, in bytes.
    private static let longestMark = 16
    private static let longestText = 400
    private static let shortSpan = 64

    init(_ paragraphs: ParagraphWriter) { self.paragraphs = paragraphs }

    struct Start {
        var isRaised: Bool
        var isFormula: Bool
        /// The numbers of spans and paragraphs before it.
        var spans: Int
        var paragraphs: Int
    }

    func begin(isRaised: Bool, isFormula: Bool) -> ElementEnding {
        paragraphs.flushSpan()
        open += 1
        return .raised(
            Start(
                isRaised: isRaised, isFormula: isFormula, spans: paragraphs.spans.count, paragraphs: paragraphs.count))
    }

    func end(_ raised: Start) {
        paragraphs.flushSpan()
        open -= 1
        guard raised.paragraphs == paragraphs.count, raised.spans < paragraphs.spans.count else { return }
        var start = raised.spans
        // Only the last part of a formula is raised; parts are separate spans.
        if raised.isFormula { start = max(start, paragraphs.spans.count - 1) }
        // Links to pages stay as they are, and marks of notes become signs that are still links.
        if let mark = noteMark(from: start) {
            paragraphs.spans.replaceSubrange(start..., with: [mark])
            paragraphs.endsInBlank = false
            return
        }
        guard paragraphs.spans[start].link == 0,
            let words = words(from: start, maximum: RaisedTextWriter.longestText), !words.isEmpty
        else { return }
        let role = paragraphs.spans[start].role
        if let signs = RaisedText.signs(words, isRaised: raised.isRaised) {
            paragraphs.spans.replaceSubrange(start..., with: [StyledSpan(DisplayText(signs), role)])
            if !raised.isFormula { joinLastSpan() }
        } else {
            paragraphs.spans.insert(StyledSpan(raised.isRaised ? "^(" : "_(", role), at: start)
            paragraphs.spans.append(StyledSpan(")", paragraphs.spans[paragraphs.spans.count - 1].role))
        }
        paragraphs.endsInBlank = false
    }

    /// Returns the superscript mark of a note if the spans from an index on form one link within the article.
    private func noteMark(from start: Int) -> StyledSpan? {
        let (link, role) = (paragraphs.spans[start].link, paragraphs.spans[start].role)
        guard link < 0, let mark = words(from: start, maximum: RaisedTextWriter.longestMark) else { return nil }
        return RaisedText.signs(mark, isRaised: true).map { StyledSpan(DisplayText($0), role, link: link) }
    }

    /// Merges a short span with the previous one if it has the same style, so that a page of single characters doesn't
    /// become a span for each.
    private func joinLastSpan() {
        let last = paragraphs.spans.count - 1
        guard open == 0, last > 0 else { return }
        let (before, own) = (paragraphs.spans[last - 1], paragraphs.spans[last])
        guard before.role == own.role, before.link == 0, own.link == 0,
            before.text.glyphs.count < RaisedTextWriter.shortSpan
        else { return }
        paragraphs.spans.removeLast()
        paragraphs.spans[last - 1].text = before.text + own.text
    }

    /// Returns the trimmed text of the spans from an index on, or `nil` if they have different links. No slice of the
    /// spans escapes, because their next change would copy them.
    private func words(from start: Int, maximum: Int) -> String? {
        var words = ""
        for index in start..<paragraphs.spans.count {
            guard paragraphs.spans[index].link == paragraphs.spans[start].link else { return nil }
            words += paragraphs.spans[index].text.trimmed().string
            guard words.utf8.count <= maximum else { return nil }
        }
        return words
    }
}
