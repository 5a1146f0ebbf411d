import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about feeds, entries and pages.
    package static let feeds = LibraryFeature(
        FeedSchema.tables,
        changes: [
            ArchiveEntries.self, CollapseGroup.self, DeleteEntries.self, MarkEntries.self, MarkOldRead.self,
            MarkScope.self, MergeFeeds.self,
            MoveFeed.self, MoveFeedAddress.self, MoveGroupPlace.self, OrderFeeds.self, OrderGroups.self,
            PlaceGroups.self,
            RemoveNewFeeds.self,
            RemoveSavedPage.self, RenameFeed.self, RenameGroup.self, RestoreMarks.self, RestoreTags.self,
            RestoreFeedAddress.self, RestoreOldEntries.self, RestoreTrash.self, RetainEntries.self,
            ReturnArchived.self, SavePage.self, SeparateFeeds.self, SetFeedHeaders.self, SetFeedOptions.self,
            StorePlaybackPosition.self, StoreReadingPosition.self, Subscribe.self, TagEntries.self, TagFeed.self,
            Unsubscribe.self,
        ])
}

/// What lists and details of entries observe.
extension LibraryPart {
    /// The columns of entries that lists show or depend on. Omits those that only the indexer changes.
    private static let columnsOfLists = Set(EntryStore.names + ["is_archived", "duplicate_key"])
    private static let columnsOfMarks = Set(EntryMark.allCases.map(\.rawValue))

    /// The entries with their marks and contents.
    package static let entries = LibraryPart(["entry_content", "entry_tag"], columns: ["entry": columnsOfLists])
    /// The entries of lists, their order and their contents, but neither marks nor reading positions.
    package static let listedEntries = LibraryPart(
        ["entry_tag"],
        columns: [
            "entry": columnsOfLists.subtracting(columnsOfMarks), "entry_content": columnsOfContents,
        ])
    /// The marks of entries.
    package static let marks = LibraryPart([], columns: ["entry": columnsOfMarks])
    /// The read marks of entries, on which counts depend.
    package static let readMarks = LibraryPart([], columns: ["entry": ["is_read"]])
    /// What an entry contains, but not its marks.
    package static let contents = LibraryPart(
        ["entry_tag"], columns: ["entry": ["title"], "entry_content": columnsOfContents])
    private static let columnsOfContents: Set<String> = [
        "link", "author", "html", "text", "published", "published_text", "updated", "updated_text", "extras",
        "full_html", "page_date", "former",
    ]
    /// The contents of the full-text index.
    package static let search = LibraryPart(["unindexed"])
    /// The playback positions of enclosures.
    package static let played = LibraryPart(["played_enclosure"])
}
