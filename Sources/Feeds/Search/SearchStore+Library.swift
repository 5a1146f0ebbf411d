import LibraryKernel

extension Library {
    /// Searches entries and reads saved searches.
    package var search: SearchStore { SearchStore(entryStore: entries) }
}
