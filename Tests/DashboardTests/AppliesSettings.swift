import FeedParsing
import Foundation
import LibraryTesting
import ModelCore
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// Every setting with its default, and the immediate effect of another value.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct AppliesSettings {
    /// The settings of each section in order, with their defaults.
    nonisolated private static let defaults: [(section: String, settings: [(String, String, String)])] = [
        (
            "Appearance",
            [
                ("appearance.theme", "Theme", "terminal"), ("appearance.colors", "Colours", "auto"),
                ("appearance.dates", "Dates", "relative"), ("appearance.motion", "Motion", "on"),
                ("appearance.screen-reader", "Screen-reader mode", "off"), ("appearance.pictures", "Pictures", "auto"),
                ("appearance.measure", "Width of articles", "80"), ("appearance.start", "Start with", "stages"),
            ]
        ),
        (
            "Columns",
            [
                ("appearance.lists", "Lists", "beside"), ("appearance.list-width", "List width", "38"),
                ("appearance.list-least-width", "Minimum list width", "26"),
                ("appearance.list-most-width", "Maximum list width", "56"),
                ("appearance.tall-panes", "Tall narrow panes", "slide"),
                ("appearance.narrow-list", "Narrow panes", "slide"), ("appearance.list-side", "List side", "left"),
                ("appearance.slide-from", "Sliding list from", "58"),
                ("appearance.two-columns-from", "Two columns from", "78"),
                ("appearance.three-columns-from", "Three columns from", "148"),
            ]
        ),
        (
            "Feeds",
            [
                ("feeds.refresh", "Reload every", "60"), ("feeds.order", "Order", "newest first"),
                ("feeds.start", "Start with the list", "the first feed"), ("feeds.row-lines", "Lines of a title", "1"),
                ("feeds.follow-list", "Follow the list", "on"), ("feeds.read-after", "Mark read after", "0"),
                ("feeds.mark-read-on-open", "Mark read on opening", "on"),
                ("feeds.mark-read-on-scroll", "Mark read on scrolling", "off"),
                ("feeds.pictures", "Pictures in articles", "shown"), ("feeds.links", "Links in articles", "here"),
                ("feeds.browser", "Browser", "BROWSER"), ("feeds.excerpts", "Excerpts", "on"),
                ("feeds.merge-duplicates", "Merge duplicates", "off"), ("feeds.hide-read", "Hide read feeds", "off"),
                ("feeds.keep-days", "Keep entries for", "0"), ("feeds.keep-entries", "Entries per feed", "0"),
            ]
        ),
        ("Media", [("audio.player", "Player", "mpv"), ("audio.folder", "Folder", "~/Podcasts")]),
        (
            "Notifications",
            [
                ("notifications.by", "Notify by", "terminal"), ("notifications.command", "Command", "notify-send"),
                ("notifications.quiet-hours", "Quiet hours", "none"),
                ("notifications.stage-start", "Stage start", "off"),
                ("notifications.stage-last-kilometres", "Last ten kilometres", "off"),
                ("notifications.stage-result", "Stage result", "off"),
                ("notifications.stage-leader", "Leader's jersey", "off"),
            ]
        ),
        (
            "Terminal",
            [
                ("terminal.mouse", "Mouse", "on"), ("terminal.title", "Title", "on"),
                ("terminal.synchronized", "Synchronised output", "auto"),
                ("terminal.escape-time", "Escape time", "100"),
            ]
        ),
    ]

    @Test func eachSettingHasSectionNameAndDefault() throws {
        let expected = AppliesSettings.defaults.flatMap { section in
            section.settings.map { [section.section, $0.0, $0.1, $0.2] }
        }
        #expect(Settings.definitions.map { [$0.section, $0.name, $0.title, $0.defaultValue] } == expected)
        #expect(expected.count == 47)
        let settings = try Settings(library: try Library(path: nil), file: [:])
        for row in expected { #expect(settings[row[1]] == SettingValue(value: row[3], origin: .standard)) }
        // Every value of a choice occurs in its description and in the code.
        #expect(Settings.definition("terminal.colors")?.name == "appearance.colors")
        #expect(Settings.definition("appearance.theme")?.value(of: "plain") == "monochrome")
    }

    /// The ranges of numbers match the descriptions and messages.
    @Test func limitsNumericSettings() {
        let ranges: [String: ClosedRange<Int>] = [
            "appearance.measure": 40...300, "appearance.list-width": 20...70, "appearance.list-least-width": 10...120,
            "appearance.list-most-width": 20...300, "appearance.slide-from": 20...400,
            "appearance.two-columns-from": 40...400, "appearance.three-columns-from": 100...500,
            "feeds.refresh": 0...1440, "feeds.row-lines": 1...3, "feeds.read-after": 0...600,
            "feeds.keep-days": 0...36_500, "feeds.keep-entries": 0...1_000_000, "terminal.escape-time": 1...2000,
        ]
        var seen = 0
        for definition in Settings.definitions {
            guard case .number(_, let offered, _, _) = definition.kind else { continue }
            seen += 1
            guard let range = ranges[definition.name] else {
                Issue.record("\(definition.name)")
                continue
            }
            for value in [range.lowerBound, range.upperBound] + offered { #expect(definition.accepts(String(value))) }
            for value in [range.lowerBound - 1, range.upperBound + 1] { #expect(!definition.accepts(String(value))) }
            #expect(!definition.accepts("") && !definition.accepts("x"))
        }
        #expect(seen == ranges.count)
        let offs = Settings.definitions.filter { SettingText.value("0", of: $0).string == "off" }.map(\.name)
        #expect(offs == ["feeds.refresh", "feeds.read-after"])
        let alls = Settings.definitions.filter { SettingText.value("0", of: $0).string == "all" }.map(\.name)
        #expect(alls == ["feeds.keep-days", "feeds.keep-entries"])
    }

    private func library(_ titles: [String] = ["One"]) async throws -> Library {
        let library = try Library(path: nil)
        for title in titles {
            let url = "https://\(title.lowercased()).example/feed"
            let id = try await library.follow(url)
            let text = DashboardScreen.feed.replacing("Use Your Loaf", with: title)
            let reading = try FeedParser.parse(Array(text.utf8), base: url)
            try await library.store(reading.feed, in: id, record: FetchRecord(date: DashboardScreen.now - 7200))
        }
        return library
    }

    /// Compares a start with a value from the file with setting it while the program runs.
    private func both(
        _ name: String, _ value: String, width: Int = 120, height: Int = 30, segment: String = "feeds",
        capabilities: TerminalCapabilities = TerminalCapabilities(),
        _ check: (StartedDashboard) async throws -> Void
    ) async throws {
        try await check(
            StartedDashboard(
                try await library(), width: width, height: height, segment: segment, file: [name: value],
                capabilities: capabilities))
        let changed = try StartedDashboard(
            try await library(), width: width, height: height, segment: segment, capabilities: capabilities)
        changed.set(value, for: name)
        try await check(changed)
    }

    // MARK: Appearance

    @Test func appliesTheThemeAtStart() async throws {
        for name in ["terminal", "dark", "light", "rosa", "high contrast", "monochrome"] {
            try await both("appearance.theme", name) { #expect($0.window.theme.name == name) }
        }
        // A missing theme falls back to the terminal's.
        try await both("appearance.theme", "nothing") { #expect($0.window.theme.name == "terminal") }
    }

    @Test func appliesTheDateFormatOfLists() async throws {
        for (value, date) in [("relative", " 07:40"), ("day", "19 Nov 2026"), ("iso", "2026-11-19 07:40")] {
            try await both("appearance.dates", value) { dashboard in
                dashboard.screen.press("enter")
                #expect(await dashboard.screen.wait(for: date), "\(value)")
                #expect(dashboard.services.appearance.dates.style.rawValue == value)
            }
        }
    }

    @Test func appliesMotionAndLinearMode() async throws {
        var colors = TerminalCapabilities()
        colors.colors = .direct
        for (motion, linear) in [("on", "off"), ("off", "off"), ("on", "on"), ("off", "on")] {
            try await both("appearance.motion", motion, capabilities: colors) { dashboard in
                dashboard.set(linear, for: SettingKey<Bool>.linear.name)
                #expect(dashboard.window.isLinear == (linear == "on"))
                #expect((dashboard.window.motion == .full) == (motion == "on" && linear == "off"))
                #expect(dashboard.services.keys.map.namesKeys == (linear == "on"))
            }
        }
        try await both("appearance.screen-reader", "on", capabilities: colors) { dashboard in
            #expect(dashboard.window.isLinear && dashboard.window.motion == .reduced)
        }
        try await both("appearance.screen-reader", "off", capabilities: colors) { dashboard in
            #expect(!dashboard.window.isLinear && dashboard.window.motion == .full)
        }
    }

    @Test func appliesThePictureSetting() async throws {
        let details: [(String, ImageDetail?)] = [
            ("auto", ImageDetail(rawValue: "auto")), ("halves", .halves),
            ("quadrants", ImageDetail(rawValue: "quadrants")),
            ("sextants", ImageDetail(rawValue: "sextants")), ("kitty", ImageDetail(rawValue: "kitty")),
            ("sixel", ImageDetail(rawValue: "sixel")), ("nothing", .halves),
        ]
        for (value, detail) in details {
            let dashboard = try StartedDashboard(try await library(), file: ["appearance.pictures": value])
            #expect(detail != nil && dashboard.services.appearance.imageDetail == detail, "\(value)")
        }
    }

    @Test func appliesTheArticleWidth() async throws {
        for value in ["40", "80", "120"] {
            try await both("appearance.measure", value, width: 200) { dashboard in
                dashboard.screen.press("enter", "j", "j", "enter")
                #expect(await dashboard.screen.wait(for: "A line of a longer article."))
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
            ("appearance.list-least-width", "26", { $0.minimumPrimaryColumnWidth == 26 }),
            ("appearance.list-least-width", "31", { $0.minimumPrimaryColumnWidth == 31 }),
            ("appearance.list-most-width", "56", { $0.maximumPrimaryColumnWidth == 56 }),
            ("appearance.list-most-width", "71", { $0.maximumPrimaryColumnWidth == 71 }),
            ("appearance.tall-panes", "slide", { !$0.stacksListInTallPanes }),
            ("appearance.tall-panes", "above", { $0.stacksListInTallPanes }),
            ("appearance.narrow-list", "slide", { !$0.showsNarrowListAsPopover }),
            ("appearance.narrow-list", "popover", { $0.showsNarrowListAsPopover }),
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
            try await both(name, value) { dashboard in
                for key in ["1", "2", "3"] {
                    dashboard.screen.press(key)
                    #expect(dashboard.split.map(isRight) == true, "\(name) = \(value) in segment \(key)")
                }
            }
        }
        // An existing segment applies it although another one is shown.
        let dashboard = try StartedDashboard(try await library())
        dashboard.screen.press("1", "2")
        dashboard.set("right", for: "appearance.list-side")
        dashboard.set("over", for: "appearance.lists")
        dashboard.screen.press("1")
        #expect(dashboard.split?.primaryEdge == .trailing && dashboard.split?.preferredSplitBehavior == .overlay)
    }

    /// Dragging the divider and its keys set the width in whole percent.
    @Test func storesAWidthChosenWithTheMouse() async throws {
        let dashboard = try StartedDashboard(try await library())
        for (fraction, value) in [(0.304, "30"), (0.305, "31"), (0.5, "50"), (0.2, "20")] {
            dashboard.split?.primaryColumnWidthFractionDidChange(fraction)
            try await dashboard.settle()
            #expect(dashboard.settings["appearance.list-width"] == SettingValue(value: value, origin: .here))
        }
    }

    @Test func appliesTheWidthThresholds() async throws {
        try await both("appearance.slide-from", "121") { #expect($0.window.traits.horizontal == .regular) }
        try await both("appearance.two-columns-from", "121") { #expect($0.window.traits.horizontal == .narrow) }
        try await both("appearance.three-columns-from", "120") { #expect($0.window.traits.horizontal == .wide) }
        try await both("appearance.three-columns-from", "121") { #expect($0.window.traits.horizontal == .regular) }
        try await both("appearance.slide-from", "58", width: 58) { #expect($0.window.traits.horizontal == .narrow) }
        try await both("appearance.slide-from", "59", width: 58) { #expect($0.window.traits.horizontal == .compact) }
    }

    // MARK: Feeds

    @Test func selectsTheConfiguredRowAtStart() async throws {
        let library = try await library(["One", "Two", "Three"])
        let subscription = try library.feeds.all()
        for (index, folder) in [(0, "News"), (2, "Sport")] {
            try await library.changes.perform(.move(subscription[index].id, folder: folder))
        }
        try await library.changes.perform(.tag(subscription[1].id, ["daily"]))
        try await library.changes.perform(.saveSearch(name: "Bikes", query: "bike"))
        for (value, row) in [
            ("the first feed", "▌Two"), ("Two", "▌Two"), ("three", "▌  Three"), ("News", "▌▾ News"),
            ("SPORT", "▌▾ Sport"), ("all", "▌All"), ("Starred", "▌Starred"), ("Unread", "▌Unread"),
            ("Bikes", "▌⌕ Bikes"), ("daily", "daily"), ("nothing of the kind", "▌Two"),
        ] {
            let dashboard = try StartedDashboard(library, width: 100, file: ["feeds.start": value])
            let chosen = dashboard.screen.lines.first { $0.hasPrefix("▌") } ?? ""
            #expect(chosen.hasPrefix(row) || (value == "daily" && chosen.contains("daily")), "\(value): \(chosen)")
        }
        // Without a feed, the first row is selected.
        let empty = try StartedDashboard(try Library(path: nil))
        #expect(empty.screen.text.contains("▌Unread"))
    }

    @Test func appliesTheEntryOrder() async throws {
        for (value, title) in [("newest first", "Undated"), ("oldest first", "Mail app style Split View")] {
            try await both("feeds.order", value) { dashboard in
                dashboard.screen.press("enter")
                #expect(await dashboard.screen.wait(for: "▌● \(title)"), "\(value)")
            }
        }
    }

    @Test func appliesTheDuplicatesSetting() async throws {
        for value in ["on", "off"] {
            let library = try await library(["One", "Two"])
            let dashboard = try StartedDashboard(
                library, file: ["feeds.merge-duplicates": value, "feeds.start": "All"])
            dashboard.screen.press("enter")
            #expect(await dashboard.screen.wait { dashboard.screen.text.contains("Reading dates") })
            // The detail shows the card of the list, with the same entries.
            func rows() -> Int {
                dashboard.screen.lines.count { $0.prefix { $0 != "│" }.contains("Reading dates") }
            }
            #expect(rows() == (value == "on" ? 1 : 2))
            #expect(dashboard.screen.text.contains("×2 ") == (value == "on"))
            dashboard.set(value == "on" ? "off" : "on", for: "feeds.merge-duplicates")
            #expect(rows() == (value == "on" ? 2 : 1))
        }
    }

    @Test func appliesTheExcerptSetting() async throws {
        for (value, isShown) in [("on", true), ("off", false)] {
            try await both("feeds.excerpts", value) { dashboard in
                dashboard.screen.press("enter")
                #expect(await dashboard.screen.wait { dashboard.screen.text.contains("Undated") })
                #expect(dashboard.screen.lines.contains { $0.prefix(40).contains("Nobody knows when.") } == isShown)
                dashboard.set("2", for: SettingKey<Int>.rowLines.name)
                #expect(!dashboard.screen.lines.contains { $0.prefix(40).contains("Nobody knows when.") })
            }
        }
    }

    @Test func appliesHideRead() async throws {
        for (value, isShown) in [("on", false), ("off", true)] {
            let library = try await library(["One", "Two"])
            let first = try library.feeds.all()[0].id
            try await library.setMark(.read, true, in: .subscription(first), now: 1)
            let dashboard = try StartedDashboard(library, file: ["feeds.hide-read": value])
            func shows(_ title: String) -> Bool { dashboard.screen.lines.contains { $0.prefix(12).contains(title) } }
            #expect(shows("One") == isShown && shows("Two"))
            dashboard.set(isShown ? "on" : "off", for: "feeds.hide-read")
            #expect(shows("One") == !isShown && shows("Two"))
        }
    }

    @Test func appliesMarkReadOnOpen() async throws {
        for (value, unread) in [("on", 3), ("off", 4)] {
            try await both("feeds.mark-read-on-open", value) { dashboard in
                dashboard.screen.press("enter", "enter")
                #expect(await dashboard.screen.wait(for: "Nobody knows when."))
                try await dashboard.settle()
                #expect(try dashboard.library.feeds.unreadCount() == unread)
            }
        }
    }

    @Test func appliesFollowSelection() async throws {
        for value in ["on", "off"] {
            try await both("feeds.follow-list", value) { dashboard in
                dashboard.set("off", for: SettingKey<Bool>.excerpts.name)
                dashboard.screen.press("enter", "j")
                if value == "on" {
                    #expect(await dashboard.screen.wait(for: "Short."))
                } else {
                    // A dashboard whose detail follows the list and whose keys arrived later has already shown its
                    // entry.
                    let follower = try await DashboardScreen(120, 30)
                    follower.set("on", for: SettingKey<Bool>.followList.name)
                    follower.screen.press("enter", "j")
                    #expect(await follower.screen.wait { follower.split?.hasDetail == true })
                    #expect(dashboard.split?.hasDetail == false)
                }
            }
        }
    }

    // MARK: What is kept

    /// A reload deletes old entries according to the settings, and none without them.
    @Test func appliesTheRetentionSettings() async throws {
        // Two of the four are less than two days old, one has no date and was first seen two hours ago, and one is from
        // 2011.
        for (file, left, sentence) in [
            ([:], 4, nil), (["feeds.keep-days": "30"], 3, "Deleted 1 old entry"),
            (["feeds.keep-entries": "2"], 2, "Deleted 2 old entries"),
            (["feeds.keep-days": "30", "feeds.keep-entries": "2"], 2, "Deleted 2 old entries"),
            (["feeds.keep-days": "36500", "feeds.keep-entries": "4"], 4, nil),
        ] as [([String: String], Int, String?)] {
            let library = try await library()
            let dashboard = try StartedDashboard(library, file: file)
            dashboard.services.feeds.reloads.didFinish()
            #expect(
                try await dashboard.waitUntil { try library.entries.count(in: EntryQuery(.all)) == left }, "\(file)")
            if let sentence {
                #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix(sentence) == true }, "\(file)")
            } else {
                try await dashboard.settle()
                #expect(try dashboard.said == nil && library.entries.count(in: EntryQuery(.all)) == 4)
            }
            #expect(
                try await dashboard.waitUntil { try library.search.unindexedCount() == 0 },
                "new texts get into the index")
        }
    }

    // MARK: Recordings, notifications, the terminal

    @Test func appliesThePlayerSetting() async throws {
        for value in [nil, "mpv --no-video", "vlc %s"] as [String?] {
            let played = Mutex<[String]>([])
            var file: [String: String] = [:]
            file["audio.player"] = value
            let dashboard = try StartedDashboard(
                try await library(), file: file,
                adjust: { environment in
                    environment.programs.play = { address, player, start, _ in
                        played.withLock { $0.append("\(player) \(address) \(start)") }
                        return nil
                    }
                })
            dashboard.services.entries.enclosures.play("https://one.example/a.mp3")
            #expect(dashboard.said == "Playing with \(value ?? "mpv") …")
            #expect(await dashboard.screen.wait { played.withLock { !$0.isEmpty } })
            #expect(played.withLock { $0 } == ["\(value ?? "mpv") https://one.example/a.mp3 0"])
        }
    }

    @Test func appliesTheMouseSetting() async throws {
        for value in ["on", "off"] {
            try await both("terminal.mouse", value) { #expect($0.screen.terminal.reportsMouse == (value == "on")) }
        }
    }

    @Test func appliesTheWindowTitleSetting() async throws {
        for (value, title) in [("on", "tappa · 4 unread"), ("off", "")] {
            try await both("terminal.title", value) { #expect($0.screen.terminal.title.string == title) }
        }
    }

    // MARK: A configuration that changes

    @Test func appliesANewConfigurationWhileRunning() async throws {
        let dashboard = try StartedDashboard(try await library())
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
        let dashboard = try StartedDashboard(try await library())
        let map = KeyMap(["segments.next": ["b"]])
        dashboard.controller.take(
            DashboardConfiguration(keyMap: map, entryCommands: [], themes: [], problems: []), settings: [:],
            rules: [])
        dashboard.screen.press("b")
        #expect(dashboard.screen.text.contains("▐Settings▌"))
        let next = try #require(CommandTable.dashboard.commands.first { $0.name == "segments.next" })
        #expect(
            dashboard.services.access.status.key(next) == "b" && dashboard.services.keys.map.keys(for: next) == ["b"])
    }
}

extension StartedDashboard {
    /// Waits until a condition that may throw holds.
    func waitUntil(_ condition: () throws -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            screen.application.render()
            if try condition() { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
