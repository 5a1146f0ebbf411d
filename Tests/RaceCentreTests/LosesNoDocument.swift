import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import LoopbackServer
import RaceModel
import Testing

@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// A program that reads an edition can end at any moment. The next one reads what is missing.
@Suite struct LosesNoDocument {
    private let centre: LoopbackCentre
    private let folder = TemporaryFolder()
    /// A month after the race.
    private static let now = Invented.instant("12:00:00") + 30 * 86_400

    init() throws {
        centre = try LoopbackCentre(now: LosesNoDocument.now)
        centre.serve("stage-2026", Invented.body(Invented.stage(1), Invented.stage(2, type: "PAS")))
        centre.serve("team-2026", Invented.body(Invented.team(), Invented.team("t2", "VERDE")))
        let out = ",\"withdrew\":{\"stage\":2,\"code\":-1}"
        centre.serve(
            "allCompetitors-2026",
            Invented.body(
                Invented.rider(1), Invented.rider(2, team: "t2"), Invented.rider(3, more: out), Invented.rider(4)))
        for stage in 1...2 { serve(stage) }
    }

    private func serve(_ stage: Int) {
        func list(_ type: String, checkpoint: Int = 9, km: String = "150.5", types: String = "\"N\",\"A\"") -> String {
            let rows = [2, 1, 4].enumerated().map { place, bib in
                Invented.row(place + 1, bib, absolute: 9_000_000 - place * 1000, relative: place * 1000)
            }
            let arrival = ",\"firstCompetitorTime\":\(Invented.instant("16:52:30", day: 3 + stage).seconds)"
            return Invented.ranking(
                type, rows + [Invented.row(-1, 3)], checkpoint: checkpoint, types: types, stage: stage, km: km,
                more: arrival)
        }
        centre.serve(
            "rankingType-2026-\(stage)",
            Invented.body(
                [
                    list("ite"), list("itg"), list("ipg"), list("img"), list("ime", checkpoint: 3, km: "52", types: ""),
                    list("ipe", checkpoint: 4, km: "72", types: "\"N\""),
                    list("itt", checkpoint: 3, km: "50", types: "\"C\""),
                ] + [1, 2].map { Invented.rider($0) }))
        centre.serve(
            "checkpointList-2026-\(stage)",
            Invented.body(
                Invented.checkpoint(0, km: "0", types: ["R"], stage: stage),
                Invented.checkpoint(3, km: "50", stage: stage, place: "ALTA", more: Invented.climb(name: "Alta")),
                Invented.checkpoint(4, km: "70", types: ["N"], stage: stage),
                Invented.checkpoint(9, km: "150.5", types: ["N", "A"], stage: stage)))
        centre.serve(
            "rankingTypeJerseys-2026-\(stage)",
            Invented.body(Invented.ranking("pmt", [Invented.row(1, 1)], stage: stage, bind: "rankingTypeJerseys")))
        let news = Invented.news("n", at: "14:00:00", "They are off")
            .replacing("2026-1\"", with: "2026-\(stage)\"").replacing("2026-07-04", with: "2026-07-0\(3 + stage)")
        centre.serve("publication_en-2026-\(stage)", Invented.body(news))
    }

    /// Follows the race in a program of its own.
    ///
    /// - Returns: The number of statements, or `nil` if the program was killed.
    private func follow(_ database: String, at now: Instant, killAt: Int = 0) -> Int? {
        let words = ["follow", database, "\(centre.server.port)", "\(now.seconds)", "\(killAt)"]
        let output = LosesNoDocument.walk(words)
        return output.split(separator: "\n").last.flatMap { Int($0.dropFirst("statements ".count)) }
    }

    /// Runs the program, which is beside the tests, and returns what it prints.
    private static func walk(_ words: [String]) -> String {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let name = "library-walker"
        while folder.path != "/",
            !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent(name).path)
        {
            folder.deleteLastPathComponent()
        }
        let process = Process()
        process.executableURL =
            folder.path == "/" ? URL(fileURLWithPath: ".build/debug/" + name) : folder.appendingPathComponent(name)
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { return "\(error)" }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    private func race(_ database: String) throws -> Race? {
        try Library(path: database).read { try HeldStages.newestRace("volta-2026", $0) }
    }

    @Test func killedAtAnyStatement() throws {
        let whole = folder.path("whole.sqlite")
        let count = try #require(follow(whole, at: LosesNoDocument.now))
        let expected = try #require(try race(whole))
        #expect(expected.stages.allSatisfy { $0.climbs?.first?.winner == "Ana Rio 2" && $0.ticker != nil })
        #expect(expected.stages[1].splits?.first?.name == "Alta" && expected.riders?.map(\.team) != nil)
        #expect(expected.stages[1].finishTime == "2026-07-05T16:52:30+02:00")
        let step = max(1, count / 24)
        for killAt in stride(from: step, through: count, by: step) {
            let database = folder.path("\(killAt).sqlite")
            _ = follow(database, at: LosesNoDocument.now, killAt: killAt)
            // Two more programs are killed before one ends.
            _ = follow(database, at: LosesNoDocument.now + 200, killAt: max(1, killAt / 2))
            #expect(follow(database, at: LosesNoDocument.now + 400) != nil)
            let race = try race(database)
            #expect(race == expected, "killed at \(killAt) of \(count)")
        }
    }

    private func session(_ path: String, stopAfter count: Int = .max) throws -> (
        library: Library, service: RaceFollowService
    ) {
        let library = try Library(path: path)
        let centre = centre
        library.attach(KnownRaceReader { centre.races })
        let service = RaceFollowService(
            library: library, clock: { centre.now },
            pause: { seconds in
                if centre.paths.count >= count { throw CancellationError() }
                centre.now += seconds
            })
        return (library, service)
    }

    /// The user may quit after each request, and starts the next program at once.
    @Test func stoppedAfterAnyRequest() async throws {
        func follow(_ path: String, stopAfter count: Int = .max) async throws {
            let (library, service) = try session(path, stopAfter: count)
            if try library.races.subscriptions().isEmpty {
                try await library.changes.perform(try await service.read(centre.address).change)
            }
            try await service.updateCompletely(centre.address) { _ in }
        }
        func race(_ path: String) throws -> Race? {
            try Library(path: path).read { db in
                try String.fetchOne(db, sql: "SELECT id FROM race").flatMap { try HeldStages.newestRace($0, db) }
            }
        }
        try await follow(folder.path("whole.sqlite"))
        let expected = try #require(try race(folder.path("whole.sqlite")))
        let requests = centre.paths.count
        for count in 3..<requests {
            let path = folder.path("stopped-\(count).sqlite")
            try await follow(path, stopAfter: centre.paths.count + count)
            try await follow(path)
            #expect(try race(path) == expected, "stopped after \(count) of \(requests)")
        }
    }

    /// Libraries of earlier versions claim documents that were lost.
    @Test func aPlanThatClaimsTooMuchIsCorrected() async throws {
        let path = folder.path("l.sqlite")
        let (library, service) = try session(path)
        try await library.changes.perform(try await service.read(centre.address).change)
        try await service.updateCompletely(centre.address) { _ in }
        let race = try #require(try library.races.all().first)
        let expected = try library.read { try HeldStages.newestRace(race.id, $0) }
        var lossy = try #require(expected)
        lossy.stages[1].ticker = nil
        lossy.riders = lossy.riders?.map { Rider(id: $0.key, name: "No. \($0.key)", number: $0.number) }
        for list in Classification.allCases { lossy.stages[0][keyPath: list.path] = nil }
        (lossy.stages[0].winner, lossy.stages[0].splits, lossy.stages[0].leaderAfter) = (nil, nil, nil)
        lossy.withdrawals = nil
        try await library.changes.perform(.storeRace(lossy, isBundled: false))
        // No other program needs the race any more.
        centre.now += 4000
        let count = centre.paths.count
        let (other, next) = try session(path)
        _ = try await next.update(reason: .user)
        _ = try await next.updateCompletely(centre.address) { _ in }
        #expect(try other.read { try HeldStages.newestRace(race.id, $0) } == expected)
        let again = Set(centre.paths.dropFirst(count))
        #expect(again.isSuperset(of: ["allCompetitors-2026", "rankingType-2026-1", "publication_en-2026-2"]))
        #expect(!again.contains("rankingTypeJerseys-2026-1"))
    }

    /// The race centre's stages may be unreadable when a program starts.
    @Test func readsTheRestWithoutTheStages() async throws {
        let path = folder.path("l.sqlite")
        let (library, service) = try session(path, stopAfter: 5)
        try await library.changes.perform(try await service.read(centre.address).change)
        _ = try? await service.updateCompletely(centre.address) { _ in }
        centre.serve("stage-2026", Array("[{".utf8))
        let (_, next) = try session(path)
        let failures = try await next.updateCompletely(centre.address) { _ in }
        let race = try #require(try library.races.all().first)
        #expect(try library.races.standings(.results, of: 1, in: race.id).count == 3)
        #expect(failures == ["stages: the response is not complete JSON"])
        #expect(centre.paths.count { $0 == "stage-2026" } == 2)
        #expect(try library.races.race(race.id)?.stages[0].climbs?.count == 1)
    }

    /// Parts that could not be read are named, and the race says so until they are.
    @Test func namesThePartsThatFailed() async throws {
        centre.serve("rankingType-2026-1", [], status: 500)
        centre.serve("checkpointList-2026-2", Array("[{".utf8))
        centre.serve("rankingTypeJerseys-2026-1", [], status: 404)
        let (library, service) = try session(folder.path("l.sqlite"))
        try await library.changes.perform(try await service.read(centre.address).change)
        let progress = Progress()
        let failures = try await service.updateCompletely(
            centre.address, didRead: { progress.add($0, $1) }, progress: { _ in })
        #expect(
            failures == [
                "road book of stage 2: the response is not complete JSON", "standings of stage 1: server error (500)",
            ])
        #expect(progress.all.map(\.0) == Array(1...8) && progress.all.allSatisfy { $0.1 >= 8 && $0.1 <= 9 })
        let error = try #require(try library.races.subscriptions().first?.error)
        #expect(error == failures[0] + " (and 1 more)")
        // Another program says so too.
        centre.now += 60
        let (_, next) = try session(folder.path("l.sqlite"))
        _ = try await next.update(reason: .user)
        #expect(try library.races.subscriptions().first?.error == error)
    }

    /// The winner's arrival and the real start outlive an update by a program that knows only the plan.
    @Test func measuredTimesOutliveAnotherProgram() async throws {
        let (library, service) = try session(folder.path("l.sqlite"))
        try await library.changes.perform(try await service.read(centre.address).change)
        try await service.updateCompletely(centre.address) { _ in }
        let race = try #require(try library.races.all().first)
        centre.serve("stage-2026", Invented.body(Invented.stage(1, length: "151"), Invented.stage(2, type: "PAS")))
        // No other program needs the race any more.
        centre.now += 4000
        let (_, next) = try session(folder.path("l.sqlite"))
        _ = try await next.update(reason: .user)
        let stages = try #require(try library.races.race(race.id)?.stages)
        #expect(stages[0].distance == 151)
        #expect(stages.map { $0.finishTime?.dropFirst(11).prefix(8) } == ["16:52:30", "16:52:30"])
    }

    private final class Progress: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [(Int, Int)] = []
        var all: [(Int, Int)] { lock.withLock { values } }
        func add(_ count: Int, _ all: Int) { lock.withLock { values.append((count, all)) } }
    }
}
