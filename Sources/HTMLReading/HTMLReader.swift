import CLibXML2
import Platform

/// What takes a page's elements and text as they come, balanced: each start has an end.
package protocol HTMLHandler: AnyObject {
    /// An element begins.
    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes)
    /// An element ends.
    func endElement(_ tag: HTMLTag)
    /// Text, as UTF-8; one text may come in several parts.
    func characters(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Whether the rest of the page is of use.
    var wantsMore: Bool { get }
}

/// An element's name and attributes, for the time of a call.
package struct HTMLAttributes {
    fileprivate let name: UnsafePointer<xmlChar>
    fileprivate let pairs: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    /// The element's own name, in lower case.
    package var elementName: String { String(cString: name) }

    /// Whether there is none.
    package var isEmpty: Bool { pairs == nil }

    /// The value of an attribute, by its name in lower case; empty for one without a value.
    package subscript(name: StaticString) -> String? {
        guard let pairs else { return nil }
        var index = 0
        while let own = pairs[index] {
            if strcmp(own, name) == 0 { return pairs[index + 1].map { String(cString: $0) } ?? "" }
            index += 2
        }
        return nil
    }

    /// All, in their order.
    package var all: [(name: String, value: String)] {
        guard let pairs else { return [] }
        var result: [(name: String, value: String)] = []
        var index = 0
        while let own = pairs[index] {
            result.append((String(cString: own), pairs[index + 1].map { String(cString: $0) } ?? ""))
            index += 2
        }
        return result
    }

    private func strcmp(_ own: UnsafePointer<xmlChar>, _ name: StaticString) -> Int32 {
        own.withMemoryRebound(to: CChar.self, capacity: 1) { own in
            name.withUTF8Buffer { name in
                name.withMemoryRebound(to: CChar.self) { Platform.strcmp(own, $0.baseAddress ?? own) }
            }
        }
    }
}

/// Reads a page or a fragment with libxml2's HTML parser: forgiving, without network, in one pass and without a tree.
package enum HTMLReader {
    /// Bytes of a page that are read.
    package static let maximumBytes = 16 << 20

    /// Why the rest of a page was left out.
    package enum Cut: Sendable {
        case size, attributes, depth, markup
    }

    /// Reads.
    ///
    /// - Parameters:
    ///   - html: The page; what comes after ``maximumBytes`` is left out.
    ///   - element: What is put before it: without an element around it, text before the first tag would lose its place.
    package static func read(_ html: String, in element: StaticString = "", to handler: any HTMLHandler) -> Cut? {
        var html = html
        return html.withUTF8 { read($0, in: element, to: handler) }
    }

    /// Libxml2 makes its tables at the first use: two threads that are the first at the same time wait for each other for ever.
    private static let isReady: Void = xmlInitParser()

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, in element: StaticString, to handler: any HTMLHandler
    ) -> Cut? {
        isReady
        guard let context = htmlNewParserCtxt() else { return nil }
        defer { htmlFreeParserCtxt(context) }
        let reading = HTMLReading(bytes, element, handler)
        var sax = htmlSAXHandler()
        sax.startElement = { context, name, attributes in
            guard let name else { return }
            HTMLReading.of(context).start(name, attributes)
        }
        sax.endElement = { context, name in
            guard let name else { return }
            HTMLReading.of(context).end(name)
        }
        sax.characters = { context, characters, count in HTMLReading.of(context).text(characters, count) }
        sax.ignorableWhitespace = { context, characters, count in HTMLReading.of(context).text(characters, count) }
        sax.cdataBlock = { context, characters, count in HTMLReading.of(context).text(characters, count) }
        // The parser frees its own; it works on a copy of these.
        context.pointee.sax.pointee = sax
        context.pointee._private = Unmanaged.passUnretained(reading).toOpaque()
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
        let document = htmlCtxtReadIO(
            context,
            { source, buffer, count in
                guard let source, let buffer else { return -1 }
                return Unmanaged<HTMLReading>.fromOpaque(source).takeUnretainedValue().next(buffer, count)
            },
            nil, Unmanaged.passUnretained(reading).toOpaque(), nil, "UTF-8", Int32(bitPattern: options))
        if let document { xmlFreeDoc(document) }
        reading.finish()
        return withExtendedLifetime(reading) { reading.cut }
    }
}

/// One reading: hands bytes to the parser as far as they can be read in a bounded time, and its events to a handler.
private final class HTMLReading {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let handler: any HTMLHandler
    private var opening: UnsafeBufferPointer<UInt8>
    private var place = 0
    private let limit: Int
    private(set) var cut: HTMLReader.Cut?
    /// Elements that are open.
    private var open: [HTMLTag] = []
    /// The tags by the places of their names, which the parser keeps one of each.
    private var tags: [UnsafePointer<xmlChar>: HTMLTag] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ element: StaticString, _ handler: any HTMLHandler) {
        self.bytes = bytes
        self.handler = handler
        opening = UnsafeBufferPointer(start: element.utf8Start, count: element.utf8CodeUnitCount)
        limit = min(bytes.count, HTMLReader.maximumBytes)
        if limit < bytes.count { cut = .size }
    }

    /// The reading that a callback is about.
    static func of(_ context: UnsafeMutableRawPointer?) -> HTMLReading {
        guard let context else { preconditionFailure("libxml2 calls with its context") }
        let parser = context.assumingMemoryBound(to: htmlParserCtxt.self)
        return Unmanaged<HTMLReading>.fromOpaque(parser.pointee._private).takeUnretainedValue()
    }

    // MARK: Events

    private func tag(_ name: UnsafePointer<xmlChar>) -> HTMLTag {
        if let known = tags[name] { return known }
        let tag = HTMLTag(rawValue: String(cString: name)) ?? .other
        tags[name] = tag
        return tag
    }

    /// Text that came in small parts, as it does where there are entities.
    private var parts: [UInt8] = []
    private static let smallPart = 256
    private static let longestParts = 4_096

    private func handOverParts() {
        guard !parts.isEmpty else { return }
        let whole = parts
        parts.removeAll(keepingCapacity: true)
        whole.withUnsafeBufferPointer { handler.characters($0) }
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        handOverParts()
        let tag = tag(name)
        open.append(tag)
        handler.startElement(tag, HTMLAttributes(name: name, pairs: attributes))
    }

    func end(_ name: UnsafePointer<xmlChar>) {
        handOverParts()
        let tag = tag(name)
        // What was never opened has no end.
        guard let place = open.lastIndex(of: tag) else { return }
        while open.count > place { handler.endElement(open.removeLast()) }
    }

    func text(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
        let text = UnsafeBufferPointer(start: characters, count: Int(count))
        if parts.isEmpty, text.count >= HTMLReading.smallPart { return handler.characters(text) }
        parts += text
        if parts.count >= HTMLReading.longestParts { handOverParts() }
    }

    /// Ends what is open.
    func finish() {
        handOverParts()
        while let tag = open.popLast() { handler.endElement(tag) }
    }

    // MARK: Bytes

    /// Gives the parser its next bytes: whole characters, without NUL, at which it would end.
    func next(_ buffer: UnsafeMutablePointer<CChar>, _ count: Int32) -> Int32 {
        buffer.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { buffer in
            if !opening.isEmpty {
                let part = min(opening.count, Int(count))
                for index in 0..<part { buffer[index] = opening[index] }
                opening = UnsafeBufferPointer(rebasing: opening[part...])
                return Int32(part)
            }
            while true {
                guard handler.wantsMore else { return 0 }
                if open.count > HTMLReading.mostDepth {
                    cut = .depth
                    return 0
                }
                var end = min(limit, place + Int(count))
                while end > place, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
                end = scan.readable(bytes, place..<end, limit: limit, depth: open.count)
                if let reason = scan.cut { cut = reason }
                guard end > place else { return 0 }
                let part = UnsafeBufferPointer(rebasing: bytes[place..<end])
                place = end
                if !part.contains(0), let start = part.baseAddress {
                    memcpy(buffer, start, part.count)
                    return Int32(part.count)
                }
                var written = 0
                for byte in part where byte != 0 {
                    buffer[written] = byte
                    written += 1
                }
                if written > 0 { return Int32(written) }
            }
        }
    }

    private var scan = CostScan()
    /// Elements that may be open.
    private static let mostDepth = 20_000
}

/// What reading a page costs libxml2 beside its length: an event for each tag and a message for each `&` that names nothing; it compares each attribute of a tag with all others of it, and looks
/// through all open elements for an end tag's. Where a page makes that long, it ends.
private struct CostScan {
    private(set) var cut: HTMLReader.Cut?
    private var tagStart: Int?
    private var words = 0
    private var isInWord = true
    private var attributeCost = 0
    private var depthCost = 0
    private var signs = 0

    /// How far bytes can be read.
    ///
    /// - Parameter depth: The elements that are open now: those of this part are at most some hundreds more.
    mutating func readable(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, limit: Int, depth: Int
    ) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
                signs += 1
                if signs > CostScan.mostSigns {
                    cut = .markup
                    return index
                }
            }
            if let start = tagStart {
                switch byte {
                case UInt8(ascii: ">"):
                    if words > CostScan.manyWords { attributeCost += words * words }
                    tagStart = nil
                case UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x09...0x0D:
                    isInWord = false
                default:
                    if !isInWord {
                        words += 1
                        if words > CostScan.manyWords, attributeCost + words * words > CostScan.maximumCost {
                            cut = .attributes
                            return max(range.lowerBound, start)
                        }
                    }
                    isInWord = true
                }
            } else if byte == UInt8(ascii: "<"), index + 1 < limit {
                let next = bytes[index + 1]
                if next | 0x20 >= 0x61, next | 0x20 <= 0x7A {
                    tagStart = index
                    words = 0
                    isInWord = true
                }
                if depth > CostScan.usualDepth {
                    depthCost += depth
                    if depthCost > CostScan.maximumDepthCost {
                        cut = .depth
                        return index
                    }
                }
            }
            index += 1
        }
        return range.upperBound
    }

    /// Words in a tag, of its values too, that need not be thought of.
    private static let manyWords = 200
    /// Comparisons of attributes that are made at most.
    private static let maximumCost = 200_000_000
    /// Tags and entities of a page: one of 16 MiB would have one in seven bytes.
    private static let mostSigns = 2_200_000
    /// Open elements that need not be thought of, and comparisons with more that are made at most.
    private static let usualDepth = 500
    private static let maximumDepthCost = 60_000_000
}
