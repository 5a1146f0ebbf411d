import ModelCore

extension ChangeSamples {
    /// Saved searches.
    static let search = ChangeSamples(
        of: "Search",
        preparation: [
            .saveSearch(name: "First", query: "first"), .saveSearch(name: "Second", query: "second"),
            .sortSearch(1, .rhythm),
        ]
    ) { library in
        let searches = try library.library.search.saved().map(\.id)
        let table: Set<String> = ["saved_search"]
        return [
            ChangeSample(
                .orderSearches(searches.reversed()), undo: "Restores the order of the list", tables: table),
            ChangeSample(.sortSearch(searches[0], .feed), undo: "Restores the order of the search", tables: table),
            ChangeSample(
                .saveSearch(name: "Other", query: "first"), undo: "Restores the name of the search", tables: table),
            ChangeSample(
                .saveSearch(name: "Third", query: "third"), undo: "Deletes the search Third", tables: table),
            ChangeSample(.deleteSearch(searches[0]), undo: "Restores the search First", tables: table),
        ]
    }
}
