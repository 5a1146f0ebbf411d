import ModelCore

/// How many unread entries each kept search finds, as far as that was counted.
@MainActor
final class SearchCounts {
    private let library: Library
    private let changed: () -> Void
    private var counts: [Int64: Int] = [:]
    private var searches: [SavedSearch] = []
    private var counting: Task<Void, Never>?
    /// Whether something has changed since the count that is under way began.
    private var needsCount = false

    /// - Parameter changed: Called when another number was found.
    init(library: Library, changed: @escaping () -> Void) {
        self.library = library
        self.changed = changed
    }

    /// The unread entries of a search; `nil`: not counted yet.
    func unread(of search: Int64) -> Int? { counts[search] }

    /// Counts, beside everything else: one count at a time, however often the library changes.
    func count(_ searches: [SavedSearch]) {
        self.searches = searches
        guard !searches.isEmpty else { return counts.removeAll() }
        guard counting == nil else { return needsCount = true }
        let library = library
        counting = Task { [weak self] in
            repeat {
                self?.needsCount = false
                // What changes together is counted once.
                try? await Task.sleep(for: .milliseconds(200))
                guard let searches = self?.searches else { return }
                let counts = await Task.detached(priority: .utility) {
                    searches.reduce(into: [Int64: Int]()) { counts, search in
                        guard let query = try? SearchQuery(search.query) else { return }
                        counts[search.id] = try? library.unreadCount(of: query)
                    }
                }.value
                self?.take(counts)
            } while self?.needsCount == true
            self?.counting = nil
        }
    }

    private func take(_ counts: [Int64: Int]) {
        guard counts != self.counts else { return }
        self.counts = counts
        changed()
    }
}
