import FeedParsing
import GRDB
import LibraryKernel
import RaceCentre
import RaceModel

/// When a stage is today. The day belongs to the race: in Sydney a stage in France ends on the next day.
extension Stage {
    /// The number of seconds after which a stage without a known end counts as over, and after the end in which it is
    /// still today's.
    private static let (longest, rest): (Int64, Int64) = (8 * 3600, 3600)

    /// Whether the stage is on: from its start until an hour after its end, whatever the date is where the reader is.
    ///
    /// A stage that is later than planned is on while its head is known to be on the road.
    package func isOn(at now: Instant) -> Bool {
        guard !isCancelled, let start = startInstant, now >= start else { return false }
        let isRidden = live.map { $0.kmToGo ?? 0 > 0 && $0.freshness(at: now) != .old } ?? false
        let end = max(start, finishInstant ?? start + Stage.longest)
        return now < end + Stage.rest || isRidden && winner == nil && now < start + 86_400
    }

    /// Returns the current day where the stage takes place.
    ///
    /// - Parameter local: The day where the reader is, for stages without a start time.
    package func today(at now: Instant, local: CalendarDay) -> CalendarDay {
        guard let offset = startTime.flatMap({ CentreTime.instant($0)?.offset }) else { return local }
        return CalendarDay(instant: now + Int64(offset))
    }

    /// Whether the stage is on, or its day is today where it takes place.
    ///
    /// - Parameter local: The day where the reader is, for stages without a start time.
    package func isToday(at now: Instant, local: CalendarDay) -> Bool {
        isOn(at: now) || day != nil && day == today(at: now, local: local)
    }
}

/// Today's stage of any race, or the next one.
package struct NextStage: Hashable, Sendable {
    package var raceID: String
    package var raceName: String
    package var stage: Stage
    package var day: CalendarDay
    /// The number of days until then where the stage takes place: 0 while it is on.
    package var days: Int64

    package var isToday: Bool { days == 0 }
}

extension RaceStore {
    /// Returns today's stage of any race, or the next one.
    ///
    /// Of several, the one that is on comes first, then those of races that the user has marked, then the next to start.
    ///
    /// - Parameters:
    ///   - day: The day where the reader is.
    ///   - now: The current instant, or `nil` for the beginning of the day.
    package func nextStage(from day: CalendarDay, at now: Instant? = nil) throws(LibraryError) -> NextStage? {
        let now = now ?? day.midnight
        return try store.read { db in
            let filter = try SpoilerFilter.read(db)
            // Somewhere else it may still be the day before.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT stage.*, race.name FROM stage JOIN race ON race.id = race_id
                    WHERE date BETWEEN ?1 AND coalesce((SELECT min(date) FROM stage WHERE date > ?2), ?2)
                    ORDER BY \(RaceStore.raceOrder), number LIMIT 500
                    """, arguments: [(day - 1).text, (day + 1).text])
            let favourites = try Favourites.read(db)
            // What decides which of two stages is shown.
            typealias Rank = (days: Int64, isOff: Int, isUnmarked: Int, isOver: Int, start: Instant)
            var best: (rank: Rank, next: NextStage)?
            for row in rows {
                var stage = try StoredRace.stage(row)
                let race: String = try row.at("race_id")
                guard let date = stage.day else { continue }
                let today = stage.today(at: now, local: day)
                let isOn = stage.isOn(at: now)
                guard isOn || date >= today else { continue }
                let days = isOn ? 0 : date.number - today.number
                let isOver = !isOn && (stage.startInstant ?? .distantFuture) <= now || stage.isCancelled
                let rank: Rank = (
                    days, isOn ? 0 : 1, favourites.contains(.race, race) ? 0 : 1, isOver ? 1 : 0,
                    stage.startInstant ?? date.midnight
                )
                guard best.map({ rank < $0.rank }) ?? true else { continue }
                filter?.hide(&stage, of: race)
                let name: String = try row.at("name")
                best = (rank, NextStage(raceID: race, raceName: name, stage: stage, day: date, days: days))
            }
            return best?.next
        }
    }
}
