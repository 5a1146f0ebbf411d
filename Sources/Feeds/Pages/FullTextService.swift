import Fetching
import LibraryKernel

/// Fetches full texts for feeds with that option, both local feeds and those of accounts.
package struct FullTextService: Sendable {
    private let library: Library
    private let pages: PageService
    /// The maximum number of pages for one reload of a feed. Later reloads fetch the rest.
    private static let pagesAtOnce = 20

    private let clock: @Sendable () -> Instant

    package init(library: Library, fetcher: Fetcher, clock: @escaping @Sendable () -> Instant = { .now }) {
        self.library = library
        self.clock = clock
        pages = PageService(fetcher: fetcher)
    }

    /// The name under which the pauses of a page's host are stored.
    static func host(of link: String) -> String { TrustedHost.of(link)?.lowercased() ?? "" }

    /// Fetches missing full texts one after the other. Pages without a text are not requested again, and failed requests
    /// are repeated after a pause.
    ///
    /// - Parameter url: The feed's address. Pages on its host may be in a private network.
    func fetch(of subscription: FeedID, url: String, options: SubscriptionOptions) async {
        guard options.fullText else { return }
        let host = options.isFromOutside ? nil : TrustedHost.of(url)
        var left = FullTextService.pagesAtOnce
        while left > 0 {
            let waiting =
                (try? library.entries.withoutFullText(of: subscription, maximum: left, now: clock())) ?? []
            let before = left
            for entry in waiting where !Task.isCancelled {
                if await fetch(entry.id, link: entry.link, ownHost: host) { left -= 1 }
            }
            // Pages of other hosts replace those of a host that has asked to be left alone meanwhile.
            if Task.isCancelled || before - left == waiting.count || before == left { return }
        }
    }

    /// Fetches the full text of one entry, unless its host is left alone for now.
    ///
    /// - Parameter ownHost: The host of its feed.
    /// - Returns: Whether the page was requested.
    @discardableResult
    package func fetch(_ entry: EntryID, link: String, ownHost: String?) async -> Bool {
        let host = FullTextService.host(of: link)
        guard (try? library.entries.isPaused(host: host, now: clock())) == false else { return false }
        do throws(PageService.Failure) {
            let text = try await pages.fullText(link, ownHost: ownHost)
            _ = try? await library.changes.perform(StoreFullText(text, of: entry, host: host))
        } catch {
            guard !Task.isCancelled else { return true }
            _ = try? await library.changes.perform(
                NotePageFailure(entry: entry, host: host, scope: error.scope, now: clock()))
        }
        return true
    }

    /// Fetches missing full texts of all feeds of an account.
    package func fetch(ofAccount account: AccountID) async {
        for feed in (try? library.feeds.all())?.filter({ $0.account == account }) ?? [] where !Task.isCancelled {
            guard let options = try? library.feeds.options(of: feed.id), options.fullText else { continue }
            await fetch(of: feed.id, url: feed.url, options: options)
        }
    }
}
