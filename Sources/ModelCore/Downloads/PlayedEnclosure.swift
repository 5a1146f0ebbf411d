import GRDB

/// How far a recording was played, as its player has told.
package struct PlayedEnclosure: Codable, Hashable, Sendable {
    /// Where it was left, in seconds from its beginning.
    package var position: Int
    /// How long it is, in seconds; `nil` where the player does not know.
    package var duration: Int?

    package init(position: Int, duration: Int?) {
        self.position = position
        self.duration = duration
    }

    /// Played to its end.
    package static func whole(duration: Int?) -> PlayedEnclosure {
        PlayedEnclosure(position: duration ?? 0, duration: duration ?? 0)
    }

    /// Whether it was heard to its end.
    package var isWhole: Bool { duration.map { position >= $0 } ?? false }

    /// Where it begins when it is played again, in seconds: what was heard whole begins anew.
    package var start: Int { isWhole ? 0 : position }
}

extension Library {
    /// How far a recording was played; `nil`: never, or not beyond its beginning.
    package func played(_ url: String) throws(LibraryError) -> PlayedEnclosure? {
        try read { try Library.played([url], $0)[url] }
    }

    /// How far recordings were played, by their addresses.
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
    /// Positions that are kept: those of the recordings that were played last.
    private static let mostPlayed = 5_000

    /// Notes how far a recording was played; at its very beginning there is nothing to keep.
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
