import Foundation

/// The text of an element, decoded from base64 where it is that.
extension FeedBuilder {
    /// Returns the text of an element, or at most `limit` bytes of it as written.
    func string(_ frame: Frame, limit: Int = .max) -> String {
        let text = written(frame, limit: limit)
        // A picture is not text, whatever its encoding.
        if let type = frame.attribute("type")?.lowercased(), frame.name.isTextConstruct,
            ["image/", "audio/", "video/"].contains(where: type.hasPrefix), !type.hasSuffix("+xml")
        {
            return ""
        }
        guard let base64 = FeedBuilder.base64(frame),
            let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        else { return text }
        return base64 == .declared ? String(decoding: data, as: UTF8.self) : FeedBuilder.decoded(data, from: text)
    }

    private func written(_ frame: Frame, limit: Int) -> String {
        if frame.text.count > limit { return String(utf8: Array(frame.text[..<limit])) }
        return hasValidText ? String(valid: frame.text) : String(utf8: frame.text)
    }

    /// Returns decoded data, or the text if it only happens to consist of base64's characters, as a single word may.
    private static func decoded(_ data: Data, from text: String) -> String {
        let isBase64 = text.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0.isBlank || signs.contains($0)
        }
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

    /// Returns whether the text is base64: in Atom 0.3 by its mode, in Atom 1.0 for every type that is neither text nor
    /// XML (RFC 4287, section 4.1.3.3). Many feeds use such types for plain text.
    private static func base64(_ frame: Frame) -> Base64? {
        if frame.attributes.isEmpty { return nil }
        if let mode = frame.attribute("mode")?.lowercased() { return mode == "base64" ? .declared : nil }
        guard frame.name.isTextConstruct, let type = frame.attribute("type")?.lowercased() else {
            return nil
        }
        if ["text", "html", "xhtml", "", "plain"].contains(type) || type.hasPrefix("text/") { return nil }
        if type == "base64" { return .declared }
        return type.contains("/") && !type.hasSuffix("/xml") && !type.hasSuffix("+xml") ? .expected : nil
    }
}
