import Accounts
import ArgumentParser
import Configuration
import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import Races
import Synchronization
import TerminalText
import WebAddresses

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload all feeds and sync all accounts.",
        discussion: """
            With --quiet or without a terminal, as in timers, only feeds that are due are fetched: when the interval \
            'feeds.refresh' has passed and the server and the feed allow it. Panes and timers that share a library \
            share the requests.

            Examples:
              tappa reload                     a line for each feed
              tappa reload --quiet             what went wrong alone, for timers
              tappa reload --json | jq '.[] | select(.error)'
            """)

    @Option(
        help: ArgumentHelp(
            "How many feeds to fetch at once, 1 to 128 (default: as many as there are hosts).",
            valueName: "n"))
    var jobs: Int?

    @Flag(help: "Print a JSON array with the result of each feed.")
    var json = false

    @Flag(help: "Print only errors, for use in timers.")
    var quiet = false

    @OptionGroup var options: LibraryOptions

    @OptionGroup var logging: ProgramLog.Options

    func validate() throws {
        if let jobs, !(1...128).contains(jobs) { throw ValidationError("--jobs must be a number from 1 to 128.") }
    }

    private struct Item: Encodable {
        /// The feed's identifier; accounts and races have none.
        var id: FeedID?
        var url: String
        var title: String
        var added = 0
        var updated = 0
        var error: String?
        /// The reason why it was not fetched.
        var heldBack: String?
        /// The feed into which it was merged, as a sentence.
        var merge: String?
        var problems: [String] = []
        var seconds = 0.0

        enum CodingKeys: String, CodingKey {
            case id, url, title, added, updated, error, problems, seconds
            case heldBack = "held_back"
        }
    }

    /// Collects results, and prints each as it arrives.
    private final class Results: Sendable {
        /// The number of feeds to reload.
        private let total: Int
        private let isQuiet: Bool
        private let showsProgress: Bool
        private let items = Mutex<[Item]>([])

        init(of total: Int, isQuiet: Bool, showsProgress: Bool) {
            self.total = total
            self.isQuiet = isQuiet
            self.showsProgress = showsProgress
        }

        var list: [Item] { items.withLock { $0 } }

        /// - Parameter isOfFeed: Whether it is the result of a feed. The others follow when all feeds are done.
        func add(_ item: Item, isOfFeed: Bool = false) {
            let count = items.withLock { list in
                list.append(item)
                return list.count
            }
            guard !isQuiet else { return }
            ReloadCommand.tell(item, done: isOfFeed ? count : total, of: total, showsProgress: showsProgress)
        }
    }

    func run() throws {
        Fetcher.prepare()
        let library = try options.openLibrary()
        let configuration = try options.configurationFile()
        let list = try reload(library, configuration)
        if json { try printJSON(list.sorted { $0.url < $1.url }) }
        if quiet {
            for item in list { if let error = item.error { printError("tappa: \(item.title): \(error)") } }
        }
        let failed = list.filter { $0.error != nil }.count
        note(list, failed: failed)
        if failed > 0 {
            throw fail("\(failed) of \(list.count.counted("feed")) failed", ExitStatus.unavailable)
        }
    }

    /// Whether the user waits for the result, so that also feeds are fetched that aren't due.
    private var isForUser: Bool {
        !quiet && [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
    }

    /// The tolerance for the interval in minutes, because timers of the system run to the minute.
    private static let tolerance = 1

    /// Reloads feeds, accounts and races, and does what rules request.
    private func reload(_ library: Library, _ configuration: ConfigurationFile) throws -> [Item] {
        let all = try library.feeds.all().filter(\.isReadHere)
        let settings = try options.settings(library, file: configuration)
        let isQuiet = json || quiet
        let showsProgress = !isQuiet && isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let results = Results(of: all.count, isQuiet: isQuiet, showsProgress: showsProgress)
        let indexer = IdleIndexer(library: library)
        let (jobs, reason) = (jobs, isForUser ? ReloadService.Reason.user : .timer)
        let refresh = max(0, settings[.reloadMinutes] - ReloadCommand.tolerance)
        try runBlocking {
            let indexing = indexer.start()
            defer { indexing.cancel() }
            try await ReloadService(library: library).reload(
                all, jobs: jobs, reason: reason, refresh: refresh, started: { _ in indexer.noteActivity() }
            ) { outcome in
                indexer.noteActivity()
                results.add(ReloadCommand.item(outcome), isOfFeed: true)
            }
            try await SyncService(library: library).syncAll(
                reason == .timer ? .timer : .whole,
                report: { account, outcome in results.add(ReloadCommand.item(account, outcome)) })
            for update in try await RaceFollowService(library: library).update(reason: reason) {
                results.add(ReloadCommand.item(update))
            }
            for (address, error) in try await TrackService(library: library).fetchMissing() {
                printError("tappa: track \(UserInfo.split(address).address): \(error)")
            }
            let news = await RuleTaskService(library: library).work()
            ReloadCommand.carryOut(news, configuration.commands, settings)
        }
        if showsProgress { printProgress("") }
        try PruneCommand.pruneAfterReload(library, settings)
        return results.list
    }

    /// Writes the results to the log.
    private func note(_ list: [Item], failed: Int) {
        let log = logging.logger("reload")
        for item in list {
            if let error = item.error {
                log.warning("\(ProgramLog.withoutPrivateParts("\(item.url): \(error)"))")
            } else {
                log.debug("\(ProgramLog.withoutPrivateParts(item.url)): \(item.added) new, \(item.updated) changed")
            }
        }
        log.info(
            "\(list.count.counted("feed")), \(list.reduce(0) { $0 + $1.added }.counted("new entry", "new entries")), \(failed) failed"
        )
    }

    /// Runs the commands that rules request, and notifies of new entries if a command is set for that.
    private static func carryOut(_ news: RuleNews, _ commands: [UserCommand], _ settings: Settings) {
        for (name, entry) in news.commands {
            guard let command = commands.first(where: { $0.name == name }) else { continue }
            if let problem = UserCommandRunner.runOnArrival(command, entry) { printError("tappa: \(problem)") }
        }
        guard let (title, body) = news.notification, settings[.notifications] == "command",
            !settings.isQuiet(at: Instant.now)
        else { return }
        let problem = Notifier.run(settings[.notifier], title: title, body: body, place: news.place)
        if let problem { printError("tappa: \(problem)") }
    }

    private static func item(_ update: RaceUpdate) -> Item {
        var item = Item(
            url: UserInfo.split(update.subscription.address).address, title: update.subscription.raceID,
            error: update.error)
        switch update.result {
        case .changed: item.updated = 1
        case .unchanged, .failed, .shrunk: break
        case .heldBack(let reason): item.heldBack = reason
        }
        return item
    }

    private static func item(_ outcome: ReloadOutcome) -> Item {
        var item = Item(
            id: outcome.subscription.id, url: outcome.subscription.url, title: outcome.subscription.title,
            problems: outcome.problems.map(\.description), seconds: outcome.seconds)
        item.merge = outcome.merge.map { "merged into \($0.into.url), whose address it has now" }
        if let merge = item.merge { item.problems.append(merge) }
        switch outcome.result {
        case .changed(let changes): (item.added, item.updated) = (changes.added, changes.updated)
        case .unchanged: break
        case .heldBack(let reason): item.heldBack = reason
        case .failed(let reason): item.error = reason
        }
        return item
    }

    /// Returns the result for an account in the form of a feed's.
    private static func item(_ account: Account, _ outcome: SyncOutcome) -> Item {
        var item = Item(url: account.address, title: account.name)
        switch outcome {
        case .done(let added, _): item.added = added
        case .heldBack(let reason): item.heldBack = reason
        case .failed(let reason): item.error = reason
        }
        return item
    }

    private static func tell(_ item: Item, done: Int, of total: Int, showsProgress: Bool) {
        var news = [(item.added, "new"), (item.updated, "changed")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if let merge = item.merge { news.append(merge) }
        let result =
            item.error.map { "! \($0)" } ?? (news.isEmpty ? item.heldBack ?? "unchanged" : news.joined(separator: ", "))
        if showsProgress {
            if item.error != nil || !news.isEmpty {
                printProgress("")
                printLine("\(item.title): \(result)")
            }
            printProgress("\(done)/\(total)")
        } else {
            printFields([item.title, result, item.url])
        }
    }
}
