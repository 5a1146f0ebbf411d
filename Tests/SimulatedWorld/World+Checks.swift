@testable import Feeds
import Foundation
import GRDB
@testable import LibraryKernel
@testable import ModelCore

struct WorldRow {
    var id: EntryID
    var feed: FeedID
    var title: String
    var marks: [EntryMark: Bool]
    var sortDate: Instant
    var isOfAccount: Bool
    /// The entry of a site, or `nil` for another feed's.
    var key: Reader.Key?
}

/// The promises that hold after each event.
extension World {
    func rows() throws -> [WorldRow] { try World.rows(of: observer, feeds: feeds) }

    static func rows(of library: Library, feeds: [Int: FeedID]) throws -> [WorldRow] {
        let sites = Dictionary(feeds.map { ($0.value, $0.key) }) { $1 }
        return try library.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT e.id, e.subscription_id, e.title, e.is_read, e.is_starred, e.is_later, e.sort_date,
                        s.account_id IS NOT NULL
                    FROM entry e JOIN subscription s ON s.id = e.subscription_id ORDER BY e.id
                    """
            ).map { row in
                let (feed, title): (FeedID, String) = (row[1], row[2])
                let token = title.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) }
                let key = sites[feed].flatMap { site in token.map { Reader.Key(site: site, token: $0) } }
                return WorldRow(
                    id: row[0], feed: feed, title: title, marks: [.read: row[3], .starred: row[4], .later: row[5]],
                    sortDate: row[6], isOfAccount: row[7], key: key)
            }
        }
    }

    func row(_ number: Int) -> WorldRow? {
        let rows = lastRows.filter { $0.key != nil || $0.isOfAccount }
        return rows.isEmpty ? nil : rows[number % rows.count]
    }

    func check() throws {
        try checkRequests()
        try checkRace()
        let rows = try rows()
        lastRows = rows
        var seen: Set<Reader.Key> = []
        for row in rows {
            if row.isOfAccount { try checkToldMarks(row, side: 0) }
            guard let key = row.key else { continue }
            guard seen.insert(key).inserted else { throw Violation("\(row.title) is there twice") }
            guard let entry = reader.entries[key] else { throw Violation("\(row.title) comes from nowhere") }
            if entry.presence == .deleted { throw Violation("\(row.title) was deleted, and returned") }
            for (mark, value) in entry.marks where row.marks[mark] != value {
                throw Violation("\(row.title): \(mark) is not \(value)")
            }
            reader.entries[key]?.presence = .present
        }
        for (key, entry) in reader.entries where entry.presence == .present && !seen.contains(key) {
            throw Violation("s\(key.site) t\(key.token) is missing")
        }
    }

    /// Checks what servers were asked, and what they should have been.
    func checkRequests() throws {
        let second = clock.seconds
        // Without panes only the timer reloads.
        let hasPane = !running.isEmpty
        let slack = hasPane ? 7 : timer > 0 ? timer + 2 : nil
        if !hasPane || isDiskFull || isQuiet { withoutPaneUntil = second }
        let isSeen = running.contains { $0.races.audience >= .dashboard }
        if !isSeen || isDiskFull || isQuiet { withoutViewerUntil = second }
        let since = withoutPaneUntil
        let (violation, late) = servers.with { state in
            (
                state.violations.first,
                slack.flatMap { slack in
                    state.guests.indices.first {
                        state.guests[$0].isFollowed && state.guests[$0].isLate(at: second, minutes: slack)
                    }
                }
            )
        }
        if let violation { throw Violation(violation) }
        guard let late, !isDiskFull else { return }
        // Panes ask in the first minute in which they can, unless what was stored under a wrong clock has become
        // believable in the meantime: then it holds for another day.
        let sinceJump = since.subtractingClamped(lastJump)
        let grace = (0..<10 * GoodGuest.day).contains(sinceJump) ? GoodGuest.day : 420
        if !hasPane || second > since + grace { throw Violation("second \(second): nobody has asked site \(late)") }
    }

    /// Deletes old entries as every reload does, and checks that only those go that the setting names.
    func deleteOldEntries(by program: Program) async throws {
        let now = Instant.now
        let oldest = now - Int64(World.keepDays) * 86_400
        let (due, waiting) = try observer.read { db in
            try OldEntries(days: World.keepDays, entries: 0, now: now).find(isConfirmed: false, db)
        }
        if waiting.entries > 0 { servers.reach("retention brake") }
        guard !due.isEmpty else { return }
        let before = try rows()
        guard
            let receipt = try? await program.library.changes.perform(
                Change(RetainEntries(days: World.keepDays, entries: 0, now: now)))
        else { return }
        let left = Set(try rows().map(\.id))
        let gone = before.filter { !left.contains($0.id) }
        guard !gone.isEmpty else { return }
        servers.reach("retention")
        if gone.count * 2 > before.count { throw Violation("\(gone.count) of \(before.count) entries were deleted") }
        var previous: [Reader.Key: Reader.Entry] = [:]
        for row in gone {
            if row.sortDate >= oldest || row.marks[.starred] == true || row.marks[.later] == true {
                throw Violation("\(row.title) was deleted, but no setting names it")
            }
            guard let key = row.key else { continue }
            previous[key] = reader.entries[key]
            previous[key]?.presence = .present
            reader.entries[key]?.presence = .deleted
        }
        reader.steps.append(.init(change: receipt.id, second: clock.seconds, previous: previous))
    }

    // MARK: The account

    /// Checks that a mark that only one side's user has set has that value there.
    private func checkToldMarks(_ row: WorldRow, side: Int) throws {
        for mark in [EntryMark.read, .starred] {
            let key = Reader.AccountMark(title: row.title, mark: mark)
            guard !reader.shared.contains(key), let value = reader.told[side][key] else { continue }
            if row.marks[mark] != value { throw Violation("\(row.title): \(mark) of side \(side) is not \(value)") }
        }
    }

    /// Checks after a complete sync that the library and the account's server agree.
    func checkAccount(_ library: Library) throws {
        guard try library.outbox.count() == 0 else { return }
        let entries = servers.account.with { Dictionary($0.entries.values.map { ($0.title, $0) }) { $1 } }
        for row in try World.rows(of: library, feeds: [:]) where row.isOfAccount {
            guard let entry = entries[row.title] else { throw Violation("the account has no \(row.title)") }
            if row.marks[.read] != entry.isRead || row.marks[.starred] != entry.isStarred {
                throw Violation("after a sync, \(row.title) differs from the account")
            }
        }
        servers.reach("account agrees")
    }

    // MARK: The end

    /// Lets two days pass in which nothing goes wrong, after which nothing may be missing.
    func agreeInTheEnd() async throws {
        setDiskFull(false)
        try await happen(.setClock)
        let second = clock.seconds
        servers.with { state in
            state.fault = nil
            for site in state.sites.indices {
                state.sites[site].behaviour = .fine
                state.sites[site].recordings.behaviour = .fine
            }
            state.centre.behaviour = .fine
            state.centre.fineSince = second
        }
        for pane in panes {
            if pane.frozenUntil != nil { pane.frozenUntil = clock.seconds }
            pane.interruption = nil
        }
        if panes.isEmpty { try await happen(.openPane) }
        try await happen(.pass(minutes: 2))
        try await happen(.retryRecordings(pane: 0))
        try await happen(.look(pane: 0, audience: 2))
        for _ in 0..<4 {
            try await happen(.pass(minutes: 12 * 60))
            try check()
        }
        try await happen(.syncElsewhere)
        try await happen(.syncByUser)
        try await happen(.syncElsewhere)
        try check()
        for row in try World.rows(of: elsewhere.library, feeds: [:]) where row.isOfAccount {
            try checkToldMarks(row, side: 1)
        }
        let gone = servers.with { state in Set(state.guests.indices.filter { state.guests[$0].isGone }) }
        for site in feeds.keys where !gone.contains(site) {
            for item in servers.with({ $0.sites[site].shown }) {
                guard let entry = reader.entries[.init(site: site, token: item.token)], entry.presence != .possible
                else { throw Violation("s\(site) t\(item.token) never arrived") }
            }
        }
        for download in try observer.downloads.all() where !download.isDone {
            throw Violation("\(download.url) never arrived: \(download.error ?? "it waits")")
        }
        let problems = try LibraryCheck.run(observer)
        guard problems.isEmpty else { throw Violation("the library is damaged: \(problems)") }
    }
}
