import CommonTesting
import Foundation
import LoopbackServer
import Testing

/// Hidden results: no command shows the winner until the user reveals it.
@Suite struct HidesResultsFromCommands: ProgramSuite {
    let temporary = TemporaryFolder()

    private static func day(_ daysAgo: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter.string(from: Date(timeIntervalSinceNow: Double(-86_400 * daysAgo)))
    }

    private static let race = """
        {"schema": 2, "race": "Volta", "year": 2026, "stages": [
         {"number": 1, "date": "\(day(1))", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
          "results": [{"rider": "Bea Costa", "time": 14410}, {"rider": "Ana Sousa", "gap": 4}],
          "general": [{"rider": "Ana Sousa"}, {"rider": "Bea Costa", "gap": 14}],
          "ticker": [{"time": "\(day(1))T14:00:00Z", "km": 150, "text": "Costa wins"}]},
         {"number": 2, "date": "\(day(0))", "start": "Lisbon", "finish": "Faro"}]}
        """

    private static func feed(_ server: String) -> String {
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Cycling", "items": [
         {"id": "1", "url": "\(server)/costa", "title": "Costa takes it", "date_published": "\(day(1))T17:00:00Z",
          "content_html": "<p>Bea Costa before Sousa</p>",
          "attachments": [{"url": "\(server)/costa.mp3", "mime_type": "audio/mpeg"}]},
         {"id": "2", "url": "\(server)/2", "title": "An evening in Lisbon", "date_published": "\(day(1))T18:00:00Z",
          "content_html": "<p>Costa raised her arms</p>"}]}
        """
    }

    @Test func STA_11_noCommandShowsTheWinner() throws {
        let rule = "[[rules]]\nname = \"all\"\nwhen = \"text:o*\"\nthen = [\"star\"]\n"
        try home.write(rule, to: ".config/tappa/config.toml")
        let race = try home.write(HidesResultsFromCommands.race, to: "volta.json")
        let server = try LoopbackServer { request in
            let own = "http://\(request.headers["host"] ?? "")"
            return request.path == "/feed.json"
                ? LoopbackServer.Answer(HidesResultsFromCommands.feed(own))
                : LoopbackServer.Answer("<title>Costa wins all</title><p>Costa!</p>", type: "text/html")
        }
        #expect(tappa("add", server.url("/feed.json")).code == 0)
        #expect(tappa("race", "import", race).code == 0)
        #expect(tappa("reload").code == 0)
        #expect(tappa("downloads", "add", "--title", "Costa speaks", server.url("/costa.mp3")).code == 0)
        #expect(tappa("search", "costa").output.contains("Costa takes it"))
        #expect(tappa("race", "hide").code == 0)
        let commands: [[String]] = [
            ["list"], ["list", "--json"], ["reload"], ["reload", "--json"], ["export"], ["export", "--starred"],
            ["search", "arms"], ["search", "is:starred"], ["search", "--json", "is:starred"], ["show", "1", "2"],
            ["show", "--format", "json", "1", "2"], ["show", "--format", "html", "1", "2"],
            ["show", "--format", "text", "1", "2"], ["mark", "later", "1"], ["tag", "sprint", "1"], ["rules"],
            ["rules", "try"], ["rules", "apply", "--yes", "all"], ["rules", "undo", "all"],
            ["save", server.url("/wins")],
            ["downloads"], ["downloads", "--json"], ["downloads", "run"], ["downloads"], ["downloads", "remove", "1"],
            ["account", "outbox"], ["stages", "--race", "volta-2026"], ["stages", "--race", "volta-2026", "--json"],
            ["race", "list"], ["race", "season"], ["race", "export", "volta-2026"],
            ["race", "export", "--format", "ics", "volta-2026"], ["status"], ["status", "--format", "{stage}"],
            ["config"], ["doctor"], ["check"],
        ]
        for words in commands {
            let result = tappa(words)
            #expect(result.code != 64, "\(words): \(result.errors)")
            for name in ["costa", "sousa"] {
                let text = (result.output + result.errors).lowercased()
                #expect(!text.contains(name), "\(words): \(text)")
            }
        }
        #expect(tappa("race", "show").code == 0)
        #expect(tappa("search", "costa").output.contains("Costa takes it"))
    }
}
