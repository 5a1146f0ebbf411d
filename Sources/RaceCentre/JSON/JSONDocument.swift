/// A parsed JSON document (RFC 8259): its bytes, and a token for each value in document order.
///
/// A response of a race centre has up to 500 kB, most of which nobody reads. So parsing only finds where values begin
/// and end, in one array, and ``JSONNode`` converts a value when it is read.
package final class JSONDocument: Sendable {
    /// Why a text is no JSON document.
    enum Failure: Error, Hashable, Sendable {
        /// The text ends in the middle, or contains something else.
        case invalid
        /// The text, its nesting or its number of values exceeds a limit.
        case tooLarge
    }

    enum Kind: UInt8, Sendable { case object, array, string, escapedString, number, yes, no, null }

    /// A value. In objects each key is a string token, followed by its value.
    struct Token: Sendable {
        var kind: Kind
        /// The bytes of the value, for strings without the quotation marks.
        var start: Int32
        var end: Int32
        /// The index of the token after this value and everything in it.
        var next: Int32
    }

    /// The maximum size of a document in bytes.
    package static let maximumBytes = 8 << 20
    /// The maximum number of values, and of arrays and objects around a value.
    static let (maximumTokens, deepest) = (1_000_000, 64)

    let bytes: [UInt8]
    let tokens: [Token]

    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= JSONDocument.maximumBytes else { throw .tooLarge }
        self.bytes = bytes
        tokens = try JSONTokenizer.tokens(of: bytes)
    }

    /// The outermost value.
    var root: JSONNode { JSONNode(document: self, index: 0) }
}

/// Finds the values of a JSON document.
struct JSONTokenizer {
    private typealias Failure = JSONDocument.Failure

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var tokens: [JSONDocument.Token] = []

    static func tokens(of bytes: [UInt8]) throws(JSONDocument.Failure) -> [JSONDocument.Token] {
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<[JSONDocument.Token], JSONDocument.Failure> in
            var tokenizer = JSONTokenizer(buffer)
            do throws(JSONDocument.Failure) {
                try tokenizer.document()
                return .success(tokenizer.tokens)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokens.reserveCapacity(bytes.count / 12)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func document() throws(JSONDocument.Failure) {
        try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw .invalid }
    }

    /// The next byte, or 0 at the end. No valid token begins with 0.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    /// Appends a token whose end and successor are set later.
    private mutating func open(_ kind: JSONDocument.Kind) throws(JSONDocument.Failure) -> Int {
        guard tokens.count < JSONDocument.maximumTokens else { throw .tooLarge }
        tokens.append(.init(kind: kind, start: Int32(clamping: index), end: 0, next: 0))
        return tokens.count - 1
    }

    private mutating func close(_ token: Int, end: Int) {
        tokens[token].end = Int32(clamping: end)
        tokens[token].next = Int32(clamping: tokens.count)
    }

    private mutating func value(depth: Int) throws(JSONDocument.Failure) {
        guard depth < JSONDocument.deepest else { throw .tooLarge }
        skipBlanks()
        switch byte {
        case UInt8(ascii: "{"): try container(.object, until: UInt8(ascii: "}"), depth)
        case UInt8(ascii: "["): try container(.array, until: UInt8(ascii: "]"), depth)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true", .yes)
        case UInt8(ascii: "f"): try word("false", .no)
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    private mutating func container(
        _ kind: JSONDocument.Kind, until bracket: UInt8, _ depth: Int
    ) throws(JSONDocument.Failure) {
        let token = try open(kind)
        index += 1
        skipBlanks()
        if byte == bracket {
            index += 1
            return close(token, end: index)
        }
        while true {
            if kind == .object { try key() }
            try value(depth: depth + 1)
            if try isLast(bracket) { return close(token, end: index) }
        }
    }

    private mutating func key() throws(JSONDocument.Failure) {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw .invalid }
        try string()
        skipBlanks()
        guard byte == UInt8(ascii: ":") else { throw .invalid }
        index += 1
    }

    /// Reads a comma, or the bracket that ends the list.
    private mutating func isLast(_ bracket: UInt8) throws(JSONDocument.Failure) -> Bool {
        skipBlanks()
        let found = byte
        guard found == bracket || found == UInt8(ascii: ",") else { throw .invalid }
        index += 1
        return found == bracket
    }

    private mutating func string() throws(JSONDocument.Failure) {
        index += 1
        let token = try open(.string)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                close(token, end: index)
                index += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                tokens[token].kind = .escapedString
                index += 1
            }
            index += 1
        }
        throw .invalid
    }

    private mutating func word(_ word: StaticString, _ kind: JSONDocument.Kind) throws(JSONDocument.Failure) {
        let token = try open(kind)
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count else { throw .invalid }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { throw .invalid }
        index += length
        close(token, end: index)
    }

    private mutating func number() throws(JSONDocument.Failure) {
        let token = try open(.number)
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                index += 1
                continue
            default: break
            }
            break
        }
        guard index > start else { throw .invalid }
        close(token, end: index)
    }
}
