import LibraryKernel

@testable import Feeds

extension ChangeSamples {
    /// Feeds, their groups, and entries.
    static let feeds = ChangeSamples(
        of: "Feeds",
        preparation: [
            .orderGroups([.folder("Tech", account: nil), .folder("News", account: nil), .tag("y"), .tag("x")]),
            .collapseGroup(.tag("x"), true), .savePage(page(1), now: 1),
            .setOptions(2, readAfterADay),
        ]
    ) { library in subscriptions(library) + groups + entries(library) + pages(library) }

    private static let ofFeeds: Set<String> = ["subscription"]
    private static let ofEntries: Set<String> = ["entry", "entry_content", "entry_tag", "subscription", "counter"]

    private static var readAfterADay: SubscriptionOptions {
        var options = SubscriptionOptions()
        (options.readAfterDays, options.isUncounted) = (1, true)
        return options
    }

    private static func page(_ number: Int) -> SavedPage {
        SavedPage(url: "page:\(number)", title: "Page", author: nil, html: nil, date: nil)
    }

    private static func subscriptions(_ library: SampleLibrary) -> [ChangeSample] {
        let (a, d) = (library.feed("a"), library.feed("d"))
        var options = SubscriptionOptions()
        options.fullText = true
        return [
            ChangeSample(
                .subscribe([NewSubscription(url: "n"), NewSubscription(url: "m", tags: ["t"])], now: 1),
                undo: "following 2 new feeds", tables: ["subscription", "subscription_tag"]),
            ChangeSample(
                .subscribe([NewSubscription(url: "https://a.example/"), NewSubscription(url: "n")], now: 1),
                undo: "following the new feed", tables: ofFeeds),
            ChangeSample(
                .subscribe([NewSubscription(url: "n", customTitle: "Mine")], now: 1), undo: "following Mine",
                tables: ofFeeds),
            ChangeSample(
                .unsubscribe(a), undo: "unfollowing beta with 8 entries",
                tables: ofEntries.union(["subscription_tag"])),
            ChangeSample(
                .unsubscribe(library.feed("g")), undo: "unfollowing https://g.example/",
                tables: ["subscription", "subscription_tag"]),
            ChangeSample(.rename(a, title: "N"), undo: "renaming beta", tables: ofFeeds),
            ChangeSample(.rename(d, title: nil), undo: "renaming omega of mine", tables: ofFeeds),
            ChangeSample(.move(a, folder: "Tech"), undo: "moving beta to Tech", tables: ofFeeds),
            ChangeSample(.move(a, folder: nil), undo: "moving beta out of its folder", tables: ofFeeds),
            ChangeSample(.move(library.feed("c"), folder: "Tech"), undo: "moving gamma to Tech", tables: ofFeeds),
            ChangeSample(.orderFeeds([library.feed("b"), a, d]), undo: "reordering the feeds", tables: ofFeeds),
            ChangeSample(.tag(a, ["z", "y"]), undo: "changing the tags of beta", tables: ["subscription_tag"]),
            ChangeSample(.tag(a, []), undo: "changing the tags of beta", tables: ["subscription_tag"]),
            ChangeSample(
                .setHeaders(a, ["A: 1", "B: 2"]), undo: "changing the header lines of beta", tables: ofFeeds),
            ChangeSample(.setOptions(a, options), undo: "changing the options of beta", tables: ofFeeds),
            ChangeSample(
                Change(MergeFeeds(feed: a, present: library.feed("b"))), undo: "merging beta into Alpha",
                tables: ofEntries.union(["subscription_tag"]).subtracting(["counter"])),
            ChangeSample(
                Change(MoveFeedAddress(library.feed("c"), to: "https://c.example/moved")),
                undo: "moving gamma to its new address", tables: ofFeeds),
            ChangeSample(
                Change(MoveFeedAddress(a, to: "HTTPS://B.example:443/")), undo: "merging beta into Alpha",
                tables: ofEntries.union(["subscription_tag"]).subtracting(["counter"])),
        ]
    }

    private static var groups: [ChangeSample] {
        let news = FeedGroup.folder("News", account: nil)
        return [
            ChangeSample(
                .renameGroup(news, to: "World"), undo: "renaming News to World",
                tables: ["subscription", "folder_place"]),
            ChangeSample(.renameGroup(news, to: "Tech"), undo: "renaming News to Tech", tables: ofFeeds),
            ChangeSample(.renameGroup(.folder("News", account: 1), to: ""), undo: "dissolving News", tables: ofFeeds),
            ChangeSample(
                .renameGroup(.tag("x"), to: "w"), undo: "renaming x to w",
                tables: ["subscription_tag", "entry_tag", "folder_place"]),
            ChangeSample(
                .renameGroup(.tag("x"), to: "y"), undo: "renaming x to y",
                tables: ["subscription_tag", "entry_tag"]),
            ChangeSample(.renameGroup(.tag("y"), to: ""), undo: "dissolving y", tables: ["subscription_tag"]),
            ChangeSample(
                .orderGroups([news, .folder("Tech", account: nil)]), undo: "reordering the folders",
                tables: ["folder_place"], isIdempotent: false),
            // A part of renaming a group, without words of its own.
            ChangeSample(
                Change(MoveGroupPlace(group: "tag:x", other: "tag:w")), undo: "", tables: ["folder_place"]),
            ChangeSample(.collapseGroup(.tag("y"), false), undo: nil, tables: ["folder_place"], isIdempotent: false),
        ]
    }

    private static func entries(_ library: SampleLibrary) -> [ChangeSample] {
        let entries = library.entries
        let ofMarks: Set<String> = ["entry", "counter"]
        return [
            ChangeSample(
                .mark(.starred, true, entries: [entries[1]], wholeStories: false, now: 7),
                undo: "starring 1 entry", tables: ofMarks),
            ChangeSample(
                .mark(.read, false, entries: [entries[0]], wholeStories: true, now: 7),
                undo: "marking 1 entry as unread", tables: ["entry", "subscription"]),
            ChangeSample(
                .markAll(
                    .later, true, .subscription(library.feed("a")), upTo: entries[9], mergesDuplicates: false, now: 7),
                undo: "adding 6 entries to read later", tables: ofMarks),
            ChangeSample(
                .tagEntries([entries[0], entries[1]], adding: ["n", "x"], removing: ["z"]),
                undo: "changing the tags of 2 entries", tables: ["entry_tag"]),
            ChangeSample(
                .tagEntries([entries[0]], adding: ["n"], removing: []), undo: "changing the tags of 1 entry",
                tables: ["entry_tag"]),
            ChangeSample(
                .archive(entries: [entries[2]]), undo: "archiving 1 entry",
                tables: ["entry", "subscription"]),
            ChangeSample(
                .delete(entries: [entries[3], entries[0]], now: 5), undo: "deleting 2 entries",
                tables: ofEntries.union(["deleted_entry"])),
            ChangeSample(
                .delete(entries: [entries[3], -1], now: 5), undo: "deleting 1 entry",
                tables: ofEntries.union(["deleted_entry"])),
            ChangeSample(
                Change(RetainEntries(days: 8, entries: 0, isConfirmed: true, now: ManyKinds.now)),
                undo: "deleting 1 old entry",
                tables: ["entry", "entry_content", "subscription", "deleted_entry"]),
            ChangeSample(
                Change(MarkOldRead(now: ManyKinds.now + 86_400 * 9)), undo: "marking 4 entries as read",
                tables: ["entry", "subscription"]),
            ChangeSample(.storeReadingPosition(entries[0], "1"), undo: nil, tables: ["entry_content"]),
        ]
    }

    private static func pages(_ library: SampleLibrary) -> [ChangeSample] {
        [
            ChangeSample(
                .savePage(page(2), now: 5), undo: "saving the page",
                tables: ["entry", "entry_content", "subscription", "counter"]),
            ChangeSample(
                .storePlaybackPosition("u", PlayedEnclosure(position: 1, duration: nil), now: 1), undo: nil,
                tables: ["played_enclosure"], isIdempotent: false),
        ]
    }
}
