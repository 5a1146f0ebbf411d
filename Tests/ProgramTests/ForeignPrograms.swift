import CommonTesting
import Foundation
import Testing

/// A library from elsewhere runs no programs, however it arrives.
@Suite struct ForeignPrograms {
    private let temporary = TemporaryFolder()
    private var mine: URL { temporary.url.appendingPathComponent("mine") }
    private var theirs: URL { temporary.url.appendingPathComponent("theirs") }
    private var mark: String { temporary.path("ran") }

    /// A foreign library with a feed whose program leaves a trace when it runs.
    private func make() throws -> String {
        for home in [mine, theirs] {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        }
        let script = try temporary.script(
            "feed.sh", "touch '\(mark)'; echo '<rss><channel><title>T</title></channel></rss>'")
        let database = temporary.path("theirs.sqlite")
        #expect(Program.tappa("add", "exec:\(script)", "--database", database, home: theirs).code == 0)
        unlink(mark)
        return database
    }

    /// Reloads the only feed that needs no network.
    private func reload(_ arguments: String...) -> String {
        let result = Program.tappa(["reload", "--quiet"] + arguments, home: mine)
        return result.output + result.errors
    }

    private func hasRun() -> Bool { unlink(mark) == 0 }

    @Test func aNamedLibraryRunsNoProgramsUntilAllowed() throws {
        let database = try make()
        let list = Program.tappa("list", "--database", database, home: mine)
        #expect(list.errors.contains("comes from another machine") && list.errors.contains("exec:"), "\(list.errors)")
        #expect(reload("--database", database).contains("programs are allowed only"))
        #expect(!hasRun())
        #expect(Program.tappa("list", "--database", database, home: mine).errors.isEmpty)
        let address = "exec:\(temporary.path("feed.sh"))"
        #expect(Program.tappa("add", address, "--database", database, home: mine).code == 0)
        _ = hasRun()
        _ = reload("--database", database)
        #expect(hasRun())
        // Both machines know the library now.
        #expect(Program.tappa("list", "--database", database, home: theirs).errors.isEmpty)
    }

    @Test func aRestoredLibraryRunsNoPrograms() throws {
        let database = try make()
        let restored = Program.tappa("restore", database, home: mine)
        #expect(restored.code == 0 && restored.errors.contains("exec:"), "\(restored.errors)")
        #expect(Program.tappa("list", home: mine).errors.isEmpty)
        let target = temporary.path("recovered.sqlite")
        let recovered = Program.tappa("recover", "--database", database, "--output", target, home: mine)
        #expect(recovered.code == 0 && recovered.errors.contains("exec:"), "\(recovered.errors)")
        #expect(!hasRun())
    }

    @Test func reportsInvalidBackups() throws {
        _ = try make()
        let file = temporary.path("empty")
        try Data().write(to: URL(fileURLWithPath: file))
        let empty = Program.tappa("restore", file, home: mine)
        #expect(empty.code == 65 && empty.errors.contains(file) && !empty.errors.contains(".restored"))
    }
}
