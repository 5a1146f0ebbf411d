import CLibXML2
import Glibc

/// A page as libxml2's HTML parser reads it: forgiving, without network, for the time of one closure.
enum HTMLTree {
    /// Bytes of a page that are read.
    static let maximumBytes = 8 << 20

    /// Why the rest of a page is left out.
    enum Cut {
        case size, attributes
    }

    /// The bytes of a page that can be read.
    ///
    /// - Parameter element: What is put before them.
    static func readable(_ html: String, in element: String = "") -> (bytes: [UInt8], cut: Cut?) {
        var bytes = Array(element.utf8) + html.utf8.prefix(maximumBytes)
        if bytes.contains(0) { bytes.removeAll { $0 == 0 } }
        let count = readableCount(bytes)
        let cut: Cut? = html.utf8.count > maximumBytes ? .size : count < bytes.count ? .attributes : nil
        bytes.removeSubrange(count...)
        return (bytes, cut)
    }

    /// How far a page can be read: up to a tag with so many attributes that libxml2, which compares each with all others of
    /// its tag, would take seconds for it and those before.
    private static func readableCount(_ html: [UInt8]) -> Int {
        var cost = 0
        var tag: Int?
        var words = 0
        var isInWord = true
        for (index, byte) in html.enumerated() {
            if let start = tag {
                switch byte {
                case UInt8(ascii: ">"):
                    if words > HTMLTree.manyWords { cost += words * words }
                    tag = nil
                case UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x09...0x0D:
                    isInWord = false
                default:
                    if !isInWord {
                        words += 1
                        if words > HTMLTree.manyWords, cost + words * words > HTMLTree.maximumCost { return start }
                    }
                    isInWord = true
                }
            } else if byte == UInt8(ascii: "<"), index + 1 < html.count, html[index + 1] | 0x20 >= 0x61,
                html[index + 1] | 0x20 <= 0x7A
            {
                tag = index
                words = 0
                isInWord = true
            }
        }
        return html.count
    }

    /// Words in a tag, of its values too, that need not be thought of.
    private static let manyWords = 200
    /// Comparisons of attributes that are made at most.
    private static let maximumCost = 200_000_000

    /// Hands the tree's document and root to a closure; `nil` when nothing could be read.
    ///
    /// - Parameter html: What ``readable(_:in:)`` gave: libxml2 ends a document at a NUL.
    static func withTree<Value>(of html: [UInt8], _ body: (htmlDocPtr, xmlNodePtr) -> Value?) -> Value? {
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
        let document = html.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                htmlReadMemory($0.baseAddress, Int32($0.count), nil, "UTF-8", Int32(bitPattern: options))
            }
        }
        guard let document else { return nil }
        defer { xmlFreeDoc(document) }
        return xmlDocGetRootElement(document).flatMap { body(document, $0) }
    }

    /// The value of an element's attribute.
    static func attribute(_ name: String, of node: xmlNodePtr) -> String? {
        guard let value = xmlGetProp(node, name) else { return nil }
        // Libxml2 allocates with malloc where nobody has set anything else, as nobody does here.
        defer { free(value) }
        return String(cString: value)
    }
}
