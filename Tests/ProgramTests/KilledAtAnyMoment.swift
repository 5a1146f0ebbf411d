import Accounts
import CTesting
import CommonTesting
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Testing

/// Nothing reported as stored is lost, whenever and however a program ends (`make soak` tries a thousand times each).
@Suite(.serialized, .timeLimit(.minutes(30))) struct KilledAtAnyMoment {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }
    private let rounds = ProcessInfo.processInfo.environment["SOAK_ROUNDS"].flatMap { Int($0) } ?? 10

    private func database() throws -> String {
        let database = folder.appendingPathComponent("l.sqlite").path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("l.sqlite") {
            try FileManager.default.removeItem(atPath: folder.appendingPathComponent(name).path)
        }
        // A library with the bundled entries.
        let whole = folder.appendingPathComponent("whole.sqlite").path
        if !FileManager.default.fileExists(atPath: whole) {
            #expect(Program.tappa("list", "--database", whole, home: folder).code == 0)
        }
        try FileManager.default.copyItem(atPath: whole, toPath: database)
        return database
    }

    private static func value(_ mark: String, _ entry: String, _ database: String) throws -> String? {
        try DatabaseQueue(path: database).read { db in
            try Int.fetchOne(db, sql: "SELECT \(mark) FROM entry WHERE id = \(entry)").map(String.init)
        }
    }

    /// Runs a walk and compares its output with the library.
    private func walk(seed: Int, killAt: Int, limit: Int) throws {
        let database = try database()
        let output = Program.run(
            Program.path(of: "library-walker").path,
            ["walk", database, "\(seed)", "60", "\(killAt)", "\(limit)"]
        ).output.split(separator: "\n").map(String.init)
        var stored: [String: String] = [:]
        var open: (key: String, value: String)?
        for line in output {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "ask" where words.count == 4: open = ("\(words[1]) \(words[2])", words[3])
            case "ok":
                if let open { stored[open.key] = open.value }
                open = nil
            default: open = nil
            }
        }
        let note = "seed \(seed), killed at \(killAt), limit \(limit)"
        let library = try Library(path: database)
        #expect(try LibraryPicture.integrity(of: library) == "ok", "\(note)")
        #expect(try LibraryPicture.faults(of: library) == [], "\(note)")
        for (key, value) in stored {
            // The change in progress at the end may be stored or not.
            if open?.key == key { continue }
            let words = key.split(separator: " ").map(String.init)
            #expect(try KilledAtAnyMoment.value(words[0], words[1], database) == value, "\(note): \(key)")
        }
        if killAt == 0, limit == 0 { #expect(output.last == "end") }
    }

    @Test func survivesAKillBetweenAnyTwoStatements() throws {
        try walk(seed: 0, killAt: 0, limit: 0)
        for round in 1...rounds { try walk(seed: round, killAt: 1 + (round * 37) % 500, limit: 0) }
    }

    // MARK: The samples of all features

    /// Copies a library of samples.
    private func samples(_ name: String) async throws -> String {
        let whole = folder.appendingPathComponent("samples.sqlite").path
        if !FileManager.default.fileExists(atPath: whole) {
            #expect(try await SampleLibrary(path: whole).library.changes.drain() == .stored)
        }
        let copy = folder.appendingPathComponent("\(name).sqlite").path
        for suffix in ["", "-wal", "-shm", ".secrets"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
        try FileManager.default.copyItem(atPath: whole, toPath: copy)
        return copy
    }

    /// Everything that the steps of a walk determine in the library at a path, which excludes random identifiers and times.
    ///
    /// Opening a library replaces header lines by references to secrets, so both libraries are opened for this.
    private func picture(at path: String) throws -> [String: [String]] {
        try LibraryPicture.tables(of: Library(path: path))
            .filter { $0.key != "rule_step" && !$0.key.hasPrefix("pending_") }
            .mapValues { rows in
                // References to secrets are random.
                rows.map { $0.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "UUID") }.sorted()
            }
    }

    /// Runs a walk over the samples, and repeats the steps that it reported as stored in another library. Both are equal,
    /// except that the step in progress at the end may be stored or not.
    private func walkSamples(seed: Int, killAt: Int, limit: Int) async throws -> [String] {
        let path = try await samples("walked")
        let output = Program.run(
            Program.path(of: "library-walker").path, ["samples", path, "\(seed)", "60", "\(killAt)", "\(limit)"]
        ).output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        let note = "seed \(seed), killed at \(killAt), limit \(limit)"
        let library = try Library(path: path)
        #expect(try LibraryPicture.integrity(of: library) == "ok", "\(note)")
        #expect(try LibraryPicture.faults(of: library) == [], "\(note)")
        let copy = try await samples("repeated")
        var walk = try SampleWalk(SampleLibrary(of: Library(path: copy)), seed: UInt64(seed), isUndoable: false)
        for answer in output where ["ok", "no"].contains(answer) {
            let step = walk.next()
            if answer == "ok" { try await walk.make(step) }
        }
        let present = try picture(at: path)
        var expected = [try picture(at: copy)]
        if output.last == "ask" {
            try await walk.make(walk.next())
            expected.append(try picture(at: copy))
        }
        let differences = expected.map { one in Set(one.keys.filter { one[$0] != present[$0] }) }
        #expect(differences.contains([]), "\(note): \(differences)")
        return output
    }

    @Test func everyKindOfChangeSurvivesAKill() async throws {
        #expect(try await walkSamples(seed: 0, killAt: 0, limit: 0).last == "end")
        for round in 1...rounds {
            _ = try await walkSamples(seed: round, killAt: 60 + (round * 397) % 2500, limit: 0)
        }
    }

    @Test func everyKindOfChangeSurvivesAFullDisk() async throws {
        let size = try FileManager.default.attributesOfItem(atPath: try await samples("walked"))[.size] as? Int ?? 0
        for round in 1...rounds {
            _ = try await walkSamples(seed: round, killAt: 0, limit: size / 16 + (round * 9_973) % (size + 65_536))
        }
    }

    @Test func survivesAKillDuringASync() async throws {
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://example.org/feed")
        for number in 1...20 { server.addEntry("Entry \(number)", feed: feed) }
        let path = folder.appendingPathComponent("synced.sqlite").path
        for round in 1...rounds {
            for suffix in ["", "-wal", "-shm", ".secrets"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            let made = Program.tappa(
                "account", "add", "home", server.address, "--user", "alice", "--password-command", "echo secret",
                "--database", path, home: folder)
            #expect(made.code == 0)
            let output = Program.run(
                Program.path(of: "library-walker").path,
                ["sync", path, "\(round)", "60", "\(100 + (round * 97) % 1500)"]
            ).output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            var told: [[String]: Bool] = [:]
            for (line, answer) in zip(output, output.dropFirst()) where line.count == 4 {
                // The change in progress at the end may be stored or not.
                told[[line[1], line[2]]] = answer == ["ok"] ? line[3] == "1" : nil
            }
            if let last = output.last, last.count == 4 { told[[last[1], last[2]]] = nil }
            let library = try Library(path: path)
            #expect(try LibraryPicture.integrity(of: library) == "ok" && LibraryPicture.faults(of: library) == [])
            func expectWhatWasTold(_ note: String) throws {
                for (key, value) in told where key.count == 2 {
                    let present = try KilledAtAnyMoment.value(key[0], key[1], path)
                    #expect(present == nil || present == (value ? "1" : "0"), "round \(round), \(note): \(key)")
                }
            }
            try expectWhatWasTold("after the kill")
            // The sync permit expires, and pending changes are sent.
            let later = SyncService(library: library, clock: { Instant.now + 600 })
            for _ in 0..<2 { try await later.syncAll(.whole) }
            try expectWhatWasTold("after the next sync")
            #expect(try library.outbox.items().isEmpty)
            let rows = try library.entries.rows(in: EntryQuery(.all), limit: 1000).filter {
                $0.title.hasPrefix("Entry")
            }
            for entry in server.with({ Array($0.entries.values) }) {
                guard let row = rows.first(where: { $0.title == entry.title }) else { continue }
                #expect(row.isRead == entry.isRead && row.isStarred == entry.isStarred, "round \(round): \(row.title)")
            }
        }
    }

    /// The power is cut, and the disk loses any part of what isn't synced. Everything that was shown as done remains.
    @Test func survivesAPowerCutAtAnyWrite() throws {
        let cuts = 12
        for seed in 1...max(1, rounds / cuts) {
            let result = Program.run(
                Program.path(of: "library-walker").path, ["cut", try database(), "\(seed)", "40", "\(cuts)", "honest"])
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 1 && lines.last?.hasPrefix("syncs: ") == true, "seed \(seed): \(lines)")
        }
        // A disk that doesn't sync loses something, which is noticed.
        let result = Program.run(
            Program.path(of: "library-walker").path, ["cut", try database(), "1", "40", "\(cuts)", "lying"])
        #expect(result.output.contains("it isn't as the user left it"))
    }

    @Test func survivesAFullDiskAtAnyWrite() throws {
        let size = try FileManager.default.attributesOfItem(atPath: try database())[.size] as? Int ?? 0
        // The library fits, and later changes fit less and less.
        for round in 1...rounds {
            try walk(seed: round, killAt: 0, limit: size / 16 + (round * 9_973) % (size + 65_536))
        }
    }

    // MARK: The dashboard

    private func openList(_ database: String) throws -> Pane {
        let home = folder.appendingPathComponent(UUID().uuidString).path
        let pane = try Pane.spawn([
            "env", "HOME=\(home)", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "TMUX=", Program.path.path,
            "--segment", "feeds", "--database", database,
        ])
        _ = pane.read(until: "Welcome")
        pane.type("\r")
        _ = pane.read(until: "Moving around")
        return pane
    }

    @Test func quittingStoresEveryKeyPress() throws {
        let ends = ["Q", "TERM", "HUP", "INT", "closed"]
        for round in 0..<rounds {
            let database = try database()
            let pane = try openList(database)
            pane.type("sjsjwjm")
            usleep(UInt32(round % 8) * 700)
            let end = ends[round % ends.count]
            switch end {
            case "Q": pane.type("Q")
            case "TERM": kill(pane.process, SIGTERM)
            case "HUP": kill(pane.process, SIGHUP)
            case "INT": kill(pane.process, SIGINT)
            default:
                // Keys written at once are read at once, together with the first one.
                let queue = try DatabaseQueue(path: database)
                let isStored = try waitUntil {
                    try queue.read { try Int.fetchOne($0, sql: "SELECT sum(is_starred) FROM entry") } ?? 0 > 0
                }
                #expect(isStored)
                try queue.close()
            }
            if end == "closed" { pane.close() }
            #expect(pane.hasEnded(), "\(end)")
            if end != "closed" { pane.close() }
            // A signal may arrive before the keys are read: those that were read are stored in order.
            let marks = try DatabaseQueue(path: database).read { db in
                try Row.fetchOne(db, sql: "SELECT sum(is_starred), sum(is_later), sum(is_read) FROM entry")
            }
            let counts = [0, 1, 2].map { (marks?[$0] as Int?) ?? 0 }
            if end == "Q" {
                #expect(counts == [2, 1, 1], "round \(round)")
            } else {
                #expect(
                    [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 1, 1]].contains(counts), "round \(round)")
                #expect(end != "closed" || counts == [2, 1, 1])
            }
        }
    }

    @Test func aDrawnStarSurvivesAKill() throws {
        for round in 0..<rounds {
            let database = try database()
            let pane = try openList(database)
            pane.type("s")
            // Right after it was drawn, or at any moment before.
            let drawn =
                round % 2 == 0 ? pane.read(until: "★") : pane.read(within: .milliseconds(1 + round % 5))
            kill(pane.process, SIGKILL)
            #expect(pane.hasEnded())
            pane.close()
            let stars = try DatabaseQueue(path: database).read { db in
                try Int.fetchOne(db, sql: "SELECT sum(is_starred) FROM entry")
            }
            if drawn.contains("★") { #expect(stars == 1, "round \(round)") }
        }
    }

    @Test func endsAnUnresponsiveLoop() throws {
        let pane = try Pane.spawn([Program.path(of: "library-walker").path, "wedge"])
        _ = pane.read(until: "\u{1B}[?1049h")
        kill(pane.process, SIGTERM)
        let drawn = pane.read(until: "forced")
        #expect(drawn.contains("\u{1B}[?1049l") && drawn.contains("forced"))
        var status: Int32 = 0
        waitpid(pane.process, &status, 0)
        #expect((status >> 8) & 0xFF == 128 + SIGTERM)
        pane.close()
    }
}
