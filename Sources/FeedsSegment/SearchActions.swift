import DashboardFrame
import Feeds
import TerminalUI

/// Actions for a search: save it; or rename, sort and delete a saved one.
@MainActor
struct SearchActions {
    let access: LibraryAccess
    weak var presenter: ViewController?

    /// Returns the commands for a saved search.
    func commands(for search: SavedSearch) -> [Command] {
        [
            Command(FeedCommands.deleteSearch) { [access] in access.changes.submit(.deleteSearch(search.id)) },
            Command(FeedCommands.renameFeed) { rename(search) },
            Command(FeedCommands.sortSearch) { sort(search) },
        ]
    }

    /// Returns the commands for a search that is not saved.
    func commands(for query: SearchQuery) -> [Command] { [Command(EntryCommands.saveSearch) { save(query) }] }

    private func save(_ query: SearchQuery) {
        presenter?.present(
            TextPromptViewController(
                title: "Save search", message: "The name in the list", text: query.text
            ) { [access] name in
                access.changes.submit(
                    .saveSearch(name: name.isEmpty ? query.text : name, query: query.text),
                    message: "Saved in the list of feeds.")
            })
    }

    private func rename(_ search: SavedSearch) {
        presenter?.present(
            TextPromptViewController(
                title: "Rename", message: "The name in the list", text: search.name
            ) { [access] name in
                guard !name.isEmpty else { return }
                access.changes.submit(.saveSearch(name: name, query: search.query))
            })
    }

    private func sort(_ search: SavedSearch) {
        let isLinear = presenter?.view.symbols.isLinear == true
        let choices = EntryOrder.allCases.map { order in
            let title = DisplayText(order.title)
            let other = isLinear ? title : "  " + title
            return Choice(order == search.order ? RowSign.chosen.before(title, isLinear: isLinear) : other) {
                [access] in
                access.changes.submit(.sortSearch(search.id, order))
            }
        }
        presenter?.present(CommandPaletteViewController(title: "Order", choices: choices, hasField: false))
    }
}
