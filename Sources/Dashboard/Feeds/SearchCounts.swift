import ModelCore

/// The number of unread entries in each saved search, as far as it was counted.
@MainActor
final class SearchCounts {
    private let library: Library
    private let changed: () -> Void
    private var counts: [SearchID: Int] = [:]
    private var searches: [SavedSearch] = []
    private var counting: Task<Void, Never>?
    /// Whether the library has changed since the current count started.
    private var needsCount = false

    /// - Parameter changed: Called when a number has changed.
    init(library: Library, changed: @escaping () -> Void) {
        self.library = library
        self.changed = changed
    }

    /// Returns the number of unread entries in a search, or `nil` if it isn't counted yet.
    func unread(of search: SearchID) -> Int? { counts[search] }

    /// Counts in the background, one count at a time, however often the library changes.
    func count(_ searches: [SavedSearch]) {
        self.searches = searches
        guard !searches.isEmpty else { return counts.removeAll() }
        guard counting == nil else { return needsCount = true }
        let library = library
        counting = Task { [weak self] in
            repeat {
                self?.needsCount = false
                // Several changes within this time cause only one count.
                try? await Task.sleep(for: .milliseconds(200))
                guard let searches = self?.searches else { return }
                let counts = await Task.detached(priority: .utility) {
                    searches.reduce(into: [SearchID: Int]()) { counts, search in
                        guard let query = try? SearchQuery(search.query) else { return }
                        counts[search.id] = try? library.search.unreadCount(of: query)
                    }
                }.value
                self?.take(counts)
            } while self?.needsCount == true
            self?.counting = nil
        }
    }

    private func take(_ counts: [SearchID: Int]) {
        guard counts != self.counts else { return }
        self.counts = counts
        changed()
    }
}
