@testable import Feeds
import Foundation
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// What happens in a world.
extension World {
    func happen(_ event: WorldEvent) async throws {
        switch event {
        case .begin(let timer, let hasAccount, let hasRace, let isQuietAtNight):
            self.timer = timer
            if hasAccount { try await beginAccount() }
            if hasRace { try await beginRace() }
            if isQuietAtNight { quietHours = QuietHours("22-7") }
        case .pass(let minutes): try await pass(minutes)
        case .publish(let site, let count):
            let now = clock.truth
            servers.with { $0.sites[site].publish(count, at: now) }
        case .rewrite(let site): servers.with { $0.sites[site].rewrite() }
        case .renameIdentifiers(let site):
            servers.with { $0.sites[site].renameIdentifiers() }
            servers.reach("identifiers changed")
        case .behave(let site, let behaviour): servers.with { $0.sites[site].behaviour = behaviour }
        case .behavePages(let site, let behaviour): servers.with { $0.sites[site].pageBehaviour = behaviour }
        case .setFreshness(let site, let minutes): servers.with { $0.sites[site].freshness = minutes }
        case .openPane: try await openPane()
        case .closePane(let number): if let pane = pane(number) { close(pane) }
        case .killPane(let number): if let pane = pane(number) { await kill(pane) }
        case .suspendPane(let number, let minutes):
            pane(number)?.frozenUntil = clock.seconds + Int64(minutes) * 60
        case .interruptTransfer(let number, let minutes, let kills):
            pane(number)?.interruption = (Int64(minutes), kills)
        case .reloadByUser(let number):
            guard let pane = pane(number) else { return }
            try await reload(try observer.feeds.all().filter(\.isReadHere), .user, refresh: 0, by: pane)
            if hasAccount, pane.running == nil { try await sync(pane, .whole) }
        case .reloadFeed(let number, let site):
            guard let pane = pane(number), let feed = feeds[site] else { return }
            try await reload(try observer.feeds.all().filter { $0.id == feed }, .insisting, refresh: 0, by: pane)
        case .leaveWithPendingMark(let number, let entry): try await leaveWithPendingMark(number, entry)
        case .mark(let number, let entry, let mark, let value): try await self.mark(number, entry, mark, value)
        case .markFeed(let number, let site): try await markFeed(number, site)
        case .undo(let number): try await undo(number)
        case .add(let site): try await add(site)
        case .delete(let site): try await delete(site)
        case .jump(let seconds):
            clockError += seconds
            clock.jump(by: seconds)
            servers.reach(seconds < 0 ? "clock set back" : "clock set ahead")
            clockHasJumped()
        case .setClock:
            guard clockError != 0 else { return }
            clockError = 0
            clock.setRight()
            clockHasJumped()
        case .fillDisk: setDiskFull(true)
        case .emptyDisk: setDiskFull(false)
        case .changeZone(let number):
            zone = WorldZone.all[number]
            zone.use()
            servers.reach("zone changed")
        case .queueRecording, .retryRecordings, .replaceRecording, .behaveRecordings:
            try await happenToRecordings(event)
        case .behaveCentre, .look, .updateRace, .delayRace, .hideResults, .revealStage:
            if race != nil { try await happenToRace(event) }
        case .publishToAccount(let count):
            guard hasAccount else { return }
            for _ in 0..<count {
                let number = servers.account.with { $0.entries.count }
                servers.account.addEntry("Entry \(number)", feed: 1)
            }
        case .markElsewhere(let entry, let mark, let value): try await markElsewhere(entry, mark, value)
        case .syncElsewhere: if hasAccount, !isDiskFull { try await sync(elsewhere, .whole) }
        case .syncByUser:
            guard hasAccount, let program = try open() else { return }
            try await sync(program, .whole)
        case .failAccount(let fault, let request): servers.with { $0.fault = (fault, request) }
        }
    }

    private func happenToRecordings(_ event: WorldEvent) async throws {
        switch event {
        case .queueRecording(let number, let site, let recording):
            guard let pane = pane(number) else { return }
            try await queueRecording(WorldRecordings.address(site, recording), by: pane)
        case .retryRecordings(let number): if let pane = pane(number) { try await retryRecordings(by: pane) }
        case .replaceRecording(let site, let number):
            servers.with { $0.sites[site].recordings.replace(number) }
        case .behaveRecordings(let site, let behaviour):
            servers.with { $0.sites[site].recordings.behaviour = behaviour }
        default: return
        }
    }

    private func happenToRace(_ event: WorldEvent) async throws {
        let second = clock.seconds
        switch event {
        case .behaveCentre(let behaviour):
            servers.with { state in
                if behaviour == .fine, state.centre.behaviour != .fine { state.centre.fineSince = second }
                state.centre.behaviour = behaviour
            }
        case .look(let number, let audience):
            guard let pane = pane(number), let audience = RaceAudience(rawValue: audience) else { return }
            pane.races.audience = audience
            (pane.nextUpdate, looksSoon) = (second, true)
        case .updateRace(let number): if let pane = pane(number) { try await updateRace(by: pane, .user) }
        case .delayRace(let number, let seconds):
            guard let pane = pane(number) else { return }
            _ = try await perform(.delayLive(LiveDelay(seconds: seconds), now: .now), by: pane)
            delayedSince = second
        case .hideResults(let number, let hides):
            guard let pane = pane(number) else { return }
            _ = try await perform(.hideResults(hides, race: nil), by: pane)
        case .revealStage(let number, let stage):
            guard let pane = pane(number), let race else { return }
            guard try await perform(.revealStage(stage, race: race, true), by: pane) != nil else { return }
            revealed.insert(stage)
        default: return
        }
    }

    private func clockHasJumped() {
        servers.with { $0.centre.forgetRequests() }
        lastJump = clock.seconds
        looksSoon = true
        for site in feeds.keys { forget(site, delay: 86_400 + 3600, forgetsValidators: false) }
    }

    /// A pane that runs, by number.
    private func pane(_ number: Int) -> Program? {
        let running = running
        return running.isEmpty ? nil : running[number % running.count]
    }

    private func openPane() async throws {
        guard panes.count < 3, let pane = try open() else { return }
        pane.nextUpdate = clock.seconds
        panes.append(pane)
        looksSoon = true
        _ = try? await pane.library.changes.perform(EmptyTrash(age: 86_400))
    }

    func setDiskFull(_ isFull: Bool) {
        guard isFull != isDiskFull else { return }
        (isDiskFull, looksSoon) = (isFull, true)
        // A dashboard that was started on a full disk says that it stores nothing, until it is started again.
        for pane in panes where !isFull && pane.library.readOnlyReason != nil { close(pane) }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = isFull ? 4096 : limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        // What nobody could correct on a full disk after a jump may have become believable, and then holds for a day.
        let delay: Int64 = clock.seconds.subtractingClamped(lastJump) < 10 * GoodGuest.day ? GoodGuest.day + 3600 : 60
        for site in feeds.keys { forget(site, delay: delay, forgetsValidators: true) }
        if isFull { servers.reach("disk full") }
    }

    // MARK: The user

    /// Performs a change of the user, which may fail only on a full disk.
    func perform(_ change: Change, by program: Program) async throws -> Receipt? {
        do {
            return try await program.library.changes.perform(change)
        } catch {
            if isDiskFull { return nil }
            throw Violation("a change failed: \(error)")
        }
    }

    private func mark(_ number: Int, _ entry: Int, _ mark: EntryMark, _ value: Bool) async throws {
        guard let pane = pane(number), let row = row(entry) else { return }
        let change = Change.mark(mark, value, entries: [row.id], wholeStories: false, now: .now)
        guard let receipt = try await perform(change, by: pane) else { return }
        note(mark, value, of: row, receipt)
    }

    private func note(_ mark: EntryMark, _ value: Bool, of row: WorldRow, _ receipt: Receipt?) {
        guard row.marks[mark] != value else { return }
        guard let key = row.key, let entry = reader.entries[key] else {
            return reader.tell(0, row.title, mark, value)
        }
        if let receipt {
            reader.steps.append(.init(change: receipt.id, second: clock.seconds, previous: [key: entry], mark: mark))
        }
        reader.entries[key]?.marks[mark] = value
    }

    private func markFeed(_ number: Int, _ site: Int) async throws {
        guard let pane = pane(number), let feed = feeds[site] else { return }
        let rows = try rows().filter { $0.feed == feed }
        let change = Change.markAll(
            .read, true, .subscription(feed), upTo: try observer.entries.lastID(), mergesDuplicates: false, now: .now)
        guard let receipt = try await perform(change, by: pane) else { return }
        var previous: [Reader.Key: Reader.Entry] = [:]
        for row in rows where row.marks[.read] == false {
            guard let key = row.key else { continue }
            previous[key] = reader.entries[key]
            reader.entries[key]?.marks[.read] = true
        }
        if !previous.isEmpty {
            reader.steps.append(.init(change: receipt.id, second: clock.seconds, previous: previous, mark: .read))
        }
    }

    private func undo(_ number: Int) async throws {
        guard let pane = pane(number), let step = reader.steps.last else { return }
        guard let receipt = try await perform(.undo(step.change), by: pane) else { return }
        reader.steps.removeLast()
        guard receipt.count > 0 else {
            let isRecent = clock.seconds - step.second < 86_400 && step.second > lastJump
            if isRecent, step.previous.contains(where: { reader.entries[$0.key] != $0.value }) {
                throw Violation("an undo restored nothing: \(receipt.sentence ?? "")")
            }
            return
        }
        servers.reach("undone")
        if let site = step.site, let feed = step.feed {
            feeds[site] = feed
            let second = clock.seconds
            servers.with { state in
                state.guests[site].follow(at: second)
                state.guests[site].forget(at: second, delay: 86_400, forgetsValidators: true)
                // The pauses of its pages aren't restored.
                state.pages = state.pages.filter { !$0.key.hasPrefix("https://site\(site).") }
            }
            servers.reach("feed restored")
        }
        for (key, entry) in step.previous {
            if let mark = step.mark {
                reader.entries[key]?.marks[mark] = entry.marks[mark]
            } else {
                reader.entries[key] = entry
            }
        }
    }

    private func add(_ site: Int) async throws {
        guard feeds[site] == nil, !isDiskFull, let program = try open() else { return }
        let address = servers.with { $0.sites[site].address }
        let caller = Caller(program: program.number, .discovery)
        let found: FirstAnswer? = await Caller.$current.withValue(caller) {
            do throws(FeedDiscovery.Failure) {
                guard case .feed(_, _, let response?) = try await FeedDiscovery().look(at: address) else { return nil }
                return .success(response)
            } catch {
                return error.answer
            }
        }
        let change = Change.subscribe([NewSubscription(url: address)], now: .now)
        guard let found, let feed = try await perform(change, by: program)?.subscriptions.first?.id else { return }
        if case .failure = found {
            added[site] = .failure(retryAfter: nil)
        } else {
            added[site] = caller.delivery(of: site)
        }
        if site % 3 == 1 {
            var options = SubscriptionOptions()
            options.fullText = true
            _ = try await perform(.setOptions(feed, options), by: program)
        }
        feeds[site] = feed
        reader.steps.removeAll { $0.site == site }
        reader.entries = reader.entries.filter { $0.key.site != site }
        let second = clock.seconds
        servers.with { state in
            state.guests[site] = GoodGuest()
            state.guests[site].follow(at: second)
            state.pages = state.pages.filter { !$0.key.hasPrefix("https://site\(site).") }
        }
        let row = try program.library.feeds.all().filter { $0.id == feed }
        try await reload(row, .insisting, refresh: 0, answers: [feed: found], by: program)
    }

    private func delete(_ site: Int) async throws {
        guard let pane = pane(0), let feed = feeds[site],
            let receipt = try await perform(.unsubscribe(feed), by: pane)
        else { return }
        let previous = reader.entries.filter { $0.key.site == site }
        reader.entries = reader.entries.filter { $0.key.site != site }
        reader.steps.append(
            .init(
                change: receipt.id, second: clock.seconds, previous: previous, site: site,
                feed: feed))
        feeds[site] = nil
        servers.with { $0.guests[site].isFollowed = false }
    }

    private func leaveWithPendingMark(_ number: Int, _ entry: Int) async throws {
        guard !isDiskFull, let pane = pane(number), let row = row(entry) else { return }
        let value = row.marks[.read] == false
        setDiskFull(true)
        let change = Change.mark(.read, value, entries: [row.id], wholeStories: false, now: .now)
        pane.library.changes.submit(change) { _ in }
        let leaving = pane.leave()
        panes.removeAll { $0 === pane }
        setDiskFull(false)
        if case .lost(_, let reason) = leaving { throw Violation("a mark was lost on leaving: \(reason)") }
        // The next start stores it.
        if case .kept = leaving { servers.reach("journal replayed") }
        _ = try open()
        note(.read, value, of: row, nil)
    }

    // MARK: Elsewhere

    private func markElsewhere(_ entry: Int, _ mark: EntryMark, _ value: Bool) async throws {
        guard !isDiskFull else { return }
        let rows = try World.rows(of: elsewhere.library, feeds: [:]).filter(\.isOfAccount)
        guard !rows.isEmpty else { return }
        let row = rows[entry % rows.count]
        let change = Change.mark(mark, value, entries: [row.id], wholeStories: false, now: .now)
        guard try await perform(change, by: elsewhere) != nil, row.marks[mark] != value else { return }
        reader.tell(1, row.title, mark, value)
    }
}
