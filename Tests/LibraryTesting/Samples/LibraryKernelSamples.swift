import LibraryKernel
import ModelCore

extension ChangeSamples {
    /// Groups of changes. Each test undoes changes, so `Undo` needs no sample.
    static let kernel = ChangeSamples(of: "LibraryKernel") { library in
        let feed = library.feed("a")
        return [
            ChangeSample(
                .several([.rename(feed, title: "N"), .move(feed, folder: nil), .rename(-1, title: "N")]),
                undo: "Restores 2 feeds", tables: ["subscription"]),
            ChangeSample(.several([.move(feed, folder: nil)]), undo: "Restores 1 feed", tables: ["subscription"]),
        ]
    }
}
