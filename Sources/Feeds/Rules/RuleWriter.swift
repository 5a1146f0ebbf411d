import FeedParsing
import Foundation
import GRDB
import LibraryKernel

struct RuleWriter {
    let transaction: LibraryTransaction

    init(_ transaction: LibraryTransaction) { self.transaction = transaction }

    private var db: Database { transaction.db }

    /// Applies rules to all entries after an identifier, in the transaction that added them.
    ///
    /// - Parameter hasTasks: Whether to queue actions outside the library as well.
    func apply(_ rules: [Rule], after last: EntryID, hasTasks: Bool, now: Instant) throws {
        guard !rules.isEmpty, try NewEntries(db: db).lastID() > last else { return }
        if rules.needsIndex { try IndexWriter(transaction).index(after: last) }
        // Entries that one rule marked need not be checked by the next.
        var marked: [EntryMark: Set<EntryID>] = [:]
        for rule in rules {
            let condition = rule.when.condition(after: last)
            let entries: [EntryID]
            do {
                let find = try db.cachedStatement(sql: "SELECT id FROM entry WHERE \(condition.sql) ORDER BY id")
                entries = try EntryID.fetchAll(find, arguments: condition.arguments)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // New entries are stored even if a rule fails.
                try noteTally(rule.name, matches: 0, error: error.message, now: now)
                continue
            }
            guard !entries.isEmpty else { continue }
            _ = try apply(rule, to: entries, except: &marked, hasTasks: hasTasks, now: now)
            try noteTally(rule.name, matches: entries.count, error: nil, now: now)
        }
    }

    /// Applies a rule to existing entries up to an identifier, without actions outside the library.
    ///
    /// - Returns: The number of matching entries, and the IDs of the changes that have undo steps.
    func applyToExisting(_ rule: Rule, upTo last: EntryID, now: Instant) throws -> (matches: Int, steps: [UUID]) {
        let condition = rule.when.condition()
        let entries = try EntryID.fetchAll(
            db, sql: "SELECT id FROM entry WHERE \(condition.sql) AND id <= ?", arguments: condition.arguments + [last])
        var marked: [EntryMark: Set<EntryID>] = [:]
        let steps = try apply(rule, to: entries, except: &marked, hasTasks: false, now: now)
        if !entries.isEmpty { try noteTally(rule.name, matches: entries.count, error: nil, now: now) }
        return (entries.count, steps)
    }

    /// Applies a rule to entries. All its changes can be undone by the rule's name.
    ///
    /// - Parameter marked: Entries that are known to have a mark.
    /// - Returns: The IDs of the changes that have undo steps.
    private func apply(
        _ rule: Rule, to entries: [EntryID], except marked: inout [EntryMark: Set<EntryID>], hasTasks: Bool,
        now: Instant
    ) throws -> [UUID] {
        var steps: [UUID] = []
        for action in rule.then {
            let change: Change
            switch action {
            case .mark(let mark):
                let new = entries.filter { marked[mark, default: []].insert($0).inserted }
                guard !new.isEmpty else { continue }
                change = .mark(mark, true, entries: new, wholeStories: false, now: now)
            case .tag(let tag): change = .tagEntries(entries, adding: [tag], removing: [])
            case .delete: change = .delete(entries: entries, now: now)
            case .fold: change = .archive(entries: entries)
            case .download where hasTasks:
                for entry in entries { try queueMedia(of: entry, now: now) }
                continue
            case .notify where hasTasks, .fullText where hasTasks, .run where hasTasks:
                try EntryTasks(db: db).add(action.text, of: rule.name, for: entries, now: now)
                continue
            case .notify, .fullText, .download, .run: continue
            }
            let receipt = try transaction.applyPart(change)
            guard receipt.undo != nil else { continue }
            steps.append(receipt.id)
            try db.execute(
                sql: "INSERT INTO rule_step (change, rule, created) VALUES (?, ?, ?)",
                arguments: [receipt.id.uuidString, rule.name, now])
        }
        return steps
    }

    private func queueMedia(of entry: EntryID, now: Instant) throws {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT e.title, c.extras, s.url, s.options, coalesce(s.custom_title, s.title, s.url) FROM entry e
                    JOIN entry_content c ON c.entry_id = e.id JOIN subscription s ON s.id = e.subscription_id
                    WHERE e.id = ?
                    """, arguments: [entry])
        else { return }
        guard let media = EntryExtras(stored: try row.at(1)).media else { return }
        let isOwn = TrustedHost.mayBePrivate(
            media.url, ownHost: try FeedStore.trustedHost(url: row.at(2), options: row.at(3)))
        _ = try transaction.applyPart(
            .queueDownload(
                url: media.url, title: try row.at(0), feed: try row.at(4), allowsPrivateHost: isOwn, now: now))
    }

    private func noteTally(_ rule: String, matches: Int, error: String?, now: Instant) throws {
        try db.executeCached(
            """
            INSERT INTO rule_tally (name, matches, last, error) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET matches = matches + ?2, last = coalesce(?3, last), error = ?4
            """, [rule, matches, matches > 0 ? now : nil, error])
    }
}
