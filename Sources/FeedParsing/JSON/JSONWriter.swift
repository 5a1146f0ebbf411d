/// Writes values as JSON, with their keys in the order in which the value encodes them.
///
/// The text comes in pieces while the value is encoded, so that a long list needs no more memory than its elements.
package final class JSONWriter {
    /// A list or an object that isn't closed yet.
    private struct Level {
        var isObject: Bool
        var count = 0
    }

    private static let piece = 1 << 16

    private let output: ([UInt8]) -> Void
    fileprivate var text = JSONText()
    private var open: [Level] = []

    private init(output: @escaping ([UInt8]) -> Void) { self.output = output }

    /// Writes a value, indented by two spaces, and a line end.
    ///
    /// - Parameter output: Receives the text piece by piece.
    /// - Throws: `EncodingError` for a number that isn't finite, and errors of the value.
    package static func write(_ value: some Encodable, to output: @escaping ([UInt8]) -> Void) throws {
        let writer = JSONWriter(output: output)
        try writer.encode(value)
        writer.text.append("\n")
        output(writer.text.take())
    }

    /// Returns a value as ``write(_:to:)`` writes it.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try write(value) { bytes += $0 }
        return bytes
    }
}

extension JSONWriter {
    fileprivate func encode(_ value: some Encodable) throws {
        let encoder = ValueEncoder(writer: self, outside: open.count)
        try value.encode(to: encoder)
        close(to: encoder.outside)
    }

    /// Opens a list or an object, and returns its depth.
    fileprivate func begin(object isObject: Bool) -> Int {
        text.append(isObject ? "{" : "[")
        open.append(Level(isObject: isObject))
        return open.count
    }

    private func close(to depth: Int) {
        while open.count > depth {
            let level = open.removeLast()
            if level.count > 0 { text.startLine(level: open.count) }
            text.append(level.isObject ? "}" : "]")
        }
    }

    /// Starts an element of the list or object at a depth.
    fileprivate func startElement(at depth: Int, key: String? = nil) {
        close(to: depth)
        if open[depth - 1].count > 0 { text.append(",") }
        open[depth - 1].count += 1
        if text.bytes.count >= JSONWriter.piece { output(text.take()) }
        text.startLine(level: depth)
        guard let key else { return }
        text.append(quoted: key)
        text.append(": ")
    }

    fileprivate func isOpen(at depth: Int) -> Bool { open.count >= depth }
    fileprivate func count(at depth: Int) -> Int { isOpen(at: depth) ? open[depth - 1].count : 0 }

    /// Writes the element that was started.
    fileprivate var element: any Encoder { ValueEncoder(writer: self, outside: open.count) }

    fileprivate func write(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "The number is not finite."))
        }
        text.append(value)
    }
}

private struct ValueEncoder: Encoder {
    let writer: JSONWriter
    /// The number of open lists and objects around the value.
    let outside: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Opens the list or object that is the value. A value that asks again continues the first.
    private func begin(object isObject: Bool) -> Int {
        writer.isOpen(at: outside + 1) ? outside + 1 : writer.begin(object: isObject)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(writer: writer, depth: begin(object: true)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        Elements(writer: writer, depth: begin(object: false))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: writer) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func start(_ key: Key) { writer.startElement(at: depth, key: key.stringValue) }

    func encodeNil(forKey key: Key) {
        start(key)
        writer.text.append("null")
    }
    func encode(_ value: String, forKey key: Key) {
        start(key)
        writer.text.append(quoted: value)
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        start(key)
        try writer.encode(value)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        start(key)
        return KeyedEncodingContainer(Members<Nested>(writer: writer, depth: writer.begin(object: true)))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        start(key)
        return Elements(writer: writer, depth: writer.begin(object: false))
    }
    func superEncoder() -> any Encoder {
        writer.startElement(at: depth, key: "super")
        return writer.element
    }
    func superEncoder(forKey key: Key) -> any Encoder {
        start(key)
        return writer.element
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.count(at: depth) }

    func encodeNil() {
        writer.startElement(at: depth)
        writer.text.append("null")
    }
    func encode<Value: Encodable>(_ value: Value) throws {
        writer.startElement(at: depth)
        try writer.encode(value)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        writer.startElement(at: depth)
        return KeyedEncodingContainer(Members<Nested>(writer: writer, depth: writer.begin(object: true)))
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.startElement(at: depth)
        return Elements(writer: writer, depth: writer.begin(object: false))
    }
    func superEncoder() -> any Encoder {
        writer.startElement(at: depth)
        return writer.element
    }
}

/// Writes a value that is neither a list nor an object.
private struct Single: SingleValueEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { writer.text.append("null") }
    func encode(_ value: Bool) { writer.text.append(value ? "true" : "false") }
    func encode(_ value: String) { writer.text.append(quoted: value) }
    func encode(_ value: Double) throws { try writer.write(value) }
    func encode(_ value: Float) throws { try writer.write(Double(value)) }
    func encode<Value: BinaryInteger & Encodable>(_ value: Value) { writer.text.append(literal: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try writer.encode(value) }
}
