/// The API of a server.
package enum ServerKind: String, Hashable, Sendable, CaseIterable {
    /// FreshRSS's Google Reader API.
    case freshrss
    /// Another server's Google Reader API.
    case reader
    /// Miniflux's own API with the user's password.
    case miniflux
    /// Miniflux's own API with an API token.
    case minifluxToken
    /// Nextcloud's News app.
    case nextcloud
    /// Tiny Tiny RSS's JSON API.
    case ttrss
    case feedbin
    /// The Fever API of any server.
    case fever

    /// The name for display.
    package var name: String {
        switch self {
        case .freshrss: "FreshRSS"
        case .reader: "Google Reader API"
        case .miniflux, .minifluxToken: "Miniflux"
        case .nextcloud: "Nextcloud News"
        case .ttrss: "Tiny Tiny RSS"
        case .feedbin: "Feedbin"
        case .fever: "Fever API"
        }
    }

    /// Whether entries can have labels, which are tags here.
    package var hasLabels: Bool {
        switch self {
        case .freshrss, .ttrss: true
        case .reader, .miniflux, .minifluxToken, .nextcloud, .feedbin, .fever: false
        }
    }

    /// The kinds of servers whose entries can have labels, as a list for SQL.
    package static let labelled = allCases.filter(\.hasLabels).map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Whether feeds can be added and removed.
    package var addsFeeds: Bool { self != .fever }

    /// Whether feeds can be renamed and moved between folders.
    package var organisesFeeds: Bool {
        switch self {
        case .freshrss, .reader, .miniflux, .minifluxToken, .nextcloud, .feedbin: true
        case .ttrss, .fever: false
        }
    }
}
