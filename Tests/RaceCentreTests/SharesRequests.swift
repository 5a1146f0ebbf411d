import CommonTesting
import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races
@testable import StagesSegment

/// Programs that use one library share the requests for its races.
@Suite struct SharesRequests {
    /// A program that uses the library.
    private struct Session {
        let library: Library
        let service: RaceFollowService

        init(_ path: String, _ centre: LoopbackCentre, _ audience: RaceAudience, _ gate: Gate?) throws {
            library = try Library(path: path)
            library.attach(KnownRaceReader { centre.races })
            service = RaceFollowService(
                library: library, clock: { centre.now },
                pause: { seconds in
                    try await gate?.wait()
                    centre.now += seconds
                })
            service.audience = audience
        }

        func follow(_ address: String) async throws {
            try await library.changes.perform(try await service.read(address).change)
        }

        @discardableResult
        func update(_ reason: ReloadService.Reason = .timer) async throws -> RaceUpdate {
            try #require(try await service.update(reason: reason).first)
        }

        var subscription: RaceSubscription { get throws { try #require(try library.races.subscriptions().first) } }

        var groups: [Int?]? {
            get throws {
                let race = try #require(try library.races.all().first)
                return try library.races.live(of: 1, in: race.id)?.groups?.map(\.gap)
            }
        }
    }

    /// Holds the pauses of a program until the test opens it.
    private final class Gate: Sendable {
        private let state = Mutex((isWaiting: false, isOpen: false))

        var isWaiting: Bool { state.withLock { $0.isWaiting } }

        func open() { state.withLock { $0.isOpen = true } }

        func wait() async throws {
            state.withLock { $0.isWaiting = true }
            while !state.withLock({ $0.isOpen }) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    private let folder = TemporaryFolder()
    private let centre: LoopbackCentre

    /// Two hours after the start of the first stage.
    private static let start = Invented.instant("15:00:00")

    init() throws {
        centre = try LoopbackCentre(now: SharesRequests.start)
        centre.serve("stage-2026", Invented.body(Invented.stage(1), Invented.stage(2)))
        centre.serve("team-2026", Invented.body(Invented.team()))
        centre.serve("allCompetitors-2026", Invented.body(Invented.rider(1), Invented.rider(2)))
        serveGroups(gap: 84)
        centre.serve("insights-2026-1", Invented.body(Invented.insights()))
    }

    private func serveGroups(gap: Int) {
        let groups = [
            Invented.group(0, "Tête de la course", size: 1, bibs: [1]),
            Invented.group(1, "Peloton", gap: gap, togo: 51_000, size: 1, bibs: [2]),
        ]
        centre.serve("pack-2026-1", Invented.body(Invented.groups(at: "14:59:00", groups)))
    }

    private func session(_ audience: RaceAudience, _ gate: Gate? = nil) throws -> Session {
        try Session(folder.path("l.sqlite"), centre, audience, gate)
    }

    /// Returns a program that follows the race and has read everything that is due.
    private func follower(_ audience: RaceAudience) async throws -> Session {
        let session = try session(audience)
        try await session.follow(centre.address)
        try await session.service.updateCompletely(centre.address) { _ in }
        return session
    }

    /// Lets the programs look for due races every five seconds, one after the other.
    ///
    /// - Returns: The requests.
    private func play(_ seconds: Int64, _ sessions: Session...) async throws -> [(bind: String, at: Instant)] {
        let (count, end) = (centre.log.count, centre.now + seconds)
        while centre.now < end {
            for session in sessions { try await session.update() }
            centre.now += 5
        }
        return Array(centre.log.dropFirst(count))
    }

    private func instants(_ bind: String, _ log: [(bind: String, at: Instant)]) -> [Instant] {
        log.filter { $0.bind == bind }.map(\.at)
    }

    private func isHeldBack(_ update: RaceUpdate, _ reason: String = "another program updates it") -> Bool {
        if case .heldBack(reason) = update.result { true } else { false }
    }

    // MARK: One program asks

    @Test func oneProgramAsksAndTheOthersReadWhatItStored() async throws {
        let asking = try await follower(.livePage)
        let reading = try session(.livePage)
        let holder = try asking.subscription.reservation?.holder
        // The other program always looks first.
        let log = try await play(600, reading, asking)
        for bind in ["insights-2026-1", "pack-2026-1"] {
            let instants = instants(bind, log)
            #expect((13...22).contains(instants.count), "\(bind) \(instants)")
            #expect(
                zip(instants.dropFirst(), instants).allSatisfy { $0.seconds(since: $1) >= 27 }, "\(bind) \(instants)")
        }
        // A program that begins to ask must read the schedule of the stages.
        #expect(!log.contains { $0.bind == "stage-2026" })
        #expect(try asking.subscription.reservation?.holder == holder)
        serveGroups(gap: 95)
        _ = try await play(60, reading, asking)
        #expect(try reading.groups == [0, 95])
    }

    /// A user's request and a user who sees more wait for an update under way.
    @Test func nobodyInterruptsAnUpdate() async throws {
        _ = try await follower(.dashboard)
        centre.now += 60
        let gate = Gate()
        let asking = try session(.dashboard, gate)
        let other = try session(.livePage)
        async let update = asking.update()
        #expect(await eventually { gate.isWaiting })
        let count = centre.log.count
        for reason in [ReloadService.Reason.timer, .user] { #expect(isHeldBack(try await other.update(reason))) }
        #expect(centre.log.count == count)
        gate.open()
        #expect(try await update.error == nil)
        #expect(centre.log.count > count)
    }

    /// Every pane has a timer; the first to reserve the update of a race file makes the request.
    @Test func oneProgramRequestsARaceFile() async throws {
        let file = Array(
            #"{"race": "Volta", "year": 2026, "stages": [{"number": 1, "start": "Porto", "finish": "Lisbon"}]}"#.utf8)
        centre.serve("volta.json", file)
        let address = centre.server.url("/api/volta.json")
        let (one, other) = (try session(.dashboard), try session(.livePage))
        try await one.follow(address)
        // A program that has reserved the update and was killed.
        let claim = ClaimRaceUpdate(
            address: address, seen: try one.subscription.nextFetch, holder: "killed", rank: 0, now: centre.now)
        #expect(try await one.library.changes.perform(claim).count == 1)
        #expect(try await one.library.changes.perform(claim).count == 0)
        let requests = centre.log.count
        #expect(isHeldBack(try await one.update()) && centre.log.count == requests)
        centre.now += RaceReservation.updateDuration
        // While the server takes its time, another program sees that the race is being updated.
        centre.serve("volta.json", .init(body: file, delay: 2000))
        async let update = one.update()
        #expect(await eventually { centre.log.count == requests + 1 })
        #expect(isHeldBack(try await other.update()))
        #expect(centre.log.count == requests + 1)
        #expect(try await update.error == nil)
        #expect(try one.subscription.reservation == nil)
    }

    // MARK: Takeover

    @Test func anotherProgramTakesOverSoon() async throws {
        let first = try await follower(.livePage)
        _ = try await play(120, first)
        let (second, end) = (try session(.livePage), centre.now)
        serveGroups(gap: 95)
        let log = try await play(600, second)
        // At most the pause between two requests and the time for which others wait.
        let instants = instants("pack-2026-1", log)
        #expect((instants.first ?? .distantFuture).seconds(since: end) <= 33 + 20 + 15, "\(instants)")
        #expect(instants.count >= 11 && log.count { $0.bind == "stage-2026" } == 1, "\(log)")
        #expect(try second.groups == [0, 95])
        // What the first has counted still counts.
        #expect(try second.subscription.plan?.requests(at: centre.now) == centre.log.count)
    }

    @Test func requestsOfAKilledProgramCount() async throws {
        _ = try await follower(.livePage)
        centre.now += 60
        // It is killed between two requests of an update.
        let gate = Gate()
        let killed = try session(.livePage, gate)
        let count = centre.log.count
        let update = Task { try await killed.update() }
        let other = try session(.livePage)
        #expect(await eventually { gate.isWaiting })
        #expect(centre.log.count == count + 1)
        #expect(try other.subscription.plan?.requests(at: centre.now) == count + 1)
        for _ in 0..<14 {
            centre.now += 5
            #expect(isHeldBack(try await other.update()))
        }
        centre.now += 5
        #expect(try await other.update().error == nil)
        #expect(centre.log.count > count + 2)
        #expect(try other.subscription.plan?.requests(at: centre.now) == centre.log.count)
        update.cancel()
        gate.open()
        _ = try? await update.value
    }

    /// After a long interruption a program doesn't go on with an update that another has begun meanwhile.
    @Test func stopsIfAnotherProgramHasReplacedIt() async throws {
        _ = try await follower(.livePage)
        centre.now += 60
        let gate = Gate()
        let first = try session(.livePage, gate)
        let count = centre.log.count
        async let update = first.update()
        #expect(await eventually { gate.isWaiting })
        centre.now += 100
        let claim = ClaimRaceUpdate(
            address: centre.address, seen: try first.subscription.nextFetch, holder: "other", rank: 0, now: centre.now)
        #expect(try await first.library.changes.perform(claim).count == 1)
        gate.open()
        // One request had been decided.
        #expect(isHeldBack(try await update) && centre.log.count == count + 2)
        #expect(try first.subscription.reservation?.holder == "other")
    }

    // MARK: Limits

    @Test func theLimitHoldsForAllPrograms() async throws {
        let first = try await follower(.livePage)
        var subscription = try first.subscription
        let limit = centre.log.count + 15
        subscription.plan?.limitPerHour = limit
        try await first.library.changes.perform(UpdateRace(nil, subscription, at: centre.now))
        _ = try await play(120, first)
        #expect(centre.log.count < limit)
        let second = try session(.livePage)
        _ = try await play(1200, second, first)
        #expect(centre.log.count == limit)
        for session in [first, second] {
            let status = try session.subscription.plan?.status(at: centre.now)
            #expect(status == "\(limit) requests in the last hour, at most \(limit)")
        }
        // Other editions come from the same race centre.
        await #expect(throws: PageService.Failure.self) { try await second.follow(centre.address(of: 2026)) }
        await #expect(throws: PageService.Failure.self) { try await second.follow(centre.address(of: 2025)) }
        #expect(centre.log.count == limit)
        _ = try await play(3600, second)
        #expect(centre.log.count > limit)
    }

    @Test(arguments: [403, 429]) func aRefusalHoldsForAllPrograms(status: Int) async throws {
        let first = try await follower(.dashboard)
        centre.now += 60
        centre.serve("insights-2026-1", [], status: status)
        try await first.update()
        let count = centre.log.count
        let second = try session(.livePage)
        for reason in [ReloadService.Reason.timer, .user] { try await second.update(reason) }
        #expect(try await play(1800, second, first).isEmpty)
        for session in [first, second] {
            let subscription = try session.subscription
            for text in [subscription.error, subscription.plan?.status(at: centre.now)] {
                #expect(
                    text?.contains("off until 2026-07-05 00:00, because the server refused a request (\(status))")
                        == true)
            }
        }
        // Following the race or another edition again requests nothing either.
        for year in [2026, 2025] {
            let error = await #expect(throws: PageService.Failure.self) {
                try await second.follow(centre.address(of: year))
            }
            #expect(error?.description.contains("the server refused a request (\(status))") == true)
        }
        #expect(centre.log.count == count)
        centre.now = Invented.instant("00:00:10", day: 5)
        try await second.update()
        #expect(centre.log.count > count)
    }

    // MARK: Focus

    @Test func theProgramWithTheLivePageAsks() async throws {
        let list = try await follower(.dashboard)
        #expect(try await play(300, list).allSatisfy { $0.bind != "pack-2026-1" })
        let live = try session(.livePage)
        let opened = centre.now
        let groups = instants("pack-2026-1", try await play(600, list, live))
        #expect((groups.first ?? .distantFuture).seconds(since: opened) <= 15, "\(groups)")
        #expect(zip(groups.dropFirst(), groups).allSatisfy { (27...50).contains($0.seconds(since: $1)) }, "\(groups)")
        #expect(try list.groups == [0, 84])
        // The pane with the live page loses focus.
        live.service.audience = .nobody
        let log = try await play(600, list, live)
        #expect(log.filter { $0.bind == "pack-2026-1" }.isEmpty && instants("insights-2026-1", log).count >= 12)
        let first = try #require(instants("insights-2026-1", log).first)
        #expect(first.seconds(since: opened + 600) <= 33 + 20 + 15)
    }

    @Test func nothingIsRequestedWithoutFocus() async throws {
        let first = try await follower(.livePage)
        let second = try session(.nobody)
        first.service.audience = .nobody
        #expect(try await play(1800, first, second).isEmpty)
        #expect(isHeldBack(try await second.update(), "no pane has focus"))
        // For notifications every five minutes suffice.
        second.service.audience = .notifications
        let instants = instants("insights-2026-1", try await play(1500, first, second))
        #expect((4...6).contains(instants.count), "\(instants)")
    }

    @MainActor
    @Test func aPaneAsksOnceItGetsFocus() async throws {
        let session = try await follower(.dashboard)
        let focus = PaneFocus()
        let settings = try Settings(library: session.library, file: [:])
        let centre = centre
        let races = RaceController(
            library: session.library, settings: settings, status: StatusController(messageTime: .seconds(3600)),
            paneFocus: focus,
            // Its pauses are real.
            clock: {
                centre.now += 1
                return centre.now
            }, notify: { _, _, _ in nil })
        #expect(races.audience == .dashboard)
        races.livePageAppeared()
        #expect(races.audience == .livePage)
        focus.hasFocus = false
        #expect(races.audience == .nobody)
        settings.use("on", for: SettingKey<Bool>.notifiesResult.name)
        #expect(races.audience == .notifications)
        settings.use("off", for: SettingKey<Bool>.notifiesResult.name)
        centre.now += 300
        let count = centre.log.count
        await races.update(.timer)
        #expect(races.isAwaitingFocus && centre.log.count == count)
        races.begin()
        defer { races.end() }
        focus.hasFocus = true
        #expect(await eventually { centre.log.count > count })
    }

    /// A multiplexer doesn't always report that the last terminal has left.
    @MainActor
    @Test func aPaneThatNoTerminalShowsAsksNothing() async throws {
        let session = try await follower(.dashboard)
        let settings = try Settings(library: session.library, file: [:])
        let centre = centre
        let isShown = Mutex(false), questions = Mutex(0)
        let races = RaceController(
            library: session.library, settings: settings, status: StatusController(messageTime: .seconds(3600)),
            paneFocus: PaneFocus(), clock: { centre.now }, notify: { _, _, _ in nil },
            isPaneShown: {
                questions.withLock { $0 += 1 }
                return isShown.withLock { $0 }
            })
        defer { races.end() }
        races.livePageAppeared()
        centre.now += 300
        let count = centre.log.count
        races.begin()
        #expect(await eventually { races.audience == .nobody })
        await races.update(.timer)
        #expect(centre.log.count == count)
        isShown.withLock { $0 = true }
        races.begin()
        #expect(await eventually { races.audience == .livePage && centre.log.count > count })
        // Only live pages are worth the question.
        races.livePageDisappeared()
        let asked = questions.withLock { $0 }
        isShown.withLock { $0 = false }
        races.begin()
        await races.update(.timer)
        #expect(questions.withLock { $0 } == asked && races.audience == .dashboard)
    }
}
