import Feeds
import Fetching
import Platform
import WebAddresses

/// A server that stores feeds and marks for several programs.
package protocol FeedServer: Sendable {
    /// Returns all feeds of the user.
    func subscriptions() async throws(ServerError) -> [RemoteSubscription]

    /// Returns the maximum number of entries in one request for a mark.
    func maximumAtOnce(_ mark: RemoteMark) -> Int

    /// Sets or removes a mark of entries. Repeating the request is harmless.
    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError)

    /// Changes the subscriptions.
    ///
    /// - Returns: The identifier that the server assigned to a new feed, or `nil` if it assigned none.
    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String?
}

/// A server that lists unread and starred entries, and returns contents on request.
package protocol ListServer: FeedServer {
    /// Returns a page of the identifiers in a list.
    ///
    /// - Parameter continuation: The value from the previous page, or `nil` for the first.
    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage

    /// Returns the labels for entries. They must be known, since some servers list everything for an unknown label.
    func labels() async throws(ServerError) -> RemoteLabels

    /// Returns the contents of entries, omitting those that no longer exist.
    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry]
}

/// A server that reports changes since an instant: entries that are new, edited or marked.
package protocol ChangeServer: FeedServer {
    /// Returns a page of entries with contents and marks.
    func entries(_ query: ChangeQuery, limit: Int) async throws(ServerError) -> ChangePage

    /// Whether changes come in pages of the requested number. Otherwise too many changes can't be requested at all.
    var pagesChanges: Bool { get }
}

/// A query for a ``ChangeServer``.
package enum ChangeQuery: Hashable, Sendable {
    /// All entries of a list, newest first, before an identifier if given.
    case list(RemoteList, before: String?)
    /// The changes since an instant of the server's clock, after an identifier if given.
    case changed(since: Instant, after: String?)
}

/// An entry with its marks.
package struct ChangedEntry: Hashable, Sendable {
    package var entry: RemoteEntry
    package var isUnread: Bool
    package var isStarred: Bool
}

/// A page of entries.
package struct ChangePage: Hashable, Sendable {
    package var entries: [ChangedEntry]
    /// The identifier for the next page, or `nil` if this is the last.
    package var last: String?
    /// The instant of the last change, on the server's clock.
    package var newest: Instant?
    /// The current time of the server.
    package var told: Instant?
}

/// A feed on a server. Its texts have the same limits as those of other feeds.
package struct RemoteSubscription: Hashable, Sendable {
    /// The server's identifier, such as `feed/66`.
    package let id: String
    package let title: String
    /// The address without user name and password.
    package let url: String
    package let homePage: String?
    package let folder: String?
    /// Additional labels, on servers that support several for each feed.
    package let labels: [String]

    /// The maximum lengths of titles, of names of folders and labels, and of addresses, in bytes.
    private static let (maximumTitle, maximumName, maximumAddress) = (4 << 10, 500, 4 << 10)
    private static let maximumLabels = 20
    /// The maximum number of feeds accepted from a server.
    private static let maximum = 20_000

    init(
        id: String, title: String, url: String, homePage: String? = nil, folder: String? = nil, labels: [String] = []
    ) {
        self.id = id
        func decoded(_ text: String) -> String { RemoteSubscription.decoded(text) }
        self.title = decoded(title).limited(to: RemoteSubscription.maximumTitle)
        self.url = UserInfo.split(decoded(url)).address
        self.homePage = homePage.map(decoded).flatMap { $0.utf8.count <= RemoteSubscription.maximumAddress ? $0 : nil }
        self.folder = folder.map { decoded($0).limited(to: RemoteSubscription.maximumName) }
        self.labels = labels.prefix(RemoteSubscription.maximumLabels).map {
            decoded($0).limited(to: RemoteSubscription.maximumName)
        }
    }

    /// Returns a text without the five references with which servers escape it as HTML, decoded once.
    private static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let references = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&#39;", "'"), ("&apos;", "'"),
            ("&amp;", "&"),
        ]
        // The ampersands last, so that nothing is decoded twice.
        return references.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Returns a server's list if its length is plausible.
    static func checked(_ list: [RemoteSubscription]) throws(ServerError) -> [RemoteSubscription] {
        guard list.count <= maximum else { throw .unreadable("implausible number of feeds: \(list.count)") }
        guard list.allSatisfy({ max($0.id.utf8.count, $0.url.utf8.count) <= maximumAddress }) else {
            throw .unreadable("an address is too long")
        }
        return list
    }
}

extension String {
    /// Returns the longest beginning within a number of bytes.
    fileprivate func limited(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var room = bytes
        return String(
            prefix { character in
                room -= character.utf8.count
                return room >= 0
            })
    }
}

/// A list of entries on a server.
package enum RemoteList: Hashable, Sendable {
    case unread
    case starred
    /// Entries saved for reading later, as a label on servers that support labels.
    case later
    /// Entries with a label of the user.
    case label(String)

    /// The lists that every server has.
    package static let everywhere = [RemoteList.unread, .starred]
}

/// The labels of a server.
package struct RemoteLabels: Hashable, Sendable {
    /// Whether there is a label for reading later.
    package var hasLater = false
    /// The user's labels whose lists can be requested.
    package var names: [String] = []
    /// The labels that can't be listed, because a folder has the same name or there are too many.
    package var unlisted: Set<String> = []
    /// Whether an entry can receive a label that doesn't exist yet.
    package var createsMissing = true
    /// The maximum number of labels to request.
    static let maximum = 100
    /// The maximum length of a name in bytes.
    private static let longestName = 256

    init() {}

    /// Creates the labels that can be listed from a server's names.
    ///
    /// - Parameter folders: Names that mean a folder.
    init(_ all: [String], besides folders: Set<String> = []) {
        hasLater = all.contains(RemoteMark.later.name)
        let own = all.filter { name in
            name != RemoteMark.later.name && (1...RemoteLabels.longestName).contains(name.utf8.count)
                && RemoteLabels.isText(name)
        }
        unlisted = folders
        names = Set(own).subtracting(folders).sorted()
        unlisted.formUnion(names.dropFirst(RemoteLabels.maximum))
        names = Array(names.prefix(RemoteLabels.maximum))
    }

    /// Whether a name contains visible characters.
    private static func isText(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { ![.control, .format, .surrogate].contains($0.properties.generalCategory) }
    }
}

/// A page of a list.
package struct RemotePage: Hashable, Sendable {
    package var ids: [String]
    /// The value for the next page, or `nil` if this is the last.
    package var continuation: String?
}

/// An entry on a server.
package struct RemoteEntry: Hashable, Sendable {
    package var id: String
    /// The server's identifier of the feed.
    package var subscription: String
    package var title: String?
    package var link: String?
    package var author: String?
    package var html: String?
    /// The publish date.
    package var published: Instant?
    package var updated: Instant?
    package var enclosures: [RemoteEnclosure] = []
}

/// An enclosure of an entry.
package struct RemoteEnclosure: Hashable, Sendable {
    package var url: String
    package var type: String?
    package var size: Int64?
}

/// A change of the subscriptions.
package enum RemoteOperation: Hashable, Sendable {
    case subscribe(url: String)
    case unsubscribe(id: String)
    case rename(id: String, title: String)
    case move(id: String, folder: String?, from: String?)
}

/// The reason why a server did not perform a request.
package enum ServerError: Error, Hashable, Sendable {
    case passwordRefused
    /// The API exists, but the user has not enabled it.
    case switchedOff
    /// The response comes from something else, such as a web page.
    case noAPI(String)
    /// No supported server answers at an address.
    case noServer(String)
    /// The host answers, but not with an encrypted connection.
    case plain(host: String)
    /// The server limits requests, with the seconds to wait if it reports them.
    case tooManyRequests(seconds: Int?)
    /// The server is unavailable or has an internal error.
    case away(String)
    /// The server understood the request and rejected it.
    case refused(String)
    /// The response is too large, so fewer items must be requested at once.
    case tooLarge
    /// The response can't be parsed.
    case unreadable(String)
    /// The password is unavailable.
    case noPassword(String)
    case cancelled
}

extension ServerError: CustomStringConvertible {
    /// The reason in one sentence, without a full stop.
    package var description: String {
        switch self {
        case .passwordRefused:
            "password rejected (many servers need a separate API password, which you set in their settings)"
        case .switchedOff: "the server's API is turned off; turn it on in the server's settings"
        case .noAPI(let what): "no reader API here: \(what)"
        case .noServer(let address): ServerError.noServerSentence(address)
        case .plain(let host): "\(host) does not speak https; write http:// to use it without encryption"
        case .tooManyRequests(nil): "too many requests (429)"
        case .tooManyRequests: ServerError.waitSentence
        case .away(let reason): ServerError.awayPrefix + reason
        case .refused(let reason): "rejected by the server: \(reason)"
        case .tooLarge: "unusable answer: larger than 16 MiB"
        case .unreadable(let reason): "unusable answer: \(reason)"
        case .noPassword(let reason): reason
        case .cancelled: "stopped"
        }
    }

    /// Whether retrying later may help.
    package var mayPass: Bool {
        switch self {
        case .tooManyRequests, .away, .unreadable, .tooLarge, .cancelled: true
        case .passwordRefused, .switchedOff, .noAPI, .noServer, .plain, .refused, .noPassword: false
        }
    }

    /// Whether the server didn't answer, or not with encryption.
    package var isOfConnection: Bool {
        switch self {
        case .away, .plain: true
        default: false
        }
    }

    private static let awayPrefix = "server away: "

    /// The sentence for a server that has said how long to wait.
    static let waitSentence = "too many requests (429); the server asked to wait"

    /// Whether a sentence is that of a server that is away.
    package static func isAway(_ sentence: String) -> Bool { sentence.hasPrefix(awayPrefix) }

    /// The error of a server that has worked before: without an API it is busy or in maintenance.
    package var ofKnownServer: ServerError {
        switch self {
        case .switchedOff: .away(ServerError.busy)
        case .noAPI(let what) where !what.hasPrefix(ServerError.redirects): .away("\(ServerError.busy): \(what)")
        case .plain: .away("the encrypted connection was interrupted")
        default: self
        }
    }

    /// The state of a server that has no time for requests.
    static let busy = "busy or in maintenance"
    /// The beginning of the reason for a redirect.
    static let redirects = "the address redirects"

    private static func noServerSentence(_ address: String) -> String {
        let site = WebAddress(address).flatMap { parsed in
            parsed.path.count > 1 ? "\(parsed.scheme)://\(parsed.authority)" : nil
        }
        return "nothing at \(address) answers as a feed server" + (site.map { "; try \($0)" } ?? "")
    }
}
