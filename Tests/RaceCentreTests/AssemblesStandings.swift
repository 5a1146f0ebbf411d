import RaceModel
import Testing

@testable import RaceCentre

/// What a stage of a race file has beside its results: times on the way, lists of the stage alone, and its road.
@Suite struct AssemblesStandings: EditionReading {
    private func split(_ count: Int, status: String = "0", km: String = "6.25", checkpoint: Int = 3) -> String {
        Invented.ranking(
            "itt", Invented.times(count, from: 500_000), status: status, checkpoint: checkpoint, types: "\"C\"", km: km)
    }

    private let book = Invented.body(
        Invented.checkpoint(0, km: "0", types: ["R"]),
        Invented.checkpoint(3, km: "6.25", types: ["C"], place: "LUGAR DE CIMA"),
        Invented.checkpoint(9, km: "150.5", types: ["N", "A"]))

    @Test func writesTheTimesOnTheWay() throws {
        let finish = Invented.ranking("itt", Invented.times(3), checkpoint: 9)
        let race = try assemble(
            (.checkpoints(stage: 1), book), rankings(split(3), split(2, km: "80", checkpoint: 5), finish))
        let splits = Array(JSONItems.of(try stage(1, race)["splits"]))
        #expect(splits.map { $0["km"]?.number } == [6.25, 80] && splits.first?["name"]?.text == "Lugar De Cima")
        #expect(splits.last?["name"] == nil && places(splits.first?["placings"]) == ["1 1 500", "2 2 1", "3 3 2"])
        // Without a newer list the file keeps them.
        let kept = try assemble(keeping: race)
        #expect(JSONItems.of(try stage(1, kept)["splits"]).count == 2)
        #expect(try read(kept).stages[0].splits?.map(\.placings?.count) == [3, 2])
    }

    /// A provisional list has the first ten only.
    @Test func keepsTheTimesOfAllRiders() throws {
        let results = Invented.ranking("ite", Invented.times(12), status: "1")
        let whole = try assemble(rankings(split(12, status: "1"), results))
        func count(_ split: String) throws -> Int {
            let race = try assemble(rankings(split), keeping: whole)
            return JSONItems.of(JSONItems.of(try stage(1, race)["splits"]).first { _ in true }?["placings"]).count
        }
        #expect(try count(split(10, status: "1")) == 12 && count(split(11, status: "1")) == 11)
        #expect(try count(split(10, status: "0")) == 10)
    }

    @Test func writesTheListsOfTheStageAlone() throws {
        let race = try assemble(
            rankings(
                Invented.ranking("ipe", [Invented.row(1, 2, absolute: 20)], checkpoint: 4, types: "\"N\"", km: "60"),
                Invented.ranking("ipe", [Invented.row(1, 3, absolute: 30), Invented.row(2, 2, absolute: 25)]),
                Invented.ranking("ije", [Invented.row(1, 4, absolute: 13_201_000), Invented.row(1, 5)]),
                Invented.ranking("ete", [Invented.row(1, 2, absolute: 39_600_000)])))
        let stage = try stage(1, race)
        #expect(places(stage["stage_points"]) == ["1 2 45", "2 3 30"] && stage["stage_mountain"] == nil)
        #expect(places(stage["stage_youth"]) == ["1 4 13201", "1 5 0"])
        #expect(places(stage["stage_teams"]) == ["1 CASA AZUL 39600"])
        let written = try read(race).stages[0]
        #expect(written.stagePoints?.map(\.points) == [45, 30] && written.stageTeams?.count == 1)
    }

    /// Who was first at climbs and sprints comes from their lists, by their kilometres, and stays without newer ones.
    @Test func namesTheFirstAtClimbsAndSprints() throws {
        let book = Invented.body(
            Invented.checkpoint(0, km: "0", types: ["R"]),
            Invented.checkpoint(3, km: "50", more: Invented.climb(name: "Alta")),
            Invented.checkpoint(4, km: "70", types: ["N", "B"]),
            Invented.checkpoint(5, km: "90", more: Invented.climb(name: "Baixa")),
            Invented.checkpoint(9, km: "150.5", types: ["N", "A"]))
        func list(_ type: String, _ bibs: [Int], km: String, checkpoint: Int) -> String {
            let rows = bibs.enumerated().map { Invented.row($0 + 1, $1, absolute: 10 - $0) }
            return Invented.ranking(type, rows, checkpoint: checkpoint, types: "", km: km)
        }
        let lists = rankings(
            list("ime", [3, 4], km: "50.2", checkpoint: 3), list("ipe", [5], km: "70", checkpoint: 4),
            list("ibe", [6], km: "70", checkpoint: 4), list("ime", [7], km: "120", checkpoint: 8))
        func firsts(_ race: Race?) throws -> [String?] {
            let stage = try stage(1, race)
            return (Array(JSONItems.of(stage["climbs"])) + Array(JSONItems.of(stage["sprints"]))).map {
                $0["winner"]?.text
            }
        }
        let race = try assemble((.checkpoints(stage: 1), book), lists)
        #expect(try firsts(race) == ["Ana Rio 3", nil, "Ana Rio 5"])
        // A restart knows either the file alone, or the road book or the lists again.
        #expect(try firsts(assemble(keeping: race)) == ["Ana Rio 3", nil, "Ana Rio 5"])
        let again = try assemble((.checkpoints(stage: 1), book), keeping: race)
        #expect(try firsts(again) == ["Ana Rio 3", nil, "Ana Rio 5"])
        let newer = rankings(list("ime", [8], km: "50", checkpoint: 3), list("ime", [9], km: "90.2", checkpoint: 5))
        let later = try assemble(newer, keeping: race)
        #expect(try firsts(later) == ["Ana Rio 8", "Ana Rio 9", "Ana Rio 5"])
        #expect(try read(later).stages[0].climbs?.map(\.winner) == ["Ana Rio 8", "Ana Rio 9"])
    }

    @Test func writesTheRoadAndTheMeanSpeed() throws {
        let groups = Invented.groups(
            at: "14:55:00",
            [Invented.group(0, "Tête", more: ",\"latitude\":45.5,\"longitude\":5.5"), Invented.group(1, "Peloton")])
        let insights = Invented.insights(at: Invented.instant("14:56:00").seconds * 1000)
        let race = try assemble(
            (.checkpoints(stage: 1), book), (.groups(stage: 1), Invented.body(groups)),
            (.insights(stage: 1), Invented.body(insights)))
        let written = try read(race).stages[0]
        #expect(written.way == [[45, 5], [45.3, 5.3], [45.9, 5.9]])
        #expect(written.live?.meanSpeed == 48.3 && written.live?.groups?.map(\.place) == [[45.5, 5.5], nil])
    }
}
