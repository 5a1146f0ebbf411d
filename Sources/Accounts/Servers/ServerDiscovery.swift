import Feeds
import Fetching
import Foundation
import WebAddresses

/// A server found at an address.
package struct DiscoveredServer: Hashable, Sendable {
    package var kind: ServerKind
    /// The base address of requests.
    package var base: String
    /// The token of its login.
    package var authorization: String?
}

/// Detects the API of a server by requests.
///
/// Most users know the address of the web page, so each API is also looked for at its usual place below an address. An
/// address of the API itself decides which one is used.
package enum ServerDiscovery {
    /// Tries an address, and below it the locations of all APIs, those that sync the most first.
    ///
    /// - Parameter isEnough: Whether an error ends the search.
    /// - Throws: The most informative ``ServerError``.
    package static func find(
        _ address: String, user: String, password: String, fetcher: Fetcher,
        isEnough: (ServerError) -> Bool = { _ in false }
    ) async throws(ServerError) -> DiscoveredServer {
        var problem = ServerError.noServer(address)
        for (kind, base) in places(address) {
            let access = ServerAccess(base: base, user: user, fetcher: fetcher, password: { password })
            do throws(ServerError) {
                if let found = try await kind.find(access, password) { return found }
            } catch {
                if rank(error) > rank(problem) { problem = error }
                if error.isOfConnection { break }
                if error == .cancelled || isEnough(error) { throw error }
            }
        }
        throw problem
    }

    /// Checks that a server answers at an address, before the user's name and password are known.
    package static func check(_ address: String, fetcher: Fetcher) async throws(ServerError) {
        func isServer(_ error: ServerError) -> Bool {
            switch error {
            case .passwordRefused, .switchedOff, .tooManyRequests: true
            default: false
            }
        }
        do throws(ServerError) {
            _ = try await find(address, user: "tappa", password: "", fetcher: fetcher, isEnough: isServer)
        } catch {
            if !isServer(error) { throw error }
        }
    }

    /// The places of the APIs below an address, in the order in which they are tried: those below the address itself,
    /// then those below the parents of a page that a browser shows, such as `/i/` of FreshRSS.
    static func places(_ address: String) -> [(kind: ServerKind, base: String)] {
        var base = String(address.prefix { $0 != "?" && $0 != "#" })
        for end in ["/accounts/ClientLogin", "/reader/api/0", "/v1"] {
            if let range = base.range(of: end) { base = String(base[..<range.lowerBound]) }
        }
        while base.hasSuffix("/") { base.removeLast() }
        var found = placesBelow(base)
        // The address of an API leaves no choice.
        guard found.count > 1, let page = WebAddress(base) else { return found }
        for _ in page.segments.filter({ !$0.isEmpty }).prefix(maximumParents) {
            guard let slash = base.lastIndex(of: "/") else { break }
            base = String(base[..<slash])
            for place in placesBelow(base) where !found.contains(where: { $0 == place }) { found.append(place) }
        }
        return found
    }

    /// The maximum number of parents of a page that are tried.
    private static let maximumParents = 4

    private static func placesBelow(_ address: String) -> [(kind: ServerKind, base: String)] {
        var base = address
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix("greader.php") { return [(.freshrss, base)] }
        if base.hasSuffix("fever.php") { return [(.fever, base)] }
        if base.hasSuffix("/fever") { return [(.fever, base + "/")] }
        if base.hasSuffix("/v2") { return [(.feedbin, base)] }
        if let app = base.range(of: "/apps/news") {
            base = String(base[..<app.lowerBound])
            if base.hasSuffix("/index.php") { base.removeLast(10) }
            return [(.nextcloud, base + NextcloudServer.path)]
        }
        if base == "https://feedbin.com" || base == "https://api.feedbin.com" {
            return [(.feedbin, "https://api.feedbin.com/v2")]
        }
        if base.hasSuffix("/api") {
            return [(.freshrss, base + "/greader.php"), (.ttrss, base + "/"), (.fever, base + "/fever.php")]
        }
        let own: [(ServerKind, String)] = [
            (.miniflux, ""), (.minifluxToken, ""), (.reader, ""), (.freshrss, "/api/greader.php"),
            (.freshrss, "/p/api/greader.php"), (.nextcloud, NextcloudServer.path), (.ttrss, "/api/"),
            (.ttrss, "/tt-rss/api/"), (.feedbin, "/v2"), (.fever, "/fever/"), (.fever, "/api/fever.php"),
            (.fever, "/p/api/fever.php"),
        ]
        return own.map { ($0.0, base + $0.1) }
    }

    private static func rank(_ error: ServerError) -> Int {
        switch error {
        case .passwordRefused: 5
        case .switchedOff: 4
        case .tooManyRequests: 3
        case .away, .plain: 2
        case .unreadable, .refused: 1
        default: 0
        }
    }
}

extension ServerKind {
    /// Looks for a server of this kind.
    ///
    /// - Returns: The server, or `nil` if there is certainly another one.
    fileprivate func find(_ access: ServerAccess, _ password: String) async throws(ServerError) -> DiscoveredServer? {
        let connection = access.connection
        switch self {
        case .miniflux, .minifluxToken:
            let isThere = try? await MinifluxServer.isMiniflux(
                connection, user: access.user, password: password, isToken: self == .minifluxToken)
            return isThere == true ? DiscoveredServer(kind: self, base: access.base) : nil
        case .freshrss, .reader:
            let value = try await GoogleReaderServer.login(connection, user: access.user, password: password)
            return DiscoveredServer(kind: self, base: access.base, authorization: value)
        case .ttrss:
            let session = try await TinyTinyServer.login(connection, user: access.user, password: password)
            return DiscoveredServer(kind: self, base: access.base, authorization: session)
        case .nextcloud: try await NextcloudServer.accepts(access)
        case .feedbin: try await FeedbinServer.accepts(access)
        case .fever: try await FeverServer.ask(connection, user: access.user, password: password)
        }
        return DiscoveredServer(kind: self, base: access.base)
    }
}
