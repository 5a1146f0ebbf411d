import Fetching

/// Fetches the full texts that a feed's user wants with each entry (an option of the feed), whoever reads the feed.
struct FullTextService: Sendable {
    private let library: Library
    private let pages: PageService
    /// Pages that are fetched with one reload of a feed: the rest with the next ones.
    private static let pagesAtOnce = 20

    init(library: Library, fetcher: Fetcher) {
        self.library = library
        pages = PageService(fetcher: fetcher)
    }

    /// Fetches what is missing, one after the other; what a page has none of is not asked for again, what could not be fetched is.
    ///
    /// - Parameter url: The feed's address: pages of its host may be of the user's own network.
    func fetch(of subscription: Int64, url: String, options: SubscriptionOptions) async {
        guard options.fullText else { return }
        let host = options.isFromOutside ? nil : PageService.host(url)
        let waiting =
            (try? library.entriesWithoutFullText(of: subscription, most: FullTextService.pagesAtOnce)) ?? []
        for entry in waiting where !Task.isCancelled {
            await fetch(entry.id, link: entry.link, ownHost: host)
        }
    }

    /// Fetches the full text of one entry.
    ///
    /// - Parameter ownHost: The host of its feed.
    func fetch(_ entry: Int64, link: String, ownHost: String?) async {
        guard let text = try? await pages.fullText(link, ownHost: ownHost) else { return }
        _ = try? await library.changes.perform(.storeFullText(text, of: entry))
    }

    /// The same for all feeds of an account.
    func fetch(ofAccount account: Int64) async {
        for feed in (try? library.subscriptions())?.filter({ $0.account == account }) ?? [] where !Task.isCancelled {
            guard let options = try? library.options(of: feed.id), options.fullText else { continue }
            await fetch(of: feed.id, url: feed.url, options: options)
        }
    }
}
