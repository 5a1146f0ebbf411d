import ModelCore
import TerminalUI

/// The rows of the first list of feeds: built-in lists, saved searches, subscriptions by folder.
struct FeedListModel {
    /// A row.
    enum Row: Hashable {
        case list(BuiltInList)
        case search(SavedSearch)
        case subscription(SubscriptionRow)
        case account(Account)

        /// What makes it the same row after its content has changed.
        var identifier: AnyHashable {
            switch self {
            case .list(let list): list
            case .search(let search): "search \(search.id)"
            case .subscription(let subscription): subscription.id
            case .account(let account): "account \(account.id)"
            }
        }
    }

    /// The lists that are always there, and those of feeds that need a look.
    enum BuiltInList: String, Hashable {
        case unread, all, starred, later, broken, quiet

        var title: DisplayText {
            switch self {
            case .unread: "Unread"
            case .all: "All"
            case .starred: "Starred"
            case .later: "Read later"
            case .broken: "Broken feeds"
            case .quiet: "Gone quiet"
            }
        }
    }

    /// A section under its folder's name.
    struct Section {
        var title: DisplayText?
        var rows: [Row]
    }

    private(set) var sections: [Section] = []
    private(set) var subscriptions: [SubscriptionRow] = []
    private(set) var accounts: [Account] = []
    private(set) var unread = 0
    private(set) var later = 0
    /// Feeds that could not be read, and feeds that have been silent for long.
    private(set) var broken: [SubscriptionRow] = []
    private(set) var quiet: [SubscriptionRow] = []

    init() {}

    /// Reads what the list needs: never more than the subscriptions and the counters.
    init(_ library: Library, now: Int64) throws {
        subscriptions = try library.subscriptions()
        unread = try library.unreadCount()
        later = try library.entryCount(in: .later)
        broken = subscriptions.filter { $0.error != nil }
        let silent = try library.quietSubscriptions(now: now)
        quiet = subscriptions.filter { silent.contains($0.id) }
        var lists: [Row] = [.list(.unread), .list(.all), .list(.starred)]
        if later > 0 { lists.append(.list(.later)) }
        lists += try library.savedSearches().map { .search($0) }
        if !broken.isEmpty { lists.append(.list(.broken)) }
        if !quiet.isEmpty { lists.append(.list(.quiet)) }
        sections = [Section(title: nil, rows: lists)]
        addFeeds(of: nil)
        accounts = try library.accounts(now: now)
        for account in accounts { addFeeds(of: account) }
    }

    /// Adds the feeds that are read here, or those of an account under its name and state: first those without a folder.
    private mutating func addFeeds(of account: Account?) {
        let own = subscriptions.filter { $0.account == account?.id }
        var loose: [Row] = own.filter { $0.folder == nil }.map { .subscription($0) }
        if let account { loose.insert(.account(account), at: 0) }
        let title = account.map { DisplayText($0.name) } ?? "Subscriptions"
        if !loose.isEmpty { sections.append(Section(title: title, rows: loose)) }
        var places: [String: Int] = [:]
        for subscription in own {
            guard let folder = subscription.folder else { continue }
            if let place = places[folder] {
                sections[place].rows.append(.subscription(subscription))
            } else {
                places[folder] = sections.count
                let name = account.map { "\(folder) · \($0.name)" } ?? folder
                sections.append(Section(title: DisplayText(name), rows: [.subscription(subscription)]))
            }
        }
    }

    func row(at path: RowPath) -> Row? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }

    func path(where matches: (Row) -> Bool) -> RowPath? {
        for (section, content) in sections.enumerated() {
            if let row = content.rows.firstIndex(where: matches) { return RowPath(section: section, row: row) }
        }
        return nil
    }

    /// All places in their order.
    var paths: [RowPath] {
        sections.indices.flatMap { section in
            sections[section].rows.indices.map { RowPath(section: section, row: $0) }
        }
    }
}
