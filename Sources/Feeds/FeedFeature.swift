import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about feeds, entries and pages.
    package static let feeds = LibraryFeature(
        FeedSchema.tables,
        changes: [
            ArchiveEntries.self, CollapseGroup.self, DeleteEntries.self, MarkEntries.self, MarkScope.self,
            MoveFeed.self, MoveGroupPlace.self, OrderGroups.self, OrderRows.self, PlaceGroups.self, RemoveNewFeeds.self,
            RemoveSavedPage.self, RenameFeed.self, RenameGroup.self, RestoreMarks.self, RestoreTags.self,
            RestoreTrash.self, ReturnArchived.self, SavePage.self, SetFeedHeaders.self, SetFeedOptions.self,
            StorePlaybackPosition.self, StoreReadingPosition.self, Subscribe.self, TagEntries.self, TagFeed.self,
            Unsubscribe.self,
        ])
}
