import TerminalText

/// Writes an article as Markdown (CommonMark 0.31).
package enum MarkdownWriter {
    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Returns the article with its title and source.
    package static func write(_ article: ArticleDocument, title: String, source: String?) -> String {
        var lines = ["# " + escape(title), ""]
        if let source { lines += ["<" + source.filter { !"<>".contains($0) } + ">", ""] }
        var isInProgram = false
        for paragraph in article.paragraphs {
            let isProgram = !paragraph.wraps && paragraph.spans.contains { $0.role.contains(.code) }
            if isProgram != isInProgram {
                lines.append("```")
                isInProgram = isProgram
            }
            if isProgram {
                lines.append(paragraph.spans.map(\.text.string).joined())
                continue
            }
            let prefix = prefix(paragraph.firstPrefix.string)
            if !paragraph.wraps {
                // The lines of a table stay as they are.
                lines += ["```"] + paragraph.wrappedLines(columns: .max).map { trimmed($0.line.string) } + ["```"]
            } else if paragraph.spans.first?.role.contains(.heading) == true {
                let role = paragraph.spans.first?.role ?? []
                let level = !role.contains(.minorHeading) ? "## " : role.contains(.strong) ? "### " : "#### "
                lines.append(level + escape(paragraph.spans.map(\.text.string).joined()))
            } else {
                lines.append(prefix + text(of: paragraph, in: article))
            }
            if !prefix.hasSuffix("- ") { lines.append("") }
        }
        if isInProgram { lines.append("```") }
        var result = ""
        var wasBlank = false
        for line in lines where !(line.isEmpty && wasBlank) {
            result += line + "\n"
            wasBlank = line.isEmpty
        }
        return result
    }

    private static func prefix(_ text: String) -> String {
        text.replacing("• ", with: "- ").replacing("▏ ", with: "> ")
    }

    private static func text(of paragraph: TextParagraph, in article: ArticleDocument) -> String {
        var result = ""
        var index = 0
        while index < paragraph.spans.count {
            let span = paragraph.spans[index]
            guard span.link > 0, case .link(let link) = article.target(span.link) else {
                result += marked(span)
                index += 1
                continue
            }
            // The spans of a link contain its text and its number, which Markdown doesn't need.
            var words = ""
            while index < paragraph.spans.count, paragraph.spans[index].link == span.link {
                let text = paragraph.spans[index].text.string
                if text != "[\(link.number)]" { words += text }
                index += 1
            }
            let target =
                link.url.contains { " ()<>".contains($0) } ? "<\(link.url.filter { !"<>".contains($0) })>" : link.url
            result += "[\(escape(words))](\(target))"
        }
        return result
    }

    private static func marked(_ span: StyledSpan) -> String {
        let text = span.text.string
        if span.role.contains(.code) { return "`" + text.replacing("`", with: "'") + "`" }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard !words.isEmpty, !span.role.isDisjoint(with: [.strong, .emphasis]) else { return escape(text) }
        let mark = span.role.contains(.strong) ? "**" : "*"
        let lead = text.hasPrefix(" ") ? " " : ""
        let trail = text.hasSuffix(" ") ? " " : ""
        return "\(lead)\(mark)\(escape(words.joined(separator: " ")))\(mark)\(trail)"
    }

    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\`*_[]<>#".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
