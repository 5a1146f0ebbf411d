import DashboardFrame
import TerminalUI

/// Goes to rows of the list of feeds: those that a command needs, and those beside the open feed.
@MainActor
package struct FeedListPlaces {
    package let list: FeedListViewController

    package init(list: FeedListViewController) { self.list = list }

    /// Opens the next or previous feed of the list, and its first unread entry if one was open before.
    func openFeed(_ step: Int, opensEntry: Bool) {
        let model = list.model
        let feeds = model.paths.filter { model.row(at: $0)?.subscription != nil }
        guard let here = feeds.firstIndex(where: { model.row(at: $0)?.identifier == list.rowOfEntries }) else { return }
        guard feeds.indices.contains(here + step), let row = model.row(at: feeds[here + step]),
            let entries = list.lists.list(of: row)
        else { return list.access.status.show(step > 0 ? "This is the last feed." : "This is the first feed.") }
        list.table.select(feeds[here + step])
        list.open(entries, of: row.identifier)
        if opensEntry { list.lists.openForReading(entries) }
    }

    /// Selects the first row that a command works on, unless the selected one is such a row.
    package func showRow(for command: CommandDefinition) {
        func fits(_ row: FeedListModel.Row?) -> Bool {
            switch (row, command.need) {
            case (.subscription?, "a feed"?), (.group?, "a folder or a tag"?), (.search?, "a saved search"?),
                (.account?, "an account"?):
                true
            case (.subscription?, "a row that can be moved"?), (_?, nil): true
            default: false
            }
        }
        list.splitViewController?.focus(.primary)
        list.rows.load { [weak list] in
            guard let list, !fits(list.selectedRow), let path = list.model.path(where: { fits($0) }) else { return }
            list.select(path)
            list.tableView(list.table, didSelectRowAt: path)
        }
    }

    /// Shows the entries of the selected row, or all entries if it has none.
    package func showEntries() {
        if let entries = list.splitViewController?.supplementaryViewController as? EntryListViewController {
            return list.show(entries)
        }
        list.rows.load { [weak list] in
            guard let list else { return }
            if list.selectedRow.flatMap({ list.lists.list(of: $0) }) == nil,
                let path = list.model.path(where: { $0 == .list(.all) })
            {
                list.select(path)
            }
            list.openSelection()
        }
    }

    /// Returns the keys of the list. Without feeds, adding one matters most.
    package static func toolbarItems(hasFeeds: Bool) -> [BarButtonItem] {
        let add = BarButtonItem(FeedCommands.addFeed, title: hasFeeds ? "add" : "add feed", priority: hasFeeds ? 1 : 3)
        let reload = [
            BarButtonItem(FeedCommands.reloadFeed, title: "reload", priority: 1),
            BarButtonItem(FeedCommands.reloadAll, title: "all", priority: 1),
        ]
        return [BarButtonItem(ListCommands.open, title: "open", priority: 2)] + (hasFeeds ? reload : []) + [
            add, BarButtonItem(FeedCommands.feedHealth, title: "status"),
            BarButtonItem(FeedCommands.feedOptions, title: "options"),
        ]
    }
}
