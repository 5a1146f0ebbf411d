import RaceModel

/// The rider who was first at a summit or sprint.
struct FirstRider {
    /// The number of the checkpoint in the ``RoadBook``, if the list has it.
    var checkpoint: Int?
    /// The position in kilometres from the start of the stage.
    var km: Double
    var name: String

    /// The distance in kilometres within which a list and a place of the road book belong together.
    private static let nearby = 0.3

    /// Returns the name of the first at a position, or `nil` if it is unknown.
    static func name(at km: Double, in firsts: [FirstRider]) -> String? {
        let nearest = firsts.min { abs($0.km - km) < abs($1.km - km) }
        return nearest.flatMap { abs($0.km - km) <= nearby ? $0.name : nil }
    }

    /// Returns the name of the first at a checkpoint. A stage that was altered on its day has other kilometres than its
    /// road book, but the same checkpoints.
    static func name(at checkpoint: Int, _ km: Double, in firsts: [FirstRider]) -> String? {
        firsts.first { $0.checkpoint == checkpoint }?.name ?? name(at: km, in: firsts.filter { $0.checkpoint == nil })
    }
}

/// The road of a stage: its climbs, sprints, places and weather.
extension EditionAssembler {
    mutating func firsts(in lists: [RankingList]?) -> [FirstRider] {
        (lists ?? []).compactMap { list in
            guard let km = list.km, let row = list.rows.first, row.position == 1,
                let key = roster.key(bib: row.bib, id: row.rider)
            else { return nil }
            return FirstRider(checkpoint: list.checkpoint, km: km, name: roster.name(ofKey: key))
        }
    }

    /// Adds climbs, sprints and places from the road book, or else from the previous version. Who was first at them comes
    /// from the lists, or else from the previous version.
    func setRoad(_ stage: inout Stage, _ before: Stage?, summits: [FirstRider], sprints: [FirstRider]) {
        let weather = parts.insights[stage.number]?.value?.weather.text
        if let book = parts.roadBooks[stage.number]?.value {
            setRoad(&stage, from: book, summits: summits, sprints: sprints)
            stage.weather = weather ?? book.finish?.weather?.text
        } else {
            (stage.climbs, stage.sprints) = (before?.climbs, before?.sprints)
            (stage.startPlace, stage.finishPlace) = (before?.startPlace, before?.finishPlace)
            (stage.way, stage.weather) = (before?.way, weather ?? before?.weather)
            stage.neutralStartTime = before?.neutralStartTime
            for index in (stage.climbs ?? []).indices {
                guard let km = stage.climbs?[index].km, let name = FirstRider.name(at: km, in: summits) else {
                    continue
                }
                stage.climbs?[index].winner = name
            }
            for index in (stage.sprints ?? []).indices {
                guard let km = stage.sprints?[index].km, let name = FirstRider.name(at: km, in: sprints) else {
                    continue
                }
                stage.sprints?[index].winner = name
            }
        }
        // A stage may have become shorter.
        let distance = stage.distance
        stage.climbs?.removeAll { !RaceLimits.isOnStage($0.km, distance: distance) }
        stage.sprints?.removeAll { !RaceLimits.isOnStage($0.km, distance: distance) }
        for index in (stage.climbs ?? []).indices where stage.climbs?[index].winner == nil {
            let known = before?.climbs?.first { $0.km == stage.climbs?[index].km }
            stage.climbs?[index].winner = known?.winner
        }
        for index in (stage.sprints ?? []).indices where stage.sprints?[index].winner == nil {
            let known = before?.sprints?.first { $0.km == stage.sprints?[index].km }
            stage.sprints?[index].winner = known?.winner
        }
    }

    private func setRoad(_ stage: inout Stage, from book: RoadBook, summits: [FirstRider], sprints: [FirstRider]) {
        let known = schedule(of: stage.number)
        let length = known?.length
        if let time = book.neutralStart?.expected, let day = known?.day, let offset = known?.offset,
            let start = stage.startInstant
        {
            let instant = Instant(day * 86_400 - Int64(offset) + time)
            let isBefore = instant < start && start.seconds(since: instant) < RaceCheck.beforeStart
            stage.neutralStartTime = isBefore ? CentreTime.text(instant, offset: offset) : nil
        }
        func km(_ km: Double) -> Double? {
            let km = book.km(km, onStageOf: length)
            return km.isBetween(0, (length ?? 1999) + 1) ? km : nil
        }
        stage.climbs =
            book.climbs.compactMap { climb in
                km(climb.km).map { km in
                    Climb(
                        name: climb.name, km: km, category: climb.category, length: climb.length,
                        gradient: climb.gradient, elevation: climb.elevation,
                        winner: FirstRider.name(at: climb.checkpoint, climb.km, in: summits))
                }
            }.nonEmpty
        stage.sprints =
            book.sprints.compactMap { sprint in
                km(sprint.km).map { km in
                    Sprint(
                        name: sprint.name, km: km, bonus: sprint.hasBonus ? true : nil,
                        winner: FirstRider.name(at: sprint.checkpoint, sprint.km, in: sprints))
                }
            }.nonEmpty
        stage.startPlace = book.start?.coordinates?.degrees
        stage.finishPlace = book.finish?.coordinates?.degrees
        let line = book.line
        // Two places are only start and finish.
        if line.count > 2 { stage.way = line.prefix(1000).map(\.degrees) }
    }
}

extension RoadBook.Coordinates {
    var degrees: [Double] { [latitude, longitude] }
}
