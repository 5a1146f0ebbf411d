import Fetching

/// A server that keeps feeds and marks for several programs.
package protocol FeedServer: Sendable {
    /// The feeds of its user, in one answer.
    func subscriptions() async throws(ServerError) -> [RemoteSubscription]

    /// How many entries are marked at once.
    func mostAtOnce(_ mark: RemoteMark) -> Int

    /// Gives entries a mark, or takes it. Sending it twice is harmless.
    func send(_ mark: RemoteMark, _ value: Bool, _ ids: [String]) async throws(ServerError)

    /// Changes the subscriptions.
    ///
    /// - Returns: The identity of a feed that is new there.
    func perform(_ operation: RemoteOperation) async throws(ServerError) -> String?
}

/// A server that tells which entries are unread or starred, and their contents when it is asked for them.
package protocol ListServer: FeedServer {
    /// A page of the identities of a list.
    ///
    /// - Parameter continuation: What the page before has given; `nil`: the first page.
    func ids(_ list: RemoteList, continuation: String?) async throws(ServerError) -> RemotePage

    /// The labels that entries can have: of one that is not there some servers list everything.
    func labels() async throws(ServerError) -> RemoteLabels

    /// The contents of entries; of those that it has no longer nothing comes.
    func entries(_ ids: [String]) async throws(ServerError) -> [RemoteEntry]
}

/// A server that tells what has changed since an instant: entries that are new, have another text, or were marked.
package protocol ChangeServer: FeedServer {
    /// A page of so many entries at most, with their contents and marks.
    func entries(_ query: ChangeQuery, limit: Int) async throws(ServerError) -> ChangePage
}

/// What a ``ChangeServer`` is asked for.
package enum ChangeQuery: Hashable, Sendable {
    /// All of a list, the newest first; those before an identity.
    case list(RemoteList, before: String?)
    /// What has changed since an instant of the server's clock, in seconds since 1970; what comes behind an identity.
    case changed(since: Int64, after: String?)
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
    /// What the next page is asked for with; `nil`: this was the last.
    package var last: String?
    /// When the last of them has changed, by the server's clock.
    package var newest: Int64?
    /// The server's clock.
    package var told: Int64?
}

/// A feed on a server; its texts are as long as those of any other feed at most.
package struct RemoteSubscription: Hashable, Sendable {
    /// The server's identity for it, such as `feed/66`.
    package let id: String
    package let title: String
    /// Its address, without a user's name and password.
    package let url: String
    package let homePage: String?
    package let folder: String?
    /// Further labels of it, with servers that give a feed several.
    package let labels: [String]

    /// Bytes of a title, a folder's or a label's name, and an address.
    private static let (mostTitle, mostName, mostAddress) = (4 << 10, 500, 4 << 10)
    private static let mostLabels = 20
    /// Feeds of a server that are believed.
    private static let most = 20_000

    package init(
        id: String, title: String, url: String, homePage: String? = nil, folder: String? = nil, labels: [String] = []
    ) {
        self.id = id
        self.title = title.limited(to: RemoteSubscription.mostTitle)
        self.url = UserInfo.split(url).address
        self.homePage = homePage.flatMap { $0.utf8.count <= RemoteSubscription.mostAddress ? $0 : nil }
        self.folder = folder.map { $0.limited(to: RemoteSubscription.mostName) }
        self.labels = labels.prefix(RemoteSubscription.mostLabels).map { $0.limited(to: RemoteSubscription.mostName) }
    }

    /// A server's list, as long as it can be believed.
    static func checked(_ list: [RemoteSubscription]) throws(ServerError) -> [RemoteSubscription] {
        guard list.count <= most else { throw .unreadable("implausible number of feeds: \(list.count)") }
        guard list.allSatisfy({ max($0.id.utf8.count, $0.url.utf8.count) <= mostAddress }) else {
            throw .unreadable("an address is too long")
        }
        return list
    }
}

extension String {
    /// As many of its first characters as so many bytes have room for.
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

/// Which entries a list of identities has.
package enum RemoteList: Hashable, Sendable {
    case unread
    case starred
    /// What is kept for reading later, by a label: with servers that have labels.
    case later
    /// What has a label of the user's.
    case label(String)

    /// Those that every server has.
    package static let everywhere = [RemoteList.unread, .starred]
}

/// The labels of a server.
package struct RemoteLabels: Hashable, Sendable {
    /// Whether there is one for reading later.
    package var hasLater = false
    /// The user's own whose lists can be asked for.
    package var names: [String] = []
    /// Those of which nothing can be learnt: a folder has the same name, or they are too many.
    package var unlisted: Set<String> = []
    /// Those that are asked for.
    package static let most = 100

    package init() {}
}

/// A page of a list.
package struct RemotePage: Hashable, Sendable {
    package var ids: [String]
    /// What the next page is asked for with; `nil`: this was the last.
    package var continuation: String?
}

/// A mark that servers keep.
package enum RemoteMark: Hashable, Sendable {
    case read
    case starred
    /// A label of this name, with servers that have labels.
    case later
    /// A label of the user's, with servers that have labels.
    case label(String)

    private static let labelPrefix = "label/"

    /// What it is called where marks are kept: `read`, `starred`, `later`, `label/NAME`.
    package var name: String {
        switch self {
        case .read: "read"
        case .starred: "starred"
        case .later: "later"
        case .label(let label): RemoteMark.labelPrefix + label
        }
    }

    package init?(name: String) {
        switch name {
        case "read": self = .read
        case "starred": self = .starred
        case "later": self = .later
        default:
            guard name.hasPrefix(RemoteMark.labelPrefix) else { return nil }
            self = .label(String(name.dropFirst(RemoteMark.labelPrefix.count)))
        }
    }

    /// Whether servers without labels do not know it.
    package var isLabel: Bool {
        switch self {
        case .read, .starred: false
        case .later, .label: true
        }
    }
}

/// An entry on a server.
package struct RemoteEntry: Hashable, Sendable {
    package var id: String
    /// The feed's identity on the server.
    package var subscription: String
    package var title: String?
    package var link: String?
    package var author: String?
    package var html: String?
    /// Seconds since 1970.
    package var published: Int64?
    package var updated: Int64?
    package var enclosures: [RemoteEnclosure] = []

    package init(id: String, subscription: String) {
        self.id = id
        self.subscription = subscription
    }
}

/// A file that comes with an entry.
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

/// Why a server did not do what it was asked for.
package enum ServerError: Error, Hashable, Sendable {
    case passwordRefused
    /// The API is there, but its user has not switched it on.
    case switchedOff
    /// What answers is another program: a web page, or nothing of what was asked for.
    case noAPI(String)
    /// It wants to be left alone, so many seconds if it says so.
    case tooManyRequests(seconds: Int?)
    /// It is not there now, or has a problem of its own.
    case away(String)
    /// It has understood, and refuses.
    case refused(String)
    /// An answer that is larger than what is read of one: less has to be asked for at once.
    case tooLarge
    /// An answer that cannot be used.
    case unreadable(String)
    /// The password cannot be had.
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
        case .tooManyRequests: "too many requests (429)"
        case .away(let reason): "server away: \(reason)"
        case .refused(let reason): "rejected by the server: \(reason)"
        case .tooLarge: "unusable answer: larger than 16 MiB"
        case .unreadable(let reason): "unusable answer: \(reason)"
        case .noPassword(let reason): reason
        case .cancelled: "stopped"
        }
    }

    /// Whether asking again by itself may help.
    package var mayPass: Bool {
        switch self {
        case .tooManyRequests, .away, .unreadable, .tooLarge, .cancelled: true
        case .passwordRefused, .switchedOff, .noAPI, .refused, .noPassword: false
        }
    }
}
