import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import Testing

/// Commands and the dashboard say what is damaged or can't be stored, and keep the rest.
@Suite struct DamagedLibraries: ProgramSuite {
    let temporary = TemporaryFolder()
    private var database: String { temporary.path("l.sqlite") }
    var options: [String] { ["--database", database] }

    /// The contents of the library and of the files beside it, by name.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path)
        let own = names.filter { $0.hasPrefix("l.sqlite") }
        return try Dictionary(
            uniqueKeysWithValues: own.map { ($0, try Data(contentsOf: temporary.url.appendingPathComponent($0))) })
    }

    /// Creates a library whose file is complete, without a log beside it.
    private func createLibrary() throws {
        #expect(tappa("list").code == 0)
        let queue = try OtherProgram.connect(to: database)
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
    }

    // MARK: Zeroed files

    /// The whole file, its first page, or its header.
    @Test(arguments: [Int.max, 8192, 100])
    func aZeroedLibraryIsReportedAndLeftUnchanged(count: Int) throws {
        try createLibrary()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: database))
        let zeroed = min(count, bytes.count)
        bytes.replaceSubrange(0..<zeroed, with: Data(count: zeroed))
        try bytes.write(to: URL(fileURLWithPath: database))
        for command in ["status", "list"] {
            let result = tappa(command)
            #expect(result.code == 65 && result.output.isEmpty, "\(command)")
            #expect(result.errors.contains("is damaged") && result.errors.contains("'tappa recover'"))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        #expect(try files() == ["l.sqlite": bytes])
    }

    /// The log of an emptied file is the last copy of what it had.
    @Test(arguments: ["status", "list"])
    func theLogOfAnEmptyLibraryIsKept(command: String) throws {
        let log = Data((0..<20_000).map { UInt8($0 % 251) })
        try Data().write(to: URL(fileURLWithPath: database))
        try log.write(to: URL(fileURLWithPath: database + "-wal"))
        let result = tappa(command)
        #expect(result.errors.contains("is damaged") && result.errors.contains("'tappa recover --database"))
        let kept = try files().filter { $0.key.contains(".damaged-") && $0.key.hasSuffix("-wal") }
        #expect(Array(kept.values) == [log])
    }

    // MARK: Full files

    /// A file that may not grow (`SIGXFSZ`) is like a full disk.
    @Test func theDashboardSurvivesALimitOfFileSizes() async throws {
        try createLibrary()
        let tmux = try TmuxSession(
            "sh -c 'ulimit -f 64; exec \(Program.path.path) --segment feeds --database \(database)'", width: 100,
            height: 30, home: temporary.url)
        #expect(await tmux.wait(for: "Welcome to tappa"))
        await tmux.press("Enter", expecting: "Reading feeds")
        await tmux.press("m", expecting: "not stored yet")
        let program = try #require(tmux.programID)
        kill(program, SIGXFSZ)
        tmux.press("?")
        #expect(await tmux.wait { $0.contains("Esc") || $0.contains("Keys") })
        #expect(kill(program, 0) == 0 && !tmux.text.contains("ended with"))
    }

    // MARK: One damaged text

    /// Damages the compressed text of an entry: cuts it, or inverts bits in it.
    private func damage(_ entry: Int, cuts: Bool) throws {
        let queue = try OtherProgram.connect(to: database)
        try queue.write { db in
            let find = "SELECT html FROM entry_content WHERE typeof(html) = 'blob' AND entry_id = ?"
            var bytes = try #require(try Data.fetchOne(db, sql: find, arguments: [entry]))
            if cuts { bytes.removeLast(5) } else { bytes[bytes.count - 5] ^= 0xFF }
            try db.execute(sql: "UPDATE entry_content SET html = ? WHERE entry_id = ?", arguments: [bytes, entry])
            try db.execute(sql: "UPDATE entry SET is_starred = 1 WHERE id IN (2, ?)", arguments: [entry])
        }
        try queue.close()
    }

    @Test(arguments: [true, false])
    func aDamagedTextHidesNoOtherEntry(cuts: Bool) throws {
        try createLibrary()
        let before = try rows(tappa("search", "--json", "is:unread").output)
        #expect(before.count == 9)
        try damage(3, cuts: cuts)
        let search = tappa("search", "--json", "is:unread")
        #expect(search.code == 65 && search.errors.contains("entry 3: a part is damaged"))
        #expect(try rows(search.output).compactMap { $0["id"] as? Int } == before.compactMap { $0["id"] as? Int })
        let title = try #require(before.first { $0["id"] as? Int == 3 }?["title"] as? String)
        let show = tappa("show", "3", "2")
        #expect(show.code == 65 && show.output.contains(title) && show.output.contains("The commands of tappa"))
        #expect(show.errors.contains("entry 3: a part is damaged") && show.errors.contains("'tappa recover'"))
        let export = tappa("export", "--starred")
        #expect(export.code == 65 && export.errors.contains("entry 3: a part is damaged"))
        #expect(export.output.contains(title) && export.output.contains("The commands of tappa"))
        let lines = tappa("search", "is:unread")
        #expect(lines.code == 65 && lines.output.contains(title) && lines.errors.contains("entry 3: a part is damaged"))
        #expect(lines.output.split(separator: "\n").count == before.count)
        let backup = tappa("backup", temporary.path("copy.sqlite"))
        #expect(backup.code == 65 && backup.output.contains("wrote "))
        #expect(backup.errors.contains("1 compressed text in entry_content can't be read"))
        #expect(backup.errors.split(separator: "\n").count == 1)
        let whole = tappa("show", "2")
        #expect(whole.code == 0 && whole.errors.isEmpty)
        #expect(tappa("check").code == 65)
        let recovery = tappa("recover", "--output", temporary.path("new.sqlite"))
        #expect(recovery.code == 0 && recovery.output.contains("entry_content\t9\tin part\n"))
        #expect(recovery.output.contains("entry\t9\twhole\n"))
    }
}
