import Feeds
import LibraryKernel

/// Reads what the selected entry links to. Commands ask for it at each key press, so it is read only once.
@MainActor
package final class EntryLinksReader {
    private let access: LibraryAccess
    private var last: (entry: EntryID, links: EntryLinks?)?
    private var observations: [Observation] = []

    init(access: LibraryAccess) {
        self.access = access
        observations = [LibraryPart.contents, .spoilers].map { part in
            access.library.observe(part) { [weak self] in self?.last = nil }
        }
    }

    /// Returns what an entry links to, or `nil` if it no longer exists.
    package func links(of entry: EntryID) -> EntryLinks? {
        if let last, last.entry == entry { return last.links }
        let links = access.read(nil) { try $0.entries.links(of: entry) }
        last = (entry, links)
        return links
    }
}
