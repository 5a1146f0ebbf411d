import Fetching
import Foundation

/// The API of a server.
package enum ServerKind: String, Hashable, Sendable {
    /// FreshRSS's Google Reader API.
    case freshrss
    /// Another server's Google Reader API.
    case reader
    /// Miniflux's own API with the user's password.
    case miniflux
    /// Miniflux's own API with an API token.
    case minifluxToken

    /// The name for display.
    package var name: String {
        switch self {
        case .freshrss: "FreshRSS"
        case .reader: "Google Reader API"
        case .miniflux, .minifluxToken: "Miniflux"
        }
    }
}

/// A server found at an address.
package struct DiscoveredServer: Hashable, Sendable {
    package var kind: ServerKind
    /// The base address of requests.
    package var base: String
    /// The token of its login.
    package var authorization: String?
}

/// Detects the API of a server by requests.
package enum ServerDiscovery {
    /// Tries an address, and below it the location of FreshRSS's API.
    ///
    /// - Throws: The most informative ``ServerError``.
    package static func find(
        _ address: String, user: String, password: String, fetcher: Fetcher
    ) async throws(ServerError) -> DiscoveredServer {
        var problem = ServerError.noAPI("no supported server at \(address)")
        if let base = bases(address).first, !base.hasSuffix("greader.php") {
            let connection = ServerConnection(base: base, fetcher: fetcher)
            for kind in [ServerKind.miniflux, .minifluxToken] {
                let isThere = try? await MinifluxServer.isMiniflux(
                    connection, user: user, password: password, isToken: kind == .minifluxToken)
                if isThere == true { return DiscoveredServer(kind: kind, base: base) }
            }
        }
        for base in bases(address) {
            do {
                let connection = ServerConnection(base: base, fetcher: fetcher)
                let value = try await GoogleReaderServer.login(connection, user: user, password: password)
                return DiscoveredServer(
                    kind: base.hasSuffix("greader.php") ? .freshrss : .reader, base: base, authorization: value)
            } catch {
                if rank(error) > rank(problem) { problem = error }
                if case .away = error { break }
                if error == .cancelled { throw error }
            }
        }
        throw problem
    }

    private static func bases(_ address: String) -> [String] {
        var base = address
        for end in ["/accounts/ClientLogin", "/reader/api/0", "/v1"] {
            if let range = base.range(of: end) { base = String(base[..<range.lowerBound]) }
        }
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix("greader.php") { return [base] }
        return [base, base + "/api/greader.php", base + "/p/api/greader.php"]
    }

    private static func rank(_ error: ServerError) -> Int {
        switch error {
        case .passwordRefused: 5
        case .switchedOff: 4
        case .tooManyRequests: 3
        case .away: 2
        case .unreadable, .refused: 1
        default: 0
        }
    }
}
