import Feeds
import Foundation
import LibraryTesting
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// The immediate effect of settings for the whole program, and of a configuration that changes.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct AppliesSettings {
    // MARK: Appearance

    @Test func appliesTheThemeAtStart() async throws {
        for name in ["terminal", "dark", "light", "rosa", "high contrast", "monochrome"] {
            try await StartedDashboard.both("appearance.theme", name) { #expect($0.window.theme.name == name) }
        }
        // A missing theme falls back to the terminal's.
        try await StartedDashboard.both("appearance.theme", "nothing") { #expect($0.window.theme.name == "terminal") }
    }

    @Test func appliesTheDateFormatOfLists() async throws {
        for (value, date) in [("relative", " 07:40"), ("day", "19 Nov 2026"), ("iso", "2026-11-19 07:40")] {
            try await StartedDashboard.both("appearance.dates", value) { dashboard in
                #expect(await dashboard.screen.press("enter", until: date), "\(value)")
                #expect(dashboard.services.appearance.dates.style.rawValue == value)
            }
        }
    }

    @Test func appliesMotionAndLinearMode() async throws {
        var colors = TerminalCapabilities()
        colors.colors = .direct
        for (motion, linear) in [("on", "off"), ("off", "off"), ("on", "on"), ("off", "on")] {
            try await StartedDashboard.both("appearance.motion", motion, capabilities: colors) { dashboard in
                dashboard.set(linear, for: SettingKey<Bool>.linear.name)
                #expect(dashboard.window.isLinear == (linear == "on"))
                #expect((dashboard.window.motion == .full) == (motion == "on" && linear == "off"))
                #expect(dashboard.services.keys.map.namesKeys == (linear == "on"))
            }
        }
        try await StartedDashboard.both("appearance.screen-reader", "on", capabilities: colors) { dashboard in
            #expect(dashboard.window.isLinear && dashboard.window.motion == .reduced)
        }
        try await StartedDashboard.both("appearance.screen-reader", "off", capabilities: colors) { dashboard in
            #expect(!dashboard.window.isLinear && dashboard.window.motion == .full)
        }
    }

    @Test func appliesThePictureSetting() async throws {
        let details: [(String, ImageDetail?)] = [
            ("auto", ImageDetail(rawValue: "auto")), ("halves", .halves),
            ("quadrants", ImageDetail(rawValue: "quadrants")), ("sextants", ImageDetail(rawValue: "sextants")),
            ("kitty", ImageDetail(rawValue: "kitty")), ("sixel", ImageDetail(rawValue: "sixel")), ("nothing", .halves),
        ]
        for (value, detail) in details {
            let dashboard = try StartedDashboard(
                try await StartedDashboard.library(), file: ["appearance.pictures": value])
            #expect(detail != nil && dashboard.services.appearance.imageDetail == detail, "\(value)")
        }
    }

    @Test func appliesTheArticleWidth() async throws {
        for value in ["40", "80", "120"] {
            try await StartedDashboard.both("appearance.article-width", value, width: 200) { dashboard in
                #expect(await dashboard.screen.press("enter", "j", "j", "enter", until: "A line of a longer article."))
                let text = dashboard.window.focusedView as? TextView
                #expect(text?.maximumColumns == Int(value), "\(value)")
            }
        }
    }

    // MARK: Columns

    /// Applies each column setting to the split views of all segments, whether created before or after the change.
    @Test func appliesTheColumnsOfEachSegment() async throws {
        let table: [(String, String, (SplitViewController) -> Bool)] = [
            ("appearance.list-width", "38", { $0.preferredPrimaryColumnWidthFraction == 0.38 }),
            ("appearance.list-width", "50", { $0.preferredPrimaryColumnWidthFraction == 0.5 }),
            (
                "appearance.list-side", "left",
                { $0.minimumPrimaryColumnWidth == 26 && $0.maximumPrimaryColumnWidth == 56 }
            ),
            (
                "appearance.list-width", "50",
                { $0.minimumPrimaryColumnWidth == 10 && $0.maximumPrimaryColumnWidth == 300 }
            ),
            ("appearance.narrow-list", "slide", { !$0.showsNarrowListAsPopover && !$0.stacksListInTallPanes }),
            ("appearance.narrow-list", "popover", { $0.showsNarrowListAsPopover && !$0.stacksListInTallPanes }),
            ("appearance.narrow-list", "above", { $0.stacksListInTallPanes && !$0.showsNarrowListAsPopover }),
            ("appearance.list-side", "left", { $0.primaryEdge == .leading }),
            ("appearance.list-side", "right", { $0.primaryEdge == .trailing }),
            (
                "appearance.lists", "beside",
                { $0.preferredDisplayMode == .automatic && $0.preferredSplitBehavior == .automatic }
            ),
            (
                "appearance.lists", "over",
                { $0.preferredDisplayMode == .automatic && $0.preferredSplitBehavior == .overlay }
            ),
            (
                "appearance.lists", "aside",
                { $0.preferredDisplayMode == .automatic && $0.preferredSplitBehavior == .displace }
            ),
            (
                "appearance.lists", "hidden",
                { $0.preferredDisplayMode == .primaryHidden && $0.preferredSplitBehavior == .automatic }
            ),
        ]
        for (name, value, isRight) in table {
            try await StartedDashboard.both(name, value) { dashboard in
                for segment in DashboardSegment.all {
                    dashboard.screen.press(DashboardSegment.key(of: segment.name))
                    #expect(dashboard.split.map(isRight) == true, "\(name) = \(value) in \(segment.name)")
                }
            }
        }
        // An existing segment applies it although another one is shown.
        let dashboard = try StartedDashboard(try await StartedDashboard.library())
        dashboard.screen.press(DashboardSegment.key(of: "stages"), DashboardSegment.key(of: "feeds"))
        dashboard.set("right", for: "appearance.list-side")
        dashboard.set("over", for: "appearance.lists")
        dashboard.screen.press(DashboardSegment.key(of: "stages"))
        #expect(dashboard.split?.primaryEdge == .trailing && dashboard.split?.preferredSplitBehavior == .overlay)
    }

    /// Dragging the divider and its keys set the width in whole percent.
    @Test func storesAWidthChosenWithTheMouse() async throws {
        let dashboard = try StartedDashboard(try await StartedDashboard.library())
        for (fraction, value) in [(0.304, "30"), (0.305, "31"), (0.5, "50"), (0.2, "20")] {
            dashboard.split?.primaryColumnWidthFractionDidChange(fraction)
            try await dashboard.settle()
            #expect(dashboard.settings["appearance.list-width"] == SettingValue(value: value, origin: .here))
        }
    }

    @Test func appliesTheWidthThresholds() async throws {
        try await StartedDashboard.both("appearance.two-columns-from", "121") {
            #expect($0.window.traits.horizontal == .narrow)
        }
        try await StartedDashboard.both("appearance.three-columns-from", "120") {
            #expect($0.window.traits.horizontal == .wide)
        }
        try await StartedDashboard.both("appearance.three-columns-from", "121") {
            #expect($0.window.traits.horizontal == .regular)
        }
    }

    // MARK: The terminal

    @Test func appliesTheMouseSetting() async throws {
        for value in ["on", "off"] {
            try await StartedDashboard.both("terminal.mouse", value) {
                #expect($0.screen.terminal.reportsMouse == (value == "on"))
            }
        }
    }

    @Test func appliesTheWindowTitleSetting() async throws {
        for (value, title) in [("on", "tappa · 4 unread"), ("off", "")] {
            try await StartedDashboard.both("terminal.title", value) {
                #expect($0.screen.terminal.title.string == title)
            }
        }
    }

    // MARK: A configuration that changes

    @Test func appliesANewConfigurationWhileRunning() async throws {
        let dashboard = try StartedDashboard(try await StartedDashboard.library())
        func take(
            _ settings: [String: String], keys: KeyMap = KeyMap(), rules: [Rule] = [], themes: [Theme] = [],
            problems: [String] = []
        ) {
            dashboard.controller.take(
                DashboardConfiguration(keyMap: keys, entryCommands: [], themes: themes, problems: problems),
                settings: settings, rules: rules)
            dashboard.screen.application.render()
        }
        let rule = Rule(name: "big", when: try SearchQuery("big"), then: [.mark(.starred)])
        let colors = TerminalColors(foreground: .white, background: .black, ansi: [6: RGB(1, 2, 3)])
        take(
            ["appearance.list-side": "right", "terminal.mouse": "off", "appearance.theme": "sea"],
            keys: KeyMap(["program.reloadAll": ["f5"]]), rules: [rule], themes: [Theme(name: "sea", colors: colors)],
            problems: ["config.toml, line 1: oops"])
        #expect(dashboard.split?.primaryEdge == .trailing && !dashboard.screen.terminal.reportsMouse)
        #expect(dashboard.window.theme.colors?.ansi[6] == RGB(1, 2, 3))
        #expect(dashboard.library.rules == [rule])
        #expect(dashboard.said == "config.toml, line 1: oops")
        #expect(dashboard.settings["terminal.mouse"].origin == .file)
        take([:], problems: ["one", "two", "three"])
        #expect(dashboard.said == "one (and 2 more)")
        var configuration = DashboardConfiguration()
        configuration.notices = ["'enter' is lost", "'down' is lost"]
        #expect(configuration.problem == nil && configuration.notice == "'enter' is lost (and 1 more)")
        configuration.problems = ["one"]
        #expect(configuration.problem == "one (and 2 more)")
        #expect(dashboard.split?.primaryEdge == .leading && dashboard.screen.terminal.reportsMouse)
        #expect(dashboard.library.rules.isEmpty && dashboard.window.theme.name == "terminal")
        take([:])
        #expect(dashboard.said == nil)
        dashboard.controller.tell(configurationProblem: "half-written")
        #expect(dashboard.said == "half-written")
        // A value set in the program overrides the file.
        dashboard.set("left", for: "appearance.list-side")
        take(["appearance.list-side": "right"])
        #expect(dashboard.split?.primaryEdge == .leading)
    }

    @Test func appliesConfiguredKeysAtOnce() async throws {
        let dashboard = try StartedDashboard(try await StartedDashboard.library())
        let map = KeyMap(["segments.next": ["b"]])
        dashboard.controller.take(
            DashboardConfiguration(keyMap: map, entryCommands: [], themes: [], problems: []), settings: [:],
            rules: [])
        dashboard.screen.press("b")
        #expect(dashboard.screen.text.contains("▐" + DashboardSegment.titleOfNext(after: "feeds")))
        let next = try #require(CommandTable.dashboard.commands.first { $0.name == "segments.next" })
        #expect(
            dashboard.services.access.status.key(next) == "b" && dashboard.services.keys.map.keys(for: next) == ["b"])
    }
}
