import CommonTesting
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

@testable import tappa

/// Commands on the library, the configuration and documents, and on the machine.
@Suite(.timeLimit(.minutes(10))) struct CommandsForTheLibrary: ProgramSuite {
    let temporary = TemporaryFolder()
    private var library: String { temporary.path(".local/share/tappa/library.sqlite") }
    private var configuration: String { temporary.path(".config/tappa/config.toml") }

    private func names(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: temporary.path(folder)))
    }

    // MARK: Settings

    @Test func showsTheOriginOfASetting() async throws {
        #expect(tappa("config", "--why", "feeds.refresh").output == "feeds.refresh = 60  (the default)\n")
        try home.write("\n[feeds]\nrefresh = 30\n", to: ".config/tappa/config.toml")
        let file = "  30  (\(configuration), line 3)\n"
        #expect(
            tappa("config", "--why", "feeds.refresh").output
                == "feeds.refresh = 30  (\(configuration), line 3)\n  60  (the default)\n")
        try await Library(path: library).changes.perform(.set("feeds.refresh", "15"))
        #expect(
            tappa("config", "--why", "feeds.refresh").output
                == "feeds.refresh = 15  (set in the program)\n\(file)  60  (the default)\n")
        #expect(tappa("config", "--here").output == "[feeds]\nrefresh = 15\n")
        let variable = ["TAPPA_FEEDS_REFRESH": "7"]
        #expect(
            tappa("config", "--why", "feeds.refresh", environment: variable).output
                == "feeds.refresh = 7  (the variable TAPPA_FEEDS_REFRESH)\n\(file)  60  (the default)\n")
        let flag = tappa("config", "--why", "feeds.refresh", "--set", "feeds.refresh=5", environment: variable)
        #expect(flag.output == "feeds.refresh = 5  (--set)\n\(file)  60  (the default)\n")
        let all = tappa("config", "--set", "terminal.mouse=false").output.split(separator: "\n").map(String.init)
        #expect(all.count == Settings.definitions.count)
        #expect(all.contains("feeds.refresh = 15\there") && all.contains("terminal.mouse = off\tflag"))
        #expect(all.contains("appearance.theme = terminal\tdefault"))
        #expect(tappa("config", "--why", "feeds.none").failed(66, "tappa: no such setting: 'feeds.none'\n"))
    }

    @Test func reportsEachWrongFlag() {
        let result = tappa(
            "reload", "--set", "feeds.refresh=x", "--set", "feeds.refesh=1", environment: ["TAPPA_TERMINAL_MOUSE": "x"])
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(
            result.errors == """
                tappa: TAPPA_TERMINAL_MOUSE must be on or off, not 'x'
                tappa: feeds.refresh must be a whole number from 0 to 1440, not 'x'
                tappa: --set needs NAME=VALUE; no such setting: 'feeds.refesh'; did you mean 'feeds.refresh'?

                """)
        let none = temporary.path("none.toml")
        #expect(tappa("list", "--config", none).failed(66, "tappa: no such configuration file: \(none)\n"))
    }

    @Test func listsKeysOfUserCommands() throws {
        try home.write(
            "[[commands]]\nname = \"mine\"\nkey = \"B\"\nrun = [\"true\"]\n[keys]\n\"entry.star\" = [\"x\"]\n",
            to: ".config/tappa/config.toml")
        let listing = tappa("config", "--keys")
        #expect(listing.output.contains("\"user.mine\" = [\"B\"]"))
        #expect(listing.code == 65 && listing.errors.contains("no such command: 'entry.star'"))
        #expect(tappa("list").code == 0)
    }

    // MARK: Backups

    @Test func restoresABackupAndKeepsTheFormerLibrary() throws {
        #expect(tappa("add", "https://127.0.0.1:1/one").code == 0)
        let backup = tappa("backup", "~/b.sqlite")
        #expect(backup.code == 0 && backup.output.hasPrefix("wrote \(temporary.path("b.sqlite")), "))
        #expect(tappa("add", "https://127.0.0.1:1/two").code == 0)
        let refused = tappa("backup", temporary.path("b.sqlite"))
        #expect(refused.code == 74 && refused.errors == "tappa: file exists: \(temporary.path("b.sqlite"))\n")
        let restored = tappa("restore", "~/b.sqlite")
        #expect(
            restored.code == 0
                && restored.output.hasPrefix(
                    "\(library) has 1 feed and 0 entries; the previous library is now \(library).previous-")
        )
        #expect(tappa("list").output.split(separator: "\n").count == 1)
        let previous = try #require(
            try names(".local/share/tappa").first {
                $0.contains(".previous-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
            })
        #expect(
            tappa("list", "--database", temporary.path(".local/share/tappa/\(previous)")).output.split(separator: "\n")
                .count == 2)
        #expect(try !names(".local/share/tappa").contains { $0.contains(".restored") })
        // An invalid or missing backup changes nothing.
        let file = try home.write("nothing", to: "x.sqlite")
        let wrong = tappa("restore", file)
        #expect(wrong.code == 65 && wrong.errors.hasPrefix("tappa: \(file) is not a usable backup: "))
        #expect(tappa("restore", "/no/such/file").failed(66, "tappa: no such file: /no/such/file\n"))
        #expect(tappa("restore", file, "--in-memory").code == 64 && tappa("recover", "--in-memory").code == 64)
        #expect(tappa("list").output.split(separator: "\n").count == 1)
        #expect(try !names(".local/share/tappa").contains { $0.contains(".restored") })
        // Without a previous library, nothing is kept.
        let other = temporary.path("other.sqlite")
        #expect(tappa("restore", "~/b.sqlite", "--database", other).output == "\(other) has 1 feed and 0 entries\n")
    }

    /// Two programs at once would delete each other's files.
    @Test func replacesALibraryAlone() throws {
        #expect(tappa("add", "https://127.0.0.1:1/one").code == 0)
        #expect(tappa("backup", "~/b.sqlite").code == 0)
        let folder = open(temporary.path(".local/share/tappa"), O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
        for command in [["restore", "~/b.sqlite"], ["recover"]] {
            let refused = tappa(command)
            #expect(refused.code == 69 && refused.output.isEmpty)
            #expect(refused.errors == "tappa: another program is replacing this library; try again when it has ended\n")
        }
        #expect(try !names(".local/share/tappa").contains { $0.contains(".previous-") || $0.contains(".damaged-") })
        #expect(flock(folder, LOCK_UN) == 0)
        #expect(tappa("restore", "~/b.sqlite").code == 0)
    }

    @Test func replacesADamagedLibrary() throws {
        #expect(tappa("status").output == "9 unread\n")
        try Data("left by a killed command".utf8).write(to: URL(fileURLWithPath: library + ".recovered"))
        let result = tappa("recover")
        let lines = result.output.split(separator: "\n")
        #expect(result.code == 0 && lines.contains("subscription\t3\twhole") && lines.contains("entry\t9\twhole"))
        #expect(
            lines.last?.hasPrefix("\(library) is the new library; the damaged one is now \(library).damaged-")
                == true)
        #expect(tappa("status").output == "9 unread\n")
        #expect(try !names(".local/share/tappa").contains { $0.contains(".recovered") })
        #expect(tappa("check").output == "no damage found\n")
        let none = temporary.path("none.sqlite")
        #expect(tappa("recover", "--database", none).failed(66, "tappa: no such library: \(none)\n"))
    }

    @Test func checkReportsDamage() throws {
        #expect(tappa("status").code == 0)
        try OtherProgram.execute("UPDATE subscription SET total_count = total_count + 1 WHERE id = 1", at: library)
        let result = tappa("check")
        #expect(result.code == 65 && !result.output.isEmpty && !result.output.contains("whole"))
        #expect(
            result.errors == "tappa: the library is damaged; 'tappa recover' copies what is readable into a new one\n")
    }

    // MARK: Libraries of others

    /// A read-only library from elsewhere can be read but runs no programs.
    @Test(.enabled("rights cannot be given away here") { Unprivileged.isPossible })
    func aReadOnlyForeignLibraryRunsNothing() throws {
        let theirs = temporary.url.appendingPathComponent("theirs")
        try FileManager.default.createDirectory(at: theirs, withIntermediateDirectories: true)
        let mark = temporary.path("ran")
        let script = try temporary.script(
            "feed.sh", "touch '\(mark)'; echo '<rss><channel><title>Theirs</title></channel></rss>'")
        let folder = temporary.path("given")
        let database = folder + "/l.sqlite"
        #expect(Program.tappa("add", "exec:\(script)", "--database", database, home: theirs).code == 0)
        unlink(mark)
        _ = Program.run("/bin/chmod", ["-R", "a-w", folder])
        defer { _ = Program.run("/bin/chmod", ["-R", "u+w", folder]) }
        func mine(_ words: String...) -> Program.Outcome {
            Program.run(
                "/usr/bin/env", Unprivileged.prefix + [Program.path.path] + words + ["--database", database],
                environment: Program.settings(home))
        }
        let list = mine("list")
        #expect(list.code == 0 && list.output.contains("exec:"), "\(list)")
        let reload = mine("reload")
        #expect(reload.code != 0 && !FileManager.default.fileExists(atPath: mark), "\(reload)")
        #expect(mine("status").output.hasSuffix(" unread\n"))
        // It stays foreign once it becomes writable.
        _ = Program.run("/bin/chmod", ["-R", "u+w", folder])
        _ = mine("reload", "--quiet")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    // MARK: Import

    @Test func rejectsEmptyFoldersAndInvalidFiles() throws {
        try FileManager.default.createDirectory(
            at: home.appendingPathComponent("empty"), withIntermediateDirectories: true)
        let empty = temporary.path("empty")
        #expect(
            tappa("import", empty, "--in-memory")
                .failed(66, "tappa: \(empty) has no files of newsboat or newsraft\n"))
        #expect(tappa("import", "/no/such/file", "--in-memory").errors == "tappa: no such file: /no/such/file\n")
        let binary = try home.write("\u{1}\u{2}", to: "x.bin")
        #expect(tappa("import", binary, "--in-memory").code == 65)
        // A file is recognized by its contents, whatever its name.
        let config = try home.write("# mine\nreload-time 30\n", to: "settings.txt")
        let imported = tappa("import", config)
        #expect(imported.code == 0 && imported.output == "reload-time 30\nwrote \(configuration)\n")
        #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "[feeds]\nrefresh = 30\n")
    }

    @Test func writesPrivateFilesAndOverwritesNone() throws {
        try home.write("https://a.example/\n", to: ".config/newsboat/urls")
        try home.write(
            "reload-time 30\ncolor article white black\nignore-article \"*\" \"title =~ \\\"x\\\"\"\n",
            to: ".config/newsboat/config")
        try home.write("", to: ".local/share/newsboat/cache.db")
        let first = tappa("import", temporary.path(".config/newsboat"))
        #expect(first.code == 0 && first.errors.isEmpty, "\(first)")
        let own = temporary.path(".config/tappa")
        let files = ["config.toml", "themes/newsboat.toml", "rules/newsboat.toml"].map { "\(own)/\($0)" }
        for file in files {
            #expect(first.output.contains("wrote \(file)\n"))
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(file)")
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700, "\(folder)")
        }
        #expect(first.output.hasPrefix("added 1\n") && first.output.contains("cache.db: empty file\n"))
        #expect(
            try String(contentsOfFile: files[0], encoding: .utf8)
                == "[appearance]\ntheme = \"newsboat\"\n\n[feeds]\nrefresh = 30\n")
        // A second import keeps existing files.
        try home.write(
            "reload-time 45\ncolor article white blue\nignore-article \"*\" \"title =~ \\\"y\\\"\"\n",
            to: ".config/newsboat/config")
        try home.write("[feeds]\norder = \"oldest first\"\n", to: ".config/tappa/config.toml")
        let before = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        let second = tappa("import", temporary.path(".config/newsboat"))
        #expect(try files.map { try String(contentsOfFile: $0, encoding: .utf8) } == before)
        #expect(second.output.contains("wrote \(own)/config-newsboat.toml\n"))
        #expect(
            second.output.contains(
                "changed: \(own)/config.toml is unchanged; copy what you want from config-newsboat.toml\n"))
        for file in files.dropFirst() {
            #expect(second.output.contains("skipped: File exists: \(file); its contents would be:"))
        }
        #expect(try String(contentsOfFile: "\(own)/config-newsboat.toml", encoding: .utf8).contains("refresh = 45"))
    }

    @Test func importsOnlyFeedsAndNoProgramsUnasked() throws {
        try home.write("https://a.example/ \"~A\"\nexec:/bin/true\n\"query:Q:unread = \\\"yes\\\"\"\n", to: "n/urls")
        try home.write("reload-time 30\n", to: "n/config")
        let alone = tappa("import", temporary.path("n/urls"), "--feeds-only", "--no-programs")
        #expect(
            alone.output == """
                added 1
                saved searches: 1
                changed: the query 'Q' became the saved search is:unread
                skipped: exec:/bin/true: it runs a program

                """)
        #expect(alone.errors.isEmpty && !FileManager.default.fileExists(atPath: configuration))
        let unasked = tappa("import", temporary.path("n/urls"))
        #expect(unasked.errors == "tappa: exec:/bin/true runs a program; use --programs to follow it\n")
        #expect(
            unasked.output.contains("added 0, already followed: 1\n")
                && FileManager.default.fileExists(atPath: configuration))
        #expect(
            tappa("import", temporary.path("n/urls"), "--feeds-only", "--programs").output.hasPrefix(
                "added 1, already followed: 1\n"))
        #expect(tappa("list").output.split(separator: "\n").count == 2)
    }

    /// While newsboat runs, its entries stay where they are.
    @Test func leavesADatabaseInUse() throws {
        try home.write("https://a.example/\n", to: "n/urls")
        let path = temporary.path("n/cache.db")
        try OtherProgram.execute(
            """
            \(OtherProgram.newsboatItems)
            INSERT INTO rss_item VALUES (1, 'one', 'one', '', '', 'https://a.example/', 1700000000, '', 0, '', '', 0, '', 0),
                (2, 'two', 'two', '', '', 'https://b.example/', 1700000000, '', 0, '', '', 0, '', 0);
            """, at: path)
        let lock = open(path + ".lock", O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        #expect(lockf(lock, F_TLOCK, 0) == 0)
        let used = tappa("import", temporary.path("n"))
        #expect(used.output == "added 1\nskipped: \(path): its program is running; close it, then import again\n")
        #expect(lockf(lock, F_ULOCK, 0) == 0)
        let free = tappa("import", temporary.path("n"))
        #expect(
            free.output
                == "added 0, already followed: 1\nentries of newsboat: 1, 1 read\nskipped: 1 entry of https://b.example/: you don't follow this feed\n"
        )
        // Entries read there are read here, and newsboat's file is unchanged.
        #expect(tappa("status").output == "0 unread\n")
    }

    // MARK: Documents

    @Test func resolvesLinksAgainstTheBase() throws {
        let feed = "<rss><channel><title>\u{E9}</title><item><link>/x</link></item></channel></rss>"
        let parsed = tappa("parse", "-", "--base", "https://a.example/feed", input: feed)
        #expect(parsed.code == 0 && parsed.output.contains("\"url\": \"https://a.example/x\""))
        let typed = shell(
            "printf '<rss><channel><title>\\351</title></channel></rss>' | \"$0\" parse - --content-type 'text/xml; charset=iso-8859-1'"
        )
        #expect(typed.output.contains("\"title\": \"é\""))
        // The document comes before its errors, even in one file.
        let both = shell("printf '<rss><channel><title>T</title><item><title>a & b' | \"$0\" parse - 2>&1")
        #expect(both.code == 0 && both.output.hasPrefix("{\n") && both.output.contains("}\ntappa: -: "))
    }

    @Test func extractsAnArticleFromItsPage() throws {
        let words = String(
            repeating: "<p>Words of an article that is long enough to be one, with commas, and sentences.</p>",
            count: 12)
        let page = try home.write(
            "<html lang=\"en\"><head><title>A page</title><meta name=author content=\"Ann\"></head><body><nav>menu menu</nav><article><h1>A page</h1>\(words)<p>The <a href=\"/next\">link</a> goes on.</p></article></body></html>",
            to: "page.html")
        let text = tappa("render", "--article", page, "--width", "40")
        #expect(text.code == 0 && text.output.hasPrefix("A page\n\n") && !text.output.contains("menu"))
        #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 40 })
        #expect(tappa("render", page).output.contains("menu menu"))
        let json = tappa("render", "--article", "--json", "--base", "https://a.example/1", page).output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(
            object["title"] as? String == "A page" && object["language"] as? String == "en"
                && object["byline"] as? String == "Ann")
        #expect((object["content_html"] as? String)?.contains("https://a.example/next") == true)
        #expect((object["text"] as? String)?.contains("Words of an article") == true)
        #expect(
            tappa("render", "--article", "-", input: "<html><title>x</title></html>").failed(
                65, "tappa: -: no article found\n"))
        #expect(tappa("render", "--json", page).code == 64)
    }

    // MARK: The machine

    @Test func doctorExaminesTheMachine() throws {
        try home.write(
            "[notifications]\nby = \"command\"\ncommand = \"no-such-notifier\"\n", to: ".config/tappa/config.toml")
        #expect(tappa("status").code == 0)
        let ill = tappa(
            "doctor",
            environment: [
                "TERM": "", "LC_ALL": "C", "TMUX": "", "BROWSER": "no-such-browser", "PATH": temporary.path("none"),
                "https_proxy": "http://p.example",
                "no_proxy": "", "http_proxy": "",
            ])
        let lines = ill.output.split(separator: "\n").map(String.init)
        #expect(ill.code == 65)
        for line in [
            "ok\tpages\twhole", "ok\tindex\t9 entries wait; the dashboard or 'tappa search --wait' indexes them",
            "ok\tfeeds\tno errors",
            "ok\tpermissions\t\(library) 600", "!\tterminal\tTERM is not set",
            "ok\tlocale\tC is not UTF-8: letters beyond ASCII may appear wrong",
            "-\tbrowser\tnot found; set BROWSER",
            "-\tplayer\t'mpv' not found; change audio.player",
            "!\tnotifications\t'no-such-notifier' not found",
            "ok\tnetwork\ttappa contacts private addresses only if you entered them; proxies from https_proxy",
            "ok\tconfiguration\t\(configuration): 2 settings, 0 rules, 0 commands",
        ] { #expect(lines.contains(line), "\(line)\n\(ill.output)") }
        #expect(!lines.contains { $0.contains("\ttmux\t") || $0.contains("\toutbox\t") })
        #expect(lines.contains { $0.hasPrefix("ok\tlibrary\t\(library), ") && $0.hasSuffix(", 3 feeds") })
        chmod(library, 0o640)
        try home.write("", to: ".config/tappa/config.toml")
        let well = tappa(
            "doctor",
            environment: [
                "TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "C.UTF-8", "BROWSER": "/bin/true", "TMUX": "",
                "https_proxy": "",
            ])
        // Opening it corrected its permissions.
        #expect(well.code == 0 && well.output.contains("ok\tpermissions\t\(library) 600\n"), "\(well.output)")
        #expect(well.output.contains("ok\tlocale\tC.UTF-8\n") && well.output.contains("ok\tbrowser\t/bin/true\n"))
        #expect(
            well.output.contains("ok\tterminal\tTERM=xterm\n")
                && well.output.contains("only if you entered them\n"))
    }

    @Test func doctorWritesAReport() throws {
        try home.write("[feeds]\nrefresh = 17\nbrowser = \"secret-browser %s\"\n", to: ".config/tappa/config.toml")
        #expect(tappa("status").code == 0)
        let path = temporary.path("report.txt")
        let told = tappa("doctor", "--report", path, environment: ["TERM": "xterm", "https_proxy": "http://me:pw@p"])
        #expect(told.output.contains("Wrote \(path). Read it before you share it.\n"))
        let report = try String(contentsOfFile: path, encoding: .utf8)
        let program = tappa("--version").output.split(separator: "\n").map(String.init)
        #expect(report.split(separator: "\n").map(String.init).starts(with: program))
        for part in ["Linux", "\nok\tpages\twhole\n", "~/.local/share/tappa/library.sqlite", "\nfeeds.refresh = 17\n"] {
            #expect(report.contains(part), "\(part)\n\(report)")
        }
        #expect(report.contains("\nfeeds.browser is changed\n"))
        for secret in ["secret", "me:pw", temporary.url.path, "example"] {
            #expect(!report.contains(secret), "\(secret)")
        }
        // An existing file is not overwritten.
        #expect(tappa("doctor", "--report", path).errors.contains("File exists"))
    }

    @Test func doctorCreatesNoLibrary() throws {
        let first = tappa("doctor", environment: ["TERM": "xterm"])
        #expect(first.output.hasPrefix("ok\tlibrary\tnone yet; the first start creates \(library)\n"))
        #expect(!FileManager.default.fileExists(atPath: library))
        #expect(first.output.contains("ok\tconfiguration\tnone; \(configuration) would be used\n"))
        let impossible = try home.write("", to: "file") + "/l.sqlite"
        let report = tappa("doctor", "--database", impossible)
        #expect(report.code == 65)
        #expect(
            report.output.hasPrefix(
                "!\tlibrary\tnone, and can't create \(impossible): its directory can't be written to\n"))
        #expect(
            tappa("add", "https://127.0.0.1:1/", "--database", impossible).errors.contains(
                "can't open \(impossible): its directory is a file"))
    }

    @Test func requiresATerminal() {
        for (words, sentence) in [
            (["reset-terminal"], "tappa: this is not a terminal\n"),
            ([], "tappa: the dashboard needs a terminal; in a pipe, use commands such as list, search or status\n"),
        ] {
            let result = tappa(words)
            #expect(result.code == 69 && result.errors == sentence && result.output.isEmpty)
        }
        let segment = tappa("--segment", "none")
        #expect(segment.code == 64 && segment.errors.contains("No such segment: 'none'."))
        #expect(tappa("status", "--follow", "--in-memory").failed(64, "tappa: --follow needs a library file\n"))
        #expect(
            tappa("list", "--in-memory", "--database", "x").errors.contains(
                "--in-memory and --database can't be combined."))
    }

    // MARK: Out

    @Test func countsHiddenEntriesInStarExports() async throws {
        let library = try Library(
            path: library, known: KnownLibraries(file: temporary.path("libraries"), isAtOwnPlace: true))
        try await library.markPrepared()
        _ = try await library.follow("https://a.example/", folder: "F & G")
        let out = tappa("export")
        #expect(
            out.code == 0 && out.output.contains("xmlUrl=\"https://a.example/\"") && out.output.contains("F &amp; G"))
        let stars = tappa("export", "--starred")
        #expect(stars.code == 0 && stars.errors.isEmpty && stars.output.contains("\"items\": []"))
    }

    // MARK: Accounts

    @Test func listsAccountsAsJSONAndRejectsUnknownOnes() throws {
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://example.org/feed")
        server.addEntry("Entry", feed: feed)
        let added = tappa(
            "account", "add", "home", server.address, "--user", "alice", "--password-command", "echo secret")
        #expect(added.code == 0)
        let listed = tappa("account", "list", "--json").output
        let account = try #require(try rows(listed).first)
        #expect(
            account["name"] as? String == "home" && account["user"] as? String == "alice"
                && account["feeds"] as? Int == 1)
        #expect(
            account["kind"] as? String == "reader" && account["pending"] as? Int == 0 && account["refused"] as? Int == 0
        )
        #expect(
            account["last_sync"] is String && account["error"] == nil
                && account["state"] as? String == "synced just now")
        #expect(!listed.contains("secret"))
        #expect(tappa("mark", "starred", "1").code == 0)
        let items = try rows(tappa("account", "outbox", "--json").output)
        #expect(
            items.count == 1 && items[0]["account"] as? String == "home"
                && items[0]["change"] as? String == "Star: Entry")
        #expect(items[0]["refused"] as? Bool == false)
        #expect(tappa("status", "--format", "{pending}").output == "1\n")
        #expect(tappa("account", "outbox", "--retry").code == 0)
        #expect(
            tappa("account", "sync", "home").output == "home\t0 new, 1 sent\n"
                && tappa("account", "outbox").output.isEmpty)
        for words in [["sync", "none"], ["remove", "none"], ["give", "none", "--all"], ["take", "none", "--all"]] {
            let refused = tappa(["account"] + words)
            #expect(refused.code == 66 && refused.errors == "tappa: no such account: 'none'\n", "\(words)")
        }
        for words in [["give", "home"], ["take", "home"], ["take", "home", "--all", "https://example.org/feed"]] {
            let refused = tappa(["account"] + words)
            #expect(
                refused.code == 64 && refused.errors.contains("Give the addresses of feeds, or --all."),
                "\(words)")
        }
        // A local feed doesn't belong to the account.
        #expect(tappa("add", "--as-is", "http://127.0.0.1:1/local").code == 0)
        let local = tappa("account", "take", "home", "http://127.0.0.1:1/local")
        #expect(local.failed(66, "tappa: no such feed: http://127.0.0.1:1/local\n"))
        #expect(tappa("remove", "http://127.0.0.1:1/local").code == 0)
        #expect(
            tappa("account", "take", "home", "https://example.org/other").failed(
                66, "tappa: no such feed: https://example.org/other\n"))
        #expect(tappa("account", "remove", "home").output == "removed home with 1 feed, 1 entry, 1 unread, 1 starred\n")
        #expect(tappa("list").output.isEmpty)
    }

    @Test func describesTheResultOfASync() {
        #expect(AccountCommand.words(.done(added: 2, sent: 3)) == "2 new, 3 sent")
        #expect(
            AccountCommand.words(.heldBack("later")) == "later" && AccountCommand.words(.failed("away")) == "! away")
    }
}
