import FeedParsing
import GRDB

/// What an import has done.
package struct ImportResult: Hashable, Sendable {
    /// Addresses that were not there before.
    package var added: [String] = []
    /// How many were there already; they stay as they are.
    package var known = 0
}

extension Library {
    /// Takes over a list of subscriptions, whole or not at all; those that are there already stay as they are.
    package func add(_ list: [ListedSubscription], now: Int64) throws(LibraryError) -> ImportResult {
        try writeNow { db in
            var result = ImportResult()
            for item in list {
                if try Int64.fetchOne(
                    db, sql: "SELECT id FROM subscription WHERE url = ?1 OR former_url = ?1", arguments: [item.url])
                    != nil
                {
                    result.known += 1
                    continue
                }
                try db.execute(
                    sql: """
                        INSERT INTO subscription (url, custom_title, folder, home_page, added, position)
                        VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM subscription))
                        """, arguments: [item.url, item.title, item.folder, item.homePage, now])
                let id = db.lastInsertedRowID
                for tag in item.tags {
                    try db.execute(sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [id, tag])
                }
                result.added.append(item.url)
            }
            return result
        }
    }

    /// All subscriptions as a list for other programs.
    package func subscriptionList() throws(LibraryError) -> [ListedSubscription] {
        try read { db in
            let tags = try Row.fetchAll(db, sql: "SELECT subscription_id, tag FROM subscription_tag ORDER BY tag")
            var tagsByID: [Int64: [String]] = [:]
            for row in tags { tagsByID[row[0], default: []].append(row[1]) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT id, url, coalesce(custom_title, title), home_page, folder FROM subscription
                    ORDER BY position, id
                    """
            ).map { row in
                ListedSubscription(
                    url: row[1], title: row[2], homePage: row[3], folder: row[4], tags: tagsByID[row[0]] ?? [])
            }
        }
    }

    // MARK: Order

    /// Names a feed otherwise, or moves it into a folder; `nil` goes back to the feed's own name, or to no folder.
    package func rename(_ subscription: Int64, title: String?, folder: String?) throws(LibraryError) -> UndoStep? {
        try writeNow { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql:
                        "SELECT custom_title, folder, coalesce(custom_title, title, url) FROM subscription WHERE id = ?",
                    arguments: [subscription])
            else { return nil }
            try db.execute(
                sql: "UPDATE subscription SET custom_title = ?, folder = ? WHERE id = ?",
                arguments: [title, folder, subscription])
            let name: String = row[2]
            return UndoStep(
                action: .rename(subscription: subscription, title: row[0], folder: row[1]),
                explanation: "Gives \(name) its name and folder back")
        }
    }

    /// Gives a feed these tags and no others.
    package func setTags(_ tags: [String], of subscription: Int64) throws(LibraryError) {
        try writeNow { db in
            try db.execute(sql: "DELETE FROM subscription_tag WHERE subscription_id = ?", arguments: [subscription])
            for tag in tags where !tag.isEmpty {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [subscription, tag])
            }
        }
    }

    /// All folders and tags that are in use, by name.
    package func foldersAndTags() throws(LibraryError) -> (folders: [String], tags: [String]) {
        try read { db in
            (
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT folder FROM subscription WHERE folder IS NOT NULL ORDER BY folder"),
                try String.fetchAll(db, sql: "SELECT DISTINCT tag FROM subscription_tag ORDER BY tag")
            )
        }
    }

    /// Sets the header lines that a feed is asked with, such as a cookie or an authorisation.
    package func setHeaders(_ headers: [String], of subscription: Int64) throws(LibraryError) {
        try writeNow { db in
            try db.execute(
                sql: "UPDATE subscription SET headers = ? WHERE id = ?",
                arguments: [headers.isEmpty ? nil : headers.joined(separator: "\n"), subscription])
        }
    }
}
