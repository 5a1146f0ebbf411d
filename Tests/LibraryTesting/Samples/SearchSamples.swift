extension ChangeSamples {
    /// Saved searches.
    static let search = ChangeSamples(
        of: "Feeds",
        preparation: [
            .saveSearch(name: "First", query: "first"), .saveSearch(name: "Second", query: "second"),
            .sortSearch(1, .rhythm),
        ]
    ) { library in
        let searches = try library.library.search.saved().map(\.id)
        let table: Set<String> = ["saved_search"]
        return [
            ChangeSample(.orderSearches(searches.reversed()), undo: "reordering the searches", tables: table),
            ChangeSample(.sortSearch(searches[0], .feed), undo: "changing the order of the search", tables: table),
            ChangeSample(
                .saveSearch(name: "Other", query: "first"), undo: "renaming the search First", tables: table),
            ChangeSample(
                .saveSearch(name: "Third", query: "third"), undo: "saving the search Third", tables: table),
            ChangeSample(.deleteSearch(searches[0]), undo: "deleting the search First", tables: table),
        ]
    }
}
