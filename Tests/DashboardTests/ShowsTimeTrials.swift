import TerminalUI
import Testing

@testable import Races
@testable import StagesSegment

/// A time trial under way, as the live page shows it.
@Suite struct ShowsTimeTrials {
    private func standing(_ place: Int, _ name: String, time: Int? = nil, gap: Int? = nil) -> Standing {
        Standing(place: place, key: name, name: name, time: time, gap: gap)
    }

    private func lines(_ finished: [Standing], _ splits: [SplitTimes]) -> [String] {
        StageLiveText.trial(finished, splits).flatMap { $0.lines(columns: 60).map(\.string) }
    }

    /// Each rider on the road is named once, at the last place passed, those nearest to the finish first.
    @Test func namesTheRidersOnTheRoad() {
        let first = SplitTimes(
            name: "Alba", km: 8.2,
            standings: [
                standing(1, "Ana", time: 600), standing(2, "Eva", time: 605, gap: 5),
                standing(3, "Ida", time: 630, gap: 30),
            ])
        let second = SplitTimes(
            km: 16, standings: [standing(1, "Eva", time: 1_200), standing(2, "Ana", time: 1_203, gap: 3)])
        let screen = [
            "So far · 1 rider finished", "1  Ana · 30:00", "", "Best times on the way",
            "Alba (km 8.2)  Ana · 10:00 · 3 riders", "km 16          Eva · 20:00 · 2 riders", "", "On the road",
            "Eva  best time at km 16", "Ida  place 3 at Alba (km 8.2), +0:30",
        ]
        #expect(lines([standing(1, "Ana", time: 1_800)], [first, second]) == screen)
        let many = SplitTimes(km: 9, standings: (1...12).map { standing($0, "Rider \($0)", gap: $0 - 1) })
        #expect(lines([], [many]).last == "+2")
    }
}
