import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Pictures
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// The list of stages: its rows and headings, finding, and its commands.
@MainActor
@Suite struct ListsStages {
    private static func race(_ name: String, _ days: [String], more: String = "") -> String {
        let stages = days.enumerated().map { index, day in
            #"{"number": \#(index + 1), "date": "\#(day)", "start": "\#(name) \#(index + 1)", "finish": "Sea"\#(more)}"#
        }
        return #"{"race": "\#(name)", "year": 2026, "stages": [\#(stages.joined(separator: ","))]}"#
    }

    private func store(_ text: String, in dashboard: DashboardScreen) async throws {
        try await dashboard.library.store(RaceFile.read(Data(text.utf8)))
    }

    /// The lines of the list on the screen.
    private func list(_ screen: TestScreen) -> [String] {
        screen.lines.map {
            String($0.prefix { $0 != "│" }).replacing("▌", with: " ").trimmingCharacters(in: .whitespaces)
        }
    }

    private func line(of text: String, on screen: TestScreen) -> Int? { list(screen).firstIndex { $0.contains(text) } }

    @Test func STA_01_showsNumberRouteDayTypeAndDistance() async throws {
        let dashboard = try await DashboardScreen(160, 30, segment: "stages")
        let lines = list(dashboard.screen)
        let rows: [(first: String, second: [String], distance: String, winner: String)] = [
            ("▬  1 Porto → Lisbon", ["Tue 10 Nov", "━━━━━"], "150 km", "One"),
            ("◷  2 Lisbon", ["Wed 11 Nov", "╸"], "12.8 km", "Two"),
            ("◆  3 Lisbon → Évora", ["Thu 12 Nov", "━━━━━"], "152 km", ""),
            ("4 Évora → Vila Real de Santo António", ["Fri 13 Nov"], "", ""),
            ("▲  5 Tavira → Sagres", ["━━━━━"], "154.5 km", ""),
        ]
        for (first, second, distance, winner) in rows {
            let row = try #require(lines.firstIndex { $0.hasSuffix(first) }, "\(first)")
            #expect(lines[row + 1].hasPrefix(second.joined(separator: "  ")), "\(lines[row + 1])")
            let end = lines[row + 1].split(separator: " ").suffix(2 + (winner.isEmpty ? 0 : 1)).joined(separator: " ")
            #expect(
                end == [distance, winner].joined(separator: " ").trimmingCharacters(in: .whitespaces)
                    || distance.isEmpty)
        }
    }

    /// A stage that starts and ends in one place is named once, and the next stage shows how far away it is.
    @Test func showsHowFarTheNextStageIs() async throws {
        let days: [(String, String)] = [
            ("2026-11-20", "today"), ("2026-11-21", "tomorrow"), ("2026-11-27", "in 1 week"),
        ]
        for (day, words) in days {
            let dashboard = try await DashboardScreen(
                120, 30, segment: "stages", race: ListsStages.race("Volta", ["2026-11-19", day, "2026-12-20"]))
            let screen = dashboard.screen
            let row = try #require(line(of: "2 Volta 2", on: screen))
            #expect(list(screen)[row + 1] == words, "\(screen.text)")
            // Neither its predecessor nor its successor.
            #expect(list(screen)[row - 1] == "Thu 19 Nov" && list(screen)[row + 3] == "Sun 20 Dec", "\(list(screen))")
        }
    }

    @Test func showsTheStateOfAStageFirst() async throws {
        let race = ListsStages.race("Volta", ["2026-11-21"], more: #", "status": "shortened", "type": "flat""#)
        let dashboard = try await DashboardScreen(140, 30, segment: "stages", race: race)
        let row = try #require(line(of: "1 Volta 1", on: dashboard.screen))
        #expect(list(dashboard.screen)[row + 1] == "tomorrow · shortened")
    }

    /// The winner is at the right by the last name, or its beginning, as far as there is room.
    @Test func showsAsMuchOfTheWinnerAsFits() {
        func line(_ room: Int, bar: String? = StageRowText.bar(240), day: String = "Sun 23 May") -> StageRowText {
            StageRowText(
                .init(words: [day], distance: "222 km", distanceColumns: 7, bar: bar, winner: "Chris Anker Sørensen"),
                room: room)
        }
        #expect(line(60).line.string == "   Sun 23 May  ━━━━━━━━  222 km" && line(60).bar == 15..<23)
        for (room, end) in [
            (53, "Sørensen"), (52, "Sørensen"), (41, "Sørensen"), (40, "Sørens…"), (38, "Søre…"), (37, ""), (0, ""),
        ] { #expect(line(room).end.string == end, "\(room): \(line(room).end)") }
        // Without space for the bar the distance follows the day.
        #expect(line(30).line.string == "   Sun 23 May · 222 km" && line(30).bar == nil)
        #expect(line(60, bar: nil).line.string == "   Sun 23 May · 222 km")
        // A distance that would be cut is omitted.
        #expect(line(21, bar: nil).line.string == "   Sun 23 May")
        let short = StageRowText(
            .init(words: ["Sun 23 May"], distance: "222 km", distanceColumns: 6, bar: nil, winner: "Ivan Basso"),
            room: 36)
        #expect(short.end.string == "Basso")
        // Bars start in the same column below each other, whatever the length of the day.
        #expect(line(60, day: "Sat 8 May").bar == 15..<23)
        #expect(line(60, day: "tomorrow · Sat 8 May").bar == 25..<33)
        let unknown = StageRowText(
            .init(words: [], distance: .empty, distanceColumns: 0, bar: nil, winner: nil), room: 40)
        #expect(unknown.line.string == "   " && unknown.end.isEmpty)
    }

    /// A hidden winner isn't in the list.
    @Test func STA_11_hidesWinnersInTheList() async throws {
        let dashboard = try await DashboardScreen(160, 30, segment: "stages")
        #expect(list(dashboard.screen).contains { $0.hasSuffix(" One") })
        #expect(await dashboard.screen.press("I") { !self.list(dashboard.screen).contains { $0.hasSuffix(" One") } })
    }

    /// One race is named in the bar, several in headings of their own; a heading shows why a followed race could not be
    /// read.
    @Test func headsTheStagesOfEachRace() async throws {
        let dashboard = try await DashboardScreen(
            120, 30, segment: "stages", race: ListsStages.race("Volta", ["2026-11-19"]))
        let screen = dashboard.screen
        #expect(list(screen).filter { $0.contains("Volta 2026") }.count == 1)
        try await store(ListsStages.race("Tour", ["2026-11-25", "2026-11-26"]), in: dashboard)
        #expect(await screen.wait { self.line(of: "Tour 2026", on: screen) != nil })
        let (tour, volta) = (
            try #require(line(of: "Tour 2026", on: screen)), try #require(line(of: "Volta 2026", on: screen))
        )
        #expect(tour < volta && (tour..<volta).contains(line(of: "2 Tour 2", on: screen) ?? 0))
        #expect((line(of: "1 Volta 1", on: screen) ?? 0) > volta)
        // The same stage is still selected.
        #expect(screen.text.contains("Volta: Volta 1 → Sea"))
        var subscription = RaceSubscription(address: "https://race.example/t.json", raceID: "tour-2026", name: "t")
        let race = try #require(try dashboard.library.races.wholeRace("tour-2026"))
        try await dashboard.library.changes.perform(.followRace(race, subscription))
        subscription.error = "server error (500)"
        try await dashboard.library.changes.perform(UpdateRace(nil, subscription, at: 0))
        #expect(
            await screen.wait { self.line(of: "Tour 2026 · ! server error (500)", on: screen) != nil },
            "\(screen.text)")
        #expect(list(screen).contains { $0.hasPrefix("Volta 2026 ─") && !$0.contains("!") })
    }

    /// The search finds places, stage types and names of winners and leaders across all races.
    @Test func findsStagesByTheirWords() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages")
        let screen = dashboard.screen
        for (words, stage) in [
            ("sagres", "Tavira"), ("évora", "Lisbon → Évora"), ("hilly", "Lisbon → Évora"), ("two", "Volta: Lisbon"),
        ] {
            screen.press("g", "g", "/", typing: words, then: "enter")
            #expect(screen.lines[2].contains(stage), "\(words): \(screen.lines[2])")
        }
        screen.press("g", "g", "/", typing: "lisbon", then: "enter")
        var found = [screen.lines[2]]
        for _ in 0..<3 {
            screen.press("n")
            found.append(screen.lines[2])
        }
        #expect(Set(found).count == 3, "\(found)")
    }

    @Test func hidesResultsOfARaceOrOfAStage() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages")
        let screen = dashboard.screen
        let library = dashboard.library
        #expect(screen.text.contains("Rider One"))
        // Nothing is hidden, so there is nothing to reveal.
        #expect(screen.press("i", shows: "i: this needs a stage with a hidden result"))
        try await dashboard.settle()
        #expect(try library.races.race("volta-2026")?.stages.allSatisfy { !$0.isSpoiler } == true)
        #expect(await screen.press("I", until: "The spoilers of Volta 2026 are hidden."))
        #expect(await screen.wait { !screen.text.contains("Rider One") })
        #expect(try library.races.hidingSpoilers() == ["volta-2026"])
        #expect(await screen.press("i", until: "Rider One"))
        #expect(try library.races.race("volta-2026")?.stages.map(\.isSpoiler) == [false, true, true, true, true])
        #expect(await screen.press("i") { !screen.text.contains("Rider One") })
        #expect(await screen.press("I", until: "The spoilers of Volta 2026 are shown."))
        #expect(await screen.wait(for: "Rider One"))
        #expect(await screen.press("H", until: "Spoilers are hidden. i reveals a stage's result."))
        #expect(await screen.press("I", until: "The spoilers of all races are hidden. H shows them."))
        #expect(try library.races.hidingSpoilers() == nil)
    }

    @Test func deletesTheRaceOfTheChosenStage() async throws {
        let dashboard = try await DashboardScreen(
            120, 30, segment: "stages", race: ListsStages.race("Volta", ["2026-11-19"]))
        try await store(ListsStages.race("Tour", ["2026-11-25"]), in: dashboard)
        let screen = dashboard.screen
        #expect(await screen.wait { self.line(of: "Tour 2026", on: screen) != nil })
        #expect(await screen.press("d") { self.line(of: "Volta 1", on: screen) == nil })
        #expect(try dashboard.library.races.all().map(\.id) == ["tour-2026"])
        #expect(screen.text.contains("Tour: Tour 1 → Sea"))
        #expect(await screen.press("u") { self.line(of: "Volta 1", on: screen) != nil })
    }

    /// `w` writes the whole race of the selected stage, including placings that the list omits.
    @Test func writesTheWholeRace() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("r.json")
        let dashboard = try await DashboardScreen(
            120, 30, segment: "stages", race: ListsStages.race("Tour", ["2027-01-01"]))
        try await store(RacesOfAnyNumbers.document, in: dashboard)
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Volta 2026"))
        screen.press("g", "g")
        for _ in 0..<6 where !screen.text.contains("Volta: Porto") { screen.press("j") }
        #expect(screen.press("w", shows: "~/volta-2026.json"))
        screen.press("ctrl-u", typing: path, then: "enter")
        #expect(await screen.wait(for: "Saved Volta 2026 to"))
        let written = try RaceFile.read(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(written == (try dashboard.library.races.wholeRace("volta-2026")))
        // An existing file stays unchanged.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        screen.press("w", "ctrl-u", typing: path, then: "enter")
        #expect(await screen.wait { !screen.text.contains("Wrote Volta") })
        #expect(try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) == "mine")
    }

    // MARK: Adding

    /// A file is imported, an address is followed, and anything else changes nothing.
    @Test func addsFilesAndFollowsAddresses() async throws {
        let folder = TemporaryFolder()
        func calendar(_ days: String...) -> String {
            let events = days.map { "BEGIN:VEVENT\nDTSTART:\($0)\nSUMMARY:A - B\nEND:VEVENT\n" }
            return "BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n"
        }
        let file = try folder.write(calendar("20270701", "20270702"), to: "tour.ics")
        let bad = try folder.write("{", to: "bad.json")
        let (large, pipe) = (folder.path("large.json"), folder.path("pipe.json"))
        try Data(count: (8 << 20) + 1).write(to: URL(fileURLWithPath: large))
        #expect(mkfifo(pipe, 0o600) == 0)
        let giro = calendar("20270501")
        let server = try LoopbackServer { request in
            request.path == "/giro.ics" ? .init(giro) : .init(404)
        }
        let dashboard = try await DashboardScreen(120, 30, segment: "stages")
        let screen = dashboard.screen
        func add(_ place: String) {
            screen.press("T", "ctrl-u", typing: place, then: "enter")
        }
        add(file)
        #expect(await screen.wait(for: "Added tour 2027 with 2 stages"), "\(screen.text)")
        #expect(try dashboard.library.races.race("tour-2027")?.stages.count == 2)
        #expect(try dashboard.library.races.subscriptions().isEmpty)
        add(server.url("/giro.ics"))
        #expect(await screen.wait(for: "Following giro 2027 with 1 stage"), "\(screen.text)")
        #expect(try dashboard.library.races.subscriptions().map(\.raceID) == ["giro-2027"])
        let before = try dashboard.library.races.all()
        for (place, words) in [
            (bad, "invalid JSON"), (large, "larger than 8 MiB"), (pipe, "not a regular file"),
            (folder.path("none.json"), "none.json"), (server.url("/none"), "404"),
        ] {
            add(place)
            #expect(await screen.wait(for: words), "\(place): \(screen.text)")
        }
        #expect(try dashboard.library.races.all() == before && dashboard.library.races.subscriptions().count == 1)
    }

    // MARK: Facts

    private static func facts(
        _ stage: Stage, _ neighbours: Int = 0, at index: Int = 0, now: Instant = DashboardScreen.now,
        heading: Bool = false, isLinear: Bool = false, jersey: String? = nil
    ) -> [String] {
        useTimeZone()
        var stages = (0...max(neighbours, index)).map { Stage(number: $0 + 1, start: "S\($0 + 1)", finish: "F") }
        stages[index] = stage
        var race = Race(race: "Volta", year: 2026, stages: stages)
        race.leaderJersey = jersey
        let head = StageText.heading(race, index: index, isLinear: isLinear)
        let facts = StageText.facts(race, index: index, dates: DateText(style: .relative, now: now), isLinear: isLinear)
        return (head.dropFirst(heading ? 0 : 1) + facts).map { paragraph in
            let words = paragraph.firstPrefix.spans.map(\.text.string) + paragraph.spans.map(\.text.string)
            return words.joined().split { $0 == " " || $0 == "\u{A0}" }.joined(separator: " ")
        }
    }

    @Test func showsEveryFactInItsOrder() {
        var stage = Stage(
            number: 1, date: "2026-11-21", start: "Porto", finish: "Lisbon", distance: 150.5, type: "flat",
            winner: "Ana", leaderAfter: "Bea")
        stage.startTime = "2026-11-21T12:00:00+01:00"
        stage.finishTime = "2026-11-21T16:30:00+01:00"
        (stage.neutral, stage.status, stage.weather) = (4, "shortened", "rain")
        (stage.broadcastURL, stage.liveURL) = ("https://tv.example", "https://live.example")
        stage.climbs = [
            Climb(name: "Serra", km: 90, category: "HC", length: 8.5, gradient: 7.1, elevation: 1993.4, winner: "Cia"),
            Climb(km: 20),
        ]
        stage.sprints = [Sprint(name: "Coimbra", km: 60.5, winner: "Dora"), Sprint(km: 10)]
        #expect(
            ListsStages.facts(stage, heading: true, jersey: "yellow") == [
                "Porto → Lisbon", "Stage 1 of 1 · Volta 2026", "", "Date Saturday 21 November 2026 · tomorrow",
                "State shortened", "Start 11:00 UTC", "Finish 15:30 UTC", "Distance 150.5 km · neutral 4 km",
                "Type flat", "Winner Ana", "Leader Bea", "Weather rain", "Broadcast https://tv.example",
                "Live text https://live.example", "Jersey yellow", "", "km 10 sprint", "km 20 climb",
                "km 60.5 sprint at Coimbra · won by Dora",
                "km 90 Serra · category HC · 8.5 km · 7.1 % · 1993 m · won by Cia",
            ])
        #expect(ListsStages.facts(Stage(number: 1, start: "A", finish: "B")) == ["Stage 1 of 1 · Volta 2026", ""])
        // A race without its first stages.
        #expect(ListsStages.facts(Stage(number: 12, start: "A", finish: "B")) == ["Stage 12 of 12 · Volta 2026", ""])
    }

    /// The neighbours of the first, a middle and the last stage, also in screen-reader mode.
    @Test func namesTheStagesBesideIt() {
        let stage = Stage(number: 2, start: "X", finish: "Y")
        func last(_ index: Int, isLinear: Bool = false) -> [String] {
            Array(ListsStages.facts(stage, 2, at: index, isLinear: isLinear).dropFirst(2))
        }
        #expect(last(0) == ["", "› 2 S2 → F"])
        #expect(last(1) == ["", "‹ 1 S1 → F", "› 3 S3 → F"])
        #expect(last(2) == ["", "‹ 2 S2 → F"])
        #expect(last(1, isLinear: true) == ["", "before: 1 S1 to F", "next: 3 S3 to F"])
        #expect(ListsStages.facts(stage, heading: true, isLinear: true).first == "X to Y")
    }

    /// A hidden result is labelled from the day of the stage on.
    @Test func namesAHiddenResultFromItsDayOn() {
        for (day, isNamed) in [("2026-11-19", true), ("2026-11-20", true), ("2026-11-21", false), (nil, true)]
            as [(String?, Bool)]
        {
            var stage = Stage(number: 1, date: day, start: "A", finish: "B")
            stage.isSpoiler = true
            #expect(ListsStages.facts(stage).contains("Result hidden") == isNamed, "\(day ?? "-")")
        }
    }

    // MARK: Signs and colours

    @Test func hasSignAndColourOfEachStage() {
        let kinds: [(StageKind, String, String, ThemeRole)] = [
            (.flat, "▬", "-", .good), (.hilly, "◆", "~", .warm), (.mountain, "▲", "^", .failure),
            (.timeTrial, "◷", "t", .cool), (.teamTimeTrial, "◶", "T", .cool),
        ]
        for (kind, sign, plain, role) in kinds {
            #expect(kind.glyph(hasUnicode: true) == Glyph(sign.unicodeScalars.first!))
            #expect(kind.glyph(hasUnicode: false) == Glyph(plain.unicodeScalars.first!) && kind.role == role)
        }
        for (words, kind) in [
            ("TEAM TIME TRIAL", .teamTimeTrial), ("Individual Time Trial", .timeTrial), ("prologue", .timeTrial),
            ("High mountains", .mountain), ("hills", .hilly), ("Medium", .hilly), ("flat", .flat),
            ("for sprinters", .flat),
        ] as [(String, StageKind)] { #expect(StageKind(words) == kind, "\(words)") }
        #expect(StageKind(nil) == nil && StageKind("rest day") == nil)
    }

    /// A jersey has its colour in each of the languages of the races.
    @Test func coloursOfJerseysInEachLanguage() {
        let colours: [(Color, [String])] = [
            (.rgb(0xF4, 0x7C, 0xB0), ["Maglia Rosa", "pink jersey", "maillot rose"]),
            (
                .rgb(0xF2, 0xC8, 0x1C),
                ["maillot jaune", "yellow", "maglia gialla giallo", "camisola amarillo", "gelbes Trikot"]
            ),
            (.rgb(0xD8, 0x2A, 0x2A), ["La Roja", "jersey rojo", "red", "maglia rosso", "maillot rouge"]),
            (.rgb(0x2E, 0xA0, 0x4A), ["maillot verde", "maillot vert", "green", "grünes"]),
            (.rgb(0x2E, 0x6C, 0xD0), ["maglia azzurra", "azul", "maillot bleu", "blue", "blaues"]),
            (.rgb(0xC8, 0x96, 0x1E), ["jersey de oro", "gold", "ochre", "maillot ocre"]),
            (.rgb(0xE8, 0x80, 0x20), ["orange", "arancio", "naranja"]),
            (.rgb(0xFF, 0xFF, 0xFF), ["white", "maillot blanc", "maglia bianca", "camisola branca", "weißes"]),
            (.rgb(0xD8, 0x2A, 0x2A), ["polka-dot jersey", "maillot à pois", "lunares"]),
        ]
        for (colour, names) in colours {
            for name in names { #expect(JerseyColor.of(name) == colour, "\(name)") }
        }
        #expect(JerseyColor.of("striped") == nil)
        let whites = ["white", "red", "#f0f0f0"].map { name in
            JerseyColor.of(Jersey(classification: "youth", name: "x", color: name)).map(JerseyColor.isWhite)
        }
        #expect(whites == [true, false, true])
        #expect(
            JerseyColor.of(Jersey(classification: "general", name: "rosa", color: "green")) == JerseyColor.of("green"))
        #expect(JerseyColor.of(Jersey(classification: "general", name: "x", color: "#012AfF")) == .rgb(1, 0x2A, 0xFF))
    }
}
