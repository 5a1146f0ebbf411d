import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The queue of downloads: what is queued, what is retried, the paths of files, and messages.
@Suite(.timeLimit(.minutes(5))) struct DownloadsInOrder {
    private let folder = TemporaryFolder()
    private let library: Library

    init() throws { library = try Library(path: nil) }

    private func queue(_ url: String, title: String = "T", isOwn: Bool = true) async throws -> Int {
        try await library.changes.perform(
            .queueDownload(url: url, title: title, allowsPrivateHost: isOwn, now: 5)
        ).count
    }

    private func download(_ change: (inout Download) -> Void) async throws {
        var download = try #require(try library.downloads.all().first)
        change(&download)
        try await library.changes.perform(StoreDownload(download))
    }

    /// A pending or completed download stays; a failed one, or one whose file was deleted, is retried.
    @Test(
        arguments: [
            (false, false, nil, 0), (false, true, nil, 0), (false, false, "an error", 1), (false, true, "an error", 1),
            (true, true, nil, 0), (true, false, nil, 1), (true, true, "an error", 0),
        ] as [(Bool, Bool, String?, Int)])
    func queuesARecordingOnce(isDone: Bool, hasFile: Bool, error: String?, count: Int) async throws {
        #expect(try await queue("https://a.example/1.mp3", title: "First", isOwn: false) == 1)
        let path = folder.path("1.mp3")
        if hasFile { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
        try await download { ($0.isDone, $0.path, $0.error, $0.size) = (isDone, path, error, 9) }
        #expect(try await queue("https://a.example/1.mp3", title: "Second", isOwn: true) == count)
        let only = try #require(try library.downloads.all().first)
        #expect(try library.downloads.all().count == 1 && only.title == "First" && only.added == 5)
        #expect(!only.allowsPrivateHost, "what is asked for again has no more rights than before")
        #expect(only.isDone == (count == 0 ? isDone : false) && only.error == (count == 0 ? error : nil))
        #expect(only.path == path && only.size == 9)
        // Another address is another file.
        #expect(try await queue("https://a.example/2.mp3") == 1)
        #expect(try library.downloads.all().map(\.url) == ["https://a.example/1.mp3", "https://a.example/2.mp3"])
        #expect(try library.downloads.all()[1].allowsPrivateHost)
    }

    @Test func findsTheFileOfARecording() async throws {
        let url = "https://a.example/1.mp3"
        _ = try await queue(url)
        #expect(try library.downloads.file(of: url) == nil)
        try await download { $0.path = folder.path("1.mp3") }
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("1.mp3")))
        #expect(try library.downloads.file(of: url) == nil, "it is not done")
        try await download { $0.isDone = true }
        #expect(try library.downloads.file(of: url) == folder.path("1.mp3"))
        #expect(try library.downloads.file(of: url + "x") == nil)
        try FileManager.default.removeItem(atPath: folder.path("1.mp3"))
        #expect(try library.downloads.file(of: url) == nil)
    }

    /// A removed and restored download is unchanged.
    @Test func restoresADownloadUnchanged() async throws {
        for number in 1...3 { _ = try await queue("https://a.example/\(number)", isOwn: number != 2) }
        let second = try library.downloads.all()[1]
        var changed = second
        (changed.path, changed.size, changed.validator, changed.error) = ("/x", 7, "v", "e")
        try await library.changes.perform(StoreDownload(changed))
        let receipt = try await library.changes.perform(.removeDownload(second.id))
        #expect(receipt.count == 1)
        #expect(try library.downloads.all().map(\.url) == ["https://a.example/1", "https://a.example/3"])
        #expect(try await library.changes.perform(.removeDownload(second.id)).count == 0)
        try await library.undo(receipt)
        #expect(try library.downloads.all()[1] == changed)
        #expect(try library.downloads.all().map(\.allowsPrivateHost) == [true, false, true])
    }

    @Test func saysHowFarADownloadIs() async throws {
        _ = try await queue("https://a.example/1.mp3")
        let path = folder.path("1.mp3")
        func state(part: Int? = nil, whole: Int? = nil, _ change: (inout Download) -> Void = { _ in }) throws -> String
        {
            for (file, size) in [(path + ".part", part), (path, whole)] {
                unlink(file)
                guard let size else { continue }
                #expect(FileManager.default.createFile(atPath: file, contents: nil) && truncate(file, size) == 0)
            }
            var download = try #require(try library.downloads.all().first)
            download.path = path
            change(&download)
            #expect(download.received == Int64((download.isDone ? whole : part) ?? 0))
            return download.state
        }
        #expect(try state() == "waits" && state(part: 0) == "waits")
        #expect(try state { $0.path = nil } == "waits")
        #expect(try state(part: 40_000) == "40.0 kB" && state(part: 250_000) == "250 kB")
        #expect(try state(part: 999_900) == "999 kB" && state(part: 9_900_000) == "9.9 MB")
        #expect(try state(part: 12_900_000) { $0.size = 40_000_000 } == "12.9 MB of 40.0 MB, 32 %")
        #expect(try state(part: 40_000_000) { $0.size = 40_000_000 } == "40.0 MB of 40.0 MB, 100 %")
        #expect(try state(part: 1_500_000) { $0.size = 0 } == "1.5 MB")
        #expect(try state(part: 7, whole: 20_000_000) { $0.isDone = true } == "done, 20.0 MB")
        #expect(try state(part: 7) { $0.error = "gone" } == "! gone")
        #expect(try state(whole: 7) { ($0.isDone, $0.error) = (true, "gone") } == "! gone")
        var download = try #require(try library.downloads.all().first)
        #expect(download.place == "https://a.example/1.mp3" && download.partPath == nil)
        download.path = "/x/1.mp3"
        #expect(download.place == "/x/1.mp3" && download.partPath == "/x/1.mp3.part")
        download.isSpoiler = true
        #expect(download.place.isEmpty)
    }

    /// The name has the title's letters and digits and the address's extension; nothing is ever overwritten.
    @Test(arguments: [
        ("A talk: one / two", "https://a.example/x.mp3", "A talk one two.mp3"),
        ("../../etc/passwd", "https://a.example/x.mp3", "etc passwd.mp3"),
        ("", "https://a.example/x.MP3", "Download.mp3"),
        ("...", "https://a.example/x", "Download"),
        ("\u{DC}ber \u{6771}\u{4EAC}", "https://a.example/x.ogg?y=/z.exe#.sh", "\u{DC}ber \u{6771}\u{4EAC}.ogg"),
        ("T", "https://a.example/x.toolong", "T"), ("T", "https://a.example/x.m-4", "T"),
        ("T", "https://a.example/.mp3", "T.mp3"), ("T", "https://a.example/a.b.m4a", "T.m4a"),
        ("T", "https://a.example/x.mp\u{E9}", "T"),
        ("T\n\u{1B}[2J", "https://a.example/x.mp3", "T 2J.mp3"),
        (String(repeating: "x", count: 200), "https://a.example/x.mp3", String(repeating: "x", count: 120) + ".mp3"),
    ])
    func namesAFileByItsTitle(title: String, url: String, name: String) async throws {
        _ = try await queue(url, title: title)
        let download = try #require(try library.downloads.all().first)
        let place = folder.path("new/folder")
        func next() throws -> String {
            try DownloadService.place(of: download, in: place).replacing(place + "/", with: "")
        }
        #expect(try next() == name)
        // Beside an existing or partial file, the next free number is used.
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        for (number, ending) in [(2, ""), (3, ".part"), (4, "")] {
            #expect(FileManager.default.createFile(atPath: try place + "/" + next() + ending, contents: nil))
            #expect(try next() == parts[0] + " \(number)" + (parts.count > 1 ? "." + parts[1] : ""))
        }
    }

    /// Downloads run in queue order. A failed one delays no other and isn't retried in the same run.
    @Test func worksThroughTheQueue() async throws {
        let server = try LoopbackServer { request in
            request.path == "/2.mp3" ? .init(404) : .init("recording", type: "audio/mpeg")
        }
        for (number, title) in ["one", "two", "three"].enumerated() {
            _ = try await queue(server.url("/\(number + 1).mp3"), title: title)
        }
        for url in ["ftp://127.0.0.1/x.mp3", "file:///etc/passwd"] { _ = try await queue(url, title: url) }
        let reports = Mutex<[String]>([])
        try await DownloadService(library: library).run(folder: folder.path("d")) { download in
            reports.withLock { $0.append("\(download.title) \(download.isDone) \(download.error ?? "-")") }
        }
        let refusal = "only http and https addresses can be downloaded"
        #expect(
            reports.withLock { $0 } == [
                "one false -", "one true -", "two false -", "two false the file no longer exists (404)",
                "three false -",
                "three true -", "ftp://127.0.0.1/x.mp3 false \(refusal)", "file:///etc/passwd false \(refusal)",
            ])
        #expect(server.requests.map(\.path) == ["/1.mp3", "/2.mp3", "/3.mp3"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted() == ["one.mp3", "three.mp3"])
        // Failed downloads wait for the user.
        try await DownloadService(library: library).run(folder: folder.path("d"))
        #expect(server.requests.count == 3)
        _ = try await queue(server.url("/2.mp3"))
        try await DownloadService(library: library).run(folder: folder.path("d"))
        #expect(server.requests.count == 4)
    }

    /// An enclosure may be in a private network only if the queue allows it.
    @Test(arguments: [true, false]) func downloadsFromPrivateHostsOnlyWhereAllowed(isOwn: Bool) async throws {
        let server = try LoopbackServer { _ in .init("recording", type: "audio/mpeg") }
        _ = try await queue(server.url("/1.mp3"), isOwn: isOwn)
        try await DownloadService(library: library).run(folder: folder.path("d"))
        let download = try #require(try library.downloads.all().first)
        #expect(download.isDone == isOwn && server.requests.count == (isOwn ? 1 : 0))
        if !isOwn { #expect(download.error == "127.0.0.1 resolves to a private address; request refused") }
        // An empty answer leaves no file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == (isOwn ? ["T.mp3"] : []))
    }

    /// A cancelled run leaves the received bytes and no error; the next one continues.
    @Test func continuesAfterACancelledRun() async throws {
        let body = [UInt8](repeating: 7, count: 1000)
        let isSlow = Mutex(true)
        let server = try LoopbackServer { request in
            let start = request.headers["range"]?.dropFirst(6).split(separator: "-").first.flatMap { Int($0) } ?? 0
            if start > 0, isSlow.withLock({ $0 }) { return .init(200, delay: 20_000) }
            let end = start == 0 ? 400 : body.count
            return .init(
                206, headers: ["ETag": "\"a\"", "Content-Range": "bytes \(start)-\(end - 1)/1000"],
                body: Array(body[start..<end]))
        }
        _ = try await queue(server.url("/1.mp3"))
        let run = Task { [folder] in try await DownloadService(library: library).run(folder: folder.path("d")) }
        #expect(await eventually { server.requests.count == 2 })
        run.cancel()
        _ = await run.result
        let left = try #require(try library.downloads.all().first)
        #expect(left.error == nil && !left.isDone && left.received == 400 && left.size == 1000)
        isSlow.withLock { $0 = false }
        try await DownloadService(library: library).run(folder: folder.path("d"))
        #expect(FileManager.default.contents(atPath: folder.path("d/T.mp3")) == Data(body))
        #expect(server.requests.last?.headers["range"]?.hasPrefix("bytes=400-") == true)
        #expect(server.requests.last?.headers["if-range"] == "\"a\"")
    }

    /// A recording that another program is downloading is skipped.
    @Test func leavesARecordingThatAnotherProgramDownloads() async throws {
        let server = try LoopbackServer { _ in .init("recording", type: "audio/mpeg") }
        _ = try await queue(server.url("/1.mp3"))
        try await download { $0.path = folder.path("1.mp3") }
        let other = open(folder.path("1.mp3.part"), O_WRONLY | O_CREAT, 0o600)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        let service = DownloadService(library: library)
        try await service.run(folder: folder.url.path)
        #expect(server.requests.isEmpty && FileManager.default.fileExists(atPath: folder.path("1.mp3.part")))
        #expect(try !service.hasWork())
        // The other program has ended.
        close(other)
        #expect(try service.hasWork())
        try await service.run(folder: folder.url.path)
        #expect(try library.downloads.all().first?.isDone == true && !service.hasWork())
    }

    // MARK: What follows from answers

    @Test func usesTheStoredPart() {
        for (length, size, validator, expected) in [
            (9, 100, "v", (9, 100, "v")), (9, nil, "v", (9, nil, "v")), (9, 100, nil, (0, nil, nil)),
            (-1, 100, "v", (0, 100, "v")),
            (16 << 30, nil, "v", (16 << 30, nil, "v")), (16 << 30 + 1, 9, "v", (0, nil, nil)),
        ] as [(Int64, Int64?, String?, (Int64, Int64?, String?))] {
            let progress = DownloadProgress(length: length, size: size, validator: validator)
            #expect(progress.length == expected.0 && progress.size == expected.1 && progress.validator == expected.2)
            let start = expected.0 > 4 << 20 ? expected.0 - 4096 : expected.0
            #expect(progress.nextRange == start..<start + 8 << 20)
        }
        for (length, size, isComplete) in [(0, 0, false), (9, 9, true), (8, 9, false), (10, 9, false), (9, nil, false)]
            as [(Int64, Int64?, Bool)]
        {
            #expect(DownloadProgress(length: length, size: size, validator: "v").isComplete == isComplete)
        }
    }

    /// There are no bytes after the end of a file; whether it is complete depends on its known size.
    @Test(
        arguments: [
            (0, nil, nil, .fail("the server refused the start of the file (416)")),
            (0, 9, nil, .fail("the server refused the start of the file (416)")),
            (9, nil, "bytes */9", .finish), (9, nil, nil, .finish), (9, nil, "bytes */8", .goOn),
            (9, 20, "bytes */9", .goOn),
            (9, 20, nil, .goOn),
        ] as [(Int64, Int64?, String?, DownloadProgress.Decision)])
    func readsTheEndOfAFile(length: Int64, size: Int64?, range: String?, decision: DownloadProgress.Decision) {
        var progress = DownloadProgress(length: length, size: size, validator: "v")
        #expect(progress.take(.init(status: 416, contentRange: range), fileLength: length) == decision)
        if decision == .goOn { #expect(progress.length == 0 && progress.size == nil && progress.validator == nil) }
    }

    /// A partial file is continued if the file is the same, and restarted otherwise, three times at most.
    @Test(
        arguments: [
            ("v", 100, "v", "100", true), ("v", nil, "v", "100", true), ("v", 100, nil, "100", true),
            ("v", 100, "w", "100", false),
            ("v", 100, "v", "101", false), ("v", 100, "v", "*", false),
        ] as [(String, Int64?, String?, String, Bool)])
    func resumesOnlyTheSameFile(old: String, size: Int64?, new: String?, total: String, isSame: Bool) {
        var progress = DownloadProgress(length: 9, size: size, validator: old)
        let answer = DownloadProgress.Answer(status: 206, etag: new, contentRange: "bytes 9-49/\(total)")
        for count in 1...3 {
            let decision = progress.take(answer, fileLength: 50)
            if isSame {
                #expect(decision == .goOn && progress.length == 50 && progress.size == 100 && progress.validator == "v")
                return
            }
            #expect(decision == (count < 3 ? .goOn : .fail("the file on the server keeps changing")))
            if count < 3 { #expect(progress.length == 0) }
            // The next answer restarts as requested; then the file changes again.
            _ = progress.take(.init(status: 206, etag: old, contentRange: "bytes 0-8/100"), fileLength: 9)
        }
    }

    /// Sixteen answers may be short; all others must average 64 KiB.
    @Test func stopsAtShortAnswers() {
        for (bytes, answers) in [(Int64(1), 17), (32_768, 33), (65_536, 200)] {
            var progress = DownloadProgress(length: 0, size: nil, validator: nil)
            var count = 0
            var decision = DownloadProgress.Decision.goOn
            while decision == .goOn, count < 200 {
                count += 1
                let end = progress.length + bytes
                let range = "bytes \(progress.nextRange.lowerBound)-\(end - 1)/9999999999"
                decision = progress.take(.init(status: 206, etag: "v", contentRange: range), fileLength: end)
            }
            #expect(count == answers, "\(bytes)")
        }
    }

    // MARK: Played recordings

    @Test(
        arguments: [
            (0, nil, false, 0), (7, nil, false, 7), (7, 9, false, 7), (9, 9, true, 0), (10, 9, true, 0),
            (0, 0, true, 0),
        ] as [(Int, Int?, Bool, Int)])
    func readsTheOffsetOfARecording(position: Int, duration: Int?, isWhole: Bool, start: Int) {
        let played = PlayedEnclosure(position: position, duration: duration)
        #expect(played.isWhole == isWhole && played.start == start)
        #expect(
            PlayedEnclosure.whole(duration: duration).isWhole && PlayedEnclosure.whole(duration: duration).start == 0)
    }

    @Test func remembersHowFarARecordingWasPlayed() async throws {
        func note(_ url: String, _ position: Int, _ duration: Int?, now: Instant = 1) async throws -> Int {
            try await library.changes.perform(
                .storePlaybackPosition(url, PlayedEnclosure(position: position, duration: duration), now: now)
            ).count
        }
        #expect(try library.downloads.playback(of: "a") == nil)
        #expect(try await note("a", 7, nil) == 1)
        #expect(try await note("b", 3, 9) == 1)
        #expect(try library.downloads.playback(of: "a") == PlayedEnclosure(position: 7, duration: nil))
        #expect(try await note("a", 8, 20) == 1)
        #expect(try library.downloads.playback(of: "a") == PlayedEnclosure(position: 8, duration: 20))
        // At the very start there is no position to keep, unless it is also the end.
        #expect(try await note("a", 0, 20) == 1)
        #expect(try library.downloads.playback(of: "a") == nil && library.downloads.playback(of: "b") != nil)
        #expect(try await note("a", 0, 20) == 0)
        #expect(try await note("a", 0, 0) == 1)
        #expect(try library.downloads.playback(of: "a")?.isWhole == true)
        // Keeps the five thousand most recently played.
        try library.store.onWriter { db in
            for number in 0..<5_000 {
                try db.execute(
                    sql: "INSERT INTO played_enclosure VALUES (?, 1, NULL, ?, NULL)",
                    arguments: ["n\(number)", 10 + number])
            }
        }
        _ = try await note("last", 5, nil, now: 99_999)
        #expect(
            try library.downloads.playback(of: "a") == nil && library.downloads.playback(of: "b") == nil
                && library.downloads.playback(of: "n0") == nil)
        #expect(try library.downloads.playback(of: "n1") != nil && library.downloads.playback(of: "last") != nil)
    }
}
