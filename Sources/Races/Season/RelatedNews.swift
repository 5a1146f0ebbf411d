import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// The number of days before and after a stage to search for news about it.
private let daysAround: Int64 = 3

extension SearchQuery {
    /// Creates a search for the entries about a stage, or returns `nil` if the stage has no date.
    ///
    /// It finds entries of the days around the stage that mention one of its towns, its winner or the race.
    package init?(newsOf stage: Stage, in race: Race) {
        guard let day = stage.day else { return nil }
        let names = [stage.start, stage.finish, stage.winner, race.race].compactMap { $0 }
        self.init(anyOf: names, from: (day - daysAround).midnight, to: (day + daysAround + 1).midnight)
    }
}

extension RaceStore {
    /// Returns the stage that an entry is about, or `nil` if no stage matches well enough.
    ///
    /// Scores the stages of the days around the entry by the mentions of their towns, winner and race. The finish town
    /// counts most.
    package func stage(about entry: EntryDetail) throws(LibraryError) -> (race: String, number: Int)? {
        guard let published = entry.dates.published else { return nil }
        let day = CalendarDay(instant: published)
        let text = (entry.title + " " + (entry.html ?? entry.text ?? "")).prefix(20_000).lowercased()
        return try store.read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT s.race_id, s.number, s.start, s.finish, s.winner, r.name, s.date FROM stage s
                    JOIN race r ON r.id = s.race_id WHERE s.date BETWEEN ? AND ? ORDER BY s.date
                    """)
            let rows = try Row.fetchAll(find, arguments: [(day - daysAround).text, (day + daysAround).text])
            func score(_ row: Row) throws -> Int {
                let (start, finish): (String, String) = (try row.at(2), try row.at(3))
                let (winner, race): (String?, String) = (try row.at(4), try row.at(5))
                var score = 0
                if text.contains(finish.lowercased()) { score += 3 }
                if start != finish, text.contains(start.lowercased()) { score += 2 }
                if let winner, text.contains(winner.lowercased()) { score += 2 }
                if text.contains(race.lowercased()) { score += 1 }
                if try row.at(6) as String == day.text { score += 1 }
                return score
            }
            let best = try rows.map { (row: $0, score: try score($0)) }.max { $0.score < $1.score }
            return try best.flatMap { $0.score >= 3 ? (race: try $0.row.at(0), number: try $0.row.at(1)) : nil }
        }
    }

    /// Returns the stage whose article has the given address.
    package func stage(withArticleAt address: String) throws(LibraryError) -> (race: String, number: Int)? {
        try store.read { db in
            try Row.fetchOne(
                db, sql: "SELECT race_id, number FROM stage WHERE article_url = ? LIMIT 1", arguments: [address]
            ).map { try ($0.at(0), $0.at(1)) }
        }
    }
}
