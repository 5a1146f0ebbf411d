import ArgumentParser
import Configuration
import Dashboard
import DashboardFrame
import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import Platform
import WebAddresses

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import OPML, files of newsboat or newsraft, or starred items.",
        discussion: """
            Imports OPML, newsboat's urls, config and cache.db, newsraft's feeds, config and newsraft.sqlite3, and JSON with starred items \
            of FreshRSS or Inoreader. For a folder, or newsboat's urls, tappa also imports the other files next to it. Entries \
            keep their marks. Close the other program first; tappa only reads its files. It reports what it imported, what it \
            converted, and what it skipped and why.

            Examples:
              tappa import ~/.newsboat
              tappa import subscriptions.opml
            """)

    @Argument(help: ArgumentHelp("Files or folders, or - for standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Don't ask, however many there are.")
    var yes = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Follow feeds of programs (exec:, filter:) without asking, or skip them.",
            discussion: "By default tappa asks about each on a terminal, and skips them elsewhere."))
    var programs: Bool?

    @Flag(help: "Import only feeds, not the other files in the folder.")
    var feedsOnly = false

    @OptionGroup var options: LibraryOptions

    /// The number of feeds from which the import asks for confirmation.
    private static let unasked = 1000

    /// The results: what was imported, converted or skipped.
    private struct Report {
        var came: [String] = []
        var changed: [String] = []
        var left: [String] = []
        /// The text of each file that could not be written, with the reason.
        var unwritten: [(reason: String, text: String)] = []
    }

    func run() throws {
        var found = ReaderImport()
        for file in files { try found.take(file, withNeighbours: !feedsOnly) }
        guard try isWanted(found) else { return }
        let library = try options.openLibrary(bringsFeeds: true)
        var report = Report()
        report.left = found.unreadable
        try follow(found, in: library, &report)
        for (path, bytes) in found.stars { try takeStars(path, bytes, library, &report) }
        for path in found.databases { try takeEntries(path, library, &report) }
        for item in found.configurations { try takeConfiguration(item, isNewsraft: false, &report) }
        for item in found.newsraftConfigurations { try takeConfiguration(item, isNewsraft: true, &report) }
        tell(report.came, "")
        tell(report.changed, "changed: ")
        tell(report.left, "skipped: ")
        for (reason, text) in report.unwritten {
            printLine("skipped: \(reason); its contents would be:")
            for line in text.split(separator: "\n") { printLine(NewsboatConfiguration.shown([String(line)])) }
        }
    }

    /// The maximum number of lines of each kind.
    private static let maximumLines = 500

    private func tell(_ lines: [String], _ kind: String) {
        for line in lines.prefix(ImportCommand.maximumLines) { printLine(kind + ImportedText.shown(message: line)) }
        let rest = lines.count - ImportCommand.maximumLines
        if rest > 0 { printLine("\(kind)and \(rest) more") }
    }

    /// Asks whether to import so many feeds.
    private func isWanted(_ found: ReaderImport) throws -> Bool {
        guard found.list.count > ImportCommand.unasked, !yes else { return true }
        let source = files.joined(separator: ", ")
        guard isInteractive else {
            throw fail(
                "\(source) has \(found.list.count.counted("feed")); use --yes to follow them all", ExitStatus.badData)
        }
        return confirms("\(source) has \(found.list.count.counted("feed")). Follow them all? y/n")
    }

    // MARK: Feeds

    private func follow(_ found: ReaderImport, in library: Library, _ report: inout Report) throws {
        let now = Instant.now
        var new = found.list.map { NewSubscription($0) }
        for item in found.programs where try isAllowed(item, &report) {
            var own = NewSubscription(item)
            own.runsProgram = true
            new.append(own)
        }
        addTitles(from: found.databases, to: &new)
        if found.hasLists {
            let receipt = try library.carryOut(.subscribe(new, now: now))
            let known = receipt.subscriptions.count - receipt.count
            report.came.append("added \(receipt.count)" + (known > 0 ? ", already followed: \(known)" : ""))
        }
        var searches = 0
        for item in found.queries {
            do throws(NewsboatFilter.Problem) {
                let query: String
                if let own = item.query { query = own } else { query = try NewsboatFilter.translate(item.filter) }
                do { _ = try SearchQuery(query) } catch { throw NewsboatFilter.Problem(error.description) }
                guard query.utf8.count <= ImportedText.maximumQuery else {
                    throw NewsboatFilter.Problem("it is too long")
                }
                guard (try? library.carryOut(.saveSearch(name: item.name, query: query))) != nil else {
                    throw NewsboatFilter.Problem("it could not be stored")
                }
                report.changed.append("the query '\(item.name)' became the saved search \(query)")
                searches += 1
            } catch {
                report.left.append("the query '\(item.name)': \(error)")
            }
        }
        if searches > 0 { report.came.append("saved searches: \(searches)") }
    }

    /// Names feeds as the databases of other programs do, until they are fetched.
    private func addTitles(from databases: [String], to new: inout [NewSubscription]) {
        let feeds = Set(new.map(\.url))
        for path in databases {
            let titles = ReaderDatabase.titles(of: feeds, in: path)
            for index in new.indices { new[index].title = new[index].title ?? titles[new[index].url] }
        }
    }

    /// Asks whether to allow a program that runs at each reload.
    private func isAllowed(_ item: ListedSubscription, _ report: inout Report) throws -> Bool {
        if let programs {
            if !programs { report.left.append("\(item.url): it runs a program") }
            return programs
        }
        guard isInteractive else {
            printError("tappa: \(ImportedText.shown(message: item.url)) runs a program; use --programs to follow it")
            return false
        }
        // All of it: what follows a shortened command could do harm. Addresses show no passwords.
        let isAllowed = confirms(
            "\(ImportedText.withoutCredentials(item.url))\ntappa will run this program at each reload. Follow it? y/n")
        if !isAllowed { report.left.append("\(item.url): declined") }
        return isAllowed
    }

    // MARK: Entries

    private func takeEntries(_ path: String, _ library: Library, _ report: inout Report) throws {
        guard !ReaderImport.isInUse(path) else {
            return report.left.append("\(path): its program is running; close it, then import again")
        }
        var tally = Tally()
        do {
            let kind = try ReaderDatabase.read(path) { feed, entries in
                try store(entries, of: feed, in: library, &tally)
            }
            report.came.append(tally.sentence(kind.rawValue))
        } catch let code as ExitCode {
            throw code
        } catch {
            report.left.append("\(error)")
        }
        report.left += tally.left
    }

    private func takeStars(_ path: String, _ items: [ForeignEntry], _ library: Library, _ report: inout Report) throws {
        var tally = Tally()
        for (feed, entries) in Dictionary(grouping: items, by: \.feed).sorted(by: { $0.key < $1.key }) {
            if try subscription(of: feed, in: library) != nil {
                try store(entries, of: feed, in: library, &tally)
                continue
            }
            // Entries that belong to no followed feed become saved pages.
            let pages = entries.compactMap(\.savedPage)
            for item in entries where item.savedPage == nil {
                let title = ImportedText.shown(item.entry.title ?? "")
                tally.left.append(
                    "'\(title)': it has no link, or a longer one than \(ImportedText.maximumAddress >> 10) KiB")
            }
            try store(pages, in: nil, library, &tally)
            tally.pages += pages.count
        }
        report.came.append(tally.sentence("\(path)"))
        report.left += tally.left
    }

    private struct Tally {
        var (entries, read, starred, deleted, pages) = (0, 0, 0, 0, 0)
        var left: [String] = []

        func sentence(_ source: String) -> String {
            let parts = [(read, "read"), (starred, "starred"), (deleted, "deleted"), (pages, "in the saved pages")]
            return "entries of \(source): \(entries)"
                + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        }
    }

    private func subscription(of feed: String, in library: Library) throws -> SubscriptionRow? {
        do {
            if ProgramFeed.isOne(feed) { return try library.feeds.feed(url: UserInfo.split(feed).address) }
            // Other programs store credentials in the address.
            guard case .success(let address) = FeedAddress.read(feed) else { return nil }
            return try library.feeds.feed(url: UserInfo.split(address).address)
        } catch {
            throw fail("\(error)", error.exitCode)
        }
    }

    private func store(_ entries: [ForeignEntry], of feed: String, in library: Library, _ tally: inout Tally) throws {
        guard let subscription = try subscription(of: feed, in: library) else {
            return tally.left.append(
                "\(entries.count.countedEntries) of \(ImportedText.shown(feed)): you don't follow this feed")
        }
        try store(entries, in: subscription.id, library, &tally)
    }

    /// Stores entries in a feed, or as saved pages.
    private func store(_ entries: [ForeignEntry], in feed: FeedID?, _ library: Library, _ tally: inout Tally) throws {
        let now = Instant.now
        // In batches, so that a dashboard can continue at the same time.
        for start in stride(from: 0, to: entries.count, by: 500) {
            let some = Array(entries[start..<min(entries.count, start + 500)])
            let receipt = try library.carryOut(
                AdoptEntries(ForeignEntries(some, now: now), in: feed, now: now))
            tally.entries += receipt.count
        }
        tally.read += entries.filter { $0.isRead && !$0.isDeleted }.count
        tally.starred += entries.filter { $0.isStarred && !$0.isDeleted }.count
        tally.deleted += entries.filter(\.isDeleted).count
    }

    // MARK: Configuration

    private func takeConfiguration(
        _ item: ReaderImport.Configuration, isNewsraft: Bool, _ report: inout Report
    ) throws {
        let folder = URL(fileURLWithPath: item.path).deletingLastPathComponent()
        let own = options.configurationPath
        let known = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)
        let (text, file) = (item.text, ConfigurationFile.read(own, for: known))
        let newsboat =
            isNewsraft
            ? NewsboatConfiguration(newsraft: text, besides: file, for: known)
            : NewsboatConfiguration(text, besides: file, for: known) { other in
                let file = URL(fileURLWithPath: UserFile.expanded(other), relativeTo: folder).path
                return (try? UserFile.read(file, isFound: true)).map { String(decoding: $0, as: UTF8.self) }
            }
        report.came += newsboat.came
        report.changed += newsboat.changed
        report.left += newsboat.left
        let place = URL(fileURLWithPath: own).deletingLastPathComponent().path
        func write(_ text: String, to file: String) throws {
            PrivateFile.makeFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path, isOwn: false)
            do { try UserFile.write(Data(text.utf8), to: file, isPrivate: true) } catch {
                return report.unwritten.append((error.description, text))
            }
            report.came.append("wrote \(file)")
        }
        if let theme = newsboat.theme { try write(theme, to: place + "/themes/newsboat.toml") }
        if !newsboat.rules.isEmpty {
            let text = newsboat.rules.map { RuleFile.text(of: $0) }.joined(separator: "\n")
            try write(text, to: RuleFile.folder(besideConfiguration: own) + "/newsboat.toml")
        }
        // A theme that could not be written must not be named either.
        let new = newsboat.text(withTheme: FileManager.default.fileExists(atPath: place + "/themes/newsboat.toml"))
        guard !new.isEmpty else { return }
        if FileManager.default.fileExists(atPath: own) {
            let name = isNewsraft ? "config-newsraft.toml" : "config-newsboat.toml"
            try write(new, to: place + "/" + name)
            report.changed.append("\(own) is unchanged; copy what you want from \(name)")
        } else {
            try write(new, to: own)
        }
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the subscriptions as OPML 2.0, or the starred entries as JSON.",
        discussion: """
            Starred entries are printed in the format of FreshRSS and Inoreader, with their texts, tags and feeds.
            """)

    @Flag(help: "Print the starred entries instead.")
    var starred = false

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        if starred {
            let (data, hidden, damaged) = try StarredItems.write(library)
            StandardOutput.write(data)
            if hidden > 0 {
                printError(
                    "tappa: \(hidden) starred entries are omitted, because spoilers are hidden: 'tappa race show'")
            }
            return try DamagedEntries(damaged).report()
        }
        let date = Timestamp.rfc822(Instant.now)
        let text = OPMLWriter.write(try library.feeds.list(), title: "tappa", date: date)
        StandardOutput.write(text.utf8)
    }
}
