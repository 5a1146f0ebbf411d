import CommonTesting
import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Downloads: one queue, and partial files that are continued.
@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    private let library: Library
    private let temporary = TemporaryFolder()
    private var folder: String { temporary.path("files") }

    init() throws { library = try Library(path: nil) }

    private static let size = 20 << 20
    /// The file: a pattern whose length differs from that of any part.
    private static let body: [UInt8] = {
        let pattern = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var data = Data()
        while data.count < size { data.append(pattern) }
        return Array(data.prefix(size))
    }()

    /// A server of one file with ranges, and a function that decides about each request.
    private func server(
        etag: @escaping @Sendable (Int) -> String? = { _ in "\"a\"" }, givesParts: Bool = true,
        cut: @escaping @Sendable (Int) -> Int? = { _ in nil }
    ) throws -> LoopbackServer {
        let body = DownloadTests.body
        let count = Mutex(0)
        return try LoopbackServer { request in
            let number = count.increment()
            let tag = etag(number)
            var headers = ["Content-Type": "audio/mpeg"]
            if let tag { headers["ETag"] = tag }
            let range = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
            let isSame = request.headers["if-range"].map { $0 == tag } ?? true
            guard givesParts, range.count == 2, isSame else {
                return .init(200, headers: headers, body: body, cutAfter: cut(number))
            }
            let last = min(range[1], body.count - 1)
            headers["Content-Range"] = "bytes \(range[0])-\(last)/\(body.count)"
            return .init(206, headers: headers, body: Array(body[range[0]...last]), cutAfter: cut(number))
        }
    }

    private func run() async throws { try await DownloadService(library: library).run(folder: folder) }

    private func isWhole(_ path: String?) -> Bool {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return false }
        return data == Data(DownloadTests.body)
    }

    private func queue(_ server: LoopbackServer) async throws {
        try await library.changes.perform(
            .queueDownload(
                url: server.url("/talk.mp3"), title: "A talk: one / two", allowsPrivateHost: true, now: 1))
    }

    @Test func downloadsARecordingInParts() async throws {
        let server = try server()
        try await queue(server)
        try await run()
        let download = try #require(try library.downloads.all().first)
        #expect(download.isDone && download.error == nil && download.size == Int64(DownloadTests.size))
        #expect(download.path == "\(folder)/A talk one two.mp3")
        #expect(isWhole(download.path))
        #expect(download.state == "done, 21.0 MB")
        #expect(try library.downloads.file(of: server.url("/talk.mp3")) == download.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["A talk one two.mp3"])
        #expect(server.requests.count == 3)
    }

    @Test func resumesAnInterruptedDownload() async throws {
        // The second part is interrupted; the next run continues from there.
        let server = try server(cut: { $0 == 2 ? 3 << 20 : nil })
        try await queue(server)
        try await run()
        #expect(try library.downloads.all().first?.error != nil)
        #expect(try library.downloads.all().first?.received == (11 << 20) - 4096)
        try await queue(server)
        try await run()
        #expect(isWhole(try library.downloads.all().first?.path))
        #expect(server.requests[2].headers["range"]?.hasPrefix("bytes=\((11 << 20) - 2 * 4096)-") == true)
    }

    @Test func restartsAChangedFile() async throws {
        let server = try server(etag: { $0 < 3 ? "\"a\"" : "\"b\"" }, cut: { $0 == 2 ? 1 << 20 : nil })
        try await queue(server)
        try await run()
        try await queue(server)
        try await run()
        #expect(isWhole(try library.downloads.all().first?.path))
    }

    @Test func downloadsWholeFilesWithoutRanges() async throws {
        let server = try server(etag: { _ in nil }, givesParts: false)
        try await queue(server)
        try await run()
        #expect(isWhole(try library.downloads.all().first?.path))
        #expect(server.requests.count == 1)
    }

    @Test func reportsAMissingRecording() async throws {
        let server = try LoopbackServer { _ in .init(404, body: Array("<html>gone</html>".utf8)) }
        try await queue(server)
        try await run()
        #expect(try library.downloads.all().first?.error == "the file no longer exists (404)")
        // A feed may not lead into the user's private network.
        try await library.changes.perform(
            .queueDownload(url: server.url("/b.mp3"), title: "b", allowsPrivateHost: false, now: 1))
        try await run()
        #expect(try library.downloads.all().last?.error?.contains("private address") == true)
        #expect(server.requests.count == 1)
    }

    /// Alternating 206 and 416 answers used to occupy the queue forever.
    @Test func stopsWhenTheServerRepeatsItself() async throws {
        let server = try LoopbackServer { request in
            let start = Int(request.headers["range"]?.dropFirst(6).split(separator: "-").first ?? "") ?? 0
            guard start == 0 else { return .init(416, headers: ["Content-Range": "bytes */5"]) }
            let headers = ["ETag": "\"a\"", "Content-Range": "bytes 0-99999/9999999"]
            return .init(206, headers: headers, body: [UInt8](repeating: 65, count: 100_000))
        }
        try await queue(server)
        try await run()
        #expect(try library.downloads.all().first?.error == "the file on the server keeps changing")
        #expect(server.requests.count < 10)
    }

    /// The user's files at the paths of a download or its partial file are not changed.
    @Test func neverReplacesFilesOfTheUser() async throws {
        let server = try LoopbackServer { [folder] _ in
            _ = FileManager.default.createFile(atPath: "\(folder)/A talk one two.mp3", contents: Data("mine".utf8))
            return .init("all of it", type: "audio/mpeg")
        }
        try await queue(server)
        try await run()
        let download = try #require(try library.downloads.all().first)
        #expect(download.isDone && download.path == "\(folder)/A talk one two 2.mp3")
        #expect(FileManager.default.contents(atPath: "\(folder)/A talk one two.mp3") == Data("mine".utf8))
        #expect(download.path.flatMap { FileManager.default.contents(atPath: $0) } == Data("all of it".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    /// A pipe without a reader, or a device, would block the queue; bytes of unknown origin are not overwritten.
    @Test(arguments: ["pipe", "link", "folder", "file"]) func writesOnlyToItsOwnFile(kind: String) async throws {
        let server = try LoopbackServer { _ in .init("all of it", type: "audio/mpeg") }
        try await queue(server)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var download = try #require(try library.downloads.all().first)
        download.path = "\(folder)/talk.mp3"
        try await library.changes.perform(StoreDownload(download))
        let part = "\(folder)/talk.mp3.part"
        switch kind {
        case "pipe": #expect(mkfifo(part, 0o600) == 0)
        case "link": symlink("/dev/full", part)
        case "folder": mkdir(part, 0o700)
        default: #expect(FileManager.default.createFile(atPath: part, contents: Data("mine".utf8)))
        }
        try await run()
        let done = try #require(try library.downloads.all().first)
        #expect(done.isDone && done.error == nil && done.path == "\(folder)/A talk one two.mp3")
        if kind == "file" { #expect(FileManager.default.contents(atPath: part) == Data("mine".utf8)) }
    }

    @Test func undoesTheQueue() async throws {
        let change = Change.queueDownload(
            url: "https://example.org/a.mp3", title: "a", allowsPrivateHost: false, now: 1)
        let receipt = try await library.changes.perform(change)
        #expect(try await library.changes.perform(change).count == 0)
        let removed = try await library.changes.perform(.removeDownload(try library.downloads.all()[0].id))
        #expect(try library.downloads.all().isEmpty)
        try await library.changes.perform(.undo(removed.id))
        #expect(try library.downloads.all().map(\.title) == ["a"])
        try await library.changes.perform(.undo(receipt.id))
        #expect(try library.downloads.all().isEmpty)
    }
}
