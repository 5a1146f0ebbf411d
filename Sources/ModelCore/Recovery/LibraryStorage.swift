import GRDB

/// What a library takes on the disk, in bytes.
package struct LibraryStorage: Hashable, Sendable {
    /// All of it, with what is free in it.
    package var total: Int64
    /// Pages that nothing stands on: compacting gives them back.
    package var free: Int64
    /// The index of the search; `nil` where SQLite cannot tell (it was built without dbstat).
    package var index: Int64?
    /// Entries with all that belongs to them.
    package var entries: Int
    /// Full texts of pages that were fetched.
    package var fullTexts: Int
    /// Characters of them.
    package var fullTextSize: Int64

    fileprivate init(_ db: Database) throws {
        let pageSize = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        total = (try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * pageSize
        free = (try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) * pageSize
        index = try? Int64.fetchOne(
            db, sql: "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name GLOB 'entry_search*'")
        entries = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
        let texts = try Row.fetchOne(
            db, sql: "SELECT count(*), ifnull(sum(length(full_html)), 0) FROM entry_content WHERE full_html IS NOT NULL"
        )
        fullTexts = try texts?.at(0) ?? 0
        fullTextSize = try texts?.at(1) ?? 0
    }
}

extension Library {
    /// Measures what the library takes. It looks at every page, which takes seconds for a large one.
    package func storage() throws(LibraryError) -> LibraryStorage { try read { try LibraryStorage($0) } }

    /// Writes the library anew without what is free in it (`VACUUM`), after what waits to be stored; it needs as much room on the disk for
    /// that long.
    ///
    /// - Returns: The bytes that were given back.
    package func compact() async throws(LibraryError) -> Int64 {
        let before = Int64(size)
        try await changes.compact()
        return max(0, before - Int64(size))
    }
}
