import RaceModel
import Testing

@testable import RaceCentre

@Suite struct NamesGroups {
    @Test func namesGroupsInTheUsersLanguage() {
        for (french, english) in [
            ("Tête de la course", "Head of the race"), ("Poursuivants", "Chasers"), ("Poursuivants 2", "Chasers 2"),
            ("Peloton", "Peloton"),
            ("Distancés", "Dropped"), ("Gr. Maillot Jaune", "Yellow jersey group"),
            ("Gr. Maillot à Pois", "Polka-dot jersey group"),
            ("Gr. Maillot Vert", "Green jersey group"), ("Gr. Maillot Blanc", "White jersey group"),
            ("Gr. Sousa", "Sousa group"),
            ("A. Sousa", "A. Sousa"), ("Échappée", "Breakaway"), ("", "Group"), ("Groupe 2", "Group 2"),
        ] { #expect(GroupNames.name(french, in: "en") == english, "\(french)") }
        #expect(GroupNames.name("Distancés", in: "fr") == "Distancés")
        #expect(GroupNames.name("Distancés", in: "de") == "Dropped")
    }
}

/// The position of the head, which decides how often documents are requested.
@Suite struct FindsTheHead: EditionReading {
    private let start = Invented.instant("14:23:00")

    private func parts(insightsAfter seconds: Int64? = nil) -> EditionParts {
        let groups = Invented.groups(at: "14:23:00", [Invented.group(0, "A", togo: 47_000), Invented.group(1, "B")])
        var parts = parts((.groups(stage: 1), Invented.body(groups)))
        if let seconds {
            let insights = Invented.insights(metres: 100_500, at: (start + seconds).seconds * 1000)
            parts.take(Invented.body(insights), of: .insights(stage: 1), at: start + seconds)
        }
        return parts
    }

    private func head(_ parts: EditionParts, after seconds: Int64) throws -> HeadPosition? {
        let stage = try #require(parts.stages.value?.first)
        return parts.head(of: stage, at: start + seconds)
    }

    @Test func neverExtrapolates() throws {
        for seconds in [0, 60, 600, 900] as [Int64] {
            #expect(try head(parts(), after: seconds) == HeadPosition(kmToGo: 47, instant: start))
        }
        #expect(try head(parts(), after: 901) == nil)
    }

    @Test func usesInsightsWithoutRecentGroups() throws {
        let parts = parts(insightsAfter: 1000)
        #expect(try head(parts, after: 60)?.kmToGo == 47)
        #expect(try head(parts, after: 1000) == HeadPosition(kmToGo: 50, instant: start + 1000))
        #expect(try head(parts, after: 2000) == nil)
    }

    @Test func distrustsReportsByTheirAge() {
        #expect([-5, 0, 180].map { Freshness(age: $0) } == [.fresh, .fresh, .fresh])
        #expect([181, 900].map { Freshness(age: $0) } == [.dim, .dim] && Freshness(age: 901) == .old)
    }
}
