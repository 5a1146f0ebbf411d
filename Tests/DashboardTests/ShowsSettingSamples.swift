import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import SettingsSegment

/// The sample beside the values of a setting: what it shows, where it is, and that it follows the value.
@MainActor
@Suite struct ShowsSettingSamples {
    private func sample(_ name: String, _ value: String, _ columns: Int = 44, in dashboard: DashboardScreen)
        -> [String]
    {
        let sample = SettingSample(
            name: name, value: value, columns: columns, settings: dashboard.settings, symbols: .unicode,
            hasUnicode: true,
            now: DashboardScreen.now, paneColumns: 120)
        return sample.lines.map { line in line.map(\.text.string).joined() }
    }

    /// The sample of each offered value fits, and differs from those of other values.
    @Test func showsEachValueDifferently() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        for definition in Settings.definitions {
            let kind = SettingSample.kind(of: definition.name)
            guard kind != .file else { continue }
            let names = dashboard.services.appearance.names(of: definition)
            let values = SettingText.offered(for: definition, names: names, current: definition.defaultValue)
            let samples = values.map { sample(definition.name, $0, in: dashboard) }
            // A theme is shown by the window, a picture by its view.
            let isDrawn = kind != .theme && kind != .picture
            // Beyond the maximum width of a list all of its widths look alike.
            let minimum = definition.name == SettingKey.listWidth.name ? 5 : values.count
            if isDrawn { #expect(Set(samples).count >= minimum, "\(definition.name): \(samples)") }
            for columns in [12, 30, 44, 60] {
                for value in values {
                    for line in sample(definition.name, value, columns, in: dashboard) where columns >= 30 {
                        #expect(DisplayText(line).columns <= columns, "\(definition.name) \(value): \(line)")
                    }
                }
            }
        }
    }

    /// Beside the values in a wide detail, below them in a narrow one, nowhere in a low one or in screen-reader mode.
    @Test func isBesideOrBelowTheValues() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        let screen = dashboard.screen
        screen.press("j", "j")
        func row(_ text: String) -> Int? { screen.lines.firstIndex { $0.contains(text) } }
        #expect(row("Sample ──") != nil && row("Sample ──") == row("● relative"))
        screen.resize(90, 30)
        #expect(row("Sample ──") ?? 0 > row("○ iso") ?? 99)
        screen.resize(90, 10)
        #expect(row("Sample ──") == nil)
        screen.resize(120, 39)
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        #expect(row("Sample") == nil)
    }

    /// A setting without a sample has its name and values in the configuration file there.
    @Test func namesSettingsWithoutASample() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        let screen = dashboard.screen
        screen.press("j", "j", "j", "j")
        func row(_ text: String) -> Int? { screen.lines.firstIndex { $0.contains(text) } }
        let title = try #require(row("In the configuration file ──"), "\(screen.text)")
        #expect(row("● on") == title)
        #expect(row("appearance.motion") == title + 1 && row("Values: on or off") == title + 2)
        #expect(row("Sample ──") == nil)
        for definition in Settings.definitions where SettingSample.kind(of: definition.name) == .file {
            for columns in [40, 60] {
                let lines = sample(definition.name, definition.defaultValue, columns, in: dashboard)
                #expect(lines.first == definition.name && lines.count > 1)
                #expect(lines.allSatisfy { DisplayText($0).columns <= columns }, "\(lines)")
            }
        }
    }

    /// Large panes have the name in the configuration file below any sample, then what the section's other settings do.
    @Test func explainsTheSectionBelow() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        let screen = dashboard.screen
        screen.press("j", "j")
        func row(_ text: String) -> Int { screen.lines.firstIndex { $0.contains(text) } ?? -1 }
        #expect(row("Sample ──") > 0 && row("│ appearance.dates") > row("An event goes"), "\(screen.text)")
        #expect(row("Also in Appearance ──") > row("appearance.dates"), "\(screen.text)")
        #expect(row("│ Counts") == row("Also in Appearance ──") + 1 && row("not at all.") > 0, "\(screen.text)")
        for rows in 10...39 {
            // A description is whole or missing.
            screen.resize(120, rows)
            #expect(row("│ Counts") < 0 || row("not at all.") > 0, "\(screen.text)")
            #expect(row("│ appearance.dates") < 0 || row("Values: relative") > 0, "\(screen.text)")
        }
        // The last setting of a section is followed by the first ones.
        let name = SettingKey<Bool>.accessory.name
        var sample = SettingSample(
            name: name, value: "on", columns: 60, settings: dashboard.settings, symbols: .unicode, hasUnicode: true,
            now: DashboardScreen.now, paneColumns: 120, other: .section)
        #expect(sample.lines.first?.map { $0.text.trimmed().string } == ["Theme", "terminal"])
        sample.rows = 2
        #expect(sample.lines.isEmpty)
    }

    /// The description has at most 76 columns.
    @Test func limitsTheWidthOfDescriptions() async throws {
        let dashboard = try await DashboardScreen(147, 39, segment: "settings")
        for _ in 0..<40 {
            dashboard.screen.press("j")
            let detail = dashboard.column(57..<147)
            let end = detail.firstIndex { $0.contains("Sample ──") || $0.contains("●") || $0.contains("○") } ?? 3
            #expect(
                detail[3..<max(3, end)].allSatisfy { $0.dropFirst(77).allSatisfy { $0 == " " } },
                "\(dashboard.screen.text)")
        }
    }

    /// The sample follows the selected value before it is chosen.
    @Test func followsTheSelectedValue() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        let screen = dashboard.screen
        screen.press("j", "j", "enter")
        #expect(screen.text.contains("Keyboard avoidance") && screen.text.contains("2 h"))
        screen.press("j", "j")
        #expect(screen.text.contains("2026-11-20 10:00") && dashboard.settings[.dateStyle] == "relative")
        screen.press("k")
        #expect(screen.text.contains("20 Nov 2026") && !screen.text.contains("2026-11-20"))
    }

    /// In wide lists values are in a column beside the names.
    @Test func alignsValuesBesideNames() async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: "settings")
        func columns(_ width: Int) -> Set<Int> {
            let values = ["Theme": "terminal", "Dates": "relative", "Motion": "on", "List width": "38 %"]
            return Set(
                values.compactMap { name, value in
                    dashboard.column(0..<width).first { $0.contains(" \(name) ") }?.column(of: " " + value)
                })
        }
        #expect(columns(44).count == 1 && columns(44).first ?? 99 < 30, "\(dashboard.screen.text)")
        dashboard.screen.resize(80, 39)
        #expect(columns(30).count > 1)
    }
}
