import GRDB
import LibraryKernel

/// When pages that could not be fetched are requested again.
enum PagePauses {
    /// The pauses after the first failure of a page or host, which double with each further one, and the longest.
    private static let first: Int64 = 3600, longest: Int64 = 30 * 86_400
    /// The number of silent answers in a row from which on a host is left alone.
    private static let silences = 2

    /// Whether a stored pause still lasts. A longer one than its failures or a server can cause comes from a wrong clock.
    static func holds(_ until: Instant, failures: Int, now: Instant) -> Bool {
        until > now && until <= max(page(failures: failures, now: now), now + FetchSchedule.longest)
    }

    /// Returns the end of a page's pause.
    ///
    /// - Parameter failures: The number of failures in a row.
    static func page(failures: Int, now: Instant) -> Instant {
        now + min(longest, first << Int64(min(max(0, failures - 1), 10)))
    }

    /// Returns the end of a host's pause, or `nil` if its other pages are requested nevertheless.
    ///
    /// - Parameter failures: The number of failures of the host in a row.
    static func host(_ scope: PageService.Failure.Scope, failures: Int, now: Instant) -> Instant? {
        switch scope {
        case .page: nil
        case .silentHost: failures < silences ? nil : page(failures: failures - 1, now: now)
        case .busyHost(let retryAfter):
            FetchSchedule.retryAfter(retryAfter, now: now) ?? page(failures: failures, now: now)
        }
    }
}

/// Records that a page could not be fetched.
struct NotePageFailure: MaintenanceStep {
    let entry: EntryID
    let host: String
    let scope: PageService.Failure.Scope
    let now: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        let failures = try failures("page_pause", "entry_id", entry, db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO page_pause SELECT id, ?, ? FROM entry WHERE id = ?",
            arguments: [failures, PagePauses.page(failures: failures, now: now), entry])
        guard scope != .page else { return Outcome() }
        let ofHost = try self.failures("host_pause", "host", host, db)
        let until = PagePauses.host(scope, failures: ofHost, now: now) ?? now
        try db.execute(sql: "INSERT OR REPLACE INTO host_pause VALUES (?, ?, ?)", arguments: [host, ofHost, until])
        return Outcome()
    }

    private func failures(
        _ table: String, _ key: String, _ value: some DatabaseValueConvertible, _ db: Database
    ) throws -> Int {
        let before = try Int.fetchOne(db, sql: "SELECT failures FROM \(table) WHERE \(key) = ?", arguments: [value])
        return min(before ?? 0, 1000) + 1
    }
}

extension EntryStore {
    /// Whether the pages of a host are left alone for now.
    func isPaused(host: String, now: Instant) throws(LibraryError) -> Bool {
        try store.read { db in
            let pause = try Row.fetchOne(
                db, sql: "SELECT until, failures FROM host_pause WHERE host = ?", arguments: [host])
            return try pause.map { try PagePauses.holds($0.at(0), failures: $0.at(1), now: now) } ?? false
        }
    }

    /// Returns the entries of a feed, newest first, whose pages may be fetched for their full text.
    ///
    /// Pages and hosts whose pauses last are left out, so that they block no others.
    func withoutFullText(of subscription: FeedID, maximum: Int, now: Instant) throws(LibraryError) -> [(
        id: EntryID, link: String
    )] {
        try store.read { db in
            let hosts = try Row.fetchAll(db, sql: "SELECT host, until, failures FROM host_pause").filter {
                try PagePauses.holds($0.at(1), failures: $0.at(2), now: now)
            }
            let paused = Set(try hosts.map { try $0.at(0) as String })
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT e.id, c.link, p.until, p.failures FROM entry e JOIN entry_content c ON c.entry_id = e.id
                        LEFT JOIN page_pause p ON p.entry_id = e.id
                    WHERE e.subscription_id = ? AND c.full_html IS NULL AND c.link LIKE 'http%'
                    ORDER BY e.sort_date DESC, e.id DESC
                    """, arguments: [subscription])
            var found: [(id: EntryID, link: String)] = []
            while found.count < maximum, let row = try rows.next() {
                let link: String = try row.at(1)
                if let until: Instant = try row.at(2),
                    PagePauses.holds(until, failures: try row.at(3), now: now)
                {
                    continue
                }
                if paused.contains(FullTextService.host(of: link)) { continue }
                found.append((try row.at(0), link))
            }
            return found
        }
    }
}
