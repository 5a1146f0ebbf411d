import Foundation
import LibraryTesting
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment

/// Segments of the user: lists and races in the bar, in any order.
@MainActor
@Suite struct MakesSegments {
    private static let feed = "https://loaf.example/feed"

    private func started(
        _ segments: String, _ width: Int = 100, _ height: Int = 24, start: String? = nil, state: DashboardState? = nil
    ) async throws -> DashboardScreen {
        try await DashboardScreen(
            width, height, segment: start, state: state,
            adjust: {
                $0.settings.use(segments, for: SettingKey<String>.segments.name)
            })
    }

    private func bar(_ dashboard: DashboardScreen) -> String { dashboard.screen.lines[0] }

    private func setting(_ dashboard: DashboardScreen) -> String { dashboard.settings[.segments] }

    @Test func SEG_14_listsAndRacesAreSegments() async throws {
        let dashboard = try await started("unread feeds \"search:split is:unread\" race:volta settings")
        let screen = dashboard.screen
        #expect(await screen.press("1") { bar(dashboard).contains("▐Unread 4▌") }, "\(bar(dashboard))")
        #expect(bar(dashboard).contains("Feeds 4  split is:unread") && bar(dashboard).contains("Volta 2026  Settings"))
        #expect(screen.text.contains("Mail app style"))
        screen.press("3")
        #expect(bar(dashboard).contains("▐split is:unread"))
        screen.press("4")
        #expect(bar(dashboard).contains("▐Volta 2026▌") && screen.text.contains("Porto → Lisbon"))
        screen.press("tab", "tab")
        #expect(bar(dashboard).contains("▐Unread"))
        // The bar leaves Stages out, but commands still go there.
        dashboard.controller.showStage(2, of: "volta-2026")
        screen.application.send([])
        #expect(bar(dashboard).contains("▐Stages▌"))
        screen.press("2")
        #expect(!bar(dashboard).contains("Stages"))
    }

    @Test func SEG_15_aRowBecomesASegmentAndBack() async throws {
        let dashboard = try await started("stages feeds settings")
        let screen = dashboard.screen
        try await dashboard.press("g", "g", "ctrl-x", "t")
        #expect(setting(dashboard) == "stages feeds settings unread")
        #expect(await screen.wait { bar(dashboard).contains("Settings  Unread 4") })
        try await dashboard.press("4", "ctrl-x", "t")
        #expect(setting(dashboard) == "stages feeds settings" && !bar(dashboard).contains("Unread 4"))
        screen.press("1", "ctrl-x", "t")
        try await dashboard.settle()
        #expect(setting(dashboard) == "stages feeds settings race:volta-2026")
        // Settings can't be a segment.
        #expect(screen.press("3", "ctrl-x", "t", shows: "Only lists and races"))
    }

    @Test func SEG_16_settingsArrangeTheSegments() async throws {
        let dashboard = try await started("stages feeds settings", 100, 30)
        let screen = dashboard.screen
        dashboard.controller.open(.setting("segments"))
        screen.application.send([])
        func press(_ keys: String...) async throws {
            for key in keys { screen.press(key) }
            try await dashboard.settle()
        }
        try await press("J", "J")
        #expect(setting(dashboard) == "feeds settings stages")
        try await press("K")
        #expect(
            setting(dashboard) == "feeds stages settings" && bar(dashboard).hasPrefix(" Feeds 4  Stages ▐Settings▌"))
        try await press("x")
        #expect(setting(dashboard) == "feeds settings")
        #expect(await screen.press("a", until: "Add segment"))
        screen.type("starred")
        try await press("enter")
        #expect(setting(dashboard) == "feeds settings starred")
        // Settings can be hidden while they are open, and come back by command.
        try await press("g", "g", "j", "x")
        #expect(setting(dashboard) == "feeds starred" && bar(dashboard).contains("Starred ▐Settings▌"))
        try await press("x", "x", "x")
        #expect(setting(dashboard) == "feeds")
        try await press("D")
        #expect(dashboard.settings[SettingKey<String>.segments.name].origin == .standard)
    }

    @Test func SEG_17_eachSegmentKeepsItsState() async throws {
        let segments = "feeds feed:\(Self.feed) all settings"
        let first = try await started(segments)
        first.screen.press("2", "j", "enter", "3", "enter", "1")
        let state = try #require(first.savedState())
        #expect(Set(state.roots.keys) == ["feeds", "feed:\(Self.feed)", "all"] && state.segment == "feeds")
        let second = try await started(segments, state: state)
        second.screen.press("2")
        let again = try #require(second.savedState())
        func feed(_ state: DashboardState) throws -> DashboardState.FeedState {
            let text = try #require(state.roots["feed:\(Self.feed)"])
            return try JSONDecoder().decode(DashboardState.FeedState.self, from: Data(text.utf8))
        }
        #expect(try feed(again) == feed(state) && feed(state).openEntry != nil)
        // A state of a segment that is gone does no harm.
        let third = try await started("stages", state: again)
        #expect(bar(third).contains("▐Stages▌"))
    }

    @Test func SEG_18_aListWaitsForItsFeed() async throws {
        let dashboard = try await started("feed:https://new.example/feed feeds")
        #expect(dashboard.screen.press("1", shows: "not in the library"))
        _ = try await dashboard.library.follow("https://new.example/feed")
        #expect(await dashboard.screen.wait { !dashboard.screen.text.contains("not in the library") })
    }

    @Test func SEG_19_everyPlaceOpens() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let entry = try #require(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1).first)
        for (text, shown) in [
            ("unread", "▐Feeds"), ("starred", "No starred"), ("feed:\(Self.feed)", "▐Feeds"),
            ("search:split", "Split View"),
            ("entry:\(entry.id)", entry.title), ("entry:\(entry.id)@all", entry.title), ("race:volta/2", "▐Stages▌"),
            ("race:volta-2026", "▐Stages▌"), ("settings:theme", "▐Settings▌"), ("stages", "▐Stages▌"),
            ("settings:segments", "▐Settings▌"), ("recent", "Recently read"), ("tag:none", "▐Feeds"),
        ] {
            // What is presented gives way.
            dashboard.screen.press("?")
            #expect(dashboard.controller.show(try Place(text)) == nil, "\(text)")
            dashboard.screen.application.send([])
            #expect(await dashboard.screen.wait(for: shown), "\(text): \(shown)")
        }
        for text in ["feed:https://none.example/", "entry:999999", "race:none", "race:volta/99"] {
            #expect(dashboard.controller.show(try Place(text)) != nil, "\(text)")
        }
    }

    @Test func startsAtAPlace() async throws {
        let dashboard = try await DashboardScreen(120, 30, adjust: { $0.start.place = .race("volta", stage: 3) })
        #expect(await dashboard.screen.wait(for: "▐Stages▌"))
        #expect(dashboard.screen.text.contains("Lisbon → Évora"))
    }

    /// Another pane shows the selected entry, list or stage. It is offered only where there can be one.
    @Test func opensInAnotherPane() async throws {
        final class Opened { var places: [String] = [] }
        let opened = Opened()
        let dashboard = try await DashboardScreen(
            120, 30,
            adjust: {
                $0.programs.openPane = { place, pane in
                    opened.places.append("\(place.text) \(pane)")
                    return nil
                }
            })
        let screen = dashboard.screen
        #expect(await screen.press("g", "g", "ctrl-x", "p", "enter", "ctrl-x", "w") { opened.places.count == 2 })
        #expect(opened.places.first == "unread beside" && opened.places.last?.hasSuffix("@unread window") == true)
        screen.press(DashboardSegment.key(of: "stages"))
        screen.resize(80, 50)
        #expect(await screen.press("ctrl-x", "p") { opened.places.last == "race:volta-2026/1 below" })
        let outside = try await DashboardScreen(120, 30)
        #expect(!outside.screen.application.window.offeredCommands.contains { $0.name == "place.openPane" })
    }

    @Test func keepsWorkingAtEverySize() async throws {
        let dashboard = try await started("unread all starred feeds race:volta tag:a folder:b recent settings stages")
        for (width, height) in [(1, 1), (3, 2), (10, 3), (20, 6), (39, 12), (70, 20), (110, 24), (150, 40), (200, 50)] {
            dashboard.screen.resize(width, height)
            for key in ["1", "2", "5", "tab", "j", "enter", "esc", "9", "backtab"] { dashboard.screen.press(key) }
            if width >= 39 { #expect(bar(dashboard).contains("▐"), "\(width) x \(height): \(bar(dashboard))") }
        }
        dashboard.screen.resize(30, 6)
        dashboard.screen.press("2")
        #expect(bar(dashboard).contains("2/10"))
    }
}
