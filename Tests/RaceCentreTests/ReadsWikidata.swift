import CommonTesting
import Foundation
import RaceModel
import Testing

@testable import RaceCentre

/// Answers of Wikidata: calendars, past winners and editions.
@Suite struct ReadsWikidata {
    private func body(_ rows: [[String: String]]) -> [UInt8] { Array(InventedWikidata.answer(rows).utf8) }

    private func season(_ rows: [[String: String]]) throws -> [CalendarRace] {
        try CalendarRace.read(body(rows), season: 2026)
    }

    private func item(_ text: String) throws -> WikidataItem { try #require(WikidataItem(text)) }

    @Test func parsesItems() throws {
        for (text, id) in [
            ("Q33881", "Q33881"), ("http://www.wikidata.org/entity/Q5", "Q5"), ("wikidata:Q7", "Q7"), ("Q007", "Q7"),
        ] {
            #expect(WikidataItem(text)?.description == id, "\(text)")
        }
        for text in ["", "Q", "Q0", "P31", "q1", "Q1x", "Q1 }", "Q12345678901234", "Q-1", "Q١", "x/Q1/", "_:t1"] {
            #expect(WikidataItem(text) == nil, "\(text)")
        }
        #expect(try item("Q5").address == "wikidata:Q5" && item("Q5").page == "https://www.wikidata.org/wiki/Q5")
    }

    @Test func readsTheCalendarOfASeason() throws {
        let races = try CalendarRace.read(Array(InventedWikidata.season.utf8), season: 2026)
        #expect(races.map(\.name) == ["Volta a Invenção", "Tour of Sagres Ladies", "Tour de l'Élan"])
        #expect(races.map(\.kind) == ["2.UWT", "women, 2.WWT", nil])
        #expect(races.map(\.country) == ["Portugal", "Portugal", nil])
        #expect(races.map { $0.series?.description } == ["Q9001", "Q9002", "Q9003"])
        #expect(
            races[0].edition == 12 && races[0].firstDay.text == "2026-07-04" && races[0].lastDay.text == "2026-07-08")
    }

    @Test func leavesOutWhatIsNoStageRace() throws {
        let race = InventedWikidata.race
        let rows = [
            race("Q1", "2026 One-day race", "2026-05-01", "2026-05-01", nil, nil, nil, nil),
            race("Q2", "2026 Team season", "2026-01-01", "2026-12-31", nil, nil, nil, nil),
            race("Q3", "2025 Tour", "2025-07-01", "2025-07-05", nil, nil, nil, nil),
            race(
                "Q4", "2026 Worlds", "2026-09-01", "2026-09-08", ("Q8", "UCI Road World Championships"), nil, nil, nil),
            race("Q5", "2026 Two days", "2026-09-01", "2026-09-02", ("Q8", "1.1"), nil, nil, nil),
            race("Q6", "Q6", "2026-09-01", "2026-09-04", nil, nil, nil, nil),
            race("Q7", "2026", "2026-09-01", "2026-09-04", nil, nil, nil, nil),
            race("Q8", "2026 Backwards", "2026-09-04", "2026-09-01", nil, nil, nil, nil),
            race("Q9", nil, "2026-09-01", "2026-09-04", ("Q10", "Tour of X"), nil, nil, nil),
        ]
        #expect(try season(rows).map(\.name) == ["Tour of X"])
    }

    @Test func knowsWomensRacesByDivisionClassOrName() throws {
        let race = InventedWikidata.race
        let races = try season([
            race("Q1", "2026 A", "2026-01-01", "2026-01-03", ("Q22231112", "2.1"), nil, nil, "Q1451845"),
            race("Q2", "2026 B", "2026-01-01", "2026-01-03", ("Q23005603", "2.WWT"), nil, nil, nil),
            race("Q3", "Tour de C féminin 2026", "2026-01-01", "2026-01-03", nil, nil, nil, nil),
            race("Q4", "2026 D", "2026-01-01", "2026-01-03", ("Q22231112", "2.1"), nil, nil, "Q2"),
        ])
        #expect(races.map(\.kind) == ["women, 2.1", "women, 2.WWT", "2.1", "women"])
    }

    @Test func prefersTheRaceWithTheSimilarName() throws {
        let rows = ["Q8": "cycling race", "Q9": "Tour de Pologne", "Q22231107": "2.UWT"].map { item, label in
            InventedWikidata.race("Q1", "2026 Tour de Pologne", "2026-08-01", "2026-08-07", kind: (item, label))
        }
        #expect(try season(rows)[0].series?.description == "Q9")
        let foreign = [
            InventedWikidata.race("Q1", "2026 Alpha", "2026-08-01", "2026-08-07", kind: ("Q8", "sport event"))
        ]
        #expect(try season(foreign)[0].series == nil)
    }

    @Test func readsPastWinners() throws {
        let winners = try PastWinner.read(Array(InventedWikidata.winners.utf8))
        #expect(winners.map(\.year) == [2026, 2025, 1931])
        #expect(winners.map(\.name) == ["Ana Rio", "Cira Lago", "Dora Serra"])
        // The team comes from the general classification, without its year.
        #expect(winners.map(\.team) == ["Equipa Norte", nil, nil])
    }

    /// Statements about other classifications name no winner of the race.
    @Test func prefersTheWinnerOfTheGeneralClassification() throws {
        func winner(_ rows: [[String: String]]) throws -> String? {
            try PastWinner.read(body(rows.map { $0.merging(["item": "Q1", "first": "2020-07-01"]) { own, _ in own } }))
                .first?.name
        }
        let points = ["list": "winner", "who": "Q2", "whoLabel": "Points", "result": "Q20883007"]
        let general = ["list": "winner", "who": "Q3", "whoLabel": "General", "result": "Q20882667"]
        let list = ["list": "general", "who": "Q4", "whoLabel": "List", "rank": "1"]
        let bare = ["list": "winner", "who": "Q5", "whoLabel": "Bare"]
        #expect(try winner([points]) == nil)
        #expect(try winner([points, bare]) == "Bare")
        #expect(try winner([bare, list, points]) == "List")
        #expect(try winner([list, bare, points, general]) == "General")
        #expect(try winner([["list": "general", "who": "Q4", "whoLabel": "Second", "rank": "2"]]) == nil)
        #expect(try winner([["list": "winner", "who": "Q5", "whoLabel": "Q5"]]) == nil)
        // Without a year there is no edition.
        #expect(try PastWinner.read(body([bare.merging(["item": "Q1"]) { $1 }])).isEmpty)
    }

    // MARK: Editions

    private func edition(_ text: String, _ id: String = "Q501") throws -> WikidataEdition? {
        try WikidataEdition.read(Array(text.utf8), item: item(id))
    }

    private func file(_ edition: WikidataEdition?) throws -> [String: Any] {
        let bytes = try RaceFile.write(try #require(edition).race())
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test func writesAnEditionAsARaceFile() throws {
        let race = try file(edition(InventedWikidata.edition))
        #expect(race["race"] as? String == "Volta a Invenção" && race["year"] as? Int == 2026)
        #expect(race["edition"] as? Int == 12 && race["kind"] as? String == "2.UWT" && race["schema"] as? Int == 3)
        #expect(race["overall"] as? [String] == ["Ana Rio", "Bea Mar"])
        #expect((race["source"] as? [String: String])?["name"] == "Wikidata (CC0, days late)")
        #expect((race["source"] as? [String: String])?["url"] == "https://www.wikidata.org/wiki/Q501")
        let stages = try #require(race["stages"] as? [[String: Any]])
        #expect(stages.map { $0["number"] as? Int } == [1, 2, 3])
        #expect(stages.map { $0["date"] as? String } == ["2026-07-04", "2026-07-05", "2026-07-06"])
        #expect(stages.map { $0["start"] as? String } == ["Porto", "Lisbon", "Faro"])
        #expect(stages.map { $0["type"] as? String } == ["flat", "mountain", "individual time trial"])
        // A length in metres.
        #expect(stages.map { $0["distance_km"] as? Double } == [150.5, 120, 12.5])
        let results = try #require(stages[0]["results"] as? [[String: Any]])
        #expect(results.map { $0["rider"] as? String } == ["Q701", "Q702"] && results[0]["time"] as? Int == 13_500)
        #expect(stages[1]["winner"] as? String == "Bea Mar" && stages[1]["leader_after"] as? String == "Ana Rio")
        // The final standings belong to the last stage.
        #expect((stages[2]["general"] as? [[String: Any]])?.map { $0["gap"] as? Int } == [nil, 31])
        #expect((stages[2]["teams"] as? [[String: Any]])?.map { $0["team"] as? String } == ["Equipa Norte"])
        let riders = try #require(race["riders"] as? [[String: Any]])
        #expect(riders.map { $0["name"] as? String } == ["Ana Rio", "Bea Mar"])
        #expect(riders[0]["team"] as? String == "Equipa Norte")
    }

    private static func race(_ first: String = "2026-07-04", _ last: String = "2026-07-08") -> [String: String] {
        ["item": "Q1", "itemLabel": "2026 Tour", "type": "Q9", "typeLabel": "Tour", "first": first, "last": last]
    }

    private static func stage(_ item: String, _ number: String?, _ day: String?) -> [String: String] {
        var row = ["item": item, "type": "Q18131152", "typeLabel": "stage"]
        row["number"] = number
        row["day"] = day
        return row
    }

    /// Returns the numbers and days of an edition's stages.
    private func stages(_ rows: [[String: String]]) throws -> [String]? {
        try edition(InventedWikidata.answer(rows), "Q1")?.stages.map {
            "\($0.number ?? -1) \($0.day?.text.suffix(2) ?? "?")"
        }
    }

    /// As long as most stages are unknown, the days take their place.
    @Test func fillsDaysWithoutAStage() throws {
        let (race, stage) = (ReadsWikidata.race(), ReadsWikidata.stage)
        #expect(try stages([race]) == ["1 04", "2 05", "3 06", "4 07", "5 08"])
        #expect(try stages([race, stage("Q2", "1", "2026-07-05")]) == ["1 04", "2 05", "3 06", "4 07", "5 08"])
        let three = ["05", "06", "08"].enumerated().map { stage("Q\($0 + 2)", "\($0 + 1)", "2026-07-\($1)") }
        #expect(try stages([race] + three) == ["1 05", "2 06", "3 08"])
        let file = try file(edition(InventedWikidata.answer([race]), "Q1"))
        #expect((file["stages"] as? [[String: Any]])?[0]["start"] as? String == "route unknown")
        // Neither days nor stages.
        #expect(try stages([["item": "Q1", "itemLabel": "2026 Tour"]]) == nil)
        #expect(try stages([["item": "Q2", "itemLabel": "Other"]]) == nil && stages([]) == nil)
        // A hostile end makes no thousand days.
        #expect(try stages([ReadsWikidata.race("2026-01-01", "2199-01-01")]) == nil)
    }

    @Test func numbersStagesOnce() throws {
        let (race, stage) = (ReadsWikidata.race("2026-07-04", "2026-07-06"), ReadsWikidata.stage)
        let prologue = ["item": "Q2", "type": "Q485321", "typeLabel": "prologue", "day": "2026-07-04"]
        #expect(try stages([race, stage("Q3", "1", "2026-07-05"), prologue]) == ["0 04", "1 05"])
        // Half stages and missing numbers are numbered by day.
        let halves = [
            stage("Q3", "1a", "2026-07-04"), stage("Q4", "1b", "2026-07-04"), stage("Q5", nil, "2026-07-05"),
        ]
        #expect(try stages([race] + halves) == ["1 04", "2 04", "3 05"])
        // What is part of the edition without being a stage is left out, and so is a stage of another year.
        let others = [
            ["item": "Q6", "type": "Q99", "typeLabel": "points classification"], stage("Q7", "9", "2025-07-04"),
        ]
        #expect(
            try stages([race, stage("Q3", "1", "2026-07-05"), stage("Q4", "2", "2026-07-06")] + others) == [
                "1 05", "2 06",
            ])
    }

    /// Lists have each rider once, one leader, and growing gaps, so that the race file is accepted.
    @Test func mendsLists() throws {
        func row(_ who: String, _ rank: String, _ gap: String? = nil, list: String = "general") -> [String: String] {
            var row = ["item": "Q1", "list": list, "who": who, "whoLabel": "Rider \(who)", "rank": rank]
            row["gap"] = gap
            return row
        }
        let rows = [
            row("Q5", "3", "20"), row("Q4", "2", "30"), row("Q3", "1"), row("Q3", "1"), row("Q6", "1"),
            row("Q7", "x"), row("Q8", "0"), row("Q9", "4", "-5"),
        ]
        let edition = try edition(InventedWikidata.answer([ReadsWikidata.race()] + rows), "Q1")
        let list = try #require(edition?.finals[.general])
        #expect(list.map { $0.who?.description } == ["Q3", "Q4", "Q5", "Q9"])
        #expect(list.map(\.gap) == [nil, 30, nil, nil] && list.map(\.place) == [1, 2, 3, 4])
    }

    @Test func takesFinalPlacesFromWinners() throws {
        func row(_ who: String, _ result: String?) -> [String: String] {
            var row = ["item": "Q1", "list": "winner", "who": who, "whoLabel": "Rider \(who)"]
            row["result"] = result
            return row
        }
        func general(_ rows: [[String: String]]) throws -> [String]? {
            try edition(InventedWikidata.answer([ReadsWikidata.race()] + rows), "Q1")?.finals[.general]?.map(\.name)
        }
        #expect(try general([row("Q2", "Q20882667"), row("Q3", "Q20882668")]) == ["Rider Q2", "Rider Q3"])
        #expect(try general([row("Q2", nil)]) == ["Rider Q2"])
        #expect(try general([row("Q3", "Q20882668")]) == nil && general([row("Q3", "Q20883007")]) == nil)
        let points = try edition(InventedWikidata.answer([ReadsWikidata.race(), row("Q3", "Q20883007")]), "Q1")
        #expect(points?.finals[.points]?.map(\.name) == ["Rider Q3"])
    }
}
