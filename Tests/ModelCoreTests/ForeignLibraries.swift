import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A library from someone else runs nothing by itself.
@Suite struct ForeignLibraries {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }
    private var here: KnownLibraries { KnownLibraries(file: temporary.path("here/libraries"), isAtOwnPlace: false) }
    private var elsewhere: KnownLibraries {
        KnownLibraries(file: temporary.path("there/libraries"), isAtOwnPlace: false)
    }

    /// A library with programs and paths in every possible place.
    private func make(known: KnownLibraries?) async throws {
        let library = try Library(path: path, known: known)
        var feed = NewSubscription(url: "exec:/bin/evil --now")
        feed.runsProgram = true
        try await library.changes.perform(.subscribe([feed, NewSubscription(url: "https://a.example/")], now: 1))
        for name in Settings.namesOfPrograms { try await library.changes.perform(.set(name, "evil")) }
        try await library.changes.perform(.set("appearance.theme", "dark"))
        try await library.changes.perform(
            .queueDownload(url: "https://a.example/1.mp3", title: "One", allowsPrivateHost: true, now: 1))
        #expect(library.changes.drain() == .stored)
        try await DatabaseQueue(path: path).write { db in
            try db.execute(sql: "UPDATE download SET path = '/home/you/.profile', is_done = 1")
            try db.execute(sql: "INSERT INTO rule_task (rule, task, entry_id, created) VALUES ('r', 't', 1, 1)")
        }
        _ = try library.secrets.keep(Secret(user: "u", password: .command(["evil"])))
        _ = try library.secrets.keep(Secret(user: "u", password: .environment("TOKEN")))
        _ = try library.secrets.keep(Secret(user: "u", password: .kept("p")))
    }

    private func programs(_ library: Library) throws -> [String] {
        try library.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT url FROM subscription WHERE runs_program = 1
                    UNION ALL SELECT name FROM setting WHERE value = 'evil'
                    UNION ALL SELECT path FROM download WHERE path IS NOT NULL OR allows_private
                    UNION ALL SELECT task FROM rule_task UNION ALL SELECT change FROM undo_step
                    """)
        }
    }

    @Test func leavesLocalLibrariesUnchanged() async throws {
        try await make(known: here)
        let library = try Library(path: path, known: here)
        #expect(library.notices == [])
        #expect(try programs(library).count >= 7)
    }

    @Test func disablesProgramsOfAForeignLibraryOnce() async throws {
        try await make(known: elsewhere)
        let library = try Library(path: path, known: here)
        #expect(try programs(library) == [])
        let notice = try #require(library.notices.first)
        #expect(
            notice.contains("disabled 1 feed with a program") && notice.contains("exec:/bin/evil --now"))
        for name in Settings.namesOfPrograms { #expect(notice.contains("\(name) = evil")) }
        #expect(notice.contains("1 download") && notice.contains("2 passwords"))
        // Everything else stays.
        let settings = try Settings(library: library, file: [:])
        #expect(settings[.theme] == "dark" && settings[.browser] == "BROWSER")
        #expect(try library.feeds.all().count == 2)
        // Programs that the user enables stay enabled, here and on the original machine.
        try await library.changes.perform(.set("feeds.browser", "mine"))
        var feed = NewSubscription(url: "exec:/bin/evil --now")
        feed.runsProgram = true
        let receipt = try await library.changes.perform(.subscribe([feed], now: 2))
        #expect(receipt.subscriptions.map(\.isNew) == [false])
        #expect(library.changes.drain() == .stored)
        for known in [here, elsewhere] {
            let again = try Library(path: path, known: known)
            #expect(again.notices == [])
            #expect(try programs(again) == ["exec:/bin/evil --now"])
            #expect(try Settings(library: again, file: [:])[.browser] == "mine")
        }
    }

    /// A feed from an imported list doesn't run its program because it already exists.
    @Test func onlyTheUserEnablesPrograms() async throws {
        try await make(known: elsewhere)
        let library = try Library(path: path, known: here)
        try await library.changes.perform(.subscribe([NewSubscription(url: "exec:/bin/evil --now")], now: 2))
        #expect(try programs(library) == [])
    }

    /// A library of an earlier version at the default path is accepted as the user's; the next one in its place isn't.
    @Test func acceptsAnEarlierLibraryOnce() async throws {
        let known = KnownLibraries(file: temporary.path("here/libraries"), isAtOwnPlace: true)
        try await make(known: nil)
        let library = try Library(path: path, known: known)
        #expect(library.notices == [])
        #expect(try !programs(library).isEmpty)
        #expect(library.changes.drain() == .stored)
        #expect(try Library(path: path, known: known).notices == [])
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try await make(known: elsewhere)
        #expect(try programs(Library(path: path, known: known)) == [])
    }

    @Test func backupsContainNoTokens() async throws {
        try await make(known: here)
        let library = try Library(path: path, known: here)
        let token = try #require(
            try library.read {
                try String.fetchOne($0, sql: "SELECT name FROM setting WHERE name LIKE 'library.token.%'")
            })
        let backup = temporary.path("b.sqlite")
        _ = try library.backUp(to: backup)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
        #expect(bytes.range(of: Data(token.utf8)) == nil)
        #expect(try programs(Library(path: backup, known: here)) == [])
    }

    @Test func restoredLibrariesRunNoPrograms() async throws {
        try await make(known: here)
        let restored = try Library.copy(backup: path, to: temporary.path("r.sqlite"))
        #expect(restored.feeds == 2 && restored.switchedOff.feeds == ["exec:/bin/evil --now"])
        #expect(try programs(Library(path: temporary.path("r.sqlite"))) == [])
        let recovered = try LibraryRecovery.recover(path, into: temporary.path("s.sqlite"))
        #expect(recovered.switchedOff.settings.count == Settings.namesOfPrograms.count)
        #expect(try programs(Library(path: temporary.path("s.sqlite"))) == [])
        for name in ["r", "s"] {
            let tokens = try Library(path: temporary.path("\(name).sqlite")).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM setting WHERE name LIKE 'library.token.%'")
            }
            #expect(tokens == 0)
        }
    }

    // MARK: Triggers

    private static let statements = [
        "CREATE TRIGGER mine AFTER INSERT ON entry BEGIN DELETE FROM setting; END",
        "DROP TRIGGER entry_read; CREATE TRIGGER entry_read AFTER UPDATE ON entry BEGIN DELETE FROM setting; END",
        "CREATE VIEW mine AS SELECT * FROM setting", "DROP TRIGGER entry_deleted",
    ]

    @Test(arguments: statements) func rejectsForeignTriggers(_ sql: String) async throws {
        try await make(known: here)
        let open = try Library(path: path, known: here)
        try OtherProgram.execute(sql, at: path)
        #expect(try LibraryCheck.run(open).contains { $0.contains("triggers or views") })
        #expect(throws: LibraryError.foreignTriggers(path: path)) { try Library(path: path, known: here) }
        #expect(Library(glancingAt: path) == nil)
        #expect(open.changes.drain() == .stored)
        // Its rows are copied without them.
        let target = temporary.path("r.sqlite")
        #expect(try Library.copy(backup: path, to: target).feeds == 2)
        #expect(try Library(path: target).read(LibrarySchema.current.isExact))
    }

    /// The digest is stored so that no start computes it.
    @Test func theDigestMatchesTheCurrentVersion() throws {
        let library = try Library(path: nil)
        let digest = try library.read(LibrarySchema.current.triggerDigest)
        #expect(
            digest == LibrarySchema.current.triggers,
            "in LibraryFeatures.swift, the digest of the triggers is now 0x\(String(digest, radix: 16, uppercase: true))"
        )
        #expect(try library.read(LibrarySchema.current.isExact))
    }

    /// Foreign tables and indexes are dropped, too.
    @Test func restoresOnlyKnownTables() async throws {
        try await make(known: here)
        try OtherProgram.execute("CREATE TABLE extra (x); CREATE INDEX slow ON entry (title)", at: path)
        let target = temporary.path("r.sqlite")
        #expect(try Library.copy(backup: path, to: target).feeds == 2)
        #expect(try Library(path: target).read(LibrarySchema.current.isExact))
    }

    /// A copied link would make the backup itself the library.
    @Test func restoresTheFileBehindALink() async throws {
        try await make(known: here)
        let (link, target) = (temporary.path("latest.sqlite"), temporary.path("r.sqlite"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "l.sqlite")
        #expect(try Library.copy(backup: link, to: target).feeds == 2)
        let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        #expect(type == .typeRegular)
    }

    @Test func restoresTheLogOfALibraryInUse() async throws {
        try await make(known: here)
        let library = try Library(path: path, known: here)
        try await library.changes.perform(.subscribe([NewSubscription(url: "https://b.example/")], now: 2))
        #expect(try Library.copy(backup: path, to: temporary.path("r.sqlite")).feeds == 3)
        #expect(library.changes.drain() == .stored)
    }

    @Test func restoresNeitherFoldersNorPipes() throws {
        let (folder, pipe, target) = (temporary.path("folder"), temporary.path("pipe"), temporary.path("r.sqlite"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(mkfifo(pipe, 0o600) == 0)
        for source in [folder, pipe] {
            #expect { try Library.copy(backup: source, to: target) } throws: { error in
                "\(error)" == "can't open \(source): it is a directory, pipe or device"
            }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    /// SQLite would restore pages from the journal of a killed restore into the next copy.
    @Test func deletesALibraryWithAllItsFiles() throws {
        let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
        for file in files { try Data("x".utf8).write(to: URL(fileURLWithPath: file)) }
        OpenedDatabase.delete(path)
        #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }

    @Test func namesAFileThatIsNoBackup() throws {
        let (source, target) = (temporary.path("b.sqlite"), temporary.path("r.sqlite"))
        for data in [
            Data(), Data("no database".utf8), Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 9000),
        ] {
            try data.write(to: URL(fileURLWithPath: source))
            unlink(target)
            #expect { try Library.copy(backup: source, to: target) } throws: { error in
                "\(error)".contains(source) && !"\(error)".contains(target)
            }
        }
    }
}
