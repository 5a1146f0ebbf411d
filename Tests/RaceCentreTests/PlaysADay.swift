import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import RaceModel
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races
@testable import StagesSegment
@testable import tappa

/// A stage from its eve to its official result on two dashboards, one with a delay of 60 s and one with hidden results,
/// and on their status lines. A race centre on loopback plays the day by a clock that the test moves on.
@MainActor
@Suite struct PlaysADay {
    private let world: PlayedDay
    private let folder = TemporaryFolder()
    private nonisolated static let delay: Int64 = 60

    init() throws {
        setenv("TZ", "UTC", 1)
        tzset()
        world = try PlayedDay(now: Invented.instant("12:40:00"))
    }

    /// A dashboard over a library that follows the race.
    @MainActor
    private final class Pane {
        let library: Library
        let screen: TestScreen
        private let dashboard: DashboardController
        private let service: RaceFollowService
        private let world: PlayedDay
        /// The identifier of the race.
        private let id: String
        private(set) var told: [(at: Instant, words: String)] = []

        private final class Report { var tell: @MainActor (String) -> Void = { _ in } }

        init(_ world: PlayedDay, _ library: Library, _ history: History? = nil) throws {
            self.world = world
            self.library = library
            let id = try #require(try library.races.all().first?.id)
            self.id = id
            // Each document of an update is stored at its own instant.
            service = RaceFollowService(
                library: library, clock: { world.now },
                pause: { seconds in
                    history?.add(try library.read { try HeldStages.newestRace(id, $0) }, at: world.now)
                    world.now += seconds
                })
            service.audience = .livePage
            let settings = try Settings(library: library, file: [:])
            for key in [SettingKey<Bool>.notifiesStart, .notifiesLastKilometres, .notifiesResult, .notifiesLeader] {
                settings.use("on", for: key.name)
            }
            var environment = DashboardEnvironment(library: library, settings: settings, clock: { world.now })
            environment.start.segment = "stages"
            environment.time.readingPatience = .seconds(30)
            // The test says when to update, so that the dashboard's own work must not begin.
            environment.time.second = .seconds(3600)
            let report = Report()
            environment.programs.notify = { _, body, _ in
                report.tell(body)
                return nil
            }
            dashboard = DashboardController(environment)
            screen = TestScreen(root: dashboard.navigation, size: Size(width: 100, height: 60))
            dashboard.attach(to: screen.application)
            screen.application.render()
            report.tell = { [weak self] in self?.told.append((world.now, $0)) }
        }

        /// Opens a library that follows the race.
        static func library(_ path: String, _ world: PlayedDay, delay: Int64, hides: Bool) async throws -> Library {
            let library = try Library(path: path)
            library.attach(KnownRaceReader { world.races })
            try await library.changes.perform(.delayLive(LiveDelay(seconds: Int(delay)), now: world.now))
            if hides { try await library.changes.perform(.hideResults(true, race: nil)) }
            let service = RaceFollowService(library: library, clock: { world.now }, pause: { world.now += $0 })
            try await library.changes.perform(try await service.read(world.address).change)
            return library
        }

        /// Fetches what is due.
        func update() async throws { _ = try await service.update(reason: .timer) }

        /// The newest version of the race, including what is held back.
        var newest: Race? { get throws { try library.read { try HeldStages.newestRace(id, $0) } } }

        /// Lets everything appear that is due.
        func look() async throws {
            await dashboard.services.races.races.showWhatIsDue()
            dashboard.services.races.races.end()
            try await library.changes.perform(EmptyTrash(age: 1 << 40))
            for _ in 0..<3 { try await Task.sleep(for: .milliseconds(1)) }
            screen.application.render()
        }

        var status: String { get throws { try StatusLine(format: "{stage}").text(library, now: world.now) } }
        var race: Race? { get throws { try library.races.wholeRace(id) } }
        var stage: Stage? { get throws { try race?.stages.first } }
    }

    /// What the delayed pane has received, by the instants at which it did.
    private final class History: Sendable {
        private let versions = Mutex<[(at: Instant, stage: Stage)]>([])

        func add(_ race: Race?, at now: Instant) {
            versions.withLock { versions in
                guard let stage = race?.stages.first, stage != versions.last?.stage else { return }
                versions.append((now, stage))
            }
        }

        /// The version that is shown, or `nil` before the first.
        func shown(at now: Instant) -> Stage? {
            versions.withLock { $0.last { $0.at + PlaysADay.delay <= now }?.stage }
        }
    }

    @Test func nothingIsEarlySpoiledOrLost() async throws {
        let path = folder.path("delayed.sqlite")
        let history = History()
        var delayed = try Pane(
            world, try await Pane.library(path, world, delay: PlaysADay.delay, hides: false), history)
        history.add(try delayed.newest, at: world.now)
        let hidden = try Pane(world, try await Pane.library(folder.path("hidden.sqlite"), world, delay: 0, hides: true))
        var distances: Set<Double> = []
        var told: [(at: Instant, words: String)] = []
        var wasKilled = false
        while world.now < Invented.instant("18:00:00") {
            let began = world.now
            try await delayed.update()
            let received = world.now
            history.add(try delayed.newest, at: received)
            for seconds in [PlaysADay.delay - 1, PlaysADay.delay] {
                world.now = received + seconds
                try await check(delayed, history)
            }
            if let live = try delayed.stage?.live, live.groups != nil, let km = live.kmToGo,
                delayed.screen.text.contains("\(Int(clamping: km)) km to go")
            {
                distances.insert(km)
            }
            try await hidden.update()
            try await checkHidden(hidden)
            world.now = max(world.now, began + 180)
            if !wasKilled, world.now >= Invented.instant("15:00:00") {
                wasKilled = true
                told += delayed.told
                try await delayed.update()
                history.add(try delayed.newest, at: world.now)
                // Another program, which knows only what the file has.
                let reopened = try Library(path: path)
                let catalogue = world.races
                reopened.attach(KnownRaceReader { catalogue })
                delayed = try Pane(world, reopened, history)
            }
        }
        told += delayed.told
        #expect(distances.count == PlayedDay.groupTimes.count, "\(distances.sorted())")
        try checkEnd(delayed, told)
        #expect(hidden.told.map(\.words) == ["has started: Vila 1 → Serra 1"])
    }

    /// Compares everything that reads the delayed library with what it received a minute ago.
    private func check(_ pane: Pane, _ history: History) async throws {
        try await pane.look()
        let now = world.now
        let stage = try pane.stage
        let shown = history.shown(at: now)
        guard let shown else {
            try #require(stage?.live == nil && stage?.ticker == nil && stage?.results == nil)
            return
        }
        // The first failure ends the test, because each would wait.
        try #require(stage == shown, "at \(CentreTime.text(now, offset: 7200))")
        let (screen, status) = (pane.screen.text, try pane.status)
        let lines = Set((shown.ticker ?? []).map(\.text))
        for index in 0..<PlayedDay.tickerTimes.count {
            let text = PlayedDay.line(index)
            // The shown instant may be before the time in a line.
            if screen.contains(text) { try #require(lines.contains { $0.contains(text) }, "\(text) \(now)") }
        }
        try #require(
            await pane.screen.wait { pane.screen.text.contains("Rio 7 won") == (shown.winner != nil) }, "\(screen)")
        try #require(status.contains("won by Ana Rio 7") == (shown.winner != nil), "\(status)")
        if let km = shown.live?.kmToGo, shown.winner == nil, let instant = shown.live?.instant,
            Freshness(age: (now - PlaysADay.delay).seconds(since: instant)) != .old,
            instant <= now - PlaysADay.delay,
            now - PlaysADay.delay >= Invented.instant("13:00:00")
        {
            if shown.live?.groups != nil {
                try #require(await pane.screen.wait(for: "\(Int(clamping: km)) km to go"), "\(screen)")
            }
            try #require(status.hasPrefix("\(Int(clamping: km.rounded(.up))) km"), "\(status)")
        }
    }

    private func checkHidden(_ pane: Pane) async throws {
        try await pane.look()
        let (screen, status) = (pane.screen.text, try pane.status)
        for word in ["Line ", "km to go", " won", "Peloton", "Rio 7", "Groups"] {
            try #require(!screen.contains(word) && !status.contains(word), "\(word): \(screen)")
        }
        try #require(!status.contains("km"))
        #expect(try pane.stage?.live == nil && pane.stage?.results == nil && pane.stage?.ticker == nil)
    }

    private func checkEnd(_ pane: Pane, _ told: [(at: Instant, words: String)]) throws {
        let stage = try #require(try pane.stage)
        #expect(stage.ticker?.count == PlayedDay.tickerTimes.count)
        #expect(stage.results?.count == 11 && stage.winner == "Ana Rio 7" && stage.general?.count == 11)
        let race = try #require(try pane.race)
        #expect(race.withdrawals?.map(\.reason) == ["DNS"])
        let expected: [(words: String, at: Instant)] = [
            ("has started: Vila 1 → Serra 1", Invented.instant("13:00:00")),
            ("8 km to go: Vila 1 → Serra 1", PlayedDay.groupTimes[8]),
            ("Ana Rio 7 won: Vila 1 → Serra 1", PlayedDay.provisional),
        ]
        #expect(told.map(\.words) == expected.map(\.words), "\(told)")
        for (notification, event) in zip(told, expected) { #expect(notification.at >= event.at + PlaysADay.delay) }
        // The race centre has refused requests for ten minutes.
        #expect(world.refusals > 0 && world.refusals <= 2)
        #expect(try pane.library.races.subscriptions().first?.error?.contains("403") == true)
    }
}

/// A race centre whose responses depend on the time of day, with the errors that real ones make.
private final class PlayedDay: Sendable {
    static let groupTimes = (0..<9).map { Invented.instant("13:20:00") + Int64($0) * 1500 }
    static let tickerTimes = (0..<40).map { Invented.instant("13:03:00") + Int64($0) * 360 }
    static let (provisional, official) = (Invented.instant("17:02:00"), Invented.instant("17:22:00"))

    private let state: Mutex<(now: Instant, refusals: Int)>
    private let server = Mutex<LoopbackServer?>(nil)

    init(now: Instant) throws {
        state = Mutex((now, 0))
        let server = try LoopbackServer { [weak self] in self?.answer($0.path) ?? .init(204) }
        self.server.withLock { $0 = server }
    }

    var now: Instant {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }
    var refusals: Int { state.withLock { $0.refusals } }

    private var base: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }
    var address: String { "aso:\(base)/2026" }
    var races: KnownRaces {
        var race = Invented.race
        race.base = base
        return KnownRaces(races: [race])
    }

    static func line(_ index: Int) -> String { "Line \(index < 10 ? "0" : "")\(index) of the day" }

    // MARK: Responses

    private func answer(_ path: String) -> LoopbackServer.Answer {
        let now = now
        if now >= Invented.instant("17:50:00") {
            state.withLock { $0.refusals += 1 }
            return .init(403)
        }
        switch path.dropFirst("/api/".count) {
        case "stage-2026": return .init(body: Invented.body(Invented.stage(2), Invented.stage(1)))
        case "team-2026": return .init(body: Invented.body(Invented.team()))
        // The list of riders is published late.
        case "allCompetitors-2026" where now >= Invented.instant("13:30:00"): return .init(body: Invented.body(riders))
        case "checkpointList-2026-1":
            let climb = Invented.checkpoint(1, km: "60", more: Invented.climb(state: "5,1"))
            return .init(body: Invented.body(Invented.checkpoint(2, km: "150.5", types: ["A"]), climb))
        case "insights-2026-1":
            let far = max(0, now.seconds(since: Invented.instant("13:00:00"))) * 10
            return .init(body: Invented.body(Invented.insights(metres: Int(far), at: now.seconds * 1000)))
        case "pack-2026-1": return groups(at: now)
        case "publication_en-2026-1": return ticker(at: now)
        case "rankingType-2026-1": return rankings(at: now)
        default: return .init(204)
        }
    }

    private var riders: [String] { (1...12).reversed().map { Invented.rider($0) } }

    /// Every odd time the bunch has no riders. For two minutes after each, the response is broken in another way.
    private func groups(at now: Instant) -> LoopbackServer.Answer {
        guard let index = PlayedDay.groupTimes.lastIndex(where: { $0 <= now }) else { return .init(204) }
        let at = PlayedDay.groupTimes[index]
        let togo = (140 - index * 16 - (index == 8 ? 4 : 0)) * 1000
        let bunch = Invented.group(
            1, "Peloton", gap: 60 + index * 10, togo: togo + 1000, size: index % 2 == 0 ? 999 : 0,
            bibs: index % 2 == 0 ? Array(2...11) : [], more: #","unknown":{"a":[null]}"#)
        let head = Invented.group(0, "Tête de la course", togo: togo, size: 1, bibs: [1])
        let time = String(CentreTime.text(at, offset: 7200).dropFirst(11).prefix(8))
        let records = [
            Invented.groups(at: time, [bunch, head]), Invented.groups(at: "23:59:59", [head], stage: 2),
            #"{"_bind":"pack-2026-1","_key":7,"groups":"none"}"#, "null", #"{"_bind":"news-2026"}"#,
        ]
        let body = Invented.body(records)
        guard now < at + 120 else { return .init(body: body) }
        switch index % 5 {
        case 0: return .init(204)
        case 1: return .init(body: Array("[]".utf8))
        case 2: return .init(body: body, cutAfter: body.count / 2)
        case 3: return .init(500)
        default: return .init(body: Array(body.prefix(body.count / 2)))
        }
    }

    private func ticker(at now: Instant) -> LoopbackServer.Answer {
        let lines = PlayedDay.tickerTimes.enumerated().filter { $0.element <= now }.map { index, at in
            let time = String(CentreTime.text(at, offset: 7200).dropFirst(11).prefix(8))
            return Invented.news("n\(index)", at: time, PlayedDay.line(index))
        }
        guard !lines.isEmpty else { return .init(204) }
        let tweet = Invented.news("t", at: "12:00:00", "A picture", model: "tweet")
        return .init(body: Invented.body(Array(lines.reversed()) + [tweet, "[]"]))
    }

    /// Until the finish there are only those who are out, then the first ten, then all.
    private func rankings(at now: Instant) -> LoopbackServer.Answer {
        let out = Invented.row(-4, 12)
        guard now >= PlayedDay.provisional else {
            return .init(body: Invented.body([Invented.ranking("ite", [out], status: "2")] + riders))
        }
        let isOfficial = now >= PlayedDay.official
        let bibs = [7, 1, 2, 3, 4, 5, 6, 8, 9, 10] + (isOfficial ? [11] : [])
        let rows = bibs.enumerated().map { place, bib in
            Invented.row(place + 1, bib, absolute: 14_400_000 + place * 1000, relative: place * 1000)
        }
        let status = isOfficial ? "0" : "1"
        let lists = [
            Invented.ranking("ite", rows.reversed() + [out], status: status),
            Invented.ranking("itg", rows, status: status),
            Invented.ranking("xyz", rows, status: status),
        ]
        return .init(body: Invented.body(lists + riders))
    }
}
