import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about saved searches.
    package static let search = LibraryFeature(
        SearchSchema.tables,
        changes: [
            DeleteSearch.self, OrderSearches.self, RenameSearch.self, RestoreSearch.self, SaveSearch.self,
            SortSearch.self,
        ])
}
