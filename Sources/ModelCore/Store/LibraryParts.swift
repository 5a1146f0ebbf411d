import LibraryKernel

extension LibraryPart {
    /// Feeds, folders, tags and saved searches, with their counts. Other parts belong to one feature, in whose
    /// `…Feature.swift` they are.
    ///
    /// SQLite doesn't report changes to `counter`, because it is a `WITHOUT ROWID` table. The counted columns are
    /// observed instead.
    package static let subscriptions = LibraryPart(
        ["subscription", "saved_search", "entry_tag", "folder_place"], columns: ["entry": ["is_later", "is_archived"]])
    /// The same parts without the unread counts, which change with each read mark, and without what only reloads and
    /// syncs use.
    package static let feedList = LibraryPart(
        ["saved_search", "entry_tag", "folder_place"],
        columns: ["entry": ["is_starred", "is_later", "is_archived"]],
        allExcept: [
            "subscription": [
                "unread_count", "etag", "last_modified", "next_fetch", "not_before", "former_url", "headers",
                "remote_id", "runs_program", "ttl", "skipped_times", "claimed",
                "claimant",
            ]
        ])
}
