import CommonTesting
import Foundation
import GRDB
import Testing

/// Runs programs without privileges.
enum Unprivileged {
    /// A prefix for programs, because the superuser could write anywhere.
    static let prefix =
        geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] : []

    static var isPossible: Bool { prefix.isEmpty || Program.run("/usr/bin/env", prefix + ["true"]).code == 0 }
}

/// A read-only home or library: the program says so and continues.
@Suite(.enabled("rights cannot be given away here") { Unprivileged.isPossible })
struct ReadOnlyHomes {
    private let directory = TemporaryFolder()
    private var home: URL { directory.url.appendingPathComponent("home") }
    private var folder: URL { home.appendingPathComponent(".local/share/tappa") }
    private var library: URL { folder.appendingPathComponent("library.sqlite") }

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    private func tappa(_ arguments: String...) -> Program.Outcome {
        Program.run(
            "/usr/bin/env", Unprivileged.prefix + [Program.path.path] + arguments,
            environment: Program.settings(home).merging(["TERM": "xterm"]) { $1 })
    }

    private func dashboard() throws -> TmuxSession {
        try TmuxSession(
            "tappa --segment stages", width: 100, height: 24, home: home,
            environment: Unprivileged.prefix.joined(separator: " "))
    }

    /// Removes or restores write permissions, so that the folder can be deleted afterwards.
    private func protect(_ isProtected: Bool = true) {
        _ = Program.run("/usr/bin/env", ["chmod", "-R", isProtected ? "a-w" : "u+w", home.path])
    }

    @Test func startsInMemoryWithoutALibraryAndSaysSo() async throws {
        protect()
        defer { protect(false) }
        let tmux = try dashboard()
        #expect(await tmux.wait(for: "Nothing will be stored after this run"))
        #expect(await tmux.wait(for: "Giro d'Italia 2010"))
        await tmux.press("Escape", "Tab", "Q", expecting: "ended with 0")
        // Commands that would lose data are refused; the others succeed.
        let added = tappa("add", "http://127.0.0.1:9/feed")
        #expect(added.code == 74 && added.errors.contains("the directory is read-only"))
        #expect(tappa("config", "--why", "feeds.refresh").code == 0)
        let doctor = tappa("doctor")
        #expect(doctor.code == 65 && doctor.output.hasPrefix("!\tlibrary\tnone, and "))
        #expect(doctor.output.contains("ok\tterminal"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    /// Which files exist beside the library depends on how the last program ended.
    enum Beside: CaseIterable { case log, emptyLog, nothing }

    @Test(arguments: Beside.allCases) func readsALibrary(_ beside: Beside) async throws {
        #expect(tappa("status").output == "9 unread\n")
        // A log with contents: one connection stays open, as after a kill.
        let queue = try DatabaseQueue(path: library.path)
        if beside == .log {
            try await queue.write { try $0.execute(sql: "UPDATE subscription SET title = 'In the log' WHERE id = 2") }
        }
        if beside == .nothing {
            try queue.close()
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: library.path + suffix) }
        }
        if beside == .emptyLog { try FileManager.default.removeItem(atPath: library.path + "-shm") }
        protect()
        defer { protect(false) }
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let list = tappa("list")
        #expect(list.code == 0 && list.errors.isEmpty && list.output.contains("9/9\tWelcome to tappa"))
        if beside == .log { #expect(list.output.contains("In the log")) }
        #expect(tappa("status").output == "9 unread\n")
        let search = tappa("search", "tmux")
        #expect(search.code == 0)
        #expect(search.errors.contains("9 entries are not indexed"))
        let reload = tappa("reload")
        #expect(reload.code == 74, "\(reload)")
        #expect(reload.errors == "tappa: the library file is read-only\n")
        #expect(tappa("add", "http://127.0.0.1:9/feed").errors == "tappa: the library file is read-only\n")
        let doctor = tappa("doctor")
        #expect(doctor.code == 65 && doctor.output.contains("!\tlibrary\tnothing can be stored"))
        #expect(doctor.output.contains("ok\tpages\twhole\n"))

        let tmux = try dashboard()
        #expect(await tmux.wait(for: "Nothing can be stored: the library file is read-only"))
        await tmux.press("Tab", expecting: "▐Feeds 9▌")
        await tmux.press("Q", expecting: "ended with 0")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    }

    @Test func reportsAnUnreadableLog() async throws {
        #expect(tappa("status").code == 0)
        let queue = try DatabaseQueue(path: library.path)
        try await queue.write { try $0.execute(sql: "UPDATE subscription SET title = 'In the log' WHERE id = 2") }
        try FileManager.default.removeItem(atPath: library.path + "-shm")
        protect()
        defer { protect(false) }
        let list = tappa("list")
        #expect(list.code == 74 && list.errors.contains("the library file is read-only, and its log can't be read"))
        withExtendedLifetime(queue) {}
    }

    @Test func readingAReadOnlyLibraryIsNoFailure() async throws {
        #expect(tappa("status").code == 0)
        protect()
        defer { protect(false) }
        let tmux = try dashboard()
        #expect(await tmux.wait(for: "Nothing can be stored"))
        await tmux.press("Tab", "Enter", "Enter", expecting: "A first tour")
        await tmux.press("m", expecting: "Not stored: a read mark (the library file is read-only)")
        await tmux.press("Q", expecting: "ended with 0")
    }

    @Test func queuesChangesForAReadOnlyFile() async throws {
        #expect(tappa("status").code == 0)
        chmod(library.path, 0o400)
        defer { protect(false) }
        let tmux = try dashboard()
        #expect(await tmux.wait(for: "Nothing can be stored"))
        await tmux.press("Tab", "Enter", "s", expecting: "1 change pending, not stored yet")
        await tmux.press("Q", expecting: "the next start stores them")
        chmod(library.path, 0o600)
        #expect(tappa("search", "is:starred").output.contains("Welcome to tappa"))
    }

    @Test func reportsAnEarlierReadOnlyLibrary() throws {
        #expect(tappa("status").code == 0)
        let queue = try DatabaseQueue(path: library.path)
        try queue.write { db in
            // As before the migrations that are still to come.
            try db.execute(sql: "DELETE FROM grdb_migrations")
        }
        try queue.close()
        protect()
        defer { protect(false) }
        let list = tappa("list")
        #expect(list.code == 74 && list.errors.contains("read-only, so it can't be upgraded"))
    }

    @Test func doctorLeavesADamagedLibrary() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("SQLite format 3\0 and nothing else".utf8).write(to: library)
        let doctor = tappa("doctor")
        #expect(
            doctor.code == 65 && doctor.output.hasPrefix("!\tlibrary\t\(library.path) is not a database or is damaged"))
        #expect(doctor.output.contains("ok\tterminal"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["library.sqlite"])
    }

    @Test func keepsPermissionsOfTheOwner() throws {
        #expect(tappa("status").code == 0)
        chmod(folder.path, 0o500)
        defer { protect(false) }
        chmod(library.path, 0o444)
        #expect(tappa("list").code == 0)
        #expect(mode(folder) == 0o500 && mode(library) == 0o444)
        chmod(folder.path, 0o755)
        #expect(tappa("list").code == 0)
        #expect(mode(folder) == 0o700)
    }

    private func mode(_ file: URL) -> mode_t {
        var status = stat()
        return stat(file.path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
