import CLibXML2
import Platform

/// Reads XML through libxml2's SAX interface, without building a tree.
///
/// It reads as much as possible of malformed documents. Because documents are untrusted, only short plain entities can
/// be declared, no address is fetched, and depth and tag lengths are limited.
enum XMLReader {
    static let maximumDepth = 256
    static let maximumTag = 256 * 1024
    /// The maximum number of bytes before the first element. libxml2's cost for declarations grows quadratically.
    static let maximumProlog = 256 * 1024
    /// The maximum number of different names of elements, attributes and namespaces, because libxml2 compares each with
    /// all others.
    static let maximumNames = 20_000
    /// The maximum number of errors. Documents with more are read with the fallback.
    static let maximumFaults = 10_000
    /// The number of bytes between checks of these limits. A document too short to exceed them is read at once without
    /// searching it.
    private static let chunk = 16 * 1024

    /// Reads a UTF-8 document and returns its errors in order.
    static func read(_ utf8: [UInt8], into handler: any MarkupHandler) -> [FeedProblem] {
        isReady
        let session = XMLSession(handler: handler)
        let context = Unmanaged.passUnretained(session).toOpaque()
        var sax = handlers()
        guard let parser = xmlCreatePushParserCtxt(&sax, context, nil, 0, nil) else {
            return [FeedProblem("no memory for a parser")]
        }
        defer {
            // Even without a tree, libxml2 creates a document for declared entities.
            xmlFreeDoc(parser.pointee.myDoc)
            xmlFreeParserCtxt(parser)
        }
        let options = XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(parser, Int32(bitPattern: options))
        session.parser = parser
        // White space before the XML declaration is common, and the only error that stops libxml2 at once.
        let start = utf8.firstIndex { !$0.isBlank } ?? utf8.endIndex
        if start > 0 { session.report("whitespace before the document") }
        let isShort = utf8.count - start <= maximumTag
        utf8.withUnsafeBufferPointer { buffer in
            var offset = start
            var waiting = 0
            var tags = LastSign()
            while offset < buffer.count, !session.isStopped {
                // Incomplete parts, such as long comments, are scanned at each call, so larger chunks mean fewer scans.
                let count = min(isShort || waiting > maximumTag ? maximumTag : chunk, buffer.count - offset)
                let before = session.events
                buffer.baseAddress?.advanced(by: offset).withMemoryRebound(to: CChar.self, capacity: count) {
                    _ = xmlParseChunk(parser, $0, Int32(count), isShort ? 1 : 0)
                }
                offset += count
                waiting = session.events == before ? waiting + count : 0
                if session.events == 0, offset - start > maximumProlog {
                    session.stop("more than \(maximumProlog / 1024) KiB before the first element")
                } else if waiting > maximumTag, tags.isOpen(in: buffer, upTo: offset) {
                    session.stop("a tag is longer than \(maximumTag / 1024) KiB")
                } else if xmlDictSize(parser.pointee.dict) > maximumNames {
                    session.stop("more than \(maximumNames) different names")
                } else if session.faults > maximumFaults {
                    session.stop("more than \(maximumFaults) errors")
                }
            }
        }
        if !session.isStopped, !isShort || start == utf8.count { _ = xmlParseChunk(parser, "", 0, 1) }
        session.closeOpenElements()
        return session.problems
    }

    private static let isReady: Void = xmlInitParser()

    /// The last sign of a document's markup, without looking at the same bytes twice.
    private struct LastSign {
        private var place: Int?
        private var end = 0

        /// Whether the last `<` before an offset belongs to an open tag. CDATA and comments may be long.
        mutating func isOpen(in buffer: UnsafeBufferPointer<UInt8>, upTo offset: Int) -> Bool {
            let isSign = { (byte: UInt8) in byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") }
            place = buffer[end..<offset].lastIndex(where: isSign) ?? place
            end = offset
            guard let place, buffer[place] == UInt8(ascii: "<"), place + 1 < offset else { return false }
            return buffer[place + 1] != UInt8(ascii: "!")
        }
    }

    private static func handlers() -> xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = { context, local, prefix, uri, _, _, count, _, attributes in
            XMLSession.of(context)?.start(local, prefix, uri, Int(count), attributes)
        }
        sax.endElementNs = { context, _, _, _ in XMLSession.of(context)?.end() }
        // Called for each line and reference, so it avoids reference counting; the caller retains the session.
        sax.characters = { context, text, count in
            guard let context else { return }
            Unmanaged<XMLSession>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.characters(text, Int(count)) }
        }
        sax.ignorableWhitespace = sax.characters
        sax.cdataBlock = sax.characters
        sax.entityDecl = { context, name, type, _, _, content in
            XMLSession.of(context)?.declare(name, Int(type), content)
        }
        sax.getEntity = { context, name in XMLSession.of(context)?.entity(name) }
        sax.serror = { context, error in
            guard let error else { return }
            XMLSession.of(context)?.failed(error.pointee.message, line: Int(error.pointee.line), error.pointee.level)
        }
        return sax
    }
}

private final class XMLSession {
    private let handler: any MarkupHandler
    var parser: xmlParserCtxtPtr?
    private(set) var problems: [FeedProblem] = []
    private(set) var events = 0
    private(set) var faults = 0
    private(set) var isStopped = false
    private var open: [MarkupName] = []
    private var names: [NameKey: MarkupName] = [:]
    private var entities: [String: UnsafeMutablePointer<xmlEntity>] = [:]

    /// The address of a name, which identifies it because libxml2 stores each name once.
    private struct NameKey: Hashable {
        var local: UnsafePointer<xmlChar>?
        var prefix: UnsafePointer<xmlChar>?
        var uri: UnsafePointer<xmlChar>?
    }

    private static let maximumProblems = 20

    init(handler: any MarkupHandler) { self.handler = handler }

    deinit {
        for entity in entities.values {
            free(UnsafeMutableRawPointer(mutating: entity.pointee.name))
            free(entity.pointee.content)
            // The text of the declaration, which libxml2 passes on.
            free(entity.pointee.orig)
            entity.deinitialize(count: 1)
            entity.deallocate()
        }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> XMLSession? {
        context.map { Unmanaged<XMLSession>.fromOpaque($0).takeUnretainedValue() }
    }

    func report(_ message: String, line: Int? = nil) {
        if problems.count < XMLSession.maximumProblems { problems.append(FeedProblem(message, line: line)) }
    }

    func stop(_ message: String) {
        report(message, line: parser.map { Int(xmlSAX2GetLineNumber($0)) })
        isStopped = true
        if let parser { xmlStopParser(parser) }
    }

    func failed(_ message: UnsafePointer<CChar>?, line: Int, _ level: xmlErrorLevel) {
        guard level != XML_ERR_WARNING, !isStopped else { return }
        faults += 1
        guard problems.count < XMLSession.maximumProblems else { return }
        let text = message.map { String(cString: $0) } ?? "not well-formed"
        report(String(text.split(separator: "\n").first ?? "not well-formed"), line: line)
    }

    private func name(
        _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?
    ) -> MarkupName {
        let key = NameKey(local: local, prefix: prefix, uri: uri)
        if let known = names[key] { return known }
        let text = local.map { String(cString: $0) } ?? ""
        let prefixText = prefix.map { String(cString: $0) }
        let vocabulary = uri.map(XMLSession.vocabulary) ?? prefixText.map { Vocabulary(prefix: $0) } ?? .none
        let name = MarkupName(
            vocabulary: vocabulary, local: text.lowercased(), written: prefixText.map { "\($0):\(text)" } ?? text)
        names[key] = name
        return name
    }

    private static func vocabulary(_ uri: UnsafePointer<xmlChar>) -> Vocabulary {
        let isShort = (0...Vocabulary.longestAddress).contains { uri[$0] == 0 }
        return isShort ? Vocabulary(uri: String(cString: uri)) : .other
    }

    func start(
        _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?,
        _ count: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        events += 1
        guard open.count < XMLReader.maximumDepth else {
            return stop("elements are nested more than \(XMLReader.maximumDepth) levels deep")
        }
        let name = name(local, prefix, uri)
        open.append(name)
        var list: [MarkupAttribute] = []
        if let attributes, count > 0 {
            list.reserveCapacity(count)
            for index in 0..<count {
                // Five pointers each: name, prefix, namespace, and the value's first and last byte.
                let item = attributes + index * 5
                guard let begin = item[3], let end = item[4] else { continue }
                var value = String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
                // Without substitution, libxml2 returns each ampersand as a reference.
                if value.has(UInt8(ascii: "&")) { value = value.replacing("&#38;", with: "&") }
                list.append(MarkupAttribute(name: self.name(item[0], item[1], item[2]), value: value))
            }
        }
        handler.startElement(name, list)
    }

    func end() {
        events += 1
        if let name = open.popLast() { handler.endElement(name) }
    }

    func characters(_ text: UnsafePointer<xmlChar>?, _ count: Int) {
        events += 1
        guard let text, count > 0 else { return }
        handler.text(UnsafeBufferPointer(start: text, count: count))
    }

    /// Closes the elements that an early end left open.
    func closeOpenElements() {
        if !open.isEmpty { handler.documentIsCutOff() }
        while let name = open.popLast() { handler.endElement(name) }
    }

    /// The entities that the document declares: short texts without markup and other entities, so that nothing can
    /// expand exponentially. Their use is limited too.
    private var declared: [String: String] = [:]
    private var uses = 0
    private static let longestDeclared = 256
    private static let maximumDeclared = 64
    private static let maximumUses = 10_000

    func declare(_ name: UnsafePointer<xmlChar>?, _ type: Int, _ content: UnsafePointer<xmlChar>?) {
        guard let name, let content, type == Int(XML_INTERNAL_GENERAL_ENTITY.rawValue),
            declared.count < XMLSession.maximumDeclared
        else { return }
        let text = String(cString: content)
        guard text.utf8.count <= XMLSession.longestDeclared, !text.contains("&"), !text.contains("<") else { return }
        let key = String(cString: name)
        if declared[key] == nil { declared[key] = text }
    }

    /// Returns XML's five entities, HTML's, or a plain declared one. Others are unknown.
    func entity(_ name: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
        guard let name else { return nil }
        if let predefined = xmlGetPredefinedEntity(name) { return predefined }
        let key = String(cString: name)
        if declared[key] != nil {
            uses += 1
            guard uses <= XMLSession.maximumUses else { return nil }
        }
        if let known = entities[key] { return known }
        if let text = declared[key] { return make(key, text) }
        guard let description = htmlEntityLookup(name), let scalar = Unicode.Scalar(description.pointee.value) else {
            return nil
        }
        return make(key, String(Character(scalar)))
    }

    private func make(_ key: String, _ text: String) -> xmlEntityPtr {
        let entity = UnsafeMutablePointer<xmlEntity>.allocate(capacity: 1)
        entity.initialize(to: xmlEntity())
        entity.pointee.etype = XML_INTERNAL_PREDEFINED_ENTITY
        entity.pointee.type = XML_ENTITY_DECL
        entity.pointee.name = UnsafePointer(xmlStrdup(key))
        entity.pointee.content = xmlStrdup(text)
        entity.pointee.length = Int32(text.utf8.count)
        entities[key] = entity
        return UnsafeMutablePointer(entity)
    }
}
