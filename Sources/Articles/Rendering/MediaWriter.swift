import Foundation
import TerminalText
import WebAddresses

/// Writes signs for pictures, recordings and embedded pages.
final class MediaWriter {
    private let paragraphs: ParagraphWriter
    private let tables: TableWriter
    private let links: LinkWriter

    private static let maximumImages = 200

    init(_ paragraphs: ParagraphWriter, in tables: TableWriter, _ links: LinkWriter) {
        self.paragraphs = paragraphs
        self.tables = tables
        self.links = links
    }

    /// The open element whose content replaces it where it can't be shown.
    private var outer: HTMLTag?
    /// Whether the open element still needs an address.
    private var needsSource = false
    /// The address in the first `source` of the open `picture` element.
    private var pictureSource: String?
    /// The number of words before the last picture, if in a browser a script would load that picture.
    private var lazyAt: Int?

    /// Whether text belongs to such an element.
    var isInFallback: Bool { outer != nil }

    /// Whether an element and what is in it don't appear, because another stands for it.
    func leavesOut(_ tag: HTMLTag) -> Bool {
        switch outer {
        case nil: false
        case .noscript: ![.img, .picture, .source, .figure, .p, .div, .span].contains(tag)
        case .object: !needsSource || tag != .embed && tag != .img
        // libxml2 doesn't know that a track has no content.
        default: tag != .source && tag != .track
        }
    }

    /// Writes a placeholder for a picture, audio, video or an embedded page, or returns `nil` for other elements.
    func begin(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> ElementEnding? {
        switch tag {
        case .img: writeImage(attributes)
        case .embed: write("[embedded page]", attributes["src"])
        case .iframe:
            open(tag)
            if !write("[embedded page]", attributes["src"]) { write("[embedded page]", attributes["data-src"]) }
        case .object:
            open(tag)
            needsSource = !write("[embedded page]", attributes["data"])
        case .video, .audio:
            open(tag)
            needsSource = !write(tag == .video ? "[video]" : "[audio]", attributes["src"])
        case .source: readSource(attributes)
        case .noscript: open(tag)
        default: return nil
        }
        return .nothing
    }

    func end(tag: HTMLTag) { if tag == outer { outer = nil } }

    private func open(_ tag: HTMLTag) { outer = outer ?? tag }

    /// Reads a `source` element, which belongs to audio, video or a picture.
    private func readSource(_ attributes: HTMLAttributes) {
        if outer == .video || outer == .audio {
            if needsSource { needsSource = !write(outer == .video ? "[video]" : "[audio]", attributes["src"]) }
        } else if let set = attributes["srcset"] ?? attributes["data-srcset"] {
            pictureSource = pictureSource ?? PictureSet.address(in: set)
        } else {
            write("[audio or video]", attributes["src"])
        }
    }

    /// Returns the address of a picture: the one that a script would load, else that of the element itself, else one of
    /// several sizes.
    private func address(_ attributes: HTMLAttributes) -> (address: String, isLazy: Bool)? {
        func usable(_ text: String?) -> String? { text.flatMap { $0.isEmpty || $0.hasPrefix("data:") ? nil : $0 } }
        let lazy =
            usable(attributes["data-src"]) ?? usable(attributes["data-lazy-src"]) ?? usable(attributes["data-original"])
        if let lazy { return (lazy, true) }
        if let source = usable(attributes["src"]) { return (source, false) }
        for name in ["srcset", "data-srcset", "data-lazy-srcset"] as [StaticString] {
            if let address = attributes[name].flatMap(PictureSet.address) {
                return (address, name.utf8CodeUnitCount > 6)
            }
        }
        return pictureSource.map { ($0, false) }
    }

    private func writeImage(_ attributes: HTMLAttributes) {
        let source = address(attributes)
        pictureSource = nil
        // Pictures of one pixel track visitors.
        let sides = [attributes["width"], attributes["height"]]
        if sides.contains("0") || sides.contains("1") { return }
        if writeEmoji(attributes) { return }
        guard let source, let url = links.resolve(source.address) else { return }
        // Without scripts, a page repeats a picture that a script would load.
        if outer == .noscript, lazyAt == paragraphs.article.wordCount || paragraphs.article.images.last?.url == url {
            return
        }
        lazyAt = source.isLazy ? paragraphs.article.wordCount : nil
        let description = attributes["alt"] ?? attributes["title"] ?? ""
        let words = description.trimmingCharacters(in: .whitespacesAndNewlines)
        if paragraphs.article.images.count < MediaWriter.maximumImages {
            paragraphs.article.images.append(
                ArticleImage(url: url, description: DisplayText(words), size: MediaWriter.size(sides)))
        }
        paragraphs.flushSpan()
        if !paragraphs.spans.isEmpty, !paragraphs.endsInBlank {
            paragraphs.spans.append(StyledSpan(" ", .secondary))
        }
        let sign = DisplayText(words.isEmpty ? "[picture]" : "[picture: \(words)]")
        paragraphs.append(sign: StyledSpan(sign, .secondary, link: paragraphs.link))
    }

    /// Returns the size of a picture if width and height are stated and plausible.
    private static func size(_ sides: [String?]) -> ArticleImage.PixelSize? {
        let numbers = sides.map { $0.flatMap { Int($0.prefix { $0.isNumber }) } }
        guard let width = numbers[0], let height = numbers[1], (1...20_000).contains(width),
            (1...20_000).contains(height)
        else { return nil }
        return ArticleImage.PixelSize(width: width, height: height)
    }

    /// Writes the character that a picture stands for, such as WordPress's emoji.
    private func writeEmoji(_ attributes: HTMLAttributes) -> Bool {
        let names = (attributes["class"] ?? "").lowercased()
        guard
            names.contains("emoji") || names.contains("wp-smiley") || attributes["src"]?.contains("/emoji/") == true,
            let character = attributes["alt"], !character.isEmpty, character.count <= 20
        else { return false }
        paragraphs.append(character)
        return true
    }

    /// Writes a link to what can't be shown, and returns whether it has an address.
    @discardableResult
    private func write(_ words: DisplayText, _ address: String?) -> Bool {
        // In a document without an address, a relative address stays as it is.
        guard let source = address.flatMap(links.resolve),
            WebAddress.isWeb(source) || WebAddress.scheme(of: source) == nil && !source.hasPrefix("#")
        else { return false }
        tables.beginBlock()
        guard let number = links.number(of: source, words: words) else { return true }
        paragraphs.append(sign: StyledSpan(words, .secondary, link: Int32(number)))
        paragraphs.append(sign: ArticleDocument.sign(of: number))
        tables.endBlock()
        return true
    }
}

/// A picture in several sizes (HTML's attribute `srcset`).
enum PictureSet {
    /// The width in pixels that is enough for every terminal.
    private static let enough = 1600
    private static let widest = 100_000

    /// Returns the address of the widest picture that isn't too wide.
    static func address(in set: String) -> String? {
        var best: (address: String, width: Int)?
        var rest = set[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            var address = rest.prefix { !$0.isWhitespace }
            guard !address.isEmpty else { return best?.address }
            rest = rest[address.endIndex...]
            var size: Substring = ""
            if address.last == "," {
                address = address.dropLast()
            } else {
                size = rest.prefix { $0 != "," }
                rest = rest[size.endIndex...]
            }
            let words = size.split(separator: " ")
            let number = min(widest, words.first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 1)
            let width = words.first?.last == "x" || words.isEmpty ? number * 400 : number
            guard !address.hasPrefix("data:") else { continue }
            if best == nil || width <= enough && width > best?.width ?? 0
                || best?.width ?? 0 > enough && width < best?.width ?? 0
            {
                best = (String(address), width)
            }
        }
    }
}
