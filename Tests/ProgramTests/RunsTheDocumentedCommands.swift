import CommonTesting
import Foundation
import LoopbackServer
import Testing

/// Every shell command in the README and the guide runs as printed, with the network replaced by local servers.
@Suite(.timeLimit(.minutes(10))) struct RunsTheDocumentedCommands: ProgramSuite {
    let temporary = TemporaryFolder()
    private let server: LoopbackServer
    /// The race centres of the races in the examples.
    private let centres: [(race: String, server: LoopbackServer)]
    private let reader: ReaderServer

    private static let race = """
        {"race": "Volta", "year": 2026, "stages": [{"number": 1, "date": "2026-05-10", "start": "Porto", "finish": "Lisbon"}]}
        """

    init() throws {
        let items = (1...12).map {
            "<item><title>Entry \($0)</title><guid>\($0)</guid><link>https://a.example/\($0)</link></item>"
        }
        server = try LoopbackServer { request in
            switch request.path {
            case "/feed.xml":
                .init(
                    "<rss version='2.0'><channel><title>News</title>\(items.joined())</channel></rss>", type: "text/xml"
                )
            case "/volta-2026.json": .init(Self.race)
            case let path where path.hasPrefix("/sparql?"): .init(Self.answer(path))
            default: .init(404)
            }
        }
        // After a refusal a race centre gets no requests for any of its races.
        centres = try ["tour-de-france", "vuelta"].map { (race: $0, server: try Self.centre()) }
        reader = try ReaderServer()
    }

    /// Returns a race centre that knows the stages and then refuses, so that the commands don't wait for the rest.
    private static func centre() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.path {
            case "/api/stage-2025", "/api/stage-2026": .init(200, body: Array(stages(request.path).utf8))
            default: .init(403)
            }
        }
    }

    private static func stages(_ path: String) -> String {
        let bind = path.dropFirst("/api/".count)
        return """
            [{"_bind": "\(bind)", "_id": "a", "stage": 1, "date": "\(bind.suffix(4))-07-04T00:00:00+02:00",
            "departureCity": {"label": "Porto"}, "arrivalCity": {"label": "Lisbon"}}]
            """
    }

    /// An answer of Wikidata, in which the season is this year's.
    private static func answer(_ path: String) -> String {
        let year = Date().formatted(.iso8601).prefix(4)
        return InventedWikidata.answer(toPath: path)?.replacing("2026", with: year) ?? ""
    }

    /// The user's own catalogue, with the race centres of the examples on this machine.
    private func catalogue() -> String {
        let races = centres.map { id, centre in
            """
            {"id": "\(id)", "names": {"en": "\(id)"}, "host": "http://127.0.0.1:\(centre.port)", "start": "07-04", "stages": true,
            "wikidata": "Q9001"}
            """
        }
        return "{\"wikidata_service\": \"\(server.url("/sparql"))\", \"races\": [\(races.joined(separator: ","))]}"
    }

    /// The lines of the shell examples in the documents, in order.
    private static func commands() throws -> [String] {
        let guide = Program.sources.appendingPathComponent("Sources/tappa/Guide.docc")
        let pages = try FileManager.default.contentsOfDirectory(at: guide, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        var lines: [String] = []
        for page in [Program.sources.appendingPathComponent("README.md")] + pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            for block in text.components(separatedBy: "```sh\n").dropFirst() {
                lines += (block.components(separatedBy: "```").first ?? "").split(separator: "\n").map(String.init)
            }
            // A line of a crontab, without the times.
            lines += text.matches(of: /\n(?:[*0-9\/]+ ){5}(tappa .+)/).map { String($0.1) }
        }
        return lines.filter { !$0.hasPrefix("make ") && !$0.hasPrefix("#") }
    }

    @Test func runsEveryCommand() throws {
        let programs = home.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: home.appendingPathComponent(".newsboat"), withIntermediateDirectories: true)
        try home.write("\(server.url("/feed.xml")) tech\n", to: ".newsboat/urls")
        _ = try temporary.script("bin/pass", "echo secret")
        try home.write(catalogue(), to: ".config/tappa/sources.json")
        try home.write("2026-05-10,Porto,Lisbon,150,\n", to: "stages.csv")
        let examples = Program.sources.appendingPathComponent("Assets/examples").path
        let hasJq = Program.run("/bin/sh", ["-c", "command -v jq"]).code == 0
        #expect(tappa("add", server.url("/feed.xml")).code == 0)
        #expect(tappa("reload").code == 0)
        #expect(tappa("tag", "12", "+work").code == 0)
        #expect(tappa("mark", "starred", "12").code == 0)
        let commands = try Self.commands()
        #expect(commands.count >= 18, "\(commands)")
        for line in commands where hasJq || !line.contains("jq ") {
            var command = line.replacing("https://rss.example.org", with: reader.address)
                .replacing("/usr/share/doc/tappa/examples", with: examples)
            for path in ["/feed.xml", "/volta-2026.json"] {
                command = command.replacing("https://example.org\(path)", with: server.url(path))
            }
            // Both go on until a signal ends them.
            let isEndless = command.contains("--follow") || command.split(separator: "#")[0].trimmed == "tappa"
            let isDashboard = isEndless && !command.contains("--follow")
            if isDashboard { continue }
            let script = """
                cd "$HOME"; PATH="$HOME/bin:$PATH"; program=$0
                tappa() { \(isEndless ? "timeout 2 " : "")"$program" "$@"; }
                set -e
                \(command)
                """
            let result = shell(script)
            // The race centre refuses what comes after the stages, which is a failure.
            let isRefused = command.contains("race follow") && result.code == 69
            #expect(result.code == (isEndless ? 124 : 0) || isRefused, "\(line): \(result.errors)\(result.output)")
            if isEndless || command.contains("jq -r .url") { #expect(!result.output.isEmpty, "\(line)") }
            #expect(!result.output.contains("null"), "\(line)")
        }
        #expect(FileManager.default.fileExists(atPath: home.path + "/article.md"))
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
