import FeedParsing
import Foundation
import GRDB
import LibraryKernel

/// The stored data for requests of a feed.
struct StoredRequest {
    var url: String
    var etag: String?
    var lastModified: String?
    /// The user's own header lines, such as a cookie.
    var headers: [String]
    var timing: FetchTiming
    /// The number of minutes between fetches that the last document asked for.
    var timeToLive: Int?
    /// The number of seconds for which the last document is valid, or `nil` if it doesn't say.
    var validity: Int64?
    var options: SubscriptionOptions
    /// Whether the address may run a program.
    var runsProgram: Bool

    /// Returns the request data of subscriptions. Those that no longer exist are missing from the result.
    static func all(of subscriptions: [FeedID], _ db: Database) throws -> [FeedID: StoredRequest] {
        let find = try db.cachedStatement(
            sql: """
                SELECT id, url, etag, last_modified, headers, options, runs_program, last_fetched, next_fetch,
                    not_before, is_gone, skipped_times, claimed, ttl, last_success, failures,
                    claimant
                FROM subscription WHERE id IN (SELECT value FROM json_each(?))
                """)
        var requests: [FeedID: StoredRequest] = [:]
        let list = "[" + subscriptions.map(String.init).joined(separator: ",") + "]"
        for row in try Row.fetchAll(find, arguments: [list]) { requests[try row.at(0)] = try StoredRequest(row) }
        return requests
    }

    /// Whether a program still runs on this machine, so that its claims hold.
    private static func isRunning(_ claimant: Int64?) -> Bool {
        guard let id = claimant.flatMap(pid_t.init(exactly:)), id > 0 else { return false }
        return kill(id, 0) == 0 || errno != ESRCH
    }

    private init(_ row: Row) throws {
        let headers: String? = try row.at(4)
        options = SubscriptionOptions(stored: try row.at(5))
        let (next, success): (Instant?, Instant?) = (try row.at(8), try row.at(14))
        (url, etag, lastModified, runsProgram) = (try row.at(1), try row.at(2), try row.at(3), try row.at(6))
        self.headers = headers.map { $0.split(separator: "\n").map(String.init) } ?? []
        timing = FetchTiming(
            lastFetched: try row.at(7), nextFetch: next, notBefore: try row.at(9), isGone: try row.at(10),
            interval: options.interval, skippedTimes: SkippedTimes(rawValue: try row.at(11) ?? 0),
            claimed: StoredRequest.isRunning(try row.at(16)) ? try row.at(12) : nil)
        timeToLive = try row.at(13)
        // After failures, the instant is that of their pause.
        if let next, let success, try row.at(15) == 0, next > success { validity = next.seconds(since: success) }
    }
}

extension FeedStore {
    /// Returns the request data of subscriptions, including the validators of earlier responses.
    ///
    /// Subscriptions that no longer exist are missing from the result.
    func requests(for subscriptions: [FeedID]) throws(LibraryError) -> [FeedID: StoredRequest] {
        try store.read { db in try StoredRequest.all(of: subscriptions, db) }
    }

    /// Returns the subscriptions that an automatic reload would fetch now.
    ///
    /// - Parameter refresh: The number of minutes between automatic reloads.
    package func due(refresh: Int, now: Instant) throws(LibraryError) -> [SubscriptionRow] {
        let refresh = Int64(refresh).multipliedClamped(by: 60)
        // Most of the time no feed is due, which takes one look at each row.
        let candidates = try store.read { db in
            try FeedID.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM subscription WHERE account_id IS NULL AND is_gone = 0
                            AND (last_fetched IS NULL OR last_fetched NOT BETWEEN ? AND ?)
                        """), arguments: [now - refresh + 1, now + FetchSchedule.clockStep])
        }
        guard !candidates.isEmpty else { return [] }
        let requests = try requests(for: candidates)
        return try all().filter { feed in
            guard feed.isReadHere, let timing = requests[feed.id]?.timing else { return false }
            return FetchSchedule.heldBack(timing, .timer, refresh: refresh, now: now) == nil
        }
    }
}
