import FeedParsing
import Fetching

/// What stands at an address that the user gave.
package enum DiscoveredFeeds: Sendable {
    /// The address is a feed's; it may be another than was given.
    case feed(url: String, title: String?)
    /// A page that names several feeds, or one.
    case page([FeedLink])
}

extension NewSubscription {
    /// A feed that was found at an address that the user typed.
    ///
    /// Only the host that the user named may be a private one.
    package init(found url: String, from typed: TypedAddress) {
        self.init(url: url)
        guard !typed.isOnSameHost(url) else { return }
        var options = SubscriptionOptions()
        options.isFromOutside = true
        self.options = options
    }
}

/// Finds the feed, or the feeds, of an address: the document itself, the feeds that a page names, the usual places.
package struct FeedDiscovery: Sendable {
    /// Why there is none.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// The address could not be fetched.
        case unreachable(String)
        /// Nobody knows its host.
        case unknownHost(String)
        /// It is a page that names no feed, and none is at the usual places.
        case noFeed

        package var description: String {
            switch self {
            case .unreachable(let reason), .unknownHost(let reason): reason
            case .noFeed: "no feed at this address, and the page links to none"
            }
        }
    }

    private let fetcher: Fetcher

    package init(fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// Looks at an address; one of http is tried as https first.
    ///
    /// - Parameter headers: Header lines of the user's own.
    package func look(at address: String, headers: [String] = []) async throws(Failure) -> DiscoveredFeeds {
        // They are the address's own: no other that is tried gets them.
        let origin = Origin(address)
        func lines(for url: String) -> [String] { origin?.trusts(url) == true ? headers : [] }
        var answer: FetchResponse?
        var reason = ""
        var isUnknown = false
        for url in FeedDiscovery.candidates(address) {
            do {
                let response = try await fetcher.fetch(
                    FetchRequest(url: url, allowsPrivateHost: true, headers: lines(for: url)))
                guard (200..<300).contains(response.status) else {
                    reason = "the server answered \(response.status)"
                    continue
                }
                answer = response
                break
            } catch {
                reason = error.description
                if case .noSuchHost = error { isUnknown = true }
            }
        }
        guard let answer else { throw isUnknown ? .unknownHost(reason) : .unreachable(reason) }
        let type = answer.headers["content-type"]
        if let reading = try? FeedParser.parse(answer.body, contentType: type, base: answer.effectiveURL) {
            return .feed(url: answer.permanentURL ?? requested(answer, address), title: reading.feed.title)
        }
        let links = FeedLinks.find(in: answer.body, contentType: type, base: answer.effectiveURL)
        if !links.isEmpty { return .page(links) }
        for url in FeedLinks.commonAddresses(for: answer.effectiveURL) {
            // The page may be on another host than the address: a redirect leads there.
            let request = FetchRequest(
                url: url, allowsPrivateHost: TypedAddress(address).isOnSameHost(url), headers: lines(for: url))
            guard let response = try? await fetcher.fetch(request),
                (200..<300).contains(response.status),
                let reading = try? FeedParser.parse(
                    response.body, contentType: response.headers["content-type"], base: url)
            else { continue }
            return .feed(url: url, title: reading.feed.title)
        }
        throw .noFeed
    }

    /// Whether an address need not be looked at when it comes with many others: it looks like a feed's, and there is nothing
    /// safer to try.
    package static func isPlain(_ address: String) -> Bool {
        FeedLinks.looksLikeFeed(address) && candidates(address).count == 1
    }

    /// Https before http on the usual ports: what can be had safely is.
    static func candidates(_ address: String) -> [String] {
        guard address.lowercased().hasPrefix("http://") else { return [address] }
        let rest = address.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // A port of one's own speaks one of the two.
        return authority.contains(":") ? [address] : ["https://" + rest, address]
    }

    /// The address that has answered, before redirects that hold for now only.
    private func requested(_ answer: FetchResponse, _ address: String) -> String {
        let secure = FeedDiscovery.candidates(address)[0]
        return answer.effectiveURL.lowercased().hasPrefix("https://") ? secure : address
    }
}
