import CommonTesting
import Foundation
import RaceModel
import Testing

@testable import tappa

/// The commands that record a race and play it, and the delay, with the built program.
@Suite struct PlaysRaceRecordings: ProgramSuite {
    let temporary = TemporaryFolder()

    private static func line(_ at: String, _ more: String) -> String {
        """
        {"at":"2026-07-04T\(at)Z","race":"Volta","year":2026,"schema":3,"stages":[{"number":1,"date":"2026-07-04",\
        "start":"Porto","finish":"Lisbon","distance_km":100,"start_time":"2026-07-04T11:00:00Z"\(more)}]}

        """
    }

    /// The race appears as it was recorded, and the library of the user stays as it is.
    @Test func playsInADashboardOfItsOwn() async throws {
        let ticker = #","ticker":[{"time":"2026-07-04T11:20:00Z","km":25,"text":"A break of four"}]"#
        let text =
            PlaysRaceRecordings.line("08:00:00", "") + PlaysRaceRecordings.line("11:20:30", ticker)
            + PlaysRaceRecordings.line("11:30:00", ticker + #","winner":"Ana Sousa""#) + "{\"at\":\"2026-07-04T11:4"
        let file = try temporary.write(text, to: "day.jsonl")
        let tmux = try TmuxSession("tappa race replay \(file) --speed 200", width: 100, height: 24, home: home)
        #expect(await tmux.wait(for: "Porto → Lisbon"), "\(tmux.text)")
        tmux.press("x")
        #expect(await tmux.wait(for: "x resumes the replay."), "\(tmux.text)")
        tmux.press("x")
        #expect(await tmux.wait(for: "Replay at "), "\(tmux.text)")
        #expect(await tmux.wait(for: "A break of four"), "\(tmux.text)")
        #expect(!tmux.text.contains("Ana Sousa won"))
        #expect(await tmux.wait(for: "Ana Sousa won"), "\(tmux.text)")
        #expect(await tmux.wait(for: "The replay is over."), "\(tmux.text)")
        tmux.press("q")
        #expect(await tmux.wait(for: "ended with 0"), "\(tmux.text)")
        #expect(!tappa("race", "list").output.contains("volta"))
    }

    @Test func refusesWhatIsNoRecording() throws {
        let file = try temporary.write("a shopping list\n", to: "other.txt")
        #expect(tappa("race", "replay", file).code == 65)
        #expect(tappa("race", "replay", temporary.path("missing")).code == 66)
        #expect(tappa("race", "replay", file, "--speed", "0").code == 64)
        // Nothing is written to a file of another kind, nor without a race to follow.
        #expect(tappa("race", "record", file, "--race", "giro-d-italia-2025").code == 66)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a shopping list\n")
    }

    @Test func setsTheDelay() {
        #expect(tappa("race", "delay").output == "0 s\n")
        #expect(tappa("race", "delay", "60").output == "60 s\n")
        #expect(tappa("race", "delay").output == "60 s\n")
        #expect(tappa("race", "delay", "301").code == 64 && tappa("race", "delay").output == "60 s\n")
    }

    /// Records a race that a program prints, until it is killed, and continues the recording.
    @Test func recordsWhatAProgramPrints() async throws {
        let file = temporary.path("day.jsonl")
        let today = CalendarDay(instant: .now).text
        let race =
            #"{"race": "Club", "year": 2026, "stages": [{"number": 1, "start": "A", "finish": "B", "date": "\#(today)"}]}"#
        let program = try temporary.script("race", "echo '\(race)'")
        #expect(tappa("race", "follow", "exec:\(program)").code == 0)
        for _ in 0..<2 {
            let size = (try? Data(contentsOf: URL(fileURLWithPath: file)).count) ?? 0
            let tmux = try TmuxSession("tappa race record \(file)", width: 80, height: 10, home: home)
            #expect(await tmux.wait(for: "recording club-2026"), "\(tmux.text)")
            #expect(await eventually { ((try? Data(contentsOf: URL(fileURLWithPath: file)).count) ?? 0) > size })
            tmux.press("C-c")
        }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{\"at\":\"") && $0.hasSuffix("}") })
    }
}
