import Feeds
import Foundation
import GRDB
import LibraryKernel

/// The receiving half of a sync for feeds.
extension SyncWriter {
    /// Stores the server's feeds. Local changes that were not sent yet stay.
    ///
    /// - Returns: The number of feeds that the server no longer has, if it is so large that none was removed.
    func store(_ list: [RemoteSubscription], of account: AccountID, now: Instant) throws -> Int {
        var (known, waiting) = try feeds(of: account)
        let leaving = try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT remote_id FROM pending_operation
                    WHERE account_id = ? AND operation = 'unsubscribe' AND remote_id IS NOT NULL AND error IS NULL
                    """, arguments: [account]))
        var position = try Int64.fetchOne(db, sql: "SELECT max(position) FROM subscription") ?? 0
        var hasNew = false
        let kind = try String.fetchOne(db, sql: "SELECT kind FROM account WHERE id = ?", arguments: [account])
        // A name that the server can't store stays on this machine.
        let ownName = kind.flatMap(ServerKind.init)?.organisesFeeds == false ? nil : "custom_title"
        for remote in list where !leaving.contains(remote.id) {
            let present = known.removeValue(forKey: remote.id) ?? waiting[remote.url]
            if let present {
                try update(present, to: remote, ownName: ownName, now: now)
                if waiting.removeValue(forKey: remote.url) != nil { hasNew = true }
            } else {
                position += 1
                hasNew = true
                try add(remote, at: position, to: account, now: now)
            }
        }
        if hasNew { try forgetWithoutPlace(account) }
        return try remove(known.filter { !leaving.contains($0.key) }, missingIn: list)
    }

    /// Returns the feed of an account that its server has by an identifier.
    static func feed(_ remote: String, of account: AccountID, _ db: Database) throws -> FeedID? {
        try FeedID.fetchOne(
            db, sql: "SELECT id FROM subscription WHERE account_id = ? AND remote_id = ?",
            arguments: [account, remote])
    }

    /// Returns the feeds of an account: those that the server has by its identifiers, and the others by address.
    private func feeds(of account: AccountID) throws -> (known: [String: FeedID], waiting: [String: FeedID]) {
        var known: [String: FeedID] = [:]
        var waiting: [String: FeedID] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT id, remote_id, url FROM subscription WHERE account_id = ?", arguments: [account])
        {
            if let remote: String = try row.at(1) {
                known[remote] = try row.at(0)
            } else {
                waiting[try row.at(2)] = try row.at(0)
            }
        }
        return (known, waiting)
    }

    /// Updates a feed to what the server has.
    ///
    /// - Parameter ownName: The column of the user's own name, which is cleared so that the server's name is shown, or
    ///   `nil` to retain the user's own name.
    private func update(_ present: FeedID, to remote: RemoteSubscription, ownName: String?, now: Instant) throws {
        try db.execute(
            sql: """
                UPDATE subscription SET remote_id = ?1, home_page = coalesce(?2, home_page),
                    last_fetched = ?3, last_success = ?3, error = NULL WHERE id = ?4
                """, arguments: [remote.id, remote.homePage, now, present])
        // A feed that moved may already exist under its new address.
        try db.execute(
            sql: "UPDATE OR IGNORE subscription SET former_url = url, url = ?1 WHERE id = ?2 AND url <> ?1",
            arguments: [remote.url, present])
        try take("title", remote.title, clearing: ownName, unless: .rename, of: present)
        let (folder, labels) = try placed(remote, present)
        try take("folder", folder, clearing: nil, unless: .move, of: present)
        try addTags(labels, to: present)
    }

    private func add(_ remote: RemoteSubscription, at position: Int64, to account: AccountID, now: Instant) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO subscription (url, title, folder, home_page, added, position, account_id,
                    remote_id, last_fetched, last_success) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                remote.url, remote.title, remote.folder, remote.homePage, now, position, account, remote.id, now, now,
            ])
        if db.changesCount > 0 { try addTags(remote.labels, to: FeedID(rawValue: db.lastInsertedRowID)) }
    }

    /// Removes feeds that the server no longer has.
    ///
    /// - Returns: Their number if it is so large that none was removed.
    private func remove(_ vanished: [String: FeedID], missingIn list: [RemoteSubscription]) throws -> Int {
        // A server that was reinstalled, or returns a partial list, must not remove everything.
        if list.isEmpty { return vanished.count }
        if vanished.count > 3, vanished.count > list.count { return vanished.count }
        for feed in vanished.values.sorted() {
            try db.execute(sql: "DELETE FROM pending_operation WHERE subscription_id = ?", arguments: [feed])
            // It can be restored like a feed that the user unfollowed.
            _ = try transaction.applyPart(.unsubscribe(feed, notifiesServer: false))
        }
        return 0
    }

    /// Requests entries again that belonged to no feed, since they may belong to one now.
    func forgetWithoutPlace(_ account: AccountID) throws {
        try db.execute(sql: "DELETE FROM remote_entry WHERE account_id = ? AND entry_id IS NULL", arguments: [account])
    }

    /// Returns the folder and the tags of a feed. If it has several labels, one of which is its folder here, that one
    /// remains its folder.
    private func placed(_ remote: RemoteSubscription, _ feed: FeedID) throws -> (folder: String?, tags: [String]) {
        guard let first = remote.folder, !remote.labels.isEmpty,
            let own = try String.fetchOne(db, sql: "SELECT folder FROM subscription WHERE id = ?", arguments: [feed]),
            let index = remote.labels.firstIndex(of: own)
        else { return (remote.folder, remote.labels) }
        var tags = remote.labels
        tags[index] = first
        return (own, tags)
    }

    /// Adds all labels but the folder as tags. The user's own tags stay.
    private func addTags(_ labels: [String], to subscription: FeedID) throws {
        for label in labels {
            try db.execute(
                sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [subscription, label])
        }
    }

    private func take(
        _ column: String, _ value: String?, clearing other: String?, unless operation: PendingOperation,
        of subscription: FeedID
    ) throws {
        let clearing = other.map { ", \($0) = NULL" } ?? ""
        try db.execute(
            sql: """
                UPDATE subscription SET \(column) = ?1\(clearing) WHERE id = ?2 AND NOT EXISTS (
                    SELECT 1 FROM pending_operation WHERE subscription_id = ?2 AND operation = ?3)
                """, arguments: [value, subscription, operation.rawValue])
    }
}
