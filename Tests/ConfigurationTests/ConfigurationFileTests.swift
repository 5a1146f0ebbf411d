import LibraryKernel
import ModelCore
import TerminalUI
import Testing

@testable import Configuration

/// Reading a configuration file and reporting its errors.
@Suite struct ConfigurationFileTests {
    private static let commands = ConfigurationFile.Commands(
        CommandTable(
            [
                CommandDefinition("entry.browser", "Browser", keys: ["o"], place: "entries"),
                CommandDefinition("entry.star", "Star", keys: ["s"], place: "entries"),
                CommandDefinition("entry.delete", "Delete", keys: ["d"], place: "entries"),
                CommandDefinition("list.down", "Down", keys: ["j"], place: "lists"),
                CommandDefinition("list.first", "First", keys: ["g g"], place: "lists"),
                CommandDefinition("list.findNext", "Next", keys: ["n"], place: "lists", .givesWay),
                CommandDefinition("program.quit", "Quit", keys: ["q"], place: "everywhere"),
            ], inner: ["entries": ["lists"]]), presets: ["tappa": KeyMap(), "vim": KeyMap(["entry.delete": ["d d"]])])

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: ConfigurationFileTests.commands)
    }

    private func problem(_ text: String) -> String? { parse(text).problems.first?.description }

    @Test func aMistakeLeavesTheRestUnchanged() {
        let file = parse("[appearance]\nthem = 'rosa'\ndates = 'iso'\n[feeds]\nrefresh = 'x'\norder = 'oldest first'\n")
        #expect(file.settings == ["appearance.dates": "iso", "feeds.order": "oldest first"] && file.isReadable)
        #expect(file.lines == ["appearance.dates": 3, "feeds.order": 6])
        #expect(
            file.problems.map(\.description) == [
                "c.toml, line 2: no such setting: 'appearance.them'; did you mean 'appearance.theme'?",
                "c.toml, line 5: feeds.refresh must be a whole number from 0 to 1440, not 'x'",
            ])
        // Half-written, it names no server at all.
        let half = parse("[appearance]\ndates = 'iso'\n[fee")
        #expect(half.settings.isEmpty && !half.isReadable && half.problems.count == 1)
    }

    @Test func prefersFlagsAndEnvironmentVariables() async throws {
        let own = SettingOverrides.read(
            environment: ["TAPPA_FEEDS_REFRESH": "15", "TAPPA_TERMINAL_MOUSE": "false", "TAPPA_FEEDS_ORDER": "x"],
            flags: ["feeds.refresh=20", "feeds.refrsh=1"])
        #expect(own.problems.count == 2 && own.problems[1].hasSuffix("did you mean 'feeds.refresh'?"))
        let library = try Library(path: nil)
        let settings = try Settings(library: library, file: ["feeds.refresh": "30"], overrides: own.values)
        #expect(settings["feeds.refresh"] == SettingValue(value: "20", origin: .flag))
        #expect(settings["terminal.mouse"] == SettingValue(value: "off", origin: .environment))
        settings.use("rosa", for: "appearance.theme")
        settings.use("7", for: "feeds.keep-days")
        #expect(SettingOverrides.toml(of: settings) == "[appearance]\ntheme = \"rosa\"\n\n[feeds]\nkeep-days = 7")
        // A changed file applies where nothing overrides it.
        #expect(settings.use(file: ["feeds.refresh": "60", "feeds.order": "oldest first"]) == ["feeds.order"])
    }

    @Test func readsSettingsAndKeys() throws {
        let file = parse(
            """
            [appearance]
            theme = "rosa"
            [terminal]
            mouse = false
            [keys]
            "entry.browser" = ["o", "ctrl-o"]
            entry.star = "g s"
            """)
        #expect(file.settings == ["appearance.theme": "rosa", "terminal.mouse": "off"])
        #expect(file.keyMap == KeyMap(["entry.browser": ["o", "ctrl-o"], "entry.star": ["g s"]]))
        #expect(file.problems.isEmpty)
    }

    /// Invalid keys are reported with their line; all others still apply.
    @Test func invalidKeysLeaveTheRestUnchanged() throws {
        let file = parse(
            """
            [keys]
            preset = "vim"
            "entry.brwser" = "x"
            "entry.star" = "j"
            "entry.browser" = ["ctrl-i"]
            "program.quit" = "Q"
            """)
        #expect(file.keyMap == KeyMap(["entry.delete": ["d d"], "program.quit": ["Q"]]))
        #expect(
            file.problems.map(\.description) == [
                "c.toml, line 3: no such command: 'entry.brwser'; did you mean 'entry.browser'?",
                "c.toml, line 4: 'j' for entry.star is list.down in lists",
                "c.toml, line 5: 'ctrl-i': terminals send ctrl-i as tab (for entry.browser)",
            ])
    }

    @Test func readsProgramsAsStringsOrLists() {
        let file = parse(
            """
            [feeds]
            browser = ["my browser", "--new \\"tab\\"", "%s"]
            start = ["x"]
            [audio]
            player = "mpv --no-video"
            folder = []
            [notifications]
            command = ["tell", 1]
            """)
        #expect(
            file.settings == [
                "feeds.browser": "\"my browser\" '--new \"tab\"' %s", "audio.player": "mpv --no-video",
            ])
        #expect(file.problems.map(\.line) == [3, 6, 8])
    }

    @Test func anEmptyListRemovesTheKeysOfACommand() {
        let file = parse("[keys]\nentry.delete = []\nentry.star = 'd'")
        #expect(file.problems.isEmpty && file.keyMap == KeyMap(["entry.delete": [], "entry.star": ["d"]]))
    }

    @Test func twoCommandsMaySwapTheirKeys() throws {
        #expect(parse("[keys]\n\"entry.star\" = \"d\"\n\"entry.delete\" = \"s\"").problems.isEmpty)
        #expect(parse("[keys]\n\"entry.star\" = \"n\"\n\"program.quit\" = \"j\"").problems.isEmpty)
    }

    @Test func theListedConfigurationChangesNothing() throws {
        let commands = ConfigurationFileTests.commands.table
        let listing = ConfigurationFile.listing(of: commands, keyMap: KeyMap(["entry.star": ["\"", "\\"]]))
        let file = parse(listing)
        #expect(file.problems.isEmpty)
        #expect(file.keyMap.keys(for: commands.commands[1]) == ["\"", "\\"])
        for command in commands.commands where command.name != "entry.star" {
            #expect(file.keyMap.keys(for: command) == command.keys)
        }
        #expect(listing.contains("# entries\n\"entry.browser\" = [\"o\"]"))
    }

    @Test(arguments: [
        ("[appearance", "c.toml, line 1: a table's name ends with ]"),
        ("[none]\nx = 1", "c.toml, line 2: no such setting: 'none.x'"),
        ("\n[appearance]\ntheme = \"purple\"", "c.toml, line 3: appearance.theme must be terminal, dark"),
        ("[appearance]\ntheme = 3", "c.toml, line 2: appearance.theme must be terminal, dark"),
        ("[appearance]\ntheme = [\n1]", "c.toml, line 2: appearance.theme must be terminal, dark"),
        ("[keys]\nentry.star = \"hyper-q\"", "c.toml, line 2: 'hyper-q' is not a key (for entry.star)"),
        ("[keys]\nentry.star = [\"x\", 1.5]", "c.toml, line 2: '1.5' is not a key (for entry.star)"),
        ("[keys]\nentry.star = \"ctrl-S\"", "c.toml, line 2: 'ctrl-S': terminals send no ctrl-S"),
        ("[keys]\nentry.star = \"shift-s\"", "c.toml, line 2: 'shift-s': with shift a letter is 'S'"),
        ("[keys]\nentry.star = \"d\"", "c.toml, line 2: 'd' for entry.star is entry.delete in entries"),
        (
            "[keys]\nentry.star = \"g\"",
            "c.toml, line 2: 'g' for entry.star is a prefix or an extension of the key of list.first"
        ),
        ("[keys]\nlist.down = \"s\"", "c.toml, line 2: 's' for list.down is entry.star in entries"),
        ("[keys]\nzzzzzz = \"s\"", "c.toml, line 2: no such command: 'zzzzzz'"),
        ("[keys]\npreset = \"emacs\"", "c.toml, line 2: keys.preset must be one of tappa, vim"),
        ("[keys]\na = []", "c.toml, line 2: a has no keys"), ("[keys]\na = 3", "c.toml, line 2: a has no keys"),
        ("x = 1\nx = 2", "c.toml, line 2: duplicate key 'x'"),
    ])
    func reportsEachMistake(text: String, beginning: String) {
        #expect(problem(text)?.hasPrefix(beginning) == true, "\(problem(text) ?? "")")
    }

    @Test func theFileOfDefaultsChangesNothing() throws {
        let file = parse(ConfigurationFile.defaults)
        #expect(file.settings.count == Settings.definitions.count && file.keyMap == KeyMap())
        for definition in Settings.definitions { #expect(file.settings[definition.name] == definition.defaultValue) }
        #expect(ConfigurationFile.read("/no/such/file", for: ConfigurationFileTests.commands).settings.isEmpty)
    }
}
