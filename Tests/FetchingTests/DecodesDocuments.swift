import CommonTesting
import Foundation
import LoopbackServer
import Testing

@testable import Fetching

/// Compressed documents, as servers, files and programs send them.
@Suite struct DecodesDocuments {
    private static let text = Array(
        ("<rss><channel><title>Words</title>" + String(repeating: "<item>words</item>", count: 60)).utf8)

    /// Returns a member of a gzip file (RFC 1952) whose data is not compressed (RFC 1951, section 3.2.4).
    private static func member(_ bytes: some Collection<UInt8>, checksumOffset: UInt32 = 0) -> [UInt8] {
        func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let length = UInt16(bytes.count)
        var checksum: UInt32 = .max
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 0 ? checksum >> 1 : checksum >> 1 ^ 0xEDB8_8320 }
        }
        let block = [1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)] + bytes
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + block + little(~checksum &+ checksumOffset)
            + little(UInt32(bytes.count))
    }

    private static func fetch(
        _ body: [UInt8], coding: String?, status: Int = 200, limit: Int = 16 << 20
    ) async throws -> FetchResponse {
        let server = try LoopbackServer { _ in
            .init(status, headers: coding.map { ["Content-Encoding": $0] } ?? [:], body: body)
        }
        var request = FetchRequest(url: server.url("/"))
        request.limits.body = limit
        return try await Fetcher().fetch(request)
    }

    /// Two and many members, empty ones, and other bytes after the last: padding, words, half a member's first bytes.
    private static let whole: [(String, [UInt8])] = [
        ("one", member(text)), ("two", member(text[..<100]) + member(text[100...])),
        ("many", text.indices.flatMap { member(text[$0...$0]) }),
        ("empty", member([]) + member(text) + member([])), ("padded", member(text) + [UInt8](repeating: 0, count: 900)),
        ("followed", member(text) + Array(String(repeating: "junk", count: 50_000).utf8)),
        ("half", member(text) + [0x1F]),
    ]

    @Test(arguments: whole, ["gzip", "X-GZIP", nil])
    func readsEveryMember(sample: (name: String, body: [UInt8]), coding: String?) async throws {
        let answer = try await DecodesDocuments.fetch(sample.body, coding: coding)
        #expect(answer.body == DecodesDocuments.text && !answer.isCut, "\(sample.name)")
    }

    /// The beginning of a document is returned and marked as such, wherever the data ends or is damaged.
    @Test func reportsDataThatEndsEarly() async throws {
        let text = DecodesDocuments.text
        let two = DecodesDocuments.member(text[..<100]) + DecodesDocuments.member(text[100...])
        for (body, count) in [
            (Array(two.prefix(60)), 45), (Array(two.prefix(117)), 100), (Array(two.prefix(125)), 100),
            (Array(two.dropLast(1)), text.count),
            (
                DecodesDocuments.member(text[..<100]) + DecodesDocuments.member(text[100...], checksumOffset: 1),
                text.count
            ),
            (DecodesDocuments.member(text[..<100]) + [0x1F, 0x8B, 7, 7, 7], 100),
        ] {
            let answer = try await DecodesDocuments.fetch(body, coding: "gzip")
            #expect(answer.isCut && answer.body == Array(text.prefix(count)), "\(count)")
        }
        // Nothing can be read of these, and the page of an error is no document.
        for (body, status) in [
            (Array(two.prefix(12)), 200), (two.prefix(9) + [7, 7, 7, 7], 200), (Array(two.prefix(60)), 404),
        ] {
            await #expect(throws: FetchError.failed("the compressed document is damaged")) {
                try await DecodesDocuments.fetch(body, coding: "gzip", status: status)
            }
        }
    }

    /// A coding that names none, an unknown one, and one that a proxy has already removed.
    @Test(arguments: ["UTF-8", "identity", "none", "x-unknown", "gzip", "", ",", "utf-8, gzip"])
    func readsPlainDocumentsWhateverTheCoding(coding: String) async throws {
        let answer = try await DecodesDocuments.fetch(DecodesDocuments.text, coding: coding)
        #expect(answer.body == DecodesDocuments.text && !answer.isCut)
    }

    @Test func decodesSeveralLayers() async throws {
        let (text, inner) = (DecodesDocuments.text, DecodesDocuments.member(DecodesDocuments.text))
        #expect(try await DecodesDocuments.fetch(DecodesDocuments.member(inner), coding: "gzip, gzip").body == text)
        #expect(try await DecodesDocuments.fetch(inner, coding: "gzip,identity").body == text)
        // Data of zlib with and without its header. The check of the first is missing.
        let bare = Array(inner.dropFirst(10).dropLast(8))
        #expect(try await DecodesDocuments.fetch(bare, coding: "deflate").body == text)
        let answer = try await DecodesDocuments.fetch([0x78, 0x9C] + bare, coding: "deflate")
        #expect(answer.body == text && answer.isCut)
        await #expect(throws: FetchError.failed("the compressed document is damaged")) {
            try await DecodesDocuments.fetch(inner, coding: "gzip, gzip, gzip, gzip, gzip")
        }
        await #expect(throws: FetchError.failed("the compressed document is damaged")) {
            try await DecodesDocuments.fetch(inner, coding: String(repeating: "gzip,", count: 100))
        }
    }

    /// "hello" in Brotli (RFC 7932) as one block that isn't compressed.
    @Test func decodesBrotliWhereItIsOffered() async throws {
        let server = try LoopbackServer { _ in
            .init(
                200, headers: ["Content-Encoding": "br"], body: [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03])
        }
        let answer = try await Fetcher().fetch(FetchRequest(url: server.url("/")))
        guard server.requests.first?.headers["accept-encoding"]?.contains("br") == true else { return }
        #expect(answer.body == Array("hello".utf8) && !answer.isCut)
        await #expect(throws: FetchError.bodyTooLarge(limit: 4)) {
            try await DecodesDocuments.fetch([0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03], coding: "br", limit: 4)
        }
    }

    @Test func countsTheBytesOfAllMembers() async throws {
        let text = DecodesDocuments.text
        let two = DecodesDocuments.member(text[..<100]) + DecodesDocuments.member(text[100...])
        #expect(try await DecodesDocuments.fetch(two, coding: "gzip", limit: two.count).body == text)
        let twice = DecodesDocuments.member(two)
        #expect(throws: FetchError.bodyTooLarge(limit: text.count - 1)) {
            _ = try CompressedDocument.content(of: two, maximum: text.count - 1)
        }
        #expect(try CompressedDocument.content(of: two, maximum: text.count).bytes == text)
        await #expect(throws: FetchError.bodyTooLarge(limit: twice.count - 1)) {
            try await DecodesDocuments.fetch(twice, coding: "gzip, gzip", limit: twice.count - 1)
        }
    }

    @Test func readsCompressedFilesAndPrograms() async throws {
        let folder = TemporaryFolder()
        let text = DecodesDocuments.text
        let body = DecodesDocuments.member(text[..<100]) + DecodesDocuments.member(text[100...])
        try Data(body).write(to: URL(fileURLWithPath: folder.path("feed.gz")))
        try Data(body.prefix(117)).write(to: URL(fileURLWithPath: folder.path("cut.gz")))
        let file = try await Fetcher().fetch(FetchRequest(url: "file://" + folder.path("feed.gz")))
        #expect(file.body == text && !file.isCut)
        let part = try await Fetcher().fetch(FetchRequest(url: "file://" + folder.path("cut.gz")))
        #expect(part.body == Array(text[..<100]) && part.isCut)
        let output = try FetchResponse(program: body, of: nil, seconds: 0)
        #expect(output.body == text && !output.isCut)
        #expect(try FetchResponse(program: Array(body.prefix(117)), of: nil, seconds: 0).isCut)
        #expect(try FetchResponse(program: text, of: nil, seconds: 0).body == text)
    }

    // MARK: Parts

    /// A part that wasn't requested is not the document.
    @Test func rejectsAnUnrequestedPart() async throws {
        let server = try LoopbackServer { _ in
            .init(206, headers: ["Content-Range": "bytes 0-5/900"], body: Array("<rss/>".utf8))
        }
        let error = await #expect(throws: FetchError.self) {
            try await Fetcher().fetch(FetchRequest(url: server.url("/")))
        }
        #expect(error?.description == "the server sent only a part of the document (206)")
    }
}
