import FeedParsing

/// Validates a race: lengths of texts, ranges of numbers, dates, and consistent results.
package struct RaceCheck {
    /// An error and the path of its value in the document.
    package struct Problem {
        /// Keys, and indexes from zero.
        var path: [String]
        package var sentence: String
    }

    /// The maximum numbers of stages, riders, placings in a list, and ticker messages of a stage.
    package static let (maximumStages, maximumRiders, maximumPlacings, maximumLines) = (1000, 2000, 2000, 10_000)
    private static let maximumSplits = 50
    /// The maximum number of rest days, final standings, teams, jerseys, climbs, withdrawals or places on the way.
    private static let maximumNames = 1000
    /// The maximum lengths in bytes of a text, a ticker message and an address.
    private static let (longestText, longestLine, longestAddress) = (1000, 4000, 8 << 10)
    /// The number of seconds before the start in which a ticker message may belong to the stage.
    package static let beforeStart: Int64 = 6 * 3600
    /// The riders allowed in results; empty if the file has no roster.
    private let riders: Set<String>
    private var problems: [Problem] = []

    package static func problems(_ race: Race) -> [Problem] {
        var check = RaceCheck(race)
        check.check(race)
        return check.problems
    }

    /// Returns the riders whose teams are not among those that a race lists.
    static func unknownTeams(_ race: Race) -> [Problem] {
        let teams = Set((race.teams ?? []).flatMap { [$0.key, $0.name] })
        guard !teams.isEmpty else { return [] }
        return (race.riders ?? []).enumerated().compactMap { place, rider in
            guard let team = rider.team, !teams.contains(team) else { return nil }
            return Problem(
                path: ["riders", "\(place)", "team"],
                sentence: "riders, item \(place + 1): unknown team '\(team.prefix(60))'")
        }
    }

    private init(_ race: Race) { riders = Set(race.riders?.map(\.key) ?? []) }

    mutating func fail(_ path: [String], _ sentence: String) {
        problems.append(Problem(path: path, sentence: sentence))
    }

    private mutating func check(_ race: Race) {
        count(race.stages.count, "stages", RaceCheck.maximumStages)
        count(race.riders?.count, "riders", RaceCheck.maximumRiders)
        count(race.withdrawals?.count, "withdrawals", RaceCheck.maximumRiders)
        count(race.restDays?.count, "rest_days", RaceCheck.maximumNames)
        count(race.overall?.count, "overall", RaceCheck.maximumNames)
        count(race.teams?.count, "teams", RaceCheck.maximumNames)
        count(race.jerseys?.count, "jerseys", RaceCheck.maximumNames)
        guard problems.isEmpty else { return }
        lengths(
            [
                ("race", race.race), ("country", race.country), ("leader_jersey", race.leaderJersey),
                ("kind", race.kind),
            ], [])
        for (key, list) in [("rest_days", race.restDays), ("overall", race.overall)] {
            for (place, text) in (list ?? []).enumerated() where text.utf8.count > RaceCheck.longestText {
                fail([key, "\(place)"], "\(key): longer than \(RaceCheck.longestText) bytes")
            }
        }
        if let source = race.source {
            lengths([("name", source.name), ("url", source.url), ("note", source.note)], ["source"], "source")
        }
        // Long texts would appear in the messages of later checks.
        guard problems.isEmpty else { return }
        if race.race.isEmpty { fail(["race"], "race: empty name") }
        if !RaceLimits.years.contains(race.year) { fail(["year"], "year: \(race.year) is not a year") }
        if let edition = race.edition, !RaceLimits.editions.contains(edition) {
            fail(["edition"], "edition: \(edition) is not an edition")
        }
        for (place, day) in (race.restDays ?? []).enumerated() where CalendarDay(day) == nil {
            fail(["rest_days", "\(place)"], "rest_days: '\(day)' is not a date")
        }
        if let ttl = race.ttl, !RaceLimits.lifetimes.contains(ttl) {
            fail(["ttl"], "ttl: \(ttl) is not a number of minutes")
        }
        checkRoster(race)
        var numbers: Set<Int> = []
        for (index, stage) in race.stages.enumerated() {
            let before = problems.count
            let isNew = numbers.insert(stage.number).inserted
            checkTexts(stage, index)
            guard problems.count == before else { continue }
            check(stage, index)
            if !isNew {
                fail(["stages", "\(index)", "number"], "stage \(stage.number): duplicate number")
            }
        }
        for (withdrawal, place) in items(race.withdrawals ?? [], "withdrawals")
        where !numbers.contains(withdrawal.stage) {
            fail(place.path + ["stage"], "\(place.name): unknown stage \(withdrawal.stage)")
        }
    }

    private mutating func checkRoster(_ race: Race) {
        var known: Set<String> = []
        for (rider, place) in items(race.riders ?? [], "riders") {
            lengths(
                [("name", rider.name), ("id", rider.id), ("country", rider.country), ("team", rider.team)], place.path,
                place.name)
            if rider.name.isEmpty { fail(place.path + ["name"], "\(place.name): empty name") }
            if let number = rider.number, !RaceLimits.riderNumbers.contains(number) {
                fail(place.path + ["number"], "\(place.name): number is \(number)")
            }
            if !known.insert(rider.key).inserted { fail(place.path, "\(place.name): duplicate '\(short(rider.key))'") }
        }
        for (team, place) in items(race.teams ?? [], "teams") {
            lengths([("name", team.name), ("id", team.id), ("country", team.country)], place.path, place.name)
        }
        for (jersey, place) in items(race.jerseys ?? [], "jerseys") {
            lengths([("name", jersey.name), ("color", jersey.color)], place.path, place.name)
            if !Classification.standings.contains(where: { $0.name == jersey.classification }) {
                fail(
                    place.path + ["classification"],
                    "\(place.name): unknown classification '\(short(jersey.classification))'; use general, points, mountain, youth or teams"
                )
            }
        }
        for (withdrawal, place) in items(race.withdrawals ?? [], "withdrawals") {
            know(withdrawal.rider, place.path + ["rider"], place.name)
            lengths([("reason", withdrawal.reason)], place.path, place.name)
        }
    }

    private mutating func check(_ stage: Stage, _ index: Int) {
        let (path, name) = (["stages", "\(index)"], "stage \(stage.number)")
        if !RaceLimits.stageNumbers.contains(stage.number) {
            fail(path + ["number"], "\(name): expected a number from 0 to 9999")
        }
        if stage.start.isEmpty || stage.finish.isEmpty { fail(path, "\(name): start or finish is missing") }
        check([("distance_km", stage.distance, RaceLimits.isDistance)], path, name)
        if let date = stage.date, CalendarDay(date) == nil {
            fail(path + ["date"], "\(name): '\(date)' is not a date")
        }
        check(place: stage.startPlace, path + ["start_lat_lon"], name)
        check(place: stage.finishPlace, path + ["finish_lat_lon"], name)
        for (place, point) in (stage.way ?? []).enumerated() where !RaceLimits.isPlace(point) {
            check(place: point, path + ["way", "\(place)"], "\(name), way, item \(place + 1)")
        }
        checkTimes(stage, path, name)
        checkWay(stage, path, name)
        if let report = stage.live { check(report, path + ["live"], "\(name), live") }
        checkStandings(stage, path, name)
    }

    private mutating func checkTimes(_ stage: Stage, _ path: [String], _ name: String) {
        for (key, time, instant) in [
            ("start_time", stage.startTime, stage.startInstant), ("finish_time", stage.finishTime, stage.finishInstant),
            ("neutral_start_time", stage.neutralStartTime, stage.neutralStart),
        ] {
            if let time, instant == nil || !time.contains("T") {
                fail(path + [key], "\(name): '\(short(time))' is not a time such as 2026-05-09T13:10:00+02:00")
            }
        }
        if let start = stage.startInstant, let finish = stage.finishInstant, finish <= start {
            fail(path + ["finish_time"], "\(name): finish_time is not after start_time")
        }
        // The date is that of the stage's own time zone, which is part of the time.
        if let date = stage.date, let time = stage.startTime, stage.startInstant != nil, !time.hasPrefix(date) {
            fail(path + ["start_time"], "\(name): start_time is not on \(date)")
        }
        for (line, place) in items(stage.ticker ?? [], "ticker", path, name) {
            guard let instant = line.instant else {
                fail(place.path + ["time"], "\(place.name): '\(short(line.time))' is not a time")
                continue
            }
            if let start = stage.startInstant, instant < start - RaceCheck.beforeStart {
                fail(place.path + ["time"], "\(place.name): the time is before the start")
            }
            reach(line.km, of: stage, place.path + ["km"], place.name)
        }
    }

    private mutating func checkWay(_ stage: Stage, _ path: [String], _ name: String) {
        for (climb, place) in items(stage.climbs ?? [], "climbs", path, name) {
            reach(climb.km, of: stage, place.path + ["km"], place.name)
            check(
                [
                    ("length_km", climb.length, RaceLimits.isLength),
                    ("gradient", climb.gradient, RaceLimits.isGradient),
                    ("elevation_m", climb.elevation, RaceLimits.isElevation),
                ], place.path, place.name)
        }
        for (sprint, place) in items(stage.sprints ?? [], "sprints", path, name) {
            reach(sprint.km, of: stage, place.path + ["km"], place.name)
        }
        check([("neutral_km", stage.neutral, RaceLimits.isNeutral)], path, name)
    }

    // MARK: Values

    /// The place of an item in a list. Its path and name are made when there is something to report.
    struct ItemPlace {
        fileprivate var list: [String]
        fileprivate var words: String
        fileprivate var index: Int

        var path: [String] { list + ["\(index)"] }
        var name: String { "\(words), item \(index + 1)" }
    }

    /// Returns the items of a list with their places.
    func items<List: Sequence>(_ list: List, _ key: String, _ path: [String] = [], _ name: String? = nil)
        -> some Sequence<(List.Element, ItemPlace)>
    {
        let first = ItemPlace(list: path + [key], words: (name.map { "\($0), " } ?? "") + key, index: 0)
        return list.lazy.enumerated().map { index, item in
            var place = first
            place.index = index
            return (item, place)
        }
    }

    /// Reports numbers that are out of range.
    mutating func check(
        _ numbers: [(key: String, number: Double?, isSound: (Double) -> Bool)], _ path: @autoclosure () -> [String],
        _ name: @autoclosure () -> String
    ) {
        for (key, number, isSound) in numbers {
            if let number, !isSound(number) { fail(path() + [key], "\(name()): \(key) is \(number)") }
        }
    }

    mutating func check(place: [Double]?, _ path: [String], _ name: String) {
        guard let place, !RaceLimits.isPlace(place) else { return }
        fail(path, "\(name): \(short("\(place.prefix(4))")) is not a latitude and a longitude")
    }

    /// Reports a position that is not on the stage.
    mutating func reach(
        _ km: Double?, of stage: Stage, _ path: @autoclosure () -> [String], _ name: @autoclosure () -> String
    ) {
        guard let km, !RaceLimits.isOnStage(km, distance: stage.distance) else { return }
        fail(path(), "\(name()): km \(km) is not on the stage")
    }

    mutating func know(_ rider: String, _ path: [String], _ name: String) {
        if rider.utf8.count > RaceCheck.longestText {
            fail(path, "\(name), rider: longer than \(RaceCheck.longestText) bytes")
        } else if !riders.isEmpty, !riders.contains(rider) {
            fail(path, "\(name): unknown rider '\(short(rider))'")
        }
    }

    // MARK: Sizes

    private mutating func checkTexts(_ stage: Stage, _ index: Int) {
        let (path, name) = (["stages", "\(index)"], "stage \(stage.number)")
        lengths(
            [
                ("label", stage.label), ("date", stage.date), ("start", stage.start), ("finish", stage.finish),
                ("type", stage.type), ("winner", stage.winner), ("leader_after", stage.leaderAfter),
                ("start_time", stage.startTime), ("finish_time", stage.finishTime),
                ("neutral_start_time", stage.neutralStartTime), ("status", stage.status), ("weather", stage.weather),
            ], path, name)
        lengths(
            [
                ("image_url", stage.imageURL), ("article_url", stage.articleURL),
                ("broadcast_url", stage.broadcastURL), ("live_url", stage.liveURL), ("track_url", stage.trackURL),
            ], path, name, maximum: RaceCheck.longestAddress)
        for (key, size, maximum) in [
            ("climbs", stage.climbs?.count, RaceCheck.maximumNames),
            ("sprints", stage.sprints?.count, RaceCheck.maximumNames),
            ("ticker", stage.ticker?.count, RaceCheck.maximumLines),
            ("way", stage.way?.count, RaceCheck.maximumNames), ("splits", stage.splits?.count, RaceCheck.maximumSplits),
        ] where size ?? 0 > maximum { fail(path + [key], "\(name), \(key): more than \(maximum)") }
        for list in Classification.allCases where stage[keyPath: list.path]?.count ?? 0 > RaceCheck.maximumPlacings {
            fail(path + [list.name], "\(name), \(list.name): more than \(RaceCheck.maximumPlacings)")
        }
        for (split, place) in items((stage.splits ?? []).prefix(RaceCheck.maximumSplits), "splits", path, name)
        where split.placings?.count ?? 0 > RaceCheck.maximumPlacings {
            fail(place.path, "\(place.name): more than \(RaceCheck.maximumPlacings)")
        }
        for (line, place) in items((stage.ticker ?? []).prefix(RaceCheck.maximumLines), "ticker", path, name) {
            lengths(
                [("text", line.text), ("time", line.time), ("kind", line.kind)], place.path, place.name,
                maximum: RaceCheck.longestLine)
        }
        for (climb, place) in items((stage.climbs ?? []).prefix(RaceCheck.maximumNames), "climbs", path, name) {
            lengths(
                [("name", climb.name), ("category", climb.category), ("winner", climb.winner)], place.path, place.name)
        }
        for (sprint, place) in items((stage.sprints ?? []).prefix(RaceCheck.maximumNames), "sprints", path, name) {
            lengths([("name", sprint.name), ("winner", sprint.winner)], place.path, place.name)
        }
    }

    /// Reports texts that are too long.
    mutating func lengths(
        _ texts: [(key: String, text: String?)], _ path: @autoclosure () -> [String],
        _ name: @autoclosure () -> String? = nil, maximum: Int = longestText
    ) {
        for (key, text) in texts where text?.utf8.count ?? 0 > maximum {
            fail(path() + [key], (name().map { "\($0), " } ?? "") + "\(key): longer than \(maximum) bytes")
        }
    }

    mutating func count(_ size: Int?, _ name: String, _ maximum: Int) {
        if size ?? 0 > maximum { fail([name], "\(name): more than \(maximum)") }
    }

    func short(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }
}
