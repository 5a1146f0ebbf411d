import Feeds
import LibraryKernel
import RaceModel
import Races

/// What a library knows about places: whether they exist, and their names.
package struct PlaceNames {
    private let library: Library
    private var feeds: FeedStore { library.feeds }
    private var entries: EntryStore { library.entries }
    private var search: SearchStore { library.search }
    private var races: RaceStore { library.races }

    package init(_ library: Library) { self.library = library }

    /// Returns the entries in a list, or `nil` if it is a feed that the library doesn't have.
    package func scope(of list: Place.List, now: Instant) throws(LibraryError) -> EntryScope? {
        switch list {
        case .named(.unread): return .unread(keepingReadSince: now)
        case .named(.all): return .all
        case .named(.starred): return .starred
        case .named(.later): return .later
        case .named(.archived): return .archived
        case .named(.recent): return .recentlyRead
        case .group(.folder(let name, nil)): return .folder(name)
        case .group(.folder(let name, let account?)): return .accountFolder(name, account)
        case .group(.tag(let name)): return .tag(name)
        case .group(.hidden): return .hidden
        case .search(let text):
            guard let query = try? SearchQuery(text) else { return nil }
            let order = try search.saved().first { $0.query == text }?.order ?? .newest
            return order == .newest ? .search(query) : .sorted(query, order)
        case .feed(let url): return try feeds.feed(url: url).map { .subscription($0.id) }
        }
    }

    /// Returns the list of the entries in a scope, or `nil` if it is a feed that no longer exists.
    package func list(of scope: EntryScope) throws(LibraryError) -> Place.List? {
        switch scope {
        case .subscription(let id): try feeds.feed(id).map { .feed($0.url) }
        case .all: .named(.all)
        case .unread: .named(.unread)
        case .starred: .named(.starred)
        case .later: .named(.later)
        case .archived: .named(.archived)
        case .recentlyRead: .named(.recent)
        case .folder(let name): .group(.folder(name, account: nil))
        case .accountFolder(let name, let account): .group(.folder(name, account: account))
        case .tag(let name): .group(.tag(name))
        case .hidden: .group(.hidden)
        case .search(let query), .sorted(let query, _): .search(query.text)
        }
    }

    /// Returns the name of a list.
    package func title(of list: Place.List) throws(LibraryError) -> String {
        switch list {
        case .named(let name): name.title
        case .group(let group): group.name
        case .search(let text): try search.saved().first { $0.query == text }?.name ?? text
        case .feed(let url): try feeds.feed(url: url)?.title ?? url
        }
    }

    /// Returns the number that the list of feeds shows for a list, or `nil` if it shows none.
    package func counter(of list: Place.List) throws(LibraryError) -> Int? {
        switch list {
        case .named(.unread), .named(.all): return try feeds.unreadCount()
        case .named(.starred): return try entries.count(in: EntryQuery(.starred))
        case .named(.later): return try entries.count(in: EntryQuery(.later))
        case .named(.archived): return try entries.archivedUnreadCount()
        case .named(.recent): return nil
        case .group(.folder(let name, let account)):
            return try feeds.all().reduce(0) { $0 + ($1.folder == name && $1.account == account ? $1.unread : 0) }
        case .group(.tag(let name)):
            let tags = try feeds.tagRows()
            let tagged = Set(tags.feeds[name] ?? [])
            return try feeds.all().reduce(tags.entries[name] ?? 0) { $0 + (tagged.contains($1.id) ? $1.unread : 0) }
        case .group(.hidden): return try feeds.all().reduce(0) { $0 + ($1.isHidden ? $1.unread : 0) }
        case .search(let text):
            guard let query = try? SearchQuery(text) else { return nil }
            return try search.unreadCount(of: query)
        case .feed(let url): return try feeds.feed(url: url)?.unread
        }
    }

    /// Returns the race with an identifier or name, or the latest whose identifier continues it with a year, such as
    /// `giro-2026` for `giro`. A name can be the beginning of a longer one, such as `giro-d-italia-2026`, unless races of
    /// several names begin so.
    package func race(named name: String) throws(LibraryError) -> RaceRow? {
        let (all, wanted) = (try races.all(), RaceIdentifier.of(name))
        if let race = all.first(where: { $0.id == name }) ?? all.first(where: { $0.id == wanted }) { return race }
        let continued = all.filter { $0.id.hasPrefix(wanted + "-") }
        let editions = continued.filter { $0.id == "\(wanted)-\($0.year)" }
        let isClear = !editions.isEmpty || Set(continued.map(\.name)).count == 1
        return isClear ? (editions.isEmpty ? continued : editions).max { $0.year < $1.year } : nil
    }

    /// Returns why a place can't be shown, as a sentence, or `nil` if it can be.
    package func problem(of place: Place, now: Instant) throws(LibraryError) -> String? {
        switch place {
        case .segment, .setting: return nil
        case .list(let list): return try scope(of: list, now: now) == nil ? "This feed is not in the library." : nil
        case .entry(let id, _): return try entries.row(id) == nil ? "This entry no longer exists." : nil
        case .race(let name, let stage):
            guard let race = try race(named: name) else { return "No such race: \(name)" }
            guard let stage else { return nil }
            let hasStage = try races.race(race.id)?.stages.contains { $0.number == stage } ?? false
            return hasStage ? nil : "\(race.name) \(race.year) has no stage \(stage)."
        }
    }

    /// Returns the places that can be segments, with their names, by kind.
    package func placesForSegments() throws(LibraryError) -> [(kind: String, name: String, place: Place)] {
        let all = try feeds.all()
        let segments = SegmentName.allCases.map { ("Segment", $0.title, Place.segment($0)) }
        let lists = Place.ListName.allCases.map { ("List", $0.title, Place.list(.named($0))) }
        let searches = try search.saved().map { ("Search", $0.name, Place.list(.search($0.query))) }
        var seen: Set<FeedGroup> = []
        let groups = all.compactMap { feed -> (String, String, Place)? in
            guard let folder = feed.folder else { return nil }
            let group = FeedGroup.folder(folder, account: feed.account)
            return seen.insert(group).inserted ? ("Folder", folder, .list(.group(group))) : nil
        }
        let tags = try feeds.tagRows()
        let tagNames = Set(tags.feeds.keys).union(tags.entries.keys).sorted()
        let tagged = tagNames.map { ("Tag", $0, Place.list(.group(.tag($0)))) }
        let ofRaces = try races.all().map { ("Race", "\($0.name) \($0.year)", Place.race($0.id, stage: nil)) }
        let ofFeeds = all.map { ("Feed", $0.title, Place.list(.feed($0.url))) }
        return segments + lists + searches + groups + tagged + ofRaces + ofFeeds
    }

    /// Returns the name of a place that can be a segment.
    package func title(of place: Place) throws(LibraryError) -> String {
        switch place {
        case .segment(let name): name.title
        case .list(let list): try title(of: list)
        case .entry(let id, _): try entries.row(id)?.title ?? place.text
        case .race(let name, _): try race(named: name).map { "\($0.name) \($0.year)" } ?? name
        case .setting(let name): Settings.definition(name)?.title ?? name
        }
    }
}

extension Place.ListName {
    /// The name in lists.
    package var title: String {
        switch self {
        case .unread: "Unread"
        case .all: "All"
        case .starred: "Starred"
        case .later: "Read later"
        case .archived: "Archived"
        case .recent: "Recently read"
        }
    }
}
