import CommonTesting
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import Logging
import LoopbackServer
import ModelCore
import Testing

@testable import tappa

/// System limits, leftover files and messages.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProgramEdges: ProgramSuite {
    let temporary = TemporaryFolder()

    // MARK: Limits

    @Test(
        arguments: [
            ("ulimit -n 31", "31 open files is too low; tappa needs 32"), ("ulimit -n 32", nil),
            ("ulimit -v \(511 << 10)", "511 MiB of address space is too low; tappa needs 512 MiB"),
            ("ulimit -v \(512 << 10)", nil),
        ] as [(String, String?)]) func checksSystemPermissions(limit: String, sentence: String?)
    {
        let result = shell("\(limit); exec \"$0\" config --path")
        #expect(result.code == (sentence == nil ? 0 : 69), "\(limit): \(result.errors)")
        if let sentence { #expect(result.errors.contains(sentence)) }
    }

    /// The decoder process limits its memory and processor time before it reads a picture.
    @Test func limitsTheDecoderProcess() async throws {
        let pipe = temporary.path("picture")
        #expect(mkfifo(pipe, 0o600) == 0)
        let child = Program.start("decode-picture", pipe, "10", "10")
        defer {
            kill(child, SIGKILL)
            Program.wait(for: child)
        }
        var limits: [String: Int] = [:]
        let isLimited = await eventually {
            let text = FileManager.default.contents(atPath: "/proc/\(child)/limits").map {
                String(decoding: $0, as: UTF8.self)
            }
            for line in (text ?? "").split(separator: "\n") {
                let name = String(line.prefix(26)).trimmingCharacters(in: .whitespaces)
                limits[name] = line.dropFirst(26).split(separator: " ").first.flatMap { Int($0) }
            }
            return limits["Max cpu time"] == 5
        }
        #expect(isLimited)
        let pages = FileManager.default.contents(atPath: "/proc/\(child)/statm").map {
            String(decoding: $0, as: UTF8.self)
        }
        let used = (pages?.split(separator: " ").first.flatMap { Int($0) } ?? 0) * 4096
        let room = (limits["Max address space"] ?? 0) - used
        #expect(room > 128 << 20 && room <= 480 << 20, "\(room >> 20) MiB")
    }

    @Test(arguments: [
        ("some avg10=10.00 avg60=0.00\nfull avg10=0.00", true),
        ("some avg10=9.99 avg60=99.00\nfull avg10=99.00", false),
        ("some avg10=55.5", true), ("", false), ("some", false), ("some avg10=x", false),
    ]) func survivesLowMemory(text: String, isShort: Bool) {
        #expect(MemoryPressure.isShort(text) == isShort)
    }

    // MARK: Files

    /// Leftover files of killed programs are deleted after a minute; everything else stays.
    @Test func deletesStrayFilesOfFormerPrograms() async throws {
        let screens = home.appendingPathComponent(".local/state/tappa/screens")
        try FileManager.default.createDirectory(at: screens, withIntermediateDirectories: true)
        chmod(screens.path, 0o755)
        let old = [".pane-1", ".dat.nosync01ab", "tmux-0-0.json.part-7-9", "tmux-9-9-9.json", ".other"]
        for name in old + [".pane-2", "x.part-1"] {
            try screens.write("x", to: name)
        }
        for name in old {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -120)],
                ofItemAtPath: screens.appendingPathComponent(name).path)
        }
        let tmux = try await TmuxSession(
            "tappa --segment settings", width: 100, height: 24, home: home, expecting: "▐Settings▌")
        await tmux.press("Q", expecting: "ended with 0")
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: screens.path))
        #expect(left.isSuperset(of: ["tmux-9-9-9.json", ".other", ".pane-2", "x.part-1"]))
        #expect(left.isDisjoint(with: [".pane-1", ".dat.nosync01ab", "tmux-0-0.json.part-7-9"]))
        // The state file is named after the pane and private to its owner.
        #expect(left.contains { $0.hasPrefix("tmux-0-0-0") && $0.hasSuffix(".json") })
        var status = stat()
        #expect(stat(screens.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func writesEveryLogLine() throws {
        var log = try #require(FileLog(label: "test", path: temporary.path("log")))
        #expect(log[metadataKey: "a"] == nil)
        log[metadataKey: "a"] = "b"
        #expect(log[metadataKey: "a"] == "b" && log.metadata == ["a": "b"])
        #expect(FileLocations.log.hasSuffix("/tappa/tappa.log"))
    }

    /// Commands print library notices beside their output.
    @Test func reportsImportedChanges() async throws {
        let database = temporary.path("l.sqlite")
        #expect(tappa("list", "--database", database).code == 0)
        do {
            let library = try Library(path: database)
            let other = try OtherProgram.lock(database)
            library.changes.submit(.subscribe([NewSubscription(url: "https://waits.example/")], now: 1)) { _ in }
            #expect(library.changes.drain(within: 0.2) == .kept(1))
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        }
        let result = tappa("list", "--database", database)
        #expect(result.errors == "tappa: stored 1 change of the previous run\n")
        #expect(result.output.contains("https://waits.example/"))
        #expect(
            tappa("remove", "https://waits.example/", "--database", database).output
                == "removed https://waits.example/\n")
        #expect(!tappa("list", "--database", database).output.contains("waits.example"))
    }

    /// A recovery never overwrites a file, and leaves nothing behind if it fails.
    @Test func recoveryOverwritesNothing() throws {
        let (database, target) = (temporary.path("l.sqlite"), temporary.path("new.sqlite"))
        #expect(tappa("list", "--database", database).code == 0)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let refused = tappa("recover", "--database", database, "--output", target)
        #expect(refused.code == 74 && refused.errors.contains("file exists: \(target)"))
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        unlink(target)
        let done = tappa("recover", "--database", database, "--output", target)
        #expect(
            done.code == 0 && done.output.contains("written to \(target)")
                && done.output.contains("subscription\t3\twhole"))
        let broken = temporary.path("broken.sqlite")
        try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: broken))
        let failed = tappa("recover", "--database", broken, "--output", target + "-2")
        #expect(failed.code == 65 && failed.errors.contains("can't recover anything"))
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!names.contains { $0.hasPrefix("new.sqlite-2") })
    }

    // MARK: Servers

    private static let feed =
        "<rss><channel><title>F</title><item><guid>1</guid><title>x</title></item></channel></rss>"

    @Test func showsProgressAndCleansUp() async throws {
        let server = try LoopbackServer { request in
            var answer = LoopbackServer.Answer(ProgramEdges.feed)
            if request.path == "/slow" { answer.delay = 2500 }
            return answer
        }
        let list = try temporary.write("\(server.url("/quick"))\n\(server.url("/slow"))\n", to: "urls")
        let database = temporary.path("l.sqlite")
        let library = try Library(path: database)
        _ = try library.entries.count(in: EntryQuery(.all))
        #expect(tappa("import", "--database", database, list).code == 0)
        for feed in try library.feeds.all() where !feed.url.contains("127.0.0.1") {
            #expect(tappa("remove", "--database", database, feed.url).code == 0)
        }
        let tmux = try await TmuxSession(
            "tappa reload --database \(database)", width: 80, height: 10, home: home, expecting: "1/2")
        #expect(await tmux.wait(for: "ended with 0"))
        #expect(!tmux.text.contains("/2"))
    }

    /// A page's feed on another server receives neither name nor header lines; an existing feed gets new ones.
    @Test func sendsHeadersToTheirServerOnly() throws {
        let other = try LoopbackServer { request in
            request.headers["x-key"] == nil && request.headers["authorization"] == nil
                ? .init(ProgramEdges.feed) : .init(400)
        }
        let own = try LoopbackServer { request in
            switch request.path {
            case "/page":
                return .init(
                    "<html><head><link rel=alternate type='application/rss+xml' href='\(other.url("/feed"))'></head></html>",
                    type: "text/html")
            case "/mine":
                let isMine = request.headers["authorization"] == "Basic " + Data("bob:pass".utf8).base64EncodedString()
                return isMine ? .init(ProgramEdges.feed) : .init(401)
            default: return .init(404)
            }
        }
        let database = temporary.path("l.sqlite")
        let added = tappa("add", "--database", database, "--header", "X-Key: 7", own.url("/page"))
        #expect(added.output == "added \(other.url("/feed"))\n")
        #expect(
            added.errors.contains(
                "\(other.url("/feed")) is on another server and gets neither the user name nor the header lines"))
        let plain = tappa("add", "--database", database, other.url("/two"))
        #expect(plain.errors.isEmpty && plain.output == "added \(other.url("/two"))\n")
        // A name in the address is removed from it and used.
        let address = own.url("/mine").replacing("http://", with: "http://bob:pass@")
        let named = tappa("add", "--database", database, address)
        #expect(named.output == "added \(own.url("/mine"))\n")
        let reload = tappa("reload", "--database", database)
        #expect(!reload.output.contains("\(own.url("/mine"))\t!") && !reload.output.contains("(401)"))
        #expect(
            reload.output.split(separator: "\n").filter { $0.contains("127.0.0.1") && !$0.contains("!") }.count == 3)
    }
}
