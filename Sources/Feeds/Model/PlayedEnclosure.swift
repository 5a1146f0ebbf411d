import GRDB
import LibraryKernel

/// The playback position of an enclosure, as its player reported it.
package struct PlayedEnclosure: Codable, Hashable, Sendable {
    /// The position in seconds.
    package var position: Int
    /// The duration in seconds, or `nil` if the player doesn't know it.
    package var duration: Int?
    /// Whether its player reported the position while it ran. A journal of an earlier version lacks this.
    package var isPlaying: Bool?

    package init(position: Int, duration: Int?, isPlaying: Bool? = nil) {
        self.position = position
        self.duration = duration
        self.isPlaying = isPlaying
    }

    /// Returns the position of an enclosure that was played to its end.
    package static func whole(duration: Int?) -> PlayedEnclosure {
        PlayedEnclosure(position: duration ?? 0, duration: duration ?? 0)
    }

    /// The seconds without a report after which a player no longer plays. It reports every ten.
    static let longestSilence: Int64 = 25

    /// Whether it was played to its end.
    package var isWhole: Bool { duration.map { position >= $0 } ?? false }

    /// The position from which to play next time, in seconds. A finished enclosure starts again.
    package var start: Int { isWhole ? 0 : position }
}

extension PlayedEnclosure {
    /// Returns the playback positions of enclosures by address.
    package static func fetch(_ urls: [String], _ db: Database) throws -> [String: PlayedEnclosure] {
        try urls.reduce(into: [:]) { played, url in
            let find = try db.cachedStatement(sql: "SELECT position, duration FROM played_enclosure WHERE url = ?")
            played[url] = try Row.fetchOne(find, arguments: [url]).map { row in
                try PlayedEnclosure(position: row.at(0), duration: row.at(1))
            }
        }
    }
}

/// Stores the playback position of the enclosure at an address, unless it is the very beginning.
struct StorePlaybackPosition: LibraryChange {
    static let kind = "enclosures.playbackPosition"
    /// The maximum number of stored positions. The most recent are kept.
    private static let maximum = 5_000

    var url: String
    var played: PlayedEnclosure
    /// The entry that it belongs to, stored while it is played.
    var entry: EntryID?
    var now: Instant

    var summary: String { "a playback position" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        guard played.position > 0 || played.isWhole else {
            try db.execute(sql: "DELETE FROM played_enclosure WHERE url = ?", arguments: [url])
            return Outcome(count: db.changesCount)
        }
        try db.execute(
            sql:
                "INSERT OR REPLACE INTO played_enclosure VALUES (?, ?, ?, ?, ?)",
            arguments: [url, played.position, played.duration, now, played.isPlaying == true ? entry : nil])
        let count = db.changesCount
        try db.execute(
            sql: """
                DELETE FROM played_enclosure WHERE url IN (
                    SELECT url FROM played_enclosure ORDER BY played DESC LIMIT -1 OFFSET \(StorePlaybackPosition.maximum))
                """)
        return Outcome(count: count)
    }
}

extension Change {
    /// Stores the playback position of the enclosure at an address.
    ///
    /// - Parameter entry: The entry that the enclosure belongs to, if known.
    package static func storePlaybackPosition(
        _ url: String, _ played: PlayedEnclosure, of entry: EntryID? = nil, now: Instant
    ) -> Change {
        Change(StorePlaybackPosition(url: url, played: played, entry: entry, now: now))
    }
}
