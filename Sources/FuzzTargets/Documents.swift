import Articles
import Dashboard
import DashboardFrame
import FeedParsing
import Feeds
import Foundation
import ModelCore
import RaceModel

/// Reads a date and checks that it is in the range of calendars.
func readDate(_ text: String) throws {
    guard let instant = DateParser.parse(text) else { return }
    try check(abs(instant.seconds) < 400_000_000_000, "a date outside of all calendars")
}

/// Reads a list of feeds and checks that the same list, written as OPML, has as many.
func readList(_ bytes: [UInt8]) throws {
    guard let reading = try? SubscriptionListReader.read(bytes), !reading.subscriptions.isEmpty else { return }
    let written = OPMLWriter.write(reading.subscriptions, title: "fuzz", date: "now")
    let again = try? SubscriptionListReader.read(Array(written.utf8))
    try check(again?.subscriptions.count == reading.subscriptions.count, "the written list has other feeds")
}

/// Reads a feed, prepares its entries for a library, and checks that it can be written as JSON.
@MainActor
func readFeed(_ bytes: [UInt8]) throws {
    guard let reading = try? FeedParser.parse(bytes, contentType: nil, base: "https://example.org/a/b") else { return }
    let feed = PreparedFeed(reading.feed, record: FetchRecord(date: 0))
    _ = try PreparedEntries(feed.entries, in: 1, indexesAll: true, now: 0, reading: emptyLibrary.get().store)
    guard let json = try? JSONWriter.bytes(JSONFeedDocument(reading)) else {
        throw FuzzFailure("the feed can't be written")
    }
    try check((try? JSONSerialization.jsonObject(with: Data(json))) != nil, "the written feed is not JSON")
}

/// Renders an article, as HTML and as plain text, and wraps its lines in two widths.
func renderArticle(_ text: String) {
    for article in [HTMLRenderer.render(text, base: "https://example.org/a/b"), HTMLRenderer.render(plainText: text)] {
        for columns in [80, 17] {
            for paragraph in article.paragraphs { paragraph.wrap(columns: columns) { _ in } }
        }
    }
}

/// Extracts the article of a page with its date, and renders it.
func extractArticle(_ text: String) {
    let page = ArticlePage(html: text, address: "https://example.org/a/b")
    if let content = page.content { _ = HTMLRenderer.render(content, base: "https://example.org/a/b") }
    if let date = page.published { _ = DateParser.parse(date.text) }
}

/// Reads a track and checks that all points are finite.
func readTrack(_ bytes: [UInt8]) throws {
    guard let track = try? TrackReader.read(bytes) else { return }
    try check(track.points.allSatisfy { $0.distance.isFinite && $0.height.isFinite }, "a point is not finite")
}

/// Reads a race file and checks that the written race is the same.
func readRace(_ bytes: [UInt8]) throws {
    guard let race = try? RaceFile.read(Data(bytes), name: "race") else { return }
    let again = (try? RaceFile.write(race)).flatMap { try? RaceFile.read($0) }
    try check(again == race, "the written race is another one")
}

/// Reads a saved state of the dashboard and checks that saving it again yields the same state.
func readState(_ bytes: [UInt8]) throws {
    guard let state = try? JSONDecoder().decode(DashboardState.self, from: Data(bytes)) else { return }
    let again = (try? JSONEncoder().encode(state)).flatMap { try? JSONDecoder().decode(DashboardState.self, from: $0) }
    try check(again == state, "the saved state is another one")
}
