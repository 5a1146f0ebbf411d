import Platform

/// Reads well-formed documents in one pass, with a fifth of libxml2's instructions.
///
/// It reads what nearly all feeds consist of: elements, attributes, text, CDATA sections, comments, processing
/// instructions, and references to characters and XML's own entities. Anything else ends it, such as a document type,
/// an undeclared prefix or an error, and ``XMLReader`` has to read the document instead. The events are the same.
struct WellFormedXMLReader {
    struct Unsupported: Error {}

    /// An element or attribute as written, with the range of its name in the document.
    struct Written {
        var name: Range<Int>
        var colon: Int?
        var value = 0..<0
    }

    private struct Element {
        var written: Written
        var name: MarkupName
        /// The number of declarations outside.
        var declarations: Int
    }

    let bytes: UnsafeBufferPointer<UInt8>
    private let handler: any MarkupHandler
    private let hasReturns: Bool
    var index = 0
    private var open: [Element] = []
    /// The attributes of the current tag.
    private var attributes: [Written] = []
    private var names: MarkupNames

    /// The maximum number of attributes. libxml2 compares each with all others.
    private static let maximumAttributes = 100

    /// Passes the parts of a UTF-8 document to a handler.
    ///
    /// - Returns: Whether the whole document was read. If not, the handler has received only a part of it.
    static func read(_ utf8: [UInt8], into handler: any MarkupHandler) -> Bool {
        utf8.withUnsafeBufferPointer { bytes in
            guard XMLCharacters.areAllowed(bytes) else { return false }
            var reader = WellFormedXMLReader(bytes: bytes, handler: handler)
            do throws(Unsupported) {
                try reader.readDocument()
                return true
            } catch {
                return false
            }
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, handler: any MarkupHandler) {
        self.bytes = bytes
        self.handler = handler
        hasReturns = bytes.place(of: XMLCharacters.carriageReturn, from: 0) != nil
        names = MarkupNames(bytes)
    }

    private mutating func readDocument() throws(Unsupported) {
        // White space before the document is reported.
        guard has("<") else { throw Unsupported() }
        if has("<?xml"), index + 5 < bytes.count, bytes[index + 5].isBlank { try readDeclaration() }
        var hasRoot = false
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                try readText()
                continue
            }
            if has("</") {
                try readEndTag()
            } else if has("<!") {
                try readCommentOrSection()
            } else if has("<?") {
                try readInstruction()
            } else {
                guard !hasRoot && index <= XMLReader.maximumProlog || !open.isEmpty else { throw Unsupported() }
                hasRoot = true
                try readStartTag()
            }
        }
        guard hasRoot, open.isEmpty else { throw Unsupported() }
    }

    // MARK: Text

    private mutating func readText() throws(Unsupported) {
        let end = bytes.place(of: UInt8(ascii: "<"), from: index) ?? bytes.count
        let text = UnsafeBufferPointer(rebasing: bytes[index..<end])
        index = end
        guard !open.isEmpty else {
            // Outside of the root element only white space is allowed.
            guard text.allSatisfy({ $0.isBlank }) else { throw Unsupported() }
            return
        }
        guard !text.contains("]]>") else { throw Unsupported() }
        guard hasReturns || text.place(of: UInt8(ascii: "&"), from: 0) != nil else { return handler.text(text) }
        let decoded = try XMLCharacters.decode(text, isAttribute: false)
        decoded.withUnsafeBufferPointer { handler.text($0) }
    }

    private mutating func readCommentOrSection() throws(Unsupported) {
        if has("<![CDATA[") {
            let start = index + 9
            guard !open.isEmpty, let end = bytes.place(of: "]]>", from: start) else { throw Unsupported() }
            if end > start { handler.text(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
            index = end + 3
        } else {
            // Two hyphens end a comment. libxml2 has a limit for the length.
            guard has("<!--"), let end = bytes.place(of: "--", from: index + 4), end - index <= XMLReader.maximumTag,
                end + 2 < bytes.count, bytes[end + 2] == UInt8(ascii: ">")
            else { throw Unsupported() }
            index = end + 3
        }
    }

    private mutating func readInstruction() throws(Unsupported) {
        index += 2
        let target = try readName()
        let isReserved =
            target.name.count == 3 && String(decoding: bytes[target.name], as: UTF8.self).lowercased() == "xml"
        guard target.colon == nil, !isReserved, let end = bytes.place(of: "?>", from: index),
            end == index || bytes[index].isBlank, end - index <= XMLReader.maximumTag
        else { throw Unsupported() }
        index = end + 2
    }

    // MARK: Tags

    /// Reads the XML declaration. Its encoding was used when the document was converted to UTF-8.
    private mutating func readDeclaration() throws(Unsupported) {
        index += 5
        try readAttributes()
        guard has("?>") else { throw Unsupported() }
        index += 2
        let written = attributes.map { attribute in
            (
                String(decoding: bytes[attribute.name], as: UTF8.self),
                String(decoding: bytes[attribute.value], as: UTF8.self)
            )
        }
        guard let version = written.first, version == ("version", "1.0") else { throw Unsupported() }
        var rest = written.dropFirst()
        if let encoding = rest.first, encoding.0 == "encoding" {
            let name = encoding.1.utf8
            guard let first = name.first, XMLCharacters.isLetter(first), name.allSatisfy(XMLCharacters.isInName) else {
                throw Unsupported()
            }
            rest = rest.dropFirst()
        }
        if let standalone = rest.first, standalone.0 == "standalone", ["yes", "no"].contains(standalone.1) {
            rest = rest.dropFirst()
        }
        guard rest.isEmpty else { throw Unsupported() }
    }

    private mutating func readStartTag() throws(Unsupported) {
        let start = index
        index += 1
        let written = try readName()
        try readAttributes()
        let isEmpty = has("/>")
        guard isEmpty || has(">") else { throw Unsupported() }
        index += isEmpty ? 2 : 1
        guard index - start <= XMLReader.maximumTag, open.count < XMLReader.maximumDepth else { throw Unsupported() }
        let outside = names.declarations.count
        for attribute in attributes { try names.declare(attribute) }
        let name = try names.name(written, isAttribute: false)
        handler.startElement(name, try attributeList())
        if isEmpty {
            handler.endElement(name)
            names.endDeclarations(after: outside)
        } else {
            open.append(Element(written: written, name: name, declarations: outside))
        }
    }

    private mutating func readEndTag() throws(Unsupported) {
        index += 2
        let name = try readName().name
        skipBlanks()
        guard has(">"), let element = open.popLast(), element.written.name.count == name.count,
            bytes.areEqual(element.written.name, name)
        else { throw Unsupported() }
        index += 1
        handler.endElement(element.name)
        names.endDeclarations(after: element.declarations)
    }

    /// Reads attributes up to the end of a tag.
    private mutating func readAttributes() throws(Unsupported) {
        attributes.removeAll(keepingCapacity: true)
        while index < bytes.count {
            let isApart = bytes[index].isBlank
            skipBlanks()
            guard index < bytes.count, XMLCharacters.isInName(bytes[index]) else { return }
            guard isApart, attributes.count < WellFormedXMLReader.maximumAttributes else { throw Unsupported() }
            var attribute = try readName()
            skipBlanks()
            guard has("=") else { throw Unsupported() }
            index += 1
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
                let end = bytes.place(of: bytes[index], from: index + 1)
            else { throw Unsupported() }
            attribute.value = index + 1..<end
            attributes.append(attribute)
            index = end + 1
        }
    }

    /// Returns the attributes of the current tag without its declarations.
    private mutating func attributeList() throws(Unsupported) -> [MarkupAttribute] {
        guard !attributes.isEmpty else { return [] }
        var list: [MarkupAttribute] = []
        list.reserveCapacity(attributes.count)
        for attribute in attributes where !names.isDeclaration(attribute) {
            let name = try names.name(attribute, isAttribute: true)
            // Names that differ only in their case or prefix may be the same.
            guard !list.contains(where: { $0.name.local == name.local }) else { throw Unsupported() }
            let value = UnsafeBufferPointer(rebasing: bytes[attribute.value])
            guard value.place(of: UInt8(ascii: "<"), from: 0) == nil else { throw Unsupported() }
            let isPlain = value.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "&") }
            let text =
                isPlain
                ? String(decoding: value, as: UTF8.self)
                : String(utf8: try XMLCharacters.decode(value, isAttribute: true))
            list.append(MarkupAttribute(name: name, value: text))
        }
        return list
    }

    // MARK: Steps

    private func has(_ text: StaticString) -> Bool { bytes.have(text, at: index) }

    private mutating func skipBlanks() { while index < bytes.count, bytes[index].isBlank { index += 1 } }

    /// Reads a name in ASCII with at most one prefix.
    private mutating func readName() throws(Unsupported) -> Written {
        let start = index
        var colon: Int?
        var beginsPart = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") {
                guard colon == nil, !beginsPart else { throw Unsupported() }
                colon = index
                beginsPart = true
            } else {
                guard XMLCharacters.isInName(byte) else { break }
                guard !beginsPart || XMLCharacters.isLetter(byte) else { throw Unsupported() }
                beginsPart = false
            }
            index += 1
        }
        guard !beginsPart, index < bytes.count, bytes[index] < 0x80 else { throw Unsupported() }
        return Written(name: start..<index, colon: colon)
    }
}
