import GRDB
import LibraryKernel

/// Moves the entries of a feed with their marks, tags and reading positions to another feed with the same address, and
/// removes the feed.
struct MergeFeeds: LibraryChange {
    static let kind = "feeds.merge"
    var feed: FeedID
    /// The feed that remains.
    var present: FeedID

    var summary: String { "a merged feed" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let feeds = FeedWriter(db: db)
        guard feed != present, try feed.exists(db), try present.exists(db) else { return Outcome() }
        let (name, other) = (try feeds.name(of: feed), try feeds.name(of: present))
        let entries = try MergedEntries(db, from: feed, into: present)
        var undo = SeparateFeeds(feed: feed, present: present)
        try entries.unite(&undo)
        undo.moved = try entries.moveOthers()
        undo.deleted = try entries.moveDeleted()
        try unite(&undo, feeds, db)
        let trash = try transaction.trash()
        undo.step = trash.step
        try trash.add(feed, of: "subscription")
        try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [feed])
        try feeds.count(present)
        let words = name == other ? "merging two feeds named \(name)" : "merging \(name) into \(other)"
        return Outcome(count: 1, undo: words, Change(undo))
    }

    /// Gives the remaining feed the other's folder and name where it has none, its tags, and its address as the previous
    /// one.
    private func unite(_ undo: inout SeparateFeeds, _ feeds: FeedWriter, _ db: Database) throws {
        let columns = "url, folder, custom_title, former_url"
        let find = try db.cachedStatement(sql: "SELECT \(columns) FROM subscription WHERE id = ?")
        guard let lost = try Row.fetchOne(find, arguments: [feed]),
            let kept = try Row.fetchOne(find, arguments: [present])
        else { return }
        undo.before = try FeedNames(folder: kept.at(1), title: kept.at(2), formerURL: kept.at(3))
        let folder: String? = try kept.at(1) ?? lost.at(1)
        let title: String? = try kept.at(2) ?? lost.at(2)
        try FeedNames(folder: folder, title: title, formerURL: lost.at(0)).store(in: present, db)
        undo.tags = try feeds.tags(of: present)
        let tags = try feeds.tags(of: feed).filter { !undo.tags.contains($0) }
        if !tags.isEmpty { _ = try feeds.setTags(undo.tags + tags, of: present) }
    }
}

/// The folder, the user's name and the previous address of a feed.
struct FeedNames: Codable, Hashable {
    var folder: String?
    var title: String?
    var formerURL: String?

    func store(in feed: FeedID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE subscription SET folder = ?, custom_title = ?, former_url = ? WHERE id = ?",
            arguments: [folder, title, formerURL, feed])
    }
}

/// The entries of a feed that is merged into another, with their counterparts there.
private struct MergedEntries {
    private struct Entry {
        var id: EntryID
        var readAt: Instant?
        var marks: [EntryMark: Bool]
        var place: String?
        var facts: EntryFacts
    }

    private let db: Database
    private let feed: FeedID
    private let present: FeedID
    /// The entries that both feeds have.
    private var pairs: [(lost: Entry, kept: Entry)] = []
    private var others: [EntryID] = []

    init(_ db: Database, from feed: FeedID, into present: FeedID) throws {
        (self.db, self.feed, self.present) = (db, feed, present)
        let (lost, kept) = (try MergedEntries.entries(of: feed, db), try MergedEntries.entries(of: present, db))
        let places = EntryIdentity.counterparts(of: lost.map(\.facts), in: kept.map(\.facts))
        for (entry, place) in zip(lost, places) {
            if let place { pairs.append((entry, kept[place])) } else { others.append(entry.id) }
        }
    }

    private static func entries(of feed: FeedID, _ db: Database) throws -> [Entry] {
        let home = try String.fetchOne(
            db, sql: "SELECT home_page FROM subscription WHERE id = ?", arguments: [feed]
        ).map(EntryFacts.page)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT e.id, e.read_at, e.is_read, e.is_starred, e.is_later, c.place, e.guid, c.link, e.title,
                    e.sort_date, e.has_date
                FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.subscription_id = ? ORDER BY e.id
                """, arguments: [feed])
        return try rows.map { row in
            let (title, date, hasDate): (String, Instant, Bool) = (try row.at(8), try row.at(9), try row.at(10))
            return Entry(
                id: try row.at(0), readAt: try row.at(1),
                marks: [.read: try row.at(2), .starred: try row.at(3), .later: try row.at(4)], place: try row.at(5),
                facts: EntryFacts(
                    guid: try row.at(6), link: try row.at(7), home: home, title: title, date: hasDate ? date : nil,
                    text: nil))
        }
    }

    /// Gives the entries that both feeds have the marks, tags and reading positions of both.
    func unite(_ undo: inout SeparateFeeds) throws {
        let marks = EntryMarks(db)
        for mark in EntryMark.allCases {
            let new = pairs.filter { $0.lost.marks[mark] == true && $0.kept.marks[mark] == false }
            let entries = new.map { EntryMarks.Previous(id: $0.kept.id, readAt: mark == .read ? $0.lost.readAt : nil) }
            guard try marks.restore(mark, true, of: entries) > 0 else { continue }
            undo.marks[mark.rawValue] = MarkedEntries(entries.map { ($0.id, nil) })
        }
        let tags = try db.cachedStatement(sql: "SELECT tag FROM entry_tag WHERE entry_id = ? ORDER BY tag")
        let setPlace = try db.cachedStatement(sql: "UPDATE entry_content SET place = ? WHERE entry_id = ?")
        for (lost, kept) in pairs {
            for tag in try String.fetchAll(tags, arguments: [lost.id]) where try marks.set(tag, true, of: kept.id) {
                undo.entryTags.append(TaggedEntry(entry: kept.id, tag: tag))
            }
            guard kept.place == nil, let place = lost.place else { continue }
            try setPlace.execute(arguments: [place, kept.id])
            undo.places.append(kept.id)
        }
    }

    /// Moves the entries that the other feed doesn't have.
    ///
    /// - Returns: The moved entries.
    func moveOthers() throws -> [EntryID] {
        let move = try db.cachedStatement(sql: "UPDATE OR IGNORE entry SET subscription_id = ? WHERE id = ?")
        return try others.filter { id in
            try move.execute(arguments: [present, id])
            return db.changesCount > 0
        }
    }

    /// Moves the records of deleted entries, so that these don't return.
    ///
    /// - Returns: The identifiers of the entries.
    func moveDeleted() throws -> [String] {
        let guids = try String.fetchAll(
            db,
            sql: """
                SELECT guid FROM deleted_entry WHERE subscription_id = ?1
                    AND guid NOT IN (SELECT guid FROM entry WHERE subscription_id = ?2)
                    AND guid NOT IN (SELECT guid FROM deleted_entry WHERE subscription_id = ?2)
                ORDER BY guid
                """, arguments: [feed, present])
        for guid in guids {
            try db.execute(
                sql: """
                    INSERT INTO deleted_entry SELECT ?, guid, deleted_at, duplicate_key, title FROM deleted_entry
                    WHERE subscription_id = ? AND guid = ?
                    """, arguments: [present, feed, guid])
        }
        return guids
    }
}

/// Restores a feed that was merged into another, with its entries and their marks.
struct SeparateFeeds: LibraryChange {
    static let kind = "feeds.separate"
    var feed: FeedID
    var present: FeedID
    /// The undo step whose rows are in the trash.
    var step: UndoStepID = 0
    /// The entries that belonged to the feed alone.
    var moved: [EntryID] = []
    /// The deleted entries that belonged to the feed alone.
    var deleted: [String] = []
    /// The entries of the remaining feed that received a mark.
    var marks: [String: MarkedEntries] = [:]
    /// The tags that entries of the remaining feed received.
    var entryTags: [TaggedEntry] = []
    /// The entries of the remaining feed that received a reading position.
    var places: [EntryID] = []
    /// What the remaining feed had before.
    var before = FeedNames()
    var tags: [String] = []

    var summary: String { "a separated feed" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let url = try String.fetchOne(
            db, sql: "SELECT url FROM trash_subscription WHERE step_id = ? AND id = ?", arguments: [step, feed])
        let restored = try RestoreTrash(step: step).apply(in: transaction)
        // The user may have followed the address again.
        let home = try feed.exists(db) ? feed : try url.flatMap { try FeedWriter(db: db).feed(at: $0) }
        guard let home else { return Outcome(count: 0, of: 1) }
        let feeds = FeedWriter(db: db)
        let move = try db.cachedStatement(
            sql: "UPDATE OR IGNORE entry SET subscription_id = ? WHERE id = ? AND subscription_id = ?")
        for entry in moved { try move.execute(arguments: [home, entry, present]) }
        try separateMarks(db)
        for guid in deleted {
            try db.execute(
                sql: "DELETE FROM deleted_entry WHERE subscription_id = ? AND guid = ?", arguments: [present, guid])
        }
        if try present.exists(db) {
            try before.store(in: present, db)
            _ = try feeds.setTags(tags, of: present)
        }
        for feed in [home, present] { try feeds.count(feed) }
        return Outcome(count: restored.count + moved.count, of: restored.count + moved.count)
    }

    private func separateMarks(_ db: Database) throws {
        let writer = EntryMarks(db)
        for (name, entries) in marks {
            guard let mark = EntryMark(rawValue: name) else { continue }
            _ = try writer.restore(mark, false, of: entries.entries)
        }
        for tag in entryTags { _ = try writer.set(tag.tag, false, of: tag.entry) }
        for entry in places {
            try db.execute(sql: "UPDATE entry_content SET place = NULL WHERE entry_id = ?", arguments: [entry])
        }
    }
}
