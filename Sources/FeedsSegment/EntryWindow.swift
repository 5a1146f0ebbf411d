import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore

/// The rows of an entry list. The identifiers of all its entries are read in the background; rows are read in pages when
/// they become visible.
@MainActor
final class EntryWindow {
    let scope: EntryScope
    /// Called when the list has become longer or was read again, once for a call of ``reload()``.
    var changed: () -> Void = {}
    /// Whether the list was read to its end.
    private(set) var isComplete = false
    private let access: LibraryAccess
    private var ids: [EntryID] = []
    private var lastFound = 0
    private var pages: [Int: [EntryRow]] = [:]
    /// Whether ``reload()`` is about to report a change.
    private var isReloading = false
    static let pageSize = 64
    private static let maximumPages = 32

    private var query: EntryQuery { access.settings.query(scope) }

    private lazy var reading = RepeatedRead<[EntryID]>(
        access: access,
        { [weak self] in
            guard let self else { return nil }
            let (query, list) = (self.query, self.list)
            return { library, part in try list(library, query, part) }
        },
        then: { [weak self] ids, isWhole in self?.use(ids, isWhole) })

    /// Reads the identifiers of a list. It reports what it has found so far as parts.
    typealias List = @Sendable (Library, EntryQuery, _ part: ([EntryID]) -> Void) throws -> [EntryID]
    private let list: List

    init(scope: EntryScope, access: LibraryAccess, list: @escaping List = { try $0.entries.list($1, part: $2) }) {
        self.scope = scope
        self.access = access
        self.list = list
    }

    var isReading: Bool { reading.isReading }

    /// Whether nothing is known about the list yet.
    var isUnread: Bool { !isComplete && ids.isEmpty && isReading }

    /// The number of entries, as far as the list was read.
    var count: Int { ids.count }

    /// Reads the rows again when they are needed, and the list in the background.
    func reload() {
        isReloading = true
        pages.removeAll()
        reading.start()
        isReloading = false
        changed()
    }

    /// Reads some rows again after the marks of entries have changed.
    ///
    /// - Returns: Whether the rows show the marks, or `false` if the list itself has to be read again.
    func renew(_ marked: Set<EntryID>) -> Bool {
        let query = query
        switch query.effectOfMarks {
        case .nothing: break
        case .membership:
            guard isComplete, !isReading,
                let members = access.read(nil, { try $0.entries.members(marked, of: query) }),
                members == marked.filter({ index(of: $0) != nil })
            else { return false }
        case .everything: return false
        }
        let known = pages.values.flatMap { rows in rows.lazy.map(\.id).filter { marked.contains($0) } }
        guard !known.isEmpty, let rows = access.read(nil, { try $0.entries.rows(known) }) else { return true }
        let new = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        pages = pages.mapValues { rows in rows.map { new[$0.id] ?? $0 } }
        return true
    }

    /// Uses a list. While it is read again, the earlier one remains until the end.
    private func use(_ ids: [EntryID], _ isWhole: Bool) {
        guard isWhole || !isComplete else { return }
        if isWhole { isComplete = true }
        self.ids = ids
        pages.removeAll()
        if !isReloading { changed() }
    }

    func row(at index: Int) -> EntryRow? {
        let page = index / EntryWindow.pageSize
        let rows = pages[page] ?? load(page)
        let offset = index % EntryWindow.pageSize
        return rows.indices.contains(offset) ? rows[offset] : nil
    }

    /// Returns the index of an entry, or `nil` if the list doesn't contain it. Screens ask for the same one repeatedly.
    func index(of id: EntryID) -> Int? {
        if !ids.indices.contains(lastFound) || ids[lastFound] != id {
            // The comparison of numbers is inlined; `firstIndex(of:)` would call a function for each entry.
            guard let found = ids.firstIndex(where: { $0.rawValue == id.rawValue }) else { return nil }
            lastFound = found
        }
        return lastFound
    }

    /// Returns the row of an entry if it was read. Commands ask for it at each key press, so it never queries.
    func knownRow(of id: EntryID) -> EntryRow? {
        for rows in pages.values {
            if let row = rows.first(where: { $0.id == id }) { return row }
        }
        return nil
    }

    private func load(_ page: Int) -> [EntryRow] {
        if pages.count >= EntryWindow.maximumPages { pages.removeAll() }
        let start = page * EntryWindow.pageSize
        guard page >= 0, start < ids.count else { return [] }
        let wanted = ids[start..<min(start + EntryWindow.pageSize, ids.count)]
        guard let rows = access.read(nil, { try $0.entries.rows(wanted) }) else { return [] }
        if rows.count < wanted.count, isComplete {
            drop(Set(wanted).subtracting(rows.map(\.id)))
            return load(page)
        }
        pages[page] = rows
        return rows
    }

    /// Drops entries that were deleted since the list was read.
    private func drop(_ gone: Set<EntryID>) {
        ids.removeAll { gone.contains($0) }
        pages.removeAll()
        Task { [weak self] in self?.changed() }
    }
}
