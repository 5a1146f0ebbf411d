import GRDB

/// Ends an observation when it is released.
package final class Observation: Sendable {
    private let cancellable: AnyDatabaseCancellable

    init(_ cancellable: AnyDatabaseCancellable) { self.cancellable = cancellable }

    deinit { cancellable.cancel() }
}

/// A part of the library that can change.
package enum LibraryPart: Hashable, Sendable {
    case subscriptions
    case entries
    /// What the full-text index has.
    case search
    case races
    /// Which results are hidden.
    case covers
    case downloads
    /// How far recordings were played.
    case played
    /// Accounts and what waits to be sent to them.
    case accounts
}

extension Library {
    private static let seenColumns = [
        "id", "subscription_id", "title", "sort_date", "has_date", "is_read", "is_starred", "is_later", "is_folded",
        "story",
    ]

    /// Calls back on the main actor after each change to a part, until the result is released.
    ///
    /// The caller reads the window that it shows anew; nothing is read here.
    @MainActor
    package func observe(_ part: LibraryPart, _ changed: @escaping @MainActor () -> Void) -> Observation {
        let tables: [any DatabaseRegionConvertible] =
            switch part {
            // SQLite reports no changes of `counter`, a table without row identifiers: what is counted there is observed itself.
            case .subscriptions:
                [
                    Table("subscription"), Table("entry").select(Column("is_later"), Column("is_folded")),
                    Table("saved_search"), Table("entry_tag"), Table("folder_place"),
                ]
            // What the index notes in an entry is not seen in a list.
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
