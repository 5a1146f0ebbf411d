import WebAddresses

/// Writes a part of a page as HTML, reduced to readable content: no scripts, no styles, absolute addresses.
struct PageWriter {
    private let tree: PageTree
    private let base: WebAddress?
    private(set) var html = ""

    init(_ tree: PageTree, base: String?) {
        self.tree = tree
        self.base = base.flatMap { WebAddress($0) }
    }

    private static let attributes: Set<String> = [
        "href", "src", "srcset", "alt", "title", "width", "height", "colspan", "rowspan", "lang", "dir", "start",
        "datetime", "id", "open", "cite", "controls", "poster", "type",
    ]
    private static let addresses: Set<String> = ["href", "src", "cite", "poster"]

    mutating func write(_ node: PageTree.Node) {
        guard tree.isElement(node) else { return escape(tree[node].text) }
        let tag = tree.tag(node)
        if tag == .script || tag == .style { return }
        let name = tree.name(node)
        html += "<" + name
        for attribute in tree[node].attributes where PageWriter.attributes.contains(attribute.name) {
            guard let value = value(attribute) else { continue }
            html += " \(attribute.name)=\""
            escape(value, inAttribute: true)
            html += "\""
        }
        html += ">"
        if tag.isVoid { return }
        for child in tree.children(node) { write(child) }
        html += "</" + name + ">"
    }

    private func value(_ attribute: (name: String, value: String)) -> String? {
        guard PageWriter.addresses.contains(attribute.name) else { return attribute.value }
        let address = attribute.value.trimmed
        if WebAddress.scheme(of: address) == "javascript" { return nil }
        if address.hasPrefix("#") || address.hasPrefix("data:") { return address }
        return WebAddress.resolve(address, base: base) ?? address
    }

    private mutating func escape(_ text: String, inAttribute: Bool = false) {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
                && byte != UInt8(ascii: "\"")
        }
        if isPlain {
            html += text
            return
        }
        for character in text.unicodeScalars {
            switch character {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"" where inAttribute: html += "&quot;"
            default: html.unicodeScalars.append(character)
            }
        }
    }
}
