import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import RaceModel
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// The calendar, past winners and editions of Wikidata in a library, from a query service on loopback.
@Suite struct FollowsWikidata {
    private final class World: Sendable {
        private let kept = Mutex<(answers: [String: LoopbackServer.Answer], now: Instant)>(
            ([:], FollowsWikidata.november))
        var now: Instant {
            get { kept.withLock { $0.now } }
            set { kept.withLock { $0.now = newValue } }
        }
        /// The answer to a query that contains a property, instead of the invented one.
        subscript(property: String) -> LoopbackServer.Answer? {
            get { kept.withLock { $0.answers[property] } }
            set { kept.withLock { $0.answers[property] = newValue } }
        }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let other = kept.withLock { $0.answers.first { request.path.contains($0.key) }?.value }
            return other ?? InventedWikidata.answer(toPath: request.path).map { .init($0) } ?? .init(404)
        }
    }

    /// 20 November 2026.
    private static let november: Instant = 1_795_176_000
    private let world = World()
    private let server: LoopbackServer
    private let library: Library
    private let service: RaceFollowService
    private let today = CalendarDay(instant: FollowsWikidata.november)

    init() throws {
        let world = world
        let server = try LoopbackServer { world.answer($0) }
        self.server = server
        library = try Library(path: nil)
        library.attach(KnownRaceReader { FollowsWikidata.races(at: server.url("/sparql")) })
        service = RaceFollowService(library: library, clock: { world.now }, pause: { world.now += $0 })
    }

    /// A catalogue with one race, whose centre has the editions until 2025.
    private static func races(at service: String) -> KnownRaces {
        let text = """
            {"wikidata_service": "\(service)", "races": [
              {"id": "volta", "names": {"en": "Volta a Invenção"}, "host": "http://127.0.0.1:9", "start": "07-04",
               "first_year": 2020, "last_year": 2025, "wikidata": "Q9001"}]}
            """
        return KnownRaces(bundled: Array(text.utf8))
    }

    private func season(_ words: String = "") throws -> [String] {
        try library.races.season(words, around: today, limit: 100).map(\.name)
    }

    private func addresses(_ words: String...) throws -> [String] {
        try library.raceAddresses(of: words, known: library.knownRaces, today: today)
    }

    private func follow(_ words: String...) async throws -> RaceSubscription {
        let address = try #require(try library.raceAddresses(of: words, known: library.knownRaces, today: today).first)
        let followed = try await service.read(address)
        try await library.changes.perform(followed.change)
        return followed.subscription
    }

    private var subscription: RaceSubscription? { try? library.races.subscriptions().first }

    @Test func requestsTheCalendarOnlyWhenAsked() async throws {
        #expect(try season().isEmpty && server.requests.isEmpty)
        _ = try await service.update(reason: .user)
        #expect(try library.races.calendarReceived(year: 2026) == nil && server.requests.isEmpty)
        #expect(try await service.updateCalendar(year: 2026) == 3)
        #expect(server.requests.count == 1)
        #expect(server.requests[0].headers["user-agent"]?.hasPrefix("tappa/") == true)
        #expect(try library.races.calendarReceived(year: 2026) == world.now)
        #expect(try season() == ["Volta a Invenção 2026", "Tour of Sagres Ladies 2026", "Tour de l'Élan 2026"])
        #expect(
            try season("women portugal") == ["Tour of Sagres Ladies 2026"] && season("elan") == ["Tour de l'Élan 2026"])
        let sagres = try #require(try library.races.season("sagres", around: today, limit: 9).first)
        #expect(
            sagres.address == "wikidata:Q502" && sagres.kind == "women, 2.WWT" && sagres.state(on: today) == .underWay)
    }

    @Test func keepsACalendarThatLostMostRaces() async throws {
        _ = try await service.updateCalendar(year: 2026)
        let one = InventedWikidata.answer([InventedWikidata.race("Q1", "2026 A", "2026-01-01", "2026-01-05")])
        world["P641"] = .init(one)
        let error = await #expect(throws: PageService.Failure.self) { try await service.updateCalendar(year: 2026) }
        #expect(error?.description.hasPrefix("Wikidata now has only 1 of 3 races") == true)
        #expect(try season().count == 3)
        #expect(try await service.updateCalendar(year: 2026, acceptsFewer: true) == 1)
        #expect(try season() == ["A 2026"])
        // The other years stay.
        world["P641"] = .init(
            InventedWikidata.answer([InventedWikidata.race("Q2", "2027 A", "2027-01-01", "2027-01-05")]))
        _ = try await service.updateCalendar(year: 2027)
        #expect(try season() == ["A 2026", "A 2027"])
        for body in ["{", "<html>", "{}"] {
            world["P641"] = .init(body)
            await #expect(throws: (any Error).self) { try await service.updateCalendar(year: 2026) }
        }
        #expect(try season() == ["A 2026", "A 2027"])
    }

    @Test func followsARaceOfTheCalendarByName() async throws {
        #expect(throws: UnknownRace.self) { try addresses("sagres") }
        _ = try await service.updateCalendar(year: 2026)
        #expect(try addresses("sagres", "ladies") == ["wikidata:Q502"])
        #expect(try addresses("tour-de-l-elan", "2026") == ["wikidata:Q503"])
        // The race centre has its earlier editions; it goes before Wikidata.
        #expect(try addresses("volta", "2025") == ["aso:http://127.0.0.1:9/2025"])
        #expect(try addresses("volta", "2026") == ["wikidata:Q501"])
        #expect(
            throws: UnknownRace.severalRaces("tour 2026", names: ["Tour of Sagres Ladies 2026", "Tour de l'Élan 2026"])
        ) {
            try addresses("tour", "2026")
        }
        #expect(throws: UnknownRace.self) { try addresses("sagres", "1999") }
        #expect(try library.races.calendarNames().count == 3)
    }

    @Test func readsAnEditionWithWinnersAndStandings() async throws {
        _ = try await service.updateCalendar(year: 2026)
        let subscription = try await follow("volta", "2026")
        #expect(subscription.address == "wikidata:Q501" && server.requests.count == 2)
        let race = try #require(try library.races.all().first)
        #expect(race.id == "volta-a-invencao-2026" && race.stageCount == 3)
        let stored = try #require(try library.races.race(race.id))
        #expect(stored.source?.name.hasPrefix("Wikidata (CC0") == true && stored.overall == ["Ana Rio", "Bea Mar"])
        #expect(stored.stages.map(\.winner) == ["Ana Rio", "Bea Mar", nil])
        #expect(try library.races.standings(.general, of: 3, in: race.id).map(\.name) == ["Ana Rio", "Bea Mar"])
        #expect(try season().first == "Volta a Invenção 2026" && season().count == 3)
        // Hidden results cover winners and the final standings.
        try await library.changes.perform(.hideResults(true, race: race.id))
        let hidden = try #require(try library.races.race(race.id))
        #expect(hidden.overall == nil && hidden.stages.allSatisfy { $0.winner == nil })
    }

    @Test func asksForAnEditionOnceADayAtMost() async throws {
        world.now = 1_783_252_800  // 5 July 2026, the second stage
        _ = try await follow("wikidata:Q501")
        world.now += 3600
        for reason in [ReloadService.Reason.user, .timer] {
            guard case .heldBack? = try await service.update(reason: reason).first?.result else {
                return #expect(Bool(false))
            }
        }
        #expect(server.requests.count == 1)
        world.now += -3600
        // Each day around the race, then each month, and later each year.
        var days = [0]
        for day in 1...460 {
            world.now += 86_400
            let before = server.requests.count
            let update = try #require(try await service.update(reason: day % 2 == 0 ? .timer : .user).first)
            #expect(update.error == nil)
            if server.requests.count > before { days.append(day) }
        }
        #expect(days == [0, 1, 2, 32, 62, 92, 457])
    }

    /// Long before a race, its edition is requested each week.
    @Test func asksForAComingEditionEachWeek() async throws {
        world.now = 1_780_000_000  // 28 May 2026
        _ = try await follow("wikidata:Q501")
        world.now += 6 * 86_400
        guard case .heldBack? = try await service.update(reason: .user).first?.result else {
            return #expect(Bool(false))
        }
        world.now += 86_400
        guard case .unchanged? = try await service.update(reason: .timer).first?.result else {
            return #expect(Bool(false))
        }
    }

    @Test func keepsAnEditionThatCannotBeRead() async throws {
        world.now = 1_783_252_800  // 5 July 2026, the second stage
        _ = try await follow("wikidata:Q501")
        let before = try library.races.wholeRace("volta-a-invencao-2026")
        world.now += 86_400
        for (answer, words) in [
            (LoopbackServer.Answer(500), "Wikidata: server error (500)"), (.init("{"), "not complete JSON"),
            (.init(InventedWikidata.winners), "neither days nor stages"),
        ] {
            world["P527"] = answer
            let update = try #require(try await service.update(reason: .user).first)
            #expect(update.error?.contains(words) == true, "\(update.error ?? "-")")
            #expect(try library.races.wholeRace("volta-a-invencao-2026") == before && subscription?.error != nil)
            world.now += 2 * 86_400
        }
        world["P527"] = nil
        #expect(try await service.update(reason: .user).first?.error == nil && subscription?.failures == 0)
        for address in ["wikidata:Q501x", "wikidata:", "wikidata:Q501/Q2", "wikidata:P1"] {
            await #expect(throws: (any Error).self) { try await service.read(address) }
        }
    }

    @Test func waitsAsWikidataAsks() async throws {
        world["P641"] = .init(429, headers: ["Retry-After": "7200"])
        await #expect(throws: (any Error).self) { try await service.updateCalendar(year: 2026) }
        world["P641"] = nil
        world.now += 7199
        let error = await #expect(throws: PageService.Failure.self) { try await service.updateCalendar(year: 2026) }
        #expect(
            error?.description == "Wikidata can be asked again at 2026-11-20 14:00 UTC" && server.requests.count == 1)
        // Another program with the same library waits too.
        let other = RaceFollowService(library: library, clock: { [world] in world.now })
        await #expect(throws: (any Error).self) { try await other.updateCalendar(year: 2026) }
        world.now += 1
        #expect(try await other.updateCalendar(year: 2026) == 3 && server.requests.count == 2)
    }

    @Test func listsPastWinners() async throws {
        _ = try await service.updateCalendar(year: 2026)
        let series = try #require(try library.races.series(named: "volta", known: library.knownRaces))
        #expect(series.description == "Q9001")
        #expect(try library.races.history(of: series) == RaceHistory(rows: []))
        #expect(try await service.updateWinners(of: series) == 3)
        let history = try library.races.history(of: series)
        #expect(history.rows.map(\.year) == [2026, 2025, 1931] && history.received == world.now)
        #expect(history.rows.map(\.winner) == ["Ana Rio", "Cira Lago", "Dora Serra"])
        #expect(history.rows[0].team == "Equipa Norte")
        for name in ["sagres", "Tour of Sagres Ladies 2026"] {
            #expect(try library.races.series(named: name, known: library.knownRaces)?.description == "Q9002", "\(name)")
        }
        #expect(try library.races.series(named: "nothing", known: library.knownRaces) == nil)
        // A list that lost most winners is not accepted by itself.
        world["P1346"] = .init(InventedWikidata.answer([]))
        await #expect(throws: (any Error).self) { try await service.updateWinners(of: series) }
        #expect(try library.races.history(of: series).rows.count == 3)
        #expect(try await service.updateWinners(of: series, acceptsFewer: true) == 0)
    }

    @Test func hidesPastWinners() async throws {
        _ = try await service.updateCalendar(year: 2026)
        _ = try await follow("volta", "2026")
        let id = "volta-a-invencao-2026"
        let series = try #require(try library.races.series(ofRace: id, known: library.knownRaces))
        _ = try await service.updateWinners(of: series)
        func winners(_ revealed: Set<Int> = []) throws -> [String?] {
            try library.races.history(of: series, race: id, revealing: revealed).rows.map(\.winner)
        }
        try await library.changes.perform(.hideResults(true, race: id))
        #expect(try winners() == [nil, "Cira Lago", "Dora Serra"])
        #expect(try library.races.history(of: series).rows[0].winner == nil)
        #expect(try library.races.history(of: series).rows[0].team == nil)
        #expect(try winners([2026])[0] == "Ana Rio")
        try await library.changes.perform(.revealStage(3, race: id, true))
        #expect(try winners()[0] == "Ana Rio")
        // All results hidden, all winners are, except of a revealed edition.
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(try winners() == ["Ana Rio", nil, nil])
        try await library.changes.perform(.revealStage(3, race: id, false))
        #expect(try winners() == [nil, nil, nil] && winners([1931]) == [nil, nil, "Dora Serra"])
    }
}
