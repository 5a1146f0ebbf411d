import GRDB
import LibraryKernel

/// A connection of another program to an open library.
package enum OtherProgram {
    /// Connects to a library; transactions may stay open.
    ///
    /// A library that was just released may still be closing, so the connection waits for a lock for at most ten
    /// seconds.
    package static func connect(to path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try StoredText.addTokenizer(to: $0) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Connects to a library and locks it until the connection is released.
    package static func lock(_ path: String) throws -> DatabaseQueue {
        let other = try connect(to: path)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return other
    }

    /// Executes SQL in a database.
    package static func execute(_ sql: String, _ arguments: StatementArguments = [], at path: String) throws {
        let other = try connect(to: path)
        try other.write { try $0.execute(sql: sql, arguments: arguments) }
        try other.close()
    }

    /// Makes all feeds, accounts and followed races of a library due for an automatic reload, as after some days.
    package static func makeFeedsDue(at path: String) throws {
        try execute(
            """
            UPDATE subscription SET last_fetched = NULL, next_fetch = NULL, not_before = NULL;
            UPDATE race_source SET next_fetch = NULL;
            UPDATE account SET last_sync = last_sync - 86400, next_try = NULL
            """, at: path)
    }

    /// SQL that creates the table of entries in newsboat's cache.
    package static let newsboatItems = """
        CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid TEXT, title TEXT, author TEXT, url TEXT, feedurl TEXT,
            pubDate INTEGER, content TEXT, unread INTEGER, enclosure_url TEXT, enclosure_type TEXT, enqueued INTEGER,
            flags TEXT, deleted INTEGER);
        """
}
