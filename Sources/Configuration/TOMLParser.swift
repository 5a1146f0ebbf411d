/// Reads TOML 1.0.0 (https://toml.io/en/v1.0.0), and says of everything in which line it stands.
///
/// A parser of our own: the one there is for Swift ends the program at some mistakes, leaks what it has read, and does not tell
/// the lines of values. Dates are kept as they are written.
struct TOMLParser {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// Lists and tables inside each other.
    private static let deepest = 64

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Reads a document.
    ///
    /// - Throws: ``TOMLProblem`` for the first thing that is wrong.
    static func parse(_ text: String) throws(TOMLProblem) -> TOMLTable {
        var parser = TOMLParser(text)
        return try parser.document()
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
            if TOMLParser.isControl(byte) { throw problem("a comment has a control character") }
            index += 1
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// Blanks, comments and line ends.
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
                let (keys, value) = try keyAndValue()
                try TOMLParser.set(value, keys[...], path[...], in: &root)
            }
            skipBlanks()
            try skipComment()
            guard byte == nil || takeLineEnd() else { throw problem("the line should end here") }
            try skipLines()
        }
        return root
    }

    /// A header: the names that lead to its table, which is made.
    private mutating func header(_ root: inout TOMLTable) throws(TOMLProblem) -> [String] {
        let isList = take("[[")
        if !isList { _ = take("[") }
        let names = try dottedKey()
        guard isList ? take("]]") : take("]") else { throw problem("a table's name ends with \(isList ? "]]" : "]")") }
        try TOMLParser.open(names[...], isList: isList, line: line, in: &root)
        return names
    }

    /// Makes the table of a header, and those on the way to it.
    private static func open(_ names: ArraySlice<String>, isList: Bool, line: Int, in table: inout TOMLTable)
        throws(TOMLProblem)
    {
        guard let name = names.first else { return }
        let isLast = names.count == 1
        let twice = TOMLProblem(line: line, message: "'\(name)' is there twice")
        guard var value = table[name] else {
            var new = TOMLTable(isLast ? .header : .implicit)
            try open(names.dropFirst(), isList: isList, line: line, in: &new)
            let kind = TOMLValue.Kind.table(new)
            table[name] = TOMLValue(
                kind: isLast && isList ? .array([TOMLValue(kind: kind, line: line)]) : kind, line: line)
            return
        }
        switch value.kind {
        case .table(var inner):
            if isLast {
                guard !isList, inner.origin == .implicit else { throw twice }
                inner.origin = .header
            } else {
                guard inner.origin != .closed else { throw twice }
                try open(names.dropFirst(), isList: isList, line: line, in: &inner)
            }
            value.kind = .table(inner)
        case .array(var list):
            // A list that was written with brackets is whole.
            guard case .table(var inner)? = list.last?.kind, inner.origin != .closed, isList || !isLast else {
                throw twice
            }
            if isLast {
                list.append(TOMLValue(kind: .table(TOMLTable(.header)), line: line))
            } else {
                try open(names.dropFirst(), isList: isList, line: line, in: &inner)
                list[list.count - 1].kind = .table(inner)
            }
            value.kind = .array(list)
        default: throw twice
        }
        table[name] = value
    }

    /// Puts a value below a header.
    private static func set(
        _ value: TOMLValue, _ keys: ArraySlice<String>, _ path: ArraySlice<String>, in table: inout TOMLTable
    ) throws(TOMLProblem) {
        guard let name = path.first else { return try set(value, keys, in: &table) }
        guard var next = table[name] else { return }
        switch next.kind {
        case .table(var inner):
            try set(value, keys, path.dropFirst(), in: &inner)
            next.kind = .table(inner)
        case .array(var list):
            guard case .table(var inner)? = list.last?.kind else { return }
            try set(value, keys, path.dropFirst(), in: &inner)
            list[list.count - 1].kind = .table(inner)
            next.kind = .array(list)
        default: return
        }
        table[name] = next
    }

    /// Puts a value under a key of one or more names.
    private static func set(_ value: TOMLValue, _ keys: ArraySlice<String>, in table: inout TOMLTable)
        throws(TOMLProblem)
    {
        guard let name = keys.first else { return }
        let twice = TOMLProblem(line: value.line, message: "'\(name)' is there twice")
        if keys.count == 1 {
            guard table[name] == nil else { throw twice }
            table[name] = value
            return
        }
        var inner = TOMLTable(.dottedKey)
        if let present = table[name] {
            guard let known = present.table, known.origin == .dottedKey else { throw twice }
            inner = known
        }
        try set(value, keys.dropFirst(), in: &inner)
        table[name] = TOMLValue(kind: .table(inner), line: table[name]?.line ?? value.line)
    }

    // MARK: Keys

    private mutating func keyAndValue(depth: Int = 0) throws(TOMLProblem) -> (keys: [String], value: TOMLValue) {
        let keys = try dottedKey()
        guard take("=") else { throw problem("after '\(keys.joined(separator: "."))' there should be =") }
        skipBlanks()
        return (keys, try value(depth: depth))
    }

    private mutating func dottedKey() throws(TOMLProblem) -> [String] {
        var names: [String] = []
        repeat {
            skipBlanks()
            names.append(try key())
            skipBlanks()
        } while take(".")
        return names
    }

    private mutating func key() throws(TOMLProblem) -> String {
        if isAt("\"") { return try string() }
        if isAt("'") { return try literalString() }
        let start = index
        while let byte, TOMLParser.isNamePart(byte) { index += 1 }
        guard index > start else {
            throw problem("a name is letters, digits, - and _, or stands in quotes")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: Values

    private mutating func value(depth: Int) throws(TOMLProblem) -> TOMLValue {
        let start = line
        guard depth < TOMLParser.deepest else { throw problem("lists and tables stand too deep inside each other") }
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
            kind = .array(try array(depth: depth))
        } else if isAt("{") {
            kind = .table(try inlineTable(depth: depth))
        } else {
            kind = try plainValue()
        }
        return TOMLValue(kind: kind, line: start)
    }

    private mutating func array(depth: Int) throws(TOMLProblem) -> [TOMLValue] {
        index += 1
        var values: [TOMLValue] = []
        while true {
            try skipLines()
            if take("]") { return values }
            values.append(try value(depth: depth + 1))
            try skipLines()
            if take("]") { return values }
            guard take(",") else { throw problem("a list goes on with a comma or ends with ]") }
        }
    }

    private mutating func inlineTable(depth: Int) throws(TOMLProblem) -> TOMLTable {
        index += 1
        var table = TOMLTable(.closed)
        skipBlanks()
        if take("}") { return table }
        while true {
            let (keys, value) = try keyAndValue(depth: depth + 1)
            try TOMLParser.set(value, keys[...], in: &table)
            skipBlanks()
            if take("}") { return table }
            guard take(",") else { throw problem("a table in braces goes on with a comma or ends with }") }
        }
    }

    /// The signs that stand in truth values, numbers and dates.
    private mutating func plainWord() -> String {
        let start = index
        while let byte, TOMLParser.isNamePart(byte) || "+.:".utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Truth values, numbers and dates.
    private mutating func plainValue() throws(TOMLProblem) -> TOMLValue.Kind {
        var text = plainWord()
        // Between a date and a time a blank may stand.
        if isAt(" "), TOMLParser.isDate(text), index + 1 < bytes.count, TOMLParser.isDigit(bytes[index + 1]) {
            index += 1
            text += " " + plainWord()
        }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "": throw problem("there is no value; texts stand in quotes")
        default: break
        }
        if let integer = TOMLParser.integer(text) { return .integer(integer) }
        if let float = TOMLParser.float(text) { return .float(float) }
        if TOMLParser.isDate(String(text.prefix(10))) || TOMLParser.isTime(text) { return .date(text) }
        throw problem("'\(text)' is no value; texts stand in quotes")
    }

    /// Digits of a number, `_` between two of them; `nil` for anything else.
    private static func digits(_ text: Substring, radix: Int) -> String? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
                }
        }
        return isNumber ? parts.joined() : nil
    }

    private static func integer(_ text: String) -> Int64? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            return digits(text.dropFirst(2), radix: radix).flatMap { Int64($0, radix: radix) }
        }
        let sign = text.prefix { $0 == "+" || $0 == "-" }
        guard sign.count <= 1, let digits = digits(text.dropFirst(sign.count), radix: 10) else { return nil }
        guard digits == "0" || !digits.hasPrefix("0") else { return nil }
        return Int64(sign + digits)
    }

    private static func float(_ text: String) -> Double? {
        let sign = text.prefix { $0 == "+" || $0 == "-" }
        let rest = text.dropFirst(sign.count)
        guard sign.count <= 1 else { return nil }
        if rest == "inf" { return sign == "-" ? -.infinity : .infinity }
        if rest == "nan" { return .nan }
        let halves = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count + halves.count > 2, parts.allSatisfy({ digits($0, radix: 10) != nil })
        else {
            return nil
        }
        guard parts[0] == "0" || !parts[0].hasPrefix("0") else { return nil }
        if halves.count == 2 {
            let exponent = halves[1].drop { $0 == "+" || $0 == "-" }
            guard halves[1].count - exponent.count <= 1, digits(exponent, radix: 10) != nil else { return nil }
        }
        return Double(text.replacing("_", with: ""))
    }

    /// `2026-11-22`.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) }
    }

    /// `12:30:00`, with or without a fraction.
    private static func isTime(_ text: String) -> Bool {
        let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
        return parts.map(\.count) == [2, 2, 2] && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) }
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
        throw problem("a text in quotes does not end in its line")
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
        throw problem("a text in quotes does not end in its line")
    }

    /// A text of several lines, between three quotation marks; one or two more may stand before the last three.
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
                throw problem("a text has a control character")
            } else if byte == UInt8(ascii: "\\"), !isLiteral {
                index += 1
                if !skipEscapedLineEnd() { result += try escape() }
            } else {
                index += 1
                result.append(byte)
            }
        }
        throw TOMLProblem(line: start, message: "a text of several lines does not end")
    }

    /// A backslash at the end of a line takes away all blanks and line ends that follow.
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
        guard let byte else { throw problem("a text in quotes does not end") }
        index += 1
        switch Character(Unicode.Scalar(byte)) {
        case "b": return [0x08]
        case "t": return [0x09]
        case "n": return [0x0A]
        case "f": return [0x0C]
        case "r": return [0x0D]
        case "\"": return [0x22]
        case "\\": return [0x5C]
        case "u": return try scalar(digits: 4)
        case "U": return try scalar(digits: 8)
        default: throw problem("in quotes a backslash stands before one of b t n f r \" \\ u U")
        }
    }

    private mutating func scalar(digits count: Int) throws(TOMLProblem) -> [UInt8] {
        let text = String(decoding: bytes[index...].prefix(count), as: UTF8.self)
        guard text.utf8.count == count, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw problem("a character's number has \(count) hexadecimal digits") }
        index += count
        return Array(String(Character(scalar)).utf8)
    }
}
