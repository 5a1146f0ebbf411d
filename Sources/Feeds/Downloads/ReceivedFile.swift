import FeedParsing
import Fetching
import LibraryKernel
import Platform
import WebAddresses

/// A file that a server sent for a recording.
enum ReceivedFile {
    /// The reason why it isn't one, which the next run may find different.
    enum Fault: String, Error, CaseIterable, CustomStringConvertible {
        case isPage = "the server sent a web page instead of the file"
        case isEmpty = "the server sent an empty file"
        case isMessage = "the server sent a message instead of the file"

        var description: String { rawValue }
    }

    /// The maximum size of a file that is decoded.
    private static let maximumDecoded = 1 << 30
    /// The number of bytes that tell a page from a recording.
    private static let head = 1024

    /// Checks that a file is a recording, after decoding it if the server compressed it.
    static func check(_ path: String, _ answer: FetchResponse) throws {
        if let coding = answer.headers["content-encoding"]?.lowercased(), coding.contains("gzip") {
            try decode(path)
        }
        let start = FileReading.piece(of: path, count: head) ?? []
        if start.isEmpty { throw Fault.isEmpty }
        if isPage(start) { throw Fault.isPage }
        if isMessage(start, answer) { throw Fault.isMessage }
    }

    /// Whether a file is a short message from the server in JSON, XML or plain text, such as "access denied".
    private static func isMessage(_ start: [UInt8], _ answer: FetchResponse) -> Bool {
        let type = MediaType.plain(answer.headers["content-type"])
        let isText = type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
        return start.count < head && isText && start.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Replaces a file of gzip by its content, in place, because the lock of the download is on this file. Any other file
    /// stays as it is.
    private static func decode(_ path: String) throws {
        guard let bytes = FileReading.bytes(path, maximum: maximumDecoded) else {
            throw FetchError.bodyTooLarge(limit: maximumDecoded)
        }
        guard bytes.starts(with: CompressedDocument.signature) else { return }
        let content = try CompressedDocument.content(of: bytes, maximum: maximumDecoded)
        guard !content.isCut else { throw FetchError.failed("the compressed file ends early") }
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FetchError.cannotWrite(path) }
        defer { close(descriptor) }
        let fault = content.bytes.withUnsafeBytes { FileWriting.write($0, to: descriptor) }
        if fault != nil { throw FetchError.cannotWrite(path) }
    }

    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let text = String(
            decoding: bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(256), as: UTF8.self
        )
        .lowercased()
        return ["<!doctype html", "<html", "<head", "<body", "<script"].contains(where: text.hasPrefix)
            || text.hasPrefix("<!--") && text.contains("<html") || text.hasPrefix("<?xml") && text.contains("<html")
    }

    /// Returns the ending of a file's name by the content's type or the last address, or `nil` if the first address has
    /// one of a recording.
    static func ending(of download: Download, _ answer: FetchResponse) -> String? {
        let first = MediaType.ending(of: download.url)
        if let first, MediaType.isMedia(ending: first) { return nil }
        if let ending = MediaType.ending(ofType: answer.headers["content-type"]) { return ending }
        if let name = HeaderParameters.read(answer.headers["content-disposition"] ?? "")["filename"],
            let ending = MediaType.ending(of: name),
            MediaType.isMedia(ending: ending)
        {
            return ending
        }
        let last = MediaType.ending(of: answer.effectiveURL)
        return first == nil || last.map { MediaType.isMedia(ending: $0) } == true ? last : nil
    }
}

extension Download {
    /// Whether it failed for a reason that the next run may find different.
    var isTriedAgain: Bool { error.flatMap(ReceivedFile.Fault.init(rawValue:)) != nil }
}

enum DownloadFolder {
    /// Returns the folder, with `%n` and `%h` in the setting replaced by the name of the feed and the host.
    static func path(of download: Download, in setting: String) -> String {
        guard setting.contains("%") else { return setting }
        let host = WebAddress(download.url)?.host ?? ""
        return setting.replacing("%n", with: name(download.feed ?? host)).replacing("%h", with: name(host))
    }

    /// Returns a text as the name of a folder.
    private static func name(_ text: String) -> String {
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }.joined(separator: " ")
        let plain = words.drop { $0 == "." }
        return plain.isEmpty ? "Other" : String(plain.prefix(80))
    }
}
