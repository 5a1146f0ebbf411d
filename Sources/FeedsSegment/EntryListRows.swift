import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The rows of a list of entries: supplies them to the table, and searches in them.
@MainActor
final class EntryListRows: TableViewDataSource {
    private let entries: EntryWindow
    private let services: EntryServices
    private var access: LibraryAccess { services.access }
    private let secondLines: EntrySecondLines
    private(set) lazy var hits = SearchHits(of: entries.scope.searchQuery)
    /// Returns the entry that the detail shows, whose row has a mark.
    var shownEntry: () -> EntryID? = { nil }
    /// Whether the list has few entries, judged by its first page, so that no month has a heading of its own.
    private var isSparse = false
    /// Whether a search without results hasn't looked at all entries yet.
    private(set) var mayComeFromIndex = false
    /// The search for the next unread entry or for a title.
    private var finding: BackgroundRead?

    init(_ entries: EntryWindow, services: EntryServices) {
        self.entries = entries
        self.services = services
        secondLines = EntrySecondLines(of: entries.scope.searchQuery, access: services.access)
    }

    /// Adapts to the entries, after they were read again or when more of them arrive. The second lines are read again.
    func entriesDidChange() {
        secondLines.removeAll()
        mayComeFromIndex =
            entries.isComplete && entries.count == 0 && EmptyEntryList.waitingCount(entries.scope, access) > 0
        let last = min(entries.count, EntryWindow.pageSize) - 1
        guard let first = entries.row(at: 0), last > 0, let row = entries.row(at: last) else { return isSparse = false }
        let span = first.sortDate.seconds(since: row.sortDate)
        isSparse = DateText.isSparse(last + 1, over: Int64(clamping: span.magnitude))
    }

    /// Finds the next or previous unread entry, if necessary from the other end of the list.
    func findUnread(after current: EntryRow?, isForward: Bool, then use: @escaping @MainActor (EntryRow?) -> Void) {
        let query = access.settings.query(entries.scope)
        finding = access.readForScreen(
            { try $0.entries.nextUnread(after: current, isForward: isForward, in: query) }, then: use)
    }

    /// Cancels the search for the next unread entry or for a title.
    func stopFinding() { finding = nil }

    func height(at path: RowPath, in table: TableView) -> Int {
        if entries.scope.searchQuery != nil { return 2 }
        if secondLines.areShown(in: table) {
            return entries.row(at: path.row).map { secondLines.line(of: $0).text.isEmpty ? 1 : 2 } ?? 1
        }
        return table.height(fittingTitleOf: path, atMost: access.settings[.rowLines])
    }

    // MARK: The table

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { entries.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        entries.row(at: path.row).map { AnyHashable($0.id) }
    }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        (identifier.base as? EntryID).flatMap { entries.index(of: $0) }.map { RowPath(row: $0) }
    }

    func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void
    ) {
        guard let row = entries.row(at: path.row) else { return }
        if step == 0, DisplayText(row.title).contains(text) { return found(path) }
        let query = access.settings.query(entries.scope)
        finding = access.readForScreen({ try $0.entries.row(titled: text, from: row, isForward: step >= 0, in: query) })
        { [weak self] row in
            guard let self else { return }
            found(row.flatMap { entries.index(of: $0.id) }.map { RowPath(row: $0) })
        }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let hasSecondLine = secondLines.areShown(in: table)
        let cell = table.dequeueCell(style: hasSecondLine ? .subtitle : .basic)
        guard let row = entries.row(at: path.row) else { return cell }
        if hasSecondLine { secondLines.fill(cell, of: row, in: table) }
        let dates = services.appearance.dates
        let heading = table.showsHeadings ? dates.level(row.sortDate, isSparse: isSparse) : nil
        EntryCell.fill(cell, with: row, in: table, services, dates, under: heading)
        cell.titleRoles = hits.roles(in: cell.title)
        cell.detailRoles = hits.roles(in: cell.detail)
        cell.isShown = row.id == shownEntry()
        return cell
    }

    func tableView(_ table: TableView, headingForRowAt path: RowPath) -> DisplayText? {
        entries.row(at: path.row).map { services.appearance.dates.heading($0.sortDate, isSparse: isSparse) }
    }
}
