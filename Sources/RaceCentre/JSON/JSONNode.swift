import Platform

/// A value in a ``JSONDocument``, read leniently: a number may be written as a text, with a decimal comma, and a value of
/// an unexpected type is `nil`.
struct JSONNode: Sendable {
    let document: JSONDocument
    let index: Int

    private var token: JSONDocument.Token { document.tokens[index] }

    var isObject: Bool { token.kind == .object }

    var isArray: Bool { token.kind == .array }

    var isNull: Bool { token.kind == .null }

    /// The items of an array; empty for other values.
    var items: JSONItems { JSONItems(list: self, isWanted: token.kind == .array) }

    func forEachMember(_ body: (JSONKey, JSONNode) -> Void) {
        guard token.kind == .object else { return }
        let end = Int(token.next)
        var position = index + 1
        while position + 1 < end {
            let value = JSONNode(document: document, index: position + 1)
            body(JSONKey(document: document, index: position), value)
            position = Int(document.tokens[position + 1].next)
        }
    }

    /// Returns the first value of a key that is not null, or `nil` if this is no object.
    subscript(_ key: StaticString) -> JSONNode? {
        guard token.kind == .object else { return nil }
        let end = Int(token.next)
        var position = index + 1
        while position + 1 < end {
            if JSONKey(document: document, index: position) == key {
                let value = JSONNode(document: document, index: position + 1)
                return value.isNull ? nil : value
            }
            position = Int(document.tokens[position + 1].next)
        }
        return nil
    }

    // MARK: Values

    /// The text, or `nil` for other values and empty texts.
    var text: String? { text(upTo: 1000) }

    /// Returns the trimmed text, or `nil` for other values and empty texts.
    ///
    /// - Parameter limit: The maximum length in bytes. A longer text is cut.
    func text(upTo limit: Int) -> String? {
        let token = token
        guard token.kind == .string || token.kind == .escapedString else { return nil }
        // An escape sequence has at most six bytes for one.
        let end = Swift.min(Int(token.end), Int(token.start) + limit * 6)
        let bytes = document.bytes[Int(token.start)..<end]
        let text = token.kind == .string ? String(decoding: bytes, as: UTF8.self) : JSONEscapes.unescaped(bytes)
        let clean = PlainText.trimmed(text, upTo: limit)
        return clean.isEmpty ? nil : clean
    }

    /// The number, also of a text such as "5.4" or "5,1", or `nil`.
    var number: Double? {
        let token = token
        switch token.kind {
        case .number, .string: return DecimalNumber.value(document.bytes[Int(token.start)..<Int(token.end)])
        default: return nil
        }
    }

    /// The number as a whole one, rounded, or `nil` if it isn't between plus and minus 10^15.
    var whole: Int? {
        let token = token
        if token.kind == .number, let whole = DecimalNumber.whole(document.bytes[Int(token.start)..<Int(token.end)]) {
            return whole
        }
        guard let number, number.isBetween(-1e15, 1e15) else { return nil }
        return Int(clamping: number.rounded())
    }

    var bool: Bool? {
        switch token.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// Whether this is exactly such a text.
    func equals(_ bytes: [UInt8]) -> Bool {
        token.kind == .string && document.bytes[Int(token.start)..<Int(token.end)].elementsEqual(bytes)
    }
}

/// A key of an object, compared without creating a text.
struct JSONKey {
    private let document: JSONDocument
    private let token: JSONDocument.Token

    init(document: JSONDocument, index: Int) {
        self.document = document
        token = document.tokens[index]
    }

    static func == (key: JSONKey, text: StaticString) -> Bool {
        let (start, count) = (Int(key.token.start), text.utf8CodeUnitCount)
        // Most keys differ in length or in the last letter.
        guard Int(key.token.end) - start == count, count > 0 else { return false }
        var offset = count - 1
        while offset >= 0 {
            guard key.document.bytes[start + offset] == text.utf8Start[offset] else { return false }
            offset -= 1
        }
        return true
    }

    /// The key as a text of at most 200 bytes.
    var text: String {
        let bytes = document.bytes[Int(token.start)..<Int(token.end)].prefix(200)
        return token.kind == .escapedString ? JSONEscapes.unescaped(bytes) : String(decoding: bytes, as: UTF8.self)
    }
}

/// The items of an array.
struct JSONItems: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private var position: Int
    private let end: Int

    init(list: JSONNode, isWanted: Bool) {
        document = list.document
        position = list.index + 1
        end = isWanted ? Int(list.document.tokens[list.index].next) : 0
    }

    /// Returns the items of an array, or none for other values and missing ones.
    static func of(_ node: JSONNode?) -> [JSONNode] { node.map { Array($0.items) } ?? [] }

    mutating func next() -> JSONNode? {
        guard position < end else { return nil }
        let node = JSONNode(document: document, index: position)
        position = Int(document.tokens[position].next)
        return node
    }
}
