import CLibXML2
import Foundation
import TerminalText

/// What is told by signs: what is hidden, struck, above or below the line, formulas and drawings.
extension ArticleWriter {
    /// What a page hides is not read.
    func isHidden(_ node: xmlNodePtr) -> Bool {
        guard node.pointee.properties != nil else { return false }
        if attribute("hidden", node) != nil || attribute("aria-hidden", node) == "true" { return true }
        guard let style = attribute("style", node)?.lowercased() else { return false }
        let rules = style.filter { !$0.isWhitespace }
        return rules.contains("display:none") || rules.contains("visibility:hidden")
    }

    mutating func between(_ open: String, _ close: String, _ node: xmlNodePtr, depth: Int) {
        append(open)
        children(node, depth: depth)
        append(close)
    }

    /// The children with something between them, as a numerator and a denominator.
    mutating func joined(_ sign: String, _ node: xmlNodePtr, depth: Int) {
        var child = node.pointee.children
        var isFirst = true
        while let present = child {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE else { continue }
            if !isFirst { append(sign) }
            isFirst = false
            write(present, depth: depth + 1)
        }
    }

    /// Text above or below the line; of a formula's children the last is.
    mutating func raised(_ node: xmlNodePtr, isRaised: Bool, isFormula: Bool, depth: Int) {
        var node = node
        if isFormula {
            guard let last = xmlLastElementChild(node) else { return children(node, depth: depth) }
            var child = node.pointee.children
            while let present = child, present != last {
                child = present.pointee.next
                write(present, depth: depth + 1)
            }
            node = last
        }
        // Links to notes stay as they are.
        let hasLinks = xmlFirstElementChild(node).map { String(cString: $0.pointee.name) == "a" } ?? false
        let words = content(node)
        if hasLinks || words.isEmpty { return children(node, depth: depth) }
        if let signs = RaisedText.signs(words, isRaised: isRaised) { return append(signs) }
        between(isRaised ? "^(" : "_(", ")", node, depth: depth)
    }

    /// All text in an element, without blanks around it.
    func content(_ node: xmlNodePtr) -> String {
        guard let value = xmlNodeGetContent(node) else { return "" }
        defer { free(value) }
        return String(cString: value).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A drawing in the page is what it calls itself, or what is written in it.
    mutating func drawing(_ node: xmlNodePtr) {
        var words: [String] = []
        var child = node.pointee.children
        while let present = child, words.count < 40 {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE, let name = present.pointee.name else { continue }
            let kind = String(cString: name).lowercased()
            if kind == "title" || kind == "desc" || kind == "text" || kind == "g" {
                let text = content(present).split(whereSeparator: \.isWhitespace).joined(separator: " ")
                if !text.isEmpty { words.append(text) }
                if kind == "title" { break }
            }
        }
        guard !words.isEmpty else { return }
        flushSpan()
        let text = String(words.joined(separator: ", ").prefix(200))
        spans.append(StyledSpan(DisplayText("[drawing: \(text)]"), .secondary))
        endsInBlank = false
    }
}
