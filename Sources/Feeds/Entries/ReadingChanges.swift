import GRDB
import LibraryKernel

struct StoreReadingPosition: LibraryChange {
    static let kind = "entries.readingPosition"
    var entry: EntryID
    var place: String

    var summary: String { "a reading position" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "UPDATE entry_content SET place = ?1 WHERE entry_id = ?2 AND place IS NOT ?1",
            arguments: [place, entry])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Stores the reading position in an entry, in the reader's encoding.
    package static func storeReadingPosition(_ entry: EntryID, _ place: String) -> Change {
        Change(StoreReadingPosition(entry: entry, place: place))
    }
}

/// The full text of an entry's page.
package struct FullText: Hashable, Sendable {
    /// The HTML of the article, or an empty text if the page has none.
    package var html: String
    /// The publication date as written on the page.
    package var date: String?

    package init(html: String, date: String?) {
        self.html = html
        self.date = date
    }
}

/// Stores the full text of an entry's page.
package struct StoreFullText: MaintenanceStep {
    private let html: StoredText
    private let date: String?
    private let entry: EntryID
    private let host: String?

    /// - Parameter host: The host of the page, whose pauses end.
    package init(_ fullText: FullText, of entry: EntryID, host: String? = nil) {
        self.host = host
        html = StoredText(StoredEntry.limited(fullText.html, to: StoredEntry.maximumHTML)).compressed()
        date = fullText.date
        self.entry = entry
    }

    package var sharesCommit: Bool { true }

    package func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: """
                UPDATE entry_content SET full_html = ?, page_date = coalesce(?, page_date) WHERE entry_id = ?
                """,
            arguments: [html, date, entry])
        try transaction.db.execute(sql: "DELETE FROM page_pause WHERE entry_id = ?", arguments: [entry])
        try transaction.db.execute(sql: "DELETE FROM host_pause WHERE host = ?", arguments: [host])
        return Outcome()
    }
}
