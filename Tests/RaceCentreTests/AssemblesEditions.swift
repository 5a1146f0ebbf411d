import Testing

@testable import RaceCentre

@Suite struct AssemblesEditions: EditionReading {
    @Test func writesTheRaceItsRidersAndStages() throws {
        let race = try assemble()
        let root = try root(race)
        #expect(root["race"]?.text == "Volta a Invenção" && root["year"]?.whole == 2026 && root["edition"]?.whole == 27)
        #expect(root["schema"]?.whole == 3 && root["leader_jersey"]?.text == "yellow jersey")
        #expect(root["country"]?.text == "Portugal")
        #expect(
            root["source"]?["url"]?.text == "https://centre.example.org/" && root["source"]?["name"]?.text == "A.S.O.")
        let rider = try #require(JSONItems.of(root["riders"]).first)
        #expect(rider["id"]?.text == "1" && rider["number"]?.whole == 1 && rider["team"]?.text == "CASA AZUL")
        #expect(rider["name"]?.text == "Ana Rio 1")
        let first = try stage(1, race)
        #expect(first["start"]?.text == "Vila 1" && first["finish"]?.text == "Serra 1")
        #expect(first["distance_km"]?.number == 150.5)
        #expect(first["start_time"]?.text == "2026-07-04T13:00:00+02:00")
        #expect(first["finish_time"]?.text == "2026-07-04T17:00:00+02:00")
        #expect(first["type"]?.text == "flat" && first["article_url"]?.text == "https://www.example.org/en/stage-1")
        #expect(first["image_url"] == nil && first["live"] == nil && first["results"] == nil)
        #expect(try EditionAssembler.race(EditionParts(edition: Invented.edition)) == nil)
    }

    @Test func writesStandingsInSeconds() throws {
        let results = [
            Invented.row(1, 2, absolute: 13_201_000, bonus: 10_000), Invented.row(1, 3),
            Invented.row(3, 4, relative: 4999),
        ]
        let times = ",\"timeLimit\":900000,\"firstCompetitorTime\":\(Invented.instant("16:52:30"))"
        let general = [
            Invented.row(1, 3, absolute: 14_508_000), Invented.row(1, 2), Invented.row(3, 4, relative: 6000),
        ]
        let points = [Invented.row(1, 2, absolute: 30), Invented.row(2, 4, absolute: 8, penalty: 8)]
        let race = try assemble(
            rankings(
                Invented.ranking("ite", results, more: times), Invented.ranking("itg", general),
                Invented.ranking("ipg", points), Invented.ranking("etg", [Invented.row(1, 2, absolute: 40_000_000)])))
        let stage = try stage(1, race)
        #expect(places(stage["results"]) == ["1 2 13201 10", "1 3 0", "3 4 4"])
        // Only a stage can have two winners.
        #expect(places(stage["general"]) == ["1 3 14508", "2 2 0", "3 4 6"])
        #expect(places(stage["points"]) == ["1 2 30", "2 4 8"] && places(stage["teams"]) == ["1 CASA AZUL 40000"])
        #expect(stage["time_limit"]?.whole == 900 && stage["provisional"]?.bool == false)
        #expect(stage["finish_time"]?.text == "2026-07-04T16:52:30+02:00")
    }

    @Test func gapsNeverBecomeSmallerAndRidersAreInAListOnce() throws {
        let rows = [
            Invented.row(1, 1), Invented.row(2, 2, relative: 9000), Invented.row(3, 3, relative: 4000),
            Invented.row(4, 2, relative: 10_000), Invented.row(5, 4, relative: 10_000),
        ]
        let race = try assemble(rankings(Invented.ranking("itg", rows)))
        #expect(places(try stage(1, race)["general"]) == ["1 1", "2 2 9", "3 3", "5 4 10"])
    }

    @Test func marksProvisionalLists() throws {
        for (status, isMarked) in [("0", false), ("1", true), ("2", true)] {
            let general = Invented.ranking("itg", Invented.times(3), status: status)
            let race = try assemble(rankings(general, Invented.ranking("ite", Invented.times(3))))
            #expect(try (stage(1, race)["provisional"]?.bool == true) == isMarked)
        }
    }

    @Test func provisionalFirstTenNeverReplaceACompleteListOfThePreviousFile() throws {
        let whole = try assemble(rankings(Invented.ranking("itg", Invented.times(12), status: "1")))
        let ten = rankings(Invented.ranking("itg", Invented.times(10, from: 5000), status: "1"))
        let kept = try stage(1, assemble(ten, keeping: whole))
        #expect(JSONItems.of(kept["general"]).count == 12 && kept["provisional"]?.bool == true)
        #expect(JSONItems.of(try stage(1, assemble(ten))["general"]).count == 10)
        let official = rankings(Invented.ranking("itg", Invented.times(11), status: "0"))
        #expect(JSONItems.of(try stage(1, assemble(official, keeping: whole))["general"]).count == 11)
        // Without a mark a list is only protected by its length.
        var unmarked = try #require(whole)
        unmarked.stages[0].isProvisional = nil
        let other = rankings(Invented.ranking("itg", Invented.times(12, from: 9000), status: "1"))
        #expect(places(try stage(1, assemble(other, keeping: unmarked))["general"]).first == "1 1 9")
        #expect(JSONItems.of(try stage(1, assemble(ten, keeping: unmarked))["general"]).count == 12)
        // What is official stays.
        let file = try assemble(official)
        let provisional = rankings(Invented.ranking("itg", Invented.times(11, from: 7000), status: "1"))
        #expect(places(try stage(1, assemble(provisional, keeping: file))["general"]).first == "1 1 13201")
    }

    /// After a start nothing is known but the file; then each part comes on its own.
    @Test func partsThatFailKeepThePreviousData() throws {
        let all = SurvivesHostileResponses.bodies
        var whole = EditionParts(edition: Invented.edition)
        for (endpoint, body) in all { whole.take(body, of: endpoint, at: 1) }
        let file = try EditionAssembler.race(whole)
        #expect(try EditionAssembler.race(whole, keeping: file) == file)
        for (endpoint, body) in all {
            var parts = EditionParts(edition: Invented.edition)
            parts.take(body, of: endpoint, at: 1)
            parts.fail(.stages, "404")
            let again = try root(EditionAssembler.race(parts, keeping: file))
            let first = try #require(JSONItems.of(again["stages"]).first)
            #expect(JSONItems.of(again["riders"]).count == 2, "\(endpoint)")
            #expect(JSONItems.of(again["teams"]).count == 1, "\(endpoint)")
            for key in ["start", "distance_km", "climbs", "ticker", "results", "general", "wearers", "start_lat_lon"] {
                var found = false
                first.forEachMember { name, _ in if name.text == key { found = true } }
                #expect(found, "\(endpoint): \(key)")
            }
        }
        let nothing = try EditionAssembler.race(EditionParts(edition: Invented.edition), keeping: file)
        #expect(try JSONItems.of(root(nothing)["stages"]).count == 2)
    }

    @Test func ridersWhoAreNotListedGetAnEntry() throws {
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body(Invented.stage(1)), of: .stages, at: 1)
        let groups = Invented.groups(at: "14:00:00", [Invented.group(0, "A", bibs: [7, 44])])
        parts.take(Invented.body(groups), of: .groups(stage: 1), at: 1)
        parts.take(
            Invented.body(Invented.ranking("itg", [Invented.row(1, 7, absolute: 9000)], status: "2")),
            of: .rankings(stage: 1), at: 1)
        func names() throws -> [String?] {
            JSONItems.of(try root(EditionAssembler.race(parts))["riders"]).map { $0["name"]?.text }
        }
        #expect(try names() == ["No. 7", "No. 44"])
        #expect(places(try stage(1, EditionAssembler.race(parts))["general"]) == ["1 7 9"])
        // The riders that other responses mention are used until there is a list.
        parts.take(
            Invented.body(groups.replacing("14:00", with: "14:01"), Invented.rider(44, "SOUSA")), of: .groups(stage: 1),
            at: 2)
        #expect(try names() == ["Ana Sousa", "No. 7"])
        parts.take(Invented.body(Invented.rider(7), Invented.rider(44)), of: .competitors, at: 3)
        #expect(try names() == ["Ana Rio 7", "Ana Rio 44"])
    }

    @Test func withdrawalsComeFromTheListAndFromResults() throws {
        let body = Invented.body(
            Invented.rider(1, more: ",\"withdrew\":{\"stage\":1,\"code\":-4}"),
            Invented.rider(2, more: ",\"withdrew\":{\"stage\":9,\"code\":-1}"))
        let out = [Invented.row(-1, 5), Invented.row(-2, 6), Invented.row(-9, 7), Invented.row(-1, 1)]
        let results = Invented.body(Invented.ranking("ite", out + [Invented.row(1, 8)], stage: 2))
        let race = try assemble((.competitors, body), (.rankings(stage: 2), results))
        let found = JSONItems.of(try root(race)["withdrawals"]).map {
            "\($0["rider"]?.text ?? "") \($0["stage"]?.whole ?? 0) \($0["reason"]?.text ?? "")"
        }
        // Stage 9 doesn't exist.
        #expect(found == ["1 1 DNS", "5 2 DNF", "6 2 OTL"])
    }

    @Test func writesClimbsByTheirDistanceToTheFinish() throws {
        let book = Invented.body(
            Invented.checkpoint(1, km: "5", more: Invented.climb()),
            Invented.checkpoint(2, km: "100", more: Invented.climb("H")),
            Invented.checkpoint(3, km: "120", types: ["B"]), Invented.checkpoint(4, km: "160.5", types: ["N", "A"]))
        let stage = try stage(1, assemble((.checkpoints(stage: 1), book)))
        // The stage is ten kilometres shorter than its road book, so that the first climb is left out.
        #expect(JSONItems.of(stage["climbs"]).map { $0["km"]?.number } == [90])
        #expect(JSONItems.of(stage["climbs"])[0]["category"]?.text == "HC")
        #expect(JSONItems.of(stage["sprints"])[0]["bonus"]?.bool == true)
        #expect(stage["finish_lat_lon"]?.items.map(\.number) == [45.4, 5.4])
    }

    @Test func writesTheTickerWithItsKinds() throws {
        let body = Invented.body(
            Invented.news("a", at: "13:10:00", "Attack", text: "By two."), Invented.news("b", at: "03:00:00", "Night"))
        let lines = JSONItems.of(try stage(1, assemble((.ticker(language: "en", stage: 1), body)))["ticker"])
        #expect(lines.map { $0["text"]?.text } == ["Attack. By two."] && lines[0]["kind"]?.text == "attack")
        #expect(lines[0]["time"]?.text == "2026-07-04T13:10:00+02:00")
    }

    @Test func aTickerHasOneLanguage() {
        var parts = parts(
            (.ticker(language: "en", stage: 1), Invented.body(Invented.news("a", at: "13:10:00", "Attack"))))
        let french = Invented.news("b", at: "13:10:00", "Attaque").replacing("publication_en", with: "publication_fr")
        parts.take(Invented.body(french), of: .ticker(language: "fr", stage: 1), at: 2)
        #expect(parts.tickers[1]?.value?.map(\.line) == ["Attaque"])
        let more = Invented.news("c", at: "13:20:00", "Chute").replacing("publication_en", with: "publication_fr")
        parts.take(Invented.body(more), of: .ticker(language: "fr", stage: 1), at: 3)
        #expect(parts.tickers[1]?.value?.map(\.line) == ["Attaque", "Chute"])
    }

    @Test func finalStandingsAreThoseOfTheLastStageOnceOfficial() throws {
        for (status, expected) in [("1", []), ("0", ["Ana Rio 1", "Ana Rio 2"])] {
            let body = Invented.body(Invented.ranking("itg", Invented.times(2), status: status, stage: 2))
            let race = try assemble((.rankings(stage: 2), body))
            #expect(try JSONItems.of(root(race)["overall"]).compactMap(\.text) == expected)
        }
    }
}
