/// Writes a JSON document as bytes, a value after the other.
///
/// A race has up to 25,000 placings, so nothing is created for a value except its bytes.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether the next value of the current list needs a comma before it.
    private var needsComma = false

    init() { bytes.reserveCapacity(1 << 16) }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func bracket(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func key(_ key: String) {
        separate()
        append(key)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Members and items

    /// Writes an object as an item, or as the whole document.
    mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bracket("{", "}", body)
    }

    /// Writes a member that is an object.
    mutating func object(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        bracket("{", "}", body)
    }

    /// Writes a member that is an array, with an item for each element. Empty arrays are left out.
    mutating func array<Element>(
        _ key: String, _ elements: some Collection<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.key(key)
        bracket("[", "]") { writer in
            for element in elements { body(&writer, element) }
        }
    }

    mutating func member(_ key: String, _ text: String?) {
        guard let text else { return }
        self.key(key)
        append(text)
    }

    mutating func member(_ key: String, _ number: Int?) {
        guard let number else { return }
        self.key(key)
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes a number with at most three decimals. Infinite ones are left out.
    mutating func member(_ key: String, _ number: Double?) {
        guard let number, number.isFinite else { return }
        self.key(key)
        append(number)
    }

    mutating func member(_ key: String, _ flag: Bool) {
        self.key(key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Writes a member whose value is JSON already.
    mutating func member(_ key: String, raw: ArraySlice<UInt8>) {
        self.key(key)
        bytes.append(contentsOf: raw)
    }

    mutating func item(_ text: String) {
        separate()
        append(text)
    }

    mutating func item(_ number: Double) {
        separate()
        append(number)
    }

    /// Writes an item that is an array of numbers.
    mutating func item(_ numbers: [Double]) {
        separate()
        bracket("[", "]") { writer in
            for number in numbers { writer.item(number) }
        }
    }

    // MARK: Values

    private mutating func append(_ number: Double) {
        let rounded = (number * 1_000_000).rounded() / 1_000_000
        let text =
            rounded == rounded.rounded() && rounded.isBetween(-1e15, 1e15)
            ? String(Int(clamping: rounded)) : "\(rounded)"
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { bytes.append(contentsOf: text.utf8) } else { appendEscaped(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
    }
}
