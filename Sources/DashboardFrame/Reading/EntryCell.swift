import Feeds
import ModelCore
import TerminalUI

/// The row of an entry in any list.
@MainActor
package enum EntryCell {
    /// The marks of starred entries and of those to read later.
    package static let starred: DisplayText = "★"
    package static let later: DisplayText = "◷"

    /// - Parameter heading: The heading over the row, if there is one.
    package static func fill(
        _ cell: TableViewCell, with row: EntryRow, in table: TableView, _ services: EntryServices,
        _ dates: DateText, under heading: DateText.Heading? = nil
    ) {
        // Each view asks those around it.
        let symbols = table.symbols
        cell.title = DisplayText(row.title)
        cell.titleRole = row.isRead ? .text : .unread
        if services.access.changes.isPending(row) {
            cell.mark = symbols.pending
        } else if row.isStarred {
            cell.mark = starred.glyphs.first
        } else if row.isLater {
            cell.mark = later.glyphs.first
        } else if !row.isRead {
            cell.mark = symbols.dot
        }
        if symbols.isLinear {
            let words = [
                row.isRead ? nil : "unread", row.isStarred ? "starred" : nil, row.isLater ? "for later" : nil,
            ].compactMap { $0 }
            if !words.isEmpty { cell.title = DisplayText(words.joined(separator: ", ") + ": ") + cell.title }
            if row.isStarred || row.isLater { cell.mark = nil }
        }
        let date: DisplayText = row.hasDate ? dates.short(row.sortDate, under: heading) : .empty
        guard row.sources > 1, services.access.settings[.mergeDuplicates] else { return cell.value = date }
        cell.value = DisplayText(symbols.isLinear ? "\(row.sources) feeds, " : "×\(row.sources) ") + date
    }
}
