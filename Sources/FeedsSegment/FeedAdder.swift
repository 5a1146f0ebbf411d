import Accounts
import DashboardFrame
import Feeds
import ModelCore
import TerminalUI
import WebAddresses

/// Asks for the address of a feed or site, looks for feeds there while the prompt is open, and follows one.
@MainActor
final class FeedAdder {
    private let access: LibraryAccess
    private let discovery: FeedDiscovery
    private weak var presenter: ViewController?
    /// Receives the feeds, and what looking for a single one has brought.
    typealias DidAdd = (_ feeds: [(id: FeedID, isNew: Bool)], _ answer: FirstAnswer?) -> Void
    private let didAdd: DidAdd

    /// - Parameters:
    ///   - presenter: The view controller that presents prompts.
    ///   - didAdd: Called with the feeds.
    init(services: FeedServices, presenter: ViewController, didAdd: @escaping DidAdd) {
        access = services.access
        discovery = services.discovery
        self.presenter = presenter
        self.didAdd = didAdd
    }

    /// Asks for an address.
    ///
    /// - Parameters:
    ///   - account: The account that follows the feed, or `nil` for a local feed.
    ///   - text: An address to begin with.
    func ask(for account: Account?, text: String = "") {
        ask(account.map { DisplayText("Add a feed to \($0.name)") } ?? "Add feed", text, hasSeveral: true) {
            [self] urls, typed, answer in add(urls, from: typed, for: account, answer)
        }
    }

    /// Asks for another address of a feed. The same search finds it on a page.
    ///
    /// - Parameter move: Receives the address and the header lines that belong to it.
    func ask(insteadOf feed: SubscriptionRow, move: @escaping (_ address: String, _ headers: [String]) -> Void) {
        ask(DisplayText("Address of \(feed.title)"), feed.url, hasSeveral: false) { [self] urls, typed, _ in
            if let url = urls.first, let headers = keep(typed.headers(for: url)) { move(url, headers) }
        }
    }

    private typealias Use = (_ urls: [String], _ typed: TypedAddress, _ answer: FirstAnswer?) -> Void

    private func ask(_ title: DisplayText, _ text: String, hasSeveral: Bool, _ use: @escaping Use) {
        let search = FeedSearch(discovery)
        presenter?.present(
            TextPromptViewController(
                title: title, message: "The address of a feed or web site, or the path of a file", text: text,
                placeholder: "https://",
                validate: { text in
                    guard case .failure(let problem) = FeedAddress.read(text) else { return nil }
                    return DisplayText(problem.description)
                }, check: { await search.problem(with: $0) }
            ) { [self] _ in
                guard let typed = search.typed else { return }
                if let found = search.found {
                    take(found, from: typed, hasSeveral: hasSeveral, use)
                } else {
                    use([typed.address], typed, search.failure?.answer)
                }
            })
    }

    /// Finds the feeds at an address while its prompt is open.
    @MainActor
    private final class FeedSearch {
        private let discovery: FeedDiscovery
        private(set) var typed: TypedAddress?
        /// The result, or `nil` if the server doesn't answer. Such a feed can be followed; its row will show the error.
        private(set) var found: DiscoveredFeeds?
        private(set) var failure: FeedDiscovery.Failure?
        /// The address whose failure the prompt has shown. Submitted again, it is followed nevertheless.
        private var shownFailure: String?
        /// A text without a scheme whose host answers only without encryption. Submitted again, it is followed so.
        private var plainText: String?

        init(_ discovery: FeedDiscovery) { self.discovery = discovery }

        /// Returns the error in an address if the user can fix it.
        func problem(with text: String) async -> DisplayText? {
            guard case .success(let url) = FeedAddress.read(text) else { return nil }
            if text == plainText { return nil }
            plainText = nil
            let typed = TypedAddress(url)
            (self.typed, found, failure) = (typed, nil, nil)
            do throws(FeedDiscovery.Failure) {
                let found = try await discovery.look(at: typed.address, headers: typed.headers)
                if self.typed?.address == typed.address { self.found = found }
                return nil
            } catch {
                if case .unreachable = error {
                    if self.typed?.address == typed.address { failure = error }
                    if let problem = await findPlain(text, typed) { return problem }
                    defer { shownFailure = text }
                    return text == shownFailure ? nil : DisplayText("\(error.description). Enter uses it anyway.")
                }
                return DisplayText(error.description)
            }
        }

        /// Looks for feeds without encryption if the address was typed without a scheme.
        ///
        /// - Returns: What the next Enter does, or `nil` if there are none.
        private func findPlain(_ text: String, _ typed: TypedAddress) async -> DisplayText? {
            let scheme = "https://"
            guard typed.address.hasPrefix(scheme), !text.contains("//") else { return nil }
            let plain = TypedAddress("http://" + typed.address.dropFirst(scheme.count))
            guard typed.headers.isEmpty, let url = WebAddress(plain.address),
                let found = try? await discovery.look(at: plain.address), self.typed?.address == typed.address
            else { return nil }
            (self.typed, self.found, failure, plainText) = (plain, found, nil, text)
            return DisplayText("\(url.authority) does not speak https. Enter uses http, without encryption.")
        }
    }

    private func take(_ found: DiscoveredFeeds, from typed: TypedAddress, hasSeveral: Bool, _ use: @escaping Use) {
        switch found {
        case .feed(let url, _, let answer): use([url], typed, answer.map { .success($0) })
        case .page(let links) where links.count == 1: use([links[0].url], typed, nil)
        case .page(let links):
            let choices = links.map { link in
                Choice(DisplayText(link.title ?? link.url)) { use([link.url], typed, nil) }
            }
            let palette = CommandPaletteViewController(
                title: hasSeveral ? "Which feeds?" : "Which feed?", choices: choices, hasField: true,
                placeholder: DisplayText("This page has \(links.count.inWords) feeds"))
            if hasSeveral { palette.chooseSeveral = { use($0.map { links[$0].url }, typed, nil) } }
            presenter?.present(palette)
        }
    }

    /// Stores header lines as secrets, and returns what the library contains of them, or `nil` if they can't be stored.
    private func keep(_ lines: [String]) -> [String]? {
        guard !lines.isEmpty else { return [] }
        do {
            return [try access.library.secrets.keep(Secret(headers: lines))]
        } catch {
            access.status.show(failure: error.description)
            return nil
        }
    }

    private func add(_ urls: [String], from typed: TypedAddress, for account: Account?, _ answer: FirstAnswer?) {
        var all: [NewSubscription] = []
        for url in urls {
            var new = NewSubscription(found: url, from: typed)
            new.account = account?.id
            if new.account == nil {
                guard let headers = keep(typed.headers(for: url)) else { return }
                new.headers = headers
            }
            all.append(new)
        }
        let message: DisplayText = urls.count == 1 ? "Feed added." : DisplayText("\(urls.count) feeds added.")
        access.changes.submit(.subscribe(all, now: access.clock()), message: message) { [didAdd] receipt in
            didAdd(receipt.subscriptions, answer)
        }
    }
}

extension Int {
    /// The number as a word up to twelve.
    fileprivate var inWords: String {
        let words = [
            "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ]
        return words.indices.contains(self) ? words[self] : String(self)
    }
}
