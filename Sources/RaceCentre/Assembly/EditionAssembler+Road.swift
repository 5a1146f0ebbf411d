import RaceModel

/// The rider who was first at a summit or sprint.
struct FirstRider {
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
}

/// The road of a stage: its climbs, sprints, places and weather.
extension EditionAssembler {
    /// Returns the first riders of lists.
    mutating func firsts(in lists: [RankingList]?) -> [FirstRider] {
        var firsts: [FirstRider] = []
        for list in lists ?? [] {
            guard let km = list.km, let row = list.rows.first, row.position == 1,
                let key = roster.key(bib: row.bib, id: row.rider)
            else { continue }
            firsts.append(FirstRider(km: km, name: roster.name(ofKey: key)))
        }
        return firsts
    }

    /// Adds climbs, sprints and places from the road book, or else from the previous version. Who was first at them comes
    /// from the lists, or else from the previous version.
    func setRoad(_ stage: inout Stage, _ before: Stage?, summits: [FirstRider], sprints: [FirstRider]) {
        if let book = parts.roadBooks[stage.number]?.value {
            setRoad(&stage, from: book)
            stage.weather = parts.insights[stage.number]?.value?.weather.text ?? book.finish?.weather?.text
        } else {
            (stage.climbs, stage.sprints) = (before?.climbs, before?.sprints)
            (stage.startPlace, stage.finishPlace) = (before?.startPlace, before?.finishPlace)
            (stage.way, stage.weather) = (before?.way, before?.weather)
        }
        // A stage may have become shorter.
        let distance = stage.distance
        stage.climbs?.removeAll { !RaceLimits.isOnStage($0.km, distance: distance) }
        stage.sprints?.removeAll { !RaceLimits.isOnStage($0.km, distance: distance) }
        stage.climbs = stage.climbs?.map { climb in
            var climb = climb
            climb.winner =
                FirstRider.name(at: climb.km, in: summits) ?? climb.winner
                ?? before?.climbs?.first { $0.km == climb.km }?.winner
            return climb
        }
        stage.sprints = stage.sprints?.map { sprint in
            var sprint = sprint
            sprint.winner =
                FirstRider.name(at: sprint.km, in: sprints) ?? sprint.winner
                ?? before?.sprints?.first { $0.km == sprint.km }?.winner
            return sprint
        }
    }

    private func setRoad(_ stage: inout Stage, from book: RoadBook) {
        let length = parts.stages.value?.first { $0.number == stage.number }?.length
        func km(_ km: Double) -> Double? {
            let km = book.km(km, onStageOf: length)
            return km.isBetween(0, (length ?? 1999) + 1) ? km : nil
        }
        stage.climbs =
            book.climbs.compactMap { climb in
                km(climb.km).map { km in
                    Climb(
                        name: climb.name, km: km, category: climb.category, length: climb.length,
                        gradient: climb.gradient,
                        elevation: climb.elevation)
                }
            }.nonEmpty
        stage.sprints =
            book.sprints.compactMap { sprint in
                km(sprint.km).map { Sprint(name: sprint.name, km: $0, bonus: sprint.hasBonus ? true : nil) }
            }.nonEmpty
        stage.startPlace = book.start?.coordinates?.degrees
        stage.finishPlace = book.finish?.coordinates?.degrees
        let line = book.line
        // Two places are only start and finish.
        if line.count > 2 { stage.way = line.prefix(1000).map(\.degrees) }
    }
}

extension RoadBook.Coordinates {
    /// The latitude and longitude in degrees.
    var degrees: [Double] { [latitude, longitude] }
}
