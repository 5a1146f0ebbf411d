import FeedServers
import GRDB

/// A change of the subscriptions as it waits.
enum PendingOperation: String {
    case subscribe, unsubscribe, rename, move

    static func words(_ name: String, _ feed: String, _ value: String?) -> String {
        switch PendingOperation(rawValue: name) {
        case .subscribe: "Follow \(value ?? feed)"
        case .unsubscribe: "Unfollow \(value ?? feed)"
        case .rename: "Rename to \(value ?? feed)"
        case .move: value.map { "Move \(feed) to \($0)" } ?? "Move \(feed) out of its folder"
        case nil: feed
        }
    }
}

/// What is to be sent to a server is noted in the transaction of the change itself: nothing that was stored can be forgotten.
extension ChangeWriter {
    /// Notes a mark for the server of its entry, if it has one.
    ///
    /// The last one of an entry counts. One that takes back what was never sent takes it out instead; whether something was sent
    /// is known of all before it too, since an answer may be lost.
    func queue(_ mark: RemoteMark, _ value: Bool, of entry: Int64) throws {
        let name = mark.name
        let find = try db.cachedStatement(
            sql: """
                SELECT r.account_id FROM remote_entry r JOIN account a ON a.id = r.account_id
                WHERE r.entry_id = ? AND (NOT ? OR a.kind = '\(ServerKind.freshrss.rawValue)') LIMIT 1
                """)
        guard let account = try Int64.fetchOne(find, arguments: [entry, mark.isLabel]) else { return }
        let before = try db.cachedStatement(
            sql: "SELECT is_attempted FROM pending_mark WHERE entry_id = ? AND mark = ? AND value <> ?")
        let isAttempted = try Bool.fetchOne(before, arguments: [entry, name, value])
        if isAttempted == false {
            let remove = try db.cachedStatement(sql: "DELETE FROM pending_mark WHERE entry_id = ? AND mark = ?")
            return try remove.execute(arguments: [entry, name])
        }
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pending_mark (account_id, entry_id, mark, value, created, is_attempted)
                VALUES (?, ?, ?, ?, unixepoch(), ?)
                """)
        try insert.execute(arguments: [account, entry, name, value, isAttempted ?? false])
    }

    /// Notes a change of a subscription for its server, if it has one.
    ///
    /// - Parameters:
    ///   - value: The new name, folder or address.
    ///   - previous: The folder before.
    func queue(
        _ operation: PendingOperation, of subscription: Int64, value: String?, previous: String? = nil
    ) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT account_id, remote_id FROM subscription WHERE id = ? AND account_id IS NOT NULL",
                arguments: [subscription])
        else { return }
        let (account, remote): (Int64, String?) = try (row.at(0), row.at(1))
        // Of several that were not sent the last counts; a feed that the server never heard of it need not forget.
        func forget(_ kinds: [PendingOperation]) throws -> Int {
            let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            try db.execute(
                sql: """
                    DELETE FROM pending_operation WHERE subscription_id = ? AND operation IN (\(names))
                    AND is_attempted = 0
                    """, arguments: [subscription])
            return db.changesCount
        }
        switch operation {
        case .unsubscribe:
            _ = try forget([.rename, .move])
            if try forget([.subscribe]) > 0 { return }
        case .subscribe:
            if try forget([.unsubscribe]) > 0 { return }
            // The server gives it another name.
            try db.execute(sql: "UPDATE subscription SET remote_id = NULL WHERE id = ?", arguments: [subscription])
        case .rename, .move: _ = try forget([operation])
        }
        try db.execute(
            sql: """
                INSERT INTO pending_operation (account_id, subscription_id, remote_id, operation, value, former, created)
                VALUES (?, ?, ?, ?, ?, ?, unixepoch())
                """, arguments: [account, subscription, remote, operation.rawValue, value, previous])
    }

    // MARK: What its user does with it

    /// Lets what the server did not take be sent again.
    func retry(_ items: [OutboxItem.ID]) throws -> Receipt {
        var count = 0
        for item in items {
            if item.isMark {
                try db.execute(
                    sql: "UPDATE pending_mark SET sent = NULL, tries = 0, is_refused = 0 WHERE seq = ?",
                    arguments: [item.number])
            } else {
                try db.execute(
                    sql: "UPDATE pending_operation SET error = NULL WHERE seq = ?", arguments: [item.number])
            }
            count += db.changesCount
        }
        return Receipt(id, count: count)
    }

    /// Takes changes out of the outbox: what the server has is taken over with the next sync.
    func drop(_ items: [OutboxItem.ID]) throws -> Receipt {
        var count = 0
        // What its server has is asked for as a whole.
        try db.execute(sql: "UPDATE account SET last_whole = NULL")
        for item in items {
            let table = item.isMark ? "pending_mark" : "pending_operation"
            try db.execute(sql: "DELETE FROM \(table) WHERE seq = ?", arguments: [item.number])
            count += db.changesCount
        }
        return Receipt(id, count: count)
    }
}

extension EntryMark {
    /// The mark as servers have it; that for later is kept here alone where they have no labels.
    var remote: RemoteMark {
        switch self {
        case .read: .read
        case .starred: .starred
        case .later: .later
        }
    }
}
