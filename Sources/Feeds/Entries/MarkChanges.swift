import GRDB
import LibraryKernel

struct MarkEntries: EntryChange {
    static let kind = "entries.mark"
    var mark: EntryMark
    var value: Bool
    var entries: [EntryID]
    /// Whether the read mark also applies to all other entries about the same pages.
    var wholeStories: Bool
    var now: Instant

    var summary: String {
        switch mark {
        case .read: entries.count.summary("a read mark", "read marks")
        case .starred: entries.count.summary("a star", "stars")
        case .later: entries.count.summary("a read-later mark", "read-later marks")
        }
    }

    func concerns(_ row: EntryRow) -> Bool { entries.contains(row.id) }
    func value(of mark: EntryMark) -> Bool? { mark == self.mark ? value : nil }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let marks = EntryMarks(transaction.db)
        let entries = wholeStories && mark == .read ? try marks.wholeStories(of: entries) : entries
        let changed = try marks.set(mark, value, of: entries, now: now)
        return Outcome(
            count: changed.count, undo: mark.words(value, changed.count),
            Change(RestoreMarks(mark: mark, value: !value, entries: MarkedEntries(changed))))
    }
}

/// Adds or removes a mark of all entries in a scope, or of a part of them, up to an ID.
///
/// Entries that arrive meanwhile have higher IDs and are not affected.
struct MarkScope: EntryChange {
    static let kind = "entries.markScope"
    var mark: EntryMark
    var value: Bool
    var scope: EntryScope
    var part: EntryPart?
    var last: EntryID
    var mergesDuplicates: Bool
    var now: Instant

    var summary: String { "the marks of a list" }

    func concerns(_ row: EntryRow) -> Bool {
        guard row.id <= last else { return false }
        if let part { return part.contains(row) }
        if case .subscription(let feed) = scope { return row.subscriptionID == feed }
        return true
    }

    func value(of mark: EntryMark) -> Bool? { mark == self.mark && part == nil ? value : nil }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let condition = scope.condition
        let side: (sql: String, arguments: StatementArguments) = part?.condition ?? ("1", [])
        let entries = try EntryID.fetchAll(
            transaction.db,
            sql: "SELECT id FROM entry WHERE (\(condition.sql)) AND \(side.sql) AND id <= ? AND \(mark.rawValue) = ?",
            arguments: condition.arguments + side.arguments + [last, !value])
        let change = MarkEntries(mark: mark, value: value, entries: entries, wholeStories: mergesDuplicates, now: now)
        return try change.apply(in: transaction)
    }
}

/// Marks unread entries as read that arrived longer ago than their feed's option allows
/// (``SubscriptionOptions/readAfterDays``). Starred and "read later" entries stay unread.
package struct MarkOldRead: LibraryChange {
    package static let kind = "entries.markOldRead"
    var now: Instant

    package init(now: Instant) { self.now = now }

    package var summary: String { "read marks of old entries" }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = try Row.fetchAll(
            transaction.db, sql: "SELECT id, options FROM subscription WHERE options LIKE '%readAfterDays%'")
        let entries = try feeds.flatMap { feed -> [EntryID] in
            guard let days = try SubscriptionOptions(stored: feed.at(1)).readAfterDays, days > 0 else { return [] }
            return try EntryID.fetchAll(
                transaction.db,
                sql: """
                    SELECT entry.id FROM entry JOIN entry_content ON entry_id = entry.id
                    WHERE subscription_id = ? AND NOT is_read AND NOT is_starred AND NOT is_later AND first_seen < ?
                    """, arguments: [feed.at(0) as FeedID, now - Int64(days).multipliedClamped(by: 86_400)])
        }
        return try MarkEntries(mark: .read, value: true, entries: entries, wholeStories: false, now: now)
            .apply(in: transaction)
    }
}

/// Restores a mark of entries, with the dates when they were read.
struct RestoreMarks: LibraryChange {
    static let kind = "entries.restoreMarks"
    var mark: EntryMark
    var value: Bool
    var entries: MarkedEntries

    var summary: String { "marks" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let count = try EntryMarks(transaction.db).restore(mark, value, of: entries.entries)
        return Outcome(count: count, of: entries.entries.count)
    }
}

/// Entries with the dates when they were read, or `nil` for unread entries.
///
/// Encoded as a single text, such as `7 8@1790000000 9`. As separate JSON values, 10,000 entries would take fifty
/// times the memory.
struct MarkedEntries: Codable, Hashable {
    var entries: [EntryMarks.Previous]

    init(_ entries: [EntryMarks.Previous]) { self.entries = entries }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        entries = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { item in
            let parts = item.split(separator: UInt8(ascii: "@"))
            let numbers = parts.compactMap { Int64(Substring($0)) }
            return numbers.isEmpty
                ? nil : (EntryID(rawValue: numbers[0]), numbers.count > 1 ? Instant(numbers[1]) : nil)
        }
    }

    private var text: String {
        var text = ""
        for entry in entries {
            if !text.isEmpty { text += " " }
            text += String(entry.id)
            if let readAt = entry.readAt { text += "@\(readAt)" }
        }
        return text
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func == (first: MarkedEntries, second: MarkedEntries) -> Bool { first.text == second.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Change {
    /// Adds or removes a mark of entries. With `wholeStories`, also of all other entries about the same pages.
    package static func mark(
        _ mark: EntryMark, _ value: Bool, entries: [EntryID], wholeStories: Bool, now: Instant
    ) -> Change {
        Change(MarkEntries(mark: mark, value: value, entries: entries, wholeStories: wholeStories, now: now))
    }

    /// Adds or removes a mark of all entries in a scope, up to an ID.
    ///
    /// Entries that arrive meanwhile have higher IDs and are not affected.
    ///
    /// - Parameter part: The part of the scope on one side of an entry or a date, or `nil` for the whole scope.
    package static func markAll(
        _ mark: EntryMark, _ value: Bool, _ scope: EntryScope, part: EntryPart? = nil, upTo last: EntryID,
        mergesDuplicates: Bool, now: Instant
    ) -> Change {
        Change(
            MarkScope(
                mark: mark, value: value, scope: scope, part: part, last: last, mergesDuplicates: mergesDuplicates,
                now: now))
    }
}
