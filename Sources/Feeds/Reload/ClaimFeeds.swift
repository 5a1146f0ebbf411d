import Foundation
import GRDB
import LibraryKernel

/// Decides which feeds a reload fetches: who requested it, when, and how often feeds are due.
struct ReloadOrder: Sendable {
    var reason: ReloadService.Reason
    /// The number of seconds between automatic reloads.
    var refresh: Int64
    /// The beginning of the reload, which is stored as the time of its claims.
    var start: Instant
    /// What is already known of feeds, which are therefore not fetched.
    var answers: [FeedID: FirstAnswer] = [:]
    /// The feeds that the reload has claimed.
    var claimed: Set<FeedID> = []

    /// Returns the reason why a feed is not fetched now, or `nil` if it is.
    ///
    /// Its data are those just before the request. Since the claim, another program may have fetched the feed.
    func heldBack(_ feed: FeedID, _ request: StoredRequest, now: Instant) -> String? {
        var timing = request.timing
        if claimed.contains(feed), timing.claimed == start { timing.claimed = nil }
        return FetchSchedule.heldBack(timing, reason, refresh: refresh, now: now)
    }
}

/// Claims the feeds that a reload will fetch.
///
/// The rule is checked in the same transaction, so that of several programs that share the library, only one fetches
/// a feed that is due. The claim ends when the result is stored.
struct ClaimFeeds: MaintenanceStep {
    let feeds: [FeedID]
    let order: ReloadOrder

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let requests = try StoredRequest.all(of: feeds, db)
        let claim = try db.cachedStatement(sql: "UPDATE subscription SET claimed = ?, claimant = ? WHERE id = ?")
        var claimed: Set<FeedID> = []
        for (feed, request) in requests
        where FetchSchedule.heldBack(request.timing, order.reason, refresh: order.refresh, now: order.start) == nil {
            try claim.execute(arguments: [order.start, Int64(getpid()), feed])
            claimed.insert(feed)
        }
        return Outcome(count: claimed.count, answer: claimed)
    }
}

/// Ends the claims of a reload that has stopped.
struct ReleaseFeeds: MaintenanceStep {
    let feeds: Set<FeedID>
    let start: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let release = try transaction.db.cachedStatement(
            sql: "UPDATE subscription SET claimed = NULL WHERE id = ? AND claimed = ?")
        for feed in feeds { try release.execute(arguments: [feed, start]) }
        return Outcome()
    }
}
