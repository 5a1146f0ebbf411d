import Foundation
import WebAddresses

struct FeedElement {
    var name: MarkupName
    var attributes: [MarkupAttribute]
    var text: [UInt8] = []
    /// The number of blanks at the beginning of the text, as far as they were counted.
    private var blanks = 0
    var base: String?
    /// Whether the document states the base (xml:base), instead of using the feed's address.
    var hasOwnBase = false
    /// Whether markup inside is part of the text (Atom's type xhtml).
    var capturesMarkup = false
    /// Whether its text belongs to its parent, for a div that only wraps escaped markup.
    var isTransparent = false

    init(name: MarkupName, attributes: [MarkupAttribute], base: String?) {
        (self.name, self.attributes, self.base) = (name, attributes, base)
    }

    /// Returns whether the text so far is blank. Each blank is looked at once.
    mutating func isBlank() -> Bool {
        while blanks < text.count, text[blanks].isBlank { blanks += 1 }
        return blanks >= text.count
    }

    /// Returns the value of an attribute without a prefix, or of the core vocabularies.
    func attribute(_ local: String) -> String? {
        attributes.first { $0.name.local == local && $0.name.vocabulary != .xml }?.value
    }

    func resolved(_ address: String) -> String? { WebAddress.resolve(address, base: base) }

    func link(_ local: String) -> String? { attribute(local).flatMap(resolved) }

    /// Whether a text is markup. Atom 0.3's texts without a type or in base64 often are, and child elements always.
    func isMarkup(_ text: String) -> Bool {
        if capturesMarkup { return true }
        return attribute("mode") != nil && attribute("type") == nil && text.contains("</")
    }

    /// Returns markup with absolute links if the document states their base (xml:base), since later code only knows the
    /// page and the feed.
    func html(_ text: String) -> String {
        hasOwnBase ? RelativeLinks.resolved(in: text, base: base) : text
    }

    // MARK: Text

    /// Returns the text, decoded from base64 where it is that, or at most `limit` bytes of it as written.
    ///
    /// - Parameter isValid: Whether the text is known to be valid UTF-8.
    func string(isValid: Bool, limit: Int = .max) -> String {
        let text = written(isValid: isValid, limit: limit)
        // A picture is not text, whatever its encoding.
        if let type = attribute("type")?.lowercased(), name.isTextConstruct,
            ["image/", "audio/", "video/"].contains(where: type.hasPrefix), !type.hasSuffix("+xml")
        {
            return ""
        }
        guard let base64, let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        else { return capturesMarkup ? text : Markup.unwrapped(text) }
        return base64 == .declared ? String(decoding: data, as: UTF8.self) : FeedElement.decoded(data, from: text)
    }

    private func written(isValid: Bool, limit: Int) -> String {
        if text.count > limit { return String(utf8: Array(text[..<limit])) }
        return isValid ? String(valid: text) : String(utf8: text)
    }

    /// Returns decoded data, or the text if it only happens to consist of base64's characters, as a single word may.
    private static func decoded(_ data: Data, from text: String) -> String {
        let isBase64 = text.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0.isBlank || signs.contains($0) }
        guard isBase64, let decoded = String(validating: data, as: UTF8.self) else { return text }
        let hasControls = decoded.utf8.contains { $0 < 0x20 && !$0.isBlank || $0 == 0x7F }
        return hasControls ? text : decoded
    }

    private static let signs = Set("+/=".utf8)

    /// Why a text is read as base64.
    private enum Base64 {
        /// The document says so.
        case declared
        /// The text has a type that can't be in a document otherwise.
        case expected
    }

    /// Why the text is base64, if it is: in Atom 0.3 by its mode, in Atom 1.0 for every type that is neither text nor
    /// XML (RFC 4287, section 4.1.3.3). Many feeds use such types for plain text.
    private var base64: Base64? {
        if attributes.isEmpty { return nil }
        if let mode = attribute("mode")?.lowercased() { return mode == "base64" ? .declared : nil }
        guard name.isTextConstruct, let type = attribute("type")?.lowercased() else { return nil }
        if ["text", "html", "xhtml", "", "plain"].contains(type) || type.hasPrefix("text/") { return nil }
        if type == "base64" { return .declared }
        return type.contains("/") && !type.hasSuffix("/xml") && !type.hasSuffix("+xml") ? .expected : nil
    }
}
