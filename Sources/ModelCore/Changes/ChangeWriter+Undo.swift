import Foundation
import GRDB

/// Undo: reverts changes with their undo steps.
extension ChangeWriter {
    /// Reverts a change as far as its rows still exist, and describes the result.
    func undo(_ change: UUID, now: Int64) throws -> Receipt {
        var receipt = Receipt(id)
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT id, explanation, inverse FROM undo_step WHERE change = ?",
                arguments: [change.uuidString])
        else {
            receipt.sentence = "Nothing left to undo"
            return receipt
        }
        let (step, words, text): (Int64, String, String) = (try row.at(0), try row.at(1), try row.at(2))
        let inverse = try JSONDecoder().decode(Inverse.self, from: Data(text.utf8))
        let result = try apply(inverse, step: step, now: now)
        try ChangeWriter.forget(step: step, db)
        receipt.count = result.done
        receipt.sentence =
            if result.done == 0 {
                "Not undone, because it no longer exists: \(words)"
            } else if result.done < result.all {
                "Undone for \(result.done) of \(result.all) (the others no longer exist): \(words)"
            } else {
                "Undone: \(words)\(result.note)"
            }
        return receipt
    }

    private struct Result {
        var done: Int
        var all = 1
        var note = ""
    }

    private func apply(_ inverse: Inverse, step: Int64, now: Int64) throws -> Result {
        switch inverse {
        case .mark(let mark, let value, let entries):
            return Result(done: try restore(mark, value, entries), all: entries.entries.count)
        case .restore: return try restore(step)
        case .unsubscribe(let subscriptions): return try end(subscriptions)
        case .rename(let id, let title): return Result(done: try restore("custom_title", title, of: id))
        case .move(let id, let folder): return Result(done: try restore("folder", folder, of: id))
        case .setHeaders(let id, let lines): return Result(done: try restore("headers", lines, of: id))
        case .setOptions(let id, let text): return Result(done: try restoreOptions(before: text, of: id))
        case .tagEntries(let add, let remove):
            return Result(done: try restoreTags(add: add, remove: remove), all: Set((add + remove).map(\.entry)).count)
        case .unfold(let entries): return Result(done: try unfold(entries), all: entries.count)
        case .several(let steps):
            return Result(done: try steps.reduce(0) { try $0 + undo($1, now: now).count })
        case .removeEntry(let id): return Result(done: try removeEntry(id))
        case .removeDownload(let id):
            try db.execute(sql: "DELETE FROM download WHERE id = ?", arguments: [id])
        case .restoreDownload(let download): return Result(done: try restore(download))
        case .tag(let id, let tags): return Result(done: try setTags(tags, of: id) ? 1 : 0)
        case .renameSearch(let id, let name):
            try db.execute(sql: "UPDATE saved_search SET name = ? WHERE id = ?", arguments: [name, id])
        case .restoreSearch(let id, let name, let query, let position, let sort):
            try db.execute(
                sql: "INSERT OR IGNORE INTO saved_search (id, name, query, position, sort) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, name, query, position, sort ?? EntryOrder.newest.rawValue])
        case .sortSearch(let id, let order):
            try db.execute(
                sql: "UPDATE saved_search SET sort = ? WHERE id = ?", arguments: [order.rawValue, id])
        case .order(let rows, let table):
            return Result(done: try withoutStep { try $0.order(rows, of: table) }.count)
        case .placeGroups(let groups, let positions):
            try place(groups, positions)
            return Result(done: 1)
        case .movePlace(let group, let other): return Result(done: try restorePlace(of: group, to: other))
        case .forgetSearch(let id):
            try db.execute(sql: "DELETE FROM saved_search WHERE id = ?", arguments: [id])
        case .storeRace(let race, let isBundled):
            try StoredRace.write(race, isBundled: isBundled, db)
            return Result(done: 1)
        case .removeRace(let race): return Result(done: try ChangeWriter.removeRace(race, db))
        case .storeTrack(let race, let stage, let points, let spark):
            try ChangeWriter.storeTrack(race: race, stage: stage, points: points, spark: spark, db)
            return Result(done: 1)
        case .removeTrack(let race, let stage):
            return Result(done: try ChangeWriter.removeTrack(race: race, stage: stage, db))
        }
        return Result(done: db.changesCount)
    }

    private func end(_ subscriptions: [Int64]) throws -> Result {
        var done = 0
        for id in subscriptions {
            let url = try String.fetchOne(db, sql: "SELECT url FROM subscription WHERE id = ?", arguments: [id])
            try queue(.unsubscribe, of: id, value: url)
            try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [id])
            done += db.changesCount
        }
        return Result(done: done, all: subscriptions.count)
    }

    // MARK: The trash

    /// Restores the rows of an undo step with their original IDs.
    ///
    /// If the user has followed the feed again meanwhile, its entries are restored there. If the feed has delivered an
    /// entry again meanwhile, only its marks are restored. Entries of a feed that no longer exists can't be restored.
    private func restore(_ step: Int64) throws -> Result {
        let feeds = try restoreSubscriptions(step)
        var done = 0
        var merged = 0
        let entries = try Row.fetchAll(
            db, sql: "SELECT id, subscription_id, guid FROM trash_entry WHERE step_id = ? ORDER BY id",
            arguments: [step])
        for row in entries {
            let (entry, previous, guid): (Int64, Int64, String) = (try row.at(0), try row.at(1), try row.at(2))
            let subscription = feeds.places[previous] ?? previous
            if let present = try Int64.fetchOne(
                db, sql: "SELECT id FROM entry WHERE subscription_id = ? AND guid = ?", arguments: [subscription, guid])
            {
                try mergeMarks(of: entry, step: step, to: present)
                merged += 1
            } else if try exists(subscription) {
                try insert(entry, step: step, into: subscription)
            } else {
                continue
            }
            done += 1
            try db.execute(
                sql: "DELETE FROM deleted_entry WHERE subscription_id = ? AND guid = ?",
                arguments: [subscription, guid])
        }
        if feeds.count > 0 {
            let note = merged > 0 ? "; the feed had already delivered \(merged) again" : ""
            return Result(done: feeds.count + done, all: feeds.count + entries.count, note: note)
        }
        return Result(done: done, all: entries.count)
    }

    /// Follows the feeds of an undo step again.
    ///
    /// - Returns: The number of feeds, and the current IDs of those that are already followed again.
    private func restoreSubscriptions(_ step: Int64) throws -> (count: Int, places: [Int64: Int64]) {
        var places: [Int64: Int64] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, url, account_id FROM trash_subscription WHERE step_id = ?", arguments: [step])
        for row in rows {
            let (id, url, account): (Int64, String, Int64?) = (try row.at(0), try row.at(1), try row.at(2))
            if let present = try Int64.fetchOne(
                db, sql: "SELECT id FROM subscription WHERE url = ? AND account_id IS ?", arguments: [url, account])
            {
                places[id] = present
                continue
            }
            try insert("subscription", where: "id", id, step: step)
            // Restoring the entries counts them again.
            try db.execute(
                sql: "UPDATE subscription SET unread_count = 0, total_count = 0 WHERE id = ?", arguments: [id])
            // Asks the server to follow the feed again, unless the unsubscription was never sent.
            try queue(.subscribe, of: id, value: url)
            try insert("subscription_tag", where: "subscription_id", id, step: step)
            try insert("deleted_entry", where: "subscription_id", id, step: step)
        }
        return (rows.count, places)
    }

    /// Restores the rows from the trash whose `key` column has a given value.
    private func insert(_ table: String, where key: String, _ value: Int64, step: Int64) throws {
        let columns = try ChangeWriter.columns(of: table, db)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM trash_\(table) WHERE step_id = ? AND \(key) = ?
                """)
        try statement.execute(arguments: [step, value])
    }

    private func insert(_ entry: Int64, step: Int64, into subscription: Int64) throws {
        let moved = try db.cachedStatement(
            sql: "UPDATE trash_entry SET subscription_id = ?1 WHERE step_id = ?2 AND id = ?3 AND subscription_id <> ?1")
        try moved.execute(arguments: [subscription, step, entry])
        try insert("entry", where: "id", entry, step: step)
        try insert("entry_content", where: "entry_id", entry, step: step)
        try hasAdded(entry)
        try insert("entry_tag", where: "entry_id", entry, step: step)
    }

    /// Transfers the marks of a deleted entry to the same entry with a new ID.
    private func mergeMarks(of entry: Int64, step: Int64, to present: Int64) throws {
        try db.execute(
            sql: """
                UPDATE entry SET is_read = max(entry.is_read, t.is_read), read_at = coalesce(entry.read_at, t.read_at),
                    is_starred = max(entry.is_starred, t.is_starred), is_later = max(entry.is_later, t.is_later)
                FROM trash_entry t WHERE t.step_id = ? AND t.id = ? AND entry.id = ?
                """, arguments: [step, entry, present])
    }
}
