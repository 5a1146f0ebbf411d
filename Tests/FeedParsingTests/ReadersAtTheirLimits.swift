import Foundation
import Testing

@testable import FeedParsing

/// Readers at the last value that they accept and the first that they reject.
@Suite struct ReadersAtTheirLimits {
    // MARK: Encodings

    /// A few invalid bytes don't change the encoding: sixteen, plus one for each two hundred bytes.
    @Test(arguments: [
        (400, 18, true), (400, 19, false), (4000, 36, true), (4000, 37, false), (150, 16, true), (150, 17, false),
    ])
    func replacesInvalidBytes(length: Int, bad: Int, isTaken: Bool) {
        // Half-width katakana, and bytes that CP932 lacks.
        var bytes = Array(repeating: UInt8(0xB1), count: length - bad)
        for index in 0..<bad { bytes.insert(0xFF, at: index * 3) }
        let document = TextDecoding.decode(bytes, contentType: "text/xml; charset=shift_jis")
        #expect((document.problem == "\(bad) bytes are not valid CP932") == isTaken, "\(document.problem ?? "")")
        guard isTaken else { return }
        let text = String(decoding: document.utf8, as: UTF8.self)
        #expect(text.hasPrefix("\u{FFFD}ｱｱ\u{FFFD}ｱｱ") && text.unicodeScalars.count == length)
        #expect(text.unicodeScalars.count { $0 == "\u{FFFD}" } == bad)
    }

    /// Values that are no characters, which iconv converts to four bytes all the same.
    @Test(arguments: [0x11_0000, 0x1F_FFFF, 0x7FFF_FFFF] as [UInt32]) func decodesOnlyToValidUTF8(value: UInt32) {
        let values = " <rss>é".unicodeScalars.map(\.value) + [value] + "</rss>".unicodeScalars.map(\.value)
        let bytes = values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        let document = TextDecoding.decode(bytes, contentType: "text/xml; charset=UCS-4BE")
        #expect(String(validating: document.utf8, as: UTF8.self)?.hasPrefix(" <rss>é\u{FFFD}") == true)
    }

    /// Names in iconv's spelling, and with the other separator.
    @Test(arguments: [("koi8_r", [UInt8(0xF0), 0xD2, 0xC9], "При"), ("iso_8859-5", [0xBF, 0xE0, 0xD8], "При")])
    func readsEncodingNames(name: String, bytes: [UInt8], text: String) {
        let document = TextDecoding.decode(bytes, contentType: "text/xml; charset=\(name)")
        #expect(String(decoding: document.utf8, as: UTF8.self) == text)
    }

    /// A document without a stated encoding is recognised by its letters if enough of them belong to one script.
    @Test(arguments: [
        ("EUC-JP", "ひらがなとカタカナのぶんしょうです、よめますか"), ("CP932", "ひらがなとカタカナのぶんしょうです、よめますか"),
        ("CP949", "한국어로쓰인문장입니다읽을수있습니까"), ("GB18030", "这是用简体中文写的句子，标点也在内。「好」"),
    ]) func guessesTheEncodingFromLetters(name: String, text: String) throws {
        let bytes = try #require(encoded(text, as: name))
        let document = TextDecoding.decode(bytes, contentType: nil)
        #expect(String(decoding: document.utf8, as: UTF8.self) == text)
        #expect(document.problem == "the encoding is not declared; it was guessed")
    }

    // MARK: Dates

    /// Every day of eight centuries survives a round trip.
    @Test func countsDaysOverManyYears() {
        var day = Int64(-135_140)  // 1600-01-01
        for year in 1600..<2400 {
            for month in 1...12 {
                let length = [
                    31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31,
                    30, 31,
                ][month - 1]
                for date in [1, length] {
                    let number = day + Int64(date - 1)
                    let civil = Timestamp.civil(number)
                    #expect(civil == (Int64(year), Int64(month), Int64(date)))
                    #expect(DateParser.instant(year: year, month: month, day: date)?.seconds == number * 86_400)
                }
                day += Int64(length)
            }
        }
    }

    @Test(arguments: [
        ("  2026-03-05T10:00:00Z ", "2026-03-05T10:00:00Z"), ("\t\t2026-03-05", "2026-03-05T00:00:00Z"),
        ("2026-03-05T10:00:00 Z", "2026-03-05T10:00:00Z"), ("2026-03-05T10:00:00  +02:00", "2026-03-05T08:00:00Z"),
        ("5.1.2023", "2023-01-05T00:00:00Z"), ("5 March 2023 at 10:00", "2023-03-05T10:00:00Z"),
        ("5 March 2023 EST 10:00", "2023-03-05T15:00:00Z"), ("5 Mar 2023 10:00:00.1+0200", "2023-03-05T08:00:00Z"),
        ("5 Mar 2023 10:00:00.12+0200", "2023-03-05T08:00:00Z"),
        ("5 Mar 2023 10:00:00.123 GMT", "2023-03-05T10:00:00Z"),
        ("5 Mar 2023 10:00 -", "2023-03-05T10:00:00Z"), ("2026-03-05T10:00:00+18:00", "2026-03-04T16:00:00Z"),
    ]) func readsFaultyDates(text: String, expected: String) {
        #expect(DateParser.parse(text).map(Timestamp.rfc3339) == expected)
    }

    @Test func limitsTimeZoneOffsets() {
        func instant(_ offset: Int) -> Instant? { DateParser.instant(year: 2026, month: 1, day: 2, offset: offset) }
        #expect(instant(64_800) != nil && instant(-64_800) != nil && instant(64_801) == nil && instant(-64_801) == nil)
    }

    // MARK: Feeds

    private func entry(_ text: String) throws -> ParsedEntry {
        try #require(try FeedParser.parse(Array(text.utf8), base: "https://f.example/").feed.entries.first)
    }

    @Test func identifiesRDFItemsByAbout() throws {
        let item = try entry(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel rdf:about="https://f.example/"/><item rdf:about=" urn:x:1 "><link>https://f.example/1</link></item></rdf:RDF>
            """)
        #expect(item.id == "urn:x:1")
    }

    @Test(arguments: [
        ("image/png", true), ("application/octet-stream", true), ("application/xml", false), ("image/svg+xml", false),
        ("text/x", false), ("html", false), ("other", false),
    ]) func decodesBase64Content(type: String, isEncoded: Bool) throws {
        let content = Data("hello there".utf8).base64EncodedString()
        let item = try entry(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><content type='\(type)'>\(content)</content></entry></feed>"
        )
        let text = (item.contentHTML ?? "") + (item.contentText ?? "")
        #expect(text.contains(content) != isEncoded, "\(text)")
    }

    /// Typepad's form: a div around escaped markup.
    @Test func readsEscapedMarkupInADiv() throws {
        func html(_ content: String) throws -> String? {
            try entry(
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>\(content)</entry></feed>"
            ).contentHTML
        }
        let wrapped = try html(
            "<content type='html'> <div xmlns='http://www.w3.org/1999/xhtml'>&lt;p&gt;x&lt;/p&gt;</div></content>")
        #expect(wrapped?.contains("<p>x</p>") == true && wrapped?.contains("&lt;") == false)
    }

    @Test func keepsFeedPicturesFromEntries() throws {
        let feed = try FeedParser.parse(
            Array(
                """
                <rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
                <channel><title>T</title><media:thumbnail url="https://f.example/feed.png"/>
                <item><guid>1</guid><itunes:category text="Sport"/></item>
                <item><guid>2</guid><media:thumbnail url="https://f.example/two.png"/></item></channel></rss>
                """.utf8), base: "https://f.example/"
        ).feed
        #expect(feed.entries.map(\.image) == [nil, "https://f.example/two.png"])
        #expect(feed.entries.map(\.tags) == [["Sport"], []])
    }

    @Test func truncatesTitles() throws {
        let long = String(repeating: "word ", count: 20_000)
        let item = try entry("<rss><channel><item><guid>1</guid><title>\(long)</title></item></channel></rss>")
        #expect((item.title?.utf8.count ?? 0) <= longestTitle && item.title?.hasPrefix("word word") == true)
    }

    /// Web pages come first among the links of an entry.
    @Test(arguments: [
        ("gemini://g.example/1", "text/gemini", "https://f.example/1.html", "text/html"),
        ("https://f.example/1.pdf", "application/pdf", "https://f.example/1", ""),
        ("gemini://g.example/1", "", "https://f.example/1.pdf", "application/pdf"),
    ]) func choosesTheBestAlternateLink(other: String, otherType: String, best: String, bestType: String) throws {
        for pair in [[(other, otherType), (best, bestType)], [(best, bestType), (other, otherType)]] {
            let links = pair.map { address, type in
                "<link rel='alternate' href='\(address)'\(type.isEmpty ? "" : " type='\(type)'")/>"
            }
            let item = try entry(
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>\(links.joined())</entry></feed>")
            #expect(item.link == best)
        }
    }

    @Test func keepsInvalidReferences() throws {
        let item = try entry(
            "<rss><channel><item><guid>1</guid><description>a &; b &amp; c & d &lt;</description><x></y></item></channel></rss>"
        )
        #expect(item.contentHTML == "a &; b & c & d <" || item.summary == "a &; b & c & d <")
    }

    /// Signs inside a string are not values.
    @Test func ignoresCommasInsideStrings() throws {
        let text = String(repeating: ",[{", count: JSONFeedReader.maximumValues / 2)
        let item = try entry(
            "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"T\", \"items\": [{\"id\": \"1\", \"content_text\": \"\(text)\"}]}"
        )
        #expect(item.contentText?.utf8.count == text.utf8.count)
    }

    @Test func readsSectionsAnywhereInNewsraftFiles() throws {
        for text in ["@ News\nhttps://a.example/ \"Name\"\n", "https://a.example/ \"Name\"\n@ News\n"] {
            let list = try SubscriptionListReader.read(Array(text.utf8)).subscriptions
            #expect(list.map(\.title) == ["Name"])
        }
        let newsboat = try SubscriptionListReader.read(Array("https://a.example/ tag@home\n".utf8)).subscriptions
        #expect(newsboat.first?.title == nil)
    }

    /// Only coordinates on this globe, including its edges.
    @Test(arguments: [
        (90.0, 180.0, true), (80, -180, true), (-90.01, 9, false), (90.01, 0, false), (0, 180.01, false),
        (0, -180.5, false),
    ])
    func readsWayPointsOfATrack(north: Double, east: Double, isTaken: Bool) throws {
        let points = (0..<12).map { "<trkpt lat='45.\(10 + $0)' lon='9'><ele>\($0)</ele></trkpt>" }.joined()
        let edge = "<trkpt lat='\(north)' lon='\(east)'><ele>5</ele></trkpt>"
        func count(_ inner: String) throws -> Int {
            try TrackReader.read(Array("<gpx><trk><trkseg>\(inner)</trkseg></trk></gpx>".utf8)).points.count
        }
        #expect(try count(points + edge) - (try count(points)) == (isTaken ? 1 : 0))
    }

    /// A long track keeps every second point, then every second of those: never more than the limit, and seldom less
    /// than half of it.
    @Test(arguments: [(4000, 4000), (4001, 2001), (8000, 4000), (8002, 2001)])
    func readsPointsOfATrack(written: Int, kept: Int) throws {
        let points = (0..<written).map {
            "<trkpt lat='\(45 + Double($0) / 10_000)' lon='9'><ele>\($0 % 90)</ele></trkpt>"
        }
        let track = try TrackReader.read(Array("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8))
        #expect(track.points.count == kept)
    }

    // MARK: Formats

    @Test(arguments: [
        ("<entry xmlns='http://www.w3.org/2005/Atom'><id>1</id></entry>", ParsedFeed.Format.atom),
        ("<item><guid>1</guid></item>", .rss), ("<channel><item><guid>1</guid></item></channel>", .rss),
    ]) func recognizesTheFormatOfAFragment(text: String, format: ParsedFeed.Format) throws {
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.format == format && feed.entries.map(\.id) == ["1"])
    }

    /// The Channel Definition Format (CDF).
    @Test func readsAttributesOfAChannelDefinition() throws {
        let text = """
            <CHANNEL HREF="index.html" BASE="https://c.example/base/" LASTMOD="1998-11-05T10:00:00Z"><TITLE>C</TITLE>
            <ITEM HREF="one.html" LASTMOD="1998-11-06T10:00:00Z"><TITLE>One</TITLE></ITEM></CHANNEL>
            """
        let feed = try FeedParser.parse(Array(text.utf8), base: "https://a.example/").feed
        #expect(feed.homePage == "https://c.example/base/index.html" && feed.updated?.instant == 910_260_000)
        #expect(feed.entries.map(\.link) == ["https://c.example/base/one.html"])
        #expect(feed.entries.map(\.updated?.instant) == [910_346_400])
    }

    @Test func readsByteOrderMarks() throws {
        let text = "<rss><channel><title>Málaga 🏔</title></channel></rss>"
        for (encoding, mark) in [
            (String.Encoding.utf32BigEndian, [UInt8(0), 0, 0xFE, 0xFF]), (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]),
            (.utf16BigEndian, [0xFE, 0xFF]), (.utf16LittleEndian, [0xFF, 0xFE]), (.utf8, [0xEF, 0xBB, 0xBF]),
        ] {
            let document = TextDecoding.decode(mark + Array(try #require(text.data(using: encoding))), contentType: nil)
            #expect(String(decoding: document.utf8, as: UTF8.self) == text && document.problem == nil, "\(encoding)")
        }
    }

    /// In malformed documents, too, a prefix is valid only inside its element.
    @Test func limitsPrefixesToTheirElement() throws {
        let text = """
            <rss><channel><item><title>a & b</title><x xmlns:q="http://purl.org/dc/elements/1.1/"><y/></x>
            <q:creator>A</q:creator></item><item xmlns:q="http://purl.org/dc/elements/1.1/"><z/><q:creator>B</q:creator></item>
            </channel></rss>
            """
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.entries.map { $0.authors.map(\.name) } == [[], ["B"]])
    }

    @Test func removesQuotesAroundAddresses() throws {
        let read = try SubscriptionListReader.read(Array("\"https://a.example/feed\"\n".utf8))
        #expect(read.subscriptions.map(\.url) == ["https://a.example/feed"])
    }
}
