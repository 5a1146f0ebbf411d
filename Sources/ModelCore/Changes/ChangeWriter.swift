import Foundation
import GRDB

/// Applies a change inside its transaction and stores the undo step.
struct ChangeWriter {
    let db: Database
    /// The ID of the change.
    let id: UUID
    /// The texts that the transaction adds to the index at its end.
    var gathered = GatheredTexts()

    /// Applies a change of the user.
    func apply(_ change: Change) throws -> Receipt {
        switch change {
        case .mark(let mark, let value, let entries, let wholeStories, let now):
            return try setMark(mark, value, entries, wholeStories: wholeStories && mark == .read, now: now)
        case .markAll(let mark, let value, let scope, let last, let folds, let now):
            return try setMark(mark, value, in: scope, upTo: last, mergesDuplicates: folds, now: now)
        case .markPart(let mark, let value, let scope, let part, let last, let folds, let now):
            return try setMark(mark, value, in: scope, part, upTo: last, mergesDuplicates: folds, now: now)
        case .renameGroup(let group, let name): return try rename(group, to: name)
        case .closeGroup(let group, let isClosed): return try close(group, isClosed)
        case .orderGroups(let groups): return try order(groups)
        case .order(let rows, let table): return try order(rows, of: table)
        case .sortSearch(let search, let order): return try sort(search, order)
        case .tagEntries(let entries, let added, let removed):
            return try tag(entries, adding: added, removing: removed)
        case .applyRule(let rule, let last, let now): return try apply(rule, upTo: last, now: now)
        case .undoRule(let rule, let now): return try undoRule(rule, now: now)
        case .delete(let entries, let now): return try delete(entries, now: now)
        case .subscribe(let feeds, let now): return try subscribe(feeds, now: now)
        case .unsubscribe(let subscription, let now): return try unsubscribe(subscription, now: now)
        case .rename(let subscription, let title): return try rename(subscription, title)
        case .move(let subscription, let folder): return try move(subscription, folder)
        case .tag(let subscription, let tags): return try tag(subscription, tags)
        case .setHeaders(let subscription, let lines): return try setHeaders(subscription, lines)
        case .setOptions(let subscription, let options): return try setOptions(subscription, options)
        case .notePlace(let entry, let place): return try note(place: place, of: entry)
        case .notePlayed(let url, let played, let now): return try note(played, of: url, now: now)
        case .savePage(let page, let now): return try save(page, now: now)
        case .addAccount(let account): return try addAccount(account)
        case .removeAccount(let account, let keepsFeeds): return try removeAccount(account, keepsFeeds: keepsFeeds)
        case .handOver(let feeds, let account): return try handOver(feeds, to: account)
        case .takeBack(let feeds): return try takeBack(feeds)
        case .retryOutbox(let items): return try retry(items)
        case .dropFromOutbox(let items): return try drop(items)
        case .queueDownload(let url, let title, let isPrivate, let now):
            return try queueDownload(url, title, allowsPrivateHost: isPrivate, now: now)
        case .removeDownload(let download): return try removeDownload(download)
        case .set(let name, let value): return try set(name, value)
        case .keepSearch(let name, let query): return try saveSearch(name, query)
        case .forgetSearch(let search): return try deleteSearch(search)
        case .storeRace(let race, let isBundled): return try store(race, isBundled: isBundled)
        case .storeRaceFile(let race, let path, let stamp): return try store(race, path: path, stamp: stamp)
        case .followRace(let race, let subscription): return try follow(race, subscription)
        case .unfollowRace(let race): return try unfollow(race)
        case .removeRace(let race): return try removeRace(race)
        case .followDirectory(let races, let directory): return try store(races, directory, isNew: true)
        case .unfollowDirectory(let address): return try unfollowDirectory(address)
        case .hideResults(let hides, let race): return try hideResults(hides, of: race)
        case .revealStage(let stage, let race, let isSeen): return try look(at: stage, of: race, isSeen)
        case .reveal(let entry): return try reveal(entry)
        case .storeTrack(let track, let race, let stage): return try store(track, race: race, stage: stage)
        case .several(let changes): return try apply(changes)
        case .undo(let other, let now): return try undo(other, now: now)
        }
    }

    /// Applies several changes, each with its own undo step. The undo step of the whole refers to them.
    private func apply(_ changes: [Change]) throws -> Receipt {
        var steps: [UUID] = []
        for change in changes {
            let step = UUID()
            if try ChangeWriter(db: db, id: step).apply(change).undo != nil { steps.append(step) }
        }
        return try receipt(
            steps.count, undo: "Restores " + steps.count.counted("feed"),
            .several(steps.reversed()))
    }

    // MARK: Steps

    /// Whether a change has an undo step, which shows that it is stored.
    static func hasStep(of id: UUID, _ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM undo_step WHERE change = ?", arguments: [id.uuidString]) != nil
    }

    /// Stores the undo step of a change and returns the receipt. Does nothing if no row has changed.
    func receipt(_ count: Int, undo explanation: @autoclosure () -> String, _ inverse: @autoclosure () -> Inverse)
        throws
        -> Receipt
    {
        guard count > 0 else { return Receipt(id) }
        let words = explanation()
        _ = try note(inverse(), words)
        return Receipt(id, count: count, undo: words)
    }

    /// Stores the undo step of this change.
    ///
    /// - Returns: The ID of the step, for its rows in the trash.
    func note(_ inverse: Inverse, _ explanation: String) throws -> Int64 {
        let text = String(decoding: try JSONEncoder().encode(inverse), as: UTF8.self)
        try db.execute(
            sql: "INSERT INTO undo_step (change, created, explanation, inverse) VALUES (?, unixepoch(), ?, ?)",
            arguments: [id.uuidString, explanation, text])
        return db.lastInsertedRowID
    }

    /// Applies a change and deletes its undo step, because the change is part of another or must not be undone.
    func withoutStep(_ body: (ChangeWriter) throws -> Receipt) throws -> Receipt {
        let writer = ChangeWriter(db: db, id: UUID())
        let receipt = try body(writer)
        let step = try Int64.fetchOne(
            db, sql: "SELECT id FROM undo_step WHERE change = ?", arguments: [writer.id.uuidString])
        if let step { try ChangeWriter.forget(step: step, db) }
        return receipt
    }

    /// Deletes an undo step and its rows in the trash.
    static func forget(step: Int64, _ db: Database) throws {
        for (table, _) in Schema.trashTables {
            try db.execute(sql: "DELETE FROM trash_\(table) WHERE step_id = ?", arguments: [step])
        }
        try db.execute(sql: "DELETE FROM undo_step WHERE id = ?", arguments: [step])
    }

    /// Returns the column names of a table, separated by commas.
    static func columns(of table: String, _ db: Database) throws -> String {
        try db.columns(in: table).map(\.name).joined(separator: ", ")
    }

    /// Copies the rows whose `key` column has a given value to the trash.
    func copy(_ table: String, where key: String, _ value: Int64, to step: Int64) throws {
        let columns = try ChangeWriter.columns(of: table, db)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO trash_\(table) (step_id, \(columns)) SELECT ?, \(columns) FROM \(table) WHERE \(key) = ?
                """)
        try statement.execute(arguments: [step, value])
    }

    private func set(_ name: String, _ value: String?) throws -> Receipt {
        if let value {
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
        } else {
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
        }
        return Receipt(id, count: db.changesCount)
    }
}
