import FeedParsing
import Foundation

/// A change of the library that the user has asked for: what, and on which rows.
///
/// A change is a value: it can wait, be told in words, be written to a journal and be taken in at the next start. Only
/// ``ChangeQueue`` carries changes out; how one is undone is worked out there, from what stood in the library.
package enum Change: Codable, Hashable, Sendable {
    /// Gives entries a mark, or takes it; where stories are folded, all entries of each one's story.
    case mark(EntryMark, Bool, entries: [Int64], wholeStories: Bool, now: Int64)
    /// Gives all entries of a scope a mark, or takes it: those up to an identity, so that what arrives meanwhile is not meant.
    case markAll(EntryMark, Bool, EntryScope, upTo: Int64, mergesDuplicates: Bool, now: Int64)
    /// Gives entries tags, and takes some from them.
    case tagEntries([Int64], adding: [String], removing: [String])
    /// Carries a rule out on the entries up to an identity, as if they arrived; what reaches beyond the library is left out.
    case applyRule(Rule, upTo: Int64, now: Int64)
    /// Takes back all that a rule has done, by its name.
    case undoRule(String, now: Int64)
    /// The same for a part of a scope: what lies on one side of an entry, or of an instant.
    case markPart(EntryMark, Bool, EntryScope, EntryPart, upTo: Int64, mergesDuplicates: Bool, now: Int64)
    /// Deletes entries; they do not come back while the feed still has them.
    case delete(entries: [Int64], now: Int64)
    /// Follows feeds; those that are followed already stay as they are.
    case subscribe([NewSubscription], now: Int64)
    /// Stops following a feed and deletes its entries.
    case unsubscribe(Int64, now: Int64)
    /// Names a feed otherwise; `nil` goes back to the feed's own name.
    case rename(Int64, title: String?)
    /// Puts a feed into a folder; `nil` takes it out.
    case move(Int64, folder: String?)
    /// Gives a folder or a tag another name, which it may have in common with another then; empty: it is dissolved.
    case renameGroup(FeedGroup, to: String)
    /// Shows the feeds of a folder or a tag, or hides them.
    case closeGroup(FeedGroup, Bool)
    /// Puts folders, or tags, into an order.
    case orderGroups([FeedGroup])
    /// Puts feeds, or kept searches, into an order.
    case order([Int64], OrderedTable)
    /// Sets in which order a kept search shows what it finds.
    case sortSearch(Int64, EntryOrder)
    /// Gives a feed these tags and no others.
    case tag(Int64, [String])
    /// Sets the header lines that a feed is asked with, such as a cookie.
    case setHeaders(Int64, [String])
    /// Sets what is special about a feed.
    case setOptions(Int64, SubscriptionOptions)
    /// Notes the line of an entry that is read, as the reader writes it.
    case notePlace(Int64, String)
    /// Notes how far the recording at an address was played.
    case notePlayed(String, PlayedEnclosure, now: Int64)
    /// Keeps a page for reading later.
    case savePage(SavedPage, now: Int64)
    /// Adds an account on a server; one of the same name is replaced, its feeds stay.
    case addAccount(NewAccount)
    /// Ends an account; its feeds go, or are followed here from now on.
    case removeAccount(Int64, keepsFeeds: Bool)
    /// Hands feeds that are followed here to an account, with their marks.
    case handOver([Int64], to: Int64)
    /// Follows feeds of an account here from now on, with their marks.
    case takeBack([Int64])
    /// Sends again what a server has refused.
    case retryOutbox([OutboxItem.ID])
    /// Takes changes out of the outbox.
    case dropFromOutbox([OutboxItem.ID])
    /// Puts a recording into the queue of downloads; one that failed is tried again.
    case queueDownload(url: String, title: String, allowsPrivateHost: Bool, now: Int64)
    /// Takes a download out of the queue; its file stays.
    case removeDownload(Int64)
    /// Sets a value of ``Settings``; `nil` goes back to the file's or the default.
    case set(String, String?)
    /// Keeps a search as a list; one of the same query gets the new name.
    case keepSearch(name: String, query: String)
    /// Forgets a kept search.
    case forgetSearch(Int64)
    /// Stores a race; one of the same name and year is replaced.
    case storeRace(Race, isBundled: Bool)
    /// Stores a race of the user's folder, and which state of the file it is from.
    case storeRaceFile(Race, path: String, stamp: String)
    /// Takes a race away.
    case removeRace(String)
    /// Stores a race and follows it at its address from now on.
    case followRace(Race, RaceSubscription)
    /// Follows a race no longer; it stays as it is.
    case unfollowRace(String)
    /// Follows a directory of races, with what it lists.
    case followDirectory([ListedRace], DirectorySubscription)
    /// Follows a directory no longer.
    case unfollowDirectory(String)
    /// Hides the results of a race until their user has looked, or shows them; `nil`: of all races.
    case hideResults(Bool, race: String?)
    /// Notes that the result of a stage was looked at, or is to be hidden again.
    case revealStage(Int, race: String, Bool)
    /// Shows an entry though it gives a result away.
    case reveal(entry: Int64)
    /// Keeps the track of a stage; one that is there already is replaced.
    case storeTrack(Track, race: String, stage: Int)
    /// The same change of several feeds, which is taken back as one.
    case several([Change])
    /// Takes an earlier change back.
    case undo(UUID, now: Int64)
}

/// A feed to follow.
package struct NewSubscription: Codable, Hashable, Sendable {
    package var url: String
    /// The name until the feed tells its own.
    package var title: String?
    /// The name that the user gave it.
    package var customTitle: String?
    package var folder: String?
    package var homePage: String?
    package var tags: [String] = []
    /// Header lines that it is asked with.
    package var headers: [String] = []
    /// The account whose server follows it; `nil`: it is followed here.
    package var account: Int64?
    /// Whether the user has said by their own hand that its address may run a program (`exec:`, `filter:`); else such an address is not
    /// followed.
    package var runsProgram: Bool?
    /// What is special about it.
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

/// A mark that entries can have; its name is the column that has it.
package enum EntryMark: String, Codable, Hashable, Sendable, CaseIterable {
    case read = "is_read"
    case starred = "is_starred"
    case later = "is_later"
}

extension Change {
    /// Whether ``ChangeQueue`` notes how to take it back.
    package var isUndoable: Bool {
        switch self {
        case .set, .notePlace, .notePlayed, .storeRaceFile, .undo, .addAccount, .removeAccount, .handOver, .takeBack,
            .retryOutbox, .dropFromOutbox, .undoRule, .closeGroup, .unfollowRace, .hideResults, .revealStage, .reveal,
            .followDirectory, .unfollowDirectory:
            false
        default: true
        }
    }

    /// Whether it is about an entry, as lists ask that show what is not stored yet.
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

    /// Whether it is about a subscription.
    package func concerns(subscription id: Int64) -> Bool {
        switch self {
        case .unsubscribe(let other, _), .rename(let other, _), .move(let other, _), .tag(let other, _),
            .setHeaders(let other, _), .setOptions(let other, _), .markAll(_, _, .subscription(let other), _, _, _):
            id == other
        case .several(let changes): changes.contains { $0.concerns(subscription: id) }
        default: false
        }
    }

    /// Whether it sets a setting.
    package func sets(_ name: String) -> Bool { if case .set(name, _) = self { true } else { false } }

    /// What it does, for a message about one that is not stored: "a star", "3 read marks".
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
