import Foundation
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The order of requests in a reload.
@Suite struct HostLimiterTests {
    private func feeds(_ hosts: [String]) async throws -> [SubscriptionRow] {
        let library = try Library(path: nil)
        for (index, host) in hosts.enumerated() { _ = try await library.follow("https://\(host)/\(index)") }
        return try library.feeds.all().sorted { $0.id < $1.id }
    }

    private func host(_ subscription: SubscriptionRow) -> String {
        String(subscription.url.split(separator: "/").dropFirst().first ?? "")
    }

    /// A hundred feeds of one unresponsive host block none of the others.
    @Test func oneHostBlocksNoOther() async throws {
        let all = try await feeds(
            Array(repeating: "slow.example", count: 100) + (0..<100).map { "h\($0).example" })
        var turns = HostLimiter(all, maximum: 16)
        var (slow, done): (Int, Set<FeedID>) = (0, [])
        var running: [SubscriptionRow] = []
        while true {
            while let next = turns.next() { running.append(next) }
            #expect(running.count { host($0) == "slow.example" } <= 4)
            guard let answered = running.firstIndex(where: { host($0) != "slow.example" }) else { break }
            let one = running.remove(at: answered)
            #expect(done.insert(one.id).inserted)
            turns.finish(one, mayGrow: true)
        }
        slow = running.count
        #expect(done.count == 100 && slow == 4)
        // Once it answers, each of its feeds is fetched once.
        while let one = running.popLast() {
            #expect(done.insert(one.id).inserted)
            turns.finish(one, mayGrow: true)
            while let next = turns.next() { running.append(next) }
        }
        #expect(done.count == 200)
    }

    /// One feed of each host in turn, starting with the first.
    @Test func letsHostsAlternate() async throws {
        let all = try await feeds(["a", "a", "a", "b", "b", "c"].map { "\($0).example" })
        var turns = HostLimiter(all, maximum: 9)
        var order: [String] = []
        while let next = turns.next() { order.append(host(next).first.map(String.init) ?? "") }
        #expect(order == ["a", "b", "c", "a", "b", "a"])
    }

    /// User programs run a few at a time, however many feeds use them.
    @Test func countsProgramsAsOneHost() async throws {
        var all = try await feeds(Array(repeating: "h.example", count: 20))
        for index in all.indices { all[index].url = "exec:make-feed \(index)" }
        var turns = HostLimiter(all, maximum: nil)
        var running = 0
        while turns.next() != nil { running += 1 }
        #expect(running == 4)
    }

    /// Many at once, but not before the first ones answered, and fewer while bodies wait.
    @Test func allowsQuickRequestsUpToTheLimit() async throws {
        let all = try await feeds((0..<300).map { "h\($0).example" })
        var turns = HostLimiter(all, maximum: nil)
        var running: [SubscriptionRow] = []
        func begin() { while let next = turns.next() { running.append(next) } }
        begin()
        #expect(running.count == 12)
        for _ in 0..<10 {
            turns.finish(running.removeLast(), mayGrow: false)
            begin()
        }
        #expect(running.count == 4)
        for _ in 0..<150 {
            guard let one = running.popLast() else { break }
            turns.finish(one, mayGrow: true)
            begin()
        }
        #expect(running.count == 128)
    }

    /// A received document frees a slot for another request, once.
    @Test func parsingAndStoringBlockNoTransfer() async throws {
        let all = try await feeds((0..<5).map { "h\($0).example" })
        var turns = HostLimiter(all, maximum: 2)
        let begun = [turns.next(), turns.next()]
        let (first, second) = (try #require(begun[0]), try #require(begun[1]))
        #expect(turns.next() == nil)
        turns.arrive(first)
        turns.arrive(first)
        #expect(turns.next() != nil && turns.next() == nil)
        turns.finish(first, mayGrow: false)
        #expect(turns.next() == nil)
        turns.finish(second, mayGrow: false)
        #expect(turns.next() != nil && turns.next() == nil)
    }

    /// Most known feeds have nothing new, so they needn't wait for the first answers.
    @Test func knownHostsStartAtOnce() async throws {
        var all = try await feeds((0..<300).map { "h\($0).example" })
        for index in all.indices.dropFirst(64) { all[index].lastFetched = 1 }
        func begun(_ feeds: [SubscriptionRow]) -> Int {
            var turns = HostLimiter(feeds, maximum: nil)
            var count = 0
            while turns.next() != nil { count += 1 }
            return count
        }
        #expect(begun(all) == 256)
        all[64].lastFetched = nil
        #expect(begun(all) == 12)
    }
}
