import CSpawn
import CommonTesting
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

/// Stored data survive whatever happens to the programs.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SurvivesFailures: ProgramSuite {
    let temporary = TemporaryFolder()
    private var directory: URL { temporary.url }

    private static func feed(_ count: Int) -> String {
        let items = (0..<count).map {
            "<item><title>Entry \($0)</title><guid>\($0)</guid><description>words \($0)</description></item>"
        }
        return "<rss><channel><title>Feed</title>\(items.joined())</channel></rss>"
    }

    /// The result of SQLite's integrity check; "ok" if there is no error.
    private func check(_ database: String) throws -> String? {
        try OtherProgram.connect(to: database).read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
    }

    @Test func aReadMarkSurvivesAnImmediateKill() async throws {
        let database = directory.appendingPathComponent("l.sqlite").path
        #expect(Program.tappa("list", "--database", database).code == 0)
        let tmux = try TmuxSession(
            "tappa --segment feeds --database \(database)", width: 100, height: 30, home: directory)
        #expect(await tmux.wait(for: "Welcome to tappa"))
        let program = try #require(tmux.programID)
        await tmux.press("Enter", expecting: "Reading feeds")
        await tmux.press("Enter", expecting: "Feeds 8")
        kill(program, SIGKILL)
        #expect(Program.tappa("list", "--database", database).output.contains("8/9\tWelcome to tappa"))
    }

    @Test func aKilledReloadLeavesCompleteFeeds() async throws {
        let server = try LoopbackServer { request in
            .init(
                200, body: Array(SurvivesFailures.feed(200).utf8),
                delay: Int(request.path.dropFirst()).map { $0 * 7 } ?? 0)
        }
        let database = directory.appendingPathComponent("l.sqlite").path
        let library = try Library(path: database)
        try await library.markPrepared()
        for index in 0..<40 { try await library.follow(server.url("/\(index)")) }
        for requests in [3, 12, 30] {
            let before = server.requests.count
            try OtherProgram.makeFeedsDue(at: database)
            let process = Program.start("reload", "--database", database)
            #expect(await eventually { server.requests.count >= before + requests })
            kill(process, SIGKILL)
            Program.wait(for: process)
            let rows = try library.feeds.all()
            #expect(rows.allSatisfy { $0.total == 0 || $0.total == 200 })
            #expect(try library.entries.count(in: EntryQuery(.all)) == rows.reduce(0) { $0 + $1.total })
            #expect(try check(database) == "ok")
        }
    }

    @Test func TER_07_twoDashboardsSeeEachOthersChanges() async throws {
        let database = home.appendingPathComponent("l.sqlite").path
        #expect(Program.tappa("list", "--database", database).code == 0)
        let first = try TmuxSession("tappa --segment feeds --database \(database)", width: 100, height: 30, home: home)
        let second = try TmuxSession(
            "tappa --segment feeds --database \(database)", width: 100, height: 30,
            home: home.appendingPathComponent("b"))
        #expect(await first.wait(for: "Feeds 9"))
        #expect(await second.wait(for: "Feeds 9"))
        await first.press("Enter", expecting: "Reading feeds")
        await first.press("m", expecting: "Feeds 8")
        #expect(await second.wait(for: "Feeds 8"))
        // A command running beside them is noticed too, and always answers.
        #expect(Program.tappa("remove", "https://www.appcoda.com/feed/", "--database", database).code == 0)
        #expect(await first.wait { !$0.contains("AppCoda") })
        #expect(await second.wait { !$0.contains("AppCoda") })
        #expect(Program.tappa("search", "--database", database, "popover").code == 0)
    }

    @Test func reportsAFullDiskAndLosesNothing() throws {
        let server = try LoopbackServer { _ in .init(SurvivesFailures.feed(3000)) }
        let database = directory.appendingPathComponent("l.sqlite").path
        let list = Data("<opml><body><outline xmlUrl='\(server.url("/"))'/></body></opml>".utf8)
        #expect(
            Program.tappa("import", "-", "--database", database, input: String(decoding: list, as: UTF8.self)).code == 0
        )
        let before = Program.tappa("list", "--json", "--database", database).output
        // No file may exceed half a megabyte: SQLite then reports a full disk or a write error.
        let result = shell("trap '' XFSZ; ulimit -f 1024; exec \"$0\" reload --database '\(database)'")
        #expect(result.code != 0)
        #expect(result.output.contains("! disk") || result.errors.contains("disk"))
        let after = Program.tappa("list", "--json", "--database", database)
        #expect(after.code == 0)
        #expect(after.output.contains("\"url\""))
        #expect(
            after.output.components(separatedBy: "\"url\"").count == before.components(separatedBy: "\"url\"").count)
        #expect(try check(database) == "ok")
        try OtherProgram.makeFeedsDue(at: database)
        #expect(Program.tappa("reload", "--database", database).output.contains("3000 new"))
    }

    @Test func quarantinesADamagedLibrary() throws {
        let database = directory.appendingPathComponent("l.sqlite")
        #expect(Program.tappa("list", "--database", database.path).code == 0)
        var bytes = try Data(contentsOf: database)
        for index in 100..<min(bytes.count, 20_000) { bytes[index] = UInt8(index % 251) }
        try bytes.write(to: database)
        for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + log) }
        let result = Program.tappa("list", "--database", database.path)
        #expect(result.code == 65)
        #expect(result.errors.contains("is damaged and was moved to"))
        #expect(result.errors.split(separator: "\n").count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let aside = try #require(
            names.first { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
        #expect(try Data(contentsOf: directory.appendingPathComponent(aside)) == bytes)
        #expect(Program.tappa("list", "--database", database.path).code == 0)
    }

    @Test func reportsReadOnlyDirectoriesAndNewerLibraries() throws {
        let database = directory.appendingPathComponent("l.sqlite")
        #expect(Program.tappa("list", "--database", database.path).code == 0)
        let queue = try DatabaseQueue(path: database.path)
        try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
        try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try queue.close()
        let result = Program.tappa("list", "--database", database.path)
        #expect(result.code == 65)
        #expect(
            result.errors.contains(
                "was created by a newer version of tappa, or by one before 0.1.0; nothing was changed"))
        let rows = try DatabaseQueue(path: database.path).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM subscription")
        }
        #expect(rows == 3)
        let nowhere = Program.tappa("list", "--database", "/proc/l.sqlite")
        #expect(nowhere.code == 74)
        #expect(nowhere.errors.split(separator: "\n").count == 1)
    }

    @Test func exportsAndImportsSubscriptions() throws {
        let list = "https://a.example/feed \"tech\" \"~Name & more\"\nhttp://b.example/\nexec:rm\n"
        let result = tappa("import", try home.write(list, to: "urls"), "--database", directory.path + "/one")
        #expect(result.output == "added 2\n")
        #expect(result.errors.contains("exec:rm runs a program"))
        let opml = Program.tappa("export", "--database", directory.path + "/one").output
        #expect(opml.contains("xmlUrl=\"https://a.example/feed\""))
        #expect(opml.contains("Name &amp; more"))
        #expect(Program.tappa("import", "-", "--database", directory.path + "/two", input: opml).code == 0)
        let again = Program.tappa("export", "--database", directory.path + "/two").output
        func body(_ text: String) -> Set<Substring> {
            Set(text.split(separator: "\n").filter { $0.contains("outline") })
        }
        #expect(body(again) == body(opml))
        #expect(Program.tappa("import", "/no/such/file", "--in-memory").code == 66)
        #expect(Program.tappa("import", "-", "--in-memory", input: "<html/>").code == 65)
    }
}
