import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// What counts as audio or video, and what a server sends instead.
@Suite(.timeLimit(.minutes(5))) struct ReceivesRecordings {
    // MARK: Types

    /// The type of a file says what it is, or failing that its name.
    @Test(
        arguments: [
            (nil, "https://a.example/1.mp3", "audio/mpeg"), ("", "https://a.example/1.M4A?token=x", "audio/mp4"),
            ("application/octet-stream", "https://a.example/1.mp4", "video/mp4"),
            ("mp3", "https://a.example/1.mp3", "audio/mpeg"),
            ("application/x-unknown", "https://a.example/1.ogg", "audio/ogg"),
            ("binary/octet-stream", "https://a.example/get?file=talk.opus", "audio/opus"),
            ("application/ogg", "https://a.example/1", "audio/ogg"),
            ("Audio/MPEG; x=y", "https://a.example/1.pdf", "Audio/MPEG; x=y"),
            ("image/jpeg", "https://a.example/1.mp3", "image/jpeg"),
            ("application/pdf", "https://a.example/1.mp3", "application/pdf"),
            ("mp3", "https://a.example/1", "audio/mpeg"), ("video", "https://a.example/1", "video/mp4"),
            ("audio", "https://a.example/1.ogg", "audio/ogg"), ("document", "https://a.example/1", "document"),
            ("text/html", "https://a.example/1.mp4", "text/html"), (nil, "https://a.example/1.pdf", nil),
            (nil, "https://a.example/mp3", nil), (nil, "https://mp3.example", nil),
        ] as [(String?, String, String?)])
    func resolvesTypes(stated: String?, address: String, type: String?) {
        #expect(MediaType.resolved(stated, address: address) == type)
    }

    /// Only a file without any sign of what it is may be a recording as well.
    @Test(
        arguments: [
            (nil, "https://a.example/play/1", true), ("application/octet-stream", "https://a.example/1", true),
            (nil, "https://a.example/1.pdf", false), ("image/png", "https://a.example/1", false),
        ] as [(String?, String, Bool)])
    func knowsWhatItDoesNotKnow(stated: String?, address: String, isUnknown: Bool) {
        #expect(MediaType.isUnknown(stated, address: address) == isUnknown)
    }

    /// Searches and rules find a recording by its name, also among those that an earlier version stored.
    @Test func findsRecordingsByTheirNames() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        let entries = [("1.mp3", nil), ("2", "audio/mpeg"), ("3.mp4", "application/octet-stream"), ("4.pdf", nil)].map {
            var entry = ParsedEntry(id: $0, title: $0)
            entry.enclosures = [ParsedEnclosure(url: "https://a.example/\($0)", mediaType: $1)]
            return entry
        }
        try await library.store(entries, in: id, at: 1_790_000_000)
        try await library.indexAll()
        #expect(try library.entries.count(in: EntryQuery(.search(SearchQuery("has:audio")))) == 3)
        let stored = #"{"enclosures":[{"url":"https://a.example/old.mp3"},{"url":"https://a.example/1.pdf"}]}"#
        let extras = EntryExtras(stored: stored)
        #expect(extras.media?.url == "https://a.example/old.mp3" && extras.enclosures?.last?.isMedia == false)
        let unknown = EntryExtras(
            stored: #"{"enclosures":[{"url":"https://a.example/1.pdf"},{"url":"https://a.example/2"}]}"#)
        #expect(unknown.media?.url == "https://a.example/2")
        #expect(EntryExtras(stored: #"{"enclosures":[{"url":"https://a.example/1.pdf"}]}"#).media == nil)
    }

    // MARK: Answers

    /// Downloads one file and returns its state and the names in the folder.
    private func download(
        _ path: String = "/talk.mp3", title: String = "Talk", feed: String? = nil, in subfolder: String = "",
        again: Bool = false, _ answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (download: Download, names: [String], requests: Int) {
        let count = Mutex(0)
        let server = try LoopbackServer { request in
            let number = count.increment()
            return answer(request, number)
        }
        let library = try Library(path: nil)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await library.changes.perform(
            .queueDownload(url: server.url(path), title: title, feed: feed, allowsPrivateHost: true, now: 1))
        for _ in 0..<(again ? 2 : 1) {
            try await DownloadService(library: library).run(folder: folder + subfolder)
        }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
        return (try #require(try library.downloads.all().first), names, server.requests.count)
    }

    private static let sound: [UInt8] = [0x49, 0x44, 0x33, 4] + [UInt8](repeating: 7, count: 5000)

    /// A page or nothing in place of a recording is a failure, leaves no file, and is tried again by the next run.
    @Test(arguments: [
        (
            "<!DOCTYPE html><html><body>Log in</body></html>", "text/html",
            "the server sent a web page instead of the file"
        ),
        ("\n<HTML><head></head></HTML>", "audio/mpeg", "the server sent a web page instead of the file"),
        ("<?xml version='1.0'?><html xmlns='x'></html>", "", "the server sent a web page instead of the file"),
        ("", "audio/mpeg", "the server sent an empty file"),
        ("{\"error\": \"expired\"}", "application/json", "the server sent a message instead of the file"),
        ("<?xml version='1.0'?><Error/>", "application/xml", "the server sent a message instead of the file"),
    ])
    func rejectsWhatIsNoRecording(body: String, type: String, error: String) async throws {
        let headers = ["Content-Type": type, "ETag": "\"a\""]
        let failed = try await download { _, _ in .init(200, headers: headers, body: Array(body.utf8)) }
        #expect(failed.download.error == error && !failed.download.isDone && failed.names.isEmpty)
        let repaired = try await download(again: true) { _, number in
            .init(200, headers: headers, body: number == 1 ? Array(body.utf8) : ReceivesRecordings.sound)
        }
        #expect(repaired.download.isDone && repaired.download.error == nil && repaired.names == ["Talk.mp3"])
        #expect(repaired.requests == 2)
    }

    /// Other failures wait for the user.
    @Test func triesOnlyThoseAgain() async throws {
        let missing = try await download(again: true) { _, _ in .init(404) }
        #expect(missing.download.error == "the file no longer exists (404)" && missing.requests == 1)
    }

    /// A server's compression isn't part of a recording.
    @Test func decodesCompressedRecordings() async throws {
        let zipped = ReceivesRecordings.zipped(ReceivesRecordings.sound)
        let headers = ["Content-Type": "audio/mpeg", "Content-Encoding": "gzip"]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try LoopbackServer { _ in .init(200, headers: headers, body: zipped) }
        let library = try Library(path: nil)
        try await library.changes.perform(
            .queueDownload(url: server.url("/talk.mp3"), title: "Talk", allowsPrivateHost: true, now: 1))
        try await DownloadService(library: library).run(folder: folder)
        #expect(FileManager.default.contents(atPath: folder + "/Talk.mp3") == Data(ReceivesRecordings.sound))
    }

    /// Returns a file of gzip whose data is not compressed (RFC 1951, section 3.2.4).
    private static func zipped(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        let size = little(bytes.count, 2)
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + size + size.map { ~$0 }
        return head + bytes + little(Int(~sum), 4) + little(bytes.count, 4)
    }

    // MARK: Names

    /// A name takes its ending from the type or the last address, unless the first address has one of a recording.
    @Test(
        arguments: [
            ("/play/1", "audio/mpeg", nil, "Talk.mp3"), ("/get.php", "video/mp4", nil, "Talk.mp4"),
            ("/play/1", "application/octet-stream", "/files/1.ogg", "Talk.ogg"), ("/play/1", "", nil, "Talk"),
            ("/talk.m4a", "audio/mpeg", "/1.mp3", "Talk.m4a"), ("/notes.pdf", "application/pdf", nil, "Talk.pdf"),
        ] as [(String, String, String?, String)])
    func takesEndings(path: String, type: String, target: String?, name: String) async throws {
        let done = try await download(path) { request, _ in
            if let target, request.path == path { return .init(302, headers: ["Location": target]) }
            return .init(200, headers: ["Content-Type": type], body: ReceivesRecordings.sound)
        }
        #expect(done.download.isDone && done.names == [name], "\(done)")
    }

    /// The name of an attachment has an ending as well.
    @Test(arguments: [
        "attachment; filename=\"1.opus\"", "attachment; filename*=UTF-8''talk%201%2Eopus",
        "attachment; filename=\"a; \\\"b\\\".opus\"", "attachment; filename=x.pdf; filename*=utf-8'de'%C3%A4.opus",
    ])
    func takesEndingsOfAttachments(field: String) async throws {
        let headers = ["Content-Type": "application/octet-stream", "Content-Disposition": field]
        let done = try await download("/play/1") { _, _ in .init(200, headers: headers, body: ReceivesRecordings.sound)
        }
        #expect(done.names == ["Talk.opus"])
    }

    /// `%n` in the setting is a folder for each feed, `%h` one for each host.
    @Test(
        arguments: [
            ("/%n", "Ride: on / off", "Ride on off"), ("/%h/%n", "..", "127.0.0.1/Other"), ("/%n", nil, "127.0.0.1"),
            ("/100%", "Ride", "100%"),
        ] as [(String, String?, String)])
    func groupsByFeed(setting: String, feed: String?, folder: String) async throws {
        let done = try await download(feed: feed, in: setting) { _, _ in .init(200, body: ReceivesRecordings.sound) }
        #expect(done.download.isDone && done.names.last == folder + "/Talk.mp3", "\(done.names)")
    }
}
