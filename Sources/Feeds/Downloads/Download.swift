import Foundation
import GRDB
import LibraryKernel

/// A download of an enclosure, pending or done.
package struct Download: Codable, Hashable, Sendable, Identifiable {
    package var id: DownloadID
    package var url: String
    package var title: String
    /// The name of its feed when it was queued, for its folder.
    var feed: String?
    /// The path of the file, or `nil` before the download starts. The partial file has the suffix `.part`.
    package var path: String?
    package var isDone: Bool
    /// The total size in bytes, once the server has reported it.
    package var size: Int64?
    /// The validator that shows whether the server still has the same file.
    var validator: String?
    /// The reason for a failure, as a sentence.
    package var error: String?
    /// Whether its host may be in a private network, because it is the feed's host or was typed.
    var allowsPrivateHost: Bool
    /// The instant at which it was queued.
    var added: Instant
    /// Whether the title was replaced because it would reveal a stage's result.
    package var isSpoiler = false

    enum CodingKeys: String, CodingKey {
        case id, url, title, feed, path, isDone, size, validator, error, allowsPrivateHost, added
    }

    /// Whether it has neither finished nor failed.
    package var isPending: Bool { !isDone && error == nil }

    /// The path or address, unless it would reveal a result.
    package var place: String { isSpoiler ? "" : path ?? url }

    init(_ row: Row) throws {
        try (id, url, title, path) = (row.at("id"), row.at("url"), row.at("title"), row.at("path"))
        // A library that can't be written may be older.
        feed = row.hasColumn("feed") ? try row.at("feed") : nil
        try (isDone, size, validator) = (row.at("is_done"), row.at("size"), row.at("validator"))
        try (error, added, allowsPrivateHost) = (row.at("error"), row.at("added"), row.at("allows_private"))
    }

    /// The path of the partial file.
    package var partPath: String? { path.map { $0 + ".part" } }

    /// The number of received bytes.
    package var received: Int64 {
        var status = stat()
        guard let file = isDone ? path : partPath, stat(file, &status) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    /// The progress in words, such as "12.1 MB of 40.3 MB, 30 %", "done, 40.3 MB" or "waits".
    package var state: String {
        if let error { return "! \(error)" }
        if isDone { return "done, \(ByteCount.text(received))" }
        let received = received
        guard received > 0 else { return "waits" }
        guard let size, size > 0 else { return ByteCount.text(received) }
        return "\(ByteCount.text(received)) of \(ByteCount.text(size)), \(received * 100 / size) %"
    }
}
