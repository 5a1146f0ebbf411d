import GRDB
import LibraryKernel

struct CollapseGroup: LibraryChange {
    static let kind = "groups.collapse"
    var group: FeedGroup
    var isClosed: Bool

    var summary: String { isClosed ? "a collapsed group" : "an expanded group" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: """
                INSERT INTO folder_place (name, is_closed) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET is_closed = ?2
                """, arguments: [group.key, isClosed])
        return Outcome(count: transaction.db.changesCount)
    }
}

struct OrderGroups: LibraryChange {
    static let kind = "groups.order"
    var groups: [FeedGroup]

    var summary: String { "the list order" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let before = try groups.map { group in
            try Int.fetchOne(
                transaction.db, sql: "SELECT position FROM folder_place WHERE name = ?", arguments: [group.key])
        }
        _ = try PlaceGroups(groups: groups, positions: Array(groups.indices)).apply(in: transaction)
        return Outcome(
            count: 1, undo: "reordering the folders",
            Change(PlaceGroups(groups: groups, positions: before)))
    }
}

/// Sets the positions of folders or tags.
struct PlaceGroups: LibraryChange {
    static let kind = "groups.place"
    var groups: [FeedGroup]
    var positions: [Int?]

    var summary: String { "the list order" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        for (group, position) in zip(groups, positions) {
            try transaction.db.execute(
                sql: """
                    INSERT INTO folder_place (name, position, is_closed) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET position = ?2
                    """, arguments: [group.key, position, group.isClosedAtFirst])
            guard position == nil else { continue }
            // A row with nothing but defaults would prevent a renamed group from getting its position back.
            try transaction.db.execute(
                sql: "DELETE FROM folder_place WHERE name = ? AND is_closed = ?",
                arguments: [group.key, group.isClosedAtFirst])
        }
        return Outcome(count: 1)
    }
}

/// Sorts feeds in the given order, within the positions that they already occupy.
struct OrderFeeds: LibraryChange {
    static let kind = "feeds.order"
    var feeds: [FeedID]

    var summary: String { "the list order" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let (moved, previous) = try RowOrder(db: transaction.db, table: "subscription").sort(feeds)
        return Outcome(count: moved, undo: "reordering the feeds", .orderFeeds(previous))
    }
}

/// Renames a folder or tag; an empty name dissolves it.
///
/// If the new name is already in use, the two groups are merged.
struct RenameGroup: LibraryChange {
    static let kind = "groups.rename"
    var group: FeedGroup
    var name: String

    var summary: String { "a new name" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        guard name != group.name, let (parts, new) = try parts(transaction.db) else { return Outcome() }
        var steps = try parts.map { try transaction.applyPart($0) }.filter { $0.undo != nil }.map(\.id)
        let words = name.isEmpty ? "dissolving \(group.name)" : "renaming \(group.name) to \(name)"
        let count = steps.count
        if count > 0, !name.isEmpty {
            let receipt = try transaction.applyPart(Change(MoveGroupPlace(group: group.key, other: new.key)))
            if receipt.undo != nil { steps.append(receipt.id) }
        }
        return Outcome(count: count, undo: words, Change(UndoParts(steps.reversed())))
    }

    /// Returns the changes of the feeds and entries in the group, and the new group.
    private func parts(_ db: Database) throws -> ([Change], FeedGroup)? {
        switch group {
        case .folder(let folder, let account):
            let feeds = try FeedID.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE folder = ? AND account_id IS ?",
                arguments: [folder, account])
            return (feeds.map { .move($0, folder: name.isEmpty ? nil : name) }, .folder(name, account: account))
        case .tag(let tag): return (try parts(of: tag, db), .tag(name))
        case .hidden: return nil
        }
    }

    private func parts(of tag: String, _ db: Database) throws -> [Change] {
        let feeds = try FeedID.fetchAll(
            db, sql: "SELECT subscription_id FROM subscription_tag WHERE tag = ?", arguments: [tag])
        var parts = try feeds.map { feed in
            let others = try String.fetchAll(
                db, sql: "SELECT tag FROM subscription_tag WHERE subscription_id = ? AND tag <> ?",
                arguments: [feed, tag])
            return Change.tag(feed, others + (name.isEmpty ? [] : [name]))
        }
        let entries = try EntryID.fetchAll(
            db, sql: "SELECT entry_id FROM entry_tag WHERE tag = ?", arguments: [tag])
        if !entries.isEmpty {
            parts.append(.tagEntries(entries, adding: name.isEmpty ? [] : [name], removing: [tag]))
        }
        return parts
    }
}

/// Moves the stored position of a group to another group that has none. Both are given by their keys.
struct MoveGroupPlace: LibraryChange {
    static let kind = "groups.movePlace"
    var group: String
    var other: String

    var summary: String { "the list order" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "UPDATE OR IGNORE folder_place SET name = ? WHERE name = ?", arguments: [other, group])
        return Outcome(
            count: transaction.db.changesCount, undo: "", Change(MoveGroupPlace(group: other, other: group)))
    }
}

extension Change {
    /// Renames a folder or tag. If the new name is in use, merges the two; an empty name dissolves the group.
    package static func renameGroup(_ group: FeedGroup, to name: String) -> Change {
        Change(RenameGroup(group: group, name: name))
    }

    /// Collapses or expands a folder or tag.
    package static func collapseGroup(_ group: FeedGroup, _ isClosed: Bool) -> Change {
        Change(CollapseGroup(group: group, isClosed: isClosed))
    }

    /// Sorts folders or tags in the given order.
    package static func orderGroups(_ groups: [FeedGroup]) -> Change { Change(OrderGroups(groups: groups)) }

    /// Sorts feeds in the given order.
    package static func orderFeeds(_ feeds: [FeedID]) -> Change { Change(OrderFeeds(feeds: feeds)) }
}
