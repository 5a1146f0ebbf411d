import Testing

@testable import RaceCentre

@Suite struct JSONReadingTests {
    private func node(_ text: String) -> JSONNode? { (try? JSONDocument(Array(text.utf8)))?.root }

    @Test func readsValuesLeniently() throws {
        let root = try #require(
            node(
                #"""
                {"a": 12, "b": "5,1", "c": "5.4", "d": -0.5, "e": "x", "f": null, "g": true, "h": "Zo\u00eb \ud83d\ude00 \ud83dx",
                 "i": 1.5e3, "j": 1e999, "k": 12345678901234567890, "l": "  Vila\n", "m": [1, [2], {"n": 3}], "o": "2"}
                """#))
        #expect(
            root["a"]?.whole == 12 && root["b"]?.number == 5.1 && root["c"]?.number == 5.4 && root["d"]?.number == -0.5)
        #expect(root["e"]?.number == nil && root["f"] == nil && root["g"]?.bool == true && root["o"]?.whole == 2)
        #expect(root["h"]?.text == "Zoë 😀 \u{FFFD}x" && root["l"]?.text == "Vila")
        #expect(root["i"]?.whole == 1500 && root["j"]?.number == nil && root["k"]?.whole == nil)
        #expect(root["m"]?.items.map(\.whole) == [1, nil, nil] && root["m"]?["n"] == nil && root["zz"] == nil)
        #expect(root["a"]?.text == nil && Array(root["a"]!.items).isEmpty)
    }

    @Test func rejectsIncompleteAndForeignDocuments() {
        for text in [
            "", "[", "[1,", "{\"a\"", "{\"a\":}", "[1]]", "[1 2]", "\"x", "\"x\\", "tru", "{1:2}", "<html>", "[,]",
        ] {
            #expect(throws: JSONDocument.Failure.invalid, "\(text)") { try JSONDocument(Array(text.utf8)) }
        }
        let whole = Invented.body(Invented.stage(1), Invented.stage(2))
        for count in 1..<whole.count {
            #expect(throws: JSONDocument.Failure.invalid) { try JSONDocument(Array(whole.prefix(count))) }
        }
    }

    @Test func limitsNestingAndSize() {
        #expect(throws: JSONDocument.Failure.tooLarge) {
            try JSONDocument(Array(String(repeating: "[", count: 100_000).utf8))
        }
        #expect(throws: JSONDocument.Failure.tooLarge) {
            try JSONDocument([UInt8](repeating: 0x20, count: JSONDocument.maximumBytes + 1))
        }
        #expect(throws: JSONDocument.Failure.tooLarge) {
            try JSONDocument(Array(("[0" + String(repeating: ",0", count: 1_000_001) + "]").utf8))
        }
    }

    @Test func cutsLongTextsAtWholeCharacters() {
        let text = node("\"" + String(repeating: "é", count: 2000) + "\"")?.text
        #expect(text?.utf8.count == 1000 && text?.allSatisfy { $0 == "é" } == true)
    }

    @Test func cleansMarkup() {
        #expect(
            PlainText.text(ofHTML: "One.<br />\nTwo &amp; <a href=\"x\">three</a> &#233;&#xE9; &nope; &", upTo: 100)
                == "One. Two & three éé &nope; &")
        for (html, text) in [
            ("a < b", "a < b"), ("Gap < 10 s", "Gap < 10 s"), ("a<b", "a<b"), ("x <3", "x <3"), ("x <3 y>", "x <3 y>"),
            ("<", "<"), ("a <", "a <"), ("a<b <i>c</i> d<e", "a<b c d<e"), ("1 < 2 > 0", "1 < 2 > 0"), ("<p>x", "x"),
            ("a > b", "a > b"), ("<br/>x<!-- y -->z", "x z"), ("<p>a<b</p>c", "a<b c"), ("a<é>", "a<é>"),
            ("a &lt; <b>b</b>", "a < b"),
        ] {
            #expect(PlainText.text(ofHTML: html, upTo: 100) == text, "\(html)")
        }
        // Each character is looked at a limited number of times.
        let many = String(repeating: "<a", count: 200_000)
        #expect(PlainText.text(ofHTML: many + ">", upTo: 4) == "<a<a")
        #expect(PlainText.text(ofHTML: many, upTo: 4) == "<a<a")
        #expect(PlainText.name(fromCapitals: "DEL TORO") == "Del Toro")
        #expect(PlainText.name(fromCapitals: "O’BRIEN") == "O’Brien")
        #expect(PlainText.name(fromCapitals: "MCNULTY") == "McNulty")
        #expect(PlainText.name(fromCapitals: "van Aert") == "van Aert")
        #expect(PlainText.repaired("TÃªte") == "Tête" && PlainText.repaired("Tête Ã") == "Tête Ã")
    }

    /// Texts are shown in lines.
    @Test func replacesControlCharacters() {
        #expect(node(#"" a\nb\u0001c\td ""#)?.text == "a b c d")
        #expect(node("\"a\u{1}b\"")?.text == "a b")
    }
}
