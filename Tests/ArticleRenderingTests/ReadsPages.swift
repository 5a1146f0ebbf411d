import Articles
import Testing

/// The events of the HTML reader, and the limits on costly pages.
@Suite struct ReadsPages {
    private final class Recorder: HTMLHandler {
        var log = ""
        var depth = 0
        var starts = 0
        var texts: [Int] = []
        var maximum = Int.max
        var inspect: (HTMLTag, HTMLAttributes) -> Void = { _, _ in }

        func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
            starts += 1
            depth += 1
            inspect(tag, attributes)
            if starts <= 1000 { log += "<\(tag == .other ? attributes.elementName : tag.rawValue)>" }
        }
        func endElement(_ tag: HTMLTag) {
            depth -= 1
            if starts <= 1000 { log += "</\(tag.rawValue)>" }
        }
        func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
            texts.append(bytes.count)
            if starts <= 1000 { log += String(decoding: bytes, as: UTF8.self) }
        }
        var wantsMore: Bool { starts < maximum }
    }

    private func read(_ html: String) -> (log: String, cut: HTMLReader.Cut?) {
        let recorder = Recorder()
        let cut = HTMLReader.read(html, in: "<html><body>", to: recorder)
        #expect(recorder.depth == 0)
        return (recorder.log, cut)
    }

    @Test func balancesElements() {
        for (html, log) in [
            ("<div>a<b>b</div>c", "<div>a<b>b</b></div>"), ("<div>a</b>b</div>", "<div>ab</div>"),
            ("<div><p>a<p>b</div>", "<div><p>a</p><p>b</p></div>"),
            ("<div>a<br>b<img></div>", "<div>a<br></br>b<img></img></div>"),
            ("<div>a &amp; &eacute;&#128690; &lt;b></div>", "<div>a & é🚲 <b></div>"),
            ("<div>a\u{0}b</div>", "<div>ab</div>"), ("<DIV>a</DIV>", "<div>a</div>"),
            ("<div><x-y>a</x-y></div>", "<div><x-y>a</other></div>"),
            ("<div><script>a<b></script></div>", "<div><script>a<b></script></div>"),
            ("<div><!-- a -->b</div>", "<div>b</div>"), ("<div><b><i>a</b></i>b</div>", "<div><b><i>a</i></b>b</div>"),
        ] {
            let found = read(html)
            #expect(found.log.hasPrefix("<html><body>" + log) && found.cut == nil, "\(html): \(found.log)")
        }
    }

    @Test func readsAttributesByName() {
        let recorder = Recorder()
        var seen: [String] = []
        recorder.inspect = { tag, attributes in
            guard tag == .a || tag == .b else { return }
            seen.append(
                "\(attributes["href"] ?? "-") \(attributes["hidden"] ?? "-") \(attributes.isEmpty) "
                    + attributes.all.map { "\($0.name)=\($0.value)" }.joined(separator: ","))
        }
        _ = HTMLReader.read("<a HREF='x&amp;y' hidden title=\"z\">q</a><b>w</b><a hrefs=1 hre=2>v</a>", to: recorder)
        #expect(seen == ["x&y  false href=x&y,hidden=,title=z", "- - true ", "- - false hrefs=1,hre=2"])
    }

    /// Lengths around the sizes of the parser's and the reader's buffers.
    @Test func joinsTextAcrossBuffers() {
        for length in [10, 255, 256, 257, 3999, 4000, 4001, 4096, 4097, 8000, 16_384, 40_000] {
            for letter in ["a", "é", "🚲", "a &amp; é "] {
                let text = String(repeating: letter, count: length)
                let recorder = Recorder()
                _ = HTMLReader.read("<p>x" + text + "</p>", to: recorder)
                let expected = "x" + text.replacing("&amp;", with: "&")
                #expect(recorder.log.contains("<p>" + expected + "</p>"), "\(letter) \(length)")
            }
        }
        // Long text after short parts stays behind them.
        let mixed = String(repeating: "a&amp;" + String(repeating: "x", count: 300), count: 30)
        let order = Recorder()
        _ = HTMLReader.read("<p>" + mixed + "</p>", to: order)
        #expect(order.log.contains("<p>" + mixed.replacing("&amp;", with: "&") + "</p>"))
        // Small parts are combined.
        let recorder = Recorder()
        _ = HTMLReader.read("<p>" + String(repeating: "a&amp;", count: 5000) + "</p>", to: recorder)
        #expect(
            recorder.texts.count < 10 && recorder.texts.allSatisfy { $0 < 5_000 }
                && recorder.texts.reduce(0, +) == 10_000)
    }

    @Test func stopsWhenTheHandlerAsks() {
        let recorder = Recorder()
        recorder.maximum = 100
        let cut = HTMLReader.read(String(repeating: "<p>a</p>", count: 100_000), to: recorder)
        #expect(cut == nil && recorder.starts >= 100 && recorder.starts < 20_000 && recorder.depth == 0)
    }

    @Test func cutsCostlyPages() {
        for (html, cut) in [
            ("<p>" + String(repeating: "x", count: 100_000), nil),
            ("<p " + (0..<5_000).map { "a\($0)" }.joined(separator: " ") + ">x", nil),
            ("<p " + (0..<20_000).map { "a\($0)" }.joined(separator: " ") + ">x", .attributes),
            (
                String(repeating: "<p " + (0..<1_000).map { "a\($0)" }.joined(separator: " ") + ">", count: 250),
                .attributes
            ),
            (String(repeating: "<b>", count: 400) + "x", nil), (String(repeating: "<b>", count: 60_000), .depth),
            (String(repeating: "<i>", count: 2_500) + String(repeating: "<u></u>", count: 20_000), .depth),
            (String(repeating: "<", count: 2_200_001), .markup), (String(repeating: "< ", count: 2_200_000), nil),
            (String(repeating: "x", count: HTMLReader.maximumBytes), nil),
            (String(repeating: "x", count: HTMLReader.maximumBytes + 1), .size),
        ] as [(String, HTMLReader.Cut?)] {
            let recorder = Recorder()
            #expect(HTMLReader.read(html, in: "<body>", to: recorder) == cut, "\(html.prefix(20)) \(html.utf8.count)")
            #expect(recorder.depth == 0)
        }
    }

    @Test func recognizesHidingStyles() {
        for style in [
            "display:none", "DISPLAY : NONE", "color:red;display:\nnone", "visibility:hidden",
            "visibility: hidden !important", "a:b;visibility :hidden",
        ] { #expect(HTMLStyle.hides(style), "\(style)") }
        for style in [
            "", "display:block", "overflow:hidden", "visibility:visible", "content:none",
            "display:inline;content:'none'",
        ] { #expect(!HTMLStyle.hides(style), "\(style)") }
    }

    @Test func classifiesTags() {
        for tag in HTMLTag.allCases {
            #expect(tag.isHeading == ["h1", "h2", "h3", "h4", "h5", "h6"].contains(tag.rawValue))
            let isVoid = [
                "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
                "wbr",
            ].contains(tag.rawValue)
            #expect(tag.isVoid == isVoid)
        }
    }
}
