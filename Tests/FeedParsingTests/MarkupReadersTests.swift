import Foundation
import Testing

@testable import FeedParsing

/// The strict and the lenient markup reader, event by event.
@Suite struct MarkupReadersTests {
    /// Records the events of a reader.
    private final class Recorder: MarkupHandler {
        var log = ""
        var starts = 0

        func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
            starts += 1
            log += "<" + ([name.local] + attributes.map { "\($0.name.local)=\($0.value)" }).joined(separator: " ") + ">"
        }
        func endElement(_ name: MarkupName) { log += "</\(name.local)>" }
        func text(_ bytes: UnsafeBufferPointer<UInt8>) { log += String(decoding: bytes, as: UTF8.self) }
        func documentIsCutOff() { log += "|cut|" }
    }

    private func loose(_ text: String) -> Recorder {
        let recorder = Recorder()
        LooseXMLReader.read(Array(text.utf8), into: recorder)
        return recorder
    }

    private func strict(_ text: String) -> (recorder: Recorder, problems: [FeedProblem]) {
        let recorder = Recorder()
        let problems = XMLReader.read(Array(text.utf8), into: recorder)
        return (recorder, problems)
    }

    /// Well-formed documents with their events.
    private static let sound: [(String, String)] = [
        ("<a>x</a>", "<a>x</a>"), ("<A>x</A>", "<a>x</a>"), ("<a/>", "<a></a>"), ("<a />", "<a></a>"),
        ("<a b=\"1\" c='2'/>", "<a b=1 c=2></a>"), ("<a B='x'/>", "<a b=x></a>"), ("<a b = 'x'/>", "<a b=x></a>"),
        ("<a b='x>y'/>", "<a b=x>y></a>"), ("<a b='\"'/>", "<a b=\"></a>"),
        ("<a b='&lt;&amp;&quot;&apos;&#65;'/>", "<a b=<&\"'A></a>"), ("<a>&lt;&amp;&#x42;&gt;</a>", "<a><&B></a>"),
        ("<a><![CDATA[<b>&amp;]]]></a>", "<a><b>&amp;]</a>"), ("<a>x<!-- <b> -->y</a>", "<a>xy</a>"),
        ("<a>x<?pi b ?>y</a>", "<a>xy</a>"),
        ("<?xml version='1.0'?><!DOCTYPE a><a><b>x</b><b/>y</a>", "<a><b>x</b><b></b>y</a>"),
        ("<a-b.c_1/>", "<a-b.c_1></a-b.c_1>"), ("<é/>", "<é></é>"), ("<a>\n x\t</a>", "<a>\n x\t</a>"),
        ("<x:a x:b='1' xmlns:x='urn:x'/>", "<a b=1></a>"),
    ]

    @Test func bothReadersAgreeOnWellFormedDocuments() {
        for (text, log) in Self.sound {
            #expect(loose(text).log == log, "\(text)")
            let (recorder, problems) = strict(text)
            #expect(recorder.log == log && problems.isEmpty, "\(text): \(problems)")
        }
    }

    /// Of the prefixes in force, the first thousand apply, and an inner declaration applies inside its element only.
    @Test func limitsPrefixesInForce() {
        final class Vocabularies: MarkupHandler {
            var found: [Vocabulary] = []
            func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) { found.append(name.vocabulary) }
        }
        func vocabularies(_ text: String) -> [Vocabulary] {
            let handler = Vocabularies()
            LooseXMLReader.read(Array(text.utf8), into: handler)
            return handler.found
        }
        let (core, geo) = ("http://purl.org/dc/elements/1.1/", "http://www.georss.org/georss")
        #expect(
            vocabularies("<a xmlns:q='\(core)'><b xmlns:q='\(geo)'><q:c/></b><q:c/><d xmlns:q=''><q:c/></d></a>")
                == [.none, .none, .geo, .dublinCore, .none, .dublinCore])
        let many = (0..<10).map { outer in
            "<a " + (0..<100).map { "xmlns:p\(outer)x\($0)='\(geo)' " }.joined() + ">"
        }.joined()
        #expect(vocabularies(many + "<p9x99:b/>").last == .geo)
        #expect(vocabularies(many + "<a xmlns:q='\(core)'><q:b/>").last == .other)
        #expect(vocabularies("<q:a xmlns:q='\(core)\(String(repeating: "x", count: 200))'/>") == [.other])
    }

    private static let broken: [(String, String)] = [
        ("<a>x", "<a>x|cut|</a>"), ("<a><b>x", "<a><b>x|cut|</b></a>"), ("<a><b>x</a>", "<a><b>x</b></a>"),
        ("</b>x", "x"), ("<a>x</c>y</a>", "<a>xy</a>"), ("<a>x</A>", "<a>x</a>"), ("<a>x</a", "<a>x</a>"),
        ("<a>x</a<b/>", "<a>x</a><b></b>"), ("<a b=1 c d='2'>x</a>", "<a b=1 c= d=2>x</a>"),
        ("<a b=1 b=2/>", "<a b=2></a>"), ("<a href=http://x/y/>z", "<a href=http://x/y></a>z"),
        ("<a href=/x/y>z</a>", "<a href=/x/y>z</a>"), ("<a b=\"x>y</a>", "<a b=\"x>y</a>"),
        ("<a b=", "<a b=>|cut|</a>"), ("<a b", "<a b=>|cut|</a>"), ("<a", "<a>|cut|</a>"),
        ("<a <b>x</b>", "<a><b>x</b>|cut|</a>"), ("a < b", "a < b"), ("<1>", "<1>"), ("<", "<"),
        ("a & b &; &nosuch; &amp &eacute;&#233;&#xE9;", "a & b &; &nosuch; &amp ééé"),
        ("<a b='&nosuch;&'/>", "<a b=&nosuch;&></a>"), ("<![CDATA[x</a>", "x"), ("<a><![CDATA[x</a>", "<a>x</a>"),
        ("<![CDATA[x", "x"), ("<!-- x > y", " y"), ("x<!-- y", "x"), ("x<!---->y", "xy"), ("x<!-- y -- > z -->w", "xw"),
        ("x<? y", "x"), ("x<!DOCTYPE y [<!ENTITY a 'b'> ]>z", "xz"), ("x<!y", "x"), ("a\u{1}b\u{0}c\td", "abc\td"),
        // The next field or item ends one whose end tag is missing.
        ("<item><title>a<link>b</link></item>", "<item><title>a</title><link>b</link></item>"),
        ("<item>a<item>b</item>", "<item>a</item><item>b</item>"),
        ("<entry><id>a</id><entry>b", "<entry><id>a</id></entry><entry>b|cut|</entry>"),
        (
            "<item><description>a<link>b</link></description></item>",
            "<item><description>a<link>b</link></description></item>"
        ),
        ("<title>a<b>c</b></title>", "<title>a<b>c</b></title>"),
        ("<item><guid>a<item>b</item>", "<item><guid>a</guid></item><item>b</item>"),
    ]

    @Test func readsMalformedMarkup() {
        for (text, log) in Self.broken { #expect(loose(text).log == log, "\(text): \(loose(text).log)") }
        for first in ["title", "link", "guid", "pubDate", "comments", "enclosure"] {
            for next in [
                "title", "link", "guid", "pubDate", "comments", "description", "content:encoded", "enclosure", "item",
                "entry",
            ] {
                let local = (next.split(separator: ":").last ?? "").lowercased()
                let log = loose("<\(first)>x<\(next)>y").log
                #expect(
                    log == "<\(first.lowercased())>x</\(first.lowercased())><\(local)>y|cut|</\(local)>",
                    "\(first) \(next): \(log)")
            }
        }
    }

    @Test func limitsAttributesAndDepth() {
        let many = (1...101).map { "a\($0)=\($0)" }.joined(separator: " ")
        #expect(loose("<x \(many)/>").log.contains(" a100=100></x>"))
        for (depth, starts, isSound) in [(255, 255, true), (256, 256, true), (257, 256, false)] {
            let text = String(repeating: "<x>", count: depth) + String(repeating: "</x>", count: depth)
            #expect(loose(text).starts == starts && strict(text).recorder.starts == starts)
            #expect(strict(text).problems.isEmpty == isSound)
        }
        #expect(
            strict(String(repeating: "<x>", count: 300)).problems.first?.message
                == "elements are nested more than 256 levels deep")
    }

    @Test func readsLongPartsWithinTheLimits() {
        let text = String(repeating: "x", count: 240 << 10)
        for document in [
            "<!--\(text)--><a/>", "<a b='\(text)'/>", "<a><!--\(text)\(text)--></a>", "<a>\(text)\(text)</a>",
        ] {
            let (recorder, problems) = strict(document)
            #expect(problems.isEmpty && recorder.log.hasPrefix("<a") && recorder.log.hasSuffix("</a>"))
        }
        #expect(strict("<a>" + String(repeating: "&nosuch;", count: 100) + "</a>").problems.count == 20)
    }

    // MARK: Entities

    private func declared(_ declarations: String, _ use: String) -> String {
        strict("<!DOCTYPE a [\(declarations)]><a>\(use)</a>").recorder.log
    }

    @Test func expandsShortPlainEntities() {
        for (length, isRead) in [(1, true), (256, true), (257, false)] {
            let text = String(repeating: "x", count: length)
            #expect(declared("<!ENTITY e '\(text)'>", "&e;").contains(text) == isRead, "\(length)")
        }
        #expect(declared("<!ENTITY e 'one'><!ENTITY e 'two'>", "&e;") == "<a>one</a>")
        #expect(
            !declared("<!ENTITY e '&#60;b>'>", "&e;").contains("<b>")
                && !declared("<!ENTITY f 'x'><!ENTITY e '&#38;f;'>", "&e;").contains("x"))
        #expect(declared("<!ENTITY e SYSTEM '/etc/hostname'>", "&e;") == "<a></a>")
        #expect(declared("<!ENTITY x 'y'>", "&eacute;&hellip;&amp;&x;") == "<a>é…&y</a>")
        let many = (1...65).map { "<!ENTITY e\($0) 'v\($0)'>" }.joined()
        #expect(declared(many, "&e64;") == "<a>v64</a>" && !declared(many, "&e65;").contains("v65"))
    }

    @Test func limitsTheUsesOfEntities() {
        let log = declared("<!ENTITY e 'xy'>", String(repeating: "&e; ", count: 10_001))
        // libxml2 looks some of them up twice.
        #expect((9_990...10_000).contains(log.components(separatedBy: "xy").count - 1))
    }
}
