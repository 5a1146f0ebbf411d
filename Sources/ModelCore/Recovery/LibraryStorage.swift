import GRDB
import LibraryKernel

/// The disk usage of a library in bytes.
package struct LibraryStorage: Hashable, Sendable {
    /// The total size, including free pages.
    package var total: Int64
    /// The size of free pages, which compacting releases.
    package var free: Int64
    /// The size of the full-text index, or `nil` if SQLite was built without dbstat.
    package var index: Int64?
    /// The size of entries with everything that belongs to them.
    package var entries: Int
    /// The number of fetched full texts.
    package var fullTexts: Int
    /// The size of the full texts as they are stored.
    package var fullTextSize: Int64

    fileprivate init(_ db: Database) throws {
        let pageSize = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        total = (try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * pageSize
        free = (try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) * pageSize
        index = try? Int64.fetchOne(
            db, sql: "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name GLOB 'entry_search*'")
        entries = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
        let texts = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), ifnull(sum(length(CAST(full_html AS BLOB))), 0) FROM entry_content
                WHERE full_html IS NOT NULL
                """)
        fullTexts = try texts?.at(0) ?? 0
        fullTextSize = try texts?.at(1) ?? 0
    }
}

extension Library {
    /// Measures the disk usage. It reads every page, which takes seconds in a large library.
    package func storage() throws(LibraryError) -> LibraryStorage { try read { try LibraryStorage($0) } }

    /// Compacts the library (`VACUUM`) after all pending changes. Meanwhile it needs as much free disk space as the
    /// library.
    ///
    /// - Returns: The number of released bytes.
    package func compact() async throws(LibraryError) -> Int64 {
        let before = Int64(size)
        try await changes.compact()
        return max(0, before - Int64(size))
    }
}
