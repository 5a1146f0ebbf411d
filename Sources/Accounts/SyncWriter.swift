import Feeds
import GRDB
import LibraryKernel

/// The rules by which a sync loses no mark (row ACC-03).
///
/// A mark is stored and queued in one transaction (``OutboxWriter/queue(_:_:of:)``). It is sent first, and its row stays, as sent,
/// until a list of the server confirms it. Then the complete lists are fetched, and all known entries without a row in
/// the outbox at that moment receive the server's value. A mark that was set in the meantime has a row with a new
/// number, and takes precedence.
struct SyncWriter {
    let transaction: LibraryTransaction

    var db: Database { transaction.db }
    var outbox: OutboxWriter { OutboxWriter(db: db) }

    func apply(_ step: SyncStep, _ account: AccountID, _ rules: [Rule]) throws -> Outcome {
        var count = 0
        var answer = SyncAnswer()
        let last = rules.isEmpty ? 0 : try NewEntries(db: transaction.db).lastID()
        switch step {
        case .lock(let owner, let now, let until): count = try lock(account, owner, now: now, until: until)
        case .finish(let owner, let end): try finish(account, owner, end)
        case .claimMarks(let maximum): answer.marks = try claimMarks(account, maximum: maximum)
        case .markSent(let numbers, let now): count = try noteSent(numbers, now: now)
        case .contradictedMarks(let maximum): answer.marks = try contradictedMarks(account, maximum: maximum)
        case .markRefused(let numbers): count = try noteRefused(numbers)
        case .markConfirmed(let numbers): count = try noteConfirmed(numbers)
        case .applyChanges(let entries, let feeds, let now):
            answer.stored = try apply(entries, feeds, of: account, now: now)
            try apply(rules, after: last, of: account, now: now)
            answer.blocked = try entries.reduce(0) { try $0 + blockedMarks($1, account) }
        case .noteChangedSince(let since, let isWhole, let now):
            try noteChanges(since: since, isWhole: isWhole, of: account, now: now)
        case .claimOperation: answer.operation = try claimOperation(account)
        case .noteOperation(let number, let remote, nil): try noteDone(number, remote: remote, account)
        case .noteOperation(let number, _, let error?):
            try db.execute(sql: "UPDATE pending_operation SET error = ? WHERE seq = ?", arguments: [error, number])
        case .storeSubscriptions(let list, let now):
            answer.vanished = try store(list, of: account, now: now)
        case .beginLists: try forgetLists(account)
        case .addToList(let list, let ids): count = try add(ids, to: list, account)
        case .applyLists(let hasLater, let now):
            try confirm(account, hasLater: hasLater)
            count = try applyLists(account, hasLater: hasLater, now: now)
            answer.blocked = try blockedMarks(account)
        case .applyLabels(let labels, let now):
            try confirm(labels, account)
            count = try apply(labels, account)
            try db.execute(
                sql: "UPDATE account SET has_later = ?, has_labels = ?, last_whole = ? WHERE id = ?",
                arguments: [labels.hasLater, !labels.names.isEmpty, now, account])
        case .noteLabelsAsked(let now):
            try db.execute(sql: "UPDATE account SET last_whole = ? WHERE id = ?", arguments: [now, account])
        case .noteMissing: count = try noteMissing(account)
        case .nextMissing(let maximum): answer.missing = try missing(account, maximum: maximum)
        case .storeEntries(let feeds, let asked, let now):
            answer.stored = try store(feeds, asked: asked, of: account, now: now)
            try apply(rules, after: last, of: account, now: now)
        }
        return Outcome(count: count, answer: answer)
    }

    /// Applies rules to new entries. The first sync of an account brings old entries, to which no rule applies.
    private func apply(_ rules: [Rule], after last: EntryID, of account: AccountID, now: Instant) throws {
        guard !rules.isEmpty else { return }
        let hasSynced = try Int.fetchOne(
            db, sql: "SELECT last_sync IS NOT NULL FROM account WHERE id = ?", arguments: [account])
        try rules.apply(after: last, hasTasks: hasSynced == 1, now: now, in: transaction)
    }

    // MARK: Who syncs

    private func lock(_ account: AccountID, _ owner: String, now: Instant, until: Instant) throws -> Int {
        // A lock from the far future comes from a wrong clock.
        try db.execute(
            sql: """
                UPDATE account SET lock_owner = ?1, locked_until = ?3 WHERE id = ?4 AND
                    (lock_owner IS NULL OR lock_owner = ?1 OR locked_until <= ?2 OR locked_until > ?2 + 3600)
                """, arguments: [owner, now, until, account])
        return db.changesCount
    }

    /// Stores the time up to which changes are known.
    private func noteChanges(since: Instant, isWhole: Bool, of account: AccountID, now: Instant) throws {
        try db.execute(
            sql: """
                UPDATE account SET changed_since = ?1, last_whole = CASE WHEN ?2 THEN ?3 ELSE last_whole END
                WHERE id = ?4
                """, arguments: [since, isWhole, now, account])
    }

    private func forgetLists(_ account: AccountID) throws {
        for table in ["remote_list", "remote_label"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE account_id = ?", arguments: [account])
        }
    }

    private func finish(_ account: AccountID, _ owner: String, _ end: SyncEnd) throws {
        if end.isWhole { try forgetLists(account) }
        try db.execute(
            sql: """
                UPDATE account SET lock_owner = NULL, locked_until = NULL, error = ?1,
                    note = CASE WHEN ?3 THEN ?2 ELSE note END,
                    failures = CASE WHEN ?1 IS NULL THEN 0 ELSE failures + 1 END, next_try = ?4,
                    last_sync = CASE WHEN ?3 THEN ?5 ELSE last_sync END
                WHERE id = ?6 AND lock_owner = ?7
                """,
            arguments: [end.error, end.note, end.isWhole, end.nextTry, end.now, account, owner])
    }
}
