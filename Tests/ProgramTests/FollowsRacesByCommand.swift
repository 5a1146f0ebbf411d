import CommonTesting
import Foundation
import LoopbackServer
import Synchronization
import Testing

/// Races by the command line: followed, checked, as calendars.
@Suite struct FollowsRacesByCommand {
    private static func race(_ winner: String?) -> String {
        let winner = winner.map { ", \"winner\": \"\($0)\"" } ?? ""
        return """
            {"race": "Volta", "year": 2026, "stages": [
            {"number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon"\(winner)}]}
            """
    }

    @Test func aFollowedRaceIsReadByTheReload() throws {
        let folder = TemporaryFolder()
        let database = folder.url.appendingPathComponent("l.sqlite").path
        let document = Document()
        let server = try LoopbackServer { _ in LoopbackServer.Answer(document.text) }
        defer { server.stop() }
        func tappa(_ words: String...) -> (code: Int32, output: String, errors: String) {
            Program.tappa(words + ["--database", database], home: folder.url)
        }
        document.text = FollowsRacesByCommand.race(nil)
        #expect(tappa("race", "follow", server.url("/volta.json")).output == "follows volta-2026: 1 stages\n")
        #expect(tappa("race", "follow", "volta.json").code == 64)
        #expect(tappa("race", "list").output.contains("volta-2026\tVolta 2026\t1 stages\t\(server.url("/volta.json"))"))
        document.text = FollowsRacesByCommand.race("Rider One")
        _ = tappa("reload")
        #expect(tappa("stages", "--race", "volta-2026").output.contains("Rider One"))
        document.text = "<html>moved</html>"
        let wrong = tappa("reload")
        #expect(wrong.code == 69 && wrong.output.contains("it is a page, not a race"))
        #expect(tappa("race", "list").output.contains("! it is a page"))
        #expect(tappa("stages", "--race", "volta-2026").output.contains("Rider One"))
        #expect(
            tappa("race", "export", "--format", "ics", "volta-2026").output.contains("SUMMARY:Volta 1: Porto → Lisbon"))
        #expect(tappa("race", "unfollow", "volta-2026").code == 0)
        #expect(tappa("race", "unfollow", "volta-2026").code == 66)
    }

    private final class Document: Sendable {
        private let kept = Mutex("")
        var text: String {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    @Test func aFileIsCheckedInWhole() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("bad.json")
        try Data(
            """
            {"race": "", "year": 0, "stages": [{"number": 1, "start": "", "finish": "b", "date": "2026-13-01"},
            {"number": 1, "start": "a", "finish": "b", "distance_km": -5}]}
            """.utf8
        ).write(to: file)
        let checked = Program.tappa("race", "check", file.path, home: folder.url)
        #expect(checked.code == 65)
        for word in ["race: ", "year: 0", "start or finish", "2026-13-01", "twice", "distance_km"] {
            #expect(checked.errors.contains(word), "\(word)")
        }
        try Data(FollowsRacesByCommand.race(nil).utf8).write(to: file)
        #expect(Program.tappa("race", "check", file.path, home: folder.url).code == 0)
    }
}
