import Testing

@testable import RaceCentre

@Suite struct EndpointTests {
    @Test func buildsTheAddressOfEachDocument() {
        let expected: [(Endpoint, String)] = [
            (.stages, "stage-2026"), (.teams, "team-2026"), (.competitors, "allCompetitors-2026"),
            (.checkpoints(stage: 3), "checkpointList-2026-3"), (.groups(stage: 14), "pack-2026-14"),
            (.insights(stage: 14), "insights-2026-14"), (.ticker(language: "de", stage: 2), "publication_de-2026-2"),
            (.rankings(stage: 2), "rankingType-2026-2"), (.jerseys(stage: 2), "rankingTypeJerseys-2026-2"),
        ]
        for (endpoint, bind) in expected {
            #expect(endpoint.bind(in: Invented.edition) == bind)
            #expect(endpoint.address(in: Invented.edition) == "https://centre.example.org/api/\(bind)")
        }
    }

    @Test func tickersOfOtherLanguagesAreEnglish() {
        #expect(Endpoint.ticker(language: "../x", stage: 1).bind(in: Invented.edition) == "publication_en-2026-1")
    }

    @Test func buildsPagesOfTheSite() {
        #expect(Invented.edition.article(stage: 4) == "https://www.example.org/en/stage-4")
    }
}

@Suite struct CentreTimeTests {
    @Test func convertsDaysBothWays() {
        #expect(CentreTime.day("2026-07-04T00:00:00+02:00") == 20_638 && CentreTime.text(ofDay: 20_638) == "2026-07-04")
        #expect(CentreTime.day("1970-01-01") == 0 && CentreTime.day("2000-02-29") == 11_016)
        for text in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-7-4", "x", "", "26-07-2026", "2026-07-3x"] {
            #expect(CentreTime.day(text) == nil, "\(text)")
        }
        for day in stride(from: Int64(-719_162), through: 2_932_896, by: 7919) {
            #expect(CentreTime.day(CentreTime.text(ofDay: day)) == day)
        }
    }

    @Test func readsInstantsWithTheirOffset() throws {
        let instant = try #require(CentreTime.instant("2026-07-18T14:24:07+02:00"))
        #expect(instant.instant == 1_784_377_447 && instant.offset == 7200)
        #expect(CentreTime.text(instant.instant, offset: instant.offset) == "2026-07-18T14:24:07+02:00")
        #expect(CentreTime.instant("2026-07-18T12:24:07.5163Z")?.instant == instant.instant)
        #expect(CentreTime.instant("2026-07-18T10:54:07-0130")?.instant == instant.instant)
        #expect(CentreTime.text(0) == "1970-01-01T00:00:00Z")
        #expect(CentreTime.text(-1, offset: -5400) == "1969-12-31T22:29:59-01:30")
        for text in [
            "2026-07-18", "2026-07-18T14:24:07", "2026-07-18T14:24:07+2:00", "2026-07-18T99:24:07Z", "T",
            "0026-07-18T14:24:07Z",
        ] {
            #expect(CentreTime.instant(text) == nil, "\(text)")
        }
        #expect(CentreTime.text(.distantFuture).hasPrefix("9999") && CentreTime.text(.distantPast).hasPrefix("0001"))
    }

    @Test func knowsSummerTimeOfEuropesZones() throws {
        let july = try #require(CentreTime.day("2026-07-04"))
        #expect(RaceZone.offset("Europe/Paris", onDay: july) == 7200)
        #expect(RaceZone.offset("Europe/London", onDay: july) == 3600)
        for (date, offset) in [("2026-03-28", 3600), ("2026-03-29", 7200), ("2026-10-24", 7200), ("2026-10-25", 3600)] {
            #expect(RaceZone.offset("Europe/Madrid", onDay: try #require(CentreTime.day(date))) == offset, "\(date)")
        }
        #expect(RaceZone.offset("Asia/Tokyo", onDay: july) == nil)
    }
}
