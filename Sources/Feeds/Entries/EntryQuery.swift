import GRDB
import Platform

/// The entries that a list shows, and their arrangement.
package struct EntryQuery: Hashable, Sendable {
    package var scope: EntryScope
    /// The order of the list. A sorted search has an order of its own.
    var order: EntryOrder
    /// Whether the list shows one row for all entries about the same page.
    var mergesDuplicates: Bool

    package init(_ scope: EntryScope, order: EntryOrder = .newest, mergesDuplicates: Bool = false) {
        self.scope = scope
        self.order = order
        self.mergesDuplicates = mergesDuplicates
    }

    /// The SQL condition that selects the entries, with its arguments.
    ///
    /// If duplicates are merged, only the first of the scope's entries about the same page remains.
    var condition: (sql: String, arguments: StatementArguments) {
        var condition = scope.condition
        if mergesScope {
            // Repeats the scope's condition, because the earliest duplicate of all may belong to another list.
            condition.sql =
                "(\(condition.sql)) AND NOT EXISTS (SELECT 1 FROM entry d WHERE d.duplicate_key = entry.duplicate_key AND d.id < entry.id "
                + "AND (\(condition.sql)))"
            condition.arguments += condition.arguments
        }
        return condition
    }

    /// The SQL query for the identifiers of the entries in list order, without a limit.
    var identifiers: (sql: String, arguments: StatementArguments) {
        let sorted = listOrder().sql
        if case .unread(let since) = scope, !mergesScope, order == .newest || order == .oldest {
            // SQLite merges two indexes in list order. For one condition with OR it would read all entries.
            let select = "SELECT id, sort_date FROM entry WHERE \(EntryScope.canBeUnread) AND"
            return (
                "\(select) is_read = 0 UNION ALL \(select) is_read = 1 AND read_at BETWEEN ? AND ? \(sorted)",
                [since, EntryScope.end(ofReading: since)]
            )
        }
        let condition = condition
        return ("SELECT id FROM entry WHERE \(condition.sql) \(sorted)", condition.arguments)
    }

    /// Whether duplicates are merged in the scope. The list of a single feed always shows all of its entries.
    var mergesScope: Bool {
        if case .subscription = scope { return false }
        return mergesDuplicates
    }

    /// How changed marks affect a list.
    package enum MarkEffect {
        /// Its entries and their order stay the same.
        case nothing
        /// Each marked entry can enter or leave the list, independently of the other entries.
        case membership
        case everything
    }

    /// How changed marks affect the list.
    package var effectOfMarks: MarkEffect {
        switch scope {
        case .subscription, .all, .folder, .accountFolder, .tag, .hidden, .archived: .nothing
        case .unread, .starred, .later: mergesScope ? .everything : .membership
        case .recentlyRead, .search, .sorted: .everything
        }
    }

    /// Returns the parts of the list above and below an entry, or `nil` if the list isn't in the order of its dates.
    package func parts(around entry: EntryRow) -> (above: EntryPart, below: EntryPart)? {
        if case .sorted = scope { return nil }
        let (newer, older) = (EntryPart.newer(entry.sortDate, entry.id), EntryPart.older(entry.sortDate, entry.id))
        return switch order {
        case .newest: (newer, older)
        case .oldest: (older, newer)
        case .feed, .rhythm: nil
        }
    }

    /// Returns the sort order of the list, or the reverse order for searching backwards.
    func listOrder(reversed: Bool = false) -> ListOrder {
        if case .sorted(_, let order) = scope { return ListOrder(order, reversed: reversed) }
        if scope == .recentlyRead { return ListOrder(byReadingReversed: reversed) }
        return ListOrder(order, reversed: reversed)
    }
}

extension EntryScope {
    /// The feeds that are excluded from unread counts.
    static let uncountedFeeds = "SELECT id FROM subscription WHERE is_uncounted = 1"

    /// The entries that the list of unread ones contains while they are unread.
    static let canBeUnread = "is_archived = 0 AND subscription_id NOT IN (\(uncountedFeeds))"

    /// Returns the end of the time in which entries of the list of unread ones were read.
    static func end(ofReading start: Instant) -> Instant { start + 366 * 86_400 }

    /// The SQL condition that selects the entries of the scope, with its arguments.
    var condition: (sql: String, arguments: StatementArguments) {
        switch self {
        case .subscription(let id): ("subscription_id = ?", [id])
        case .all: ("1", [])
        case .unread(let since):
            // The upper limit excludes entries that a wrong clock marked as read years ahead. They would otherwise
            // never disappear from the list.
            (
                "(is_read = 0 OR read_at BETWEEN ? AND ?) AND \(Self.canBeUnread)", [since, Self.end(ofReading: since)]
            )
        case .starred: ("is_starred = 1", [])
        case .later: ("is_later = 1", [])
        case .archived: ("is_archived = 1", [])
        case .recentlyRead: ("is_read = 1 AND read_at IS NOT NULL", [])
        case .folder(let name):
            ("subscription_id IN (SELECT id FROM subscription WHERE folder = ? AND account_id IS NULL)", [name])
        case .accountFolder(let name, let account):
            ("subscription_id IN (SELECT id FROM subscription WHERE folder = ? AND account_id = ?)", [name, account])
        case .tag(let name):
            (
                """
                (subscription_id IN (SELECT subscription_id FROM subscription_tag WHERE tag = ?)
                    OR id IN (SELECT entry_id FROM entry_tag WHERE tag = ?))
                """, [name, name]
            )
        case .hidden:
            ("subscription_id IN (SELECT id FROM subscription WHERE options LIKE '%\"isHidden\":true%')", [])
        case .search(let query), .sorted(let query, _): query.condition()
        }
    }
}

/// The sort order of an entry list: its `ORDER BY` clause and the condition for the entries after a given entry.
struct ListOrder {
    var sql: String
    /// The SQL condition for the entries that sort after a given entry. Its arguments are those of ``key(_:_:)``.
    var isLater: String
    private var isByDate: Bool

    /// Creates an order by date, or by a value of the entry or its feed and then newest first.
    init(_ order: EntryOrder, reversed: Bool) {
        // The value of an entry in a table, the least first.
        let first: (_ table: String) -> String
        switch order {
        case .newest, .oldest:
            let isUp = (order == .oldest) != reversed
            sql = isUp ? "ORDER BY sort_date, id" : "ORDER BY sort_date DESC, id DESC"
            isLater = "(sort_date, id) \(isUp ? ">" : "<") (?, ?)"
            isByDate = true
            return
        case .feed: first = ListOrder.ofFeed("lower(coalesce(custom_title, title, url)) || char(31) || id")
        case .rhythm: first = ListOrder.ofFeed("-coalesce(rhythm, 1000000000)")
        }
        func key(_ table: String) -> String { "\(first(table)), -\(table).sort_date, -\(table).id" }
        sql = "ORDER BY " + key("entry").replacing(", -entry", with: (reversed ? " DESC" : "") + ", -entry")
        if reversed { sql += " DESC" }
        isLater = "(\(key("entry"))) \(reversed ? "<" : ">") (SELECT \(key("k")) FROM entry k WHERE k.id = ?)"
        isByDate = false
    }

    /// Returns the value of an entry's feed.
    private static func ofFeed(_ value: String) -> (_ table: String) -> String {
        { table in "(SELECT \(value) FROM subscription WHERE id = \(table).subscription_id)" }
    }

    /// Creates an order by the time of reading, the latest first.
    init(byReadingReversed reversed: Bool) {
        let direction = reversed ? "" : " DESC"
        sql = "ORDER BY read_at\(direction), id\(direction)"
        isLater = "(read_at, id) \(reversed ? ">" : "<") (SELECT k.read_at, k.id FROM entry k WHERE k.id = ?)"
        isByDate = false
    }

    /// Returns the arguments of ``isLater`` for an entry.
    func key(_ date: Instant, _ id: EntryID) -> StatementArguments { isByDate ? [date, id] : [id] }
}
