import Feeds
import Foundation
import GRDB
import LibraryKernel

/// An account on a server that stores feeds and marks.
package struct Account: Hashable, Sendable, Identifiable {
    package var id: AccountID
    /// The name that the user chose.
    package var name: String
    package var kind: ServerKind
    /// The base address of requests.
    package var address: String
    package var user: String
    /// A reference to the password in the secrets file.
    var secret: String
    /// The instant of the last complete sync.
    package var lastSync: Instant?
    /// The reason why the last sync failed, as a sentence.
    package var error: String?
    /// A warning after a successful sync.
    package var note: String?
    var failures: Int
    /// The server's time up to which changes are known, or `nil` to fetch everything.
    var changedSince: Instant?
    /// Whether the server has a label for reading later.
    var hasLater: Bool
    /// Whether the server has labels created by the user.
    var hasLabels: Bool
    /// The instant of the last complete fetch or, for servers with lists, of the last request for labels.
    var lastFullSync: Instant?
    /// The instant of the next automatic sync after a failure.
    var nextTry: Instant?
    /// The number of changes that have not been sent.
    package var pending: Int
    /// The number of marks that the server accepted twice but did not store.
    package var refused: Int
    /// The number of feeds.
    package var feeds: Int
    /// Whether a program is syncing the account now.
    var isSyncing: Bool

    init(_ row: Row, now: Instant) throws {
        try (id, name, address, user) = (row.at("id"), row.at("name"), row.at("address"), row.at("user"))
        kind = try ServerKind(rawValue: row.at("kind")) ?? .reader
        try (secret, lastSync, error, note) = (row.at("secret"), row.at("last_sync"), row.at("error"), row.at("note"))
        try (failures, nextTry, pending) = (row.at("failures"), row.at("next_try"), row.at("pending"))
        try (refused, feeds) = (row.at("refused"), row.at("feeds"))
        try (changedSince, lastFullSync) = (row.at("changed_since"), row.at("last_whole"))
        (hasLater, hasLabels) = try (row.at("has_later"), row.at("has_labels"))
        let lockedUntil: Instant? = try row.at("locked_until")
        isSyncing = lockedUntil.map { $0 > now && $0 <= now + 3600 } ?? false
    }

    static let columns = """
        SELECT a.*, (SELECT count(*) FROM pending_mark p WHERE p.account_id = a.id AND p.sent IS NULL AND NOT p.is_refused)
            + (SELECT count(*) FROM pending_operation o WHERE o.account_id = a.id) AS pending,
            (SELECT count(*) FROM pending_mark p WHERE p.account_id = a.id AND p.is_refused) AS refused,
            (SELECT count(*) FROM subscription s WHERE s.account_id = a.id) AS feeds
        FROM account a
        """

    /// Returns the status in words, such as "synced 3 min ago · 12 to send" or "server away, next try 14:20".
    package func state(now: Instant) -> String {
        let details = details(now: now)
        let headline = headline(now: now)
        guard error != nil, !isSyncing, let first = details.first, first.hasPrefix("next try") else {
            return ([headline] + details).joined(separator: " · ")
        }
        return ([headline + ", " + first] + details.dropFirst()).joined(separator: " · ")
    }

    /// Returns the first part of the status.
    package func headline(now: Instant) -> String {
        if isSyncing { return "syncing …" }
        if let error { return error }
        return lastSync.map { "synced \(Account.ago(now.seconds(since: $0)))" } ?? "not synced yet"
    }

    /// Returns the other parts of the status.
    package func details(now: Instant) -> [String] {
        var parts: [String] = []
        if error != nil, let nextTry, nextTry > now { parts.append("next try \(Account.clock(nextTry))") }
        if pending > 0 { parts.append("\(pending) to send") }
        if refused > 0 { parts.append("\(refused) rejected") }
        if let note, error == nil { parts.append(note) }
        return parts
    }

    /// Whether the last sync found the server away, so that it may be back at any time.
    package var wasAway: Bool { error.map(ServerError.isAway) ?? false }

    /// Whether the server rejects the password, or tappa has none, such as without its environment variable.
    package var needsPassword: Bool {
        error == Account.newPasswordError || error == ServerError.passwordRefused.description
            || error?.hasPrefix(Account.noPasswordError) == true
    }

    /// The error of an account whose password was accepted before.
    static let newPasswordError = "the password is no longer accepted; Enter asks for the new one"

    /// The beginning of the error of an account whose password is unavailable.
    private static let noPasswordError = "no password; Enter asks for it"

    /// Returns the error of an account whose password is unavailable for a reason.
    static func noPassword(because reason: String) -> String { "\(noPasswordError) (\(reason))" }

    /// A sentence that says that tags aren't synced.
    package var tagWarning: String { "They stay on this machine: \(name) (\(kind.name)) has no tags" }

    private static func ago(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "just now"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        default: "\(seconds / 86_400) d ago"
        }
    }

    /// Returns a time of day such as "14:20" in the user's time zone.
    private static func clock(_ instant: Instant) -> String {
        var time = time_t(instant.seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_hour):\(two(parts.tm_min))"
    }
}

struct NewAccount: Codable, Hashable, Sendable {
    var name: String
    var kind: String
    var address: String
    var user: String
    /// A reference to the password.
    var secret: String

    init(name: String, kind: ServerKind, address: String, user: String, secret: String) {
        self.name = name
        self.kind = kind.rawValue
        self.address = address
        self.user = user
        self.secret = secret
    }
}

/// A change in the outbox.
package struct OutboxItem: Hashable, Sendable, Identifiable {
    /// The row of the change.
    package enum ID: Hashable, Sendable, Codable {
        case mark(PendingMarkID)
        case operation(PendingOperationID)
    }

    package var id: ID
    package var account: String
    /// The change in words, such as "Star: A title".
    package var title: String
    /// The instant of the change.
    package var created: Instant
    /// The reason why it is still pending, as a sentence.
    package var reason: String?
    /// Whether the server rejected it, so that the user must decide.
    package var isRefused: Bool
}
