import FeedParsing
import RaceModel
import Testing

@testable import Dashboard
@testable import Races
@testable import StagesSegment
@testable import TerminalUI

/// The groups of a stage on its live page, with the age that they carry.
@Suite struct ShowsGroups {
    private static let now: Instant = 1_783_169_000

    private func report(secondsAgo: Int64, gap: Int = 84) -> LiveReport {
        LiveReport(
            at: Timestamp.rfc3339(ShowsGroups.now - secondsAgo), kmToGo: 47.2,
            groups: [
                LiveGroup(name: "Tête de la course", gap: 0, kmToGo: 47.2, speed: 42.4, size: 2, riders: ["11", "12"]),
                LiveGroup(name: "Peloton", gap: gap, kmToGo: 48.5, size: 160, riders: (13...160).map { "\($0)" }),
                LiveGroup(name: "Gr. Zoé", gap: 300, riders: (1...10).map { "\($0)" }),
            ])
    }

    private static let roster = LiveRoster(
        riders: (1...160).map { number in
            Rider(id: String(number), name: "Ana Rio \(number)", number: number, team: "t")
        },
        teams: [Team(id: "t", name: "Casa Azul")],
        wearers: [.init(list: .general, rider: "150"), .init(list: .mountain, rider: "12")],
        withdrawals: [
            Withdrawal(rider: "3", stage: 2, reason: "dnf"), Withdrawal(rider: "4", stage: 3, reason: "OTL"),
            Withdrawal(rider: "5", stage: 3), Withdrawal(rider: "6", stage: 3, reason: "lost"),
        ])
    private static let jerseys = [
        Jersey(classification: "general", name: "yellow jersey", color: "#ffd800"),
        Jersey(classification: "mountain", name: "polka-dot jersey", color: "#e4002b"),
    ]

    private func scene(_ report: LiveReport, columns: Int = 80, _ change: (inout LiveScene) -> Void = { _ in })
        -> LiveScene
    {
        var scene = LiveScene(
            report: report, roster: ShowsGroups.roster, jerseys: ShowsGroups.jerseys, now: ShowsGroups.now,
            columns: columns)
        change(&scene)
        return scene
    }

    private func lines(_ scene: LiveScene) -> [String] { text(StageLiveText.groups(scene), scene.columns) }

    private func text(_ paragraphs: [TextParagraph], _ columns: Int) -> [String] {
        paragraphs.flatMap { $0.lines(columns: columns).map(\.string) }
    }

    /// The group that is called the peloton is P, even behind a larger one; without such a name the largest is.
    @Test func callsOneGroupThePeloton() {
        func report(_ groups: [(name: String, size: Int?)]) -> LiveReport {
            LiveReport(groups: groups.enumerated().map { LiveGroup(name: $1.name, gap: $0 * 40, size: $1.size) })
        }
        func letters(_ groups: [(name: String, size: Int?)]) -> [String] { scene(report(groups)).letters }
        let named: [(name: String, size: Int?)] = [("Tête", 3), ("Poursuivants", 60), ("Pelotón", 40)]
        #expect(letters(named) == ["A", "B", "P"] && report(named).pelotonGap == 80)
        #expect(letters([("Tête", 3), ("Groupe", 60), ("Peloton de cola", 20)]) == ["A", "P", "B"])
        #expect(letters([("Tête", nil), ("Groupe", nil)]) == ["A", "B"])
        #expect(letters([("Peloton", 150)]) == ["A"] && report([("Peloton", 150)]).pelotonGap == nil)
        #expect(report([("Peloton", 150), ("Distancés", 4)]).pelotonGap == nil)
    }

    /// Wearers come first, with the sign of their jersey, and the rest of a large group is a number.
    @Test func namesGroupsWithGapsAndRiders() {
        let lines = lines(scene(report(secondsAgo: 30)))
        #expect(lines.count == 5 && lines[0].hasPrefix("Groups, as of "), "\(lines)")
        #expect(lines[1] == "A Head of the race   2         ●Rio 12, Rio 11", "\(lines)")
        #expect(lines[2].hasPrefix("P Peloton          160  +1:24  ●Rio 150, Rio 13, Rio 14, "), "\(lines)")
        #expect(lines[2].contains(/\s\+1[45]\d$/) && lines[2].count <= 80, "\(lines)")
        #expect(lines[3].hasPrefix("B Zoé group             +5:00  Rio 1, Rio 2, "), "\(lines)")
        #expect(lines[4].hasSuffix(" Rio 10") && lines[4].hasPrefix("        "), "\(lines)")
        let wide = self.lines(scene(report(secondsAgo: 30), columns: 110))
        #expect(wide[1].contains("  47.2 km 42 km/h"), "\(wide)")
    }

    /// The names of groups take the space of their sizes in the narrowest panes.
    @Test func namesGroupsInTheNarrowestPanes() {
        let lines = text(StageLiveText.groups(scene(report(secondsAgo: 30), columns: 17), hasHeading: false), 17)
        #expect(lines.first?.hasPrefix("A Head of…") == true, "\(lines)")
        #expect(lines.dropFirst() == ["P Peloton   +1:24", "B Zoé gro…  +5:00"], "\(lines)")
    }

    /// The latest message of the ticker comes first once the groups are older than three minutes and than the message.
    @Test func putsNewerMessagesBeforeOldGroups() {
        func first(_ age: Int64, message: Int64, hasGroups: Bool = true) -> [String] {
            var report = report(secondsAgo: age)
            if !hasGroups { report.groups = nil }
            let lines = [
                TickerLine(time: Timestamp.rfc3339(ShowsGroups.now - message), text: "Ana goes"),
                TickerLine(time: Timestamp.rfc3339(ShowsGroups.now - 1000), text: "Bea is down"),
            ]
            return text(StageLiveText.newer(lines, than: scene(report)), 80)
        }
        #expect(first(181, message: 180).first?.hasSuffix("  Ana goes") == true && first(1000, message: 9).count == 1)
        #expect(first(180, message: 9).isEmpty && first(400, message: 400).isEmpty)
        #expect(first(400, message: 9, hasGroups: false).isEmpty && StageLiveText.newer([], than: nil).isEmpty)
    }

    /// Narrow panes have a line for each group, and the signs of jerseys where names don't fit.
    @Test(arguments: [58, 48, 44, 40, 37, 30, 18, 10])
    func takesALineForEachGroupInNarrowPanes(columns: Int) {
        let scene = scene(report(secondsAgo: 30), columns: columns)
        let lines = text(StageLiveText.groups(scene, hasHeading: false), columns)
        #expect(lines.map(\.first) == ["A", "P", "B"], "\(lines)")
        #expect(lines.allSatisfy { $0.contains("●") == ($0.first != "B") } || columns < 30, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= columns } && lines[1].contains("+1:24"), "\(lines)")
    }

    /// Where not all names of wearers fit, the others have their signs.
    @Test func showsEachWearer() {
        var report = report(secondsAgo: 30)
        report.groups?[1].riders = (13...160).map { String($0) }
        report.groups?[1].size = 160
        for columns in [46, 50, 58, 62, 70] {
            let scene = scene(report, columns: columns) { scene in
                scene.roster = LiveRoster(
                    riders: ShowsGroups.roster.riders,
                    wearers: zip(Classification.standings, ["150", "151", "152", "153"]).map {
                        .init(list: $0, rider: $1)
                    })
            }
            let line = text(StageLiveText.groups(scene), 200)[2]
            #expect(line.count { $0 == "●" } == 4 && line.count <= columns, "\(line)")
            #expect(line.contains(/\+15\d$/), "\(line)")
        }
    }

    @Test func namesJerseysWithoutColors() {
        let lines = lines(scene(report(secondsAgo: 30)) { $0.hasColors = false })
        #expect(lines[1].contains("Rio 12 (polka-dot jersey), Rio 11"), "\(lines)")
        let spoken = self.lines(scene(report(secondsAgo: 30), columns: 2000) { $0.isLinear = true })
        #expect(
            spoken[1] == "Head of the race (2): 47.2 km to go · 42 km/h · Ana Rio 12 (polka-dot jersey), Ana Rio 11",
            "\(spoken)")
        #expect(spoken[2].hasSuffix("Ana Rio 150 (yellow jersey) and 159 more"), "\(spoken)")
    }

    @Test func colorsTheSignsOfJerseys() throws {
        let scene = scene(report(secondsAgo: 30))
        let links = StageLiveText.groups(scene).flatMap { $0.spans }.filter { $0.text == "●" }.map(\.link)
        #expect(links.map { LiveScene.rider(of: $0) } == [11, 149])
        let colors = links.map { LiveScene.color(of: $0, in: ShowsGroups.jerseys) }
        #expect(colors == [.rgb(0xE4, 0x00, 0x2B), .rgb(0xFF, 0xD8, 0x00)])
        // White can't be seen on white, so it is a ring in the colour of the text.
        var white = scene
        white.jerseys = [Jersey(classification: "general", name: "maillot blanc")]
        #expect(white.jersey(.general) == "○" && LiveScene.color(of: links[1], in: white.jerseys) == nil)
        #expect(LiveScene.rider(of: 0) == nil && scene.link(to: "nobody") == 0)
        // Yellow gets darker on white, and stays as it is on black.
        let (light, dark) = (RGB(255, 255, 255), RGB(0, 0, 0))
        let yellow = try #require(LiveScene.color(of: links[1], in: ShowsGroups.jerseys, on: light))
        let shown = try #require(yellow.components(standard: light, ansi: [:]))
        #expect(shown.contrast(with: light) >= 3 && shown.red > shown.blue && shown.green > shown.blue)
        #expect(LiveScene.color(of: links[1], in: ShowsGroups.jerseys, on: dark) == .rgb(0xFF, 0xD8, 0x00))
    }

    @Test(
        arguments: [(110, "▼ 0:26", "down 0:26"), (60, "▲ 0:24", "up 0:24"), (82, nil, nil)]
            as [(Int, String?, String?)])
    func saysHowAGapHasChanged(before: Int, arrow: String?, words: String?) {
        var history = LiveHistory()
        let newest = report(secondsAgo: 30)
        history.add(report(secondsAgo: 340, gap: before))
        history.add(newest)
        func line(_ hasUnicode: Bool) -> String {
            lines(scene(newest) { ($0.history, $0.hasUnicode) = (history, hasUnicode) })[2]
        }
        #expect(line(true).contains("+1:24" + (arrow.map { " " + $0 } ?? "  ")))
        #expect(line(false).contains("+1:24" + (words.map { " " + $0 } ?? "  ")))
    }

    /// Groups are faint after three minutes. After a quarter of an hour they say nothing about the race any more.
    @Test func distrustsOldGroups() {
        func roles(_ age: Int64) -> [TextRole] {
            StageLiveText.groups(scene(report(secondsAgo: age))).dropFirst().compactMap { $0.spans.first?.role }
        }
        #expect(roles(170).allSatisfy { $0 == [] } && roles(190).allSatisfy { $0 == .secondary })
        let old = scene(report(secondsAgo: 901))
        #expect(lines(old).count == 1 && lines(old)[0].hasPrefix("The groups of "))
        #expect(lines(old)[0].hasSuffix(" are out of date.") && StageLiveText.marks(old, of: 160).isEmpty)
    }

    // MARK: The bar

    @Test func zoomsTheBarToTheGroups() {
        var report = report(secondsAgo: 30)
        report.groups?[2].kmToGo = 57
        let wide = text(StageLiveText.bar(scene(report), of: 160), 80)
        #expect(wide.count == 1 && wide[0].hasSuffix("┤  km 102–114 of 160"), "\(wide)")
        let letters = wide[0].filter { "ABP●".contains($0) }
        #expect(letters == "BP●A●" && wide[0].hasPrefix("├──"), "\(wide)")
        let narrow = text(StageLiveText.bar(scene(report, columns: 30), of: 160), 30)
        #expect(narrow.count == 2 && narrow[0].count == 30 && narrow[1] == "km 102–114 of 160", "\(narrow)")
        #expect(text(StageLiveText.bar(scene(report, columns: 7), of: 160), 30) == ["km 102–114 of 160"])
        let plain = text(
            StageLiveText.bar(scene(report) { ($0.hasUnicode, $0.hasColors) = (false, false) }, of: 160), 80)
        #expect(plain[0].filter { "ABP".contains($0) } == "BPA" && !plain[0].contains("─"), "\(plain)")
        #expect(StageLiveText.bar(scene(report) { $0.isLinear = true }, of: 160).isEmpty)
        #expect(StageLiveText.bar(scene(report), of: nil).isEmpty)
    }

    /// Groups that are close together move apart, so that each can be seen.
    @Test(arguments: [12, 20, 40, 80])
    func givesEachGroupAPlaceOnTheBar(columns: Int) {
        var report = LiveReport(at: Timestamp.rfc3339(ShowsGroups.now))
        report.groups = (0..<6).map {
            LiveGroup(name: "Gr. \($0)", kmToGo: 10 + Double($0) / 100, size: 1, riders: ["\($0)"])
        }
        let line = text(StageLiveText.bar(scene(report, columns: columns), of: 160), columns)[0]
        #expect(
            line.filter { $0.isLetter && $0 != "k" && $0 != "m" }.prefix(6) == "FEDCBP" || line.contains("P"), "\(line)"
        )
        #expect(line.count <= columns)
    }

    /// From the 26th on, groups have the same sign instead of a letter.
    @Test func showsTheJerseyOfAGroupWithoutALetter() {
        var report = LiveReport(at: Timestamp.rfc3339(ShowsGroups.now))
        // The rider in yellow is in the last of 28 groups.
        report.groups = (0..<28).map { LiveGroup(name: "Gr. \($0)", kmToGo: Double($0), riders: ["\($0 + 123)"]) }
        let line = text(StageLiveText.bar(scene(report, columns: 100), of: 160), 100)[0]
        #expect(line.contains("·●") && line.filter { $0 == "●" }.count == 1, "\(line)")
    }

    @Test(arguments: [([100, 110], 99, 111), ([100, 100], 99, 101), ([0, 1], 0, 2), ([159.9, 160], 158, 160)])
    func showsTheRoadBetweenTheGroups(positions: [Double], first: Double, last: Double) {
        #expect(StageLiveText.road(positions, of: 160) == first...last)
    }

    // MARK: Riders

    @Test func findsRidersByNameAndNumber() {
        let roster = LiveRoster(riders: [
            Rider(id: "1", name: "Zoé de la Cruz", number: 1), Rider(id: "2", name: "Ana O'Neill-Rio", number: 21),
        ])
        func found(_ text: String) -> [String] { roster.riders(matching: text, limit: 5).map(\.key) }
        #expect(found("zoe") == ["1"] && found("CRUZ zo") == ["1"] && found("neil") == ["2"] && found("rio a") == ["2"])
        #expect(found("21") == ["2"] && found("2").isEmpty && found(" ").isEmpty && found("oé").isEmpty)
        #expect(ShowsGroups.roster.riders(matching: "rio", limit: 3).map(\.key) == ["1", "2", "3"])
    }

    @Test func saysWhereARiderIs() {
        let scene = scene(report(secondsAgo: 30))
        let places = [
            RiderPlace(list: .results, stage: 3, place: 4, gap: 12),
            RiderPlace(list: .general, stage: 2, place: 3, gap: 80),
            RiderPlace(list: .points, stage: 2, place: 12, points: 45),
        ]
        func lines(_ rider: String, _ scene: LiveScene?, _ columns: Int = 80) -> [String] {
            text(StageLiveText.rider(rider, places, ShowsGroups.roster, scene, columns: columns), columns)
        }
        let found = lines("150", scene)
        #expect(found[0] == "Rider   Ana Rio 150 · number 150 · Casa Azul", "\(found)")
        #expect(found[1].hasPrefix("Group   P Peloton +1:24, as of "), "\(found)")
        #expect(found[2] == "Places  stage 4 +0:12 · general 3 +1:20 · points 12 (45)", "\(found)")
        #expect(lines("150", scene, 30) == ["▸ Rio 150: P +1:24 · stage 4", "+0:12"])
        #expect(lines("4", scene)[1] == "Group   withdrew in stage 3: outside the time limit")
        // Old groups say nothing about a rider either.
        #expect(lines("150", self.scene(report(secondsAgo: 901))).count == 2 && lines("150", nil).count == 2)
        let gone = text(StageLiveText.withdrawals(ShowsGroups.roster, of: 3), 80)
        #expect(
            gone == ["Withdrawals", "Ana Rio 4  outside the time limit", "Ana Rio 5  withdrew", "Ana Rio 6  lost"],
            "\(gone)")
        #expect(StageLiveText.withdrawals(ShowsGroups.roster, of: 9).isEmpty)
    }

    @Test func tellsSpeedAndWeather() {
        var stage = Stage(number: 1, start: "A", finish: "B")
        var report = LiveReport()
        func words() -> String? { StageLiveText.conditions(report, of: stage)?.string }
        #expect(words() == nil && StageLiveText.conditions(nil, of: stage) == nil)
        (report.meanSpeed, report.temperature, report.wind) = (41.24, 26.4, 13)
        #expect(words() == "41.2 km/h on average · 26 °C · wind 13 km/h")
        stage.weather = "rain"
        #expect(words() == "41.2 km/h on average · rain")
    }

    @Test func namesWhatComesNext() {
        var stage = Stage(number: 1, start: "A", finish: "B")
        stage.climbs = [Climb(name: "Télégraphe", km: 92, length: 11.9, gradient: 7.1), Climb(km: 120)]
        stage.sprints = [Sprint(name: "Vila", km: 60)]
        func next(_ km: Double?) -> String? { StageLiveText.next(after: km, on: stage)?.string }
        #expect(next(nil) == nil && next(130) == nil)
        #expect(next(55.5) == "Next: Vila in 4.5\u{A0}km")
        #expect(next(80) == "Next: Télégraphe in 12\u{A0}km, 11.9\u{A0}km\u{A0}at\u{A0}7.1\u{A0}%")
        #expect(next(100) == "Next: a climb in 20\u{A0}km")
    }
}
