import ModelCore
import Testing

@testable import Dashboard
@testable import Races
@testable import TerminalUI

/// The groups of a stage on its live page, with the age that they carry.
@Suite struct ShowsGroups {
    private static let now: Instant = 1_783_169_000

    private func report(secondsAgo: Int64, gap: Int = 84) -> LiveReport {
        LiveReport(
            at: Timestamps.text(ShowsGroups.now - secondsAgo), kmToGo: 47.2,
            groups: [
                LiveGroup(
                    name: "Tête de la course", gap: 0, kmToGo: 47.2, speed: 42.4, size: 2,
                    riders: ["Ana Rio", "Bea Sol"]),
                LiveGroup(name: "Peloton", gap: gap, size: 160, riders: (1...160).map { "Rider \($0)" }),
                LiveGroup(
                    name: "Gr. Zoé", gap: 300, riders: (1...10).map { "Late \($0)" }),
            ])
    }

    private func lines(_ report: LiveReport, _ history: LiveHistory = LiveHistory(), usesArrows: Bool = true)
        -> [String]
    {
        StageLiveText.groups(report, history, now: ShowsGroups.now, usesArrows: usesArrows).map { paragraph in
            (paragraph.firstPrefix.spans + paragraph.spans).map { $0.text.string }.joined()
        }
    }

    @Test func namesGroupsWithGapsAndRiders() {
        let lines = lines(report(secondsAgo: 30))
        #expect(lines.count == 4 && lines[0].hasPrefix("Groups, as of "))
        #expect(
            lines[1].hasSuffix("47.2 km to go · 42 km/h · Ana Rio, Bea Sol") && lines[1].contains("(2)"), "\(lines)")
        #expect(lines[2].hasPrefix("Peloton (160)") && lines[2].hasSuffix("  +1:24"), "\(lines)")
        #expect(lines[3].hasSuffix("+5:00 · " + (1...8).map { "Late \($0)" }.joined(separator: ", ") + " and 2 more"))
    }

    @Test(
        arguments: [(110, "▼ 0:26", "down 0:26"), (60, "▲ 0:24", "up 0:24"), (82, nil, nil)]
            as [(Int, String?, String?)])
    func saysHowAGapHasChanged(before: Int, arrow: String?, words: String?) {
        var history = LiveHistory()
        let newest = report(secondsAgo: 30)
        history.add(report(secondsAgo: 340, gap: before))
        history.add(newest)
        #expect(lines(newest, history)[2].hasSuffix("+1:24" + (arrow.map { " " + $0 } ?? "")))
        #expect(lines(newest, history, usesArrows: false)[2].hasSuffix("+1:24" + (words.map { " " + $0 } ?? "")))
    }

    /// Groups are faint after three minutes. After a quarter of an hour they say nothing about the race any more.
    @Test func distrustsOldGroups() {
        func roles(_ age: Int64) -> [TextRole] {
            StageLiveText.groups(report(secondsAgo: age), LiveHistory(), now: ShowsGroups.now, usesArrows: true)
                .dropFirst().compactMap { $0.spans.first?.role }
        }
        #expect(roles(170).allSatisfy { $0 == [] } && roles(190).allSatisfy { $0 == .secondary })
        let old = lines(report(secondsAgo: 901))
        #expect(old.count == 1 && old[0].hasPrefix("The groups of ") && old[0].hasSuffix(" are too old to tell."))
    }

    @Test func namesWhatComesNext() {
        var stage = Stage(number: 1, start: "A", finish: "B")
        stage.climbs = [Climb(name: "Télégraphe", km: 92, length: 11.9, gradient: 7.1), Climb(km: 120)]
        stage.sprints = [Sprint(name: "Vila", km: 60)]
        func next(_ km: Double?) -> String? { StageLiveText.next(after: km, on: stage)?.string }
        #expect(next(nil) == nil && next(130) == nil)
        #expect(next(55.5) == "Next: Vila in 4.5 km")
        #expect(next(80) == "Next: Télégraphe in 12 km, 11.9 km at 7.1 %")
        #expect(next(100) == "Next: a climb in 20 km")
    }
}

private enum Timestamps {
    /// Returns an instant in RFC 3339 format.
    static func text(_ instant: Instant) -> String {
        let seconds = instant.seconds % 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(CalendarDay(instant: instant).text)T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
    }
}
