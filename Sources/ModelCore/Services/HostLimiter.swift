import Fetching
import Foundation

/// Whose turn it is among feeds of many hosts: a few of one host at a time, so that what waits for one never holds up another, and as
/// many at once as answers come quickly.
struct HostLimiter {
    private var waiting: [String: ArraySlice<SubscriptionRow>] = [:]
    /// Hosts that may begin another, in turn.
    private var hosts: [String] = []
    private var running: [String: Int] = [:]
    private var count = 0
    /// Feeds that are under way, but no longer on theirs.
    private var arrived: Set<Int64> = []
    private var limit: Int
    private let most: Int
    /// Feeds of one host that are under way at once: while two are fetched, as politeness has it, two others are read and stored.
    private static let perHost = 4
    /// Bodies that may come at once before any was read, where many will: the first of fewer is here, and read, sooner.
    private static let firstBodies = 24
    /// Feeds that were never read, each of which has a body: of the others few have one.
    private static let fewBodies = 64

    /// Feeds at once; twice as many of those that were read before, most of which have nothing new.
    private static let most = 128

    /// - Parameter most: How many may be under way at once; `nil`: as many as there are hosts, to 128 or 256, and as files may be open
    ///   for.
    init(_ subscriptions: [SubscriptionRow], most: Int?) {
        for subscription in subscriptions {
            let host = HostLimiter.host(subscription)
            if waiting[host] == nil { hosts.append(host) }
            waiting[host, default: []].append(subscription)
        }
        hosts.reverse()
        let hasMany = subscriptions.count { $0.lastFetched == nil } > HostLimiter.fewBodies
        self.most = most ?? min(hasMany ? HostLimiter.most : HostLimiter.most * 2, HostLimiter.filesForConnections)
        limit = hasMany ? min(self.most, HostLimiter.firstBodies) : self.most
    }

    private static var filesForConnections: Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return 16 }
        return max(1, Int(clamping: files.rlim_cur / 4))
    }

    private static func host(_ subscription: SubscriptionRow) -> String {
        // Programs are as one host: a few of them run at a time.
        ProgramFeed.isOne(subscription.url) ? "" : Origin(subscription.url)?.host ?? subscription.url
    }

    /// The next feed to begin with; `nil`: none now.
    mutating func next() -> SubscriptionRow? {
        guard count < limit, let host = hosts.popLast(), let subscription = waiting[host]?.popFirst() else {
            return nil
        }
        running[host, default: 0] += 1
        count += 1
        enqueue(host)
        return subscription
    }

    /// Notes that a feed's document is here, so that another host's may come while it is read and stored.
    mutating func arrive(_ subscription: SubscriptionRow) {
        if arrived.insert(subscription.id).inserted { count -= 1 }
    }

    /// Notes that a feed is done.
    ///
    /// - Parameter mayGrow: Whether more may be under way at once from now on: not while bodies wait for being read.
    mutating func finish(_ subscription: SubscriptionRow, mayGrow: Bool) {
        let host = HostLimiter.host(subscription)
        let wasFull = running[host] == HostLimiter.perHost
        running[host, default: 1] -= 1
        if arrived.remove(subscription.id) == nil { count -= 1 }
        if wasFull { enqueue(host) }
        if mayGrow { limit = min(most, limit + 1) }
    }

    /// Puts a host behind the others, if it has more and may begin it.
    private mutating func enqueue(_ host: String) {
        guard waiting[host]?.isEmpty == false, running[host, default: 0] < HostLimiter.perHost else { return }
        hosts.insert(host, at: 0)
    }
}
