import DashboardFrame
import Feeds

/// The number of unread entries in each saved search, as far as it was counted.
@MainActor
final class SearchCounts {
    private let access: LibraryAccess
    private let changed: () -> Void
    private var counts: [SearchID: Int] = [:]
    private var searches: [SavedSearch] = []
    private lazy var counting = RepeatedRead<[SearchID: Int]>(
        access: access, isUrgent: false,
        { [weak self] in
            guard let searches = self?.searches, !searches.isEmpty else { return nil }
            return { library, _ in
                try searches.reduce(into: [:]) { counts, search in
                    guard let query = try? SearchQuery(search.query) else { return }
                    counts[search.id] = try library.search.unreadCount(of: query)
                }
            }
        },
        then: { [weak self] counts, _ in self?.use(counts) })

    /// - Parameter changed: Called when a number has changed.
    init(access: LibraryAccess, changed: @escaping () -> Void) {
        self.access = access
        self.changed = changed
    }

    /// Returns the number of unread entries in a search, or `nil` if it isn't counted yet.
    func unread(of search: SearchID) -> Int? { counts[search] }

    /// Counts in the background, one count at a time, however often the library changes.
    func count(_ searches: [SavedSearch]) {
        self.searches = searches
        if searches.isEmpty { counts.removeAll() }
        counting.start()
    }

    private func use(_ counts: [SearchID: Int]) {
        guard counts != self.counts else { return }
        self.counts = counts
        changed()
    }
}
