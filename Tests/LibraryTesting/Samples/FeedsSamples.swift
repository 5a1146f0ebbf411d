import ModelCore

@testable import Feeds

extension ChangeSamples {
    /// Feeds, their groups, and entries.
    static let feeds = ChangeSamples(
        of: "Feeds",
        preparation: [
            .orderGroups([.folder("Tech", account: nil), .folder("News", account: nil), .tag("y"), .tag("x")]),
            .collapseGroup(.tag("x"), true), .savePage(page(1), now: 1),
        ]
    ) { library in subscriptions(library) + groups + entries(library) + pages(library) }

    private static let ofFeeds: Set<String> = ["subscription"]
    private static let ofEntries: Set<String> = ["entry", "entry_content", "entry_tag", "subscription", "counter"]

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
                undo: "Unfollows the 2 new feeds", tables: ["subscription", "subscription_tag"]),
            ChangeSample(
                .subscribe([NewSubscription(url: "https://a.example/"), NewSubscription(url: "n")], now: 1),
                undo: "Unfollows the new feed", tables: ofFeeds),
            ChangeSample(
                .subscribe([NewSubscription(url: "n", customTitle: "Mine")], now: 1), undo: "Unfollows Mine",
                tables: ofFeeds),
            ChangeSample(
                .unsubscribe(a), undo: "Follows beta again, with its 8 entries",
                tables: ofEntries.union(["subscription_tag"])),
            ChangeSample(
                .unsubscribe(library.feed("g")), undo: "Follows https://g.example/ again",
                tables: ["subscription", "subscription_tag"]),
            ChangeSample(.rename(a, title: "N"), undo: "Restores the name of beta", tables: ofFeeds),
            ChangeSample(.rename(d, title: nil), undo: "Restores the name of omega of mine", tables: ofFeeds),
            ChangeSample(.move(a, folder: "Tech"), undo: "Moves beta back to News", tables: ofFeeds),
            ChangeSample(.move(a, folder: nil), undo: "Moves beta back to News", tables: ofFeeds),
            ChangeSample(
                .move(library.feed("c"), folder: "Tech"), undo: "Moves gamma out of its folder", tables: ofFeeds),
            ChangeSample(
                .orderFeeds([library.feed("b"), a, d]), undo: "Restores the order of the list", tables: ofFeeds),
            ChangeSample(.tag(a, ["z", "y"]), undo: "Restores the tags of beta", tables: ["subscription_tag"]),
            ChangeSample(.tag(a, []), undo: "Restores the tags of beta", tables: ["subscription_tag"]),
            ChangeSample(
                .setHeaders(a, ["A: 1", "B: 2"]), undo: "Restores the header lines of beta", tables: ofFeeds),
            ChangeSample(.setOptions(a, options), undo: "Restores the options of beta", tables: ofFeeds),
        ]
    }

    private static var groups: [ChangeSample] {
        let news = FeedGroup.folder("News", account: nil)
        return [
            ChangeSample(
                .renameGroup(news, to: "World"), undo: "Renames World back to News",
                tables: ["subscription", "folder_place"]),
            ChangeSample(.renameGroup(news, to: "Tech"), undo: "Renames Tech back to News", tables: ofFeeds),
            ChangeSample(.renameGroup(.folder("News", account: 1), to: ""), undo: "Restores News", tables: ofFeeds),
            ChangeSample(
                .renameGroup(.tag("x"), to: "w"), undo: "Renames w back to x",
                tables: ["subscription_tag", "entry_tag", "folder_place"]),
            ChangeSample(
                .renameGroup(.tag("x"), to: "y"), undo: "Renames y back to x",
                tables: ["subscription_tag", "entry_tag"]),
            ChangeSample(.renameGroup(.tag("y"), to: ""), undo: "Restores y", tables: ["subscription_tag"]),
            ChangeSample(
                .orderGroups([news, .folder("Tech", account: nil)]), undo: "Restores the order of the folders",
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
                undo: "Removes the star of 1 entry", tables: ofMarks),
            ChangeSample(
                .mark(.read, false, entries: [entries[0]], wholeStories: true, now: 7),
                undo: "Marks 1 entry as read", tables: ["entry", "subscription"]),
            ChangeSample(
                .markAll(
                    .later, true, .subscription(library.feed("a")), upTo: entries[9], mergesDuplicates: false, now: 7),
                undo: "Removes 6 entries from read later", tables: ofMarks),
            ChangeSample(
                .tagEntries([entries[0], entries[1]], adding: ["n", "x"], removing: ["z"]),
                undo: "Restores the tags of 2 entries", tables: ["entry_tag"]),
            ChangeSample(
                .tagEntries([entries[0]], adding: ["n"], removing: []), undo: "Restores the tags of 1 entry",
                tables: ["entry_tag"]),
            ChangeSample(
                .archive(entries: [entries[2]]), undo: "Restores 1 archived entry",
                tables: ["entry", "subscription"]),
            ChangeSample(
                .delete(entries: [entries[3], entries[0]], now: 5), undo: "Restores 2 deleted entries",
                tables: ofEntries.union(["deleted_entry"])),
            ChangeSample(
                .delete(entries: [entries[3], -1], now: 5), undo: "Restores 1 deleted entry",
                tables: ofEntries.union(["deleted_entry"])),
            ChangeSample(.storeReadingPosition(entries[0], "1"), undo: nil, tables: ["entry_content"]),
        ]
    }

    private static func pages(_ library: SampleLibrary) -> [ChangeSample] {
        [
            ChangeSample(
                .savePage(page(2), now: 5), undo: "Removes the saved page",
                tables: ["entry", "entry_content", "subscription", "counter"]),
            ChangeSample(
                .storePlaybackPosition("u", PlayedEnclosure(position: 1, duration: nil), now: 1), undo: nil,
                tables: ["played_enclosure"], isIdempotent: false),
        ]
    }
}
