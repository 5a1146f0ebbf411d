import Testing

@testable import RaceCentre

@Suite struct ReadsGroups {
    private func read(_ records: String...) throws -> RaceGroups? {
        try RaceGroups.read(Invented.body(records), bind: "pack-2026-1")
    }

    @Test func readsGroupsOutOfOrderAmongRidersAndTeams() throws {
        let groups = try #require(
            try read(
                Invented.rider(1), Invented.team(),
                Invented.groups(
                    at: "14:23:00",
                    [
                        Invented.group(1, "Peloton", gap: 84, togo: 51_000, size: 999, bibs: [1, 2, 3, 4]),
                        Invented.group(0, "Tête de la course", togo: 50_300, size: 2, bibs: [44, 142]),
                    ])))
        #expect(groups.at == Invented.instant("14:23:00") && groups.offset == 7200 && groups.stage == 1)
        #expect(groups.groups.map(\.name) == ["Tête de la course", "Peloton"] && groups.groups.map(\.gap) == [0, 84])
        #expect(groups.groups[0].kmToGo == 50.3 && groups.groups[0].km == 100.2 && groups.groups[0].speed == 42)
        #expect(groups.groups[1].members.map(\.bib) == [1, 2, 3, 4] && groups.groups[0].members[0].rider == "r44")
    }

    @Test func countsTheRidersOfTheBunch() throws {
        let groups = try #require(
            try read(
                Invented.groups(
                    at: "14:23:00",
                    [
                        Invented.group(0, "A", size: 999, bibs: [1, 2]),
                        Invented.group(1, "B", size: 0, bibs: [3, 4, 5]),
                        Invented.group(2, "C", size: 999), Invented.group(3, "D", size: 26, bibs: [6, 7]),
                    ])))
        #expect(
            groups.groups.map(\.size) == [2, 3, nil, 26] && groups.groups.map(\.isPeloton) == [true, true, true, false])
    }

    @Test func aRiderIsInOneGroupOnly() throws {
        let groups = try #require(
            try read(
                Invented.groups(
                    at: "14:23:00", [Invented.group(0, "A", bibs: [1, 2, 1]), Invented.group(1, "B", bibs: [2, 3])])))
        #expect(groups.groups.map { $0.members.compactMap(\.bib) } == [[1, 2], [3]])
    }

    @Test func anEmptyResponseOrOneWithoutDateHasNoGroups() throws {
        #expect(try RaceGroups.read(Array("[]".utf8), bind: "pack-2026-1") == nil)
        #expect(try RaceGroups.read([], bind: "pack-2026-1") == nil)
        #expect(try read(Invented.groups(at: "14:23:00", []).replacing("\"date\"", with: "\"then\"")) == nil)
        #expect(try read(Invented.groups(at: "14:23:00", []))?.groups == [])
    }

    @Test func oddGroupsKeepWhatIsSound() throws {
        let odd = """
            {"order":"x","name":null,"relative":-5,"remainingDistance":-70,"completedDistance":1e12,"speed":-3,
            "latitude":0,"longitude":0,"bibs":[{"bib":-4},{"bib":null},7,{"$rider":"allCompetitors-2026:zz"},"12"],"size":"many"}
            """
        let group = try #require(try read(Invented.groups(at: "14:23:00", ["4", odd]))?.groups.first)
        #expect(
            group.gap == 0 && group.kmToGo == 0 && group.km == nil && group.speed == nil && group.coordinates == nil)
        #expect(group.members == [.init(bib: 7, rider: nil), .init(bib: nil, rider: "zz"), .init(bib: 12, rider: nil)])
        #expect(group.size == 3 && !group.isPeloton && group.name == "")
    }

    @Test func readsGroupsThatHaveFinished() throws {
        let finished = Invented.groups(
            at: "17:23:00",
            [
                Invented.group(0, "A", togo: 0), Invented.group(1, "B", gap: 152, togo: 0),
                Invented.group(2, "C", gap: 50),
            ])
        #expect(try read(finished)?.groups.prefix(2).map(\.kmToGo) == [0, 0])
    }
}

@Suite struct ReadsTickers {
    private func read(_ records: String...) throws -> [TickerNews] {
        try TickerNews.read(Invented.body(records), bind: "publication_en-2026-1")
    }

    @Test func keepsTheNewsInOrder() throws {
        let news = try read(
            Invented.news("b", at: "14:10:00", "Gap!", text: "One minute.<br />\\nNow.", picto: "liv_gap"),
            Invented.news("a", at: "13:10:00", "Attack"), Invented.news("c", at: "12:00:00", "Tweet", model: "social"),
            Invented.news("d", at: "12:00:00", "", text: "<br />"))
        #expect(news.map(\.id) == ["a", "b"] && news.map(\.kind) == ["attack", "gap"] && news[0].isHighlight)
        #expect(news[1].line == "Gap! One minute. Now." && news[0].line == "Attack" && news[0].offset == 7200)
    }

    @Test func mergesResponsesByIdentifier() throws {
        let old = try read(Invented.news("a", at: "13:10:00", "Atack"), Invented.news("b", at: "13:20:00", "Gap"))
        let new = try read(Invented.news("c", at: "13:30:00", "Fall"), Invented.news("a", at: "13:10:00", "Attack"))
        #expect(TickerNews.merged(new, into: old).map(\.line) == ["Attack", "Gap", "Fall"])
    }
}
