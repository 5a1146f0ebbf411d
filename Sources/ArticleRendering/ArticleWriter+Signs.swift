import HTMLReading
import TerminalText

/// Content represented by signs: hidden text, superscripts and subscripts, and drawings.
extension ArticleWriter {
    /// Whether the page hides an element.
    func isHidden(_ attributes: HTMLAttributes) -> Bool {
        guard !attributes.isEmpty else { return false }
        if attributes["hidden"] != nil || attributes["aria-hidden"] == "true" { return true }
        return attributes["style"].map(HTMLStyle.hides) ?? false
    }

    // MARK: Above and below the line

    /// An open superscript or subscript.
    struct Raised {
        var isRaised: Bool
        var isFormula: Bool
        /// The numbers of spans and paragraphs before it.
        var spans: Int
        var paragraphs: Int
    }

    func beginRaised(isRaised: Bool, isFormula: Bool) -> Ending {
        flushSpan()
        openRaised += 1
        return .raised(
            Raised(
                isRaised: isRaised, isFormula: isFormula, spans: spans.count, paragraphs: article.paragraphs.count))
    }

    func endRaised(_ raised: Raised) {
        flushSpan()
        openRaised -= 1
        guard raised.paragraphs == article.paragraphs.count, raised.spans < spans.count else { return }
        var start = raised.spans
        // Only the last part of a formula is raised; parts are separate spans.
        if raised.isFormula { start = max(start, spans.count - 1) }
        // Links to pages stay as they are, and marks of notes become signs that are still links.
        if let mark = noteMark(from: start) {
            spans.replaceSubrange(start..., with: [mark])
            endsInBlank = false
            return
        }
        guard let words = plainWords(from: start), !words.isEmpty else { return }
        let role = spans[start].role
        if let signs = RaisedText.signs(words, isRaised: raised.isRaised) {
            spans.replaceSubrange(start..., with: [StyledSpan(DisplayText(signs), role)])
            if !raised.isFormula { joinLastSpan() }
        } else {
            spans.insert(StyledSpan(raised.isRaised ? "^(" : "_(", role), at: start)
            spans.append(StyledSpan(")", spans[spans.count - 1].role))
        }
        endsInBlank = false
    }

    /// Returns the superscript mark of a note if the spans from an index on form one link within the article.
    private func noteMark(from start: Int) -> StyledSpan? {
        let (link, role) = (spans[start].link, spans[start].role)
        var mark = ""
        for index in start..<spans.count {
            guard spans[index].link < 0, spans[index].link == link else { return nil }
            mark += spans[index].text.trimmed().string
            guard mark.utf8.count <= ArticleWriter.longestMark else { return nil }
        }
        return RaisedText.signs(mark, isRaised: true).map { StyledSpan(DisplayText($0), role, link: link) }
    }

    /// The maximum length of a note's mark in bytes.
    private static let longestMark = 16

    /// Merges a short span with the previous one if it has the same style, so that a page of single characters doesn't
    /// become a span for each.
    private func joinLastSpan() {
        let last = spans.count - 1
        guard openRaised == 0, last > 0 else { return }
        let (before, own) = (spans[last - 1], spans[last])
        guard before.role == own.role, before.link == 0, own.link == 0,
            before.text.glyphs.count < ArticleWriter.shortSpan
        else { return }
        spans.removeLast()
        spans[last - 1].text = before.text + own.text
    }

    private static let shortSpan = 64

    /// Returns the trimmed text of the spans from an index on, or `nil` if they contain a link. No slice of the spans
    /// escapes, because their next change would copy them.
    private func plainWords(from start: Int) -> String? {
        var words = ""
        for index in start..<spans.count {
            guard spans[index].link == 0 else { return nil }
            words += spans[index].text.trimmed().string
            guard words.utf8.count <= ArticleWriter.longestText else { return nil }
        }
        return words
    }

    // MARK: Drawings

    /// A drawing in the page, represented by its title or text.
    struct Drawing {
        /// The depth of open elements in it, and that of the element whose text is read.
        var depth = 0
        var reading: Int?
        var words: [String] = []
        var text: [UInt8] = []
        var hasTitle = false
        var isTitle = false
    }

    private static let mostWords = 40
    private static let longestText = 400

    func startInDrawing(_ tag: HTMLTag) {
        drawing?.depth += 1
        guard let present = drawing, present.reading == nil, !present.hasTitle,
            tag == .title || tag == .desc || tag == .text
        else { return }
        drawing?.reading = present.depth
        drawing?.isTitle = tag == .title
    }

    func drawingText(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let present = drawing, present.reading != nil else { return }
        drawing?.text += bytes.prefix(max(0, ArticleWriter.longestText - present.text.count))
    }

    /// Ends an element of a drawing.
    ///
    /// - Returns: Whether it was an element inside the drawing, and not the drawing itself.
    func endInDrawing(_ tag: HTMLTag) -> Bool {
        guard var present = drawing else { return false }
        if present.depth == 0 {
            drawing = nil
            guard !present.words.isEmpty else { return false }
            flushSpan()
            let text = String(present.words.joined(separator: ", ").prefix(200))
            spans.append(StyledSpan(DisplayText("[drawing: \(text)]"), .secondary))
            endsInBlank = false
            return false
        }
        if present.reading == present.depth {
            let words = String(decoding: present.text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            if !words.isEmpty, present.words.count < ArticleWriter.mostWords {
                present.words.append(words.joined(separator: " "))
                present.hasTitle = present.isTitle
            }
            present.text = []
            present.reading = nil
        }
        present.depth -= 1
        drawing = present
        return true
    }
}
