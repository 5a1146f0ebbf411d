import LibraryKernel

extension LibraryPart {
    /// Feeds, folders, tags and saved searches, with their counts.
    ///
    /// SQLite doesn't report changes to `counter`, because it is a `WITHOUT ROWID` table. The counted columns are
    /// observed instead.
    package static let subscriptions = LibraryPart(
        ["subscription", "saved_search", "entry_tag", "folder_place"], columns: ["entry": ["is_later", "is_folded"]])
    /// The entries. Omits the columns that only the indexer changes, because lists don't show them.
    package static let entries = LibraryPart(
        ["entry_content", "entry_tag"],
        columns: [
            "entry": [
                "id", "subscription_id", "title", "sort_date", "has_date", "is_read", "is_starred", "is_later",
                "is_folded", "story",
            ]
        ])
    /// What an entry contains, but not its marks.
    package static let contents = LibraryPart(
        ["entry_tag"],
        columns: [
            "entry": ["title"],
            "entry_content": [
                "link", "author", "html", "text", "published", "published_text", "updated", "updated_text", "extras",
                "full_html", "page_date", "former",
            ],
        ])
    /// The contents of the full-text index.
    package static let search = LibraryPart(["unindexed"])
    package static let races = LibraryPart([
        "race", "stage", "stage_track", "race_source", "race_spoiler", "seen_stage", "wikidata_answer", "fetched_track",
        "live_delay",
    ])
    /// Which spoilers are hidden and which are revealed.
    package static let covers = LibraryPart(["race_spoiler", "seen_stage", "revealed_entry"])
    package static let downloads = LibraryPart(["download"])
    /// The playback positions of enclosures.
    package static let played = LibraryPart(["played_enclosure"])
    /// The accounts and their outbox.
    package static let accounts = LibraryPart(["account", "pending_mark", "pending_operation"])
}
