import ArgumentParser
import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import Platform
import WebAddresses

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Follow feeds.",
        discussion: """
            An address can be that of a feed or of a web site, whose feeds tappa finds. If there are several, tappa asks on a \
            terminal and lists them in a pipe. Options for the folder, tags, title and header lines also change feeds that you \
            already follow.

            'exec:PROGRAM ARGUMENTS' is a feed that a program prints; 'filter:PROGRAM ARGUMENTS:ADDRESS' passes a feed through a \
            program. tappa runs them without a shell (use 'exec:sh -c "…"'), for at most a minute and 16 MiB.

            Examples:
              tappa add https://example.org/
              tappa add --folder News --tag daily https://example.org/feed.xml
              tappa add 'exec:my-feed --all'
            """)

    @Argument(help: ArgumentHelp("Addresses (http, https, file) or paths of feeds or web sites.", valueName: "url"))
    var urls: [String]

    @Flag(help: "Follow the addresses as they are, without looking for feeds on their pages.")
    var asIs = false

    @Flag(help: "Add all feeds that a web site links to.")
    var all = false

    @Option(help: ArgumentHelp("A request header, such as 'Cookie: a=b' (repeatable).", valueName: "line"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "The user name for basic authentication.",
            discussion:
                "The password comes from one of the next two options, a netrc file of mode 600, or a prompt.",
            valueName: "name"))
    var user: String?

    @OptionGroup var password: PasswordOptions

    @Option(help: ArgumentHelp("The folder for the feeds.", valueName: "name"), completion: .ownFolders)
    var folder: String?

    @Option(
        help: ArgumentHelp("Tags for the feeds, separated by commas (repeatable).", valueName: "tag"),
        completion: .ownTags)
    var tag: [String] = []

    @Option(help: ArgumentHelp("The name of the feed, if you add only one.", valueName: "name"))
    var title: String?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        for line in header {
            guard line.contains(":"), !line.utf8.contains(where: { $0 < 0x20 }) else {
                throw ValidationError("--header needs the form 'Name: value'.")
            }
        }
        if title != nil, urls.count > 1 { throw ValidationError("--title can be used with one feed only.") }
    }

    /// Returns the typed credentials.
    private func secret() throws -> Secret {
        var secret = Secret(headers: header)
        guard let user else { return secret }
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        secret.user = parts[0]
        secret.password = parts.count > 1 ? .kept(parts[1]) : try password.source(of: parts[0])
        return secret
    }

    func run() throws {
        let library = try options.openLibrary(bringsFeeds: true)
        let secret = try secret()
        var addresses: [String] = []
        var new: [FeedID: FirstAnswer?] = [:]
        for text in urls {
            if ProgramFeed.isOne(text) {
                guard ProgramFeed(text) != nil else {
                    throw fail("'\(text)' lacks a program or an address", ExitStatus.noInput)
                }
                if let id = try add(text, secret, from: text, to: library) { new[id] = .some(nil) }
                continue
            }
            switch FeedAddress.read(text) {
            case .success(let address): addresses.append(address)
            case .failure(let problem): throw fail(problem.description, ExitStatus.noInput)
            }
        }
        let found =
            asIs
            ? addresses.map { Found(address: $0, result: .success(.feed(url: $0, title: nil, nil))) }
            : try look(addresses, headers(of: secret, in: library))
        var refusals = 0
        for item in found { refusals += try take(item, secret, in: library, &new) ? 0 : 1 }
        try fetch(asIs ? new : new.filter { $0.value != nil }, in: library)
        if refusals > 0 { throw ExitStatus.badData }
    }

    /// Stores what was read of new feeds, and fetches the others for the first time. Errors are printed and shown with
    /// the feed.
    private func fetch(_ feeds: [FeedID: FirstAnswer?], in library: Library) throws {
        guard !feeds.isEmpty else { return }
        let rows = try library.feeds.all().filter { feeds[$0.id] != nil }
        let answers = feeds.compactMapValues { $0 }
        try runBlocking {
            try await ReloadService(library: library).reload(rows, reason: .insisting, answers: answers) {
                outcome in
                if case .failed(let reason) = outcome.result, answers[outcome.subscription.id] == nil {
                    printError("tappa: can't read \(outcome.subscription.url) now: \(reason)")
                }
            }
        }
    }

    private func kept(_ secret: Secret, in library: Library) throws -> String {
        do { return try library.secrets.keep(secret) } catch { throw fail("\(error)", ExitStatus.inputOutput) }
    }

    /// Returns the header lines for looking at an address. If a password is unavailable, the address is requested
    /// without it.
    private func headers(of secret: Secret, in library: Library) -> @Sendable (String) -> [String] {
        guard !secret.isEmpty else { return { _ in [] } }
        return { address in (try? library.secrets.lines(of: secret, for: address)) ?? [] }
    }

    private struct Found: Sendable {
        var address: String
        var result: Result<DiscoveredFeeds, FeedDiscovery.Failure>
    }

    /// Looks at all addresses, several at once.
    private func look(_ addresses: [String], _ headers: @escaping @Sendable (String) -> [String]) throws -> [Found] {
        return try runBlocking {
            let discovery = FeedDiscovery()
            return await withTaskGroup(of: (Int, Found).self) { group in
                var found: [Int: Found] = [:]
                for (index, address) in addresses.enumerated() {
                    if index >= 16, let (place, result) = await group.next() { found[place] = result }
                    if addresses.count > 1, FeedDiscovery.isPlain(address) {
                        // Otherwise every feed in a long list would be fetched twice.
                        found[index] = Found(address: address, result: .success(.feed(url: address, title: nil, nil)))
                        continue
                    }
                    group.addTask { (index, await AddCommand.look(at: address, headers(address), discovery)) }
                }
                for await (place, result) in group { found[place] = result }
                return addresses.indices.compactMap { found[$0] }
            }
        }
    }

    private static func look(at address: String, _ headers: [String], _ discovery: FeedDiscovery) async -> Found {
        do throws(FeedDiscovery.Failure) {
            // Credentials in an address become a header line, so that no address found from it contains them.
            let typed = TypedAddress(address, headers: headers)
            return Found(
                address: address,
                result: .success(try await discovery.look(at: typed.address, headers: typed.headers)))
        } catch {
            return Found(address: address, result: .failure(error))
        }
    }

    /// Follows what was found.
    ///
    /// - Returns: Whether there was anything to follow.
    private func take(
        _ found: Found, _ secret: Secret, in library: Library, _ new: inout [FeedID: FirstAnswer?]
    ) throws -> Bool {
        func add(_ url: String, _ answer: FirstAnswer?, note: String = "") throws {
            guard let id = try self.add(url, secret, from: found.address, to: library, note: note) else { return }
            new[id] = .some(answer)
        }
        switch found.result {
        case .success(.feed(let url, _, let answer)): try add(url, answer.map { .success($0) })
        case .success(.page(let links)):
            let chosen = choose(links, from: found.address)
            for link in chosen { try add(link.url, nil) }
            return !chosen.isEmpty
        case .failure(.noFeed):
            printError("\(UserInfo.split(found.address).address): \(FeedDiscovery.Failure.noFeed)")
            return false
        case .failure(let failure):
            // The server may be available later, and the error is shown with the feed.
            try add(found.address, failure.answer, note: " (can't be read now: \(failure))")
        }
        return true
    }

    private func choose(_ links: [FeedLink], from address: String) -> [FeedLink] {
        if all || links.count == 1 { return links }
        let address = UserInfo.split(address).address
        let list = links.enumerated().map { "  \($0 + 1)  \($1.url)" + ($1.title.map { "  \($0)" } ?? "") }
        guard isInteractive else {
            printError("\(address) names \(links.count.counted("feed")); add one of them, or all with --all:")
            for line in list { printError(line) }
            return []
        }
        printLine("\(address) names \(links.count.counted("feed")):")
        for line in list { printLine(line) }
        printLine("Numbers of the feeds to add, separated by spaces (empty for none):")
        let numbers = (FileReading.typedLine() ?? "").split(separator: " ").compactMap { Int($0) }
        return numbers.filter { links.indices.contains($0 - 1) }.map { links[$0 - 1] }
    }

    /// Follows a feed, or changes the request of a feed that is already followed.
    ///
    /// - Parameter source: The typed address. Only its origin receives the typed header lines.
    /// - Returns: The feed's identifier if it is new.
    private func add(
        _ address: String, _ secret: Secret, from source: String, to library: Library, note: String = ""
    ) throws -> FeedID? {
        let isProgram = ProgramFeed.isOne(source)
        let typed = TypedAddress(source)
        let address = isProgram ? source : UserInfo.split(address).address
        var own = secret
        if !isProgram { own.headers += typed.headers }
        let isTrusted = isProgram || typed.trusts(address)
        // Each feed has its own reference, so that its credentials can be changed alone.
        let lines = try isTrusted && !own.isEmpty ? [kept(own, in: library)] : []
        if !isTrusted, !own.isEmpty {
            printError("tappa: \(address) is on another server and gets neither the user name nor the header lines")
        }
        var new = isProgram ? NewSubscription(url: address) : NewSubscription(found: address, from: typed)
        (new.customTitle, new.folder, new.tags, new.headers) = (name(title), name(folder), tags, lines)
        // Only what the user typed allows a program, even one that was disabled; addresses found on a page don't.
        if isProgram { new.runsProgram = true }
        let receipt = try library.carryOut(.subscribe([new], now: Instant.now))
        guard let (present, isNew) = receipt.subscriptions.first else { return nil }
        if isNew {
            printLine("added \(address)\(note)")
            return present
        }
        let changed = try change(present, headers: lines, in: library)
        printLine(
            changed.isEmpty
                ? "already followed: \(address)"
                : "already followed: \(address); changed \(changed.joined(separator: ", "))")
        return nil
    }

    /// Changes the request of a followed feed, and returns what has changed.
    private func change(_ feed: FeedID, headers: [String], in library: Library) throws -> [String] {
        var changed: [String] = []
        func carryOut(_ change: Change, _ name: String) throws {
            if try library.carryOut(change).count > 0 { changed.append(name) }
        }
        if !headers.isEmpty { try carryOut(.setHeaders(feed, headers), "its header lines") }
        if folder != nil { try carryOut(.move(feed, folder: name(folder)), "its folder") }
        if title != nil { try carryOut(.rename(feed, title: name(title)), "its name") }
        if !tags.isEmpty {
            let before = try library.feeds.health(of: feed)?.tags ?? []
            try carryOut(.tag(feed, before + tags.filter { !before.contains($0) }), "its tags")
        }
        return changed
    }

    /// The typed tags. OPML separates tags by commas, so none contains one.
    private var tags: [String] {
        let words = tag.flatMap { $0.split(separator: ",") }
        return words.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func name(_ typed: String?) -> String? { typed.flatMap { $0.isEmpty ? nil : $0 } }
}
