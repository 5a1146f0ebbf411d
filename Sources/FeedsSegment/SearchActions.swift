import DashboardFrame
import Feeds
import LibraryKernel
import TerminalUI

/// Actions for a search: save it; or rename, sort and delete a saved one.
@MainActor
struct SearchActions {
    let access: LibraryAccess
    weak var presenter: ViewController?

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

/// Shows the first hits of a search, and their number, while the user types it.
@MainActor
package final class SearchPreview {
    /// The number of lines: the number of hits, and the newest ones.
    package nonisolated static let lines = 9
    private weak var prompt: TextPromptViewController?
    private let access: LibraryAccess
    /// Releasing it cancels the search.
    private var reading: BackgroundRead?

    /// - Parameter prompt: The prompt that shows the hits.
    package init(in prompt: TextPromptViewController, _ access: LibraryAccess) {
        self.prompt = prompt
        self.access = access
    }

    /// Searches in the background, unless the text is no complete query yet.
    package func show(_ text: String) {
        reading = nil
        guard !text.isEmpty, let query = try? SearchQuery(text) else {
            prompt?.preview = []
            return
        }
        // Most words are still being typed, so if none matches, those that begin like it are shown.
        let begun = text.last?.isLetter == true ? try? SearchQuery(text + "*") : nil
        let queries = [query] + [begun].compactMap { $0 }
        reading = access.read({ [settings = access.settings] library in
            for query in queries {
                let list = settings.query(.search(query))
                let count = try library.entries.count(in: list)
                guard count > 0 else { continue }
                return (query, count, try library.entries.rows(in: list, limit: SearchPreview.lines - 1))
            }
            return (query, 0, [])
        }) { [weak self] (found: SearchQuery, count: Int, rows: [EntryRow]) in
            guard let self else { return }
            let hits = SearchHits(of: found)
            let results = count.counted("result") + (found == query ? "" : " for \(found.text)")
            let words = count == 0 ? EmptyEntryList.text(.search(query), self.access) : DisplayText(results)
            self.prompt?.preview =
                [TextParagraph(words, .secondary)] + rows.map { TextParagraph(SearchPreview.spans($0.title, hits)) }
        }
    }

    private static func spans(_ title: String, _ hits: SearchHits) -> [StyledSpan] {
        let text = DisplayText(title).truncated(to: 74)
        var (spans, end): ([StyledSpan], Int) = ([], 0)
        for range in hits.columns(in: text) where range.lowerBound >= end {
            spans += [StyledSpan(text[columns: end..<range.lowerBound]), StyledSpan(text[columns: range], .match)]
            end = range.upperBound
        }
        return spans + [StyledSpan(text[columns: end..<text.columns])]
    }
}
