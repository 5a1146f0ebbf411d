import FeedParsing
import Feeds
import GRDB
import LibraryKernel
import RaceCentre

/// The past winners of a race.
package struct RaceHistory: Hashable, Sendable {
    /// An edition with its winner.
    package struct Row: Hashable, Sendable {
        /// The item of the edition in Wikidata.
        package var item: WikidataItem
        package var year: Int
        /// The winner, or `nil` if the result is hidden.
        package var winner: String?
        package var team: String?
    }

    /// The newest edition first.
    package var rows: [Row]
    /// The instant at which the answer was received, or `nil` if Wikidata was never asked.
    package var received: Instant?

    package init(rows: [Row], received: Instant? = nil) {
        self.rows = rows
        self.received = received
    }
}

/// Stores the past winners of a race, and replaces the previous ones.
struct StoreWinners: MaintenanceStep {
    let winners: [PastWinner]
    let series: WikidataItem
    let received: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        try db.execute(sql: "DELETE FROM past_winner WHERE series = ?", arguments: [series.description])
        let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO past_winner VALUES (?, ?, ?, ?, ?)")
        for winner in winners {
            try insert.execute(arguments: [
                series.description, winner.edition.description, winner.year, winner.name, winner.team,
            ])
        }
        try WikidataAnswers.note(.winners(series), received, db)
        return Outcome(count: winners.count)
    }
}

extension RaceStore {
    /// Returns the item of a race in Wikidata, or `nil` if neither the catalogue nor the calendar has the race.
    ///
    /// - Parameter id: The identifier of a race in the library.
    package func series(ofRace id: String, known: KnownRaces) throws(LibraryError) -> WikidataItem? {
        let (address, name) = try store.read { db in
            (
                try String.fetchOne(db, sql: "SELECT address FROM race_source WHERE race_id = ?", arguments: [id]),
                try String.fetchOne(db, sql: "SELECT name FROM race WHERE id = ?", arguments: [id])
            )
        }
        if let address, let series = known.edition(at: address)?.race.wikidata { return series }
        let found = try store.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT series FROM calendar_race
                    WHERE series IS NOT NULL AND (address = ?1 OR race_id = ?2 OR name = ?3 || ' ' || year)
                    ORDER BY address = ?1 DESC, race_id = ?2 DESC, year DESC LIMIT 1
                    """, arguments: [address, id, name])
        }
        if let found { return WikidataItem(found) }
        // A bundled race has the name of one in the catalogue.
        return known.races.first { $0.name == name }?.wikidata
    }

    /// Returns the item of a race that is in the library, in the catalogue or in the calendar, or `nil`.
    ///
    /// - Parameter words: The identifier of a race in the library, or words of a name.
    package func series(named words: String, known: KnownRaces) throws(LibraryError) -> WikidataItem? {
        if let series = try series(ofRace: words, known: known) { return series }
        let (terms, _) = RaceWords.split(words)
        if let race = known.races.first(where: { RaceWords.split($0.id).terms == terms }) { return race.wikidata }
        let names = try store.read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, series FROM calendar_race WHERE series IS NOT NULL ORDER BY year DESC, first_day"
            ).map { (try $0.at(0) as String, try $0.at(1) as String) }
        }
        let exact = names.first { RaceWords.split($0.0).terms == terms }
        let found = exact ?? names.first { RaceWords.contains(RaceWords.split($0.0).terms, terms) }
        return terms.isEmpty ? nil : found.flatMap { WikidataItem($0.1) }
    }

    /// Returns the past winners of a race, without those whose results are hidden.
    ///
    /// The winner of an edition in the library is hidden as its last stage is; others only if all results are hidden.
    ///
    /// - Parameters:
    ///   - id: The identifier of an edition in the library, or `nil`.
    ///   - revealed: The years whose winners are included although they are hidden.
    package func history(
        of series: WikidataItem, race id: String? = nil, revealing revealed: Set<Int> = []
    ) throws(LibraryError) -> RaceHistory {
        try store.read { db in
            let filter = try SpoilerFilter.read(db)
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM past_winner WHERE series = ? ORDER BY year DESC, edition DESC",
                arguments: [series.description]
            ).compactMap { row -> RaceHistory.Row? in
                let (year, edition): (Int, String) = (try row.at("year"), try row.at("edition"))
                guard let item = WikidataItem(edition) else { return nil }
                if let filter, !revealed.contains(year), try RaceStore.isHidden(edition, year, of: id, filter, db) {
                    return RaceHistory.Row(item: item, year: year)
                }
                return try RaceHistory.Row(item: item, year: year, winner: row.at("name"), team: row.at("team"))
            }
            return RaceHistory(rows: rows, received: try WikidataAnswers.received(.winners(series), db))
        }
    }

    func winnerCount(of series: WikidataItem) throws(LibraryError) -> Int {
        try store.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM past_winner WHERE series = ?", arguments: [series.description]) ?? 0
        }
    }

    private static func isHidden(
        _ edition: String, _ year: Int, of race: String?, _ filter: SpoilerFilter, _ db: Database
    ) throws -> Bool {
        let editions = try Row.fetchAll(
            db,
            sql: """
                SELECT id, (SELECT max(number) FROM stage WHERE race_id = id) FROM race
                WHERE id IN (SELECT race_id FROM race_source WHERE address = ?1)
                    OR id IN (SELECT race_id FROM calendar_race WHERE item = ?2)
                    OR year = ?3 AND name = (SELECT name FROM race WHERE id = ?4)
                """, arguments: [WikidataItem.scheme + edition, edition, year, race])
        guard !editions.isEmpty else { return filter.hides("", stage: 0) }
        return try editions.contains { row in
            let last: Int? = try row.at(1)
            return filter.hides(try row.at(0), stage: last ?? 0)
        }
    }
}
