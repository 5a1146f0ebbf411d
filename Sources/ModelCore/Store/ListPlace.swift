import Foundation
import GRDB

/// A group in the feed list: a folder, a tag or the hidden feeds.
package enum FeedGroup: Codable, Hashable, Sendable {
    case folder(String, account: Int64?)
    case tag(String)
    /// The hidden feeds, which appear in a group of their own.
    case hidden

    /// The key for the group's stored position and for the saved state of panes.
    package var key: String {
        switch self {
        case .folder(let name, nil): "folder:" + name
        case .folder(let name, let account?): "folder@\(account):" + name
        case .tag(let name): "tag:" + name
        case .hidden: "hidden"
        }
    }

    package var name: String {
        switch self {
        case .folder(let name, _), .tag(let name): name
        case .hidden: "Hidden"
        }
    }

    /// Whether the group starts collapsed, until the user expands it.
    package var isClosedAtFirst: Bool { if case .folder = self { false } else { true } }
}

/// The position of a group in the feed list, and whether the group is collapsed.
package struct FeedGroupPlace: Hashable, Sendable {
    package var position: Int?
    package var isClosed: Bool
}

extension Library {
    /// Returns a function that looks up the stored position of a group.
    ///
    /// Groups without a stored position follow the others: folders in the order of their first feeds, tags by name.
    package func groupPlaces() throws(LibraryError) -> (FeedGroup) -> FeedGroupPlace? {
        let places = try read { db in
            var places: [String: FeedGroupPlace] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT name, position, is_closed FROM folder_place") {
                places[try row.at(0)] = try FeedGroupPlace(position: row.at(1), isClosed: row.at(2))
            }
            return places
        }
        return { places[$0.key] }
    }

    /// Returns the feeds of each tag, and the number of unread entries that have the tag themselves.
    package func tagRows() throws(LibraryError) -> (feeds: [String: [Int64]], entries: [String: Int]) {
        try read { db in
            var feeds: [String: [Int64]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT tag, subscription_id FROM subscription_tag ORDER BY tag") {
                feeds[try row.at(0), default: []].append(try row.at(1))
            }
            var entries: [String: Int] = [:]
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT t.tag, sum(e.is_read = 0) FROM entry_tag t JOIN entry e ON e.id = t.entry_id GROUP BY t.tag
                    """)
            { entries[try row.at(0)] = try row.at(1) }
            return (feeds, entries)
        }
    }
}

/// The order of the feeds, folders and tags in the feed list.
extension ChangeWriter {
    /// Collapses or expands a group.
    func close(_ group: FeedGroup, _ isClosed: Bool) throws -> Receipt {
        try db.execute(
            sql: """
                INSERT INTO folder_place (name, is_closed) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET is_closed = ?2
                """, arguments: [group.key, isClosed])
        return Receipt(id, count: db.changesCount)
    }

    /// Sorts groups in the given order.
    func order(_ groups: [FeedGroup]) throws -> Receipt {
        let before = try groups.map { group in
            try Int.fetchOne(db, sql: "SELECT position FROM folder_place WHERE name = ?", arguments: [group.key])
        }
        try place(groups, groups.indices.map { $0 })
        return try receipt(1, undo: "Restores the order of the folders", .placeGroups(groups, before))
    }

    func place(_ groups: [FeedGroup], _ positions: [Int?]) throws {
        for (group, position) in zip(groups, positions) {
            try db.execute(
                sql: """
                    INSERT INTO folder_place (name, position, is_closed) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET position = ?2
                    """, arguments: [group.key, position, group.isClosedAtFirst])
        }
    }

    /// Sorts feeds or saved searches in the given order, within the positions that they already occupy.
    func order(_ rows: [Int64], of table: OrderedTable) throws -> Receipt {
        var places: [(id: Int64, position: Int64)] = []
        for row in rows {
            if let position = try Int64.fetchOne(
                db, sql: "SELECT position FROM \(table.rawValue) WHERE id = ?", arguments: [row])
            {
                places.append((row, position))
            }
        }
        // Rows that were added together may share a position.
        var positions = places.map(\.position).sorted()
        for index in positions.indices.dropFirst() where positions[index] <= positions[index - 1] {
            positions[index] = positions[index - 1] + 1
        }
        var changed = 0
        for (place, position) in zip(places, positions) where place.position != position {
            try db.execute(
                sql: "UPDATE \(table.rawValue) SET position = ? WHERE id = ?", arguments: [position, place.id])
            changed += 1
        }
        let previous = places.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(\.id)
        return try receipt(changed, undo: "Restores the order of the list", .order(previous, table))
    }

    /// Renames a folder or tag; an empty name dissolves it.
    ///
    /// If the new name is already in use, the two groups are merged.
    func rename(_ group: FeedGroup, to name: String) throws -> Receipt {
        guard name != group.name else { return Receipt(id) }
        var steps: [UUID] = []
        let new: FeedGroup
        func carryOut(_ body: (ChangeWriter) throws -> Receipt) throws {
            let writer = ChangeWriter(db: db, id: UUID())
            if try body(writer).undo != nil { steps.append(writer.id) }
        }
        switch group {
        case .folder(let folder, let account):
            let feeds = try Int64.fetchAll(
                db, sql: "SELECT id FROM subscription WHERE folder = ? AND account_id IS ?",
                arguments: [folder, account])
            for feed in feeds { try carryOut { try $0.move(feed, name.isEmpty ? nil : name) } }
            new = .folder(name, account: account)
        case .tag(let tag):
            let feeds = try Int64.fetchAll(
                db, sql: "SELECT subscription_id FROM subscription_tag WHERE tag = ?", arguments: [tag])
            for feed in feeds {
                let others = try String.fetchAll(
                    db, sql: "SELECT tag FROM subscription_tag WHERE subscription_id = ? AND tag <> ?",
                    arguments: [feed, tag])
                try carryOut { try $0.tag(feed, others + (name.isEmpty ? [] : [name])) }
            }
            let entries = try Int64.fetchAll(
                db, sql: "SELECT entry_id FROM entry_tag WHERE tag = ?", arguments: [tag])
            if !entries.isEmpty {
                try carryOut { try $0.tag(entries, adding: name.isEmpty ? [] : [name], removing: [tag]) }
            }
            new = .tag(name)
        case .hidden: return Receipt(id)
        }
        let words = name.isEmpty ? "Restores \(group.name)" : "Renames \(name) back to \(group.name)"
        let count = steps.count
        if count > 0, !name.isEmpty { try carryOut { try $0.movePlace(of: group.key, to: new.key) } }
        return try receipt(count, undo: words, .several(steps.reversed()))
    }

    /// Moves the stored position of a group to another group that has none.
    private func movePlace(of group: String, to other: String) throws -> Receipt {
        try receipt(try restorePlace(of: group, to: other), undo: "", .movePlace(from: other, to: group))
    }

    func restorePlace(of group: String, to other: String) throws -> Int {
        try db.execute(sql: "UPDATE OR IGNORE folder_place SET name = ? WHERE name = ?", arguments: [other, group])
        return db.changesCount
    }
}

/// A table whose rows the user can sort.
package enum OrderedTable: String, Codable, Hashable, Sendable {
    case feeds = "subscription"
    case searches = "saved_search"
}
