import GRDB
import LibraryKernel

struct RenameFeed: FeedChange {
    static let kind = "feeds.rename"
    var feed: FeedID
    var title: String?

    var summary: String { "a new name" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = FeedWriter(db: transaction.db)
        let name = try feeds.name(of: feed)
        guard let before = try feeds.set("custom_title", title, of: feed) else { return Outcome() }
        try OutboxWriter(db: transaction.db).queue(.rename, of: feed, value: feeds.name(of: feed))
        // A server stores only one name, so undo has to send the previous name.
        let previous = try feeds.isOnServer(feed) ? before ?? name : before
        return Outcome(
            count: 1, undo: "renaming \(name)", Change(RenameFeed(feed: feed, title: previous)))
    }
}

struct MoveFeed: FeedChange {
    static let kind = "feeds.move"
    var feed: FeedID
    var folder: String?

    var summary: String { "a move to a folder" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = FeedWriter(db: transaction.db)
        let name = try feeds.name(of: feed)
        guard let before = try feeds.set("folder", folder, of: feed) else { return Outcome() }
        try OutboxWriter(db: transaction.db).queue(.move, of: feed, value: folder, previous: before)
        let words = folder.map { "moving \(name) to \($0)" } ?? "moving \(name) out of its folder"
        return Outcome(count: 1, undo: words, Change(MoveFeed(feed: feed, folder: before)))
    }
}

struct TagFeed: FeedChange {
    static let kind = "feeds.tag"
    var feed: FeedID
    var tags: [String]

    var summary: String { "a tag change" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = FeedWriter(db: transaction.db)
        let before = try feeds.tags(of: feed)
        guard Set(before) != Set(tags), try feeds.setTags(tags, of: feed) else { return Outcome() }
        let name = try feeds.name(of: feed)
        return Outcome(
            count: 1, undo: "changing the tags of \(name)", Change(TagFeed(feed: feed, tags: before)))
    }
}

struct SetFeedHeaders: FeedChange {
    static let kind = "feeds.setHeaders"
    var feed: FeedID
    var lines: [String]

    var summary: String { "header lines" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let feeds = FeedWriter(db: transaction.db)
        let name = try feeds.name(of: feed)
        let text = lines.isEmpty ? nil : lines.joined(separator: "\n")
        guard let before = try feeds.set("headers", text, of: feed) else { return Outcome() }
        let previous = before.map { $0.split(separator: "\n").map(String.init) } ?? []
        return Outcome(
            count: 1, undo: "changing the header lines of \(name)",
            Change(SetFeedHeaders(feed: feed, lines: previous)))
    }
}

struct SetFeedOptions: FeedChange {
    static let kind = "feeds.setOptions"
    var feed: FeedID
    var options: SubscriptionOptions

    var summary: String { "feed options" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let row = try Row.fetchOne(
            transaction.db, sql: "SELECT options, coalesce(custom_title, title, url) FROM subscription WHERE id = ?",
            arguments: [feed])
        guard let row else { return Outcome() }
        let before: String? = try row.at(0)
        guard before != options.stored else { return Outcome() }
        _ = try FeedWriter(db: transaction.db).restoreOptions(before: options.stored, of: feed)
        let name: String = try row.at(1)
        return Outcome(
            count: 1, undo: "changing the options of \(name)",
            Change(SetFeedOptions(feed: feed, options: SubscriptionOptions(stored: before))))
    }
}

extension Change {
    /// Renames a feed; `nil` restores the feed's own title.
    package static func rename(_ feed: FeedID, title: String?) -> Change {
        Change(RenameFeed(feed: feed, title: title))
    }

    /// Moves a feed into a folder; `nil` moves it out of its folder.
    package static func move(_ feed: FeedID, folder: String?) -> Change { Change(MoveFeed(feed: feed, folder: folder)) }

    /// Replaces the tags of a feed.
    package static func tag(_ feed: FeedID, _ tags: [String]) -> Change { Change(TagFeed(feed: feed, tags: tags)) }

    /// Sets the header lines of requests for a feed, such as a cookie.
    package static func setHeaders(_ feed: FeedID, _ lines: [String]) -> Change {
        Change(SetFeedHeaders(feed: feed, lines: lines))
    }

    /// Sets the options of a feed.
    package static func setOptions(_ feed: FeedID, _ options: SubscriptionOptions) -> Change {
        Change(SetFeedOptions(feed: feed, options: options))
    }
}
