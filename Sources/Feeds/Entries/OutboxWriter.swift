import GRDB
import LibraryKernel

/// The outbox. Changes are queued for a server in the transaction that stores them, so none can be lost.
package struct OutboxWriter {
    let db: Database

    package init(db: Database) { self.db = db }

    /// Whether there are accounts, so that marks may have to be sent.
    func hasAccounts() throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM account LIMIT 1") != nil
    }

    /// Queues a mark for the server of its entry, if it has one.
    ///
    /// Only the last value of an entry is sent. Reverting a value that was never sent removes it from the outbox.
    /// Whether it was sent is recorded before each request, since a response may be lost.
    package func queue(_ mark: RemoteMark, _ value: Bool, of entry: EntryID) throws {
        let name = mark.name
        let find = try db.cachedStatement(
            sql: """
                SELECT r.account_id FROM remote_entry r JOIN account a ON a.id = r.account_id
                WHERE r.entry_id = ? AND (NOT ? OR a.kind IN (\(ServerKind.labelled))) LIMIT 1
                """)
        guard let account = try AccountID.fetchOne(find, arguments: [entry, mark.isLabel]) else { return }
        let before = try db.cachedStatement(
            sql: "SELECT is_attempted FROM pending_mark WHERE entry_id = ? AND mark = ? AND value <> ?")
        let isAttempted = try Bool.fetchOne(before, arguments: [entry, name, value])
        if isAttempted == false {
            return try db.executeCached("DELETE FROM pending_mark WHERE entry_id = ? AND mark = ?", [entry, name])
        }
        try db.executeCached(
            """
            INSERT OR REPLACE INTO pending_mark (account_id, entry_id, mark, value, created, is_attempted)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [account, entry, name, value, Instant.now, isAttempted ?? false])
    }

    /// Queues a change of a subscription for its server, if it has one. A name that the server can't store stays on this
    /// machine.
    ///
    /// - Parameters:
    ///   - value: The new name, folder or address.
    ///   - previous: The previous folder.
    /// - Throws: ``LibraryError/rejected(_:)`` if the server can't make the change, which its next list would revert.
    package func queue(
        _ operation: PendingOperation, of subscription: FeedID, value: String?, previous: String? = nil
    ) throws {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT a.id, s.remote_id, a.kind, a.name FROM subscription s JOIN account a ON a.id = s.account_id
                    WHERE s.id = ?
                    """, arguments: [subscription])
        else { return }
        let (account, remote): (AccountID, String?) = try (row.at(0), row.at(1))
        let kind = ServerKind(rawValue: try row.at(2)) ?? .reader
        if let words = operation.words(unsupportedBy: kind) {
            throw LibraryError.rejected("\(try row.at(3) as String) (\(kind.name)) can't \(words); do it on the server")
        }
        if operation == .rename, !kind.organisesFeeds { return }
        // Only the last of several unsent changes is sent. A feed that the server never received need not be removed
        // there.
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
            // The server will assign a new identifier.
            try db.execute(sql: "UPDATE subscription SET remote_id = NULL WHERE id = ?", arguments: [subscription])
        case .rename, .move: _ = try forget([operation])
        }
        try db.execute(
            sql: """
                INSERT INTO pending_operation (account_id, subscription_id, remote_id, operation, value, former, created)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [account, subscription, remote, operation.rawValue, value, previous, Instant.now])
        if operation == .subscribe, kind.organisesFeeds { try queuePlace(of: subscription) }
    }

    /// Queues the folder and the user's name of a feed that its server doesn't have yet.
    private func queuePlace(of subscription: FeedID) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT folder, custom_title FROM subscription WHERE id = ?", arguments: [subscription])
        let (folder, name): (String?, String?) = try (row?.at(0), row?.at(1))
        if let folder { try queue(.move, of: subscription, value: folder) }
        if let name { try queue(.rename, of: subscription, value: name) }
    }
}
