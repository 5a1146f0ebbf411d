import GRDB
import LibraryKernel

/// What storing the entries of a feed needs beyond the entries, computed before the transaction.
///
/// Only entries that are new or have changed need anything, which identities and fingerprints in the library decide.
/// An entry about which the library has learned something else by then is prepared in the transaction, or later.
package struct PreparedEntries: Sendable {
    /// The texts of a new entry.
    struct New: Sendable {
        let html, text: StoredText?
        /// The data for the full-text index, or `nil` if the entry is indexed later.
        let indexed: IndexedEntry?
    }

    /// The texts of a changed entry, and what the change replaces.
    struct Changed: Sendable {
        let html, text: StoredText?
        let change: TextChange
        /// The fingerprint of the entry that the library has.
        let fingerprint: Int64
    }

    private var new: [String: New] = [:]
    private var changed: [String: Changed] = [:]
    /// The identifiers of the entries in the library, or `nil` if they aren't prepared.
    private(set) var names: EntryNames?

    /// Creates the value for entries that aren't prepared.
    package init() {}

    /// Prepares entries.
    ///
    /// - Parameters:
    ///   - indexesAll: Whether all new entries enter the index with their feed, because rules search it.
    ///   - now: The date of changes.
    package init(
        _ entries: [StoredEntry], in subscription: FeedID, indexesAll: Bool = false, now: Instant,
        reading store: Store
    ) {
        guard !entries.isEmpty, let known = try? store.read({ db in try KnownEntries(entries, in: subscription, db) })
        else { return }
        names = known.names
        var indexed = indexesAll ? Int.max : known.feedIsNew ? 0 : EntryWriter.indexedWithFeed
        // In the order in which they are stored.
        for (entry, state) in zip(entries, known.states).reversed()
        where new[entry.guid] == nil && changed[entry.guid] == nil {
            switch state {
            case .unneeded: break
            case .new:
                new[entry.guid] = New(
                    html: entry.html?.compressed(), text: entry.text?.compressed(),
                    indexed: indexed > 0 ? try? IndexedEntry(entry) : nil)
                indexed -= 1
            case .changed(let fingerprint, let before):
                guard let change = try? TextChange(before, replacedBy: entry, at: now) else { break }
                changed[entry.guid] = Changed(
                    html: entry.html?.compressed(), text: entry.text?.compressed(), change: change,
                    fingerprint: fingerprint)
            }
        }
    }

    func new(_ entry: StoredEntry) -> New? { new[entry.guid] }

    /// Returns what was prepared for an entry that the library has with a fingerprint.
    func changed(_ entry: StoredEntry, from fingerprint: Int64) -> Changed? {
        changed[entry.guid].flatMap { $0.fingerprint == fingerprint ? $0 : nil }
    }
}

/// What a change of an entry replaces.
struct TextChange: Sendable {
    /// The text before the change, or `nil` if only markup, addresses or trackers have changed.
    let previous: StoredText?
    /// Whether the entry counts as updated.
    let isUpdate: Bool

    /// - Parameter before: The entry before the change, or `nil` if it can't be read.
    init(_ before: PreviousText.Source?, replacedBy entry: StoredEntry, at date: Instant) throws {
        let replaced = try before.flatMap { try PreviousText($0, replacedBy: entry, at: date) }
        previous = replaced?.stored.map { StoredText($0).compressed() }
        isUpdate = replaced != nil || before?.extras != entry.extras
    }
}

/// What the library knows about entries of a feed.
private struct KnownEntries {
    enum State {
        /// An entry that is stored as it is, or was deleted.
        case unneeded
        case new
        /// A stored entry with another fingerprint.
        case changed(Int64, PreviousText.Source?)
    }

    /// Whether the feed has no entries.
    let feedIsNew: Bool
    /// The states of the entries, in their order.
    let states: [State]

    let names: EntryNames

    init(_ entries: [StoredEntry], in subscription: FeedID, _ db: Database) throws {
        let found = try EntryNames.find(entries, in: subscription, db)
        (names, feedIsNew) = (found.names, found.isNew)
        states = try zip(entries, found.rows).map { entry, row in
            guard let row else {
                return found.names[entry].isDeleted || found.deleted.contains(entry.guid) ? .unneeded : .new
            }
            return row.fingerprint == entry.fingerprint
                ? .unneeded : .changed(row.fingerprint, try PreviousText.Source(of: row.id, db))
        }
    }
}
