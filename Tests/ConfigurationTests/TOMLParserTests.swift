import Testing

@testable import Configuration

/// TOML 1.1.0, rule by rule, with documents like those in the specification.
@Suite struct TOMLParserTests {
    /// Returns a document as one line similar to JSON.
    private func told(_ text: String) throws(TOMLProblem) -> String { told(try TOMLParser.parse(text)) }

    private func told(_ table: TOMLTable) -> String {
        "{" + table.keys.map { "\($0): \(table[$0].map { told($0) } ?? "")" }.joined(separator: ", ") + "}"
    }

    private func told(_ value: TOMLValue) -> String {
        switch value.kind {
        case .string(let text): "'\(text.replacing("\n", with: "⏎").replacing("\t", with: "⇥"))'"
        case .array(let values): "[" + values.map { told($0) }.joined(separator: ", ") + "]"
        case .table(let table): told(table)
        case .float(let number): "f\(number)"
        case .date(let text): "d\(text)"
        default: value.text
        }
    }

    private static let documents: [(String, String)] = [
        ("", "{}"), ("# comment\n\n  # another\n", "{}"), ("a = 1", "{a: 1}"),
        ("\u{FEFF}a=1\r\nb = 2\r\n", "{a: 1, b: 2}"),
        ("a = 1 # one\n\tb=2", "{a: 1, b: 2}"),
        // Keys.
        ("bare_key-1 = 1\n1234 = 2", "{bare_key-1: 1, 1234: 2}"),
        ("\"a b\" = 1\n'c\"d' = 2\n\"\" = 3", "{a b: 1, c\"d: 2, : 3}"),
        ("a.b.c = 1\na . \"b\" . d = 2\na.e=3", "{a: {b: {c: 1, d: 2}, e: 3}}"), ("3.14 = 1", "{3: {14: 1}}"),
        // Strings.
        ("a = \"x\\t\\\"y\\\\ \\u00e9 \\U0001F600\"", "{a: 'x⇥\"y\\ é 😀'}"), ("a = 'C:\\new'", "{a: 'C:\\new'}"),
        ("a = \"\"\"\none\ntwo\"\"\"", "{a: 'one⏎two'}"), ("a = \"\"\"one \\\n\n   two\"\"\"", "{a: 'one two'}"),
        ("a = \"\"\"\"x\"\"\"\"\"", "{a: '\"x\"\"'}"), ("a = '''\none\r\ntwo\\n'''", "{a: 'one⏎two\\n'}"),
        ("a = ''''x''''", "{a: ''x''}"),
        ("a = \"\\x41\\xE9\\e\"", "{a: 'A\u{E9}\u{1B}'}"), ("a = \"\"\nb = ''", "{a: '', b: ''}"),
        ("a = \"東\"", "{a: '東'}"),
        // Numbers.
        ("a = [0, +99, -17, 1_000, 5_349_221]", "{a: [0, 99, -17, 1000, 5349221]}"),
        ("a = [0xDEAD_beef, 0o755, 0b1101]", "{a: [3735928559, 493, 13]}"),
        ("a = [9223372036854775807, -9223372036854775808, -0]", "{a: [9223372036854775807, -9223372036854775808, 0]}"),
        (
            "a = [1.0, -0.01, 5e+22, 1e06, -2E-2, 6.626e-34, 9_2.5_5]",
            "{a: [f1.0, f-0.01, f5e+22, f1000000.0, f-0.02, f6.626e-34, f92.55]}"
        ),
        ("a = [inf, -inf, +inf]", "{a: [finf, f-inf, finf]}"), ("a = [true, false]", "{a: [true, false]}"),
        // Dates.
        (
            "a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5-07:00",
            "{a: d1979-05-27T07:32:00Z, b: d1979-05-27 07:32:00.5-07:00}"
        ),
        ("a = 1979-05-27\nb = 07:32:00.999", "{a: d1979-05-27, b: d07:32:00.999}"),
        ("a = 1979-05-27 # x", "{a: d1979-05-27}"),
        (
            "a = 07:32\nb = 1979-05-27 07:32\nc = 1979-05-27t07:32z",
            "{a: d07:32, b: d1979-05-27 07:32, c: d1979-05-27t07:32z}"
        ),
        // Lists.
        ("a = []", "{a: []}"), ("a = [ 1, [2, 3], \"x\", ]", "{a: [1, [2, 3], 'x']}"),
        ("a = [ # one\n1, # two\n\n 2 # three\n]\nb=1", "{a: [1, 2], b: 1}"),
        // Tables.
        ("[t]\na = 1\n[u]\nb=2", "{t: {a: 1}, u: {b: 2}}"), ("[ j . \"k\" . 'l' ]\na=1", "{j: {k: {l: {a: 1}}}}"),
        ("[x.y.z]\n[x]\na=1", "{x: {y: {z: {}}, a: 1}}"), ("[a.b]\n[a.c]", "{a: {b: {}, c: {}}}"),
        ("[f]\na.color = 1\na.taste.s = 2\n[f.b]\nc = 3", "{f: {a: {color: 1, taste: {s: 2}}, b: {c: 3}}}"),
        ("a = { x = 1, y.z = 2 }\nb = {}", "{a: {x: 1, y: {z: 2}}, b: {}}"),
        ("a = { # one\n\n  x = 1, # two\r\n  y = {\n}, }\nb = 1", "{a: {x: 1, y: {}}, b: 1}"), ("a = {\n}", "{a: {}}"),
        ("a = [ { x = 1 }, {} ]", "{a: [{x: 1}, {}]}"),
        ("[[p]]\nn = 1\n[[p]]\n[[p]]\nn = 3", "{p: [{n: 1}, {}, {n: 3}]}"),
        (
            "[[f]]\nn=1\n[f.p]\nc=1\n[[f.v]]\nx=1\n[[f.v]]\nx=2\n[[f]]\nn=2\n[[f.v]]\nx=3",
            "{f: [{n: 1, p: {c: 1}, v: [{x: 1}, {x: 2}]}, {n: 2, v: [{x: 3}]}]}"
        ),
    ]

    @Test func readsDocumentsByTheSpecification() throws {
        for (text, expected) in TOMLParserTests.documents { #expect(try told(text) == expected, "\(text)") }
    }

    private static let mistakes: [(String, Int)] = [
        ("a", 1), ("a =", 1), ("= 1", 1), ("a = 1 b = 2", 1), ("\na = x", 2), ("a = 1\na = 2", 2),
        ("a.b = 1\na.b.c = 2", 2), ("a = 1\n[a]", 2),
        ("[a]\n\n[a]", 3), ("[a]\nb = 1\n[a.b]", 3), ("[[a]]\n[a]", 2), ("[a]\n[[a]]", 2), ("a = []\n[[a]]", 2),
        ("a = [{}]\n[a.b]", 2),
        ("a = {}\n[a.b]", 2), ("a = {}\na.b = 1", 2), ("[a]\nb.c = 1\n[a.b]", 3), ("[a.b]\n[a]\nb.c = 1", 3),
        ("[", 1), ("[]", 1), ("[a", 1), ("[a]]", 1), ("[[a]", 1), ("[,]", 1), ("[é]", 1), ("[a.]", 1), ("[.a]", 1),
        ("[\n", 1), ("[a] x = 1", 1),
        ("a. = 1", 1), (".a = 1", 1), ("é = 1", 1), ("\"\"\"a\"\"\" = 1", 1), ("\"a\nb\" = 1", 1),
        ("a = \"x", 1), ("a = \"x\ny\"", 1), ("a = 'x", 1), ("a = \"\\x\"", 1), ("a = \"\\u12\"", 1),
        ("a = \"\\ud800\"", 1), ("a = \"\\U00110000\"", 1),
        ("a = \"\u{01}\"", 1), ("a = '\u{7F}'", 1), ("a = \"\"\"\u{01}\"\"\"", 1), ("# \u{01}", 1),
        ("\na = \"\"\"x\ny", 2), ("a = \"\\", 1),
        ("a = 01", 1), ("a = +-1", 1), ("a = 1__0", 1), ("a = _1", 1), ("a = 1_", 1), ("a = 0x", 1), ("a = 0xG", 1),
        ("a = 0o8", 1), ("a = 0b2", 1),
        ("a = 9223372036854775808", 1), ("a = 1.", 1), ("a = .5", 1), ("a = 1.e5", 1), ("a = 1e", 1), ("a = 01.5", 1),
        ("a = 1e5.5", 1), ("a = 1.2.3", 1),
        ("a = TRUE", 1), ("a = 1979-5-27", 1), ("a = 7:32:00", 1), ("a = [1 2]", 1), ("a = [1,,2]", 1), ("a = [,]", 1),
        ("a = [\n1", 2),
        ("a = {,}", 1), ("a = {b = 1,,}", 1), ("a = {b\n= 1}", 1), ("a = {b =\n1}", 1), ("a = {b = 1\nc = 2}", 2),
        ("a = {b}", 1), ("a = {b = 1, b = 2}", 1), ("a = {b = 1", 1),
        ("a = 1\rb = 2", 1), ("\u{00}", 1),
        ("a = " + String(repeating: "[", count: 100), 1), ("a = " + String(repeating: "{a=", count: 100), 1),
        (String(repeating: "a.", count: 100_000) + "a = 1", 1),
        ("[" + String(repeating: "a.", count: 100_000) + "a]", 1),
    ]

    @Test func reportsMistakesAndTheirLine() {
        for (text, line) in TOMLParserTests.mistakes {
            let problem = #expect(throws: TOMLProblem.self, "\(text)") { try TOMLParser.parse(text) }
            #expect(problem?.line == line, "\(text): \(problem?.message ?? "")")
        }
    }

    @Test func recordsTheLineOfEachValue() throws {
        let table = try TOMLParser.parse("a = 1\n\n[t]\nb = [\n1,\n2]\nc = \"\"\"\nx\n\"\"\"\nd = 1")
        #expect(table["a"]?.line == 1 && table["t"]?.line == 3)
        let inner = try #require(table["t"]?.table)
        #expect(inner["b"]?.line == 4 && inner["c"]?.line == 7 && inner["d"]?.line == 10)
        #expect(inner["b"]?.array?.map(\.line) == [5, 6])
    }
}
