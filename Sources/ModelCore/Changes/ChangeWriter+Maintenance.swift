import FeedParsing
import GRDB

/// Changes that the engine makes by itself.
extension ChangeWriter {
    func apply(_ maintenance: Maintenance) throws -> Receipt {
        var receipt = Receipt(id)
        switch maintenance {
        case .storeFeed(let feed, let subscription, let rules): return try store(feed, in: subscription, rules)
        case .adopt(let entries, let subscription, let now):
            return try adopt(entries, in: subscription, now: now)
        case .takeRuleTasks: receipt.tasks = try takeTasks()
        case .noteUnchanged(let subscription, let nextFetch, let date):
            try noteUnchanged(subscription, nextFetch: nextFetch, date: date)
        case .noteFailure(let subscription, let reason, let notBefore, let isGone, let date):
            try noteFailure(subscription, reason, notBefore: notBefore, isGone: isGone, date: date)
        case .storeFullText(let fullText, let entry): try store(fullText, of: entry)
        case .noteDownload(let download): receipt.count = try note(download)
        case .updateRace(let race, let subscription): return try update(race, subscription)
        case .updateDirectory(let races, let directory): return try store(races, directory, isNew: false)
        case .storeFetchedTrack(let track, let address, let now): try store(track, from: address, now: now)
        case .sync(let step, let account, let rules): return try apply(step, account, rules)
        case .indexSome: receipt.count = try indexSome()
        case .retain(let retention, let now): receipt.count = try retain(retention, now: now)
        case .emptyTrash(let age): receipt.count = try emptyTrash(age: age)
        case .markPrepared(let beginning):
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, 'yes')", arguments: [beginning.rawValue])
        }
        return receipt
    }

    /// The number of seconds for which rule actions can be undone. Longer than usual, because nobody was watching them.
    private static let ruleSteps = 7 * 86_400

    /// Deletes undo steps that are older than a number of seconds, or whose future date comes from a wrong clock.
    private func emptyTrash(age: Int64) throws -> Int {
        let old = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM undo_step WHERE (created <= unixepoch() - ?1 OR created > unixepoch() + 86400)
                AND change NOT IN (SELECT change FROM rule_step
                    WHERE created BETWEEN unixepoch() - \(ChangeWriter.ruleSteps) AND unixepoch() + 86400)
                """, arguments: [age])
        for step in old { try ChangeWriter.forget(step: step, db) }
        try db.execute(sql: "DELETE FROM rule_step WHERE change NOT IN (SELECT change FROM undo_step)")
        try db.execute(sql: "DELETE FROM taken_journal WHERE taken <= unixepoch() - ?", arguments: [age])
        return old.count
    }

    // MARK: Retention

    /// Deletes the entries above the retention limits. They don't return while the feed still contains them.
    ///
    /// - Returns: The number of deleted entries.
    private func retain(_ retention: Retention, now: Int64) throws -> Int {
        var doomed: [Int64] = []
        if retention.days > 0 {
            doomed += try Int64.fetchAll(
                db, sql: "SELECT id FROM entry WHERE sort_date < ? AND is_starred = 0 AND is_later = 0",
                arguments: [now - Int64(retention.days) * 86_400])
        }
        if retention.entries > 0 {
            let large = try Int64.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE total_count > ?", arguments: [retention.entries])
            for subscription in large {
                doomed += try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT id FROM (SELECT id, is_starred, is_later FROM entry WHERE subscription_id = ?
                            ORDER BY sort_date DESC, id DESC LIMIT -1 OFFSET ?)
                        WHERE is_starred = 0 AND is_later = 0
                        """, arguments: [subscription, retention.entries])
            }
        }
        // An entry above both limits is in the list twice but counts only once.
        return try doomed.reduce(0) { try $0 + ChangeWriter.deleteForGood($1, now: now, db) }
    }
}
