import CLibXML2
import Glibc

/// A page as libxml2's HTML parser reads it: forgiving, without network, for the time of one closure.
enum HTMLTree {
    /// Bytes of a page that are read.
    static let maximumBytes = 8 << 20

    /// Hands the tree's document and root to a closure; `nil` when nothing could be read.
    static func withTree<Value>(of html: [UInt8], _ body: (htmlDocPtr, xmlNodePtr) -> Value?) -> Value? {
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
        // libxml2 ends a document at a NUL.
        let bytes = html.contains(0) ? html.filter { $0 != 0 } : html
        let document = bytes.withUnsafeBufferPointer { buffer in
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
