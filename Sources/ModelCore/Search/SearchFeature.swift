/// What the library has to know about saved searches.
enum SearchFeature {
    /// The kinds of changes, for journals and undo steps.
    static let changes: [any LibraryChange.Type] = [
        DeleteSearch.self, RenameSearch.self, RestoreSearch.self, SaveSearch.self, SortSearch.self,
    ]
}
