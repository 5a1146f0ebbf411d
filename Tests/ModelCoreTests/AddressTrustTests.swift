import CommonTesting
import Fetching
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Only what the user typed, and addresses on the same host, may lead to private addresses.
@Suite(.timeLimit(.minutes(5))) struct AddressTrustTests {
    private let temporary = TemporaryFolder()

    private static let feed =
        "<rss><channel><title>F</title><item><guid>1</guid><title>T</title></item></channel></rss>"

    @Test(
        arguments: [
            ("http://a.example/", "http://10.0.0.5/f", true), ("http://a.example/", "https://a.example/f", false),
            ("http://a.example/", "http://a.example:8080/f", false), ("http://10.0.0.5/", "http://10.0.0.5/f", false),
            ("http://10.0.0.5/", "http://10.0.0.6/f", true), ("http://a.example/", "http://b.a.example/f", true),
            ("file:///tmp/page.html", "http://10.0.0.5/f", true),
            ("http://a.example/x", "http://A.example:80/f", false),
        ])
    func trustsATypedHost(typed: String, found: String, isFromOutside: Bool) {
        let new = NewSubscription(found: found, from: TypedAddress(typed))
        #expect((new.options?.isFromOutside ?? false) == isFromOutside && new.url == found)
    }

    @Test func neverFetchesPrivateHostsNamedByPages() async throws {
        let server = try LoopbackServer { _ in .init(AddressTrustTests.feed) }
        let library = try Library(path: nil)
        let found = NewSubscription(found: server.url("/feed"), from: TypedAddress("http://a.example/"))
        let id = try await library.changes.perform(.subscribe([found], now: 1)).subscriptions[0].id
        #expect(try library.feeds.trustedHost(of: id) == nil)
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        #expect(server.requests.isEmpty)
        #expect(try library.feeds.feed(id)?.error == "127.0.0.1 resolves to a private address; request refused")
        // Other options and their undo leave it unchanged.
        var options = SubscriptionOptions()
        options.isUncounted = true
        let changed = try await library.changes.perform(.setOptions(id, options))
        #expect(try library.feeds.options(of: id).isFromOutside && library.feeds.options(of: id).isUncounted)
        try await library.undo(changed)
        #expect(try library.feeds.options(of: id).isFromOutside && !library.feeds.options(of: id).isUncounted)
        // A typed address is trusted.
        try await library.follow(server.url("/feed"))
        #expect(try library.feeds.trustedHost(of: id) == TrustedHost.of(server.url("/")))
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        #expect(try library.feeds.feed(id)?.error == nil && server.requests.count == 1)
    }

    @Test func keepsTrustOnlyForMovesOnTheSameHost() async throws {
        let library = try Library(path: nil)
        for (start, end, isFromOutside) in [
            ("https://a.example/1", "https://a.example/2", false), ("http://b.example/", "https://b.example/", false),
            ("http://c.example/", "http://d.example/", true),
        ] {
            let id = try await library.follow(start)
            var record = FetchRecord(date: 1)
            record.permanentURL = end
            try await library.store(.init(format: .rss), in: id, record: record)
            #expect(try library.feeds.feed(id)?.url == end)
            #expect(try library.feeds.options(of: id).isFromOutside == isFromOutside, "\(end)")
        }
    }

    @Test func neverReadsFilesForFeedsOfAServer() async throws {
        let file = URL(fileURLWithPath: try temporary.write(AddressTrustTests.feed, to: "feed"))
        let library = try Library(path: nil)
        let found = NewSubscription(found: file.absoluteString, from: TypedAddress("http://a.example/"))
        let id = try await library.changes.perform(.subscribe([found], now: 1)).subscriptions[0].id
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        #expect(
            try library.feeds.feed(id)?.error == "file addresses are allowed only in feeds that you added yourself")
        try await library.follow(file.absoluteString)
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        #expect(try library.feeds.feed(id)?.error == nil && library.feeds.feed(id)?.total == 1)
    }
}
