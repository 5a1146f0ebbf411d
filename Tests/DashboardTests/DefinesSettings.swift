import ModelCore
import Testing

@testable import Dashboard

/// Every setting with its section, name and default.
@MainActor
@Suite struct DefinesSettings {
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
        let expected = DefinesSettings.defaults.flatMap { section in
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
}
