import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// Followed editions of a race centre, from the first request to the state during a stage.
@Suite struct FollowsEditions {
    private let world: LoopbackCentre
    private let library: Library
    private let service: RaceFollowService

    /// 2026-07-04 at 13:00 in Paris.
    private static let start: Instant = 1_783_162_800

    init() throws {
        let world = try LoopbackCentre(now: FollowsEditions.start + 30 * 86_400)
        self.world = world
        library = try Library(path: nil)
        library.attach(KnownRaceReader { world.races })
        service = FollowsEditions.service(library, world)
        world.serve("stage-2026", Invented.body(Invented.stage(1), Invented.stage(2)))
        world.serve("team-2026", Invented.body(Invented.team()))
        world.serve("allCompetitors-2026", Invented.body(Invented.rider(1), Invented.rider(2), Invented.rider(3)))
        world.serve("rankingType-2026-2", FollowsEditions.result(stage: 2, winner: 2))
    }

    private static func service(_ library: Library, _ world: LoopbackCentre) -> RaceFollowService {
        RaceFollowService(library: library, clock: { world.now }, pause: { world.now += $0 })
    }

    private static func result(stage: Int, winner: Int, status: String = "0") -> [UInt8] {
        func list(_ type: String) -> String {
            Invented.record(
                "rankingType-2026-\(stage)",
                """
                "type":"\(type)","checkpoint":9,"types":["N","A"],"status":"\(status)","length":150.5,"rankings":[
                {"position":1,"bib":\(winner),"$rider":"allCompetitors-2026:r\(winner)","absolute":14400000,"relative":0},
                {"position":2,"bib":\(3 - winner),"$rider":"allCompetitors-2026:r\(3 - winner)","absolute":14409000,"relative":9000}]
                """, id: "\(type)-\(stage)")
        }
        return Invented.body(list("ite"), list("itg"), Invented.rider(1), Invented.rider(2))
    }

    private func follow() async throws -> String {
        let address = try #require(
            try library.knownRaces.addresses(of: ["volta"], today: CalendarDay(instant: world.now)).first)
        let document = try await service.read(address)
        try await library.changes.perform(document.change)
        return address
    }

    private var subscription: RaceSubscription? { try? library.races.subscriptions().first }

    @Test func readsAPastEditionCompletely() async throws {
        world.serve("publication_en-2026-1", Invented.body(Invented.news("n", at: "14:00:00", "They are off")))
        let address = try await follow()
        #expect(address == world.address)
        #expect(try library.races.race("volta-a-invencao-2026")?.stages.count == 2 || library.races.all().count == 1)
        try await service.updateCompletely(address) { #expect($0.error == nil) }
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 2, in: race.id).map(\.name) == ["Ana Rio 2", "Ana Rio 1"])
        #expect(try library.races.standings(.general, of: 2, in: race.id).map(\.gap) == [nil, 9])
        #expect(try library.races.race(race.id)?.source?.name == "A.S.O.")
        #expect(try library.races.ticker(of: 1, in: race.id).map(\.text) == ["They are off"])
        // Each document once, and nothing more afterwards.
        #expect(Set(world.paths).count == world.paths.count && world.paths.contains("checkpointList-2026-1"))
        let count = world.paths.count
        world.now += 3 * 86_400
        _ = try await service.update(reason: .user)
        #expect(world.paths.count == count)
        #expect(world.server.requests.allSatisfy { $0.headers["user-agent"]?.hasPrefix("tappa/") == true })
    }

    @Test func keepsAPartThatCannotBeRead() async throws {
        world.now = FollowsEditions.start + 86_400 + 6 * 3600
        let address = try await follow()
        try await service.updateCompletely(address) { _ in }
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 2, in: race.id).count == 2)
        world.serve("rankingType-2026-2", [], status: 500)
        world.serve("team-2026", Array("[{".utf8))
        world.serve("stage-2026", Invented.body(Invented.stage(1), Invented.stage(2, length: "151")))
        // A day and the longest random addition to it.
        world.now += 100_000
        _ = try await service.update(reason: .user)
        #expect(try library.races.race(race.id)?.stages.last?.distance == 151)
        #expect(try library.races.standings(.results, of: 2, in: race.id).map(\.team).first != nil)
        #expect(try library.races.standings(.results, of: 2, in: race.id).count == 2)
    }

    /// Half a document is requested again instead of counting as read, and the race says which part is how old.
    @Test func requestsAnUnreadablePartAgain() async throws {
        let result = FollowsEditions.result(stage: 2, winner: 2)
        world.serve("rankingType-2026-2", Array(result.dropLast(20)))
        world.serve("rankingType-2026-1", [], status: 404)
        let address = try await follow()
        try await service.updateCompletely(address) { _ in }
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 2, in: race.id).isEmpty)
        // A part that is missing is named at once.
        #expect(world.paths.count { $0 == "rankingType-2026-2" } == 1)
        #expect(subscription?.error == "standings of stage 2: the response is not complete JSON")
        // The others were read meanwhile.
        #expect(world.paths.contains("checkpointList-2026-1"))
        world.now += 301
        _ = try await service.update(reason: .user)
        #expect(subscription?.error == "standings of stage 2: the response is not complete JSON")
        world.serve("rankingType-2026-2", result)
        world.now += 3601
        _ = try await service.update(reason: .user)
        #expect(try library.races.standings(.results, of: 2, in: race.id).count == 2 && subscription?.error == nil)
    }

    /// Which part failed twice is said with the age of what is shown instead, and which part is missing.
    @Test func saysHowOldAPartIs() {
        var (parts, plan) = (EditionParts(edition: Invented.edition), RequestPlan())
        let noon = Invented.instant("12:00:00")
        parts.take(Invented.body(Invented.stage(1)), of: .stages, at: noon)
        let ticker = Endpoint.ticker(language: "en", stage: 1)
        parts.take(Invented.body(Invented.news("n", at: "11:00:00", "They are off")), of: ticker, at: noon)
        parts.take(Invented.body(Invented.checkpoint(1, km: "9")), of: .checkpoints(stage: 1), at: noon)
        for endpoint in [ticker, ticker, .checkpoints(stage: 1), .jerseys(stage: 1)] {
            parts.fail(endpoint, "gone")
            plan.record(.failed, of: endpoint, at: noon)
        }
        #expect(parts.failureWords(after: plan) == "ticker of stage 1 as of 2026-07-04 12:00: gone (and 1 more)")
        parts.take([], of: ticker, at: noon)
        #expect(parts.failureWords(after: plan) == "jerseys of stage 1: gone")
        #expect(parts.failureWords(after: RequestPlan()) == nil)
    }

    @Test func stopsForTheDayWhenRefused() async throws {
        let address = try await follow()
        world.serve("checkpointList-2026-2", [], status: 403)
        try await service.updateCompletely(address) { _ in }
        let count = world.paths.count
        #expect(subscription?.error?.contains("because the server refused a request (403)") == true)
        // What came before the refusal is stored.
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 2, in: race.id).count == 2)
        world.now += 3600
        _ = try await service.update(reason: .user)
        #expect(world.paths.count == count)
        world.now += 86_400
        _ = try await service.update(reason: .user)
        #expect(world.paths.count > count)
    }

    @Test func continuesAfterARestart() async throws {
        let address = try await follow()
        let count = world.paths.count
        // Other programs wait for the one that followed the race.
        world.now += 30
        let next = FollowsEditions.service(library, world)
        try await next.updateCompletely(address) { _ in }
        let later = world.paths.dropFirst(count)
        // The schedule is needed again; teams and riders are stored.
        #expect(later.first == "stage-2026" && !later.contains("team-2026") && !later.contains("allCompetitors-2026"))
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 2, in: race.id).map(\.name).first == "Ana Rio 2")
    }

    @Test func storesTheGroupsOfAStageUnderWay() async throws {
        world.now = FollowsEditions.start + 7200
        world.serve("rankingType-2026-2", [], status: 204)
        world.serve(
            "pack-2026-1",
            Invented.body(
                Invented.groups(
                    at: "14:55:00",
                    [
                        Invented.group(0, "Tête de la course", size: 1, bibs: [1]),
                        Invented.group(1, "Peloton", gap: 84, togo: 51_000, size: 2, bibs: [2, 3]),
                    ]),
                Invented.rider(1), Invented.rider(2), Invented.rider(3)))
        let address = try await follow()
        try await service.updateCompletely(address) { _ in }
        let race = try #require(try library.races.all().first)
        // Groups are large, so they are requested only while somebody looks at the live page.
        #expect(try !world.paths.contains("pack-2026-1") && library.races.live(of: 1, in: race.id)?.groups == nil)
        service.audience = .livePage
        world.now += 30
        _ = try await service.update(reason: .user)
        let report = try #require(try library.races.live(of: 1, in: race.id))
        #expect(report.kmToGo == 50 && report.groups?.map(\.gap) == [0, 84])
        #expect(report.groups?.map(\.riders) == [["1"], ["2", "3"]])
        #expect(report.freshness(at: world.now) == .dim)
        let stage = try #require(try library.races.race(race.id)?.stages.first)
        let progress = try library.races.progress(of: stage, in: race.id, now: world.now)
        #expect(progress.kilometresToGo == 50 && progress.pelotonGap == 84)
        try await library.changes.perform(.hideResults(true, race: nil))
        #expect(try library.races.live(of: 1, in: race.id) == nil)
    }
}

/// Races that a program of the user's prints.
@Suite struct FollowsPrograms {
    private let temporary = TemporaryFolder()

    private func program(_ name: String) throws -> String {
        let path = temporary.path("club race")
        try Data(
            """
            #!/bin/sh
            echo '{"race": "\(name)", "year": 2026, "stages": [{"number": 1, "start": "A", "finish": "B"}]}'
            """.utf8
        ).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return "exec:'\(path)' --year 2026"
    }

    @Test func runsTheProgramOfAFollowedRace() async throws {
        let library = try Library(path: nil)
        let service = RaceFollowService(library: library)
        let document = try await service.read(try program("Club"))
        try await library.changes.perform(document.change)
        #expect(try library.races.all().map(\.name) == ["Club"])
        _ = try program("Club renamed")
        _ = try await service.update(reason: .user)
        #expect(try library.races.all().map(\.name) == ["Club renamed"])
    }

    /// A library from elsewhere must not run what it names.
    @Test func runsNothingThatTheUserDidNotFollow() async throws {
        let library = try Library(path: temporary.path("l.sqlite"))
        let service = RaceFollowService(library: library)
        try await library.changes.perform(try await service.read(try program("Club")).change)
        let off = try library.changes.prepare { try SwitchedOff.apply(to: $0) }
        #expect(off.races.count == 1 && off.message?.contains("disabled 1 race with a program") == true)
        _ = try program("Evil")
        let update = try #require(try await service.update(reason: .user).first)
        #expect(update.error == "its program is disabled; 'tappa race follow' with the same address enables it")
        #expect(try library.races.all().map(\.name) == ["Club"])
    }
}

/// What a user may type to follow races.
@Suite struct NamesRaces {
    private let known = KnownRaces(races: [Invented.race])

    @Test func tellsNamesAndAddressesApart() throws {
        let today = CalendarDay(instant: 1_795_651_200)
        func addresses(_ words: String...) throws -> [String] { try known.addresses(of: words, today: today) }
        let edition = { (year: Int) in RaceEdition(race: Invented.race, year: year).address }
        #expect(try addresses("volta") == [edition(2026)])
        #expect(try addresses("volta", "2025") == [edition(2025)])
        #expect(try addresses("volta", "2025", "vai") == [edition(2025), edition(2026)])
        #expect(try addresses("https://a.example/r.json", "volta") == ["https://a.example/r.json", edition(2026)])
        #expect(try addresses("exec:/bin/race", "aso:x/2026") == ["exec:/bin/race", "aso:x/2026"])
        #expect(throws: UnknownRace.self) { try addresses("nowhere") }
        #expect(throws: UnknownRace.self) { try addresses("volta", "nowhere") }
    }
}

/// Gaps are compared with those of five minutes before.
@Suite struct LiveHistoryTests {
    private func report(_ minute: Int, gap: Int) -> LiveReport {
        LiveReport(
            at: "2026-07-04T14:\(minute):00+02:00",
            groups: [LiveGroup(name: "A", gap: 0), LiveGroup(name: "B", gap: gap)])
    }

    @Test func comparesWithFiveMinutesBefore() throws {
        var history = LiveHistory()
        let group = LiveGroup(name: "B", gap: 90)
        #expect(history.trend(of: group) == nil)
        for (minute, gap) in [(20, 60), (22, 70), (23, 80), (27, 90)] { history.add(report(minute, gap: gap)) }
        #expect(history.trend(of: group) == 20)
        #expect(history.trend(of: LiveGroup(name: "C", gap: 5)) == nil)
        // Seven minutes before is too long ago, less than four too short.
        var other = LiveHistory()
        for (minute, gap) in [(15, 60), (20, 70), (23, 90)] { other.add(report(minute, gap: gap)) }
        #expect(other.trend(of: group) == nil)
        other.add(report(24, gap: 90))
        #expect(other.trend(of: group) == 20)
    }

    @Test func recognizesGroupsByTheirRiders() {
        func group(_ name: String, _ gap: Int, _ riders: [String]) -> LiveGroup {
            LiveGroup(name: name, gap: gap, riders: riders.isEmpty ? nil : riders)
        }
        var history = LiveHistory()
        history.add(
            LiveReport(
                at: "2026-07-04T14:18:00+02:00",
                groups: [group("A", 0, ["a"]), group("B", 30, ["b", "c"]), group("C", 60, ["d", "e", "f", "g"])]))
        let newest = [group("A", 0, ["a"]), group("X", 50, ["d", "e"]), group("B", 90, ["x", "y"])]
        history.add(LiveReport(at: "2026-07-04T14:23:00+02:00", groups: newest))
        #expect(newest.map { history.trend(of: $0) } == [0, -10, nil])
        // A group whose riders are unknown is known by its name.
        #expect(history.trend(of: group("B", 40, [])) == 10 && history.trend(of: group("Y", 40, [])) == nil)
    }
}

/// The examples that come with tappa print races.
@Suite struct ShowsHowToPrintRaces {
    private let temporary = TemporaryFolder()

    private func example(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Assets/examples/\(name)").path
    }

    private func race(_ name: String, _ table: String, _ arguments: String) async throws -> Race {
        let path = temporary.path("table")
        try Data(table.utf8).write(to: URL(fileURLWithPath: path))
        let service = RaceFollowService(library: try Library(path: nil))
        return try await service.read("exec:'\(example(name))' '\(path)' \(arguments)").race
    }

    @Test func readsATable() async throws {
        let race = try await race(
            "csv-race",
            "date,start,finish,km,winner\n2026-05-10,Porto,Lisbon,150,Ana\n2026-05-11,Lisbon,Evora,120.5,\n",
            "Volta 2026")
        #expect(race.race == "Volta" && race.stages.map(\.distance) == [150, 120.5])
        #expect(race.stages.map(\.winner) == ["Ana", nil])
    }

    @Test func readsATimingBox() async throws {
        let race = try await race(
            "timing-race", "number;rider;team;time\n7;Ana Sousa;Casa;1:02:33\n3;Bea;X;1:01:02\n", "Club 2026-05-10")
        #expect(race.stages[0].winner == "Bea" && race.stages[0].results?.map(\.time) == [3662, 3753])
    }
}
