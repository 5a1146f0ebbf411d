import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// The news of stages that may not be shown yet (``LiveDelay``).
///
/// The library stores them apart from the races, which have only what is due. So no reader can show them early, and a
/// restart neither loses nor shows them.
struct HeldStages {
    /// What a race knows of a stage that must not be ahead of a broadcast.
    struct Content: Codable, Hashable {
        var stage: Stage
        var withdrawals: [Withdrawal]
        /// The final standings, if this is the last stage.
        var overall: [String]?
    }

    let db: Database
    /// The maximum number of versions of a stage that are held back.
    private static let maximum = 64

    // MARK: Receiving

    /// Separates a received race into what may be shown now and what is held back.
    ///
    /// - Parameters:
    ///   - shown: The race as it is shown, or `nil` for a new one.
    ///   - newest: The newest version, including what is held back.
    ///   - now: The instant at which the race was received.
    /// - Returns: The race to show, with stages on their day as they were, and their new contents.
    func split(_ race: Race, shown: Race?, newest: Race?, at now: Instant) throws -> (race: Race, held: [Content]) {
        guard try LiveDelay.read(db).seconds > 0 else { return (race, []) }
        var visible = race
        var held: [Content] = []
        for stage in race.stages(withNewsAt: now) {
            guard let content = race.content(ofStage: stage.number) else { continue }
            if content != newest?.content(ofStage: stage.number) { held.append(content) }
            var nothing = Content(stage: stage, withdrawals: [])
            nothing.stage.removeNews()
            nothing.stage.weather = nil
            visible.replace(with: shown?.content(ofStage: stage.number) ?? nothing)
        }
        return (visible, held)
    }

    /// Stores what is held back of a race, whose stages exist, and deletes what was held back of stages that are now shown
    /// at once.
    func hold(_ contents: [Content], of race: Race, at now: Instant) throws {
        let delayed = try LiveDelay.read(db).seconds > 0
        let kept = Set(delayed ? race.stages(withNewsAt: now).map(\.number) : [])
        let numbers = try Int.fetchSet(
            db, sql: "SELECT DISTINCT number FROM held_stage WHERE race_id = ?", arguments: [race.id])
        for number in numbers.subtracting(kept) {
            try db.execute(
                sql: "DELETE FROM held_stage WHERE race_id = ? AND number = ?", arguments: [race.id, number])
        }
        for content in contents {
            let text = String(decoding: try JSONEncoder().encode(content), as: UTF8.self)
            // At the limit, drops the newest stored version: the one that follows would soon replace it.
            try db.execute(
                sql: """
                    DELETE FROM held_stage WHERE id = (
                        SELECT max(id) FROM held_stage WHERE race_id = ?1 AND number = ?2 HAVING count(*) >= ?3)
                    """, arguments: [race.id, content.stage.number, HeldStages.maximum])
            try db.execute(
                sql: "INSERT INTO held_stage (race_id, number, received, content) VALUES (?, ?, ?, ?)",
                arguments: [race.id, content.stage.number, now, text])
        }
    }

    // MARK: Reading

    /// Returns the newest version of a shown race.
    func newest(of shown: Race) throws -> Race {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, content FROM held_stage WHERE race_id = ? ORDER BY id", arguments: [shown.id])
        return try HeldStages.race(shown, with: rows)
    }

    /// Returns a race with the stored contents. Later ones replace earlier ones of the same stage.
    private static func race(_ shown: Race, with rows: [Row]) throws -> Race {
        var race = shown
        for content in try rows.compactMap(HeldStages.content) { race.replace(with: content) }
        return race
    }

    /// Returns the newest version of a race with everything, including spoilers and what is held back.
    static func newestRace(_ id: String, _ db: Database) throws -> Race? {
        try RaceStore.wholeRaceWithSpoilers(id, db).map { try HeldStages(db: db).newest(of: $0) }
    }

    /// Returns the instant at which the first of the parts was received.
    func firstReceived() throws -> Instant? {
        try Instant.fetchOne(db.cachedStatement(sql: "SELECT min(received) FROM held_stage"))
    }

    private static func content(_ row: Row) throws -> Content? {
        let (number, text): (Int, String) = (try row.at("number"), try row.at("content"))
        let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8))
        return content?.stage.number == number ? content : nil
    }

    // MARK: Releasing

    /// Shows everything that is due.
    ///
    /// - Returns: The number of stages that were changed.
    func release(at now: Instant) throws -> Int {
        // After the clock was set back, nothing waits for the time before.
        try db.execute(sql: "UPDATE held_stage SET received = ?1 WHERE received > ?1", arguments: [now])
        let received = try LiveDelay.read(db).shownInstant(at: now)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM held_stage WHERE id IN (
                    SELECT max(id) FROM held_stage WHERE received <= ? GROUP BY race_id, number)
                """, arguments: [received])
        for (id, rows) in try Dictionary(grouping: rows, by: { try $0.at("race_id") as String }) {
            guard let shown = try RaceStore.wholeRaceWithSpoilers(id, db) else { continue }
            let race = try HeldStages.race(shown, with: rows)
            try StoredRace.write(race, isBundled: RaceWriter(db: db).isBundled(id), over: shown, db)
        }
        for row in rows {
            // An older version must not follow a newer one.
            let (race, number): (String, Int) = (try row.at("race_id"), try row.at("number"))
            let id: Int64 = try row.at("id")
            try db.execute(
                sql: "DELETE FROM held_stage WHERE race_id = ? AND number = ? AND id <= ?",
                arguments: [race, number, id])
        }
        return rows.count
    }
}

/// Shows what was held back and is due.
struct ReleaseHeldStages: MaintenanceStep {
    let now: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        Outcome(count: try HeldStages(db: transaction.db).release(at: now))
    }
}

extension Race {
    /// Returns the stages on their day and all that follow: the jerseys of the next stage reveal who leads after this one.
    fileprivate func stages(withNewsAt now: Instant) -> [Stage] {
        guard let first = stages.filter({ $0.isOnItsDay(at: now) }).map(\.number).min() else { return [] }
        return stages.filter { $0.number >= first }
    }

    func content(ofStage number: Int) -> HeldStages.Content? {
        stages.first { $0.number == number }.map { stage in
            HeldStages.Content(
                stage: stage, withdrawals: withdrawals?.filter { $0.stage == number } ?? [],
                overall: number == stages.last?.number ? overall : nil)
        }
    }

    /// Replaces what the race knows of a stage, if it has the stage.
    mutating func replace(with content: HeldStages.Content) {
        let number = content.stage.number
        guard let index = stages.firstIndex(where: { $0.number == number }) else { return }
        stages[index] = content.stage
        if number == stages.last?.number { overall = content.overall }
        guard withdrawals != nil || !content.withdrawals.isEmpty else { return }
        let others = (withdrawals ?? []).filter { $0.stage != number }
        let later = others.firstIndex { $0.stage > number } ?? others.count
        withdrawals = Array(others[..<later]) + content.withdrawals + Array(others[later...])
    }
}

extension Stage {
    /// Whether news of the stage is expected: from six hours before its start, or on its day in any time zone, until a
    /// day later.
    func isOnItsDay(at now: Instant) -> Bool {
        if let start = startInstant {
            return now >= start - 6 * 3600 && now < start + 86_400
        }
        guard let day else { return false }
        return now >= (day - 1).midnight && now < (day + 3).midnight
    }
}
