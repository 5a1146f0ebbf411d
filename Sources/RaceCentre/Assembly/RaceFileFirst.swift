/// The rider who was first at a summit or sprint.
struct RaceFileFirst {
    /// The position in kilometres from the start of the stage.
    var km: Double
    var name: String

    /// The distance in kilometres within which a list and a place of the road book belong together.
    private static let nearby = 0.3

    /// Returns the name of the first at a position, or `nil` if it is unknown.
    static func name(at km: Double?, in firsts: [RaceFileFirst]) -> String? {
        guard let km else { return nil }
        let nearest = firsts.min { abs($0.km - km) < abs($1.km - km) }
        return nearest.flatMap { abs($0.km - km) <= nearby ? $0.name : nil }
    }
}

extension EditionAssembler {
    /// Returns the first riders of lists.
    mutating func firsts(in lists: [RankingList]?) -> [RaceFileFirst] {
        var firsts: [RaceFileFirst] = []
        for list in lists ?? [] {
            guard let km = list.km, let row = list.rows.first, row.position == 1,
                let key = roster.key(bib: row.bib, id: row.rider)
            else { continue }
            firsts.append(RaceFileFirst(km: km, name: roster.name(ofKey: key)))
        }
        return firsts
    }

    /// Returns who was first at a place: as the lists say, or else as the previous file does.
    func first(at km: Double, in firsts: [RaceFileFirst], _ key: StaticString, ofStage number: Int) -> String? {
        if let name = RaceFileFirst.name(at: km, in: firsts) { return name }
        return JSONItems.of(previous.value(key, ofStage: number)).first { $0["km"]?.number == km }?["winner"]?.text
    }

    /// Writes climbs or sprints of the previous file, with those who were first.
    func keepPlaces(_ key: StaticString, firsts: [RaceFileFirst], ofStage number: Int, _ writer: inout JSONWriter) {
        writer.array(key.description, JSONItems.of(previous.value(key, ofStage: number)).filter(\.isObject)) {
            writer, place in
            let first = RaceFileFirst.name(at: place["km"]?.number, in: firsts)
            writer.object { writer in
                place.forEachMember { name, value in
                    if first == nil || name.text != "winner" { writer.member(name.text, raw: value.raw) }
                }
                writer.member("winner", first)
            }
        }
    }
}
