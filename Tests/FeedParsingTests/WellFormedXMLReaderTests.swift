import CommonTesting
import Foundation
import Testing

@testable import FeedParsing

/// The quick reader of well-formed documents, compared to libxml2 event by event.
@Suite struct WellFormedXMLReaderTests {
    /// Records the events of a reader with all that they contain.
    private final class Recorder: MarkupHandler {
        var log = ""

        private func describe(_ name: MarkupName) -> String { "\(name.vocabulary) \(name.local) \(name.written)" }

        func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
            log += "{start \(describe(name))"
            for attribute in attributes { log += "[\(describe(attribute.name))=\(attribute.value)]" }
            log += "}"
        }
        func endElement(_ name: MarkupName) { log += "{end \(describe(name))}" }
        func text(_ bytes: UnsafeBufferPointer<UInt8>) { log += String(decoding: bytes, as: UTF8.self) }
        func documentIsCutOff() { log += "{cut}" }
    }

    /// Reads a document with both readers. The quick one may give up, but otherwise both must agree.
    ///
    /// - Returns: Whether the quick reader has read the document.
    @discardableResult
    private func compare(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
        let (quick, strict) = (Recorder(), Recorder())
        guard WellFormedXMLReader.read(bytes, into: quick) else { return false }
        let problems = XMLReader.read(bytes, into: strict)
        let text = String(decoding: bytes.prefix(2000), as: UTF8.self)
        #expect(problems.isEmpty, "\(problems) in \(text)", sourceLocation: sourceLocation)
        #expect(quick.log == strict.log, "\(text)", sourceLocation: sourceLocation)
        return true
    }

    private static let read = [
        "<a/>", "<a></a >", "<A b='1' C=\"2\"\n/>\n",
        "<a b = '&lt;x&gt; &amp;amp; &quot;&apos; &#233;&#xE9; é\t\r\n'/>",
        "<a>&lt;b&gt; &amp;amp; &#10;&#13;é &#x1F6B4;</a>", "<a>one\r\ntwo\rthree\r\r\n</a>",
        "<a><![CDATA[<b>]] ]> &amp;\r\n]]]></a>", "<a><![CDATA[]]>x<!-- <b> & --><?pi <b?>y<?pi?></a>",
        "<?xml version=\"1.0\"?><a/>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<!-- c --><a/><!-- d --> ",
        "<?xml version='1.0' standalone='no'?><?xml-stylesheet href='x'?><a/>",
        "<a xmlns='http://www.w3.org/2005/Atom' xmlns:d='http://purl.org/dc/elements/1.1/'><d:b d:c='1' xml:lang='de'"
            + " xml:base='x'/><e xmlns=''><d:f/></e><g/></a>",
        "<x:a xmlns:x='http://www.w3.org/2005/Atom'><a xmlns:x='http://example.org/x#y'><x:b/></a><x:b/></x:a>",
        "<a>]] ]&gt; \u{7F} \u{FFFD}\u{E000}</a>", "<a_b-c.d1/>", "<a>>\"'</a>", "<a b='>\"]]>'/>",
    ]

    private static let left = [
        "", " <a/>", "x<a/>", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>x", "<a/></a>", "<a>x", "<!DOCTYPE a><a/>",
        "<a>&nbsp;</a>", "<a>&</a>", "<a>& b;</a>", "<a>&#0;</a>", "<a>&#xFFFF;</a>", "<a>&#xD800;</a>", "<a>&#;</a>",
        "<a>&#x;</a>", "<a>&#+1;</a>", "<a>&#X41;</a>", "<a>]]></a>", "<a b='<'/>", "<a b='&x;'/>", "<a b=c/>",
        "<a b/>", "<a b='1'c='2'/>", "<a b='1' b='2'/>", "<a b='x/>", "<a / >", "<a><!-- -- --></a>",
        "<a><!-- ---></a>", "<a><!-- </a>", "<a><![CDATA[</a>", "<![CDATA[x]]><a/>", "<a><?xml x?></a>",
        "<a><?p:q x?></a>", "<a><?p</a>", "<?xml version='1.1'?><a/>", "<?xml encoding='utf-8'?><a/>",
        "<?xml version='1.0' encoding='8'?><a/>", "<?xml version='1.0' standalone='maybe'?><a/>",
        "<?xml version='1.0'><a/>", "<a>\u{1}</a>", "<a>\u{FFFF}</a>", "<a>\u{FFFE}</a>", "<a b='\u{0}'/>", "<p:a/>",
        "<a p:b='1'/>", "<a:b:c/>", "<:a/>", "<a:/>", "<1/>", "<a xmlns:p=''/>", "<a xmlns:p='a b'/>",
        "<a xmlns:xml='http://example.org/'/>", "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
        "<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "<a xmlns:p='http://example.org/##'/>", "<é/>",
        "<a xmlns:p='http://example.org/' xmlns:q='http://example.org/' p:b='' q:b=''/>", "<a b='1' B='2'/>",
    ]

    @Test func readsWellFormedDocumentsAsLibxml2Does() {
        for text in Self.read { #expect(compare(Array(text.utf8)), "\(text)") }
        // Everything else is left to libxml2, whether it is an error there or only rare.
        for text in Self.left { #expect(!compare(Array(text.utf8)), "\(text)") }
    }

    @Test func leavesDocumentsBeyondTheLimitsToLibxml2() {
        for (depth, isRead) in [(256, true), (257, false)] {
            let text = String(repeating: "<x>", count: depth) + String(repeating: "</x>", count: depth)
            #expect(compare(Array(text.utf8)) == isRead, "\(depth)")
        }
        for (count, isRead) in [(100, true), (101, false)] {
            let text = "<a" + (0..<count).map { " a\($0)=''" }.joined() + "/>"
            #expect(compare(Array(text.utf8)) == isRead, "\(count)")
        }
        for (names, isRead) in [(19_000, true), (20_001, false)] {
            let text = "<a>" + (0..<names).map { "<a\($0)/>" }.joined() + "</a>"
            #expect(compare(Array(text.utf8)) == isRead, "\(names)")
        }
        for (count, isRead) in [(10, true), (11, false)] {
            let names = (0..<100).map { " xmlns:a\($0)='http://a.example/'" }.joined()
            let text = String(repeating: "<a\(names)>", count: count) + String(repeating: "</a>", count: count)
            #expect(compare(Array(text.utf8)) == isRead, "\(count)")
        }
        let long = String(repeating: "x", count: XMLReader.maximumTag)
        for text in [
            "<a b='\(long)'/>", "<!--\(long)--><a/>", "<?p \(long)?><a/>",
            String(repeating: "<?p?>\n", count: 50_000) + "<a/>",
        ] {
            #expect(!compare(Array(text.utf8)))
        }
        #expect(compare(Array("<a>\(long)<![CDATA[\(long)]]></a>".utf8)))
    }

    /// Documents with random changes, most of which are errors.
    @Test(arguments: 1...8) func neverReadsWhatLibxml2Rejects(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "<", ">", "&", ";", "/", "'", "\"", "=", "!", "-", "--", "[", "]", "]]>", "?", " ", "\r\n", "\r", ":", "#",
            "x", "xml", "xmlns", "xmlns:a=''", "<a>", "</a>", "<a/>", "é", "\u{1}", "&#38;", "&amp;", "<![CDATA[",
            "<!--", "-->", "<?a", "?>", "1",
        ].map { Array($0.utf8) }
        var read = 0
        for _ in 0..<1500 {
            var bytes = Array(Self.read.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...2, using: &random))
                bytes.replaceSubrange(
                    start..<end, with: Bool.random(using: &random) ? parts.randomElement(using: &random)! : [])
            }
            // Readers receive valid UTF-8.
            if compare(Array(String(decoding: bytes, as: UTF8.self).utf8)) { read += 1 }
        }
        #expect(read > 100)
    }
}
