import Foundation
import HTMLReading
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

    /// Writes what stands for a picture, a recording or an embedded page, or returns `nil` for other elements.
    func begin(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> ElementEnding? {
        switch tag {
        case .img: writeImage(attributes)
        case .iframe, .embed: write("[embedded page]", attributes)
        case .video, .audio, .source: write("[recording]", attributes)
        default: return nil
        }
        return .nothing
    }

    private func writeImage(_ attributes: HTMLAttributes) {
        // Pictures of one pixel track visitors.
        let sides = [attributes["width"], attributes["height"]]
        if sides.contains("0") || sides.contains("1") { return }
        guard let source = attributes["src"], !source.hasPrefix("data:"), let url = links.resolve(source) else {
            return
        }
        let description = attributes["alt"] ?? attributes["title"] ?? ""
        let words = description.trimmingCharacters(in: .whitespacesAndNewlines)
        if paragraphs.article.images.count < MediaWriter.maximumImages {
            var image = ArticleImage(url: url, description: DisplayText(words))
            image.size = MediaWriter.size(sides)
            paragraphs.article.images.append(image)
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

    private func write(_ words: DisplayText, _ attributes: HTMLAttributes) {
        guard let source = attributes["src"].flatMap(links.resolve), WebAddress.isWeb(source) else { return }
        tables.beginBlock()
        guard let number = links.number(of: source, words: words) else { return }
        paragraphs.append(sign: StyledSpan(words, .secondary, link: Int32(number)))
        paragraphs.append(sign: ArticleDocument.sign(of: number))
        tables.endBlock()
    }
}
