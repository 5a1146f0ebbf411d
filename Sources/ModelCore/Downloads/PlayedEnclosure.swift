import GRDB

/// The playback position of an enclosure, as its player reported it.
package struct PlayedEnclosure: Codable, Hashable, Sendable {
    /// The position in seconds.
    package var position: Int
    /// The duration in seconds, or `nil` if the player doesn't know it.
    package var duration: Int?

    package init(position: Int, duration: Int?) {
        self.position = position
        self.duration = duration
    }

    /// Returns the position of an enclosure that was played to its end.
    package static func whole(duration: Int?) -> PlayedEnclosure {
        PlayedEnclosure(position: duration ?? 0, duration: duration ?? 0)
    }

    /// Whether it was played to its end.
    package var isWhole: Bool { duration.map { position >= $0 } ?? false }

    /// The position from which to play next time, in seconds. A finished enclosure starts again.
    package var start: Int { isWhole ? 0 : position }
}

extension Library {
    /// Returns the playback position of an enclosure, or `nil` if there is none.
    package func played(_ url: String) throws(LibraryError) -> PlayedEnclosure? {
        try read { try Library.played([url], $0)[url] }
    }

    /// Returns the playback positions of enclosures by address.
    static func played(_ urls: [String], _ db: Database) throws -> [String: PlayedEnclosure] {
        try urls.reduce(into: [:]) { played, url in
            let find = try db.cachedStatement(sql: "SELECT position, duration FROM played_recording WHERE url = ?")
            played[url] = try Row.fetchOne(find, arguments: [url]).map { row in
                try PlayedEnclosure(position: row.at(0), duration: row.at(1))
            }
        }
    }
}

extension ChangeWriter {
    /// The maximum number of stored positions. The most recent are kept.
    private static let mostPlayed = 5_000

    /// Stores a playback position, unless it is the very beginning.
    func note(_ played: PlayedEnclosure, of url: String, now: Int64) throws -> Receipt {
        guard played.position > 0 || played.isWhole else {
            try db.execute(sql: "DELETE FROM played_recording WHERE url = ?", arguments: [url])
            return Receipt(id, count: db.changesCount)
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO played_recording VALUES (?, ?, ?, ?)",
            arguments: [url, played.position, played.duration, now])
        let count = db.changesCount
        try db.execute(
            sql: """
                DELETE FROM played_recording WHERE url IN (
                    SELECT url FROM played_recording ORDER BY played DESC LIMIT -1 OFFSET \(ChangeWriter.mostPlayed))
                """)
        return Receipt(id, count: count)
    }
}
