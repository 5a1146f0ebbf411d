/// Reads malformed markup like feedparser's fallback: anything that looks like a tag is one, an end tag closes
/// everything inside, and an unknown reference is plain text.
///
/// Every step moves forward, no missing end is searched for twice, and a prefix is found without looking at the others,
/// so hostile documents cost no more than their length.
struct LooseXMLReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let handler: any MarkupHandler
    private var index = 0
    private var open: [(name: MarkupName, written: String)] = []
    private var prefixes = DeclaredPrefixes()
    private var text: [UInt8] = []
    private var missing: Set<String> = []

    /// Passes the parts of a UTF-8 document to a handler.
    static func read(_ utf8: [UInt8], into handler: any MarkupHandler) {
        utf8.withUnsafeBufferPointer { bytes in
            var reader = LooseXMLReader(bytes: bytes, handler: handler)
            reader.readAll()
        }
    }

    private mutating func readAll() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): readMarkup()
            case UInt8(ascii: "&"): text.append(contentsOf: readReference())
            case let byte:
                // NUL and other control characters have no meaning in text.
                if byte >= 0x20 || byte.isBlank { text.append(byte) }
                index += 1
            }
        }
        flush()
        if !open.isEmpty { handler.documentIsCutOff() }
        while let last = open.popLast() { handler.endElement(last.name) }
    }

    private mutating func flush() {
        guard !text.isEmpty else { return }
        text.withUnsafeBufferPointer { handler.text($0) }
        text.removeAll(keepingCapacity: true)
    }

    // MARK: Markup

    private func starts(with word: StaticString) -> Bool { bytes.have(word, at: index) }

    /// Returns the next offset of an end. One that was not found is not searched for again.
    private mutating func find(_ ending: StaticString, from start: Int) -> Int? {
        guard !missing.contains(ending.description) else { return nil }
        if let place = bytes.place(of: ending, from: start) { return place }
        missing.insert(ending.description)
        return nil
    }

    private mutating func readMarkup() {
        if starts(with: "<![CDATA[") {
            let start = index + 9
            let end = find("]]>", from: start) ?? find("</", from: start) ?? bytes.count
            text.append(contentsOf: bytes[min(start, end)..<end])
            index = min(end + (end < bytes.count && bytes[end] == UInt8(ascii: "]") ? 3 : 0), bytes.count)
        } else if starts(with: "<!--") {
            index = find("-->", from: index + 4).map { $0 + 3 } ?? find(">", from: index).map { $0 + 1 } ?? bytes.count
        } else if starts(with: "<!") {
            skipDeclaration()
        } else if starts(with: "<?") {
            index = find(">", from: index).map { $0 + 1 } ?? bytes.count
        } else if starts(with: "</") {
            readEndTag()
        } else if index + 1 < bytes.count, LooseXMLReader.beginsName(bytes[index + 1]) {
            readStartTag()
        } else {
            text.append(bytes[index])
            index += 1
        }
    }

    /// Skips a document type including its brackets.
    private mutating func skipDeclaration() {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            if byte == UInt8(ascii: ">"), depth <= 0 { return }
        }
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isName(_ byte: UInt8) -> Bool {
        beginsName(byte) || byte.isDigit || [0x2D, 0x2E, 0x3A].contains(byte)
    }

    private mutating func readName() -> String {
        let start = index
        while index < bytes.count, LooseXMLReader.isName(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private mutating func readEndTag() {
        index += 2
        let written = readName()
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
        flush()
        let key = written.lowercased()
        guard let match = open.lastIndex(where: { $0.written == key }) else { return }
        close(to: match)
    }

    /// Closes elements from the innermost to a depth.
    private mutating func close(to depth: Int) {
        while open.count > depth {
            if let last = open.popLast() { handler.endElement(last.name) }
            prefixes.endDeclarations(below: open.count)
        }
    }

    private mutating func readStartTag() {
        index += 1
        let written = readName()
        var pairs: [(name: String, value: String)] = []
        var isEmpty = false
        let start = index
        while index < bytes.count {
            skipBlanks()
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte == UInt8(ascii: ">") {
                index += 1
                break
            }
            // The tag never ends or is too long, so what follows is read as it comes.
            if byte == UInt8(ascii: "<") || index - start > XMLReader.maximumTag { break }
            if LooseXMLReader.beginsName(byte) {
                let name = readName()
                let value = readValue()
                // Of attributes with the same name the last counts.
                pairs.removeAll { $0.name == name }
                if pairs.count < 100 { pairs.append((name, value)) }
            } else {
                isEmpty = byte == UInt8(ascii: "/") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">")
                index += 1
            }
        }
        flush()
        closeWhatCannotHold(written.lowercased())
        guard open.count < XMLReader.maximumDepth else { return }
        startElement(written, pairs, isEmpty: isEmpty)
    }

    private mutating func readValue() -> String {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return "" }
        index += 1
        skipBlanks()
        guard index < bytes.count else { return "" }
        var value: [UInt8] = []
        let quote = bytes[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = find(quote == UInt8(ascii: "'") ? "'" : "\"", from: index + 1), end - index < XMLReader.maximumTag
        {
            index += 1
            while index < end {
                if bytes[index] == UInt8(ascii: "&") {
                    value.append(contentsOf: readReference())
                } else {
                    value.append(bytes[index])
                    index += 1
                }
            }
            index = end + 1
        } else {
            while index < bytes.count, !bytes[index].isBlank, bytes[index] != UInt8(ascii: ">") {
                if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") {
                    break
                }
                value.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    // MARK: Elements

    private static let entries: Set<String> = ["item", "entry"]
    private static let holders: Set<String> = ["channel", "feed", "rdf:rdf"]
    /// The elements with one line of text, which the next field of an item closes.
    private static let lines: Set<String> = ["title", "link", "guid", "pubdate", "comments", "enclosure"]
    private static let fields: Set<String> = [
        "title", "link", "guid", "pubdate", "comments", "description", "content:encoded", "enclosure", "item", "entry",
    ]

    /// Closes elements with a forgotten end tag, such as an item inside an item, or a field inside a title.
    private mutating func closeWhatCannotHold(_ written: String) {
        if LooseXMLReader.entries.contains(written), let outer = open.lastIndex(where: { $0.written == written }) {
            close(to: outer)
        } else if LooseXMLReader.entries.contains(written),
            let outer = open.lastIndex(where: { LooseXMLReader.holders.contains($0.written) }), open.count > outer + 1,
            open[outer + 1].written != "items", open[outer + 1].name.vocabulary != .other
        {
            // An element before the first item lacks its end.
            close(to: outer + 1)
        }
        if let last = open.last, LooseXMLReader.lines.contains(last.written), LooseXMLReader.fields.contains(written) {
            close(to: open.count - 1)
        }
    }

    private mutating func startElement(_ written: String, _ pairs: [(name: String, value: String)], isEmpty: Bool) {
        for pair in pairs where pair.name == "xmlns" || pair.name.hasPrefix("xmlns:") {
            prefixes.declare(String(pair.name.dropFirst(6)), as: pair.value, depth: open.count + 1)
        }
        let name = name(written, isAttribute: false)
        let attributes = pairs.filter { !$0.name.hasPrefix("xmlns") }.map { pair in
            MarkupAttribute(name: self.name(pair.name, isAttribute: true), value: pair.value)
        }
        handler.startElement(name, attributes)
        if isEmpty {
            handler.endElement(name)
            prefixes.endDeclarations(below: open.count)
        } else {
            open.append((name, written.lowercased()))
        }
    }

    private func name(_ written: String, isAttribute: Bool) -> MarkupName {
        let parts = written.split(separator: ":", maxSplits: 1)
        let prefix = parts.count == 2 ? String(parts[0]) : nil
        let local = (parts.last.map(String.init) ?? written).lowercased()
        var vocabulary = Vocabulary.none
        if prefix != nil || !isAttribute { vocabulary = prefixes.vocabulary(of: prefix ?? "") ?? .none }
        if vocabulary == .none || vocabulary == .other, let prefix { vocabulary = Vocabulary(prefix: prefix) }
        return MarkupName(vocabulary: vocabulary, local: local, written: written)
    }

    // MARK: References

    /// Reads `&name;` or `&#number;`. Anything else is a plain ampersand.
    private mutating func readReference() -> [UInt8] {
        var end = index + 1
        while end < bytes.count, end - index < 34, bytes[end] != UInt8(ascii: ";"),
            LooseXMLReader.isName(bytes[end]) || bytes[end] == UInt8(ascii: "#")
        {
            end += 1
        }
        if end < bytes.count, bytes[end] == UInt8(ascii: ";") {
            let written = String(decoding: bytes[index...end], as: UTF8.self)
            let decoded = Markup.decodeEntities(written)
            if decoded != written || written == "&amp;" {
                index = end + 1
                return Array(decoded.utf8)
            }
        }
        index += 1
        return [UInt8(ascii: "&")]
    }
}

/// The prefixes that the open elements of a document declare.
private struct DeclaredPrefixes {
    /// The vocabularies of each prefix, the innermost last.
    private var vocabularies: [String: [Vocabulary]] = [:]
    /// The declarations in order, with the depths of their elements.
    private var declarations: [(prefix: String, depth: Int)] = []
    /// The maximum number of declarations in force. Others are ignored.
    private static let maximumDeclarations = 1000

    /// Adds a declaration of an element, unless its address is empty.
    mutating func declare(_ prefix: String, as address: String, depth: Int) {
        guard !address.isEmpty, declarations.count < DeclaredPrefixes.maximumDeclarations else { return }
        vocabularies[prefix, default: []].append(Vocabulary(uri: address))
        declarations.append((prefix, depth))
    }

    /// Removes the declarations of elements that are deeper than an open one.
    mutating func endDeclarations(below depth: Int) {
        while let last = declarations.last, last.depth > depth {
            declarations.removeLast()
            _ = vocabularies[last.prefix]?.popLast()
        }
    }

    /// Returns the vocabulary that the innermost declaration of a prefix names.
    func vocabulary(of prefix: String) -> Vocabulary? { vocabularies[prefix]?.last }
}
