import CommonTesting
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import SettingsSegment

/// The list of settings and the editor of each: values, origins, keys and the pages below.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct EditsSettings {
    private func dashboard(
        _ width: Int = 120, _ height: Int = 60, file: [String: String] = [:], overrides: [String: SettingValue] = [:],
        capabilities: TerminalCapabilities = TerminalCapabilities(),
        adjust: (inout DashboardEnvironment) -> Void = { _ in }
    ) throws -> StartedDashboard {
        let library = try Library(path: nil)
        return try StartedDashboard(
            library, width: width, height: height, segment: "settings", file: file, capabilities: capabilities,
            adjust: { environment in
                if !overrides.isEmpty, let settings = try? Settings(library: library, file: file, overrides: overrides)
                {
                    environment.settings = settings
                }
                adjust(&environment)
            })
    }

    /// Finds a setting by typing its configuration name and opens its editor.
    private func open(_ name: String, in dashboard: StartedDashboard) {
        dashboard.screen.press("/", typing: name, then: "enter", "enter")
    }

    private var definition: SettingDefinition? { Settings.definition("feeds.refresh") }

    @Test func describesTheOriginOfAValue() throws {
        let definition = try #require(definition)
        let sentences: [(SettingOrigin, String)] = [
            (.standard, "Default value."), (.file, "Set in the configuration file as feeds.refresh."),
            (.environment, "Set in the environment, which overrides this page."),
            (.flag, "Set by --set, which overrides this page."), (.here, "Set here. x resets it to the default."),
        ]
        for (origin, sentence) in sentences {
            #expect(SettingText.origin(origin, of: definition, resetKey: "x") == sentence)
        }
    }

    @Test func showsValuesWithTheirUnit() throws {
        let values: [(String, String, String)] = [
            ("feeds.refresh", "60", "60 min"), ("feeds.refresh", "0", "off"), ("appearance.list-width", "38", "38 %"),
            ("feeds.keep-days", "0", "all"), ("feeds.keep-days", "1", "1 day"), ("feeds.keep-entries", "1", "1 entry"),
            ("feeds.read-after", "1", "1 s"), ("appearance.article-width", "80", "80 columns"),
            ("appearance.theme", "rosa", "rosa"), ("terminal.mouse", "on", "on"), ("feeds.read-after", "2", "2 s"),
        ]
        for (name, value, text) in values {
            let definition = try #require(Settings.definition(name))
            #expect(SettingText.value(value, of: definition).string == text)
        }
    }

    @Test func offersTheCurrentValue() throws {
        let number = try #require(Settings.definition("feeds.row-lines"))
        #expect(SettingText.offered(for: number, names: nil, current: "2") == ["1", "2", "3"])
        let minutes = try #require(definition)
        #expect(
            SettingText.offered(for: minutes, names: nil, current: "45") == ["0", "15", "30", "45", "60", "120", "360"])
        let words = try #require(Settings.definition("audio.player"))
        #expect(SettingText.offered(for: words, names: nil, current: "mpv") == ["mpv"])
        #expect(SettingText.offered(for: words, names: nil, current: "vlc") == ["mpv", "vlc"])
        let hours = try #require(Settings.definition("notifications.quiet-hours"))
        #expect(SettingText.offered(for: hours, names: nil, current: "22-7") == ["none", "22-7"])
        let toggle = try #require(Settings.definition("terminal.mouse"))
        #expect(SettingText.offered(for: toggle, names: ["on", "off"], current: "on") == ["on", "off"])
    }

    /// Every setting has a row in its section with title, value, and the source of a value that isn't the default.
    @Test func everySettingHasARow() throws {
        let dashboard = try dashboard(160, 100, file: ["feeds.refresh": "30", "appearance.theme": "rosa"])
        dashboard.set("off", for: "terminal.mouse")
        let lines = dashboard.screen.lines.map { String($0.prefix { $0 != "│" }) }
        for definition in Settings.definitions {
            let line = try #require(
                lines.first { $0.dropFirst(2).hasPrefix(definition.title + "  ") }, "\(definition.name)")
            let origin = ["feeds.refresh": " · file", "appearance.theme": " · file", "terminal.mouse": " · here"]
            let values = ["feeds.refresh": "30 min", "appearance.theme": "rosa", "terminal.mouse": "off"]
            let value = values[definition.name] ?? SettingText.value(definition.defaultValue, of: definition).string
            let shown = line.trimmingCharacters(in: .whitespaces)
            #expect(shown.hasSuffix("  " + value + (origin[definition.name] ?? "")), "\(line)")
        }
        var sections: [String] = []
        for definition in Settings.definitions where sections.last != definition.section {
            sections.append(definition.section)
        }
        let headers = lines.filter { $0.contains(" ───") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(headers == sections + ["Subscriptions", "Program"])
        for title in [
            "Manage subscriptions", "Import subscriptions", "Export as OPML", "Add account", "Add race", "Storage",
            "Keys", "About tappa",
        ] { #expect(lines.contains { $0.contains(title) }, "\(title)") }
    }

    /// Each setting's editor shows its description, the source of its value, and its values with the current and
    /// default one.
    @Test func everySettingHasAnEditor() throws {
        let dashboard = try dashboard(160, 60)
        // The list of segments has a page of its own.
        for definition in Settings.definitions where definition.kind != .places {
            open(definition.name, in: dashboard)
            let detail = dashboard.screen.lines.map { String($0.dropFirst(57)) }
            let words = detail.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(words.contains(definition.explanation), "\(definition.name)")
            #expect(words.contains("Default value."))
            // A sample is beside the values.
            let values = detail.map { String($0.prefix(34)) }
            let current = values.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.contains("● ") }
            #expect(current.count == 1, "\(definition.name)")
            #expect(current.first?.hasSuffix("default") == true)
            let value = SettingText.value(definition.defaultValue, of: definition).string
            #expect(current.first?.contains("● \(value)") == true)
            dashboard.screen.press("h")
        }
    }

    /// The editor shows each source; overrides by flags and environment stay.
    @Test func theEditorShowsTheOrigin() throws {
        let dashboard = try dashboard(
            file: ["feeds.refresh": "30"],
            overrides: [
                "terminal.mouse": SettingValue(value: "off", origin: .flag),
                "appearance.dates": SettingValue(value: "iso", origin: .environment),
            ])
        for (name, sentence) in [
            ("feeds.refresh", "Set in the configuration file as feeds.refresh."),
            ("terminal.mouse", "Set by --set"), ("appearance.dates", "Set in the environment"),
        ] {
            open(name, in: dashboard)
            #expect(dashboard.screen.text.contains(sentence))
            dashboard.screen.press("h")
        }
    }

    /// A toggle, a choice, a number and a text: selected by keys, stored, and reset from editor and list.
    @Test func choosesAndRevertsValues() async throws {
        for (name, keys, value) in [
            ("terminal.mouse", ["j", "enter"], "off"), ("feeds.order", ["j", "enter"], "oldest first"),
            ("appearance.article-width", ["k", "enter"], "72"), ("feeds.row-lines", ["G", "k", "enter"], "3"),
        ] {
            let dashboard = try dashboard()
            open(name, in: dashboard)
            for key in keys { dashboard.screen.press(key) }
            #expect(
                await dashboard.screen.wait { dashboard.settings[name] == SettingValue(value: value, origin: .here) })
            #expect(await dashboard.screen.wait(for: "Set here. x resets it to the default."))
            #expect(try Settings(library: dashboard.library, file: [:])[name].value == value)
            #expect(await dashboard.screen.press("x") { dashboard.settings[name].origin == .standard })
            #expect(await dashboard.screen.wait(for: "Default value."))
            #expect(try Settings(library: dashboard.library, file: [:])[name].origin == .standard)
            // In the list, keys act on the row.
            for key in keys { dashboard.screen.press(key) }
            #expect(await dashboard.screen.wait { dashboard.settings[name].origin == .here })
            #expect(await dashboard.screen.press("h", "x") { dashboard.settings[name].origin == .standard })
        }
    }

    @Test func editsNumbersAndWords() async throws {
        for (name, wrong, message, right) in [
            ("feeds.refresh", "1441", "'1441' is not valid. Enter a whole number from 0 to 1440", "1440"),
            ("feeds.refresh", "x", "'x' is not valid. Enter a whole number from 0 to 1440", "0"),
            ("notifications.quiet-hours", "25-7", "'25-7' is not valid. Enter hours such as 22-7", "22:30-6:45"),
            ("audio.player", " ", "' ' is not valid. Enter a program with its arguments", "vlc --play"),
            ("feeds.start", "", "'' is not valid. Enter the name of a row", "Starred"),
        ] {
            let dashboard = try dashboard()
            let screen = dashboard.screen
            open(name, in: dashboard)
            screen.press("G", "enter")
            let present = Settings.definition(name)?.defaultValue ?? ""
            #expect(screen.text.contains(present), "the value that there is can be edited")
            screen.press("ctrl-u", typing: wrong, then: "enter")
            #expect(screen.text.contains(message), "\(name)")
            #expect(dashboard.settings[name].origin == .standard)
            screen.press("ctrl-u", typing: right, then: "enter")
            #expect(await screen.wait { dashboard.settings[name] == SettingValue(value: right, origin: .here) })
            let definition = try #require(Settings.definition(name))
            #expect(await screen.wait(for: "● \(SettingText.value(right, of: definition).string)"))
        }
    }

    /// Records the settings that have changed.
    private final class RecordingRouter: DashboardRouter {
        private(set) var changedSettings: [String] = []

        func settingDidChange(_ name: String) { changedSettings.append(name) }
        func showStage(_ number: Int, of race: String) {}
        func showSearch(_ query: SearchQuery, named name: String) {}
        func goToPlace(of command: CommandDefinition) {}
        func showRecentlyRead() {}
        func open(_ place: Place) {}
        func perform(_ command: CommandDefinition) {}
        func present(_ controller: ViewController) {}
        func followRace(at address: String) async {}
    }

    /// A value that isn't stored yet is shown as pending; it applies once stored.
    @Test func onlyTheLastOfSeveralValuesIsUsed() async throws {
        let dashboard = try dashboard()
        let router = RecordingRouter()
        let access = LibraryAccess(
            library: dashboard.library, settings: dashboard.settings, status: dashboard.services.access.status,
            clock: { DashboardScreen.now }, patience: .seconds(30), router: router)
        for value in ["30", "31", "32"] { access.set(value, for: "appearance.list-width") }
        access.set("off", for: "terminal.mouse")
        try await dashboard.settle()
        #expect(dashboard.settings["appearance.list-width"].value == "32")
        #expect(router.changedSettings == ["appearance.list-width", "terminal.mouse"])
    }

    @Test func showsTerminalCapabilitiesBesideSettings() throws {
        var capabilities = TerminalCapabilities()
        capabilities.colorsExplanation = "256 colours, as TERM says"
        capabilities.graphics.explanation = "kitty's graphics, asked"
        let dashboard = try dashboard(capabilities: capabilities)
        for (name, isColors, isPictures) in [
            ("appearance.colors", true, false), ("appearance.pictures", false, true),
            ("appearance.theme", false, false),
        ] {
            open(name, in: dashboard)
            #expect(dashboard.screen.text.contains("256 colours, as TERM says") == isColors, "\(name)")
            #expect(dashboard.screen.text.contains("kitty's graphics, asked") == isPictures, "\(name)")
            dashboard.screen.press("h")
        }
        // It is reported as soon as it is found.
        open("appearance.pictures", in: dashboard)
        dashboard.screen.application.send(.graphics(capabilities.graphics.explained("sixels, found late")))
        #expect(dashboard.screen.text.contains("sixels, found late"))
    }

    // MARK: Themes

    @Test func listsUserThemesLast() throws {
        let colors = TerminalColors(foreground: .white, background: .black)
        let dashboard = try dashboard(adjust: {
            $0.configuration.themes = [Theme(name: "sea", colors: colors), Theme(name: "rosa", colors: colors)]
        })
        let definition = try #require(Settings.definition("appearance.theme"))
        let names = ["terminal", "dark", "light", "rosa", "high contrast", "monochrome", "sea"]
        #expect(dashboard.services.appearance.names(of: definition) == names)
        // A user theme overrides one of the same name.
        #expect(dashboard.services.appearance.theme("rosa").colors == colors)
        #expect(dashboard.services.appearance.theme("nothing").name == "terminal")
        try dashboard.services.appearance.keepTheme("deep", colors)
        try dashboard.services.appearance.keepTheme("deep", colors)
        #expect(dashboard.services.appearance.names(of: definition) == names + ["deep"])
        let others: [(String, [String]?)] = [
            ("terminal.mouse", ["on", "off"]), ("appearance.list-side", ["left", "right"]), ("feeds.refresh", nil),
            ("feeds.start", nil), ("audio.player", nil), ("notifications.quiet-hours", nil),
        ]
        for (name, values) in others {
            #expect(try dashboard.services.appearance.names(of: #require(Settings.definition(name))) == values)
        }
    }

    @Test func checksThemeNamesAsFileNames() {
        let names: [(String, Bool)] = [
            ("sea", true), ("deep sea", true), ("a-b_c 1", true), ("Ünïcode", true),
            (String(repeating: "a", count: 40), true), (String(repeating: "a", count: 41), false), ("", false),
            (" sea", false), ("sea ", false), ("../sea", false), ("a.b", false), ("a/b", false), ("dark", false),
            ("monochrome", false), ("Dark", true),
        ]
        for (name, isOne) in names {
            #expect((ThemeColorsViewController.problem(with: name) == nil) == isOne, "\(name)")
        }
    }

    /// Each colour of a theme is read and set independently.
    @Test func listsEveryColour() {
        let places: [ThemeColor: (index: Int?, role: ThemeRole)] = [
            .text: (nil, .text), .ground: (nil, .text), .accent: (6, .accent), .red: (1, .failure), .green: (2, .good),
            .yellow: (3, .warm), .blue: (4, .cool),
        ]
        let plain = TerminalColors(foreground: RGB(1, 1, 1), background: RGB(2, 2, 2))
        #expect(Set(ThemeColor.allCases) == Set(places.keys))
        for color in ThemeColor.allCases {
            let (index, role) = places[color] ?? (nil, .text)
            let changed = color.setting(RGB(9, 8, 7), in: plain)
            #expect(color[changed] == RGB(9, 8, 7) && color.role == role)
            #expect((changed.foreground == plain.foreground) == (color != .text))
            #expect((changed.background == plain.background) == (color != .ground))
            #expect(changed.ansi == (index.map { [$0: RGB(9, 8, 7)] } ?? [:]), "\(color)")
            // A colour that the theme lacks is the text colour.
            #expect(color[plain] == (color == .ground ? RGB(2, 2, 2) : RGB(1, 1, 1)))
        }
    }

    // MARK: Pages

    @Test func listsAllKeysAsBound() async throws {
        let dashboard = try dashboard(
            120, 400, adjust: { $0.configuration.keyMap = KeyMap(["program.undo": ["ctrl-y"], "storage.check": []]) })
        dashboard.services.access.status.persistent[.configuration] = "config.toml, line 2: 'x' is no key"
        dashboard.screen.press("ctrl-x", "k")
        #expect(await dashboard.screen.wait(for: "config.toml, under [keys]: \"entry.nextUnread\" = [\"n\"]"))
        let lines = dashboard.screen.lines.map { $0.split(separator: "│").last.map(String.init) ?? "" }
        let table = CommandTable.dashboard
        for command in table.commands where !command.traits.contains(.unlisted) && table.places.contains(command.place)
        {
            #expect(lines.contains { $0.contains("(\(command.name))") }, "\(command.name)")
        }
        for command in CommandTable.dashboard.commands where command.traits.contains(.unlisted) {
            #expect(!lines.contains { $0.contains("(\(command.name))") }, "\(command.name)")
        }
        let undo = lines.first { $0.contains("(program.undo)") }
        #expect(undo?.contains("^y") == true && undo?.contains("Undo") == true)
        #expect(lines.first { $0.contains("(storage.check)") }?.contains("–") == true)
        #expect(lines.contains { $0.contains("config.toml, line 2: 'x' is no key") })
    }

    /// Enter on the Keys page binds the next key. A key of another command is named, and `u` undoes it.
    @Test(arguments: [(120, 39), (80, 24), (42, 24)]) func bindsKeysOnTheirPage(width: Int, height: Int) async throws {
        let dashboard = try dashboard(width, height)
        let screen = dashboard.screen
        screen.press("ctrl-x", "k")
        screen.press("/", typing: "entry.delete", then: "enter", "enter")
        #expect(screen.text.contains("Press a key to add"), "\(screen.text)")
        #expect(screen.press("s", shows: "s is Star (entries)"), "\(screen.text)")
        #expect(dashboard.settings[.ownKeys] == "none")
        try await dashboard.press("s")
        #expect(dashboard.settings[.ownKeys] == "entry.delete=s  entry.delete=d  entry.toggleStar=")
        let delete = try #require(CommandTable.dashboard["entry.delete"])
        #expect(dashboard.window.keyMap.keys(for: delete) == ["s", "d"])
        try await dashboard.press("u")
        #expect(dashboard.window.keyMap.keys(for: delete) == ["d"])
        // A key that the command has is removed once it is pressed again.
        for key in ["z", "d"] {
            screen.press("enter", key)
            if key == "d" { #expect(screen.text.contains("d is its key. Press it again"), "\(screen.text)") }
            if key == "d" { screen.press("d") }
            try await dashboard.settle()
        }
        #expect(dashboard.settings[.ownKeys] == "entry.delete=z")
        try await dashboard.press("u")
        #expect(dashboard.window.keyMap.keys(for: delete) == ["z", "d"])
    }

    @Test func readsOwnKeys() {
        for text in ["none", "entry.delete=g g", "entry.delete=  list.down==  list.up=space"] {
            #expect(OwnKeys(text).text == text)
        }
        #expect(OwnKeys("x  =y  entry.delete=nope").keys == ["entry.delete": []])
    }

    @Test func aboutShowsProgramAndTerminal() async throws {
        for (colors, unicode, graphics, expected) in [
            (TerminalCapabilities.ColorDepth.direct, true, "", ["detecting", "UTF-8"]),
            (.palette, true, "sixels", ["sixels", "UTF-8"]), (.palette, true, "", ["detecting"]),
            (
                .sixteen, false, "",
                [
                    "Pictures are drawn with characters, because there are fewer than 256 colours.",
                    "ASCII only: the locale is not UTF-8",
                ]
            ),
        ] {
            var capabilities = TerminalCapabilities()
            capabilities.colors = colors
            capabilities.hasUnicode = unicode
            capabilities.graphics.explanation = graphics
            capabilities.colorsExplanation = "as TERM says"
            let dashboard = try dashboard(
                160, 60, file: ["appearance.theme": "rosa"], capabilities: capabilities,
                adjust: { $0.about = { [("Version", "1.2.3"), ("Log", "/state/tappa.log")] } })
            dashboard.screen.press("ctrl-x", "a")
            for text in expected + ["1.2.3", "as TERM says", "rosa", "cells"] {
                #expect(await dashboard.screen.wait(for: text), "\(text)")
            }
            dashboard.screen.press("y")
            let copied = try #require(dashboard.screen.terminal.copied)
            let lines = copied.split(separator: "\n").map(String.init)
            #expect(lines.first == "Version: 1.2.3" && lines[1] == "Log: /state/tappa.log")
            #expect(lines.contains { $0 == "Theme: rosa" } && lines.contains { $0 == "Colours: as TERM says" })
            #expect(dashboard.said == "Page copied to the terminal's clipboard.")
        }
    }

    /// Every size on the storage page, and the effect of each key.
    @Test func measuresChecksCompactsAndClearsStorage() async throws {
        let kept = KeptBytes()
        let dashboard = try dashboard(
            160, 60, adjust: { $0.pictures.cache = KeptPictures(size: { kept.bytes }, clear: { kept.clear() }) })
        let screen = dashboard.screen
        #expect(await screen.press("ctrl-x", "s", until: "12.3 kB"))
        for text in ["in memory", "Size", "Unused space", "Index", "Entries", "Full texts", "Pictures"] {
            #expect(screen.text.contains(text), "\(text)")
        }
        #expect(!screen.text.contains("measuring"))
        #expect(screen.press("c", shows: "checking"))
        #expect(await screen.wait(for: "no damage found"))
        #expect(kept.bytes == 12_345)
        #expect(await screen.press("p") { dashboard.said?.hasPrefix("Cleared 12.3 kB of pictures") == true })
        #expect(await screen.wait { !screen.lines.dropFirst().joined().contains("12.3 kB") && kept.bytes == 0 })
        #expect(await screen.press("v") { dashboard.said?.hasPrefix("Freed ") == true })
        screen.press("y")
        #expect(screen.terminal.copied?.hasPrefix("Library: in memory\nSize: ") == true)
    }

    /// The rows below the settings open their pages; selecting a setting again shows its editor.
    @Test func replacesPagesAndSettings() throws {
        let dashboard = try dashboard()
        let screen = dashboard.screen
        screen.press("G")
        #expect(dashboard.split?.detailViewController is AboutViewController)
        screen.press("k")
        #expect(dashboard.split?.detailViewController is KeysViewController)
        screen.press("k")
        #expect(dashboard.split?.detailViewController is StorageViewController)
        screen.press("k")
        let editor = dashboard.split?.detailViewController
        #expect(editor is StorageViewController || editor == nil || dashboard.split?.hasDetail == false)
        screen.press("g", "g")
        #expect(
            (dashboard.split?.detailViewController as? SettingViewController)?.definition.name == "appearance.theme")
        for (keys, type) in [
            ("ctrl-x s", StorageViewController.self), ("ctrl-x k", KeysViewController.self),
            ("ctrl-x a", AboutViewController.self),
        ] as [(String, ViewController.Type)] {
            for key in keys.split(separator: " ") { screen.press(String(key)) }
            #expect(dashboard.split?.detailViewController.map { Swift.type(of: $0) == type } == true)
            #expect(dashboard.split?.focusedColumn == .secondary)
            screen.press("h")
        }
    }

    /// A command of the list of segments is found wherever the user is, and leads there.
    @Test func goesToTheListOfSegments() throws {
        let dashboard = try dashboard()
        dashboard.controller.goToPlace(of: PlaceCommands.moveUp)
        #expect(dashboard.split?.detailViewController is SegmentListViewController)
    }

    /// The next start selects the same setting.
    @Test func keepsTheSelectedSetting() throws {
        let dashboard = try dashboard()
        for name in ["terminal.escape-time", "feeds.order", "appearance.colors"] {
            dashboard.screen.press("/", typing: name, then: "enter")
            dashboard.controller.saveState()
            let state = try #require(dashboard.saved.last)
            #expect(state.roots["settings"] == "\"\(name)\"")
            let next = try self.dashboard(adjust: { $0.start.state = state })
            #expect((next.split?.detailViewController as? SettingViewController)?.definition.name == name)
        }
    }

    @Test func findsSettingsByTitleNameAndDescription() throws {
        let dashboard = try dashboard()
        for (text, name) in [
            ("List width", "appearance.list-width"), ("FEEDS.KEEP-DAYS", "feeds.keep-days"),
            ("braille", "appearance.screen-reader"), ("downloaded", "audio.folder"),
        ] {
            dashboard.screen.press("g", "g", "/", typing: text, then: "enter")
            let editor = dashboard.split?.detailViewController as? SettingViewController
            #expect(editor?.definition.name == name, "\(text)")
        }
        // A page whose title begins so comes before settings that mention the word.
        dashboard.screen.press("g", "g", "/", typing: "keys", then: "enter")
        #expect(dashboard.split?.detailViewController is KeysViewController)
    }

    /// A list from another program is imported. Feeds that can't be followed are counted, and a missing file is
    /// reported.
    @Test func importsLists() async throws {
        let folder = TemporaryFolder()
        let dashboard = try dashboard()
        let screen = dashboard.screen
        func importList(_ path: String) {
            screen.press("I", "ctrl-u", typing: path, then: "enter")
        }
        let urls = try folder.write("https://a.example/feed\nhttps://b.example/feed\n\"exec:true\"\n", to: "urls")
        try await dashboard.library.follow("https://b.example/feed")
        importList(urls)
        #expect(
            await screen.wait {
                dashboard.said
                    == "Followed 1 feed, 1 already followed; 'tappa import' imports the other 1. R fetches them."
            }, "\(dashboard.said ?? "")")
        #expect(
            Set(try dashboard.library.feeds.all().map(\.url)) == ["https://a.example/feed", "https://b.example/feed"])
        importList(folder.path("nothing"))
        #expect(await screen.wait { dashboard.isFailure })
        screen.press("E", "ctrl-u", typing: folder.path("no/such/place.opml"), then: "enter")
        #expect(await screen.wait { dashboard.isFailure && dashboard.said?.contains("no/such") == true })
    }
}

extension GraphicsSupport {
    /// The same setting with another description.
    fileprivate func explained(_ text: String) -> GraphicsSupport {
        var copy = self
        copy.explanation = text
        return copy
    }
}
