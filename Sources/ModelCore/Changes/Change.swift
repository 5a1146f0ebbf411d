import FeedParsing
import Foundation

/// A change to the library that the user requested, with the rows to change.
///
/// A change is a value. It can wait in a queue, have a name for messages, and be written to a journal for the next
/// start. Only ``ChangeQueue`` applies changes. It derives the undo step from the previous contents of the library.
package enum Change: Codable, Hashable, Sendable {
    /// Adds or removes a mark of entries. With `wholeStories`, also of all other entries about the same pages.
    case mark(EntryMark, Bool, entries: [Int64], wholeStories: Bool, now: Int64)
    /// Adds or removes a mark of all entries in a scope, up to an ID.
    ///
    /// Entries that arrive meanwhile have higher IDs and are not affected.
    case markAll(EntryMark, Bool, EntryScope, upTo: Int64, mergesDuplicates: Bool, now: Int64)
    /// Adds tags to entries and removes others.
    case tagEntries([Int64], adding: [String], removing: [String])
    /// Applies a rule to the entries up to an ID, as if they had just arrived. Skips actions with effects outside the
    /// library.
    case applyRule(Rule, upTo: Int64, now: Int64)
    /// Reverts everything that the rule with this name has done.
    case undoRule(String, now: Int64)
    /// Adds or removes a mark of the entries in a scope that are on one side of an entry or a date.
    case markPart(EntryMark, Bool, EntryScope, EntryPart, upTo: Int64, mergesDuplicates: Bool, now: Int64)
    /// Deletes entries. They don't return while the feed still contains them.
    case delete(entries: [Int64], now: Int64)
    /// Follows feeds. Feeds that are already followed don't change.
    case subscribe([NewSubscription], now: Int64)
    /// Stops following a feed and deletes its entries.
    case unsubscribe(Int64, now: Int64)
    /// Renames a feed; `nil` restores the feed's own title.
    case rename(Int64, title: String?)
    /// Moves a feed into a folder; `nil` moves it out of its folder.
    case move(Int64, folder: String?)
    /// Renames a folder or tag. If the new name is in use, merges the two; an empty name dissolves the group.
    case renameGroup(FeedGroup, to: String)
    /// Collapses or expands a folder or tag.
    case closeGroup(FeedGroup, Bool)
    /// Sorts folders or tags in the given order.
    case orderGroups([FeedGroup])
    /// Sorts feeds or saved searches in the given order.
    case order([Int64], OrderedTable)
    /// Sets the sort order of a saved search.
    case sortSearch(Int64, EntryOrder)
    /// Replaces the tags of a feed.
    case tag(Int64, [String])
    /// Sets the header lines of requests for a feed, such as a cookie.
    case setHeaders(Int64, [String])
    /// Sets the options of a feed.
    case setOptions(Int64, SubscriptionOptions)
    /// Stores the reading position in an entry, in the reader's encoding.
    case notePlace(Int64, String)
    /// Stores the playback position of the enclosure at an address.
    case notePlayed(String, PlayedEnclosure, now: Int64)
    /// Saves a page for reading later.
    case savePage(SavedPage, now: Int64)
    /// Adds an account on a server, or replaces the account with the same name. Its feeds remain.
    case addAccount(NewAccount)
    /// Removes an account, and either deletes its feeds or converts them to local feeds.
    case removeAccount(Int64, keepsFeeds: Bool)
    /// Moves local feeds to an account, with their marks.
    case handOver([Int64], to: Int64)
    /// Converts feeds of an account to local feeds, with their marks.
    case takeBack([Int64])
    /// Sends changes again that a server has rejected.
    case retryOutbox([OutboxItem.ID])
    /// Removes changes from the outbox.
    case dropFromOutbox([OutboxItem.ID])
    /// Queues an enclosure for download, or retries a failed download.
    case queueDownload(url: String, title: String, allowsPrivateHost: Bool, now: Int64)
    /// Removes a download from the queue but not its file.
    case removeDownload(Int64)
    /// Sets a value of ``Settings``; `nil` restores the value from the configuration file or the default.
    case set(String, String?)
    /// Saves a search as a list, or renames the saved search with the same query.
    case keepSearch(name: String, query: String)
    /// Deletes a saved search.
    case forgetSearch(Int64)
    /// Stores a race, and replaces the race of the same name and year.
    case storeRace(Race, isBundled: Bool)
    /// Stores a race from the user's folder, with the state of its file.
    case storeRaceFile(Race, path: String, stamp: String)
    /// Deletes a race.
    case removeRace(String)
    /// Stores a race and follows it at its address.
    case followRace(Race, RaceSubscription)
    /// Stops following a race but retains its data.
    case unfollowRace(String)
    /// Follows a race directory and stores the races that it lists.
    case followDirectory([ListedRace], DirectorySubscription)
    /// Stops following a race directory.
    case unfollowDirectory(String)
    /// Hides or reveals the results of a race, or of all races if `race` is `nil`.
    case hideResults(Bool, race: String?)
    /// Reveals the result of a stage, or hides it again.
    case revealStage(Int, race: String, Bool)
    /// Reveals an entry that contains a spoiler.
    case reveal(entry: Int64)
    /// Stores the track of a stage, and replaces any previous one.
    case storeTrack(Track, race: String, stage: Int)
    /// Applies the same change to several feeds. Undo reverts them together.
    case several([Change])
    /// Reverts an earlier change.
    case undo(UUID, now: Int64)
}

/// A feed to follow.
package struct NewSubscription: Codable, Hashable, Sendable {
    package var url: String
    /// The name to show until the feed provides its own title.
    package var title: String?
    /// The name that the user chose.
    package var customTitle: String?
    package var folder: String?
    package var homePage: String?
    package var tags: [String] = []
    /// The header lines of requests for the feed.
    package var headers: [String] = []
    /// The account whose server follows the feed, or `nil` if tappa fetches it itself.
    package var account: Int64?
    /// Whether the user explicitly allowed the address to run a program (`exec:`, `filter:`).
    ///
    /// Without this permission, tappa doesn't follow such an address.
    package var runsProgram: Bool?
    /// The options of the feed.
    package var options: SubscriptionOptions?

    package init(
        url: String, title: String? = nil, customTitle: String? = nil, folder: String? = nil, homePage: String? = nil,
        tags: [String] = [], headers: [String] = []
    ) {
        self.url = url
        self.title = title
        self.customTitle = customTitle
        self.folder = folder
        self.homePage = homePage
        self.tags = tags
        self.headers = headers
    }

    package init(_ listed: ListedSubscription) {
        self.init(
            url: listed.url, customTitle: listed.title, folder: listed.folder, homePage: listed.homePage,
            tags: listed.tags)
        if listed.isHidden {
            var options = SubscriptionOptions()
            options.isHidden = true
            options.isQuiet = true
            self.options = options
        }
    }
}

/// A mark of an entry. The raw value is the name of its database column.
package enum EntryMark: String, Codable, Hashable, Sendable, CaseIterable {
    case read = "is_read"
    case starred = "is_starred"
    case later = "is_later"
}

extension Change {
    /// Whether ``ChangeQueue`` stores an undo step for the change.
    package var isUndoable: Bool {
        switch self {
        case .set, .notePlace, .notePlayed, .storeRaceFile, .undo, .addAccount, .removeAccount, .handOver, .takeBack,
            .retryOutbox, .dropFromOutbox, .undoRule, .closeGroup, .unfollowRace, .hideResults, .revealStage, .reveal,
            .followDirectory, .unfollowDirectory:
            false
        default: true
        }
    }

    /// Whether the change affects an entry. Lists use this to show changes that aren't stored yet.
    package func concerns(_ row: EntryRow) -> Bool {
        switch self {
        case .mark(_, _, let entries, _, _), .delete(let entries, _), .tagEntries(let entries, _, _):
            entries.contains(row.id)
        case .markAll(_, _, .subscription(let id), let last, _, _): row.subscriptionID == id && row.id <= last
        case .markAll(_, _, _, let last, _, _): row.id <= last
        case .markPart(_, _, _, let part, let last, _, _): row.id <= last && part.contains(row)
        case .unsubscribe(let id, _): row.subscriptionID == id
        case .several(let changes): changes.contains { $0.concerns(row) }
        default: false
        }
    }

    /// Whether the change affects a subscription.
    package func concerns(subscription id: Int64) -> Bool {
        switch self {
        case .unsubscribe(let other, _), .rename(let other, _), .move(let other, _), .tag(let other, _),
            .setHeaders(let other, _), .setOptions(let other, _), .markAll(_, _, .subscription(let other), _, _, _):
            id == other
        case .several(let changes): changes.contains { $0.concerns(subscription: id) }
        default: false
        }
    }

    /// Whether the change sets the setting with this name.
    package func sets(_ name: String) -> Bool { if case .set(name, _) = self { true } else { false } }

    /// A short description for messages about a change that isn't stored yet, such as "a star" or "3 read marks".
    package var name: String {
        func count(_ number: Int, _ one: String, _ many: String) -> String {
            number == 1 ? one : "\(number) \(many)"
        }
        switch self {
        case .mark(.read, _, let entries, _, _): return count(entries.count, "a read mark", "read marks")
        case .mark(.starred, _, let entries, _, _): return count(entries.count, "a star", "stars")
        case .mark(.later, _, let entries, _, _): return count(entries.count, "a read-later mark", "read-later marks")
        case .markAll, .markPart: return "the marks of a list"
        case .renameGroup: return "a name"
        case .closeGroup, .orderGroups, .order, .sortSearch: return "the list order"
        case .delete(let entries, _): return count(entries.count, "a deletion", "deletions")
        case .tagEntries(let entries, _, _): return count(entries.count, "a tag change", "tag changes")
        case .applyRule(let rule, _, _): return "the rule \(rule.name)"
        case .undoRule(let rule, _): return "an undo of the rule \(rule)"
        case .subscribe(let feeds, _): return count(feeds.count, "a subscription", "subscriptions")
        case .unsubscribe: return "an unsubscription"
        case .rename: return "a name"
        case .move: return "a folder"
        case .tag: return "tags"
        case .setHeaders: return "header lines"
        case .setOptions: return "feed options"
        case .notePlace: return "a reading position"
        case .notePlayed: return "a playback position"
        case .savePage: return "a saved page"
        case .addAccount, .removeAccount: return "an account"
        case .handOver(let feeds, _), .takeBack(let feeds): return count(feeds.count, "a feed", "feeds")
        case .retryOutbox, .dropFromOutbox: return "the outbox"
        case .queueDownload, .removeDownload: return "a download"
        case .set(let name, _): return "the setting \(name)"
        case .keepSearch, .forgetSearch: return "a saved search"
        case .storeRace, .storeRaceFile, .removeRace, .followRace, .unfollowRace: return "a race"
        case .followDirectory, .unfollowDirectory: return "a race directory"
        case .hideResults, .revealStage, .reveal: return "hidden spoilers"
        case .storeTrack: return "a track"
        case .several(let changes): return "changes of \(changes.count) feeds"
        case .undo: return "an undo"
        }
    }
}
