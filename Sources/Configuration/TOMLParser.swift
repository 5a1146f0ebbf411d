/// A parser for TOML 1.1.0 (https://toml.io/en/v1.1.0) that records the line of every value.
///
/// The available library for Swift traps on some errors, leaks what it has read, and doesn't report lines of values.
/// Dates are validated and kept as written.
struct TOMLParser {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// The maximum depth of a value, counting arrays, tables and dotted keys, since other code recurses into them.
    private static let maximumLevels = 64

    /// The top-level tables that a header may continue after dotted keys, which TOML forbids.
    private let continued: Set<String>

    private init(_ bytes: [UInt8], _ continued: Set<String>) {
        self.bytes = bytes
        self.continued = continued
    }

    /// Parses a document.
    ///
    /// - Throws: ``TOMLProblem`` for the first error.
    static func parse(_ text: String) throws(TOMLProblem) -> TOMLTable { try parse(Array(text.utf8)) }

    /// Parses the bytes of a file.
    ///
    /// - Parameter continued: The top-level tables that a header may continue after dotted keys.
    /// - Throws: ``TOMLProblem`` for the first error. Invalid UTF-8 is reported before other errors.
    static func parse(_ bytes: [UInt8], continuing continued: Set<String> = []) throws(TOMLProblem) -> TOMLTable {
        if let line = lineWithoutUTF8(bytes) {
            throw TOMLProblem(line: line, message: "invalid UTF-8; save the file as UTF-8")
        }
        var parser = TOMLParser(bytes, continued)
        return try parser.document()
    }

    /// Returns the first line with invalid UTF-8. No multi-byte character contains a line feed, so each line can be
    /// checked by itself.
    private static func lineWithoutUTF8(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    // MARK: Bytes

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isAt(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { buffer in bytes[index...].prefix(buffer.count).elementsEqual(buffer) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private func problem(_ message: String) -> TOMLProblem { TOMLProblem(line: line, message: message) }

    private mutating func skipBlanks() { while isAt(" ") || isAt("\t") { index += 1 } }

    private mutating func takeLineEnd() -> Bool {
        guard take("\n") || take("\r\n") else { return false }
        line += 1
        return true
    }

    private mutating func skipComment() throws(TOMLProblem) {
        guard isAt("#") else { return }
        while let byte, byte != 0x0A, !isAt("\r\n") {
            if TOMLParser.isControl(byte) { throw problem("control character in a comment") }
            index += 1
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// Skips white space, comments and line ends.
    private mutating func skipLines() throws(TOMLProblem) {
        repeat {
            skipBlanks()
            try skipComment()
        } while takeLineEnd()
    }

    // MARK: Document

    private mutating func document() throws(TOMLProblem) -> TOMLTable {
        if isAt("\u{FEFF}") { index += 3 }
        var root = TOMLTable(.header)
        var path: [String] = []
        try skipLines()
        while byte != nil {
            if isAt("[") {
                path = try header(&root)
            } else {
                let (keys, value) = try keyAndValue(level: path.count)
                try TOMLParser.set(value, keys[...], below: path[...], in: &root)
            }
            skipBlanks()
            try skipComment()
            guard byte == nil || takeLineEnd() else { throw problem("expected the end of the line") }
            try skipLines()
        }
        return root
    }

    /// Parses a header and creates its table. Returns the names that lead to it.
    private mutating func header(_ root: inout TOMLTable) throws(TOMLProblem) -> [String] {
        let isList = take("[[")
        if !isList { _ = take("[") }
        let names = try dottedKey(level: 0)
        guard isList ? take("]]") : take("]") else { throw problem("a table's name ends with \(isList ? "]]" : "]")") }
        if !isList, names.count == 1, continued.contains(names[0]), root[names[0]]?.table?.origin == .dottedKey {
            try root.update(names[0]) { (value) throws(TOMLProblem) in
                try value.updateTable { (inner) throws(TOMLProblem) in inner.origin = .implicit }
            }
        }
        try TOMLParser.open(names[...], isList: isList, line: line, in: &root)
        return names
    }

    /// Creates the table of a header and its parents.
    private static func open(_ names: ArraySlice<String>, isList: Bool, line: Int, in table: inout TOMLTable)
        throws(TOMLProblem)
    {
        guard let name = names.first else { return }
        let isLast = names.count == 1
        let twice = TOMLProblem(line: line, message: "duplicate key '\(name)'")
        guard table[name] != nil else {
            var new = TOMLTable(isLast ? .header : .implicit)
            try open(names.dropFirst(), isList: isList, line: line, in: &new)
            let kind = TOMLValue.Kind.table(new)
            table[name] = TOMLValue(
                kind: isLast && isList ? .array([TOMLValue(kind: kind, line: line)]) : kind, line: line)
            return
        }
        try table.update(name) { (value) throws(TOMLProblem) in
            // Only arrays created by headers can be extended by headers.
            guard let current = value.currentTable, current.origin != .closed else { throw twice }
            guard !isLast else {
                if isList {
                    guard value.append(TOMLTable(.header), line: line) else { throw twice }
                } else {
                    guard value.table?.origin == .implicit else { throw twice }
                    try value.updateTable { (inner) throws(TOMLProblem) in inner.origin = .header }
                }
                return
            }
            try value.updateTable { (inner) throws(TOMLProblem) in
                try open(names.dropFirst(), isList: isList, line: line, in: &inner)
            }
        }
    }

    /// Stores a value below a header.
    private static func set(
        _ value: TOMLValue, _ keys: ArraySlice<String>, below path: ArraySlice<String>, in table: inout TOMLTable
    ) throws(TOMLProblem) {
        guard let name = path.first else { return try set(value, keys, in: &table) }
        try table.update(name) { (next) throws(TOMLProblem) in
            try next.updateTable { (inner) throws(TOMLProblem) in
                try set(value, keys, below: path.dropFirst(), in: &inner)
            }
        }
    }

    /// Stores a value under a dotted key.
    private static func set(_ value: TOMLValue, _ keys: ArraySlice<String>, in table: inout TOMLTable)
        throws(TOMLProblem)
    {
        guard let name = keys.first else { return }
        let twice = TOMLProblem(line: value.line, message: "duplicate key '\(name)'")
        if keys.count == 1 {
            guard table[name] == nil else { throw twice }
            table[name] = value
            return
        }
        if let present = table[name] {
            guard present.table?.origin == .dottedKey else { throw twice }
        } else {
            table[name] = TOMLValue(kind: .table(TOMLTable(.dottedKey)), line: value.line)
        }
        try table.update(name) { (next) throws(TOMLProblem) in
            try next.updateTable { (inner) throws(TOMLProblem) in try set(value, keys.dropFirst(), in: &inner) }
        }
    }

    // MARK: Keys

    /// - Parameter level: The depth of the table that contains the key.
    private mutating func keyAndValue(level: Int) throws(TOMLProblem) -> (keys: [String], value: TOMLValue) {
        let keys = try dottedKey(level: level)
        guard take("=") else { throw problem("after '\(keys.joined(separator: "."))' there should be =") }
        skipBlanks()
        return (keys, try value(level: level + keys.count - 1))
    }

    private mutating func dottedKey(level: Int) throws(TOMLProblem) -> [String] {
        var names: [String] = []
        repeat {
            try check(level + names.count)
            skipBlanks()
            names.append(try key())
            skipBlanks()
        } while take(".")
        return names
    }

    private func check(_ level: Int) throws(TOMLProblem) {
        guard level < TOMLParser.maximumLevels else { throw problem("arrays and tables are nested too deeply") }
    }

    private mutating func key() throws(TOMLProblem) -> String {
        if isAt("\"") { return try string() }
        if isAt("'") { return try literalString() }
        let start = index
        while let byte, TOMLParser.isNamePart(byte) { index += 1 }
        guard index > start else {
            throw problem("invalid key; use letters, digits, - and _, or quotes")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: Values

    private mutating func value(level: Int) throws(TOMLProblem) -> TOMLValue {
        let start = line
        try check(level)
        let kind: TOMLValue.Kind
        if isAt("\"\"\"") {
            kind = .string(try longString(isLiteral: false))
        } else if isAt("'''") {
            kind = .string(try longString(isLiteral: true))
        } else if isAt("\"") {
            kind = .string(try string())
        } else if isAt("'") {
            kind = .string(try literalString())
        } else if isAt("[") {
            kind = .array(try array(level: level))
        } else if isAt("{") {
            kind = .table(try inlineTable(level: level))
        } else {
            kind = try plainValue()
        }
        return TOMLValue(kind: kind, line: start)
    }

    private mutating func array(level: Int) throws(TOMLProblem) -> [TOMLValue] {
        index += 1
        var values: [TOMLValue] = []
        while true {
            try skipLines()
            if take("]") { return values }
            values.append(try value(level: level + 1))
            try skipLines()
            if take("]") { return values }
            guard take(",") else { throw problem("expected ',' or ']' in an array") }
        }
    }

    private mutating func inlineTable(level: Int) throws(TOMLProblem) -> TOMLTable {
        index += 1
        var table = TOMLTable(.closed)
        while true {
            try skipLines()
            if take("}") { return table }
            let (keys, value) = try keyAndValue(level: level + 1)
            try TOMLParser.set(value, keys[...], in: &table)
            try skipLines()
            if take("}") { return table }
            guard take(",") else { throw problem("expected ',' or '}' in an inline table") }
        }
    }

    /// Reads the characters of Booleans, numbers and dates.
    private mutating func plainWord() -> String {
        let start = index
        while let byte, TOMLParser.isNamePart(byte) || "+.:".utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Parses a Boolean, number or date.
    private mutating func plainValue() throws(TOMLProblem) -> TOMLValue.Kind {
        var text = plainWord()
        // A space is allowed between date and time.
        if isAt(" "), TOMLScalar.isDay(text), index + 1 < bytes.count, TOMLParser.isDigit(bytes[index + 1]) {
            index += 1
            text += " " + plainWord()
        }
        guard !text.isEmpty else { throw problem("missing value; strings need quotes") }
        if let scalar = TOMLScalar.read(text) { return scalar }
        if TOMLScalar.isTooLarge(text) { throw problem("integer out of range '\(text)'") }
        throw problem(
            TOMLScalar.looksLikeDate(text)
                ? "invalid date or time '\(text)'" : "invalid value '\(text)'; strings need quotes")
    }

    // MARK: Strings

    private mutating func string() throws(TOMLProblem) -> String {
        index += 1
        var result: [UInt8] = []
        while let byte {
            if take("\"") { return String(decoding: result, as: UTF8.self) }
            if TOMLParser.isControl(byte) { break }
            index += 1
            if byte == UInt8(ascii: "\\") { result += try escape() } else { result.append(byte) }
        }
        throw problem("unterminated string")
    }

    private mutating func literalString() throws(TOMLProblem) -> String {
        index += 1
        let start = index
        while let byte, !TOMLParser.isControl(byte) {
            if byte == UInt8(ascii: "'") {
                defer { index += 1 }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            }
            index += 1
        }
        throw problem("unterminated string")
    }

    /// Parses a multi-line string between three quotation marks, before whose end one or two more are allowed.
    private mutating func longString(isLiteral: Bool) throws(TOMLProblem) -> String {
        let (start, mark) = (line, isLiteral ? "'" : "\"" as StaticString)
        index += 3
        _ = takeLineEnd()
        var result: [UInt8] = []
        while let byte {
            if isLiteral ? isAt("'''") : isAt("\"\"\"") {
                index += 3
                for _ in 0..<2 where take(mark) { result += Array("\(mark)".utf8) }
                return String(decoding: result, as: UTF8.self)
            }
            if takeLineEnd() {
                result.append(0x0A)
            } else if TOMLParser.isControl(byte) {
                throw problem("control character in a string")
            } else if byte == UInt8(ascii: "\\"), !isLiteral {
                index += 1
                if !skipEscapedLineEnd() { result += try escape() }
            } else {
                index += 1
                result.append(byte)
            }
        }
        throw TOMLProblem(line: start, message: "unterminated multi-line string")
    }

    /// Skips the white space and line ends after a backslash at the end of a line.
    private mutating func skipEscapedLineEnd() -> Bool {
        let place = index
        skipBlanks()
        guard takeLineEnd() else {
            index = place
            return false
        }
        repeat { skipBlanks() } while takeLineEnd()
        return true
    }

    private mutating func escape() throws(TOMLProblem) -> [UInt8] {
        guard let byte else { throw problem("unterminated string") }
        index += 1
        switch Character(Unicode.Scalar(byte)) {
        case "b": return [0x08]
        case "e": return [0x1B]
        case "t": return [0x09]
        case "n": return [0x0A]
        case "f": return [0x0C]
        case "r": return [0x0D]
        case "\"": return [0x22]
        case "\\": return [0x5C]
        case "x": return try scalar(digits: 2)
        case "u": return try scalar(digits: 4)
        case "U": return try scalar(digits: 8)
        default: throw problem("invalid escape; use one of \\b \\t \\n \\f \\r \\e \\\" \\\\ \\x \\u \\U")
        }
    }

    private mutating func scalar(digits count: Int) throws(TOMLProblem) -> [UInt8] {
        let text = String(decoding: bytes[index...].prefix(count), as: UTF8.self)
        guard text.utf8.count == count, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw problem("a Unicode escape needs \(count) hexadecimal digits") }
        index += count
        return Array(String(Character(scalar)).utf8)
    }
}
