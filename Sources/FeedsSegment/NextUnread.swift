import Articles
import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore

/// The next unread entry of a list, read and rendered in advance, so that it opens at once.
///
/// A change that could make another entry the next one discards it. It is then read only on request.
@MainActor
final class NextUnread {
    var isReady: Bool { entry != nil }

    /// An entry that is ready to be shown.
    struct Entry: Sendable {
        var row: EntryRow
        var detail: EntryDetail
        var article: ArticleDocument
    }

    /// What the entry depends on.
    private struct Question: Equatable {
        var current: EntryID
        var query: EntryQuery
        var browserKey: String
    }

    private let scope: EntryScope
    private let access: LibraryAccess
    private var question: Question?
    private var entry: Entry?
    private var reading: BackgroundRead?
    private var observations: [Observation] = []

    init(scope: EntryScope, access: LibraryAccess) {
        self.scope = scope
        self.access = access
    }

    /// Returns what the next unread entry after an entry depends on.
    private func question(after current: EntryID) -> Question {
        Question(
            current: current, query: access.settings.query(scope),
            browserKey: access.status.key(EntryCommands.openInBrowser))
    }

    /// Reads and renders the next unread entry after a row, once the main thread has drawn.
    func prepare(after current: EntryRow) {
        if observations.isEmpty { observe() }
        let new = question(after: current.id)
        guard new != question else { return }
        discard()
        question = new
        Task { [weak self] in self?.read(new, after: current) }
    }

    private func read(_ asked: Question, after current: EntryRow) {
        guard asked == question else { return }
        reading = access.read(isUrgent: false) { library, _ in
            guard let row = try library.entries.nextUnread(after: current, in: asked.query),
                let detail = try library.entries.detail(of: row.id)
            else { return nil }
            return Entry(row: row, detail: detail, article: EntryArticle.make(detail, browserKey: asked.browserKey))
        } then: { [weak self] (entry: Entry??, _, _) in
            if let self, self.question == asked { self.entry = entry ?? nil }
        }
    }

    /// Returns the next unread entry after a row if it is ready and hasn't changed since it was read.
    func take(after current: EntryRow?) -> Entry? {
        access.library.notifyObservers()
        guard let current, let entry, question == question(after: current.id) else { return nil }
        discard()
        // Another program may have changed it a moment ago.
        return access.read(nil) { try $0.entries.row(entry.row.id) } == entry.row ? entry : nil
    }

    func discard() { (question, entry, reading) = (nil, nil, nil) }

    private func observe() {
        let library = access.library
        let parts: [LibraryPart] = [.listedEntries, .feedList, .spoilers, .played]
        observations = (parts + (scope.searchQuery == nil ? [] : [.search])).map { part in
            library.observe(part) { [weak self] in self?.discard() }
        }
        observations.append(
            library.observeRows(of: .marks) { [weak self] (marked: Set<EntryID>?) in
                // The mark of the entry that is being read doesn't change which one is next.
                if let self, marked != self.question.map({ [$0.current] }) { self.discard() }
            })
    }
}
