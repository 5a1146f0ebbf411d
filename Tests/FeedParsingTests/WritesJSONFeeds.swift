import Foundation
import Testing

@testable import FeedParsing

/// Writing a feed as JSON Feed 1.1 and reading it returns the same feed.
@Suite struct WritesJSONFeeds {
    private static let whole = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "All of it", "home_page_url": "https://a.example/",
         "feed_url": "https://a.example/feed.json", "description": "What it is about", "language": "pt",
         "icon": "https://a.example/icon.png", "authors": [{"name": "Ana", "url": "https://a.example/ana"}],
         "items": [
          {"id": "1", "url": "https://a.example/1", "external_url": "https://b.example/1", "title": "One",
           "content_html": "<p>One</p>", "content_text": "One", "summary": "In short",
           "image": "https://a.example/1.png", "date_published": "2026-05-09T10:00:00Z",
           "date_modified": "2026-05-10T10:00:00Z", "authors": [{"name": "Bea", "url": "https://a.example/bea"}],
           "tags": ["x", "y"], "language": "it",
           "attachments": [{"url": "https://a.example/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12,
                            "duration_in_seconds": 3.5}]},
          {"id": "2", "content_text": "Two"}]}
        """

    @Test func writesFeedsThatReadBackEqual() throws {
        let reading = try FeedParser.parse(Array(WritesJSONFeeds.whole.utf8))
        #expect(reading.problems.isEmpty && reading.feed.entries.count == 2)
        // Guards against comparing two empty feeds.
        #expect(reading.feed.authors.count == 1 && reading.feed.homePage != nil && reading.feed.description != nil)
        let first = try #require(reading.feed.entries.first)
        #expect(first.tags == ["x", "y"] && first.enclosures.first?.duration == 3.5 && first.language == "it")
        let again = try FeedParser.parse(JSONWriter.bytes(JSONFeedDocument(reading)))
        #expect(again == reading)
    }

    @Test func writesFurtherFactsIntoAnExtension() throws {
        let reading = try FeedParser.parse(
            Array(
                """
                <rss xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
                <channel><title>F</title><lastBuildDate>Sat, 09 May 2026 12:00:00 GMT</lastBuildDate>
                <item><title>One</title><guid>1</guid><pubDate>some day</pubDate><author>a@a.example</author>
                <comments>https://a.example/1#c</comments><wfw:commentRss>https://a.example/1/c</wfw:commentRss>
                <slash:comments>7</slash:comments></item><item><title>Cut
                """.utf8))
        let written = try JSONSerialization.jsonObject(with: Data(JSONWriter.bytes(JSONFeedDocument(reading))))
        let document = try #require(written as? [String: Any])
        let extra = try #require(document["_tappa"] as? [String: Any])
        #expect(extra["format"] as? String == "RSS" && extra["updated"] as? String == "Sat, 09 May 2026 12:00:00 GMT")
        let problems = try #require(extra["problems"] as? [[String: Any]])
        #expect(problems.compactMap { $0["message"] as? String } == reading.problems.map(\.message))
        #expect(!problems.isEmpty && problems.compactMap { $0["line"] as? Int } == reading.problems.compactMap(\.line))
        let items = try #require(document["items"] as? [[String: Any]])
        let own = try #require(items.first?["_tappa"] as? [String: Any])
        #expect(own["comments_url"] as? String == "https://a.example/1#c")
        #expect(own["comments_feed_url"] as? String == "https://a.example/1/c" && own["comments_count"] as? Int == 7)
        #expect(own["published_text"] as? String == "some day" && items.first?["date_published"] == nil)
        let authors = try #require(items.first?["authors"] as? [[String: String]])
        #expect(authors == [["name": "a@a.example", "url": "mailto:a@a.example"]])
    }
}
