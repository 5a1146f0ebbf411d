import Foundation
import Testing

@testable import FeedParsing

/// JSON Feed and RSS in JSON: precedence of keys, problems, and writing.
@Suite struct JSONFeedsTests {
    private func read(_ text: String) throws -> FeedReading {
        try FeedParser.parse(Array(text.utf8), base: "https://f.example/feed")
    }

    private func feed(_ keys: String) throws -> FeedReading {
        try read("{\"version\": \"https://jsonfeed.org/version/1.1\", \(keys)}")
    }

    private func item(_ keys: String) throws -> String {
        try feed("\"items\": [{\(keys)}]").feed.entries.map(FeedVocabularyTests.told).joined(separator: "|")
    }

    @Test func choosesAmongJSONKeys() throws {
        for (keys, told) in [
            ("\"image\": \"/i\", \"banner_image\": \"/b\"", "image=https://f.example/i"),
            ("\"image\": \" \", \"banner_image\": \"/b\"", "image=https://f.example/b"),
            ("\"authors\": [{\"name\": \"A\"}], \"author\": {\"name\": \"B\"}", "authors=A"),
            ("\"author\": {\"name\": \"B\"}", "authors=B"), ("\"author\": {}", ""),
            ("\"authors\": [1, {\"name\": \"A\"}]", "authors=A"), ("\"title\": \"\"", ""),
            ("\"title\": \" a\\n b \"", "title=a b"), ("\"title\": \"a <b>b</b>\"", "title=a <b>b</b>"),
            ("\"title\": \"&amp;\"", "title=&amp;"),
            ("\"title\": \"a &#8216;<b>b</b>&#x2019; &amp; c\"", "title=a ‘b’ & c"),
            ("\"content_html\": \"\", \"content_text\": \"x\"", "text=x"), ("\"id\": 1.5", "id=1.5"),
            ("\"id\": \"\"", ""), ("\"url\": \"http://b.example:99999/\"", ""), ("\"tags\": \"x\"", "tags=x"),
            ("\"language\": \" it \"", "language=it"), ("\"date_published\": \"soon\"", "published=soon"),
            (
                "\"attachments\": [{\"url\": \"/a\"}, {\"url\": \"/b\", \"size_in_bytes\": -1}]",
                "enclosures=https://f.example/a+https://f.example/b"
            ),
        ] { #expect(try item(keys) == told, "\(keys)") }
        for (keys, told) in [
            ("\"icon\": \"/i\", \"favicon\": \"/f\"", "icon=https://f.example/i"),
            ("\"favicon\": \"/f\"", "icon=https://f.example/f"),
            ("\"author\": {\"name\": \"A\", \"url\": \"/a\"}", "authors=A,https://f.example/a"),
            ("\"title\": \" \"", ""), ("\"description\": \"a  b\"", "about=a b"),
        ] { #expect(FeedVocabularyTests.told(try feed("\"items\": [], \(keys)").feed) == told, "\(keys)") }
    }

    @Test func FEE_03_reportsProblemsOfJSONFeeds() throws {
        #expect(try feed("\"items\": []").problems.isEmpty)
        #expect(try read("{\"version\": \"http://jsonfeed.org/version/1\", \"items\": []}").problems.isEmpty)
        for version in ["", "\"version\": \"1\", ", "\"version\": 1, "] {
            let reading = try read("{\(version)\"items\": [{\"id\": \"1\"}]}")
            #expect(reading.problems.map(\.message) == ["the version is not a JSON Feed version"])
            #expect(reading.feed.entries.map(\.id) == ["1"])
        }
        let mixed = try feed("\"items\": [1, {\"id\": \"1\"}, \"x\"]")
        #expect(mixed.problems.map(\.message) == ["an item is not an object", "an item is not an object"])
        #expect(mixed.feed.entries.map(\.id) == ["1"])
    }

    @Test func limitsTheValuesOfJSON() throws {
        let start = "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"1\"}],\"x\":["
        let signs = start.count { ",[{".contains($0) }
        func text(_ count: Int) -> String {
            start + Array(repeating: "0", count: count - signs + 1).joined(separator: ",") + "]}"
        }
        #expect(try read(text(400_000)).feed.entries.map(\.id) == ["1"])
        #expect(throws: FeedError.unknownFormat(FeedProblem("the JSON has more than 400000 values"))) {
            try read(text(400_001))
        }
        let quoted = "\\\"" + String(repeating: ",", count: 400_000)
        #expect(try read("{\"items\": [{\"id\": \"\(quoted)\"}]}").feed.entries.count == 1)
    }

    @Test func readsRSSInJSON() throws {
        func channel(_ keys: String) throws -> ParsedFeed { try read("{\"rss\": {\"channel\": {\(keys)}}}").feed }
        let dates = "\"lastBuildDate\": \"2024-05-04\", \"pubDate\": \"2024-05-03\""
        #expect(
            try channel(dates).updated?.text == "2024-05-04"
                && channel("\"pubDate\": \"2024-05-03\"").updated?.text == "2024-05-03")
        for (keys, told) in [
            ("\"guid\": \"g\"", "id=g"), ("\"guid\": 7", "id=7"),
            ("\"guid\": {\"#value\": \"g\", \"isPermaLink\": false}", "id=g"),
            ("\"title\": \"a &amp; b\"", "title=a & b"), ("\"author\": \"Ann\"", "authors=Ann"),
            ("\"author\": \"\"", ""), ("\"enclosure\": {\"type\": \"a/b\"}", ""),
            ("\"enclosure\": {\"url\": \"/m\", \"length\": \"x\"}", "enclosures=https://f.example/m"),
        ] {
            #expect(try channel("\"item\": [{\(keys)}, 1]").entries.map(FeedVocabularyTests.told) == [told], "\(keys)")
        }
        #expect(try channel("\"title\": \"T\"").entries.isEmpty)
    }

    // MARK: Writing

    private func written(_ change: (inout ParsedFeed, inout ParsedEntry) -> Void) throws -> (
        feed: [String: Any], item: [String: Any]
    ) {
        var feed = ParsedFeed(format: .atom)
        var entry = ParsedEntry()
        change(&feed, &entry)
        feed.entries = [entry]
        let data = Data(try JSONWriter.bytes(JSONFeedDocument(FeedReading(feed: feed, problems: []))))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return (document, try #require((document["items"] as? [[String: Any]])?.first))
    }

    @Test func fillsRequiredKeysOfJSONFeed() throws {
        let date = ParsedDate(instant: 0, text: "1970")
        for (id, link, title, published, written) in [
            ("i", "l", "t", date, "i"), (nil, "l", "t", date, "l"), (nil, nil, "t", date, "t"),
            (nil, nil, nil, date, "1970"), (nil, nil, nil, nil, ""),
        ] as [(String?, String?, String?, ParsedDate?, String)] {
            let item = try self.written { _, entry in
                (entry.id, entry.link, entry.title, entry.published) = (id, link, title, published)
            }.item
            #expect(item["id"] as? String == written)
        }
        let bare = try written { _, _ in }
        #expect(
            bare.feed["title"] as? String == "" && bare.feed["version"] as? String == "https://jsonfeed.org/version/1.1"
        )
        #expect((bare.feed["_tappa"] as? [String: String]) == ["format": "Atom"] && bare.item.count == 1)
    }

    @Test func writesDatesAuthorsAndFiles() throws {
        let (feed, item) = try written { feed, entry in
            feed.authors = [
                ParsedAuthor(name: "A", email: "a@b.example"), ParsedAuthor(email: "c@d.example"),
                ParsedAuthor(url: "https://e.example/"),
            ]
            feed.updated = ParsedDate(instant: nil, text: "some day")
            entry.updated = ParsedDate(instant: 86_400, text: "the second")
            entry.published = ParsedDate(instant: 0, text: "the first")
            entry.enclosures = [
                ParsedEnclosure(url: "https://a.example/1"),
                ParsedEnclosure(url: "https://a.example/2", mediaType: "a/b", size: 5),
            ]
        }
        #expect(
            feed["authors"] as? [[String: String]] == [
                ["name": "A", "url": "mailto:a@b.example"], ["name": "c@d.example", "url": "mailto:c@d.example"],
                ["url": "https://e.example/"],
            ])
        #expect((feed["_tappa"] as? [String: String])?["updated"] == "some day")
        #expect(
            item["date_published"] as? String == "1970-01-01T00:00:00Z"
                && item["date_modified"] as? String == "1970-01-02T00:00:00Z")
        #expect(item["_tappa"] as? [String: String] == ["published_text": "the first", "updated_text": "the second"])
        let files = try #require(item["attachments"] as? [[String: Any]])
        #expect(files.map { $0["mime_type"] as? String } == ["application/octet-stream", "a/b"])
        #expect(files.map { $0["size_in_bytes"] as? Int } == [nil, 5])
    }
}
