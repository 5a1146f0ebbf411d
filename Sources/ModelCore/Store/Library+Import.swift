import FeedParsing
import Fetching
import GRDB
import TerminalText
import WebAddresses

/// Queries for exporting subscriptions to other programs and for importing them.
extension Library {
    /// Returns all subscriptions for export, except saved pages.
    package func subscriptionList() throws(LibraryError) -> [ListedSubscription] {
        try read { db in
            let tags = try Row.fetchAll(db, sql: "SELECT subscription_id, tag FROM subscription_tag ORDER BY tag")
            var tagsByID: [Int64: [String]] = [:]
            for row in tags { tagsByID[try row.at(0), default: []].append(try row.at(1)) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT id, url, coalesce(custom_title, title), home_page, folder FROM subscription
                    WHERE url <> '\(SavedPage.subscription)' ORDER BY position, id
                    """
            ).map { row in
                // Other programs may print the texts in a terminal, so they are sanitized. Passwords are removed from
                // exported addresses.
                func safe(_ column: Int) throws -> String? {
                    let text: String? = try row.at(column)
                    return text.map { Sanitizer.sanitize($0) }
                }
                return try ListedSubscription(
                    url: UserInfo.split(safe(1) ?? "").address, title: safe(2), homePage: safe(3), folder: safe(4),
                    tags: (tagsByID[row.at(0)] ?? []).map { Sanitizer.sanitize($0) })
            }
        }
    }

    /// Returns the entry of the saved page with an address.
    package func savedEntry(of url: String) throws(LibraryError) -> Int64? {
        try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT e.id FROM entry e JOIN subscription s ON s.id = e.subscription_id
                    WHERE s.url = '\(SavedPage.subscription)' AND e.guid = ?
                    """, arguments: [url])
        }
    }

    /// Returns all folders and tags in use, sorted by name.
    package func foldersAndTags() throws(LibraryError) -> (folders: [String], tags: [String]) {
        try read { db in
            (
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT folder FROM subscription WHERE folder IS NOT NULL ORDER BY folder"),
                try String.fetchAll(db, sql: "SELECT DISTINCT tag FROM subscription_tag ORDER BY tag")
            )
        }
    }
}
