import CommonTesting
import Dashboard
import Foundation
import LibraryTesting
import LoopbackServer
import ModelCore
import RaceModel
import TerminalUI
import Testing

@testable import tappa

@Suite(.timeLimit(.minutes(10))) struct CommandLineTests: ProgramSuite {
    let temporary = TemporaryFolder()

    @Test func TER_03_reportsAMissingTerminalInOneLine() {
        let result = Program.tappa()
        #expect(result.code == 69)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.errors.contains("in a pipe, use commands such as list"))
    }

    @Test func printsStages() throws {
        let result = Program.tappa("stages", "--json", "--in-memory")
        let stages = try rows(result.output)
        #expect(stages.count == 21)
        #expect(Set(stages.compactMap { $0["distance_km"] as? Double }).count == 20)
        #expect(stages.last?["place"] as? String == "race:giro-d-italia-2010/21")
        #expect(Program.tappa("stages", "--race", "none", "--in-memory").code == 66)
    }

    /// Returns a calendar with a stage.
    private static func calendar(_ day: String) -> String {
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:\(day)\r\nSUMMARY:Stage 1: A - B\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    }

    @Test func everyCommandSeesRacesOfTheFolder() throws {
        try home.write(Self.calendar("21010701"), to: ".config/tappa/races/tour.ics")
        try home.write("number\n", to: ".config/tappa/races/bad.ics")
        let status = tappa("status", "--format", "{stage}")
        #expect(status.output.hasSuffix("days: tour 1: A → B\n"))
        let list = tappa("race", "list")
        #expect(list.output.hasPrefix("tour-2101\ttour 2101\t1 stage\n"))
        #expect(list.errors.contains("races/bad.ics: "))
        #expect(tappa("stages", "--race", "tour-2101").output == "1\t2101-07-01\tA → B\t\t\t\n")
    }

    /// The two zones are 25 hours apart: it is never the same day in both.
    @Test func takesTodayFromTheLocalZone() throws {
        func day(_ hours: Int) -> String {
            String(Date().addingTimeInterval(Double(hours) * 3600).formatted(.iso8601).prefix(10))
        }
        func status(_ zone: String) -> String {
            Program.run(
                Program.path.path, ["status", "--format", "{stage}", "--in-memory"],
                environment: ["HOME": home.path, "XDG_CONFIG_HOME": "", "TZ": zone]
            ).output
        }
        // Repeats once in case midnight passes in between.
        for _ in 0..<2 {
            let (east, west) = (day(14), day(-11))
            try home.write(Self.calendar(east.filter(\.isNumber)), to: ".config/tappa/races/tour.ics")
            let (there, here) = (status("<+14>-14"), status("<-11>11"))
            guard day(14) == east, day(-11) == west else { continue }
            #expect(there.hasPrefix("today: "))
            #expect(here.hasPrefix("tomorrow: ") || here.hasPrefix("in 2 days: "))
            return
        }
    }

    @Test func importsRacesFromTheWeb() throws {
        let calendar = Self.calendar("21010511")
        let server = try LoopbackServer { request in
            request.path.hasPrefix("/tour.ics") ? .init(calendar, type: "text/calendar") : .init(404)
        }
        let result = tappa("race", "import", server.url("/tour.ics?year=2101"))
        #expect(result.code == 0)
        #expect(result.output == "added tour-2101: 1 stage\n")
        let missing = tappa("race", "import", server.url("/other"), "/no/such/file")
        #expect(missing.code == 66)
        #expect(missing.errors.contains("not found (404)") && missing.errors.lowercased().contains("no such file"))
    }

    @Test func importsSeveralRacesAndReportsBadOnes() throws {
        let files = try ["one", "bad", "two"].map { name in
            try home.write(name == "bad" ? "nothing" : Self.calendar("21010701"), to: "\(name).ics")
        }
        let result = tappa(["race", "import"] + files)
        #expect(result.code == 65)
        #expect(result.output == "added one-2101: 1 stage\nadded two-2101: 1 stage\n")
        #expect(result.errors.contains("bad.ics"))
    }

    @Test func doctorReportsProblems() throws {
        #expect(tappa("doctor").output.hasPrefix("ok\tlibrary\tnone yet; the first start creates \(home.path)/"))
        #expect(tappa("list").code == 0)
        let well = tappa("doctor")
        #expect(
            well.code == 0 && well.output.contains("ok\tpages\twhole\n")
                && well.output.contains("ok\tconfiguration\tnone"))
        try home.write(
            "[appearance]\nthem = 'x'\n[[commands]]\nname = 'a'\nrun = ['no-such-program']\n",
            to: ".config/tappa/config.toml")
        chmod(home.path + "/.local/share/tappa/library.sqlite", 0o644)
        let ill = tappa("doctor")
        #expect(ill.code == 65 && ill.output.contains("!\tconfiguration\t"))
        #expect(
            ill.output.contains("did you mean 'appearance.theme'?")
                && ill.output.contains("!\tcommand\t'a': program not found"))
    }

    /// Writing to a full disk fails visibly, for short and long output.
    @Test(.enabled("no device is always full here") { FileManager.default.fileExists(atPath: "/dev/full") })
    func reportsUnwritableOutput() throws {
        for command in ["--version", "--help", "status", "export", "export --starred", "config", "manual"] {
            let result = shell("exec \"$0\" \(command) > /dev/full")
            #expect(result.code == 74, "\(command)")
            #expect(result.errors == "tappa: can't write the output: No space left on device\n", "\(command)")
        }
        // A reader that stops reading isn't an error.
        let fed = shell("\"$0\" manual | head -c 1")
        #expect(fed.output == "." && fed.errors.isEmpty)
        // The reader ends before the program starts.
        let unread = shell("(sleep 0.3; \"$0\" manual) | true")
        #expect(unread.output.isEmpty && unread.errors.isEmpty)
    }

    /// Opened files never get the standard descriptors, which would mix in printed output.
    @Test(.enabled("no /proc here") { FileManager.default.fileExists(atPath: "/proc/self/fd") })
    func survivesClosedStandardStreams() throws {
        // A pipe without a writer: the program opens it and waits. Until then the shell's own copy is open.
        let pipe = home.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let result = shell(
            """
            exec 9<>'\(pipe)'
            "$0" parse '\(pipe)' <&- >&- 2>&- 9>&- &
            for round in $(seq 600); do
            kill -0 $! && ! { readlink /proc/$!/exe | grep -q '/tappa$' && ls -l /proc/$!/fd | grep -q '\(pipe)'; } || break
            sleep 0.05; done
            for number in 0 1 2; do readlink /proc/$!/fd/$number; done
            kill $!
            """)
        #expect(result.output == "/dev/null\n/dev/null\n/dev/null\n")
    }

    /// A file size limit acts like a full disk: unfinished work is rolled back, and the library stays intact.
    @Test func treatsAFileSizeLimitAsAFullDisk() throws {
        #expect(tappa("status").output == "9 unread\n")
        let list = (0..<3000).map { "https://a.example/\($0)" }.joined(separator: "\n")
        try home.write(list, to: "urls")
        let result = shell("ulimit -f 40; exec \"$0\" import --yes --feeds-only --no-programs '\(home.path)/urls'")
        #expect(result.code == 74 && result.errors == "tappa: disk I/O error\n", "\(result)")
        #expect(tappa("check").output == "no damage found\n")
        #expect(tappa("list").output.split(separator: "\n").count == 3)
    }

    @Test func reportsMissingFiles() throws {
        let folder = home.appendingPathComponent(".config/tappa/config.toml")
        for (name, code, words) in [
            (home.path, Int32(74), "tappa: \(home.path) is a directory\n"),
            ("/no/such/file", 66, "tappa: no such file: /no/such/file\n"),
        ] {
            let result = tappa("parse", name)
            #expect(result.code == code && result.errors == words)
            let check = tappa("race", "check", name)
            #expect(check.code == code && check.errors == words)
        }
        // In place of the configuration, a theme, rules and a race.
        for path in ["", "/../themes/a.toml", "/../rules/b.toml", "/../races/c.json"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
        }
        let doctor = tappa("doctor")
        #expect(doctor.code == 65)
        for name in ["!\tconfiguration\t", "b.toml", "!\tthemes\t", "a.toml", "!\traces\t", "c.json"] {
            #expect(doctor.output.contains(name))
        }
        #expect(doctor.output.components(separatedBy: "is a directory\n").count - 1 == 4)
        #expect(tappa("config").errors.contains("config.toml is a directory"))
    }

    @Test func followsTheStatus() async throws {
        let server = try LoopbackServer { _ in
            .init("<rss><channel><title>F</title><item><title>x</title><guid>1</guid></item></channel></rss>")
        }
        let list = "<opml><body><outline xmlUrl='\(server.url("/f"))'/></body></opml>"
        #expect(tappa("import", "-", input: list).code == 0)
        let tmux = try await TmuxSession(
            "tappa status --follow", width: 60, height: 10, home: home, expecting: "0 unread")
        #expect(tappa("reload", "--quiet").output.isEmpty)
        #expect(await tmux.wait(for: "1 unread"))
    }

    @Test func addsReloadsAndListsFeeds() throws {
        let server = try LoopbackServer { request in
            request.path == "/ok"
                ? .init(
                    "<rss><channel><title>Evil\u{9B}2J [0m</title><item><title>x</title><guid>1</guid></item></channel></rss>"
                ) : .init(404)
        }
        // Users who start by adding feeds get no bundled ones.
        #expect(tappa("add", server.url("/ok"), server.url("/gone")).code == 0)
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        let reload = tappa("reload")
        #expect(reload.code == 69)
        #expect(reload.output.contains("! not found (404)"))
        #expect(reload.errors.contains("1 of 2 feeds failed"))
        let list = tappa("list", "--json")
        let rows = try rows(list.output)
        #expect(rows.map { $0["total"] as? Int } == [1, 0])
        #expect(
            Set(rows[0].keys) == [
                "id", "url", "title", "folder", "tags", "account", "hidden", "unread", "total", "error", "last_fetched",
                "place",
            ])
        #expect(
            rows[0]["hidden"] as? Bool == false && rows[0]["tags"] as? [String] == [] && rows[0]["account"] is NSNull)
        #expect(!list.output.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
        #expect(!tappa("list").output.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
        #expect(tappa("status", "--format", "#{unread}").output == "##1\n")
    }

    @Test func parsePrintsJSONFeed() throws {
        let result = Program.tappa(
            "parse", "-", input: "<rss><channel><title>T</title><item><link> /x </link></item></channel></rss>")
        #expect(result.code == 0)
        let feed = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
        #expect(Program.tappa("parse", "-", input: "").errors == "tappa: -: the document is empty\n")
        #expect(Program.tappa("parse", "-", input: "<html></html>").code == 65)
        #expect(Program.tappa("parse", "/no/such/file").code == 66)
    }

    @Test func reportsAndKeepsBadLibraries() throws {
        let file = try home.write("not a database at all, but long enough to look at", to: "library.sqlite")
        let damaged = Program.tappa("list", "--database", file)
        #expect(damaged.code == 65)
        #expect(damaged.errors.contains("is not a database or is damaged; nothing was changed"))
        let nowhere = Program.tappa("list", "--database", "/proc/nowhere/library.sqlite")
        #expect(nowhere.code == 74)
        #expect(nowhere.errors.split(separator: "\n").count == 1)
    }

    /// The manual names every command of the command line, every command with a key, and every setting, in valid
    /// macros.
    @Test func generatesTheManualFromTheProgram() throws {
        let manual = Program.tappa("manual")
        #expect(manual.code == 0)
        let lines = manual.output.split(separator: "\n").map(String.init)
        for name in Tappa.configuration.subcommands.filter({ $0.configuration.shouldDisplay }) {
            let command = (name.configuration.commandName ?? "").replacing("-", with: "\\-")
            #expect(lines.contains(".It Ic \(command)"), "\(command)")
        }
        for command in CommandTable.dashboard.commands
        where command.isFirstOfItsKind && CommandTable.dashboard.places.contains(command.place) {
            #expect(manual.output.contains("(\(command.name))"), "\(command.name)")
        }
        for setting in Settings.definitions {
            #expect(lines.contains(".It Ic \(setting.name.replacing("-", with: "\\-"))"), "\(setting.name)")
        }
        let macros: Set<Substring> = [
            ".Dd", ".Dt", ".Os", ".Xr", ".Sh", ".Ss", ".Nm", ".Nd", ".Op", ".Bl", ".El", ".It", ".Pp", ".Bd", ".Ed",
        ]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(macros.contains(line.prefix { $0 != " " }), "\(line)")
        }
        #expect(lines.count { $0.hasPrefix(".Bl") } == lines.count { $0 == ".El" })
        #expect(!lines.contains { $0.hasPrefix(".It Ic") && $0.count == 6 })
    }

    @Test func checksTheConfiguration() throws {
        func config(_ text: String, _ options: String...) throws -> Program.Outcome {
            let file = try home.write(text, to: "config.toml")
            return tappa(["config", "--config", file, "--in-memory"] + options)
        }
        let good = try config("[appearance]\ntheme = \"rosa\"\n[terminal]\nmouse = false\n")
        #expect(good.output.contains("appearance.theme = rosa\tfile"))
        #expect(good.output.contains("terminal.mouse = off\tfile"))
        let bad = try config("[appearance]\ntheme = \"purple\"\n")
        #expect(bad.code == 65)
        #expect(bad.errors.contains("appearance.theme must be terminal, dark"))
        let keys = try config("[keys]\nentry.browser = \"hyper-q\"\n")
        #expect(keys.code == 65 && keys.errors.contains("line 2: 'hyper-q' is not a key (for entry.browser)"))
        #expect(try config("[appearance\n").errors.contains("line 1"))
        // The output can be read back: the defaults, and all commands with their keys.
        let listing = Program.tappa("config", "--keys", "--in-memory")
        #expect(listing.output.contains("\n\"entry.browser\" = [\"o\"]"))
        #expect(try config(listing.output, "--keys").output == listing.output)
        #expect(try config(Program.tappa("config", "--defaults").output).code == 0)
    }
}
