import LibraryKernel

extension Library {
    /// Reads races.
    package var races: RaceStore { RaceStore(store: store) }
}
