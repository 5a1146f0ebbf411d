import Foundation
import GRDB
import LibraryKernel

struct QueueDownload: LibraryChange {
    static let kind = "downloads.queue"
    var url: String
    var title: String
    var feed: String?
    var allowsPrivateHost: Bool
    var now: Instant

    var summary: String { "a download" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        if let row = try Row.fetchOne(db, sql: "SELECT * FROM download WHERE url = ?", arguments: [url]) {
            let known = try Download(row)
            // A failed download, or one whose file was deleted, is retried.
            let isThere = known.isDone && known.path.map { FileManager.default.fileExists(atPath: $0) } == true
            guard !isThere, known.error != nil || known.isDone else { return Outcome() }
            try db.execute(
                sql: "UPDATE download SET error = NULL, is_done = 0 WHERE id = ?", arguments: [known.id])
            return Outcome(count: 1)
        }
        try db.execute(
            sql: "INSERT INTO download (url, title, feed, allows_private, added) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                url, StoredEntry.limited(title, to: 4 << 10), feed.map { StoredEntry.limited($0, to: 4 << 10) },
                allowsPrivateHost, now,
            ])
        return Outcome(
            count: 1, undo: "adding the download", .removeDownload(DownloadID(rawValue: db.lastInsertedRowID)))
    }
}

struct RemoveDownload: LibraryChange {
    static let kind = "downloads.remove"
    var download: DownloadID

    var summary: String { "a download" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let row = try Row.fetchOne(
            transaction.db, sql: "SELECT * FROM download WHERE id = ?", arguments: [download])
        guard let row else { return Outcome() }
        let known = try Download(row)
        try transaction.db.execute(sql: "DELETE FROM download WHERE id = ?", arguments: [download])
        return Outcome(count: 1, undo: "removing the download", Change(RestoreDownload(download: known)))
    }
}

/// Restores a download that was removed from the queue.
struct RestoreDownload: LibraryChange {
    static let kind = "downloads.restore"
    var download: Download

    var summary: String { "a download" }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: """
                INSERT OR IGNORE INTO download
                    (id, url, title, feed, path, is_done, size, validator, error, allows_private, added)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                download.id, download.url, download.title, download.feed, download.path, download.isDone, download.size,
                download.validator, download.error, download.allowsPrivateHost, download.added,
            ])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Queues an enclosure for download, or retries a failed download.
    ///
    /// - Parameter feed: The name of its feed.
    package static func queueDownload(
        url: String, title: String, feed: String? = nil, allowsPrivateHost: Bool, now: Instant
    ) -> Change {
        Change(QueueDownload(url: url, title: title, feed: feed, allowsPrivateHost: allowsPrivateHost, now: now))
    }

    /// Removes a download from the queue but not its file.
    package static func removeDownload(_ download: DownloadID) -> Change { Change(RemoveDownload(download: download)) }
}

/// Stores the progress of a download.
struct StoreDownload: MaintenanceStep {
    let download: Download

    init(_ download: Download) { self.download = download }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: """
                UPDATE download SET path = ?, is_done = ?, size = ?, validator = ?, error = ? WHERE id = ?
                """,
            arguments: [
                download.path, download.isDone, download.size, download.validator, download.error, download.id,
            ])
        return Outcome(count: transaction.db.changesCount)
    }
}
