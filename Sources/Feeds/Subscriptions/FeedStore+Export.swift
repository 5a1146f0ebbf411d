import FeedParsing
import Fetching
import GRDB
import LibraryKernel
import TerminalText
import WebAddresses

extension FeedStore {
    /// Returns all subscriptions for export, except saved pages.
    package func list() throws(LibraryError) -> [ListedSubscription] {
        try store.read { db in
            let tags = try Row.fetchAll(db, sql: "SELECT subscription_id, tag FROM subscription_tag ORDER BY tag")
            var tagsByID: [FeedID: [String]] = [:]
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
}
