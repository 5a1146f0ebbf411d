import CommonTesting
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Synchronization
import Testing

/// What timers ask of servers, and what a reload deletes, with the built program.
@Suite struct PrunesEntries: ProgramSuite {
    let temporary = TemporaryFolder()
    private var database: String { temporary.path("l.sqlite") }
    var options: [String] { ["--database", database] }

    private static func feed(_ items: Int) -> LoopbackServer.Answer {
        let list = (0..<items).map { "<item><guid>\($0)</guid><title>E\($0)</title></item>" }.joined()
        return .init("<rss><channel><title>F</title>\(list)</channel></rss>", headers: ["ETag": "\(items)"])
    }

    /// `add` keeps what it reads, and a timer doesn't ask again before the interval.
    @Test func timersAskOnlyForFeedsThatAreDue() throws {
        let server = try LoopbackServer { _ in PrunesEntries.feed(3) }
        #expect(tappa("add", server.url("/feed")).output == "added \(server.url("/feed"))\n")
        #expect(server.requests.count == 1)
        #expect(try Library(path: database).feeds.all().map(\.total) == [3])
        for _ in 0..<3 { #expect(tappa("reload", "--quiet").errors.isEmpty) }
        #expect(tappa("reload").output == "F\tnot due yet\t\(server.url("/feed"))\n")
        #expect(server.requests.count == 1)
        #expect(tappa("reload", "--set", "feeds.refresh=0").output.hasPrefix("F\tunchanged\t"))
        try OtherProgram.makeFeedsDue(at: database)
        #expect(tappa("reload", "--quiet").code == 0)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "3", "3"])
    }

    /// A reload in the shell applies the limits, except where too much would go. `prune` deletes that, too.
    @Test func prunesAfterEachReload() throws {
        let items = Mutex(4)
        let server = try LoopbackServer { _ in PrunesEntries.feed(items.withLock { $0 }) }
        #expect(tappa("add", server.url("/feed")).code == 0)
        func total() throws -> Int { try Library(path: database).feeds.all()[0].total }
        #expect(tappa("reload", "--quiet", "--set", "feeds.keep-entries=3").errors.isEmpty)
        #expect(try total() == 3)
        let braked = tappa("reload", "--quiet", "--set", "feeds.keep-entries=1")
        #expect(braked.code == 0)
        #expect(
            braked.errors
                == "tappa: Kept 2 old entries of 1 feed: too many to delete unasked. 'tappa prune' deletes them.\n")
        #expect(try total() == 3)
        #expect(tappa("prune", "--set", "feeds.keep-entries=1").output == "deleted 2 old entries\n")
        #expect(try total() == 1)
        #expect(tappa("prune", "--undo").output == "restored 2 old entries\n")
        #expect(tappa("prune", "--undo").output == "restored 1 old entry\n")
        #expect(try total() == 4)
        #expect(tappa("prune", "--undo").failed(66, "tappa: no deletion of old entries is left to undo\n"))
    }
}
