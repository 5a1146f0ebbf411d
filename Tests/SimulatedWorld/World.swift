@testable import Accounts
@testable import Feeds
import Fetching
import Foundation
import GRDB
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
import Synchronization

/// A library that several programs use for weeks, with servers and an account, in simulated time.
@MainActor
final class World {
    struct Violation: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    let clock = WorldClock()
    let servers: WorldServers
    let folder: URL
    /// Reads the library for checks.
    let observer: Library
    /// The library of another computer with the same account.
    let elsewhere: Program
    var panes: [Program] = []
    /// The panes that aren't suspended.
    var running: [Program] { panes.filter { $0.frozenUntil == nil } }
    var killed: [Program] = []
    var programs = 0
    var feeds: [Int: FeedID] = [:]
    var reader = Reader()
    /// The number of seconds by which the clock is wrong.
    var clockError: Int64 = 0
    /// The second of the clock's last jump.
    var lastJump = Int64.min
    /// Whether panes look in the next minute for something new, such as a clock that has jumped.
    var looksSoon = false
    /// The last second in which no pane was running, or could store anything.
    var withoutPaneUntil: Int64 = 0
    var isDiskFull = false
    /// The days for which entries are kept.
    static let keepDays = 5
    /// The number of minutes between runs of `tappa reload --quiet`, or 0 if no timer runs it.
    var timer = 0
    /// The program of the timer's last run, and in how many runs it was used.
    private var ofTimer: (program: Program, runs: Int)?
    var hasAccount = false
    /// The identifier of the race, if there is one, and its revealed stages.
    var race: String?
    var revealed: Set<Int> = []
    /// The second of the last change of the delay, and the last in which no running pane was looked at.
    var delayedSince: Int64 = 0
    var withoutViewerUntil: Int64 = 0
    /// The second from which a recording has waited, although a pane could download it.
    var waitsSince: Int64?
    /// When the recordings that were found whole were written, by path.
    var wholeFiles: [String: Date] = [:]
    /// The hours in which nothing is requested automatically.
    var quietHours: QuietHours?
    var zone = WorldZone.all[0]
    /// The entries at the last check.
    var lastRows: [WorldRow] = []

    /// Whether panes request nothing automatically at present.
    var isQuiet: Bool { quietHours?.contain(.now) == true }

    var path: String { folder.appendingPathComponent("library.db").path }

    init(in parent: URL) async throws {
        folder = parent.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        Clock.simulate(clock)
        zone.use()
        servers = WorldServers(clock)
        let servers = servers
        SimulatedNetwork { (request) throws(FetchError) in try await servers.answer(request) }.use()
        observer = try Library(path: folder.appendingPathComponent("library.db").path)
        elsewhere = try Program(-1, path: folder.appendingPathComponent("elsewhere.db").path)
    }

    /// Adds the account to both libraries.
    func beginAccount() async throws {
        hasAccount = true
        servers.account.addFeed("Account", url: "https://example.org/feed", folder: "News")
        for library in [observer, elsewhere.library] {
            let secret = try library.secrets.keep(Secret(user: "alice", password: .kept("secret")))
            let account = NewAccount(
                name: "home", kind: .freshrss, address: WorldServers.account, user: "alice", secret: secret)
            try await library.changes.perform(.addAccount(account))
        }
    }

    nonisolated static let isTraced = ProcessInfo.processInfo.environment["WORLD_TRACE"] != nil

    /// Lets events happen, and checks all promises after each.
    ///
    /// - Returns: The index of the event that broke a promise, and which one, or `nil`.
    static func run(_ events: [WorldEvent], in parent: URL, states: inout [String: Int]) async throws -> (
        Int, String
    )? {
        let world = try await World(in: parent)
        var failure: (Int, String)?
        for (index, event) in events.enumerated() {
            do {
                if isTraced { print(world.clock.seconds, event) }
                try await world.happen(event)
                if event.concernsLibrary { try world.check() }
            } catch {
                failure = (index, "\(error)")
                break
            }
        }
        if failure == nil {
            do { try await world.agreeInTheEnd() } catch { failure = (events.count, "\(error)") }
        }
        states.merge(world.servers.with { $0.states }) { $0 + $1 }
        states["requests", default: 0] += world.servers.with { $0.requests }
        await world.end()
        return failure
    }

    func end() async {
        setDiskFull(false)
        for program in panes + killed {
            program.running?.task.cancel()
            program.running?.caller.release()
            await program.running?.task.value
        }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Time

    /// Lets minutes pass. Panes look each minute for what is due; the minutes in which nothing can be due are skipped.
    func pass(_ minutes: Int) async throws {
        let end = clock.seconds + Int64(minutes) * 60
        while clock.seconds < end {
            let wasQuiet = isQuiet
            clock.pass(.seconds(nextMoment(before: end) - clock.seconds))
            // The quiet hours may have lasted until now.
            if wasQuiet { withoutPaneUntil = clock.seconds }
            for pane in panes { try await tick(pane) }
            if timer > 0, clock.seconds / 60 % Int64(timer) == 0 { try await reloadQuietly() }
            try checkRequests()
            try checkQueue()
        }
    }

    /// The next minute in which something may happen, or must not yet happen.
    private func nextMoment(before end: Int64) -> Int64 {
        let now = clock.seconds
        var moments = [end]
        for pane in panes { moments += [pane.frozenUntil ?? (hasAccount ? pane.nextSync : end)] }
        if race != nil { moments += running.map(\.nextUpdate) }
        if !running.isEmpty {
            let due = servers.with { $0.guests.filter { $0.isFollowed && !$0.isGone }.map(\.nextRequest) }
            for second in due { moments += second > now + 60 ? [second - 60] : [second > now ? second : now + 300] }
        }
        if looksSoon { moments.append(now + 60) }
        looksSoon = false
        if isQuiet { moments = moments.filter { $0 >= now + 1800 } + [now + 1800] }
        if timer > 0 { moments.append((now / 60 / Int64(timer) + 1) * Int64(timer) * 60) }
        let next = moments.filter { $0 > now }.min() ?? end
        return min(end, max(now + 60, (next + 59) / 60 * 60))
    }

    private func tick(_ pane: Program) async throws {
        if let end = pane.frozenUntil {
            guard clock.seconds >= end else { return }
            pane.frozenUntil = nil
            if let running = pane.running {
                running.caller.release()
                await running.task.value
                pane.running = nil
            }
        }
        try await download(by: pane)
        guard running.contains(where: { $0 === pane }) else { return }
        if let quietHours, abs(clockError) < 86_400 {
            let hour = zone.hour(.now)
            guard quietHours.contain(.now) == (hour >= 22 || hour < 7) else {
                throw Violation("in zone \(zone.name) it isn't \(hour) h at \(Instant.now.seconds)")
            }
        }
        if isQuiet { return }
        if race != nil, clock.seconds >= pane.nextUpdate {
            try await updateRace(by: pane, .timer)
            guard running.contains(where: { $0 === pane }) else { return }
        }
        let due = (try? pane.library.feeds.due(refresh: 60, now: .now)) ?? []
        if !due.isEmpty { try await reload(due, .timer, refresh: 60, by: pane) }
        guard running.contains(where: { $0 === pane }) else { return }
        if hasAccount, clock.seconds >= pane.nextSync {
            let isStart = pane.nextSync == 0
            // Less often than a dashboard, because each sync takes milliseconds.
            pane.nextSync = clock.seconds + 4 * SyncService.interval
            try await sync(pane, .timer, isOccasion: isStart)
        }
        guard hasAccount else { return }
        let pending = (try? pane.library.outbox.count()) ?? 0
        if pending > pane.pending { try await sync(pane, .send, isOccasion: true) }
        pane.pending = pending
    }

    /// Does what `tappa reload --quiet` does.
    private func reloadQuietly() async throws {
        guard let program = try programOfTimer() else { return }
        let all = (try? program.library.feeds.all().filter(\.isReadHere)) ?? []
        try await reload(all, .timer, refresh: 59, by: program)
        if hasAccount { try await sync(program, .timer) }
        if race != nil, program.running == nil { try await updateRace(by: program, .timer) }
    }

    /// Starts the program of a timer's run. Most runs use that of the last one, because opening a library takes longer than
    /// a reload.
    private func programOfTimer() throws -> Program? {
        if let last = ofTimer, last.runs < 8, !isDiskFull {
            ofTimer?.runs += 1
            return last.program
        }
        let program = try open()
        ofTimer = program.flatMap { $0.library.readOnlyReason == nil ? ($0, 1) : nil }
        return program
    }

    // MARK: Programs

    /// Starts a program, which may fail only on a full disk.
    func open() throws -> Program? {
        programs += 1
        do {
            let program = try Program(programs, path: path)
            for notice in program.library.notices where notice.contains("restored") || notice.contains("journal") {
                servers.reach("journal replayed")
            }
            return program
        } catch {
            if isDiskFull { return nil }
            throw Violation("a program doesn't start: \(error)")
        }
    }

    /// Runs an operation until it ends or the program is interrupted.
    func run(
        _ program: Program, _ reason: Caller.Reason, feeds: Int, _ body: @escaping @Sendable (Caller) async -> Void
    ) async -> Caller {
        let caller = Caller(program: program.number, reason, holdsNext: program.interruption != nil)
        let task = Task { await Caller.$current.withValue(caller) { await body(caller) } }
        guard let (minutes, kills) = program.interruption else {
            await task.value
            return caller
        }
        let isDone = Flag()
        Task.detached {
            await task.value
            isDone.set()
        }
        while !isDone.isSet, !(caller.isHeld && caller.settled >= feeds) {
            try? await Task.sleep(for: .microseconds(100))
        }
        guard caller.isHeld else { return caller }
        program.interruption = nil
        program.running = Program.Operation(caller: caller, task: task)
        if kills { await kill(program) } else { program.frozenUntil = clock.seconds + minutes * 60 }
        servers.reach(kills ? "killed in a transfer" : "suspended in a transfer")
        return caller
    }

    /// Reloads feeds as a dashboard or command does, and then does what follows a reload.
    func reload(
        _ feeds: [SubscriptionRow], _ reason: ReloadReason, refresh: Int, answers: [FeedID: FirstAnswer] = [:],
        by program: Program
    ) async throws {
        let service = program.reloads
        let own: Caller.Reason =
            switch reason {
            case .timer: .timer
            case .user: .user
            case .insisting: .insisting
            }
        let caller = await run(program, own, feeds: feeds.count) { caller in
            try? await service.reload(feeds, reason: reason, refresh: refresh, answers: answers) { outcome in
                caller.report()
                await self.note(outcome, caller)
            }
        }
        noteLost(caller)
        guard program.running == nil else { return }
        _ = await Caller.$current.withValue(caller) { await RuleTaskService(library: program.library).work() }
        try await deleteOldEntries(by: program)
    }

    private func noteLost(_ caller: Caller) {
        // What isn't reported was lost with the program, or the library can't be written to.
        guard isDiskFull else { return }
        for site in caller.asked { forget(site, delay: 60, forgetsValidators: true) }
    }

    /// Records what a program has stored of a feed.
    private func note(_ outcome: ReloadOutcome, _ caller: Caller) {
        guard let site = feeds.first(where: { $0.value == outcome.subscription.id })?.key else { return }
        if case .heldBack(let reason) = outcome.result {
            if reason.contains("another program") { servers.reach("shared with another program") }
            if reason.contains("asked to wait") { servers.reach("Retry-After kept") }
            return
        }
        guard let delivery = caller.delivery(of: site) ?? (caller.reason == .insisting ? added[site] : nil) else {
            return
        }
        if isDiskFull { return forget(site, delay: 60, forgetsValidators: true) }
        note(delivery, of: site)
    }

    /// What looking for a feed has brought.
    var added: [Int: WorldSite.Delivery] = [:]

    private func note(_ delivery: WorldSite.Delivery, of site: Int) {
        let second = clock.seconds
        if World.isTraced { print("  \(second): site \(site) answered \(delivery)") }
        let shown = servers.with { state in
            state.guests[site].store(delivery, of: state.sites[site], at: second, clockError: clockError)
            return state.sites[site]
        }
        switch delivery {
        case .whole(let tokens): for token in tokens { reader.arrive(site, token, isSure: true) }
        case .cut(let tokens):
            for token in tokens { reader.arrive(site, token, isSure: false) }
            servers.reach("cut document")
        case .gone: servers.reach("gone")
        case .unchanged: if shown.behaviour == .newTag { servers.reach("304 with a new tag") }
        case .failure(let wait): if wait != nil { servers.reach("Retry-After") }
        }
    }

    /// Records that nobody knows what was stored of a site, such as on a full disk or after a jump of the clock.
    func forget(_ site: Int, delay: Int64, forgetsValidators: Bool) {
        let second = clock.seconds
        let shown = servers.with { state in
            state.guests[site].forget(at: second, delay: delay, forgetsValidators: forgetsValidators)
            (state.hosts, state.pages) = ([:], [:])
            return state.sites[site].shown
        }
        if forgetsValidators { for item in shown { reader.arrive(site, item.token, isSure: false) } }
    }

    func sync(_ program: Program, _ extent: SyncService.Extent, isOccasion: Bool = false) async throws {
        let syncs = program.syncs
        let outcomes = Outcomes<SyncOutcome>()
        _ = await run(program, .account, feeds: 1) { caller in
            try? await syncs.syncAll(extent, isOccasion: isOccasion) { outcomes.add($1) }
        }
        for case .heldBack(let reason) in outcomes.all where reason.contains("another program") {
            servers.reach("sync left to another program")
        }
        if case .done(let added, let sent) = outcomes.all.first, extent == .whole || added + sent > 0, extent != .send,
            !isDiskFull
        {
            try checkAccount(program.library)
        }
    }

    /// Closes a pane as its dashboard does.
    func close(_ pane: Program) {
        panes.removeAll { $0 === pane }
        _ = pane.leave()
    }

    /// Ends a program without a word, while its request is on its way.
    func kill(_ program: Program) async {
        program.isKilled = true
        panes.removeAll { $0 === program }
        killed.append(program)
        guard let caller = program.running?.caller else { return }
        // Its file isn't locked any more.
        if caller.reason == .recording {
            program.running?.task.cancel()
            caller.release(isKilled: true)
            await program.running?.task.value
        }
        // Its claims name a process that no longer runs. Those of other programs hold.
        let claimed = caller.asked.compactMap { feeds[$0] }
        try? observer.changes.prepare { db in
            for feed in claimed {
                try db.execute(
                    sql: "UPDATE subscription SET claimant = 999999999 WHERE id = ? AND claimed IS NOT NULL",
                    arguments: [feed])
            }
        }
        let second = clock.seconds
        for site in caller.asked { servers.with { $0.guests[site].loseRequest(at: second) } }
    }
}

/// A Boolean value that another thread sets.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}

/// A time zone without a file, by an independent reading of POSIX.
struct WorldZone: Sendable {
    var name: String
    var offset: Int64
    /// Whether daylight saving begins on 27 November at 2:00 and ends on 7 December.
    var hasDaylightSaving = false

    static let all = [
        WorldZone(name: "UTC0", offset: 0), WorldZone(name: "AAA-14", offset: 14 * 3600),
        WorldZone(name: "BBB11", offset: -11 * 3600),
        WorldZone(name: "CCC-1DDD,330/2,340/3", offset: 3600, hasDaylightSaving: true),
    ]

    func use() {
        setenv("TZ", name, 1)
        tzset()
    }

    /// The hour of the day of an instant in 2026.
    func hour(_ instant: Instant) -> Int64 {
        let local = instant.seconds + offset
        // 27 November 2026, 2:00, in standard time.
        let isSaving = hasDaylightSaving && (1_795_744_800..<1_795_744_800 + 10 * 86_400).contains(local)
        return (local + (isSaving ? 3600 : 0)) % 86_400 / 3600
    }
}

/// The outcomes of updates or of a sync.
final class Outcomes<Outcome: Sendable>: Sendable {
    private let value = Mutex<[Outcome]>([])
    var all: [Outcome] { value.withLock { $0 } }
    func add(_ outcome: Outcome) { value.withLock { $0.append(outcome) } }
}
