import LibraryKernel

extension LibraryPart {
    /// Feeds, folders, tags and saved searches, with their counts. Other parts belong to one feature, in whose
    /// `…Feature.swift` they are.
    ///
    /// SQLite doesn't report changes to `counter`, because it is a `WITHOUT ROWID` table. The counted columns are
    /// observed instead.
    package static let subscriptions = LibraryPart(
        ["subscription", "saved_search", "entry_tag", "folder_place"], columns: ["entry": ["is_later", "is_folded"]])
    /// The same parts without the unread counts, which change with each read mark.
    package static let feedList = LibraryPart(
        ["saved_search", "entry_tag", "folder_place"],
        columns: [
            "entry": ["is_later", "is_folded"],
            "subscription": [
                "id", "url", "title", "custom_title", "folder", "position", "home_page", "last_fetched",
                "last_success", "error", "failures", "total_count", "is_gone", "last_entry", "rhythm", "added",
                "problems", "options", "is_quiet", "account_id",
            ],
        ])
}
