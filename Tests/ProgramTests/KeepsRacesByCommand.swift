import CommonTesting
import Foundation
import LoopbackServer
import RaceModel
import Testing

/// The commands for races: output and failures.
@Suite struct KeepsRacesByCommand: ProgramSuite {
    let temporary = TemporaryFolder()
    var options: [String] { ["--database", temporary.path("l.sqlite")] }

    private static let race = """
        {"race": "Volta", "year": 2026, "kind": "national", "country": "PT", "stages": [
         {"number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon", "distance_km": 150, "type": "flat", "winner": "Ana"},
         {"number": 2, "date": "2026-11-21", "start": "Lisbon", "finish": "Lisbon", "distance_km": 12.5},
         {"number": 3, "start": "Lisbon", "finish": "Faro"}]}
        """

    @Test func printsStagesAndRaces() throws {
        let file = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        let table = try temporary.write(KeepsRacesByCommand.calendar("20250701"), to: "tour.ics")
        #expect(tappa("race", "import", file, table).output == "added volta-2026: 3 stages\nadded tour-2025: 1 stage\n")
        let stages = [
            "1\t2026-11-20\tPorto → Lisbon\t150 km\tflat\tAna", "2\t2026-11-21\tLisbon\t12.5 km\t\t",
            "3\t\tLisbon → Faro\t\t\t",
        ]
        // Without a name, the newest race of the user.
        for words in [["stages"], ["stages", "--race", "volta-2026"]] {
            #expect(tappa(words).output.split(separator: "\n").map(String.init) == stages, "\(words)")
        }
        #expect(tappa("stages", "--race", "tour-2025").output == "1\t2025-07-01\tA → B\t\t\t\n")
        let json = try rows(tappa("stages", "--json").output)
        #expect(json.map { $0["number"] as? Int } == [1, 2, 3] && json.first?["distance_km"] as? Double == 150)
        let none = tappa("stages", "--race", "none")
        #expect(none.code == 66 && none.errors.contains("no such race: 'none'") && none.output.isEmpty)
        let list = tappa("race", "list").output.split(separator: "\n").map(String.init)
        #expect(list.prefix(2) == ["volta-2026\tVolta 2026\t3 stages", "tour-2025\ttour 2025\t1 stage"], "\(list)")
        #expect(tappa("race", "remove", "volta-2026").output == "removed volta-2026\n")
        let again = tappa("race", "remove", "volta-2026")
        #expect(again.code == 66 && again.errors.contains("no such race: 'volta-2026'"))
        #expect(!tappa("race", "list").output.contains("volta-2026"))
    }

    /// Files that contain no race fail with their own status, and the others are imported.
    @Test func importsWhatItCan() throws {
        let good = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        let bad = try temporary.write(#"{"race": "X", "year": 2026}"#, to: "bad.json")
        let some = tappa("race", "import", bad, good)
        #expect(
            some.code == 65 && some.output == "added volta-2026: 3 stages\n"
                && some.errors.contains("\(bad): line 1: stages is missing"))
        let none = tappa("race", "import", temporary.path("none.json"), good)
        #expect(none.code == 66 && none.output == "added volta-2026: 3 stages\n", "\(none)")
        let named = try temporary.write(KeepsRacesByCommand.calendar("20250701"), to: "t.ics")
        #expect(tappa("race", "import", "--name", "Tour de X", named).output == "added tour-de-x-2025: 1 stage\n")
        let server = try LoopbackServer {
            $0.path == "/giro.ics" ? .init(KeepsRacesByCommand.calendar("20260501")) : .init(404)
        }
        #expect(tappa("race", "import", server.url("/giro.ics")).output == "added giro-2026: 1 stage\n")
        #expect(
            tappa("race", "import", "--name", "Il Giro", server.url("/giro.ics")).output
                == "added il-giro-2026: 1 stage\n")
        // An imported race isn't followed.
        #expect(!tappa("race", "list").output.contains(server.url("")))
        let gone = tappa("race", "import", server.url("/none"))
        #expect(gone.code != 0 && gone.errors.contains("not found (404)"))
    }

    @Test func checksEachFile() throws {
        let good = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        let bad = try temporary.write(
            #"{"race": "X", "year": 0, "stages": [{"number": 1, "start": "A", "finish": ""}]}"#, to: "bad.json")
        let fine = Program.tappa("race", "check", good, home: home)
        #expect(fine.code == 0 && fine.output == "\(good): Volta 2026, 3 stages\n")
        let wrong = Program.tappa("race", "check", bad, good, temporary.path("none.json"), home: home)
        #expect(wrong.code == 65 && wrong.output == "\(good): Volta 2026, 3 stages\n")
        let lines = wrong.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0] == "tappa: \(bad): line 1: year: 0 is not a year", "\(lines)")
        #expect(
            lines.dropFirst().first == "tappa: \(bad): line 1: stage 1: start or finish is missing"
                && lines.last?.contains("none.json") == true)
    }

    @Test func exportsARaceUnchanged() throws {
        let file = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        _ = tappa("race", "import", file)
        let json = tappa("race", "export", "volta-2026")
        #expect(
            try RaceFile.read(Data(json.output.utf8)) == RaceFile.read(Data(KeepsRacesByCommand.race.utf8))
                && json.errors.isEmpty)
        let calendar = tappa("race", "export", "--format", "ics", "volta-2026").output
        #expect(
            calendar.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.components(separatedBy: "BEGIN:VEVENT").count == 3)
        #expect(tappa("race", "export", "none").code == 66)
        // Hidden results are reported as left out.
        #expect(tappa("race", "hide", "volta-2026").code == 0)
        let hidden = tappa("race", "export", "volta-2026")
        #expect(
            !hidden.output.contains("Ana") && hidden.errors == "tappa: hidden results are omitted: 'tappa race show'\n"
        )
        #expect(tappa("race", "show", "--stage", "3", "volta-2026").code == 0)
        #expect(tappa("race", "export", "volta-2026").errors == hidden.errors)
    }

    @Test func hidesAndShowsResults() throws {
        let file = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        let table = try temporary.write(
            """
            {"race": "tour", "year": 2025, "stages": [
             {"number": 1, "start": "A", "finish": "B", "date": "2025-07-01", "winner": "Bea"}]}
            """, to: "tour.json")
        _ = tappa("race", "import", file, table)
        func shown() -> [Bool] {
            [
                tappa("stages", "--race", "volta-2026").output.contains("Ana"),
                tappa("stages", "--race", "tour-2025").output.contains("Bea"),
            ]
        }
        #expect(shown() == [true, true])
        #expect(tappa("race", "hide", "volta-2026").code == 0 && shown() == [false, true])
        let list = tappa("race", "list").output.split(separator: "\n")
        #expect(
            list.first { $0.hasPrefix("volta") }?.hasSuffix("\tresults hidden") == true
                && list.first { $0.hasPrefix("tour") }?.contains("hidden") == false)
        #expect(tappa("race", "show", "--stage", "1", "volta-2026").code == 0 && shown() == [true, true])
        #expect(tappa("race", "hide").code == 0 && shown() == [true, false])
        let all = tappa("race", "list").output.split(separator: "\n")
        #expect(all.allSatisfy { $0.hasSuffix("\tresults hidden") }, "\(all)")
        #expect(tappa("race", "show").code == 0 && shown() == [true, true])
        #expect(tappa("race", "hide", "tour-2025").code == 0 && shown() == [true, false])
        #expect(tappa("race", "show", "tour-2025").code == 0 && shown() == [true, true])
        for (words, sentence) in [
            (["race", "hide", "none"], "no such race: 'none'"),
            (["race", "show", "none"], "no such race: 'none'"),
            (["race", "show", "--stage", "9", "volta-2026"], "no stage 9 in 'volta-2026'"),
        ] {
            let answer = tappa(words)
            #expect(answer.code == 66 && answer.errors.contains(sentence), "\(answer)")
        }
        let whose = tappa("race", "show", "--stage", "1")
        #expect(whose.code == 64 && whose.errors.contains("--stage needs the id of a race."))
    }

    @Test func addsTracks() throws {
        let file = try temporary.write(KeepsRacesByCommand.race, to: "volta.json")
        _ = tappa("race", "import", file)
        let points = (0...20).map {
            "<trkpt lat=\"\(41 + Double($0) * 0.01)\" lon=\"-8\"><ele>\($0 * 50)</ele></trkpt>"
        }.joined()
        let gpx = try temporary.write("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>", to: "1.gpx")
        #expect(tappa("race", "track", "volta-2026", "1", gpx).output == "22 km, 1000 m of climbing, 1 climb\n")
        let wrong = tappa("race", "track", "volta-2026", "9", gpx)
        #expect(wrong.code == 66 && wrong.errors.contains("no stage 9 in 'volta-2026'") && wrong.output.isEmpty)
        let bad = tappa("race", "track", "volta-2026", "1", file)
        #expect(bad.code == 65 && bad.errors.contains("\(file): this is not GPX"))
    }

    /// Returns a calendar with a stage.
    private static func calendar(_ day: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:\(day)\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR\n"
    }

    @Test func followsRaces() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/v.ics": .init(KeepsRacesByCommand.calendar("20260501"))
            case "/bad": .init("{")
            default: .init(404)
            }
        }
        let follow = tappa("race", "follow", "--name", "Volta", server.url("/none"), server.url("/v.ics"))
        #expect(follow.output == "following volta-2026: 1 stage\n", "\(follow)")
        #expect(follow.code == 69 && follow.errors.contains("\(server.url("/none")): not found (404)"))
        let bad = tappa("race", "follow", server.url("/bad"))
        #expect(bad.code == 65 && bad.errors.contains("line 1: invalid JSON"))
        let file = tappa("race", "follow", "volta.json")
        #expect(file.code == 64 && file.errors.contains("'tappa race import' reads files"))
        #expect(tappa("race", "unfollow", "volta-2026").output == "unfollowed volta-2026\n")
        let again = tappa("race", "unfollow", "volta-2026")
        #expect(again.code == 66 && again.errors.contains("you don't follow 'volta-2026'"))
        #expect(tappa("race", "list").output.contains("volta-2026\tVolta 2026\t1 stage\n"))
    }

    /// The calendar and past winners come from Wikidata when they are asked for, and a race in it has a name.
    @Test func asksWikidata() throws {
        let server = try LoopbackServer { InventedWikidata.answer(toPath: $0.path).map { .init($0) } ?? .init(404) }
        try temporary.write(#"{"wikidata_service": "\#(server.url("/sparql"))"}"#, to: ".config/tappa/sources.json")
        #expect(!tappa("race", "season").output.contains("Invenção") && server.requests.isEmpty)
        let unknown = tappa("race", "history", "invencao")
        #expect(unknown.code == 66 && unknown.errors.contains("'tappa race season --update' requests it"))
        let season = tappa("race", "season", "--update", "2026")
        #expect(season.code == 0 && season.errors.contains("3 races of 2026; data: Wikidata (CC0)"), "\(season)")
        let lines = season.output.split(separator: "\n")
        #expect(
            lines.contains("2026-07-04 – 2026-07-08\tVolta a Invenção 2026\t2.UWT, Portugal\twikidata:Q501"),
            "\(season)")
        #expect(tappa("race", "season", "women").output.contains("Tour of Sagres Ladies 2026"))
        let history = tappa("race", "history", "volta", "a", "invenção")
        #expect(
            history.output
                == "2026\tAna Rio\tEquipa Norte\n2025\tCira Lago\t\n1931\tDora Serra\t\n", "\(history)")
        #expect(tappa("race", "history", "volta", "a", "invenção").errors.isEmpty && server.requests.count == 2)
        let follow = tappa("race", "follow", "invencao", "2026")
        #expect(follow.output == "following volta-a-invencao-2026: 3 stages\n", "\(follow)")
        #expect(follow.errors.contains("data: Wikidata (CC0), entered by volunteers"))
        #expect(tappa("race", "list").output.contains("wikidata:Q501\t3 requests in the last day, at most 12"))
        #expect(
            tappa("stages", "--race", "volta-a-invenção-2026").output.contains(
                "Porto → Lisbon\t150.5 km\tflat\tAna Rio"))
        #expect(tappa("race", "hide").code == 0)
        let hidden = tappa("race", "history", "volta-a-invenção-2026")
        #expect(!hidden.output.contains("Ana Rio") && hidden.errors.contains("hidden results are omitted"), "\(hidden)")
    }

    /// Each command reads the races of the folder and reports invalid files.
    @Test func readsTheFolderOfRaces() throws {
        let races = temporary.url.appendingPathComponent(".config/tappa/races")
        try races.write(KeepsRacesByCommand.race, to: "volta.json")
        try races.write("{", to: "bad.json")
        let list = tappa("race", "list")
        #expect(list.code == 0 && list.output.contains("volta-2026"))
        #expect(list.errors.contains("races/bad.json: line 1: invalid JSON"), "\(list.errors)")
    }
}
