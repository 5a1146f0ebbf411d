import GRDB

/// A token that cancels an observation when it is released.
package final class Observation: Sendable {
    private let cancellable: AnyDatabaseCancellable

    init(_ cancellable: AnyDatabaseCancellable) { self.cancellable = cancellable }

    deinit { cancellable.cancel() }
}

/// A part of the library that can be observed for changes.
package enum LibraryPart: Hashable, Sendable {
    case subscriptions
    case entries
    /// The contents of the full-text index.
    case search
    case races
    /// Which spoilers are hidden and which are revealed.
    case covers
    case downloads
    /// The playback positions of enclosures.
    case played
    /// The accounts and their outbox.
    case accounts
}

extension Library {
    private static let seenColumns = [
        "id", "subscription_id", "title", "sort_date", "has_date", "is_read", "is_starred", "is_later", "is_folded",
        "story",
    ]

    /// Calls a closure on the main actor after each change to a part, until the result is released.
    ///
    /// The library reads nothing here. The caller reloads the window that it shows.
    @MainActor
    package func observe(_ part: LibraryPart, _ changed: @escaping @MainActor () -> Void) -> Observation {
        let tables: [any DatabaseRegionConvertible] =
            switch part {
            // SQLite doesn't report changes to `counter`, because it is a `WITHOUT ROWID` table. The counted columns
            // are observed instead.
            case .subscriptions:
                [
                    Table("subscription"), Table("entry").select(Column("is_later"), Column("is_folded")),
                    Table("saved_search"), Table("entry_tag"), Table("folder_place"),
                ]
            // Omits the columns that only the indexer changes, because lists don't show them.
            case .entries:
                [
                    Table("entry").select(Library.seenColumns.map { Column($0) }), Table("entry_content"),
                    Table("entry_tag"),
                ]
            case .search: [Table("unindexed")]
            case .races:
                [
                    Table("race"), Table("stage"), Table("stage_track"), Table("race_source"), Table("race_spoiler"),
                    Table("seen_stage"), Table("race_directory"), Table("fetched_track"),
                ]
            case .covers: [Table("race_spoiler"), Table("seen_stage"), Table("revealed_entry")]
            case .accounts: [Table("account"), Table("pending_mark"), Table("pending_operation")]
            case .downloads: [Table("download")]
            case .played: [Table("played_enclosure")]
            }
        return Observation(store.observe(tables) { Task { @MainActor in changed() } })
    }
}
