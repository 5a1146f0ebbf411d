import CLibXML2
import FeedParsing
import Platform

/// Receives a page's elements and text in order. Each start has an end.
package protocol HTMLHandler: AnyObject {
    /// An element begins.
    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes)
    /// An element ends.
    func endElement(_ tag: HTMLTag)
    /// Text in UTF-8, possibly in several parts.
    func characters(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Whether the handler needs the rest of the page.
    var wantsMore: Bool { get }
}

/// The name and attributes of an element, valid during a call.
package struct HTMLAttributes {
    fileprivate let name: UnsafePointer<xmlChar>
    fileprivate let pairs: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    /// The element's name in lower case.
    package var elementName: String { String(cString: name) }

    /// Whether there are no attributes.
    package var isEmpty: Bool { pairs == nil }

    /// The value of an attribute by lower-case name, or an empty text for one without a value.
    package subscript(name: StaticString) -> String? {
        guard let pairs else { return nil }
        var index = 0
        while let own = pairs[index] {
            if xmlStrEqual(own, name.utf8Start) == 1 { return pairs[index + 1].map { String(cString: $0) } ?? "" }
            index += 2
        }
        return nil
    }

    /// All attributes in order.
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
}

/// Parses a page or fragment with libxml2's HTML parser: forgiving, without network, in one pass and without a tree.
package enum HTMLReader {
    /// The maximum size of a page in bytes.
    package static let maximumBytes = 16 << 20

    /// The reason why the rest of a page was dropped.
    package enum Cut: Sendable {
        case size, attributes, depth, markup
    }

    /// Parses a page.
    ///
    /// - Parameters:
    ///   - html: The page, which is cut after ``maximumBytes``.
    ///   - element: An element to open first. Without one, text before the first tag would be misplaced.
    package static func read(_ html: String, in element: StaticString = "", to handler: any HTMLHandler) -> Cut? {
        var html = html
        return html.withUTF8 { read($0, in: element, to: handler) }
    }

    /// Initialises libxml2 once. If two threads use it first at the same time, they deadlock.
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
        sax.serror = { context, error in HTMLReading.of(context).handle(error) }
        // Without this number, the parser doesn't call `serror`.
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        // The parser frees its own structure and works on a copy of this one.
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

/// The state of a parse: passes bytes to the parser while their cost is bounded, and events to a handler.
private final class HTMLReading {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let handler: any HTMLHandler
    private var opening: UnsafeBufferPointer<UInt8>
    private var place = 0
    private let limit: Int
    private(set) var cut: HTMLReader.Cut?
    private var open: [HTMLTag] = []
    /// The tags by the addresses of their names, of which the parser stores each once.
    private var tags: [UnsafePointer<xmlChar>: HTMLTag] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ element: StaticString, _ handler: any HTMLHandler) {
        self.bytes = bytes
        self.handler = handler
        opening = UnsafeBufferPointer(start: element.utf8Start, count: element.utf8CodeUnitCount)
        limit = min(bytes.count, HTMLReader.maximumBytes)
        if limit < bytes.count { cut = .size }
    }

    /// Returns the parse that a callback belongs to.
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

    /// The collected text of several parts, which occur around entities.
    private var parts: [UInt8] = []
    private static let smallPart = 256
    private static let longestParts = 4_096

    private func deliverParts() {
        guard !parts.isEmpty else { return }
        let whole = parts
        parts.removeAll(keepingCapacity: true)
        whole.withUnsafeBufferPointer { deliver($0) }
    }

    private func deliver(_ text: UnsafeBufferPointer<UInt8>) {
        guard let repaired = Windows1252.repaired(text) else { return handler.characters(text) }
        repaired.withUnsafeBufferPointer { handler.characters($0) }
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        deliverParts()
        let tag = tag(name)
        open.append(tag)
        handler.startElement(tag, HTMLAttributes(name: name, pairs: attributes))
    }

    func end(_ name: UnsafePointer<xmlChar>) {
        deliverParts()
        // An end tag without a start tag is ignored.
        if let place = open.lastIndex(of: tag(name)) { close(from: place) }
    }

    /// Closes an element whose end tag the parser ignores because an element in it is open.
    ///
    /// The parser doesn't know newer elements such as `header`: a `div` without an end would keep them open until the
    /// end of the page.
    func handle(_ error: UnsafePointer<xmlError>?) {
        guard let error, error.pointee.code == Int32(bitPattern: XML_ERR_TAG_NAME_MISMATCH.rawValue),
            let tag = error.pointee.str1.flatMap({ HTMLTag(rawValue: String(cString: $0)) }), tag.closesOpenElements,
            let place = open.lastIndex(of: tag), !open[place...].contains(where: \.isScope)
        else { return }
        deliverParts()
        close(from: place)
    }

    private func close(from place: Int) {
        while open.count > place { handler.endElement(open.removeLast()) }
    }

    func text(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
        let text = UnsafeBufferPointer(start: characters, count: Int(count))
        if parts.isEmpty, text.count >= HTMLReading.smallPart { return deliver(text) }
        parts += text
        if parts.count >= HTMLReading.longestParts { deliverParts() }
    }

    func finish() {
        deliverParts()
        while let tag = open.popLast() { handler.endElement(tag) }
    }

    // MARK: Bytes

    /// Supplies the parser's next bytes: whole characters without NUL, at which it would stop.
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
                if open.count > HTMLReading.maximumDepth {
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
    private static let maximumDepth = 20_000
}

/// The cost of a page for libxml2 beyond its length.
///
/// There is an event for each tag and a message for each unknown reference. Each attribute is compared with all others
/// of its tag, and an end tag with all open elements. If this becomes expensive, the page is cut.
private struct CostScan {
    private(set) var cut: HTMLReader.Cut?
    private var tagStart: Int?
    private var words = 0
    private var isInWord = true
    private var attributeCost = 0
    private var depthCost = 0
    private var signs = 0

    /// Returns how many bytes can be parsed.
    ///
    /// - Parameter depth: The number of open elements, to which this part adds at most some hundreds.
    mutating func readable(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, limit: Int, depth: Int
    ) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
                signs += 1
                if signs > CostScan.maximumSigns {
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

    /// The number of words in a tag, including values, below which its cost is ignored.
    private static let manyWords = 200
    /// The maximum number of attribute comparisons.
    private static let maximumCost = 200_000_000
    /// The maximum number of tags and references in a page. At 16 MiB this is one in seven bytes.
    private static let maximumSigns = 2_200_000
    /// The depth below which its cost is ignored, and the maximum number of comparisons with more elements.
    private static let usualDepth = 500
    private static let maximumDepthCost = 60_000_000
}
