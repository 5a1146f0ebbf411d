import Testing

@testable import RaceCentre

@Suite struct ReadsStages {
    private func read(_ records: String...) throws -> [CentreStage] {
        try CentreStage.read(Invented.body(records), bind: "stage-2026")
    }

    @Test func readsStagesOutOfOrder() throws {
        let stages = try read(Invented.stage(2, type: "HMG"), Invented.stage(1, type: "EQU", length: "19.6"))
        #expect(stages.map(\.number) == [1, 2] && stages.map(\.kind) == [.teamTimeTrial, .mountain])
        let first = stages[0]
        #expect(first.date == "2026-07-04" && first.length == 19.6 && first.departure == "Vila 1")
        #expect(first.arrival == "Serra 1")
        #expect(first.start == Invented.instant("13:00:00") && first.finish == Invented.instant("17:00:00"))
        #expect(!first.hasGroups && stages[1].hasGroups && !first.isCancelled && first.offset == 7200)
    }

    @Test(arguments: [
        ("PLN", CentreStage.Kind.flat), ("VAL", .hilly), ("MMG", .mediumMountain), ("HMG", .mountain),
        ("PAS", .individualTimeTrial), ("ind", .individualTimeTrial), ("Itt", .individualTimeTrial),
        ("EQU", .teamTimeTrial),
        ("MOG", nil), ("", nil),
    ])
    func knowsTheKindsOfStages(code: String, kind: CentreStage.Kind?) throws {
        #expect(try read(Invented.stage(1, type: code))[0].kind == kind)
    }

    @Test func startTimesAreInTheZoneOfTheStage() throws {
        let london = Invented.stage(1).replacing("Europe/Paris", with: "Europe/London")
        #expect(try read(london)[0].start == Invented.instant("14:00:00"))
        // The date's own offset is used for zones that are unknown.
        let other = Invented.stage(1).replacing("Europe/Paris", with: "Asia/Tokyo").replacing("+02:00", with: "+09:00")
        #expect(try read(other)[0].start == Invented.instant("06:00:00"))
        #expect(try read(Invented.stage(1).replacing("17:00:00", with: "11:00:00"))[0].finish == nil)
    }

    @Test func findsRestDaysInGaps() throws {
        let stages = try read(
            Invented.stage(1, date: "2026-07-12"), Invented.stage(2, date: "2026-07-14"),
            Invented.stage(3, date: "2026-07-15"), Invented.stage(4, date: "2026-07-17"))
        #expect(CentreStage.restDays(between: stages) == ["2026-07-13", "2026-07-16"])
        let odd = try read(Invented.stage(1, date: "2026-07-12"), Invented.stage(2, date: "2036-07-14"))
        #expect(CentreStage.restDays(between: odd) == [])
    }

    @Test func oddStagesKeepWhatIsSound() throws {
        let odd = """
            {"stage":"7","_bind":"stage-2026","length":"-3","lengthDisplay":99999,"date":"2026-02-30","type":5,"startTime":"xx",
            "isCancelled":true,"departureCity":"Vila","arrivalCity":{"label":4},"showGroups":"yes"}
            """
        let stage = try #require(
            try read(odd, "5", "{\"_bind\":\"stage-2026\"}", "{\"stage\":-4,\"_bind\":\"stage-2026\"}").first)
        #expect(stage.number == 7 && stage.length == nil && stage.day == nil && stage.kind == nil && stage.start == nil)
        #expect(stage.isCancelled && stage.departure == nil && stage.arrival == nil && stage.hasGroups)
    }

    @Test func ofTwoRecordsTheNewerCounts() throws {
        let old = Invented.stage(1, length: "100").replacing("1783000000000", with: "1782000000000")
        #expect(try read(Invented.stage(1, length: "120"), old).map(\.length) == [120])
        #expect(try read(old, Invented.stage(1, length: "120")).map(\.length) == [120])
    }
}

@Suite struct ReadsRosters {
    private func read(_ records: String...) throws -> CentreRoster {
        try CentreRoster(Invented.body(records), riderBind: "allCompetitors-2026", teamBind: "team-2026")
    }

    @Test func readsRidersAndTeamsFromOneResponse() throws {
        let roster = try read(
            Invented.rider(12, "DEL TORO"), Invented.team(), Invented.rider(3),
            Invented.rider(7, more: ",\"withdrew\":{\"stage\":5,\"code\":-2}"))
        #expect(roster.riders.map(\.bib) == [3, 7, 12] && roster.teams.map(\.name) == ["CASA AZUL"])
        let rider = try #require(roster.rider(id: nil, bib: 12))
        #expect(rider.name == "Ana Del Toro" && rider.country == "SUI" && roster.team(id: rider.team)?.code == "CAZ")
        #expect(roster.riders[1].withdrawal?.stage == 5 && roster.riders[1].withdrawal?.reason == "OTL")
        #expect(roster.rider(id: "r3", bib: nil)?.bib == 3 && roster.rider(id: "r99", bib: 99) == nil)
    }

    @Test(arguments: [(-1, "DNF"), (-2, "OTL"), (-3, "DSQ"), (-4, "DNS"), (-9, nil), (1, nil)] as [(Int, String?)])
    func knowsTheReasonsOfWithdrawals(code: Int, reason: String?) {
        #expect(CentreWithdrawal.reason(ofCode: code) == reason)
    }

    @Test func ridersMayLackANumber() throws {
        let roster = try read(
            Invented.rider(1).replacing("\"bib\":1,", with: ""),
            Invented.rider(2).replacing("\"bib\":2,", with: "\"bib\":null,"),
            Invented.rider(4).replacing("\"bib\":4,", with: "\"bib\":-4,"))
        #expect(roster.riders.count == 3 && roster.riders.allSatisfy { $0.bib == nil })
        #expect(roster.rider(id: "r1", bib: nil)?.lastName == "Rio 1")
    }

    @Test func newRecordsReplaceOldOnes() throws {
        var roster = try read(Invented.rider(1, "OLD"), Invented.rider(2))
        roster.merge(try read(Invented.rider(1, "NEW"), Invented.rider(3), Invented.team()))
        #expect(roster.riders.map(\.lastName) == ["New", "Rio 2", "Rio 3"] && roster.teams.count == 1)
    }

    @Test func ofTwoRidersWithOneNumberTheOneInTheRaceHasIt() throws {
        let gone = Invented.rider(5, "GONE", more: ",\"withdrew\":{\"stage\":1,\"code\":-4}").replacing(
            "\"r5\"", with: "\"a5\"")
        let roster = try read(gone, Invented.rider(5, "HERE"))
        #expect(roster.rider(id: nil, bib: 5)?.lastName == "Here" && roster.rider(id: "a5", bib: 5)?.lastName == "Gone")
    }
}
