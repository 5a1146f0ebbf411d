import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// The second lines in a list of entries: excerpts, or the text around the matches of a search.
@MainActor
final class EntrySecondLines {
    private let query: SearchQuery?
    private let access: LibraryAccess
    private var known: [EntryID: (text: DisplayText, feed: DisplayText)] = [:]
    /// The minimum size of a list that shows excerpts.
    private static let minimumForExcerpts = Size(width: 40, height: 15)
    private static let maximum = 500

    /// - Parameter query: The search whose results the list shows, or `nil` for excerpts.
    init(of query: SearchQuery?, access: LibraryAccess) {
        self.query = query
        self.access = access
    }

    /// Returns the second line of a row, which is read only once: the excerpt, or the text around a match and the feed.
    func line(of row: EntryRow) -> (text: DisplayText, feed: DisplayText) {
        if let line = known[row.id] { return line }
        if known.count > EntrySecondLines.maximum { known.removeAll() }
        let line = read(row.id)
        known[row.id] = line
        return line
    }

    private func read(_ entry: EntryID) -> (text: DisplayText, feed: DisplayText) {
        guard let query else {
            return (DisplayText(access.read("") { try $0.entries.excerpt(of: entry) }), .empty)
        }
        guard let context = access.read(nil, { try $0.search.context(of: query, in: entry) }) else {
            return (.empty, .empty)
        }
        return (DisplayText(context.text), DisplayText(context.feed))
    }

    /// Fills the second line of a row. In wide lists the feed has a third of the width beside the text around a match.
    func fill(_ cell: TableViewCell, of row: EntryRow, in table: TableView) {
        let (text, feed) = line(of: row)
        cell.detail = text.isEmpty ? feed : text
        guard !text.isEmpty, table.bounds.width >= EntrySecondLines.minimumForExcerpts.width else { return }
        cell.detailValue = feed.truncated(to: table.bounds.width / 3)
    }

    /// Whether rows have second lines. Titles of several lines leave no space for excerpts.
    func areShown(in table: TableView) -> Bool {
        query != nil
            || access.settings[.excerpts] && access.settings[.rowLines] == 1
                && table.bounds.width >= EntrySecondLines.minimumForExcerpts.width
                && table.bounds.height >= EntrySecondLines.minimumForExcerpts.height
    }

    /// Releases the lines, such as after a change of the library.
    func removeAll() { known.removeAll() }
}
