import ModelCore

/// The rows of an entry list, read in pages when they become visible.
///
/// A page after a known one is read by key. Only a jump into the middle has to skip rows.
@MainActor
final class EntryWindow {
    let scope: EntryScope
    private(set) var count = 0
    private let access: LibraryAccess
    private var pages: [Int: [EntryRow]] = [:]
    static let pageSize = 64
    /// The maximum number of cached pages.
    private static let maximumPages = 32

    private var query: EntryQuery { access.settings.query(scope) }

    init(scope: EntryScope, access: LibraryAccess) {
        self.scope = scope
        self.access = access
    }

    /// Clears the cache and counts the rows again.
    func reload() {
        pages.removeAll()
        count = access.read(0) { try $0.entries.count(in: query) }
    }

    /// Returns the row at an index, or `nil` if the library has changed and it no longer exists.
    func row(at index: Int) -> EntryRow? {
        let page = index / EntryWindow.pageSize
        let rows = pages[page] ?? load(page)
        let offset = index % EntryWindow.pageSize
        return rows.indices.contains(offset) ? rows[offset] : nil
    }

    func index(of id: EntryID) -> Int? {
        for (page, rows) in pages {
            if let offset = rows.firstIndex(where: { $0.id == id }) { return page * EntryWindow.pageSize + offset }
        }
        return access.read(nil) { try $0.entries.index(of: id, in: query) }
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
        let size = EntryWindow.pageSize
        let rows: [EntryRow]
        if let before = pages[page - 1]?.last {
            rows = access.read([]) { try $0.entries.rows(in: query, after: before, limit: size) }
        } else if page * size > count / 2 {
            // Near the end it is faster to count from there.
            let limit = max(0, min(size, count - page * size))
            rows = access.read([]) {
                try $0.entries.rows(in: query, fromEnd: max(0, count - page * size - limit), limit: limit)
            }
        } else {
            rows = access.read([]) { try $0.entries.rows(in: query, skip: page * size, limit: size) }
        }
        pages[page] = rows
        return rows
    }
}
