import Accounts
import ArgumentParser
import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import Platform

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Manage accounts on FreshRSS, Miniflux, Nextcloud News and other servers.",
        discussion: """
            Everything works at once, even without a network; changes to send wait in the outbox. The server fetches its own feeds; \
            local feeds remain beside them.
            """,
        subcommands: [List.self, Add.self, Sync.self, Remove.self, Outbox.self, Give.self, Take.self],
        defaultSubcommand: List.self)

    static func account(_ name: String, in library: Library) throws -> Account {
        guard let account = try library.accounts.all(now: .now).first(where: { $0.name == name }) else {
            throw fail("no such account: '\(name)'", ExitStatus.noInput)
        }
        return account
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the accounts and their status (the default).")

        @Flag(help: "Print a JSON array.")
        var json = false

        @OptionGroup var options: LibraryOptions

        private struct Item: Encodable {
            var id: AccountID
            var name: String
            var kind: String
            var address: String
            var user: String
            var feeds: Int
            var pending: Int
            var refused: Int
            var lastSync: String?
            var error: String?
            var state: String

            enum CodingKeys: String, CodingKey {
                case id, name, kind, address, user, feeds, pending, refused, error, state
                case lastSync = "last_sync"
            }
        }

        func run() throws {
            let library = try options.openLibrary()
            let now = Instant.now
            let accounts = try library.accounts.all(now: now)
            guard json else {
                for account in accounts {
                    printFields([
                        account.name, account.state(now: now), account.kind.name, account.user, account.address,
                    ])
                }
                return
            }
            try printJSON(
                accounts.map {
                    Item(
                        id: $0.id, name: $0.name, kind: $0.kind.rawValue, address: $0.address, user: $0.user,
                        feeds: $0.feeds, pending: $0.pending, refused: $0.refused,
                        lastSync: $0.lastSync.map { Timestamp.rfc3339($0) }, error: $0.error, state: $0.state(now: now))
                })
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account and sync it.",
            discussion: """
                The kind of server is detected. The password is the one for API access (FreshRSS: API password; Miniflux: the \
                user's, or a token; Nextcloud: an app password; Tiny Tiny RSS: the user's, with API access turned on). It comes from --password-command or --password-env, else from \
                [account.NAME] password-command in the configuration, from the variable TAPPA_PASSWORD_NAME, from secret-tool (service tappa, account NAME), from a netrc of mode 600, \
                or from a prompt.
                """)

        @Argument(help: "A name for the account.")
        var name: String

        @Argument(help: ArgumentHelp("The server's address.", valueName: "address"))
        var address: String

        @Option(help: ArgumentHelp("Your user name on the server.", valueName: "name"))
        var user: String

        @OptionGroup var password: PasswordOptions

        @Flag(help: "Allow http to other machines, although others can read the password.")
        var allowHttp = false

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary(bringsFeeds: true)
            do {
                let address = try AccountService.address(address, allowsPlain: allowHttp)
                try AccountService.check(name: name)
                let secret = try secret(address)
                let account = try runBlocking { [name] in
                    try await AccountService.add(name: name, address: address, secret: secret, to: library)
                }
                printLine("added \(account.name): \(account.kind.name) at \(account.address)")
                try AccountCommand.sync([account], in: library)
            } catch let problem as AccountService.Problem {
                throw fail("\(problem)", problem.mayPass ? ExitStatus.unavailable : ExitStatus.badData)
            }
        }

        /// Returns the user name and the source of the password.
        private func secret(_ address: String) throws -> Secret {
            var secret = Secret(user: user)
            let variable = "TAPPA_PASSWORD_" + name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
            let lookup = ["secret-tool", "lookup", "service", "tappa", "account", name]
            secret.password = try password.source(of: user) {
                if let words = try options.configurationFile().passwordCommands[name] { return .command(words) }
                if ProcessInfo.processInfo.environment[variable] != nil { return .environment(variable) }
                let hasSecret =
                    ChildProcess.find("secret-tool") != nil && ChildProcess.output(of: lookup)?.isEmpty == false
                return hasSecret ? .command(lookup) : nil
            }
            return secret
        }
    }

    struct Sync: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sync accounts with their servers.",
            discussion: "If another program is syncing an account, such as an open dashboard, the command waits for it."
        )

        @Argument(help: "Accounts; all if none is given.", completion: .ownAccounts)
        var names: [String] = []

        @Option(
            help: ArgumentHelp(
                "How many seconds to wait for another program's sync of an account, 0 to 3600.", valueName: "seconds"))
        var wait = SyncService.patience

        @OptionGroup var options: LibraryOptions

        func validate() throws {
            guard (0...3600).contains(wait) else { throw ValidationError("--wait must be a number from 0 to 3600.") }
        }

        func run() throws {
            let library = try options.openLibrary()
            let accounts =
                try names.isEmpty
                ? library.accounts.all(now: .now) : names.map { try AccountCommand.account($0, in: library) }
            try AccountCommand.sync(accounts, in: library, waitingUpTo: wait)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account; the server keeps its feeds and marks.",
            discussion: "Removes its feeds too, unless --keep-feeds makes them local feeds.")

        @Argument(help: "The account.", completion: .ownAccounts)
        var name: String

        @Flag(help: "Turn its feeds into local feeds, with their entries and marks.")
        var keepFeeds = false

        @Flag(help: "Remove it even if changes are pending; they will be lost.")
        var force = false

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
            let account = try AccountCommand.account(name, in: library)
            let waiting = account.pending + account.refused
            if waiting > 0, !force {
                let what = waiting.counted("pending change")
                guard isatty(STDIN_FILENO) == 1 else {
                    throw fail(
                        "\(name) has \(what) (tappa account outbox); --force removes it anyway",
                        ExitStatus.unavailable)
                }
                guard confirms("\(name) has \(what), which will be lost. Remove it anyway? (y/N)") else { return }
            }
            let before = try library.accounts.feedCounts(of: account.id)
            let keepsFeeds = keepFeeds
            do {
                _ = try runBlocking { try await AccountService.remove(account, keepsFeeds: keepsFeeds, from: library) }
            } catch {
                throw fail("\(error)", ExitStatus.inputOutput)
            }
            printLine(keepFeeds ? "removed \(name); now local: \(before)" : "removed \(name) with \(before)")
        }
    }

    struct Outbox: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List pending changes, with their age and reason.")

        @Flag(help: "Print a JSON array.")
        var json = false

        @Flag(help: "Retry changes that a server rejected.")
        var retry = false

        @OptionGroup var options: LibraryOptions

        private struct Item: Encodable {
            var account: String
            var change: String
            var since: String
            var reason: String?
            var refused: Bool
        }

        func run() throws {
            let library = try options.openLibrary()
            if retry {
                try library.carryOut(.retryOutbox(try library.outbox.items().filter(\.isRefused).map(\.id)))
            }
            let items = try library.outbox.items()
            guard json else {
                for item in items {
                    let since = Timestamp.rfc3339(item.created)
                    printFields([item.account, item.title, since] + (item.reason.map { ["! \($0)"] } ?? []))
                }
                return
            }
            try printJSON(
                items.map {
                    Item(
                        account: $0.account, change: $0.title, since: Timestamp.rfc3339($0.created),
                        reason: $0.reason, refused: $0.isRefused)
                })
        }
    }

    struct Give: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move local feeds to an account, with their marks and stars.")

        @Argument(help: "The account.", completion: .ownAccounts)
        var name: String

        @Argument(help: ArgumentHelp("Addresses of feeds.", valueName: "url"), completion: .ownFeeds)
        var urls: [String] = []

        @Flag(help: "Move all local feeds.")
        var all = false

        @OptionGroup var options: LibraryOptions

        func run() throws {
            try AccountCommand.move(options, name) { library, account in
                .moveToAccount(try AccountCommand.feeds(urls, all: all, of: nil, in: library), account)
            }
        }
    }

    struct Take: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move feeds from an account to this machine; the server unfollows them.")

        @Argument(help: "The account.", completion: .ownAccounts)
        var name: String

        @Argument(help: ArgumentHelp("Addresses of feeds.", valueName: "url"), completion: .ownFeeds)
        var urls: [String] = []

        @Flag(help: "Move all feeds of the account.")
        var all = false

        @OptionGroup var options: LibraryOptions

        func run() throws {
            try AccountCommand.move(options, name) { library, account in
                .convertToLocal(try AccountCommand.feeds(urls, all: all, of: account, in: library))
            }
        }
    }

    /// Moves feeds between an account and this machine, and prints how many each has before and after.
    private static func move(
        _ options: LibraryOptions, _ name: String, _ change: (Library, AccountID) throws -> Change
    ) throws {
        let library = try options.openLibrary()
        let account = try account(name, in: library)
        func printTally(_ when: String) throws {
            let (local, own) = try (library.accounts.feedCounts(of: nil), library.accounts.feedCounts(of: account.id))
            printLine("\(when): local \(local); \(name) \(own)")
        }
        let change = try change(library, account.id)
        try printTally("before")
        try library.carryOut(change)
        try sync([account], in: library)
        try printTally("after")
    }

    private static func feeds(_ urls: [String], all: Bool, of account: AccountID?, in library: Library) throws
        -> [FeedID]
    {
        guard all != !urls.isEmpty else { throw ValidationError("Give the addresses of feeds, or --all.") }
        let known = try library.feeds.all().filter { $0.isFeed && $0.account == account }
        if all { return known.map(\.id) }
        return try urls.map { url in
            guard let feed = known.first(where: { $0.url == url }) else {
                throw fail("no such feed: \(url)", ExitStatus.noInput)
            }
            return feed.id
        }
    }

    // MARK: Syncing

    /// Syncs accounts one after the other and prints the outcome of each.
    ///
    /// - Parameter patience: How many seconds to wait for another program's sync of an account.
    static func sync(
        _ accounts: [Account], in library: Library, waitingUpTo patience: Int64 = SyncService.patience
    ) throws {
        let showsProgress = isatty(STDERR_FILENO) == 1
        let failed = try runBlocking {
            var failed = 0
            let service = SyncService(library: library)
            for account in accounts {
                let outcome = await service.sync(
                    account, .whole, waitingUpTo: .seconds(patience),
                    beginsWaiting: { printError("tappa: another program is syncing \(account.name); waiting …") },
                    progress: { progress in
                        if showsProgress { printProgress("\(account.name): \(progress.fetched) of \(progress.total)") }
                    })
                if showsProgress { printProgress("") }
                if case .failed = outcome { failed += 1 }
                printFields([account.name, words(outcome)])
            }
            return failed
        }
        if failed > 0 {
            throw fail("\(failed.counted("account")) could not be synced", ExitStatus.unavailable)
        }
    }

    static func words(_ outcome: SyncOutcome) -> String {
        switch outcome {
        case .done(let added, let sent): "\(added) new, \(sent) sent"
        case .heldBack(let reason): reason
        case .failed(let reason): "! \(reason)"
        }
    }
}
