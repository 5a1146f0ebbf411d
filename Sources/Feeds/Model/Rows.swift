import GRDB
import LibraryKernel

/// A subscription, as shown in lists.
package struct SubscriptionRow: Hashable, Sendable, Identifiable {
    package var id: FeedID
    package var url: String
    /// The name that the user chose, or otherwise the feed's own title.
    package var title: String
    package var folder: String?
    package var unread: Int
    package var total: Int
    /// The reason why the last fetch failed, in plain words.
    package var error: String?
    /// The date of the last fetch.
    package var lastFetched: Instant?
    package var homePage: String?
    /// The first problem of a feed that tappa could still parse, with its line if known.
    package var problem: String?

    /// Whether the feed list shows the feed only in the group of hidden feeds.
    package var isHidden = false

    /// Whether the feed's document or its server asks readers to follow another address.
    package var hasNewAddress = false

    /// Whether this is a real feed and not the collection of saved pages, which is never fetched.
    package var isFeed: Bool { url != SavedPage.subscription }

    /// Whether this is the bundled guide.
    package var isGuide: Bool { url.hasSuffix("/welcome.atom") }

    /// The account whose server follows the feed, or `nil` if tappa fetches it itself.
    package var account: AccountID?

    /// Whether tappa fetches the feed itself, rather than through a server.
    package var isReadHere: Bool { isFeed && account == nil }
}

/// An entry, as shown in lists.
package struct EntryRow: Hashable, Sendable, Identifiable {
    package var id: EntryID
    package var subscriptionID: FeedID
    package var title: String
    package var isRead: Bool
    package var isStarred: Bool
    /// The date by which lists are sorted: published, otherwise updated, otherwise first seen.
    package var sortDate: Instant
    /// Whether the feed provided a valid date.
    package var hasDate: Bool
    /// Whether the entry is marked "read later".
    package var isLater: Bool
    /// The number of feeds with an entry about the same page.
    package var sources: Int
    /// Whether the title was replaced because it would reveal a stage result.
    package var isSpoiler = false

    /// Accesses the value of a mark.
    package subscript(mark: EntryMark) -> Bool {
        get {
            switch mark {
            case .read: isRead
            case .starred: isStarred
            case .later: isLater
            }
        }
        set {
            switch mark {
            case .read: isRead = newValue
            case .starred: isStarred = newValue
            case .later: isLater = newValue
            }
        }
    }
}

/// The dates of an entry, for the popover that explains them.
package struct EntryDates: Hashable, Sendable {
    /// The publication date, if it could be parsed.
    package var published: Instant?
    /// The publication date as written in the feed.
    package var publishedText: String?
    package var updated: Instant?
    package var updatedText: String?
    package var firstSeen: Instant
    /// The publication date as written on the entry's page, once tappa has fetched the page.
    package var pageText: String?
    /// The text before the last change of its wording.
    package var previous: PreviousText?
}

/// An entry with everything that the detail view shows.
package struct EntryDetail: Hashable, Sendable, Identifiable {
    package var id: EntryID
    package var subscriptionID: FeedID
    package var feedTitle: String
    package var title: String
    package var link: String?
    package var author: String?
    package var html: String?
    package var text: String?
    package var isRead: Bool
    package var isStarred: Bool
    package var dates: EntryDates
    package var extras: EntryExtras
    /// The full text from the entry's page: `nil` if not fetched, empty if the page has none.
    package var fullHTML: String?
    /// The line that was read last, in the reader's encoding.
    package var place: String?
    /// The options of the entry's feed.
    package var options: SubscriptionOptions
    /// The playback positions of the entry's enclosures, by address.
    package var played: [String: PlayedEnclosure] = [:]
    /// The address of the feed.
    package var feedAddress: String?
    /// The folder of the feed.
    package var folder: String?
    /// The account of the feed.
    package var account: AccountID?
    /// The tags, sorted by name.
    package var tags: [String] = []
    /// Whether the content was replaced because it would reveal a stage result.
    package var isSpoiler = false
    /// Whether a part of the content can't be read and was left out.
    package var isDamaged = false

    /// The sentence for an entry of which a part can't be read, or `nil`.
    package var damage: String? {
        isDamaged
            ? "A part of this entry is damaged and can't be shown. Run 'tappa check', then 'tappa recover'." : nil
    }

    /// The address to which those in the text are relative: the entry's page or, without one, the feed.
    package var base: String? { link ?? feedAddress }

    /// The HTML to show: the full text of the page if the feed's options request it and it exists, otherwise the feed's
    /// HTML.
    package var ownHTML: String? {
        if options.fullText, let fullHTML, !fullHTML.isEmpty { return fullHTML }
        return html
    }

    /// The address to open in a browser: the entry's page or, without one, the best other address of the entry.
    package var address: String? { EntryLinks(link: link, extras: extras).address }
}

/// What an entry links to: enough to know which actions it allows.
package struct EntryLinks: Hashable, Sendable {
    var link: String?
    package var extras: EntryExtras

    /// The address to open in a browser: the entry's page or, without one, the best other address of the entry.
    package var address: String? { link ?? extras.external ?? extras.enclosures?.first?.url ?? extras.comments }
}

/// The set of entries that a list shows.
package enum EntryScope: Codable, Hashable, Sendable {
    /// The entries of a subscription.
    case subscription(FeedID)
    /// The entries of all subscriptions.
    case all
    /// All unread entries, and those read since an instant.
    ///
    /// Recently read entries remain, so that they don't disappear while the user is reading.
    case unread(keepingReadSince: Instant)
    /// All starred entries.
    case starred
    /// All entries marked "read later".
    case later
    /// All archived entries: those above a feed's daily limit, or archived by a rule.
    case archived
    /// All read entries, the one that was read last first.
    case recentlyRead
    /// The entries of the local subscriptions in a folder.
    case folder(String)
    /// The entries of the subscriptions in a folder of an account.
    case accountFolder(String, AccountID)
    /// The entries with a tag, and those of the subscriptions with this tag.
    case tag(String)
    /// The entries of the hidden feeds.
    case hidden
    /// The results of a search.
    case search(SearchQuery)
    /// The results of a search in a sort order of their own.
    case sorted(SearchQuery, EntryOrder)
}

/// The part of a scope that is before or after an entry or a date.
package enum EntryPart: Codable, Hashable, Sendable {
    /// The entries that are newer than the entry with this sort date and ID.
    case newer(Instant, EntryID)
    /// The entries that are older than the entry with this sort date and ID.
    case older(Instant, EntryID)
    /// The entries from before an instant.
    case before(Instant)

    var condition: (sql: String, arguments: StatementArguments) {
        switch self {
        case .newer(let date, let id): ("(sort_date, id) > (?, ?)", [date, id])
        case .older(let date, let id): ("(sort_date, id) < (?, ?)", [date, id])
        case .before(let date): ("sort_date < ?", [date])
        }
    }

    func contains(_ row: EntryRow) -> Bool {
        switch self {
        case .newer(let date, let id): (row.sortDate, row.id) > (date, id)
        case .older(let date, let id): (row.sortDate, row.id) < (date, id)
        case .before(let date): row.sortDate < date
        }
    }
}

/// The sort order of an entry list.
package enum EntryOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// Newest first, or the order from the global setting.
    case newest
    case oldest
    /// By the name of the feed.
    case feed
    /// The feeds that publish least often first.
    case rhythm

    /// The title in the menu of orders.
    package var title: String {
        switch self {
        case .newest: "As in settings"
        case .oldest: "Oldest first"
        case .feed: "By feed"
        case .rhythm: "Least active feeds first"
        }
    }

    /// The value of the setting `feeds.order` for the order, or `nil` if only saved searches can have it.
    private var setting: String? {
        switch self {
        case .newest: "newest first"
        case .oldest: "oldest first"
        case .feed, .rhythm: nil
        }
    }

    /// The values of the setting `feeds.order`, with their orders.
    package static let settings = allCases.compactMap { order in order.setting.map { (value: $0, order: order) } }

    /// Creates the order for a value of the setting `feeds.order`. Other values mean newest first.
    package init(setting: String) {
        self = EntryOrder.settings.first { $0.value == setting }?.order ?? .newest
    }
}
