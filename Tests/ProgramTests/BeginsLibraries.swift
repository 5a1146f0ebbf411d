import CommonTesting
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import Testing

@testable import Accounts
@testable import Dashboard
@testable import tappa

/// The initial contents of a new library, and the files of other programs found on the machine.
@Suite struct BeginsLibraries {
    private let temporary = TemporaryFolder()

    private struct Content: Equatable {
        var races: Set<String>
        var feeds: Int
        var entries: Int
    }

    private func content(_ library: Library) throws -> Content {
        Content(
            races: Set(try library.races.all().map(\.id)), feeds: try library.feeds.all().count,
            entries: try library.entries.count(in: EntryQuery(.all)))
    }

    private static let races: Set<String> = ["giro-d-italia-2010", "giro-d-italia-2025"]

    /// Adds races, the guide and two feeds once; removed ones don't come back.
    @Test func addsBundledRacesAndFeedsOnce() async throws {
        let library = try Library(path: nil)
        try FirstStart.prepare(library, withFeeds: true)
        #expect(try content(library) == Content(races: Self.races, feeds: 3, entries: 9))
        let feeds = try library.feeds.all()
        #expect(feeds[0].title == "Welcome to tappa" && feeds[0].url.hasPrefix("file:///"))
        #expect(FirstStart.feedAddresses.count == 2)
        #expect(FirstStart.feedAddresses.allSatisfy { address in feeds.contains { $0.url == address } })
        try FirstStart.prepare(library, withFeeds: true)
        #expect(try content(library) == Content(races: Self.races, feeds: 3, entries: 9))
        for feed in feeds { try await library.changes.perform(.unsubscribe(feed.id)) }
        for race in Self.races { try await library.changes.perform(.removeRace(race)) }
        for withFeeds in [true, false] { try FirstStart.prepare(library, withFeeds: withFeeds) }
        #expect(try content(library) == Content(races: [], feeds: 0, entries: 0))
    }

    /// The first dashboard greets also users who added a feed by a command before, who have no guide to read.
    @Test func greetsAfterTheFirstFeed() async throws {
        let feed = try temporary.write("<rss><channel><title>Own</title></channel></rss>", to: "feed.xml")
        #expect(Program.tappa("add", "file://\(feed)", home: temporary.url).code == 0)
        for words in ["Welcome to tappa", "▐Feeds▌"] {
            let tmux = try await TmuxSession("tappa", width: 100, height: 30, home: temporary.url, expecting: words)
            #expect(tmux.text.contains("Welcome") == (words != "▐Feeds▌") && !tmux.text.contains("guide"))
            await tmux.press("Escape", "Q", expecting: "ended with 0")
        }
    }

    /// Users who start by adding feeds never get bundled ones.
    @Test func addsNoBundledFeedsBesideOthers() async throws {
        let library = try Library(path: nil)
        try FirstStart.prepare(library, withFeeds: false)
        #expect(try content(library) == Content(races: Self.races, feeds: 0, entries: 0))
        let feed = try await library.follow("https://mine.example/")
        try FirstStart.prepare(library, withFeeds: true)
        #expect(try content(library) == Content(races: Self.races, feeds: 1, entries: 0))
        try await library.changes.perform(.unsubscribe(feed))
        try FirstStart.prepare(library, withFeeds: true)
        #expect(try content(library).feeds == 0)
    }

    @Test func addsBundledFeedsLaterIfNoneWereImported() async throws {
        let library = try Library(path: nil)
        try FirstStart.prepare(library, withFeeds: false)
        try await library.changes.perform(.removeRace("giro-d-italia-2010"))
        for _ in 0..<2 { try FirstStart.prepare(library, withFeeds: true) }
        #expect(try content(library) == Content(races: ["giro-d-italia-2025"], feeds: 3, entries: 9))
    }

    @Test func addsNoBundledFeedsBesideAnAccount() async throws {
        let library = try Library(path: nil)
        try await library.changes.perform(
            .addAccount(NewAccount(name: "home", kind: .reader, address: "https://rss.example", user: "a", secret: "s"))
        )
        try FirstStart.prepare(library, withFeeds: true)
        #expect(try content(library) == Content(races: Self.races, feeds: 0, entries: 0))
    }

    // MARK: Other programs

    private func found() -> [(name: String, path: String, count: Int)] {
        InstalledReaders.find(in: temporary.url.path).map {
            ($0.name, String(($0.path ?? "").dropFirst(temporary.url.path.count + 1)), $0.list.count)
        }
    }

    private static let urls = "https://a.example/\nhttps://b.example/\n"
    private static let opml = "<opml><body><outline xmlUrl='https://a.example/'/></body></opml>"

    @Test func findsTheListsOfOtherReaders() throws {
        #expect(found().isEmpty)
        try temporary.write(Self.urls, to: ".newsbeuter/urls")
        try temporary.write(Self.urls, to: ".config/newsraft/feeds")
        try temporary.write(Self.urls, to: ".config/newsboat/urls")
        #expect(found().map(\.name) == ["newsboat", "newsraft", "newsbeuter"] && found().allSatisfy { $0.count == 2 })
        #expect(found()[0].path == ".config/newsboat/urls")
        try temporary.write(Self.opml, to: ".config/liferea/feedlist.opml")
        #expect(found().last?.name == "Liferea" && found().last?.count == 1)
        // Each program once, at its first location; an empty list is ignored.
        try temporary.write(Self.urls, to: ".newsboat/urls")
        #expect(found().map(\.name) == ["newsboat", "newsraft", "newsbeuter", "Liferea"])
        #expect(found()[0].path == ".newsboat/urls")
        try temporary.write("# nothing\n", to: ".newsboat/urls")
        #expect(found()[0].path == ".config/newsboat/urls")
    }

    @Test func findsSubscriptionFilesInThreeFolders() throws {
        try temporary.write(Self.opml, to: "home.opml")
        try temporary.write(Self.opml, to: "Downloads/B.OPML")
        try temporary.write(Self.opml, to: "Documents/c.opml")
        try temporary.write(Self.opml, to: "Music/d.opml")
        try temporary.write(Self.opml, to: "Downloads/deeper/e.opml")
        try temporary.write(Self.opml, to: "Downloads/f.xml")
        try temporary.write("<opml><body/></opml>", to: "Downloads/empty.opml")
        try FileManager.default.createDirectory(
            at: temporary.url.appendingPathComponent("Downloads/folder.opml"), withIntermediateDirectories: true)
        #expect(found().map(\.name) == ["home.opml", "Downloads/B.OPML", "Documents/c.opml"])
        #expect(found().map(\.path) == ["home.opml", "Downloads/B.OPML", "Documents/c.opml"])
    }

    /// Three files of a folder by name, of at most eight mebibytes each.
    @Test func limitsFilesInNumberAndSize() throws {
        for name in ["d", "b", "a", "c"] { try temporary.write(Self.opml, to: "Downloads/\(name).opml") }
        #expect(found().map(\.name) == ["a", "b", "c"].map { "Downloads/\($0).opml" })
        let maximum = Self.opml + String(repeating: " ", count: (8 << 20) - Self.opml.utf8.count)
        try temporary.write(maximum, to: "Downloads/a.opml")
        #expect(found().count == 3)
        try temporary.write(maximum + " ", to: "Downloads/a.opml")
        #expect(found().map(\.name) == ["b", "c"].map { "Downloads/\($0).opml" })
    }
}
