import GRDB
import LibraryKernel

/// The stored data for requests of a feed.
struct StoredRequest {
    var url: String
    var etag: String?
    var lastModified: String?
    /// The user's own header lines, such as a cookie.
    var headers: [String]
    var nextFetch: Instant?
    var notBefore: Instant?
    var isGone: Bool
    var options: SubscriptionOptions
    /// Whether the address may run a program.
    var runsProgram: Bool
}

extension FeedStore {
    /// Returns the request data of subscriptions, including the validators of earlier responses.
    ///
    /// Subscriptions that no longer exist are missing from the result.
    func requests(for subscriptions: [FeedID]) throws(LibraryError) -> [FeedID: StoredRequest] {
        try store.read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT id, url, etag, last_modified, headers, next_fetch, not_before, is_gone, options, runs_program
                    FROM subscription WHERE id IN (SELECT value FROM json_each(?))
                    """)
            var requests: [FeedID: StoredRequest] = [:]
            for row in try Row.fetchAll(
                find, arguments: ["[" + subscriptions.map(String.init).joined(separator: ",") + "]"])
            {
                let headers: String? = try row.at(4)
                requests[try row.at(0)] = try StoredRequest(
                    url: row.at(1), etag: row.at(2), lastModified: row.at(3),
                    headers: headers.map { $0.split(separator: "\n").map(String.init) } ?? [], nextFetch: row.at(5),
                    notBefore: row.at(6), isGone: row.at(7), options: SubscriptionOptions(stored: row.at(8)),
                    runsProgram: row.at(9))
            }
            return requests
        }
    }
}
