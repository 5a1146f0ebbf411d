import Foundation
import GRDB
import LibraryKernel

/// Reads the download queue, downloaded files and playback positions.
package struct DownloadStore: Sendable {
    let store: Store
    let spoilers: SpoilerReader
    /// Whether the library comes from another machine, so that its files must not be opened.
    let isForeign: Bool

    /// Returns all downloads in the order of the queue.
    package func all() throws(LibraryError) -> [Download] {
        try store.read { db in
            let filter = try spoilers.read(db)
            return try Row.fetchAll(db.cachedStatement(sql: "SELECT * FROM download ORDER BY id")).map { row in
                var download = try Download(row)
                if let words = try filter?.replacement(for: [download.title, download.url], at: download.added) {
                    download.title = words
                    download.isSpoiler = true
                }
                return download
            }
        }
    }

    /// Returns the path of a downloaded file that still exists.
    package func file(of url: String) throws(LibraryError) -> String? {
        guard !isForeign else { return nil }
        let path = try store.read { db in
            try String.fetchOne(db, sql: "SELECT path FROM download WHERE url = ? AND is_done = 1", arguments: [url])
        }
        return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    /// Returns the playback position of an enclosure, or `nil` if there is none.
    package func playback(of url: String) throws(LibraryError) -> PlayedEnclosure? {
        try store.read { try PlayedEnclosure.fetch([url], $0)[url] }
    }

    /// Returns what a player of any dashboard plays, and how far it is. A player that was killed is no longer playing.
    package func playing(at now: Instant) throws(LibraryError) -> (entry: EntryID, played: PlayedEnclosure)? {
        try store.read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT entry_id, position, duration FROM played_enclosure
                    WHERE entry_id IS NOT NULL AND played BETWEEN ? AND ? ORDER BY played DESC LIMIT 1
                    """)
            return try Row.fetchOne(find, arguments: [now - PlayedEnclosure.longestSilence, now]).map { row in
                (try row.at(0), try PlayedEnclosure(position: row.at(1), duration: row.at(2), isPlaying: true))
            }
        }
    }
}
