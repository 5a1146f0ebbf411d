import Foundation
import TerminalText
import WebAddresses

/// Writes links to pages and links inside the article.
final class LinkWriter {
    private let paragraphs: ParagraphWriter
    private let base: WebAddress?
    /// The paragraphs of named elements, and the names that links refer to by link number.
    private var anchors: [String: Int] = [:]
    private var references: [(name: String, jump: Int)] = []

    private static let maximumLinks = 10_000
    private static let maximumAnchors = 20_000

    struct Start {
        /// The number of the link around it, or 0.
        var link: Int32
        /// The numbers of spans and paragraphs before it.
        var spans: Int
        var paragraphs: Int
    }

    init(_ paragraphs: ParagraphWriter, base: WebAddress?) {
        self.paragraphs = paragraphs
        self.base = base
    }

    func begin(_ attributes: HTMLAttributes) -> ElementEnding {
        guard let target = attributes["href"].flatMap(resolve), LinkWriter.isUseful(target) else { return .nothing }
        let number: Int32
        if target.hasPrefix("#") {
            let jumps = paragraphs.article.jumps.count
            guard jumps < LinkWriter.maximumLinks else { return .nothing }
            references.append((String(target.dropFirst()).removingPercentEncoding ?? "", jumps))
            paragraphs.article.jumps.append(.paragraph(0))
            number = Int32(-1 - jumps)
        } else {
            guard let known = self.number(of: target, words: .empty) else { return .nothing }
            number = Int32(known)
        }
        paragraphs.flushSpan()
        let start = Start(link: paragraphs.link, spans: paragraphs.spans.count, paragraphs: paragraphs.count)
        paragraphs.link = number
        paragraphs.addRole(.link)
        return .link(start)
    }

    /// Ends a link and appends its number.
    func end(_ start: Start) {
        paragraphs.flushSpan()
        let number = paragraphs.link
        paragraphs.setRole(paragraphs.role.subtracting(.link))
        paragraphs.link = start.link
        guard number > 0 else { return }
        if paragraphs.article.links[Int(number) - 1].text.isEmpty {
            let words = self.words(of: number, from: paragraphs.count == start.paragraphs ? start.spans : 0)
            paragraphs.article.setWords(words, ofLink: Int(number))
        }
        let sign = ArticleDocument.sign(of: Int(number))
        if paragraphs.spans.isEmpty, paragraphs.count > start.paragraphs {
            // The number of a link around whole paragraphs is in the last of them.
            paragraphs.article.paragraphs[paragraphs.count - 1].spans.append(sign)
        } else {
            paragraphs.append(sign: sign)
        }
    }

    /// Returns the text of a link.
    ///
    /// - Parameter start: The index of its first span in the current paragraph. If that paragraph has no such span, the
    ///   link is in the last complete one.
    private func words(of number: Int32, from start: Int) -> DisplayText {
        let spans = paragraphs.spans
        let own = spans.count > start ? spans[start...] : paragraphs.article.paragraphs.last?.spans[...] ?? []
        return own.filter { $0.link == number }.reduce(DisplayText.empty) { $0 + $1.text }
    }

    /// Returns the number of the link to an address, which is added if it is new, or `nil` if there are too many links.
    func number(of url: String, words: DisplayText) -> Int? {
        guard paragraphs.article.links.count < LinkWriter.maximumLinks || paragraphs.article.hasLink(to: url) else {
            return nil
        }
        return paragraphs.article.number(ofLink: url, words: words)
    }

    /// Whether a link can be opened or copied to some program: not those to telephone numbers, scripts or files.
    private static func isUseful(_ link: String) -> Bool {
        WebAddress.scheme(of: link).map {
            ["http", "https", "mailto", "gemini", "gopher", "ftp", "magnet"].contains($0)
        } ?? true
    }

    func resolve(_ link: String) -> String? {
        // Trimming is slow, and almost no link needs it.
        let isTrimmed = [link.utf8.first, link.utf8.last].allSatisfy { (0x21...0x7E).contains($0 ?? 0) }
        let trimmed = isTrimmed ? link : link.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return nil }
        if trimmed.hasPrefix("#") || trimmed.hasPrefix("data:") { return trimmed }
        // Absolute addresses are shown as written.
        if WrittenAddress(trimmed)?.isClear == true { return trimmed }
        return WebAddress.resolve(trimmed, base: base) ?? trimmed
    }

    /// Records the position of an element that links may refer to.
    func noteAnchor(_ attributes: HTMLAttributes) {
        guard !attributes.isEmpty, anchors.count < LinkWriter.maximumAnchors,
            let name = attributes["id"] ?? attributes["name"], !name.isEmpty, name.utf8.count <= 200,
            anchors[name] == nil
        else { return }
        anchors[name] = paragraphs.next
    }

    /// Connects the links inside the article to their paragraphs, once all are known.
    func connectReferences() {
        for reference in references {
            paragraphs.article.jumps[reference.jump] = .paragraph(anchors[reference.name] ?? 0)
        }
    }
}
