import RaceModel
import Testing

@testable import RaceCentre

@Suite struct ReadsRankings {
    private func read(_ records: String...) throws -> StageRankings {
        try StageRankings(Invented.body(records), bind: "rankingType-2026-1")
    }

    @Test func findsTheListOfEachStanding() throws {
        let codes = ["ite", "itg", "ipg", "img", "ijg", "etg", "ipe", "ime", "ije", "ete"]
        let rankings = try StageRankings(
            Invented.body(codes.map { Invented.ranking($0, Invented.times(3)) }), bind: "rankingType-2026-1")
        #expect(Classification.allCases.map { rankings.list(of: $0)?.code } == codes)
        #expect(rankings.lists.allSatisfy { $0.status == .official } && rankings.timeLimit == nil)
    }

    @Test func sortsRowsAndSetsThoseWhoLeftApart() throws {
        let rankings = try read(
            Invented.ranking(
                "ite",
                [
                    Invented.row(3, 30, absolute: 5, relative: 2000), Invented.row(-4, 99),
                    Invented.row(1, 10, bonus: 10_000),
                    Invented.row(2, 21), Invented.row(2, 20), Invented.row(-1, 98), Invented.row(0, 97),
                ], more: ",\"timeLimit\":2641000,\"firstCompetitorTime\":1783265956"))
        let list = try #require(rankings.list(of: .results))
        #expect(list.rows.map(\.bib) == [10, 21, 20, 30] && list.out.map(\.position) == [-4, -1])
        #expect(list.rows[0].bonus == 10_000)
        #expect(rankings.timeLimit == 2641 && rankings.arrival == 1_783_265_956 && rankings.start == nil)
        #expect(rankings.out.map(\.bib) == [99, 98])
    }

    @Test(arguments: [
        ("2", RankingStatus.running), ("1", .provisional), ("0", .official), ("7", .provisional), ("x", .provisional),
    ])
    func readsTheStatus(code: String, status: RankingStatus) throws {
        let rankings = try read(Invented.ranking("itg", Invented.times(2), status: code))
        #expect(rankings.list(of: .general)?.status == status)
    }

    @Test func whileRunningTheTimeIsThatOfTheStart() throws {
        let rankings = try read(
            Invented.ranking("ite", [Invented.row(-1, 5)], status: "2", more: ",\"firstCompetitorTime\":1783170000"))
        #expect(rankings.start == 1_783_170_000 && rankings.arrival == nil && rankings.list(of: .results) == nil)
        #expect(rankings.out.map(\.bib) == [5])
    }

    @Test func takesTheListOfTheFinish() throws {
        let rankings = try read(
            Invented.ranking("itg", Invented.times(5), checkpoint: 40, types: "\"N\""),
            Invented.ranking("itg", Invented.times(2)),
            Invented.ranking("itg", Invented.times(4), checkpoint: 70, types: "\"B\""))
        #expect(rankings.list(of: .general)?.rows.count == 2)
    }

    @Test func ordersSplitsByTheRoad() throws {
        let rankings = try read(
            Invented.ranking("itt", Invented.times(3), checkpoint: 30, types: "\"C\"", km: "12"),
            Invented.ranking("itt", Invented.times(3), checkpoint: 10, types: "\"C\"", km: "6"),
            Invented.ranking("itt", Invented.times(3), checkpoint: 2, types: "\"R\"", km: "0"),
            Invented.ranking("itt", Invented.times(3)))
        #expect(rankings.splits.map(\.km) == [6, 12])
    }

    /// Each sprint has a list of its own; the points of the stage are those of all.
    @Test func addsUpThePointsOfAStage() throws {
        let rankings = try read(
            Invented.ranking(
                "ipe", [Invented.row(1, 5, absolute: 20), Invented.row(2, 6, absolute: 17), Invented.row(-1, 9)],
                checkpoint: 40, types: "\"N\"", km: "90"),
            Invented.ranking(
                "ipe",
                [Invented.row(1, 7, absolute: 30), Invented.row(2, 6, absolute: 13), Invented.row(3, 8, absolute: 9)],
                status: "1"),
            Invented.ranking("ime", [Invented.row(1, 6, absolute: 3)], checkpoint: 20, types: "", km: "36.7"))
        let points = try #require(rankings.list(of: .stagePoints))
        #expect(points.rows.map(\.bib) == [6, 7, 5, 8] && points.rows.map(\.absolute) == [30, 30, 20, 9])
        // Equal points share a place.
        #expect(points.rows.map(\.position) == [1, 1, 3, 4] && points.status == .provisional && points.isFinish)
        #expect(rankings.list(of: .stageMountain)?.rows.map(\.absolute) == [3])
        #expect(rankings.list(of: .stageYouth) == nil && rankings.list(of: .points) == nil)
    }

    @Test func provisionalFirstTenNeverReplaceACompleteList() throws {
        let whole = try read(Invented.ranking("itg", Invented.times(150), status: "1"))
        let ten = try read(Invented.ranking("itg", Invented.times(10), status: "1"))
        #expect(whole.merged(with: ten).list(of: .general)?.rows.count == 150)
        #expect(ten.merged(with: whole).list(of: .general)?.rows.count == 150)
        // A complete list may become shorter, and an official one has the last word.
        let shorter = try read(Invented.ranking("itg", Invented.times(149), status: "1"))
        #expect(whole.merged(with: shorter).list(of: .general)?.rows.count == 149)
        let official = try read(Invented.ranking("itg", Invented.times(9), status: "0"))
        #expect(whole.merged(with: official).list(of: .general)?.rows.count == 9)
        #expect(official.merged(with: ten).list(of: .general)?.rows.count == 10)
        let eight = try read(Invented.ranking("itg", Invented.times(8), status: "1"))
        #expect(official.merged(with: eight).list(of: .general)?.status == .official)
        #expect(
            whole.merged(with: try read(Invented.ranking("itg", [], status: "0"))).list(of: .general)?.rows.count == 150
        )
    }

    @Test func mergingKeepsListsThatAreMissing() throws {
        let first = try read(
            Invented.ranking("itg", Invented.times(3)), Invented.ranking("ite", [Invented.row(-1, 5)], status: "2"))
        let second = try read(Invented.ranking("ipg", [Invented.row(1, 2, absolute: 30)]))
        let merged = first.merged(with: second)
        #expect(merged.lists.map(\.code).sorted() == ["ipg", "ite", "itg"])
    }

    @Test func oddRowsAreLeftOut() throws {
        let rows = [
            "3", "{}", "{\"position\":\"x\",\"bib\":3}", "{\"position\":1}", "{\"position\":1e18,\"bib\":3}",
            "{\"position\":\"2\",\"bib\":\"4\",\"absolute\":1e300,\"relative\":-7,\"bonus\":-1}",
            "{\"position\":5,\"$rider\":\"allCompetitors-2026:zz\"}",
        ]
        let list = try #require(
            try read(Invented.ranking("itg", rows), "{\"_bind\":\"rankingType-2026-1\",\"type\":7}").list(of: .general))
        #expect(list.rows.map(\.position) == [2, 5] && list.rows[0].bib == 4 && list.rows[1].rider == "zz")
        #expect(list.rows[0].relative == 0 && list.rows[0].bonus == 0 && list.rows[0].absolute <= 3_000_000_000)
    }
}

@Suite struct ReadsJerseys {
    @Test func theLeaderMayWearAnotherJersey() throws {
        func list(_ code: String, _ rows: [String]) -> String {
            Invented.ranking(code, rows, stage: 3, bind: "rankingTypeJerseys")
        }
        let wearers = try JerseyWearers(
            Invented.body(
                list("pmt", [Invented.row(1, 11)]), list("pmp", [Invented.row(1, 2)]),
                list("pmm", [Invented.row(1, 224)]),
                list("pmj", [Invented.row(1, 31), Invented.row(1, 2, penalty: 999)]), list("pmx", [Invented.row(1, 9)])),
            bind: "rankingTypeJerseys-2026-3")
        #expect(wearers.wearers.mapValues(\.bib) == [.general: 11, .points: 2, .mountain: 224, .youth: 31])
        #expect(wearers.leaders[.youth]?.bib == 2 && wearers.leaders[.general]?.bib == 11)
    }
}
