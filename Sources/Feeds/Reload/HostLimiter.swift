import Fetching
import Foundation
import LibraryKernel
import WebAddresses

/// Schedules feeds of many hosts.
///
/// It starts only a few feeds of one host at a time, so that a slow host never delays others. It runs as many at once
/// as responses arrive quickly.
struct HostLimiter {
    private var waiting: [String: ArraySlice<SubscriptionRow>] = [:]
    /// The hosts that may start another feed, in order.
    private var hosts: [String] = []
    private var running: [String: Int] = [:]
    private var count = 0
    /// The feeds in progress whose document has arrived.
    private var arrived: Set<FeedID> = []
    private var limit: Int
    private let maximum: Int
    /// The maximum number of feeds in progress for one host: two being fetched, for politeness, while two others are
    /// parsed and stored.
    private static let perHost = 4
    /// The initial maximum number of first-time feeds in transfer. With fewer, the first one arrives and is parsed
    /// sooner.
    private static let firstBodies = 12
    /// The minimum number of feeds in transfer while bodies wait to be parsed.
    private static let fewest = 4
    /// The maximum number of feeds in transfer that were never read. Each of them has a body, unlike most others.
    private static let fewBodies = 64

    /// The maximum number of feeds in progress. It is doubled for feeds read before, most of which have not changed.
    private static let maximum = 128

    /// - Parameter maximum: The maximum number of feeds in progress. With `nil` it is the number of hosts, limited to 128
    ///   or 256 and by open files.
    init(_ subscriptions: [SubscriptionRow], maximum: Int?) {
        for subscription in subscriptions {
            let host = HostLimiter.host(subscription)
            if waiting[host] == nil { hosts.append(host) }
            waiting[host, default: []].append(subscription)
        }
        hosts.reverse()
        let hasMany = subscriptions.count { $0.lastFetched == nil } > HostLimiter.fewBodies
        self.maximum =
            maximum ?? min(hasMany ? HostLimiter.maximum : HostLimiter.maximum * 2, HostLimiter.filesForConnections)
        limit = hasMany ? min(self.maximum, HostLimiter.firstBodies) : self.maximum
    }

    private static var filesForConnections: Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return 16 }
        return max(1, Int(clamping: files.rlim_cur / 4))
    }

    private static func host(_ subscription: SubscriptionRow) -> String {
        // All programs count as one host, so that only a few run at a time.
        ProgramFeed.isOne(subscription.url) ? "" : Origin(subscription.url)?.host ?? subscription.url
    }

    /// Returns the next feed to start, or `nil` if none may start now.
    mutating func next() -> SubscriptionRow? {
        guard count < limit, let host = hosts.popLast(), let subscription = waiting[host]?.popFirst() else {
            return nil
        }
        running[host, default: 0] += 1
        count += 1
        enqueue(host)
        return subscription
    }

    /// Records that a feed's document has arrived, so that another host's feed may start while it is parsed and stored.
    mutating func arrive(_ subscription: SubscriptionRow) {
        if arrived.insert(subscription.id).inserted { count -= 1 }
    }

    /// Records that a feed is done.
    ///
    /// - Parameter mayGrow: Whether more feeds may be in progress from now on, because few bodies wait to be parsed.
    ///   Otherwise fewer may be.
    mutating func finish(_ subscription: SubscriptionRow, mayGrow: Bool) {
        let host = HostLimiter.host(subscription)
        let wasFull = running[host] == HostLimiter.perHost
        running[host, default: 1] -= 1
        if arrived.remove(subscription.id) == nil { count -= 1 }
        if wasFull { enqueue(host) }
        limit = mayGrow ? min(maximum, limit + 1) : max(min(maximum, HostLimiter.fewest), limit - 1)
    }

    /// Moves a host behind the others if it has more feeds and may start one.
    private mutating func enqueue(_ host: String) {
        guard waiting[host]?.isEmpty == false, running[host, default: 0] < HostLimiter.perHost else { return }
        hosts.insert(host, at: 0)
    }
}
