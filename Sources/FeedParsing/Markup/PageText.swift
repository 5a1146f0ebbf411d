/// Decodes the text of a web page in any encoding.
package enum PageText {
    /// Returns the text of a page, whose encoding is determined by the HTTP header, its `meta` element, or its bytes.
    package static func decode(_ bytes: [UInt8], contentType: String?) -> String {
        var type = contentType
        if type?.lowercased().contains("charset") != true {
            let head = String(decoding: bytes.prefix(2048), as: UTF8.self).lowercased()
            if let start = head.range(of: "charset=") {
                let name = head[start.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix {
                    $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
                }
                if !name.isEmpty { type = "text/html; charset=\(name)" }
            }
        }
        return String(decoding: TextDecoding.decode(bytes, contentType: type).utf8, as: UTF8.self)
    }
}
