import Fetching
import LibraryKernel

/// Fetches full texts for feeds with that option, both local feeds and those of accounts.
package struct FullTextService: Sendable {
    private let library: Library
    private let pages: PageService
    /// The maximum number of pages for one reload of a feed. Later reloads fetch the rest.
    private static let pagesAtOnce = 20

    package init(library: Library, fetcher: Fetcher) {
        self.library = library
        pages = PageService(fetcher: fetcher)
    }

    /// Fetches missing full texts one after the other. Pages without a text are not requested again; failed requests
    /// are.
    ///
    /// - Parameter url: The feed's address. Pages on its host may be in a private network.
    func fetch(of subscription: FeedID, url: String, options: SubscriptionOptions) async {
        guard options.fullText else { return }
        let host = options.isFromOutside ? nil : TrustedHost.of(url)
        let waiting =
            (try? library.entries.withoutFullText(of: subscription, most: FullTextService.pagesAtOnce)) ?? []
        for entry in waiting where !Task.isCancelled {
            await fetch(entry.id, link: entry.link, ownHost: host)
        }
    }

    /// Fetches the full text of one entry.
    ///
    /// - Parameter ownHost: The host of its feed.
    package func fetch(_ entry: EntryID, link: String, ownHost: String?) async {
        guard let text = try? await pages.fullText(link, ownHost: ownHost) else { return }
        _ = try? await library.changes.perform(StoreFullText(text, of: entry))
    }

    /// Fetches missing full texts of all feeds of an account.
    package func fetch(ofAccount account: AccountID) async {
        for feed in (try? library.feeds.all())?.filter({ $0.account == account }) ?? [] where !Task.isCancelled {
            guard let options = try? library.feeds.options(of: feed.id), options.fullText else { continue }
            await fetch(of: feed.id, url: feed.url, options: options)
        }
    }
}
