import ModelCore
import TerminalUI

/// The second lines in a list of entries: excerpts, or the text around the matches of a search.
@MainActor
final class EntrySecondLines {
    private let query: SearchQuery?
    private let access: LibraryAccess
    private var known: [EntryID: DisplayText] = [:]
    /// The minimum size of a list that shows excerpts.
    private static let leastForExcerpts = Size(width: 40, height: 15)
    /// The maximum number of cached lines.
    private static let most = 500

    /// - Parameter query: The search whose results the list shows, or `nil` for excerpts.
    init(of query: SearchQuery?, access: LibraryAccess) {
        self.query = query
        self.access = access
    }

    /// Returns the second line of a row: the text around a match and the feed, or the excerpt. It is read only once.
    func line(of row: EntryRow) -> DisplayText {
        if let line = known[row.id] { return line }
        if known.count > EntrySecondLines.most { known.removeAll() }
        let text = access.read("") { library in
            try query.map { try library.search.context(of: $0, in: row.id) } ?? library.entries.excerpt(of: row.id)
        }
        let line = DisplayText(text)
        known[row.id] = line
        return line
    }

    /// Whether rows have second lines. Titles of several lines leave no space for excerpts.
    func areShown(in table: TableView) -> Bool {
        query != nil
            || access.settings[.excerpts] && access.settings[.rowLines] == 1
                && table.bounds.width >= EntrySecondLines.leastForExcerpts.width
                && table.bounds.height >= EntrySecondLines.leastForExcerpts.height
    }

    /// Releases the lines, such as after a change of the library.
    func removeAll() { known.removeAll() }
}
