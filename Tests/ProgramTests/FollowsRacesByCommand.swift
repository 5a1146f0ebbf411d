import CommonTesting
import FeedParsing
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import RaceModel
import Synchronization
import Testing

@testable import Races

/// Races on the command line: followed, checked, exported as calendars.
@Suite struct FollowsRacesByCommand: ProgramSuite {
    private static func race(_ winner: String?) -> String {
        let winner = winner.map { ", \"winner\": \"\($0)\"" } ?? ""
        return """
            {"race": "Volta", "year": 2026, "stages": [
            {"number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon"\(winner)}]}
            """
    }

    let temporary = TemporaryFolder()
    private var database: String { temporary.path("l.sqlite") }
    var options: [String] { ["--database", database] }

    @Test func reloadReadsAFollowedRace() throws {
        let document = Document()
        let server = try LoopbackServer { _ in LoopbackServer.Answer(document.text) }
        document.text = FollowsRacesByCommand.race(nil)
        #expect(tappa("race", "follow", server.url("/volta.json")).output == "following volta-2026: 1 stage\n")
        #expect(tappa("race", "follow", "volta.json").code == 64)
        #expect(tappa("race", "list").output.contains("volta-2026\tVolta 2026\t1 stage\t\(server.url("/volta.json"))"))
        document.text = FollowsRacesByCommand.race("Rider One")
        // Without a terminal only races are fetched that are due, as this one is after it was followed.
        let counts = (0..<3).map { _ in
            _ = tappa("reload", "--quiet")
            return server.requests.count
        }
        #expect(counts == [2, 2, 2])
        try OtherProgram.makeFeedsDue(at: database)
        _ = tappa("reload")
        #expect(tappa("stages", "--race", "volta-2026").output.contains("Rider One"))
        document.text = "<html>moved</html>"
        try OtherProgram.makeFeedsDue(at: database)
        let wrong = tappa("reload")
        #expect(wrong.code == 69 && wrong.output.contains("this is a web page, not a race"))
        #expect(tappa("race", "list").output.contains("! this is a web page"))
        #expect(tappa("stages", "--race", "volta-2026").output.contains("Rider One"))
        #expect(
            tappa("race", "export", "--format", "ics", "volta-2026").output.contains("SUMMARY:Volta 1: Porto → Lisbon"))
        #expect(tappa("race", "unfollow", "volta-2026").code == 0)
        #expect(tappa("race", "unfollow", "volta-2026").code == 66)
    }

    /// All races are followed before the rest of their editions is read, and a refusal is reported once.
    @Test func followsSeveralRacesByName() throws {
        let servers = try (0..<2).map { _ in
            try LoopbackServer { request in
                guard request.path == "/api/stage-2025" else { return .init(403) }
                let stages = """
                    [{"_bind": "stage-2025", "_id": "a", "stage": 1, "date": "2025-07-04T00:00:00+02:00",
                    "departureCity": {"label": "Porto"}, "arrivalCity": {"label": "Lisbon"}}]
                    """
                return .init(200, body: Array(stages.utf8))
            }
        }
        let races = zip(["one", "two"], servers).map { id, server in
            """
            {"id": "\(id)", "names": {"en": "\(id)"}, "host": "http://127.0.0.1:\(server.port)", "start": "07-04", "stages": true}
            """
        }
        try temporary.write("{\"races\": [\(races.joined(separator: ","))]}", to: ".config/tappa/sources.json")
        let follow = tappa("race", "follow", "one 2025", "two 2025")
        #expect(follow.output == "following one-2025: 1 stage\nfollowing two-2025: 1 stage\n", "\(follow)")
        #expect(follow.errors.components(separatedBy: "reading standings").count == 2, "\(follow)")
        let list = tappa("race", "list").output
        #expect(list.components(separatedBy: "because the server refused a request (403)").count == 3, "\(list)")
        let unknown = tappa("race", "follow", "zzz")
        #expect(unknown.code == 64 && unknown.errors.contains("'zzz'; 'tappa race known' lists the names"))
    }

    /// Data of a followed race can't crash a command, even if an earlier version stored it.
    @Test func anyNumbersInARaceCrashNoCommand() async throws {
        let document = Document()
        let server = try LoopbackServer { _ in LoopbackServer.Answer(document.text) }
        document.text = FollowsRacesByCommand.race(nil)
        _ = tappa("race", "follow", server.url("/volta.json"))
        document.text = FollowsRacesByCommand.race(nil).replacing(
            "\"date\"", with: "\"distance_km\": -100, \"climbs\": [{\"km\": 5, \"elevation_m\": 9.2e18}], \"date\"")
        try OtherProgram.makeFeedsDue(at: database)
        let reload = tappa("reload")
        #expect(reload.code == 69 && reload.output.contains("distance_km is -100.0"), "\(reload)")
        #expect(tappa("race", "list").output.contains("! line 2: stage 1: distance_km is -100.0"))

        let now = Instant.now
        for number in [-1e300, -100, 0, 1e-300, 1999, 9.2e18, 1e300] {
            // Stored without validation.
            let text = """
                {"race": "Volta", "year": 2026, "stages": [{"number": 1, "date": "\(CalendarDay(instant: now).text)",
                 "start": "Porto", "finish": "Lisbon", "distance_km": \(number), "start_time": "\(Timestamp.rfc3339(now - 3600))",
                 "climbs": [{"km": \(number), "length_km": \(number), "gradient": \(number), "elevation_m": \(number)}],
                 "ticker": [{"time": "\(Timestamp.rfc3339(now - 60))", "km": \(number), "text": "x"}],
                 "points": [{"place": 1, "rider": "x", "points": \(number)}]}]}
                """
            var race = try JSONDecoder().decode(Race.self, from: Data(text.utf8))
            race.isWhole = true
            try await Library(path: database).store(race)
            for words in [
                ["status", "--format", "{stage}"], ["stages", "--race", "volta-2026"], ["race", "list"],
                ["race", "export", "volta-2026"], ["race", "export", "--format", "ics", "volta-2026"],
            ] {
                let answer = tappa(words)
                #expect(answer.code == 0, "\(number): \(words): \(answer)")
            }
        }
    }

    private final class Document: Sendable {
        private let kept = Mutex("")
        var text: String {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    @Test func checksAWholeFile() throws {
        let file = try temporary.write(
            """
            {"race": "", "year": 0, "stages": [{"number": 1, "start": "", "finish": "b", "date": "2026-13-01"},
            {"number": 1, "start": "a", "finish": "b", "distance_km": -5}]}
            """, to: "bad.json")
        let checked = Program.tappa("race", "check", file, home: home)
        #expect(checked.code == 65)
        for word in ["race: ", "year: 0", "start or finish", "2026-13-01", "duplicate", "distance_km"] {
            #expect(checked.errors.contains(word), "\(word)")
        }
        try temporary.write(FollowsRacesByCommand.race(nil), to: "bad.json")
        #expect(Program.tappa("race", "check", file, home: home).code == 0)
    }
}
