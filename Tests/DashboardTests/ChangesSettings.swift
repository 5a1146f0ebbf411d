import Feeds
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import ModelCore

/// Walks through the Settings segment.
@MainActor
@Suite struct ChangesSettings {
    @Test func SET_01_appliesAndKeepsATheme() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        #expect(await screen.press("enter", "j", "j", "j", "enter", until: "rosa · here"))
        #expect(screen.application.window.theme.name == "rosa")
        #expect(dashboard.settings["appearance.theme"].value == "rosa")
        #expect(await screen.press("x") { screen.application.window.theme.name == "terminal" })
    }

    @Test func SPL_09_appliesTheListWidth() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        #expect(await screen.press(">", ">") { dashboard.settings["appearance.list-width"].value == "42" })
        #expect(screen.lines[1].prefix { $0 != "┬" }.count == 50)
    }

    /// The position of columns and the widths at which they change are settings. What the user has shown or hidden
    /// stays when another setting changes.
    @Test func SPL_09_SET_01_choosesTheColumns() async throws {
        let dashboard = try await DashboardScreen(120, 39)
        let screen = dashboard.screen
        func set(_ value: String, for key: String) { dashboard.set(value, for: key) }
        func listColumns() -> Int { screen.lines[1].prefix { $0 != "┬" }.count }
        set("60", for: SettingKey<Int>.listWidth.name)
        #expect(listColumns() == 72)
        set("20", for: SettingKey<Int>.listWidth.name)
        #expect(listColumns() == 24)
        set("hidden", for: SettingKey<String>.lists.name)
        #expect(!screen.text.contains("┬"))
        #expect(screen.press("\\", shows: "┬"))
        set("30", for: SettingKey<Int>.listWidth.name)
        #expect(listColumns() == 36)
        set("over", for: SettingKey<String>.lists.name)
        #expect(!screen.text.contains("┬"))
        set("beside", for: SettingKey<String>.lists.name)
        set("121", for: SettingKey<Int>.twoColumnsFrom.name)
        #expect(!screen.text.contains("┬"))
        set("60", for: SettingKey<Int>.twoColumnsFrom.name)
        screen.resize(61, 20)
        #expect(screen.text.contains("┬"))
        set("100", for: SettingKey<Int>.threeColumnsFrom.name)
        screen.resize(140, 30)
        #expect(screen.lines[1].count { $0 == "┬" } == 2)
    }

    /// Selecting a theme previews it, and leaving without choosing restores the previous one.
    @Test func SET_01_previewsThemesWhileChoosing() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        func name() -> String { screen.application.window.theme.name }
        screen.press("enter", "j")
        #expect(name() == "dark")
        screen.press("j")
        #expect(name() == "light")
        screen.press(DashboardSegment.key(of: "stages"))
        #expect(name() == "terminal")
        screen.press(DashboardSegment.key(of: "settings"), "enter", "g", "g", "j", "enter")
        try await dashboard.settle()
        screen.press(DashboardSegment.key(of: "stages"))
        #expect(name() == "dark" && dashboard.settings[.theme] == "dark")
    }

    /// Colours are previewed while typing, discarded with Esc, and saved as a user theme.
    @Test func SET_01_editsAndKeepsColours() async throws {
        let kept = Mutex<[String: TerminalColors]>([:])
        let dashboard = try await DashboardScreen(
            120, 30, segment: "settings",
            adjust: { environment in
                environment.writer.keepTheme = { name, colors in
                    kept.withLock { $0[name] = colors }
                    return Theme(name: name, colors: colors)
                }
            })
        let screen = dashboard.screen
        func accent() -> RGB? { screen.application.window.theme.colors?.ansi[6] }
        dashboard.set("rosa", for: SettingKey<String>.theme.name)
        #expect(await screen.press("enter", "end", "enter", until: "save as theme …"))
        #expect(screen.lines.contains { $0.contains("accent") && $0.contains("#ff87af") })
        func type(_ text: String) {
            screen.press("ctrl-u", typing: text)
        }
        screen.press("j", "j", "enter")
        type("#0088f")
        #expect(accent() == RGB(0xFF, 0x87, 0xAF))
        screen.type("f")
        #expect(accent() == RGB(0, 0x88, 0xFF))
        screen.press("esc")
        #expect(accent() == RGB(0xFF, 0x87, 0xAF))
        screen.press("enter")
        type("blue")
        #expect(await screen.press("enter", until: "'blue' is not a colour. Enter one such as #1a2b3c."))
        type("00aa88")
        #expect(await screen.press("enter", until: "#00aa88"))
        #expect(accent() == RGB(0, 0xAA, 0x88))
        screen.press("end", "enter")
        type("dark")
        #expect(await screen.press("enter", until: "tappa already has a theme with this name"))
        type("../sea")
        #expect(await screen.press("enter", until: "use at most 40 letters, digits, spaces and hyphens"))
        type("deep sea")
        #expect(await screen.press("enter") { dashboard.settings[.theme] == "deep sea" })
        #expect(kept.withLock { $0["deep sea"]?.ansi[6] } == RGB(0, 0xAA, 0x88))
        #expect(kept.withLock { $0["deep sea"]?.foreground } == RGB(0xE0, 0xD8, 0xDC))
        #expect(await screen.wait(for: "deep sea"))
        #expect(screen.application.window.theme.name == "deep sea")
        // Unsaved colours are discarded with the page.
        screen.press("end", "enter", "enter")
        type("#ff0000")
        screen.press("enter", DashboardSegment.key(of: "stages"))
        #expect(screen.application.window.theme.colors?.foreground == RGB(0xE0, 0xD8, 0xDC))
    }

    /// A theme's file is read again when it changes. If it becomes unreadable, the colours stay.
    @Test func SET_01_appliesAChangedThemeAtOnce() async throws {
        let own = TerminalColors(foreground: .white, background: .black, ansi: [6: RGB(1, 2, 3)])
        let dashboard = try await DashboardScreen(
            120, 30, segment: "settings", adjust: { $0.configuration.themes = [Theme(name: "sea", colors: own)] })
        func accent() -> RGB? { dashboard.screen.application.window.theme.colors?.ansi[6] }
        dashboard.set("sea", for: SettingKey<String>.theme.name)
        #expect(accent() == RGB(1, 2, 3))
        var changed = own
        changed.ansi[6] = RGB(4, 5, 6)
        dashboard.take(themes: [Theme(name: "sea", colors: changed)])
        #expect(accent() == RGB(4, 5, 6))
        dashboard.take(themes: [], problems: ["sea.toml, line 1: oops"])
        #expect(accent() == RGB(4, 5, 6))
    }

    /// Lists start with the newest or oldest entry, and all navigation follows that order.
    @Test func FEE_01_ordersByTheSetting() async throws {
        let dashboard = try await DashboardScreen(120, 39)
        let screen = dashboard.screen
        let library = dashboard.library
        let newest = try library.entries.rows(in: EntryQuery(.all), limit: 99)
        dashboard.set("oldest first", for: SettingKey<String>.entryOrder.name)
        let list = dashboard.settings.query(.all)
        let oldest = try library.entries.rows(in: list, limit: 99)
        #expect(oldest.map(\.id) == newest.map(\.id).reversed())
        #expect(try library.entries.list(list) == oldest.map(\.id))
        for (index, row) in oldest.enumerated() {
            #expect(try library.entries.nextUnread(after: row, in: list)?.id == oldest[(index + 1) % oldest.count].id)
            let back = try library.entries.row(titled: "", from: row, isForward: false, in: list)
            #expect(back?.id == oldest[(index + oldest.count - 1) % oldest.count].id)
        }
        #expect(await screen.press("enter", until: "▌● Mail app style"))
        dashboard.set("newest first", for: SettingKey<String>.entryOrder.name)
        #expect(screen.press("g", "g", shows: "▌● Undated"))
    }

    /// A long title occupies up to three lines if the setting allows it; short ones occupy one.
    @Test func TAB_01_appliesTheTitleLines() async throws {
        let dashboard = try await DashboardScreen(90, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", until: "Keyboard avoidance"))
        func lines() -> Int {
            let lines = screen.lines.map { String($0.prefix { $0 != "│" }) }
            let first = lines.firstIndex { $0.contains("Keyboard") } ?? 0
            // The heading of another day comes after it.
            let next = lines.firstIndex { $0.contains("Yesterday") } ?? 0
            return next - first
        }
        #expect(lines() == 1)
        dashboard.set("2", for: SettingKey<Int>.rowLines.name)
        #expect(lines() == 2)
        dashboard.set("3", for: SettingKey<Int>.rowLines.name)
        #expect(lines() == 3)
        screen.resize(200, 30)
        #expect(lines() < 3)
        screen.click(on: "Mail app")
        #expect(screen.text.contains("▌● Mail app"))
    }

    /// Opens the setting for the list's width and types a number that isn't suggested.
    private func typeListWidth(_ number: String, _ screen: TestScreen) {
        screen.press("/", typing: "List width", then: "enter", "enter", "G", "enter", "ctrl-u")
        screen.type(number, then: "enter")
    }

    @Test func SET_01_checksNumbers() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        typeListWidth("99", screen)
        #expect(screen.text.contains("'99' is not valid. Enter a whole number from 20 to 70"))
        #expect(dashboard.settings["appearance.list-width"].value == "38")
    }

    @Test func drawsANumberThatIsNotOffered() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        typeListWidth("37", screen)
        #expect(await screen.wait(for: "● 37"))
        // Changed elsewhere, such as by a key of the split view: the page is drawn before it is notified.
        dashboard.settings.use(nil, for: "appearance.list-width")
        screen.resize(100, 30)
        #expect(screen.text.contains("○ 37"))
        #expect(await screen.press("x") { screen.text.contains("● 38") && !screen.text.contains("37") })
    }

    @Test func storesConsecutiveChangesInOrder() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        for _ in 0..<20 { dashboard.screen.press(">") }
        for _ in 0..<7 { dashboard.screen.press("<") }
        try await dashboard.settle()
        #expect(dashboard.settings["appearance.list-width"].value == "56")
        #expect(try Settings(library: dashboard.library, file: [:])["appearance.list-width"].value == "56")
    }

    /// A setting is found by its name in the configuration and by its description.
    @Test func SET_01_findsASettingByTyping() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "settings")
        let screen = dashboard.screen
        screen.press("/", typing: "quiet-hours", then: "enter", "enter")
        #expect(screen.text.contains("Hours without notifications"))
        screen.press("enter")
        screen.press("end", "enter")
        screen.press("ctrl-u", typing: "22-31", then: "enter")
        #expect(screen.text.contains("Enter hours such as"))
        #expect(dashboard.settings[.quietHours] == "none")
    }

    @Test func measuresAndClearsStorage() async throws {
        let kept = KeptBytes()
        let dashboard = try await DashboardScreen(
            120, 30, segment: "settings",
            adjust: { environment in
                environment.pictures.cache = KeptPictures(size: { kept.bytes }, clear: { kept.clear() })
                environment.about = { [("Version", "1.2.3"), ("Log", "/state/tappa.log")] }
            })
        let screen = dashboard.screen
        #expect(await screen.press("G", "k", "k", "enter", until: "12.3 kB"))
        #expect(screen.text.contains("Index"))
        #expect(await screen.press("c", until: "no damage found"))
        #expect(await screen.press("p") { kept.bytes == 0 })
        #expect(await screen.press("v", until: "Freed "))
        screen.press("h", "j", "j", "enter")
        #expect(screen.text.contains("1.2.3") && screen.text.contains("120 × 30 cells"))
        screen.press("y")
        #expect(screen.terminal.copied?.contains("Version: 1.2.3") == true)
    }

    /// The window's title shows the number of unread entries, unless a setting turns that off.
    @Test func namesTheWindow() async throws {
        let dashboard = try await DashboardScreen(80, 24)
        let terminal = dashboard.screen.terminal
        let unread = try dashboard.library.feeds.unreadCount()
        #expect(unread > 0)
        #expect(terminal.title.string == "tappa · \(unread) unread")
        #expect(await dashboard.screen.press("enter", "A") { terminal.title.string == "tappa" })
        dashboard.set("off", for: SettingKey<Bool>.title.name)
        #expect(terminal.title.isEmpty)
    }
}

/// The size of the pictures that are kept.
final class KeptBytes: Sendable {
    private let count = Mutex<Int64>(12_345)
    var bytes: Int64 { count.withLock { $0 } }
    func clear() -> Int64 {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}
