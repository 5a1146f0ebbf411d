/// Writes parts of a document as HTML, for feed elements whose content is markup.
enum MarkupWriting {
    static func appendTag(_ name: MarkupName, _ attributes: [MarkupAttribute], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "<"))
        text.append(contentsOf: name.local.utf8)
        for attribute in attributes where attribute.name.vocabulary != .xml {
            text.append(UInt8(ascii: " "))
            text.append(contentsOf: attribute.name.local.utf8)
            text.append(contentsOf: "=\"".utf8)
            var value = attribute.value
            value.withUTF8 { appendEscaped($0, to: &text) }
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: ">"))
    }

    private static let voidElements: Set<String> = ["br", "hr", "img", "input", "link", "meta", "area", "col", "wbr"]

    static func appendEndTag(_ name: MarkupName, to text: inout [UInt8]) {
        guard !voidElements.contains(name.local) else { return }
        text.append(contentsOf: "</".utf8)
        text.append(contentsOf: name.local.utf8)
        text.append(UInt8(ascii: ">"))
    }

    static func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): text.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): text.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): text.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "\""): text.append(contentsOf: "&quot;".utf8)
            default: text.append(byte)
            }
        }
    }

    /// Returns plain text as HTML that keeps its lines.
    static func paragraph(_ text: String) -> String { escaped(text).replacing("\n", with: "<br>") }

    static func escaped(_ text: String) -> String {
        var text = text
        var result: [UInt8] = []
        text.withUTF8 { appendEscaped($0, to: &result) }
        return String(decoding: result, as: UTF8.self)
    }
}
