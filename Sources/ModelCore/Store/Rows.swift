import GRDB

extension Statement {
    /// Carries a statement out that is carried out very often: in half the time that ``execute(arguments:)`` takes, which neither copies
    /// texts nor takes too few values, where these are bound as they are.
    ///
    /// - Parameter values: As many as the statement has places.
    func execute(binding values: StatementArguments) throws {
        setUncheckedArguments(values)
        try execute()
    }
}

/// A feed that the user follows, as a list shows it.
package struct SubscriptionRow: Hashable, Sendable, Identifiable {
    package var id: Int64
    package var url: String
    /// The name that the user gave, else the feed's own.
    package var title: String
    package var folder: String?
    package var unread: Int
    package var total: Int
    /// Why the last read failed, in plain words.
    package var error: String?
    /// When it was last read, in seconds since 1970.
    package var lastFetched: Int64?
    package var homePage: String?
    /// What was wrong with it though it could be read: the first of it, with its line where known.
    package var problem: String?

    /// Whether it stands in no list.
    package var isHidden = false

    /// Whether it is a feed: saved pages are fetched once, each by itself.
    package var isFeed: Bool { url != SavedPage.subscription }

    /// The account whose server follows it; `nil`: it is followed here.
    package var account: Int64?

    /// Whether it is read here, not by a server.
    package var isReadHere: Bool { isFeed && account == nil }
}

/// An entry, as a list shows it.
package struct EntryRow: Hashable, Sendable, Identifiable {
    package var id: Int64
    package var subscriptionID: Int64
    package var title: String
    package var isRead: Bool
    package var isStarred: Bool
    /// What lists are sorted by, in seconds since 1970: published, else updated, else first seen.
    package var sortDate: Int64
    /// Whether the feed gave a date that could be read.
    package var hasDate: Bool
    /// Whether it is kept for reading later.
    package var isLater: Bool
    /// How many feeds have an entry about the same page.
    package var sources: Int
    /// Whether its title was taken out, since it would give away a stage's result.
    package var isSpoiler = false

    /// One of its marks.
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

/// The dates of an entry, for the popover.
package struct EntryDates: Hashable, Sendable {
    /// Seconds since 1970, where the date could be read.
    package var published: Int64?
    /// As the feed wrote it.
    package var publishedText: String?
    package var updated: Int64?
    package var updatedText: String?
    package var firstSeen: Int64
    /// As the entry's page wrote it, once that was read.
    package var pageText: String?
    /// The text before the last change of its words.
    package var previous: PreviousText?
}

/// An entry with all that the detail shows.
package struct EntryDetail: Hashable, Sendable, Identifiable {
    package var id: Int64
    package var subscriptionID: Int64
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
    /// The full text of its page: `nil` where it was not fetched, empty where the page has none.
    package var fullHTML: String?
    /// The line that was read last, as the reader wrote it.
    package var place: String?
    /// What is special about its feed.
    package var options: SubscriptionOptions
    /// How far its recordings were played, by their addresses.
    package var played: [String: PlayedEnclosure] = [:]
    /// Whether what it says was taken out, since it would give away a stage's result.
    package var isSpoiler = false

    /// The HTML that it is read as: its page's full text, where its feed's user wants that and it was found, else the feed's.
    package var ownHTML: String? {
        if options.fullText, let fullHTML, !fullHTML.isEmpty { return fullHTML }
        return html
    }

    /// What a browser opens for it: its page, else what the feed gives in place of one.
    package var address: String? { link ?? extras.external ?? extras.enclosures?.first?.url ?? extras.comments }
}

/// Which entries a list has.
package enum EntryScope: Codable, Hashable, Sendable {
    /// Those of one subscription.
    case subscription(Int64)
    /// Those of all subscriptions.
    case all
    /// Unread ones of all; those read since an instant (in seconds since 1970) stay, so that nothing vanishes under the
    /// reader.
    case unread(keepingReadSince: Int64)
    /// Starred ones of all.
    case starred
    /// Those kept for reading later.
    case later
    /// Those that are folded: beyond a feed's limit of a day, or by a rule.
    case folded
    /// Those of the subscriptions in a folder, of those that are read here.
    case folder(String)
    /// Those of the subscriptions in a folder of an account.
    case accountFolder(String, Int64)
    /// Those with a tag, and those of the subscriptions with it.
    case tag(String)
    /// Those of the subscriptions that stand in no list.
    case hidden
    /// Those that a search finds.
    case search(SearchQuery)
    /// The same in an order of their own.
    case sorted(SearchQuery, EntryOrder)
}

/// What lies on one side in a scope.
package enum EntryPart: Codable, Hashable, Sendable {
    /// Newer, or older, than an entry of this date and identity.
    case newer(Int64, Int64)
    case older(Int64, Int64)
    /// Of before an instant, in seconds since 1970.
    case before(Int64)

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

/// In which order a list shows its entries.
package enum EntryOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// The newest first, or as the setting has it.
    case newest
    case oldest
    /// By the names of their feeds.
    case feed
    /// Feeds that write seldom first.
    case rhythm
}
