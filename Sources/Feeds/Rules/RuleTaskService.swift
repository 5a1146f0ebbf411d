import Fetching
import LibraryKernel

/// The pending tasks of rules and feeds after a reload.
package struct RuleNews: Sendable {
    /// The entries to notify the user of, in the order of arrival.
    package var told: [EntryRow] = []
    /// The user's commands to run, each with its entry.
    package var commands: [(name: String, entry: EntryDetail)] = []

    /// The text of one notification for all of them, or `nil` if there is nothing to report.
    package var notification: (title: String, body: String)? {
        guard let first = told.first else { return nil }
        guard told.count > 1 else { return ("1 new entry", first.title) }
        let titles = told.prefix(3).map(\.title).joined(separator: " · ")
        return ("\(told.count) new entries", told.count > 3 ? titles + " …" : titles)
    }
}

/// Performs the tasks of rules as far as this module can.
package struct RuleTaskService: Sendable {
    private let library: Library
    private let fullTexts: FullTextService
    /// The maximum number of commands to run and full texts to fetch after one reload.
    private static let maximum = 100

    package init(library: Library, fetcher: Fetcher = Fetcher()) {
        self.library = library
        fullTexts = FullTextService(library: library, fetcher: fetcher)
    }

    /// Fetches full texts and returns the other tasks. Each task is returned only once.
    package func work() async -> RuleNews {
        var news = RuleNews()
        guard (try? library.hasRuleTasks()) == true,
            let tasks = try? await library.changes.perform(TakeRuleTasks()).tasks
        else { return news }
        var told: Set<EntryID> = []
        var fetched = 0
        for task in tasks {
            switch task.action {
            case .notify:
                guard told.insert(task.entry).inserted, let row = try? library.entries.row(task.entry), !row.isRead
                else {
                    continue
                }
                news.told.append(row)
            case .run(let name):
                guard news.commands.count < RuleTaskService.maximum,
                    let entry = try? library.entries.detail(of: task.entry)
                else {
                    continue
                }
                news.commands.append((name, entry))
            case .fullText:
                guard fetched < RuleTaskService.maximum, let entry = try? library.entries.detail(of: task.entry),
                    let link = entry.link
                else { continue }
                fetched += 1
                let host = try? library.feeds.trustedHost(of: entry.subscriptionID)
                await fullTexts.fetch(entry.id, link: link, ownHost: host)
            case .mark, .tag, .delete, .fold, .download: continue
            }
        }
        return news
    }
}
