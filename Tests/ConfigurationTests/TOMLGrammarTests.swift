import Testing

@testable import Configuration

/// Every form of a value that TOML 1.1.0 allows or forbids, in generated documents. toml-test has a file for each.
@Suite struct TOMLGrammarTests {
    private func isValid(_ value: String) -> Bool { errorLine("a = \(value)\nb = 1") == nil }

    /// The line of the error, or `nil` for a valid document.
    private func errorLine(_ bytes: [UInt8]) -> Int? {
        do throws(TOMLProblem) {
            _ = try TOMLParser.parse(bytes)
            return nil
        } catch { return error.line }
    }

    private func errorLine(_ text: String) -> Int? { errorLine(Array(text.utf8)) }

    private func kind(_ value: String) -> TOMLValue.Kind? { (try? TOMLParser.parse("a = \(value)"))?["a"]?.kind }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: Dates and times

    @Test func acceptsEveryCalendarDayAndNoOther() {
        for (year, isLeap) in [("0000", true), ("1900", false), ("2000", true), ("2023", false), ("2024", true)] {
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for month in 0...13 {
                for day in 0...32 {
                    let isDay = (1...12).contains(month) && day >= 1 && day <= days[month - 1]
                    let text = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
                    #expect(isValid(text) == isDay, "\(text)")
                    #expect(isValid(text + "T00:00:00Z") == isDay, "\(text)T00:00:00Z")
                }
            }
        }
    }

    @Test func acceptsEveryTimeOfDayAndNoOther() {
        let places: [(ClosedRange<Int>, (String) -> String)] = [
            (0...23, { "\($0):00:00" }), (0...59, { "00:\($0):00" }), (0...60, { "00:00:\($0)" }),
        ]
        for (range, write) in places {
            for number in 0...99 {
                let time = write(twoDigits(number))
                for text in [time, "2026-11-24T\(time)", "2026-11-24 \(time)-08:30", "2026-11-24t\(time).5z"] {
                    #expect(isValid(text) == range.contains(number), "\(text)")
                }
            }
        }
        for text in ["00:00", "23:59", "00:00:00.0", "00:00:00.123456789"] { #expect(isValid(text), "\(text)") }
        for text in [
            "24:00", "00:60", "00:00.5", "0:00", "00:0", "00:00:0", "00:00:000", "00:00:00.", "00:00:00.5.5",
            "00:00:00,5",
            "00:00:00Z", "00:00Z", "00:00:00+01:00", "T00:00", "-00:00", "00-00-00",
        ] { #expect(!isValid(text), "\(text)") }
    }

    @Test func acceptsEveryOffsetAndNoOther() {
        for hour in 0...30 {
            for minute in [0, 1, 30, 59, 60, 61, 99] {
                for sign in ["+", "-"] {
                    let text = "2026-11-24T10:00:00\(sign)\(twoDigits(hour)):\(twoDigits(minute))"
                    #expect(isValid(text) == (hour < 24 && minute < 60), "\(text)")
                }
            }
        }
        for offset in ["+", "-", "+0", "+01", "+1", "+01:", "+01:0", "+0100", "+01:000", "01:00", "ZZ", "Z+01:00", "x"]
        {
            #expect(!isValid("2026-11-24T10:00:00\(offset)"), "\(offset)")
            #expect(!isValid("2026-11-24 10:00:00\(offset)"), "\(offset)")
        }
    }

    /// A truncated date-time is a shorter form or invalid; one with a missing character is invalid.
    @Test func rejectsOtherDateFormats() {
        let whole = "2026-11-24T10:20:30.5+01:00"
        for count in 5...whole.count {
            let text = String(whole.prefix(count))
            #expect(isValid(text) == [10, 16, 19, 21, 27].contains(count), "\(text)")
        }
        for place in 0..<whole.count {
            var bytes = Array(whole.utf8)
            bytes.remove(at: place)
            #expect(!isValid(String(decoding: bytes, as: UTF8.self)), "\(String(decoding: bytes, as: UTF8.self))")
        }
        for text in [
            "2026-11-2410:20:30", "2026-11-24  10:20:30", "2026-11-24\t10:20:30", "2026-11-24_10:20:30", "2026-11-24T",
            "2026-11-24TZ", "2026-11-24Z", "2026-11-24 Z", "2026/11/24", "20261124T10:20:30", "2026-1-24", "26-11-24",
            "+2026-11-24", "-2026-11-24", "12026-11-24", "2026-11-24 10:20:30 Z", "2026-11", "2026-W48", "2026-328",
        ] { #expect(!isValid(text), "\(text)") }
    }

    @Test func namesInvalidDates() {
        for text in ["2026-02-30", "25:00", "2026-11-24T24:00:00Z"] {
            let problem = #expect(throws: TOMLProblem.self) { try TOMLParser.parse("\na = \(text)") }
            #expect(problem?.message == "invalid date or time '\(text)'" && problem?.line == 2)
        }
    }

    // MARK: Numbers

    @Test func namesIntegersOutOfRange() {
        for text in ["9223372036854775808", "-9223372036854775809", "+1_000_000_000_000_000_000_000"] {
            let problem = #expect(throws: TOMLProblem.self) { try TOMLParser.parse("\na = \(text)") }
            #expect(problem?.message == "integer out of range '\(text)'" && problem?.line == 2)
        }
        for text in ["012", "--1", "1__0", "x"] {
            let problem = #expect(throws: TOMLProblem.self) { try TOMLParser.parse("a = \(text)") }
            #expect(problem?.message == "invalid value '\(text)'; strings need quotes")
        }
    }

    @Test func readsIntegersInEachRadix() {
        for (prefix, radix, digits) in [("0x", 16, "0123456789abcdefABCDEF"), ("0o", 8, "01234567"), ("0b", 2, "01")] {
            for byte in UInt8(ascii: "!")...UInt8(ascii: "~") where byte != UInt8(ascii: "#") {
                let digit = String(decoding: [byte], as: UTF8.self)
                guard case .integer(let value) = kind("\(prefix)1\(digit)1") else {
                    #expect(!digits.contains(digit) && digit != "_", "\(prefix)1\(digit)1")
                    continue
                }
                #expect(String(value, radix: radix) == (digit == "_" ? "11" : "1\(digit.lowercased())1"))
            }
            for text in [
                "\(prefix)", "+\(prefix)1", "-\(prefix)1", "\(prefix)_1", "\(prefix)1_", "\(prefix)1__1",
                "\(prefix.uppercased())1", "\(prefix)1.0", "0_\(prefix.suffix(1))1", "\(prefix) 1",
            ] { #expect(!isValid(text), "\(text)") }
            #expect(isValid("\(prefix)0001"))
        }
    }

    @Test func readsDecimalNumbersAsTheGrammarSays() {
        for text in [
            "0", "+0", "-0", "7", "-7", "+7", "1_0", "1_2_3", "9223372036854775807", "-9223372036854775808", "0.0",
            "-0.0",
            "1.5", "+1.5", "1_0.5_0", "1e5", "1E5", "1e+5", "1e-5", "1e05", "0e0", "1.5e10", "1_0e1_0", "inf", "+inf",
            "-inf",
            "nan", "+nan", "-nan", "1e400",
        ] { #expect(isValid(text), "\(text)") }
        for text in [
            "00", "01", "-01", "+01", "0_1", "_1", "1_", "1__2", "+_1", "++1", "--1", "+-1", "+", "-", "+ 1", "1 2",
            "1,2",
            "9223372036854775808", "-9223372036854775809", ".5", "-.5", "5.", "5._5", "5_.5", "5.5_", "01.5", "00.5",
            "1..5",
            "1.5.5", "1.e5", "1e", "1e+", "e5", "1e5e5", "1e5.5", "1e_5", "1e5_", "1_e5", "1e++5", "Inf", "INF", "in",
            "infinity",
            "NaN", "NAN", "na", "++inf", "+-nan", "1x", "0x1p3", "1f", "1l", "٣", "1٣", "true1", "True", "TRUE", "tru",
            "truee",
            "False", "falsee", "null", "nil", "yes", "on", "",
        ] { #expect(!isValid(text), "\(text)") }
    }

    // MARK: Bytes

    /// Positions of a character in a document, marked by `@`.
    private static let places = [
        "# @", "a = 1 # @", "a = \"@\"", "a = '@'", "a = \"\"\"@\"\"\"", "a = '''@'''", "\"@\" = 1", "'@' = 1",
    ]

    @Test func rejectsControlCharactersEverywhere() {
        for code in Array(UInt8(0)...0x1F) + [0x7F] {
            for place in TOMLGrammarTests.places {
                let endsLine =
                    code == 0x0A && (place.contains("\"\"\"") || place.contains("'''") || place.contains("#"))
                let bytes = place.utf8.flatMap { $0 == UInt8(ascii: "@") ? [code] : [$0] }
                #expect((errorLine(bytes) == nil) == (code == 0x09 || endsLine), "\(code) in \(place)")
            }
            // Between values only spaces and line ends are allowed: no lone carriage return, no form feed.
            #expect((errorLine([0x0A, code, 0x0A]) == nil) == [0x09, 0x0A, 0x0D].contains(code), "\(code)")
            #expect((errorLine([0x0A, code, 0x20]) == nil) == [0x09, 0x0A].contains(code), "\(code)")
            #expect((errorLine(Array("a = 1".utf8) + [code] + Array("b = 2".utf8)) == nil) == (code == 0x0A), "\(code)")
        }
        for text in [
            "a = 1\r", "a = 1\rb = 2", "\r", "a = \"\"\"x\ry\"\"\"", "a = '''x\r'''", "# x\ry", "a = [\r1]",
            "a = {\rb = 1}",
        ] { #expect(errorLine(text) == 1, "\(text.debugDescription)") }
        #expect(errorLine("a = \"\"\"x\r\ny\"\"\"\r\n[b]\r\n# c\r\n") == nil)
    }

    /// Invalid UTF-8 (Unicode, table 3-7): lone and missing continuations, overlong forms, surrogates, values above
    /// U+10FFFF, and UTF-16's byte order marks.
    private static let notUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xC1, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
        [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xFF, 0xFE],
        [0xFE, 0xFF], [0xE9],
    ]

    @Test func rejectsInvalidUTF8WithItsLine() {
        for sequence in TOMLGrammarTests.notUTF8 {
            for place in TOMLGrammarTests.places + ["@", "@ = 1", "a = @", "[@]", "a = 1 @"] {
                let line = place.utf8.flatMap { $0 == UInt8(ascii: "@") ? sequence : [$0] }
                let bytes = Array("# é\r\nx = '😀'\n".utf8) + line + Array("\ny = 2\n".utf8)
                #expect(errorLine(bytes) == 3, "\(sequence) in \(place)")
            }
        }
        let problem = #expect(throws: TOMLProblem.self) { try TOMLParser.parse([0x0A, 0xFF]) }
        #expect(problem?.message == "invalid UTF-8; save the file as UTF-8")
        // A byte order mark is allowed at the start only.
        #expect(errorLine("\u{FEFF}a = 1") == nil)
        #expect(errorLine("a = 1\n\u{FEFF}") == 2)
        #expect(errorLine("\u{FEFF}\u{FEFF}a = 1") == 1)
        #expect(errorLine("a = 1".utf8.flatMap { [$0, 0] }) != nil)
    }

    // MARK: Strings

    @Test func readsEveryEscapeAndNoOther() {
        let known: [String: UInt32] = ["b": 8, "t": 9, "n": 10, "f": 12, "r": 13, "e": 27, "\"": 34, "\\": 92]
        for byte in UInt8(ascii: "!")...UInt8(ascii: "~") {
            let letter = String(decoding: [byte], as: UTF8.self)
            for quote in ["\"", "\"\"\""] {
                guard case .string(let value) = kind("\(quote)\\\(letter)-\(quote)") else {
                    #expect(known[letter] == nil, "\(letter)")
                    continue
                }
                #expect(value.unicodeScalars.map(\.value) == known[letter].map { [$0, 45] }, "\(letter)")
            }
        }
        for (name, digits) in [("x", 2), ("u", 4), ("U", 8)] {
            for count in 2...9 {
                let zeros = String(repeating: "0", count: count - 2)
                #expect(isValid("\"\\\(name)\(zeros)4a\"") == (count >= digits), "\(name)\(zeros)4a")
            }
            #expect(!isValid("\"\\\(name)\"") && !isValid("\"\\\(name)4\""))
            #expect(!isValid("\"\\\(name)\(String(repeating: "0", count: digits - 1))g\""))
            #expect(!isValid("\"\\\(name)\(String(repeating: "0", count: digits - 2))+1\""))
        }
        for (text, isScalar) in [
            ("\\ud7ff", true), ("\\ud800", false), ("\\udfff", false), ("\\ue000", true), ("\\U0010ffff", true),
            ("\\U00110000", false), ("\\Uffffffff", false), ("\\U0000d800", false), ("\\x00", true), ("\\xff", true),
        ] { #expect(isValid("\"\(text)\"") == isScalar && isValid("\"\"\"\(text)\"\"\"") == isScalar, "\(text)") }
    }

    @Test func endsStringsAtTheirClosingQuotes() {
        for quote in ["\"", "'"] {
            let three = String(repeating: quote, count: 3)
            for count in 0...12 {
                let text = String(repeating: quote, count: count)
                // Up to two quotes may precede the closing three.
                #expect(isValid(text) == [2, 6, 7, 8].contains(count), "\(text)")
                #expect(isValid(three + "x" + text) == (3...5).contains(count), "\(three)x\(text)")
                #expect(isValid(quote + "x" + text) == (count == 1), "\(quote)x\(text)")
            }
            for text in [
                "\(quote)x\ny\(quote)", "\(quote)x", "\(three)x", "\(three)x\(quote)", "\(quote)x\r\n\(quote)",
            ] {
                #expect(!isValid(text), "\(text)")
            }
            #expect(isValid("\(three)x\ny\(three)"))
        }
        for (text, expected) in [
            ("\"\"\"\\\n\n  x \\  \n \t y\"\"\"", "x y"), ("\"\"\"\nx\"\"\"", "x"), ("\"\"\"\n\nx\"\"\"", "\nx"),
            ("'''\nx\\\ny'''", "x\\\ny"), ("\"\"\"x\\\r\n  y\"\"\"", "xy"),
        ] {
            if case .string(let value) = kind(text) {
                #expect(value == expected, "\(text)")
            } else {
                Issue.record("\(text) is not read")
            }
        }
        #expect(!isValid("\"\"\"x\\ y\"\"\"") && !isValid("\"\"\"\\\"\"\""))
    }

    // MARK: Keys and tables

    @Test func readsEveryCharacterOfBareKeys() {
        for byte in UInt8(ascii: "!")...UInt8(ascii: "~") where !"\"'#.[]=".utf8.contains(byte) {
            let letter = Character(Unicode.Scalar(byte))
            let isBare = letter.isLetter || letter.isNumber || letter == "-" || letter == "_"
            #expect((errorLine("\(letter) = 1") == nil) == isBare, "\(letter)")
            #expect((errorLine("[a\(letter)b]") == nil) == isBare, "\(letter)")
        }
        for key in [
            "é", "ʎ", "a b", "a\n", "\"a\"b", "a\"b\"", "\"\"\"a\"\"\"", "'''a'''", "a..b", ".a", "a.", "", "\"a", "a#",
        ] {
            #expect(errorLine("\(key) = 1") != nil, "\(key)")
            #expect(errorLine("x = {\(key) = 1}") != nil, "\(key)")
        }
    }

    /// Every pair of definitions of the same name.
    @Test func extendsTablesOnlyAsTheSpecificationAllows() {
        let forms: [String: String] = [
            "value": "t = 1", "inline": "t = {}", "array": "t = []", "tables": "t = [{}]", "header": "[t]",
            "list": "[[t]]",
            "deeper": "[t.u]", "deeper list": "[[t.u]]", "dotted": "t.v = 1",
        ]
        let allowed: Set<String> = [
            "deeper, header", "deeper list, header", "list, list", "header, deeper", "header, deeper list",
            "list, deeper",
            "list, deeper list", "deeper list, deeper list", "dotted, deeper", "dotted, deeper list",
        ]
        for (first, one) in forms {
            // A key after a header belongs to its table.
            for (second, other) in forms where !one.hasPrefix("[") || other.hasPrefix("[") {
                #expect(
                    (errorLine("\(one)\n\(other)\n") == nil) == allowed.contains("\(first), \(second)"),
                    "\(one), \(other)")
            }
        }
    }

    @Test(arguments: [
        "a.b = 1\na.c = 2", "a.b.c = 1\na.b.d = 2", "[a]\nb.c = 1\n[a.b.d]", "[a]\n[b]\n[a.c]",
        "[[a]]\n[a.b]\n[[a]]\n[a.b]",
        "a = {b.c = 1, b.d = 2}", "[ a . b ]\nc = 1", "[a] # x\nb = 1", "a = [1,\n\n# x\n2 # y\n,]",
    ])
    func reads(document: String) { #expect(errorLine(document) == nil) }

    @Test(arguments: [
        "a.b = 1\na.b.c = 2", "a.b.c = 1\na.b = 2", "[a]\nb.c = 1\n[a.b]", "[a]\nb.c = 1\n[[a.b]]",
        "[a.b]\n[a]\nb.c = 1",
        "[a.b.c]\n[a]\nb.d = 1", "[a]\n[a.b]\n[a]", "[[a]]\n[a.b]\n[a.b]", "[[a.b]]\n[a]\nb.c = 1",
        "a = {b = 1, b.c = 2}",
        "a = {b = {}, b.c = 2}", "a = {b.c = 1, b = 2}", "[a]\nb = {}\n[a.b.c]", "a = [{b = 1}]\n[[a]]",
        "a = [{b = {}}]\n[a.b]",
        "\"a\" = 1\na = 2", "'a' = 1\n\"\\u0061\" = 2", "[a]\n['a']", "[a .b]\n[a. 'b']", "[[a] ]", "[ [a]]",
        "[a]b = 1",
        "[[a]]b = 1", "[a\n]", "[a.\nb]", "a\n= 1", "a =\n1", "a = 1 b = 2", "a = 1, b = 2", "a = [1\n2]", "a = [,1]",
        "a = [1,,2]",
        "a = [", "a = {", "a = {b = 1", "a = {b = 1}}", "a = [1]]",
    ])
    func rejects(document: String) { #expect(errorLine(document) != nil) }

    // MARK: Size

    /// Keys are stored in place: copying a table for each of its keys took hours.
    @Test func readsLargeTables() throws {
        let keys = (0..<30_000).map { "k\($0) = 1" }.joined(separator: "\n")
        #expect(try TOMLParser.parse("[a.b]\n" + keys)["a"]?.table?["b"]?.table?.keys.count == 30_000)
        #expect(try TOMLParser.parse(String(repeating: "[[a]]\n", count: 30_000))["a"]?.array?.count == 30_000)
        let dotted = (0..<30_000).map { "a.k\($0) = 1" }.joined(separator: "\n")
        #expect(try TOMLParser.parse(dotted)["a"]?.table?.keys.count == 30_000)
    }

    /// Arrays, inline tables, header names and key names count together.
    @Test(arguments: [64, 65]) func limitsNestingToSixtyFourLevels(count: Int) {
        let names = Array(repeating: "a", count: count).joined(separator: ".")
        let half = Array(repeating: "a", count: count / 2).joined(separator: ".")
        for text in [
            "a = " + String(repeating: "[", count: count) + String(repeating: "]", count: count),
            "\(names) = 1", "[\(names)]", "[\(half)]\n\(half)\(count % 2 == 0 ? "" : ".b") = 1",
        ] {
            #expect(((try? TOMLParser.parse(text)) != nil) == (count == 64), "\(text)")
        }
    }
}
