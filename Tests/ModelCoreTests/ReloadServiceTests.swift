import LoopbackServer
import Synchronization
import Testing

@testable import ModelCore

@Suite(.timeLimit(.minutes(1))) struct ReloadServiceTests {
    @Test func FEE_03_everyFeedTellsItsOwnFate() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/good":
                request.headers["if-none-match"] == "e"
                    ? .init(304)
                    : .init(
                        "<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>",
                        headers: ["ETag": "e"])
            case "/page": .init("<html><body>hello</body></html>", type: "text/html")
            case "/empty": .init("")
            case "/cut": .init("<rss><channel><title>C</title><item><title>x</title><guid>9</guid></item><item><ti")
            default: .init(404)
            }
        }
        defer { server.stop() }
        let library = try Library(path: nil)
        for path in ["/good", "/page", "/empty", "/cut", "/gone"] {
            _ = try library.addSubscription(url: server.url(path))
        }
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        let rows = try library.subscriptions()
        #expect(
            rows.map(\.error) == [
                nil, "this is a web page, not a feed", "the document is empty", nil,
                "the server has no such document (404)",
            ])
        #expect(rows.map(\.total) == [1, 0, 0, 1, 0])
        let unchanged = Mutex(0)
        try await service.reload([rows[0]]) { outcome in
            if case .unchanged = outcome.result { unchanged.withLock { $0 += 1 } }
        }
        #expect(unchanged.withLock { $0 } == 1)
        #expect(server.requests.last?.headers["if-none-match"] == "e")
    }

    @Test func aFailureKeepsTheEntries() async throws {
        let isBroken = Mutex(false)
        let server = try LoopbackServer { _ in
            isBroken.withLock { $0 }
                ? .init(500) : .init("<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>")
        }
        defer { server.stop() }
        let library = try Library(path: nil)
        _ = try library.addSubscription(url: server.url("/"))
        let service = ReloadService(library: library)
        try await service.reload { _ in }
        isBroken.withLock { $0 = true }
        try await service.reload { _ in }
        let row = try library.subscriptions()[0]
        #expect(row.total == 1)
        #expect(row.error == "the server has a problem of its own (500)")
    }
}
