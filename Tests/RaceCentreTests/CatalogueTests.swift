import Foundation
import RaceModel
import Testing

@testable import RaceCentre

@Suite struct CatalogueTests {
    private static let file: [UInt8] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array((try? Data(contentsOf: root.appendingPathComponent("Assets/known-races.json"))) ?? Data())
    }()
    private let known = KnownRaces(bundled: CatalogueTests.file)
    private let november = (year: 2026, day: MonthDay(month: 11, day: 26))

    private func resolve(_ words: String, year: Int = 2026, month: Int = 11, day: Int = 26) -> String {
        do throws(UnknownRace) {
            let edition = try known.resolve(words, today: (year: year, day: MonthDay(month: month, day: day)))
            return "\(edition.race.id) \(edition.year)"
        } catch { return error.description }
    }

    @Test func readsTheBundledCatalogue() {
        #expect(known.problems == [])
        #expect(known.races.count == 13)
        for host in [
            "racecenter.letour.fr", "racecenter.lavuelta.es", "racecenter.letourfemmes.fr", "racecenter.paris-nice.fr",
            "racecenter.lavueltafemenina.es", "racecenter.paris-roubaix.fr", "racecenter.paris-roubaix-femmes.fr",
            "racecenter.liege-bastogne-liege.be", "racecenter.liege-bastogne-liege-femmes.be",
            "racecenter.la-fleche-wallonne.be", "racecenter.la-fleche-wallonne-femmes.be",
            "racecenter.criterium-du-dauphine.fr", "www.dakar.live.worldrallyraidchampionship.com",
        ] { #expect(known.races.contains { $0.host == host }, "\(host)") }
        let tour = known.races[0]
        #expect(tour.leaderJersey == "yellow jersey" && tour.jerseys.map(\.classification).count == 4)
        #expect(tour.jerseys.allSatisfy { $0.color?.wholeMatch(of: /#[0-9a-f]{6}/) != nil })
        #expect(tour.hasStages && known.races.count { !$0.hasStages } == 6 && known.races.count { $0.isWomens } == 5)
    }

    @Test func resolvesNamesInSeveralLanguagesAndWords() {
        for words in ["tour-de-france", "Tour de France", "TOUR", "tdf", "grande boucle", "Tour de Francia"] {
            #expect(resolve(words) == "tour-de-france 2026", "\(words)")
        }
        #expect(resolve("tour-femmes") == "tour-de-france-femmes 2026")
        #expect(resolve("Spanien-Rundfahrt") == "vuelta 2026" && resolve("vuelta a espana") == "vuelta 2026")
        #expect(resolve("lüttich bastogne lüttich") == "liege-bastogne-liege 2026")
        #expect(resolve("dauphine") == "criterium-du-dauphine 2023")
    }

    @Test func takesTheYearFromAnyPlaceInTheWords() {
        #expect(resolve("vuelta 2024") == "vuelta 2024" && resolve("2024 Vuelta") == "vuelta 2024")
        #expect(resolve("tour-femmes-2025") == "tour-de-france-femmes 2025")
    }

    @Test func aNameMeansTheEditionFromTwoWeeksBeforeItsStart() {
        #expect(resolve("tour", year: 2027, month: 3, day: 1) == "tour-de-france 2026")
        // It begins on the first Saturday of July.
        #expect(resolve("tour", year: 2027, month: 6, day: 18) == "tour-de-france 2026")
        #expect(resolve("tour", year: 2027, month: 6, day: 19) == "tour-de-france 2027")
        #expect(resolve("paris-nice", year: 2027, month: 3, day: 9) == "paris-nice 2027")
    }

    @Test func aCalendarKnowsTheDaysOfAnEdition() throws {
        let june = (year: 2027, day: MonthDay(month: 6, day: 10))
        let (first, last) = (try #require(CalendarDay("2027-06-24")), try #require(CalendarDay("2027-07-18")))
        let edition = try known.resolve("tour", today: june, days: { _, year in year == 2027 ? (first, last) : nil })
        #expect(edition.year == 2027)
    }

    @Test func saysThatAnEditionIsOver() throws {
        var sentences: [String] = []
        func year(_ year: Int, _ month: Int, _ day: Int, wantsNext: Bool) throws -> Int {
            try known.resolve(
                "tour-de-france", today: (year: year, day: MonthDay(month: month, day: day)),
                wantsNext: { edition in
                    sentences.append(edition.sentence)
                    return wantsNext
                }
            ).year
        }
        #expect(try year(2026, 12, 10, wantsNext: false) == 2026 && year(2026, 12, 10, wantsNext: true) == 2027)
        #expect(sentences == Array(repeating: "Tour de France 2026 is over; 2027 starts on 3 July.", count: 2))
        // During a race, and with a year, there is nothing to choose.
        #expect(try year(2026, 7, 20, wantsNext: true) == 2026 && year(2026, 6, 25, wantsNext: true) == 2026)
        #expect(resolve("tour 2026") == "tour-de-france 2026" && sentences.count == 2)
    }

    @Test func suggestsTheNearestNames() {
        #expect(resolve("tuor de france").hasPrefix("unknown race 'tuor de france'; did you mean tour-de-france"))
        #expect(resolve("vuleta") == "unknown race 'vuleta'; did you mean vuelta?")
        #expect(resolve("zzz") == "unknown race 'zzz'" && resolve("") == "unknown race ''")
    }

    @Test func reportsSeveralMatchesAndUnreadableRaces() {
        #expect(resolve("paris") == "'paris' matches several races: paris-nice, paris-roubaix, paris-roubaix-femmes")
        #expect(resolve("nice") == "paris-nice 2026")
        #expect(resolve("dakar").contains("does not read"))
        #expect(
            resolve("dauphiné 2026") == "Critérium du Dauphiné 2026 is not available; the race centre has 2021 to 2023")
    }

    @Test func completesPrefixesOfAnyWord() {
        #expect(known.completions(for: "vu").prefix(2) == ["vuelta", "vuelta-femenina"])
        #expect(known.completions(for: "Tour de F") == ["tour-de-france", "tour-de-france-femmes"])
        #expect(known.completions(for: "femmes").contains("paris-roubaix-femmes"))
        // "france" is in the name of the first race, but the other begins so.
        #expect(known.completions(for: "f").prefix(2) == ["fleche-wallonne", "fleche-wallonne-femmes"])
        // What can't be followed is not offered.
        #expect(known.completions(for: "").count == 12 && known.completions(for: "dakar") == [])
        #expect(known.completions(for: "", limit: 3).count == 3)
    }

    @Test func usersFileAddsAndReplacesRaces() throws {
        let user = """
            {"races": [
              {"id": "vuelta", "names": {"en": "My Vuelta"}, "host": "http://127.0.0.1:8080", "start": "08-20"},
              {"id": "club-race", "names": {"en": "Club Race"}, "host": "centre.example.org", "start": "05-01",
               "binds": {"pack": "bunch"}, "future": [1, {"x": null}]}
            ]}
            """
        let known = KnownRaces(bundled: CatalogueTests.file, user: Array(user.utf8))
        #expect(known.problems == [] && known.races.count == 14)
        let vuelta = try known.resolve("vuelta", today: november)
        #expect(vuelta.race.name == "My Vuelta" && vuelta.race.base == "http://127.0.0.1:8080")
        #expect(vuelta.address == "aso:http://127.0.0.1:8080/2026" && known.edition(at: vuelta.address) == vuelta)
        let club = try known.resolve("club", today: november)
        #expect(Endpoint.groups(stage: 3).address(in: club) == "https://centre.example.org/api/bunch-2026-3")
        #expect(Endpoint.insights(stage: 3).bind(in: club) == "insights-2026-3")
    }

    @Test func reportsErrorsOfTheUsersFileAndKeepsTheRest() {
        let user = """
            {"races": [3, {"id": "No!"}, {"id": "a", "names": {"fr": "A"}}, {"id": "b", "names": {"en": "B"}, "host": "x y"},
              {"id": "c", "names": {"en": "C"}, "host": "c.example.org/path"},
              {"id": "d", "names": {"en": "D"}, "host": "d.example.org", "start": "13-01"},
              {"id": "e", "names": {"en": "E"}, "host": "e.example.org", "start": "05-01"}]}
            """
        let known = KnownRaces(bundled: CatalogueTests.file, user: Array(user.utf8))
        #expect(known.problems.count == 6 && known.races.count == 14 && known.races.last?.id == "e")
        #expect(known.problems[0] == "sources.json, item 1: expected an object")
        #expect(known.problems[2] == "sources.json, item 3: a: 'names' has no 'en'")
        #expect(known.problems[5] == "sources.json, item 6: d: 'start': expected a month and a day such as 07-04")
        #expect(
            KnownRaces(bundled: CatalogueTests.file, user: Array("{".utf8)).problems == ["sources.json: invalid JSON"])
        #expect(KnownRaces(bundled: [], user: nil).races == [])
    }

    @Test func storedAddressesLeadBackToTheEdition() throws {
        let edition = try known.resolve("tour 2025", today: november)
        #expect(edition.address == "aso:racecenter.letour.fr/2025" && known.edition(at: edition.address) == edition)
        for address in [
            "aso:racecenter.letour.fr/x", "aso:other.example.org/2025", "https://racecenter.letour.fr/2025",
        ] {
            #expect(known.edition(at: address) == nil, "\(address)")
        }
    }
}
