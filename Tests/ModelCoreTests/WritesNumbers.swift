import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Small services: numbers and sizes as text, atomic files, signals and limiters.
@Suite(.timeLimit(.minutes(2))) struct WritesNumbers {
    @Test(
        arguments: [
            (0, "0 B"), (-5, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
            (99_949, "99.9 kB"), (99_950, "100 kB"), (999_949, "999 kB"), (999_950, "1.0 MB"), (12_345_678, "12.3 MB"),
            (999_950_000, "1.0 GB"), (4_100_000_000, "4.1 GB"), (1_500_000_000_000, "1.5 TB"),
            (5_000_000_000_000_000, "5000 TB"),
        ] as [(Int64, String)])
    func writesSizesInDecimalUnits(bytes: Int64, text: String) { #expect(ByteCount.text(bytes) == text) }

    @Test(arguments: [(0, "0 feeds"), (1, "1 feed"), (2, "2 feeds"), (-1, "-1 feeds"), (21, "21 feeds")])
    func countsInWords(number: Int, text: String) {
        #expect(number.counted("feed") == text)
        #expect(number.counted("feed", "feeds") == text)
        #expect(number.countedEntries == (number == 1 ? "1 entry" : "\(number) entries"))
        #expect(number.summary("a feed", "feeds") == (number == 1 ? "a feed" : text))
    }

    @Test(arguments: [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")])
    func listsAlternatives(texts: [String], text: String) { #expect(texts.alternatives == text) }

    @Test(arguments: [(0, "0.0"), (5, "0.5"), (-5, "-0.5"), (10, "1.0"), (123, "12.3"), (-123, "-12.3")])
    func writesTenths(tenths: Int64, text: String) { #expect(DecimalText.tenths(tenths) == text) }

    @Test(arguments: [
        (0, "0", "0.0"), (12, "12", "12.0"), (12.34, "12.3", "12.3"), (12.35, "12.4", "12.4"), (-0.04, "0", "0.0"),
        (-1.25, "-1.3", "-1.3"),
        (0.05, "0.1", "0.1"), (99.96, "100", "100.0"),
    ])
    func writesNumbersShort(number: Double, short: String, long: String) {
        #expect(DecimalText.short(number) == short && DecimalText.long(number) == long)
    }

    /// A move never replaces a file; a replacement is atomic.
    @Test func movesAndReplacesFilesAtomically() throws {
        let folder = TemporaryFolder()
        func text(_ name: String) -> String? {
            (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? nil
        }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try write("a", "one")
        try write("b", "two")
        #expect(FileWriting.move(folder.path("a"), to: folder.path("b")) == EEXIST)
        #expect(text("a") == "one" && text("b") == "two")
        #expect(FileWriting.move(folder.path("a"), to: folder.path("c")) == nil)
        #expect(text("a") == nil && text("c") == "one")
        #expect(FileWriting.move(folder.path("a"), to: folder.path("d")) == ENOENT)
        #expect(FileWriting.replace(folder.path("b"), with: Data("three".utf8), mode: 0o600) == nil)
        #expect(text("b") == "three")
        // Nothing remains of a file that can't be replaced.
        #expect(mkdir(folder.path("folder"), 0o700) == 0)
        #expect(FileWriting.replace(folder.path("folder"), with: Data("half".utf8), mode: 0o600) == EISDIR)
        #expect(rmdir(folder.path("folder")) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["b", "c"])
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect([1, 2].withUnsafeBytes { FileWriting.write($0, to: full) } == ENOSPC)
    }

    /// Files that the user names follow the umask; tappa's own are private.
    @Test func setsFileModes() throws {
        let folder = TemporaryFolder()
        func mode(_ name: String) -> mode_t {
            var status = stat()
            return stat(folder.path(name), &status) == 0 ? status.st_mode & 0o777 : 0
        }
        let previous = umask(0o022)
        defer { umask(previous) }
        try UserFile.write(Data("x".utf8), to: folder.path("user"))
        try UserFile.write(Data("x".utf8), to: folder.path("own"), isPrivate: true)
        #expect(mode("user") == 0o644 && mode("own") == 0o600)
        for start in [0o640, 0o600, 0o755] as [mode_t] {
            chmod(folder.path("user"), start)
            try UserFile.replace(folder.path("user"), with: Data("y".utf8))
            #expect(
                mode("user") == start && FileManager.default.contents(atPath: folder.path("user")) == Data("y".utf8))
        }
        try UserFile.replace(folder.path("new"), with: Data("y".utf8))
        try UserFile.replace(folder.path("new-own"), with: Data("y".utf8), isPrivate: true)
        #expect(mode("new") == 0o644 && mode("new-own") == 0o600)
        // Files that can't be read or overwritten are explained.
        let missing = #expect(throws: UserFile.Problem.self) { try UserFile.write(Data(), to: folder.path("none/x")) }
        #expect(missing?.description == "No such directory for \(folder.path("none/x"))" && missing?.fault == ENOENT)
        #expect(UserFile.expanded("~x/y").hasPrefix("~x") || UserFile.expanded("~x/y").hasPrefix("/"))
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        #expect(UserFile.expanded("~") == home && UserFile.expanded("~/a") == home + "/a")
        #expect(UserFile.expanded("/a/~") == "/a/~")
    }

    @Test func wakesWaitersOfASignal() async {
        for sendsFirst in [true, false] {
            let signal = OneShotSignal()
            if sendsFirst { signal.send() }
            async let wait: Void = signal.wait()
            if !sendsFirst {
                await Task.yield()
                signal.send()
            }
            signal.send()
            await wait
        }
    }

    private final class Order: Sendable {
        let done = Mutex<[Int]>([])
        let begun = Mutex(0)
    }

    /// Later tasks wait for earlier ones, however small they are.
    @Test func admitsBytesInOrder() async {
        let (turns, order, gate) = (ByteLimiter(limit: 10), Order(), OneShotSignal())
        func work(_ bytes: Int, waits: Bool) -> Task<Void, Never> {
            Task {
                order.begun.withLock { $0 += 1 }
                await turns.run(bytes) {
                    if waits { await gate.wait() }
                    order.done.withLock { $0.append(bytes) }
                }
            }
        }
        var tasks: [Task<Void, Never>] = []
        for (number, bytes) in [8, 5, 1].enumerated() {
            tasks.append(work(bytes, waits: number == 0))
            #expect(await eventually { order.begun.withLock { $0 } == number + 1 })
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(order.done.withLock { $0 }.isEmpty, "one byte would have room, but five came before it")
        gate.send()
        for task in tasks { await task.value }
        #expect(order.done.withLock { $0.first } == 8 && order.done.withLock { Set($0) } == [8, 5, 1])
    }

    @Test func readsListsOfSubscriptions() throws {
        let list =
            "https://a.example/feed \"x\"\nexec:/bin/made\nexec:\nftp://a.example/\nfile:///etc/hostname\nfeed://b.example\n"
        let reading = try SubscriptionFiles.read(Array(list.utf8))
        #expect(reading.list.map(\.url) == ["https://a.example/feed", "file:///etc/hostname", "http://b.example"])
        #expect(reading.programs.map(\.url) == ["exec:/bin/made"])
        #expect(
            reading.problems == [
                "line 4: 'ftp' entries can't be imported: ftp://a.example/",
                "'exec:' lacks a program or an address",
            ])
    }
}
