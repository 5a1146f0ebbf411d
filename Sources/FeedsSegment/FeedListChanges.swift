import Feeds
import LibraryKernel

/// What the list of feeds has to read again.
struct FeedListChanges: Sendable {
    /// The entries whose read marks have changed, or `nil` for the whole list.
    private var marked: Set<EntryID>? = []
    var accounts = false

    static var all: FeedListChanges {
        var changes = FeedListChanges()
        changes.marked = nil
        return changes
    }

    /// Adds entries whose read marks have changed, or `nil` if they are many or unknown.
    mutating func add(marked entries: Set<EntryID>?) {
        guard let entries, let marked, marked.count + entries.count <= FeedListChanges.maximum else {
            return marked = nil
        }
        self.marked = marked.union(entries)
    }

    /// The number of entries above which reading their feeds takes longer than reading the whole list.
    private static let maximum = 64

    mutating func formUnion(_ other: FeedListChanges) {
        add(marked: other.marked)
        accounts = accounts || other.accounts
    }

    /// Returns the contents of the list with the changes, or `nil` if it has to be read whole.
    func renew(_ known: FeedListContents, in library: Library, now: Instant) throws -> FeedListContents? {
        guard let marked else { return nil }
        let contents = marked.isEmpty ? known : try known.renewed(after: marked, in: library)
        return accounts ? try contents.withAccounts(of: library, now: now) : contents
    }
}
