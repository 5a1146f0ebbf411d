import LibraryKernel

extension ChangeSamples {
    /// Groups of changes. Each test undoes changes, so `Undo` needs no sample.
    static let kernel = ChangeSamples(of: "LibraryKernel") { library in
        let feed = library.feed("a")
        return [
            ChangeSample(
                .several([.rename(feed, title: "N"), .move(feed, folder: nil), .rename(-1, title: "N")]),
                undo: "2 changes", tables: ["subscription"]),
            ChangeSample(.several([.move(feed, folder: nil)]), undo: "1 change", tables: ["subscription"]),
        ]
    }
}
