import GRDB

/// An observation that ends when it is released.
package final class Observation: Sendable {
    private let cancellable: AnyDatabaseCancellable

    init(_ cancellable: AnyDatabaseCancellable) { self.cancellable = cancellable }

    deinit { cancellable.cancel() }
}

/// A part of the library that observers can watch.
package enum LibraryPart: Hashable, Sendable {
    case subscriptions
    case entries
    /// The full-text index.
    case search
    case races
    /// Which spoilers are hidden.
    case covers
    case downloads
    /// The playback positions of enclosures.
    case played
    /// Accounts and their outboxes.
    case accounts
}

extension Library {
    private static let seenColumns = [
        "id", "subscription_id", "title", "sort_date", "has_date", "is_read", "is_starred", "is_later", "is_folded",
        "story",
    ]

    /// Calls `changed` on the main actor after each change of a part, until the returned observation is released.
    ///
    /// The caller reads the rows it shows again; this method reads nothing.
    @MainActor
    package func observe(_ part: LibraryPart, _ changed: @escaping @MainActor () -> Void) -> Observation {
        let tables: [any DatabaseRegionConvertible] =
            switch part {
            // SQLite reports no changes of the table `counter`, which has no row identifiers, so the counted tables are
            // observed.
            case .subscriptions:
                [
                    Table("subscription"), Table("entry").select(Column("is_later"), Column("is_folded")),
                    Table("saved_search"), Table("entry_tag"), Table("folder_place"),
                ]
            // Lists don't show what the index records in an entry.
            case .entries:
                [
                    Table("entry").select(Library.seenColumns.map { Column($0) }), Table("entry_content"),
                    Table("entry_tag"),
                ]
            case .search: [Table("unindexed")]
            case .races:
                [
                    Table("race"), Table("stage"), Table("stage_track"), Table("race_source"), Table("covered_race"),
                    Table("seen_stage"), Table("race_directory"), Table("fetched_track"),
                ]
            case .covers: [Table("covered_race"), Table("seen_stage"), Table("uncovered_entry")]
            case .accounts: [Table("account"), Table("pending_mark"), Table("pending_operation")]
            case .downloads: [Table("download")]
            case .played: [Table("played_recording")]
            }
        return Observation(store.observe(tables) { Task { @MainActor in changed() } })
    }
}
