import Accounts
import Feeds
import ModelCore
import TerminalUI

/// The rows of the list of feeds: built-in lists, saved searches, subscriptions by folder, and tags.
struct FeedListModel: Sendable {
    /// A row.
    enum Row: Hashable, Sendable {
        case list(BuiltInList)
        case search(SavedSearch)
        /// A feed. It also appears in the group of each of its tags.
        case subscription(SubscriptionRow, in: FeedGroup?)
        case group(Group)
        case account(Account)

        /// The identity of the row, independent of its content.
        var identifier: AnyHashable {
            switch self {
            case .list(let list): list
            case .search(let search): "search \(search.id)"
            case .subscription(let subscription, .tag(let tag)): "feed \(subscription.id) \(tag)"
            case .subscription(let subscription, _): subscription.id
            case .group(let group): group.group
            case .account(let account): "account \(account.id)"
            }
        }

        var name: String {
            switch self {
            case .list(let list): list.title.string
            case .search(let search): search.name
            case .subscription(let subscription, _): subscription.title
            case .group(let group): group.group.name
            case .account(let account): account.name
            }
        }

        var title: DisplayText { DisplayText(name) }

        /// The row's name in the state for the next start, or `nil` for accounts.
        var stateName: String? {
            if case .list(let list) = self, list.place == nil { list.rawValue } else { place?.text }
        }

        /// The list of entries that the row opens, or `nil` if it opens none.
        var place: Place.List? {
            switch self {
            case .list(let list): list.place.map { .named($0) }
            case .search(let search): .search(search.query)
            case .subscription(let subscription, _): .feed(subscription.url)
            case .group(let group): .group(group.group)
            case .account: nil
            }
        }

        /// Whether a saved state means the row. States of earlier versions contain the addresses of feeds.
        func isMeant(by name: String) -> Bool {
            if let place, place == Place.List(name) { return true }
            return stateName == name || subscription?.url == name
        }

        var subscription: SubscriptionRow? {
            if case .subscription(let subscription, _) = self { subscription } else { nil }
        }

        /// Returns the entries that the row opens, or `nil` for rows that aren't lists of entries.
        func scope(now: Instant) -> EntryScope? {
            switch self {
            case .subscription(let subscription, _): .subscription(subscription.id)
            case .group(let group): group.scope
            case .search(let search):
                (try? SearchQuery(search.query)).map { query in
                    search.order == .newest ? .search(query) : .sorted(query, search.order)
                }
            case .list(.archived): .archived
            case .list(.unread): .unread(keepingReadSince: now)
            case .list(.all): .all
            case .list(.starred): .starred
            case .list(.later): .later
            case .list(.broken), .list(.inactive), .account: nil
            }
        }
    }

    /// A folder or tag with its feeds.
    struct Group: Hashable, Sendable {
        var group: FeedGroup
        var unread: Int
        var isClosed: Bool

        var scope: EntryScope {
            switch group {
            case .folder(let name, nil): .folder(name)
            case .folder(let name, let account?): .accountFolder(name, account)
            case .tag(let name): .tag(name)
            case .hidden: .hidden
            }
        }
    }

    /// The built-in lists. Some appear only if they have entries or feeds.
    enum BuiltInList: String, Hashable, Sendable {
        case unread, all, starred, later, archived, broken, inactive

        /// The list of entries, or `nil` for lists of feeds.
        var place: Place.ListName? { Place.ListName(rawValue: rawValue) }

        var title: DisplayText {
            switch self {
            case .broken: "Broken feeds"
            case .inactive: "Inactive feeds"
            default: DisplayText(place?.title ?? rawValue)
            }
        }
    }

    /// A section of rows with a heading.
    struct Section: Sendable {
        var title: DisplayText?
        var rows: [Row]
    }

    private(set) var sections: [Section] = []
    let contents: FeedListContents
    /// The feeds that could not be read, and feeds that have been silent for long.
    private(set) var broken: [SubscriptionRow] = []
    private(set) var inactive: [SubscriptionRow] = []

    init() { contents = FeedListContents() }

    /// Arranges what was read.
    ///
    /// - Parameters:
    ///   - hidesRead: Whether to omit feeds without unread entries.
    ///   - order: The order of feeds beside each other.
    init(_ contents: FeedListContents, hidesRead: Bool, order: FeedSorting = .own) {
        self.contents = contents
        broken = contents.subscriptions.filter { $0.error != nil }
        inactive = contents.subscriptions.filter { contents.inactive.contains($0.id) }
        var lists: [Row] = [.list(.unread), .list(.all), .list(.starred)]
        if contents.later > 0 { lists.append(.list(.later)) }
        if contents.archived > 0 { lists.append(.list(.archived)) }
        lists += contents.searches.map { .search($0) }
        if !broken.isEmpty { lists.append(.list(.broken)) }
        if !inactive.isEmpty { lists.append(.list(.inactive)) }
        sections = [Section(rows: lists)]
        let places = contents.places
        let shown = order.sorted(
            contents.subscriptions.filter { !$0.isHidden && (!hidesRead || $0.unread > 0 || $0.error != nil) })
        addFeeds(shown, of: nil, places)
        for account in contents.accounts { addFeeds(shown, of: account, places) }
        addTags(contents.tags, shown, places, hidesRead: hidesRead, order: order)
        addHidden(places)
    }

    /// Adds local feeds, or those of an account under its name and status, starting with feeds without a folder.
    private mutating func addFeeds(
        _ shown: [SubscriptionRow], of account: Account?, _ places: (FeedGroup) -> FeedGroupPlace?
    ) {
        let own = shown.filter { $0.account == account?.id }
        var rows: [Row] = account.map { [.account($0)] } ?? []
        rows += own.filter { $0.folder == nil }.map { .subscription($0, in: nil) }
        var folders: [(group: FeedGroup, feeds: [SubscriptionRow])] = []
        var indexes: [String: Int] = [:]
        for subscription in own {
            guard let folder = subscription.folder else { continue }
            if let index = indexes[folder] {
                folders[index].feeds.append(subscription)
            } else {
                indexes[folder] = folders.count
                folders.append((.folder(folder, account: account?.id), [subscription]))
            }
        }
        for folder in FeedListModel.ordered(folders, places) { rows += FeedListModel.rows(folder, places) }
        if !rows.isEmpty {
            sections.append(Section(title: account.map { DisplayText($0.name) } ?? "Subscriptions", rows: rows))
        }
    }

    /// Adds the tags. A feed with several tags appears in each.
    private mutating func addTags(
        _ tags: (feeds: [String: [FeedID]], entries: [String: Int]), _ shown: [SubscriptionRow],
        _ places: (FeedGroup) -> FeedGroupPlace?, hidesRead: Bool, order: FeedSorting
    ) {
        let feeds = Dictionary(shown.map { ($0.id, $0) }) { first, _ in first }
        let names = Set(tags.feeds.keys).union(tags.entries.keys).sorted()
        let groups = names.map { name in
            (group: FeedGroup.tag(name), feeds: order.sorted((tags.feeds[name] ?? []).compactMap { feeds[$0] }))
        }
        var rows: [Row] = []
        for item in FeedListModel.ordered(groups, places) {
            let own = tags.entries[item.group.name] ?? 0
            if hidesRead, item.feeds.isEmpty, own == 0 { continue }
            rows += FeedListModel.rows(item, places, entries: own)
        }
        if !rows.isEmpty { sections.append(Section(title: "Tags", rows: rows)) }
    }

    /// Adds the group of hidden feeds, which is collapsed by default.
    private mutating func addHidden(_ places: (FeedGroup) -> FeedGroupPlace?) {
        let hidden = contents.subscriptions.filter(\.isHidden)
        guard !hidden.isEmpty else { return }
        sections.append(Section(rows: FeedListModel.rows((.hidden, hidden), places)))
    }

    /// Returns groups in the user's order. Groups without a position come last in their given order.
    private static func ordered(
        _ groups: [(group: FeedGroup, feeds: [SubscriptionRow])], _ places: (FeedGroup) -> FeedGroupPlace?
    ) -> [(group: FeedGroup, feeds: [SubscriptionRow])] {
        groups.enumerated().sorted { one, other in
            (places(one.element.group)?.position ?? Int.max, one.offset)
                < (places(other.element.group)?.position ?? Int.max, other.offset)
        }.map(\.element)
    }

    /// Returns a group's row and, if it is expanded, the rows of its feeds.
    private static func rows(
        _ item: (group: FeedGroup, feeds: [SubscriptionRow]), _ places: (FeedGroup) -> FeedGroupPlace?,
        entries: Int = 0
    ) -> [Row] {
        let group = Group(
            group: item.group, unread: item.feeds.reduce(entries) { $0 + $1.unread },
            isClosed: places(item.group)?.isClosed ?? item.group.isClosedAtFirst)
        return [.group(group)] + (group.isClosed ? [] : item.feeds.map { .subscription($0, in: item.group) })
    }

    func row(at path: RowPath) -> Row? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }

    /// Returns the feeds of a row: those of a group or account, or all feeds for lists of entries from everywhere.
    func feeds(of row: Row) -> [SubscriptionRow] {
        switch row {
        case .subscription(let subscription, _): return [subscription]
        case .list(.broken): return broken
        case .list(.inactive): return inactive
        case .list, .search: return contents.subscriptions.filter(\.isFeed)
        case .account(let account): return contents.subscriptions.filter { $0.account == account.id }
        case .group(let group):
            switch group.group {
            case .folder(let name, let account):
                return contents.subscriptions.filter { $0.folder == name && $0.account == account }
            case .tag(let name):
                let tagged = Set(contents.tags.feeds[name] ?? [])
                return contents.subscriptions.filter { tagged.contains($0.id) }
            case .hidden: return contents.subscriptions.filter(\.isHidden)
            }
        }
    }

    func path(where matches: (Row) -> Bool) -> RowPath? {
        for (section, content) in sections.enumerated() {
            if let row = content.rows.firstIndex(where: matches) { return RowPath(section: section, row: row) }
        }
        return nil
    }

    /// Returns the rows of feeds with unread entries in list order or, if `step` is negative, in reverse, from a row
    /// around the end. Each feed appears once, and the feed of the row itself doesn't.
    func unreadFeeds(after path: RowPath, _ step: Int = 1) -> [RowPath] {
        let paths = step > 0 ? paths : paths.reversed()
        guard let index = paths.firstIndex(of: path) else { return [] }
        var seen: Set<FeedID> = []
        if let here = row(at: path)?.subscription { seen.insert(here.id) }
        return (paths[(index + 1)...] + paths[..<index]).filter { path in
            guard let feed = row(at: path)?.subscription, feed.unread > 0 else { return false }
            return seen.insert(feed.id).inserted
        }
    }

    var paths: [RowPath] {
        sections.indices.flatMap { section in
            sections[section].rows.indices.map { RowPath(section: section, row: $0) }
        }
    }
}
