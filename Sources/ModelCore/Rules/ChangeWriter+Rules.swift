import FeedParsing
import FeedServers
import Foundation
import GRDB

/// The effects of rules on new and existing entries.
extension ChangeWriter {
    /// Returns the greatest entry identifier so far. Entries that arrive later have greater ones.
    func lastIdentity() throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'entry'") ?? 0
    }

    /// Applies rules to all entries after an identifier, in the transaction that added them.
    ///
    /// - Parameter hasTasks: Whether to queue actions outside the library as well.
    func carryOut(_ rules: [Rule], after last: Int64, hasTasks: Bool, now: Int64) throws {
        guard !rules.isEmpty, try lastIdentity() > last else { return }
        if rules.contains(where: \.when.needsIndex) { try index(after: last) }
        // Entries that one rule marked need not be checked by the next.
        var marked: [EntryMark: Set<Int64>] = [:]
        for rule in rules {
            let condition = rule.when.condition(after: last)
            let entries: [Int64]
            do {
                let find = try db.cachedStatement(sql: "SELECT id FROM entry WHERE \(condition.sql) ORDER BY id")
                entries = try Int64.fetchAll(find, arguments: condition.arguments)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // New entries are stored even if a rule fails.
                try noteTally(rule.name, matches: 0, error: error.message, now: now)
                continue
            }
            guard !entries.isEmpty else { continue }
            _ = try carryOut(rule, on: entries, but: &marked, hasTasks: hasTasks, now: now)
            try noteTally(rule.name, matches: entries.count, error: nil, now: now)
        }
    }

    /// Applies a rule to entries. All its changes can be undone by the rule's name.
    ///
    /// - Parameter marked: Entries that are known to have a mark.
    /// - Returns: The changes that have undo steps.
    private func carryOut(
        _ rule: Rule, on entries: [Int64], but marked: inout [EntryMark: Set<Int64>], hasTasks: Bool, now: Int64
    ) throws -> [UUID] {
        var steps: [UUID] = []
        for action in rule.then {
            let writer = ChangeWriter(db: db, id: UUID())
            let receipt: Receipt
            switch action {
            case .mark(let mark):
                let new = entries.filter { marked[mark, default: []].insert($0).inserted }
                guard !new.isEmpty else { continue }
                receipt = try writer.setMark(mark, true, new, wholeStories: false, now: now)
            case .tag(let tag): receipt = try writer.tag(entries, adding: [tag], removing: [])
            case .delete: receipt = try writer.delete(entries, now: now)
            case .fold: receipt = try writer.fold(entries)
            case .download where hasTasks:
                for entry in entries { try queueRecording(of: entry, now: now) }
                continue
            case .notify where hasTasks, .fullText where hasTasks, .run where hasTasks:
                try addTasks(rule.name, action, entries, now: now)
                continue
            case .notify, .fullText, .download, .run: continue
            }
            guard receipt.undo != nil else { continue }
            steps.append(writer.id)
            try db.execute(
                sql: "INSERT INTO rule_step (change, rule, created) VALUES (?, ?, ?)",
                arguments: [writer.id.uuidString, rule.name, now])
        }
        return steps
    }

    func addTasks(_ rule: String, _ action: Rule.Action, _ entries: [Int64], now: Int64) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT INTO rule_task (rule, task, entry_id, created) VALUES (?, ?, ?, ?)")
        for entry in entries { try insert.execute(arguments: [rule, action.text, entry, now]) }
    }

    private func queueRecording(of entry: Int64, now: Int64) throws {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT e.title, c.extras FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.id = ?
                    """, arguments: [entry])
        else { return }
        let files = EntryExtras(stored: try row.at(1)).enclosures ?? []
        let recording = files.first { file in
            ["audio", "video"].contains { file.mediaType?.hasPrefix($0) == true }
        }
        guard let recording else { return }
        _ = try ChangeWriter(db: db, id: UUID()).queueDownload(
            recording.url, try row.at(0), allowsPrivateHost: false, now: now)
    }

    private func noteTally(_ rule: String, matches: Int, error: String?, now: Int64) throws {
        let note = try db.cachedStatement(
            sql: """
                INSERT INTO rule_tally (name, matches, last, error) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET matches = matches + ?2, last = coalesce(?3, last), error = ?4
                """)
        try note.execute(arguments: [rule, matches, matches > 0 ? now : nil, error])
    }

    // MARK: On what is here

    /// Applies a rule to existing entries up to an identifier, without actions outside the library.
    func apply(_ rule: Rule, upTo last: Int64, now: Int64) throws -> Receipt {
        let condition = rule.when.condition
        let entries = try Int64.fetchAll(
            db, sql: "SELECT id FROM entry WHERE \(condition.sql) AND id <= ?", arguments: condition.arguments + [last])
        var marked: [EntryMark: Set<Int64>] = [:]
        let steps = try carryOut(rule, on: entries, but: &marked, hasTasks: false, now: now)
        if !entries.isEmpty { try noteTally(rule.name, matches: entries.count, error: nil, now: now) }
        var receipt = try receipt(
            steps.count, undo: "Reverts what the rule \(rule.name) did", .several(steps.reversed()))
        receipt.count = entries.count
        return receipt
    }

    /// Undoes everything that a rule did and that can still be undone, last change first.
    func undoRule(_ name: String, now: Int64) throws -> Receipt {
        let changes = try String.fetchAll(
            db,
            sql: """
                SELECT change FROM rule_step LEFT JOIN undo_step USING (change) WHERE rule = ? ORDER BY undo_step.id DESC
                """, arguments: [name])
        var result = Receipt(id)
        for change in changes.compactMap(UUID.init(uuidString:)) { result.count += try undo(change, now: now).count }
        try db.execute(sql: "DELETE FROM rule_step WHERE rule = ?", arguments: [name])
        result.sentence =
            changes.isEmpty
            ? "The rule \(name) has done nothing that can be undone"
            : "Undid \(result.count.counted("change")) of the rule \(name)"
        return result
    }

    // MARK: Tags and folding

    /// Adds tags to entries and removes others.
    func tag(_ entries: [Int64], adding: [String], removing: [String]) throws -> Receipt {
        var (added, removed): ([Inverse.Tagged], [Inverse.Tagged]) = ([], [])
        for entry in entries {
            for tag in adding where try !tag.isEmpty && set(tag, true, of: entry) {
                added.append(Inverse.Tagged(entry: entry, tag: tag))
            }
            for tag in removing where try set(tag, false, of: entry) {
                removed.append(Inverse.Tagged(entry: entry, tag: tag))
            }
        }
        let count = Set((added + removed).map(\.entry)).count
        return try receipt(
            count, undo: "Restores the tags of \(count.countedEntries)",
            .tagEntries(add: removed, remove: added))
    }

    /// - Returns: The number of entries that changed.
    func restoreTags(add: [Inverse.Tagged], remove: [Inverse.Tagged]) throws -> Int {
        var entries: Set<Int64> = []
        for item in add where try set(item.tag, true, of: item.entry) { entries.insert(item.entry) }
        for item in remove where try set(item.tag, false, of: item.entry) { entries.insert(item.entry) }
        return entries.count
    }

    /// Adds a tag to an entry, or removes it.
    ///
    /// - Returns: Whether anything changed.
    func set(_ tag: String, _ value: Bool, of entry: Int64) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: value
                ? "INSERT OR IGNORE INTO entry_tag SELECT id, ?2 FROM entry WHERE id = ?1"
                : "DELETE FROM entry_tag WHERE entry_id = ?1 AND tag = ?2")
        try statement.execute(arguments: [entry, tag])
        guard db.changesCount > 0 else { return false }
        // The label of that name is the mark for reading later.
        if tag != RemoteMark.later.name { try queue(.label(tag), value, of: entry) }
        return true
    }

    /// Archives entries.
    func fold(_ entries: [Int64]) throws -> Receipt {
        let update = try db.cachedStatement(sql: "UPDATE entry SET is_folded = 1 WHERE id = ? AND is_folded = 0")
        var folded: [Int64] = []
        for entry in entries {
            try update.execute(arguments: [entry])
            if db.changesCount > 0 { folded.append(entry) }
        }
        return try receipt(
            folded.count,
            undo: "Restores \(folded.count.counted("archived entry", "archived entries"))",
            .unfold(folded))
    }

    func unfold(_ entries: [Int64]) throws -> Int {
        var count = 0
        for entry in entries {
            try db.execute(sql: "UPDATE entry SET is_folded = 0 WHERE id = ? AND is_folded = 1", arguments: [entry])
            count += db.changesCount
        }
        return count
    }

    // MARK: Tasks

    /// Returns the pending tasks and deletes them, so that none is done twice. The caller must do them.
    func takeTasks() throws -> [RuleTask] {
        let tasks = try Row.fetchAll(db, sql: "SELECT id, rule, task, entry_id FROM rule_task ORDER BY id").compactMap {
            row -> RuleTask? in
            guard let action = Rule.Action(try row.at(2)) else { return nil }
            return try RuleTask(id: row.at(0), rule: row.at(1), action: action, entry: row.at(3))
        }
        if !tasks.isEmpty { try db.execute(sql: "DELETE FROM rule_task") }
        return tasks
    }
}
