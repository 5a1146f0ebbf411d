import FeedParsing
import Fetching
import LibraryKernel
import WebAddresses

/// What was found at an address that the user entered.
package enum DiscoveredFeeds: Sendable {
    /// A feed, possibly at another address, with the response that contains it. `nil` if it wasn't fetched.
    case feed(url: String, title: String?, FetchResponse?)
    /// A page with links to feeds.
    case page([FeedLink])
}

extension NewSubscription {
    /// Creates the result for a feed found at an address that the user typed.
    ///
    /// Only the host that the user entered may be private.
    package init(found url: String, from typed: TypedAddress) {
        self.init(url: url)
        guard !typed.isOnSameHost(url) else { return }
        var options = SubscriptionOptions()
        options.isFromOutside = true
        self.options = options
    }
}

/// What looking for a feed at its address has brought.
package typealias FirstAnswer = Result<FetchResponse, FeedDiscovery.Failure>

extension FeedDiscovery.Failure {
    /// The answer for the feed at the address, which can be followed nevertheless.
    package var answer: FirstAnswer {
        if case .unreachable(_, let response?) = self { .success(response) } else { .failure(self) }
    }
}

/// Finds the feeds at an address: the document itself, feeds that a page links to, and common locations.
package struct FeedDiscovery: Sendable {
    /// The reason why no feed was found.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// The address could not be fetched, for this reason. If the server has answered, its response may ask to wait.
        case unreachable(String, FetchResponse? = nil)
        /// The host doesn't exist.
        case unknownHost(String)
        /// The page links to no feed, and there is none at the common locations.
        case noFeed

        package var description: String {
            switch self {
            case .unreachable(let reason, _), .unknownHost(let reason): reason
            case .noFeed: "no feed at this address, and the page links to none"
            }
        }
    }

    private let fetcher: Fetcher

    package init(fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// Looks for feeds at an address. An `http:` address is tried with `https:` first.
    ///
    /// - Parameter headers: Additional header lines that the user entered.
    package func look(at address: String, headers: [String] = []) async throws(Failure) -> DiscoveredFeeds {
        try await look(at: address, typed: address, headers: headers)
    }

    /// - Parameter typed: The address that the user entered. Only its host may be private, and only its origin receives
    ///   the header lines.
    private func look(at address: String, typed: String, headers: [String]) async throws(Failure) -> DiscoveredFeeds {
        let origin = Origin(typed)
        func request(_ url: String) -> FetchRequest {
            FetchRequest(
                url: url, allowsPrivateHost: TypedAddress(typed).isOnSameHost(url),
                headers: origin?.trusts(url) == true ? headers : [])
        }
        var answer: FetchResponse?, refusal: FetchResponse?
        var reason = ""
        var isUnknown = false
        for url in FeedDiscovery.candidates(address) {
            do {
                let response = try await fetcher.fetch(request(url))
                guard (200..<300).contains(response.status) else {
                    (reason, refusal) = (Refusal.sentence(for: response), response)
                    continue
                }
                answer = response
                break
            } catch {
                reason = error.description
                if case .noSuchHost = error { isUnknown = true }
            }
        }
        guard let answer else { throw isUnknown ? .unknownHost(reason) : .unreachable(reason, refusal) }
        let type = answer.headers["content-type"]
        do throws(FeedError) {
            let reading = try FeedParser.parse(answer.body, contentType: type, base: answer.effectiveURL)
            return .feed(url: answer.permanentURL ?? requested(answer, address), title: reading.feed.title, answer)
        } catch {
            // It is a feed, but can't be read now.
            if error == .incomplete || error == .empty { throw .unreachable(error.description) }
            if let reason = Refusal.guardian(of: answer) { throw .unreachable(reason) }
        }
        let announced = FeedLinks.find(inHeader: answer.headers["link"], base: answer.effectiveURL)
        let links = announced + FeedLinks.find(in: answer.body, contentType: type, base: answer.effectiveURL)
        if !links.isEmpty { return .page(links) }
        if address == typed,
            let next = FeedLinks.refresh(in: answer.body, contentType: type, base: answer.effectiveURL),
            next != address,
            let found = try? await look(at: next, typed: typed, headers: headers)
        {
            return found
        }
        for url in FeedLinks.commonAddresses(for: answer.effectiveURL) {
            // After a redirect the page may be on another host than the address.
            guard let response = try? await fetcher.fetch(request(url)),
                (200..<300).contains(response.status),
                let reading = try? FeedParser.parse(
                    response.body, contentType: response.headers["content-type"], base: url)
            else { continue }
            return .feed(url: url, title: reading.feed.title, response)
        }
        throw .noFeed
    }

    /// Whether an address in a long list can be followed without a request, because it looks like a feed and has no
    /// secure variant.
    package static func isPlain(_ address: String) -> Bool {
        FeedLinks.looksLikeFeed(address) && candidates(address).count == 1
    }

    /// Returns the addresses to try: https before http on the default ports.
    static func candidates(_ address: String) -> [String] {
        guard let written = WrittenAddress(address), written.scheme.lowercased() == "http" else { return [address] }
        // On any other port the scheme is known.
        return written.authority.contains(":") ? [address] : ["https://" + written.authority + written.rest, address]
    }

    /// Returns the address that answered, before temporary redirects.
    private func requested(_ answer: FetchResponse, _ address: String) -> String {
        let secure = FeedDiscovery.candidates(address)[0]
        return WebAddress.scheme(of: answer.effectiveURL) == "https" ? secure : address
    }
}
