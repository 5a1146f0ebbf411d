import GRDB
import LibraryKernel

/// The identifiers of entries in the library, where they differ from those in their document.
struct EntryNames: Sendable {
    /// The identifiers of an entry.
    struct Name: Hashable {
        /// The identifier that the library has.
        var present: String
        /// The identifier under which the entry is stored from now on.
        var next: String
        /// Whether the entry was deleted, under the present identifier.
        var isDeleted = false
    }

    struct Row {
        let id: EntryID
        let fingerprint: Int64
    }

    private var others: [String: Name] = [:]

    subscript(entry: StoredEntry) -> Name {
        let other = others.isEmpty ? nil : others[entry.guid]
        return other ?? Name(present: entry.guid, next: entry.guid)
    }

    /// Finds the entries of a document in a feed.
    ///
    /// An entry that the library has as it is needs one search for its identifier. All others are compared with those
    /// that might be the same (``EntryIdentity``).
    ///
    /// - Returns: The identifiers, the rows of the entries that the library has, in the order of the entries, and the
    ///   identifiers of deleted entries.
    static func find(
        _ entries: [StoredEntry], in subscription: FeedID, _ db: Database
    ) throws -> (names: EntryNames, rows: [Row?], deleted: Set<String>, isNew: Bool) {
        let feed = try GRDB.Row.fetchOne(
            db.cachedStatement(sql: "SELECT total_count, home_page FROM subscription WHERE id = ?"),
            arguments: [subscription])
        let isNew = try feed?.at(0) == 0
        let deleted = try DeletedEntries(db: db).guids(of: subscription)
        var names = EntryNames()
        var rows = [Row?](repeating: nil, count: entries.count)
        var open: [Int] = []
        let find = try db.cachedStatement(
            sql: "SELECT id, fingerprint FROM entry WHERE subscription_id = ? AND guid = ?")
        if !isNew {
            for (index, entry) in entries.enumerated() {
                if let row = try GRDB.Row.fetchOne(find, arguments: [subscription, entry.guid]) {
                    rows[index] = try Row(id: row.at(0), fingerprint: row.at(1))
                }
                // A deleted entry continues none that is there.
                let isDeleted = rows[index] == nil && deleted.contains(entry.guid)
                if rows[index]?.fingerprint != entry.fingerprint, !entry.hasFixedID, !isDeleted { open.append(index) }
            }
            if !open.isEmpty {
                let home: String? = try feed?.at(1)
                var search = CounterpartSearch(entries, rows, home: home.map(EntryFacts.page), in: subscription, db)
                try search.compare(open, names: &names, rows: &rows)
            }
        }
        if !deleted.isEmpty {
            let open = entries.indices.filter {
                rows[$0] == nil && !entries[$0].hasFixedID && !deleted.contains(entries[$0].guid)
            }
            let home: String? = try feed?.at(1)
            try names.findDeleted(
                open, of: entries, in: deleted, home: home.map(EntryFacts.page),
                byPage: DeletedEntries(db: db).guidsByPage(of: subscription))
        }
        return (names, rows, deleted, isNew)
    }

    /// Finds entries that were deleted under other identifiers.
    private mutating func findDeleted(
        _ open: [Int], of entries: [StoredEntry], in deleted: Set<String>, home: String?,
        byPage: @autoclosure () throws -> [DeletedEntries.Page: String]
    ) rethrows {
        guard !open.isEmpty else { return }
        let (pages, guids) = (try byPage(), Set(entries.map(\.guid)))
        let counts = Dictionary(
            entries.compactMap { DeletedEntries.Page($0, home: home) }.map { ($0, 1) }, uniquingKeysWith: +)
        let similar = Dictionary(deleted.map { (EntryFacts.normalizedID($0), $0) }) { first, _ in first }
        let oldest = Dictionary(entries.indices.map { (EntryFacts.id(of: entries[$0].guid), $0) }) { max($0, $1) }
        for index in open {
            let (guid, id) = (entries[index].guid, EntryFacts.id(of: entries[index].guid))
            // The oldest of several entries came first and had the identifier for itself.
            let present =
                id == guid
                ? similar[EntryFacts.normalizedID(id)] : oldest[id] == index && deleted.contains(id) ? id : nil
            let page = DeletedEntries.Page(entries[index], home: home)
            let moved = page.flatMap { counts[$0] == 1 ? pages[$0] : nil }.flatMap { guids.contains($0) ? nil : $0 }
            if let present = present ?? moved { others[guid] = Name(present: present, next: guid, isDeleted: true) }
        }
    }

    /// Searches stored entries for those that entries of a document continue.
    private struct CounterpartSearch {
        private let entries: [StoredEntry]
        private let home: String?
        private let subscription: FeedID
        private let db: Database
        /// The stored entries that are known to be in the document.
        private var taken: Set<EntryID>
        private var stored: [(row: Row, guid: String, facts: EntryFacts)] = []
        private var listed: Set<EntryID> = []

        /// The maximum number of stored entries to compare with an entry. More have the same page, day or identifier
        /// only in feeds that identify nothing.
        private static let maximum = 200

        init(_ entries: [StoredEntry], _ rows: [Row?], home: String?, in subscription: FeedID, _ db: Database) {
            (self.entries, self.home, self.subscription, self.db) = (entries, home, subscription, db)
            taken = Set(
                zip(entries, rows).lazy.compactMap { entry, row in row?.fingerprint == entry.fingerprint ? row?.id : nil
                }
            )
        }

        /// Finds the counterparts of entries, and changes their names and rows.
        mutating func compare(_ open: [Int], names: inout EntryNames, rows: inout [Row?]) throws {
            let open = try open.filter { try !isObvious(entries[$0], rows[$0]) }
            for index in open { try addCandidates(for: entries[index]) }
            guard !stored.isEmpty else { return }
            let facts = open.map { EntryFacts(entries[$0], home: home) }
            let found = EntryIdentity.counterparts(of: facts, in: stored.map(\.facts)) {
                Set(entries.indices).subtracting(open).map { EntryFacts(entries[$0], home: home, readsText: false) }
            }
            let shared = Set(stored.lazy.filter(\.facts.sharesID).map(\.facts.id))
            for ((index, place), facts) in zip(zip(open, found), facts) {
                let guid = entries[index].guid
                let isOccupied = rows[index] != nil
                rows[index] = place.map { stored[$0].row }
                if let place, stored[place].guid != guid {
                    let (present, other) = (stored[place].guid, stored[place].facts)
                    // A shared identifier stays as it is while the document has one entry with it.
                    let keeps = isOccupied || other.id == facts.id && other.sharesID
                    names.others[guid] = Name(present: present, next: keeps ? present : guid)
                } else if place == nil, isOccupied || shared.contains(facts.id) {
                    names.others[guid] = Name(present: facts.distinctGUID, next: facts.distinctGUID)
                }
            }
        }

        /// Whether an entry is the stored one with its identifier, because its page is the same and no other entry
        /// has the identifier.
        private mutating func isObvious(_ entry: StoredEntry, _ row: Row?) throws -> Bool {
            let id = EntryFacts.id(of: entry.guid)
            let first = stored.count
            try add(
                "e.subscription_id = ? AND e.guid >= ? AND e.guid < ?", [subscription, id, id + EntryFacts.lastSuffix])
            guard let row, stored.count == first + 1, stored[first].row.id == row.id, id == entry.guid,
                stored[first].facts.page == entry.link.map(EntryFacts.page),
                stored[first].facts.hasOwnPage || stored[first].facts.title == entry.title
            else { return false }
            stored.removeLast()
            taken.insert(row.id)
            return true
        }

        /// Reads the stored entries that might be an entry: those with its page, or its title and date.
        private mutating func addCandidates(for entry: StoredEntry) throws {
            if let duplicateKey = entry.duplicateKey {
                try add("e.duplicate_key = ? AND e.subscription_id = ?", [duplicateKey, subscription])
            }
            guard entry.hasDate else { return }
            try add(
                """
                e.id IN (SELECT id FROM entry WHERE subscription_id = ? AND sort_date = ?
                    ORDER BY id DESC LIMIT \(CounterpartSearch.maximum)) AND e.title = ?
                """, [subscription, entry.sortDate, entry.title])
        }

        private mutating func add(_ condition: String, _ arguments: StatementArguments) throws {
            let find = try db.cachedStatement(
                sql: """
                    SELECT e.id, e.fingerprint, e.guid, e.title, e.sort_date, e.has_date, c.link, c.html, c.text
                    FROM entry e JOIN entry_content c ON c.entry_id = e.id
                    WHERE \(condition) ORDER BY e.id DESC LIMIT \(CounterpartSearch.maximum)
                    """)
            for row in try GRDB.Row.fetchAll(find, arguments: arguments) {
                let id: EntryID = try row.at(0)
                guard !taken.contains(id), listed.insert(id).inserted else { continue }
                let (guid, hasDate): (String, Bool) = (try row.at(2), try row.at(5))
                let text = (try? row.text(7) ?? row.text(8)) ?? nil
                let facts = try EntryFacts(
                    guid: guid, link: row.at(6), home: home, title: row.at(3), date: hasDate ? row.at(4) : nil,
                    text: text)
                stored.append((try Row(id: id, fingerprint: row.at(1)), guid, facts))
            }
        }
    }
}
