import CommonTesting
import Foundation
import ModelCore
import TerminalUI
import Testing

@testable import Configuration

/// The files of a configuration: which are read, in which order, and how an error in one affects the others.
@Suite struct ReadsFilesOfTheConfiguration {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("config.toml") }
    private let commands = ConfigurationFile.Commands(
        CommandTable([
            CommandDefinition("entry.star", "Star", keys: ["s"], place: "entries"),
            CommandDefinition("entry.open.here", "Open", keys: ["o"], place: "entries"),
            CommandDefinition("list.down", "Down", keys: ["j"], place: "lists"),
        ]), presets: ["one": KeyMap(["entry.star": ["x"]]), "two": KeyMap()])

    /// The rest of the configuration applies.
    @Test func reportsFoldersThatCannotBeRead() throws {
        try write("[appearance]\ntheme = \"dark\"\n", to: "config.toml")
        try write("", to: "rules")
        let themes = temporary.path("themes")
        #expect(symlink(themes, themes) == 0)
        let file = ConfigurationFile.read(path, for: commands)
        #expect(file.problems.map(\.description) == ["\(temporary.path("rules")) is not a directory"])
        #expect(file.isReadable && file.settings == ["appearance.theme": "dark"])
        let problems = ThemeFile.read(folder: ThemeFile.folder(besideConfiguration: path)).problems
        #expect(problems.count == 1 && problems.first?.hasPrefix("\(themes) can't be read: ") == true)
    }

    private func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }

    private func read() -> ConfigurationFile { ConfigurationFile.read(path, for: commands) }

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: commands)
    }

    private static func rule(_ name: String, _ then: String = "star") -> String {
        "[[rules]]\nname = \"\(name)\"\nwhen = \"x\"\nthen = \"\(then)\"\n"
    }

    @Test func readsTheFolderOfRulesWithAndWithoutAConfiguration() throws {
        try write(Self.rule("c"), to: "rules/c.toml")
        try write(Self.rule("a") + Self.rule("a2"), to: "rules/a.toml")
        try write("other = 1\n" + Self.rule("b") + "[feeds]\nrefresh = 3\n", to: "rules/b.toml")
        try write(Self.rule("hidden"), to: "rules/.hidden.toml")
        try write(Self.rule("text"), to: "rules/text.txt")
        try write("", to: "rules/empty.toml")
        let without = read()
        #expect(without.rules.map(\.name) == ["a", "a2", "b", "c"] && without.isReadable)
        let folder = temporary.path("rules")
        let complaints = [(1, "other"), (6, "feeds")].map {
            "\(folder)/b.toml, line \($0): only [[rules]] are allowed here, not '\($1)'"
        }
        #expect(without.problems.map(\.description) == complaints)
        #expect(without.settings.isEmpty)
        // Rules of the configuration come first and are not replaced by rules of the same name.
        try write(Self.rule("z") + Self.rule("b", "delete"), to: "config.toml")
        let with = read()
        #expect(with.rules.map(\.name) == ["z", "b", "a", "a2", "c"] && with.rules[1].then == [.delete])
        #expect(
            with.problems.map(\.description) == complaints + [
                "\(folder)/b.toml, line 2: duplicate rule 'b'"
            ])
        // A half-written configuration leaves them unchanged.
        try write("[feeds", to: "config.toml")
        let half = read()
        #expect(half.rules.map(\.name) == ["a", "a2", "b", "c"] && !half.isReadable)
    }

    @Test func reportsAnUnreadableRulesFileAndReadsTheOthers() throws {
        try write(Self.rule("last"), to: "rules/z.toml")
        try write("[[rules", to: "rules/broken.toml")
        try write("rules = 1", to: "rules/wrong.toml")
        try FileManager.default.createDirectory(
            at: temporary.url.appendingPathComponent("rules/folder.toml"), withIntermediateDirectories: true)
        #expect(mkfifo(temporary.path("rules/pipe.toml"), 0o600) == 0)
        let file = read()
        #expect(file.rules.map(\.name) == ["last"] && file.isReadable)
        let folder = temporary.path("rules")
        #expect(
            file.problems.map(\.description) == [
                "\(folder)/broken.toml, line 1: a table's name ends with ]]", "\(folder)/folder.toml is a directory",
                "\(folder)/pipe.toml is not a regular file",
                "\(folder)/wrong.toml, line 1: rules are tables under [[rules]]",
            ])
    }

    /// Accepts a mebibyte and rejects one byte more.
    @Test(arguments: ["config.toml", "rules/r.toml"]) func limitsTheSizeOfAFile(name: String) throws {
        let text = Self.rule("r")
        let maximum = text + "#" + String(repeating: "x", count: (1 << 20) - text.utf8.count - 1)
        #expect(maximum.utf8.count == 1 << 20)
        try write(maximum, to: name)
        #expect(read().rules.count == 1 && read().problems.isEmpty)
        try write(maximum + "x", to: name)
        let file = read()
        #expect(file.rules.isEmpty && file.isReadable == (name != "config.toml"))
        #expect(file.problems.map(\.description) == ["\(temporary.path(name)) is larger than 1024 KiB"])
    }

    @Test func aConfigurationThatCannotBeReadSaysNothing() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(!read().isReadable && read().problems.map(\.description) == ["\(path) is a directory"])
        try FileManager.default.removeItem(atPath: path)
        #expect(read().isReadable && read().problems.isEmpty)
        try Data([0x5B, 0xFF]).write(to: URL(fileURLWithPath: path))
        #expect(!read().isReadable && read().problems.first?.line == 1)
    }

    /// A pipe without a writer would block the start, and a link that leads nowhere is a mistake.
    @Test func reportsPipesAndDanglingLinks() throws {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(!read().isReadable && read().problems.map(\.description) == ["\(path) is not a regular file"])
        unlink(path)
        #expect(symlink("config.toml", path) == 0)
        #expect(read().problems.map(\.description) == ["\(path) can't be read: Too many levels of symbolic links"])
        unlink(path)
        #expect(symlink("missing.toml", path) == 0)
        #expect(!read().isReadable && read().problems.map(\.description) == ["No such file: \(path)"])
        unlink(path)
        #expect(ConfigurationFile.read("/dev/null", for: commands).problems.isEmpty)
    }

    @Test func findsRulesAndThemesBesideTheConfigurationFile() {
        #expect(RuleFile.folder(besideConfiguration: "/a/b/c.toml") == "/a/b/rules")
        #expect(ThemeFile.folder(besideConfiguration: "/a/b/c.toml") == "/a/b/themes")
    }

    // MARK: Keys

    @Test(
        arguments: [
            ("[keys]\n\"entry.open.here\" = \"z\"", ["entry.open.here": ["z"]]),
            ("[keys]\nentry.open.here = \"z\"", ["entry.open.here": ["z"]]),
            (
                "[keys.entry]\nopen.here = [\"z\", \"Z\"]\nstar = \"y\"",
                ["entry.open.here": ["z", "Z"], "entry.star": ["y"]]
            ),
            ("[keys.entry.open]\nhere = []", ["entry.open.here": []]), ("[keys]", [:]), ("", [:]),
            ("[keys]\npreset = \"one\"", ["entry.star": ["x"]]), ("[keys]\npreset = \"two\"", [:]),
            ("[keys]\npreset = \"one\"\nentry.star = \"y\"", ["entry.star": ["y"]]),
            ("[keys]\nentry.star = \"y\"\npreset = \"one\"", ["entry.star": ["y"]]),
            ("keys.preset = \"one\"\n[keys]\nlist.down = \"y\"", ["entry.star": ["x"], "list.down": ["y"]]),
            ("[keys]\npreset = \"one\"\nentry.star = [\"+\", \"y\"]", ["entry.star": ["x", "y"]]),
        ] as [(String, [String: [KeySequence]])])
    func readsKeysInEveryForm(text: String, bindings: [String: [KeySequence]]) {
        let file = parse(text)
        #expect(file.problems.isEmpty && file.keyMap == KeyMap(bindings), "\(file.problems)")
    }

    @Test(arguments: [
        ("preset = \"none\"", 2, "keys.preset must be one of one, two, not 'none'"),
        ("preset = 1", 2, "keys.preset must be one of one, two, not '1'"),
        ("entry.star = true", 2, "entry.star has no keys"), ("entry.star = 7", 2, "entry.star has no keys"),
        ("list.down = \"y\"\nentry.stra = \"z\"", 3, "no such command: 'entry.stra'; did you mean 'entry.star'?"),
        ("list.down = \"y\"\nentry.none = []", 3, "entry.none has no keys"),
        ("entry.none = []\nlist.down = \"y\"", 2, "entry.none has no keys"),
    ]) func reportsInvalidKeys(text: String, line: Int, message: String) {
        let file = parse("[keys]\n" + text)
        #expect(file.problems.map(\.description) == ["c.toml, line \(line): \(message)"])
        #expect(file.keyMap == (text.contains("list.down") ? KeyMap(["list.down": ["y"]]) : KeyMap()))
    }

    /// What a binding takes away is reported, and it isn't an error.
    @Test func noticesLostKeys() {
        let known = ConfigurationFile.Commands(
            CommandTable([CommandDefinition("list.open", "Open", keys: ["enter"], place: "lists")]))
        let file = ConfigurationFile.parse("[keys]\nlist.open = \"l\"", path: "c.toml", for: known)
        #expect(
            file.notices.map(\.description) == [
                "c.toml, line 2: 'enter' no longer performs list.open (Open); a list that begins with \"+\" adds keys"
            ])
        #expect(file.problems.isEmpty && file.keyMap == KeyMap(["list.open": ["l"]]))
        #expect(
            ConfigurationFile.parse("[keys]\nlist.open = [\"+\", \"l\"]", path: "", for: known).notices.isEmpty)
    }

    @Test func saysWhereAPresetBelongs() {
        let file = parse("[feeds]\nkeys.preset = \"one\"")
        #expect(
            file.problems.map(\.message) == ["keys.preset belongs above the first table, or under [keys] as preset"])
    }

    // MARK: Commands of the user's own

    @Test func givesEachCommandItsKeyWithAndWithoutATableOfKeys() {
        let own = "[[commands]]\nname = \"a\"\nrun = [\"a\"]\nkey = \"b\"\n[[commands]]\nname = \"c\"\nrun = [\"c\"]\n"
        #expect(parse(own).keyMap == KeyMap(["user.a": ["b"]]))
        let both = parse(own + "[keys]\npreset = \"one\"\nuser.c = \"d\"\n")
        #expect(both.problems.isEmpty)
        #expect(both.keyMap == KeyMap(["user.a": ["b"], "user.c": ["d"], "entry.star": ["x"]]))
        let wrong = parse("[[commands]]\nname = \"a\"\nrun = [\"a\"]\nkey = 3.5\n")
        #expect(wrong.problems.map(\.line) == [4] && wrong.commands.count == 1)
    }

    @Test func refusesASecondCommandOfAName() {
        let commands = [("a", "run = [\"one\"]"), ("b", "sh = \"x\""), ("a", "run = [\"two\"]"), ("c", "sh = \"y\"")]
        let file = parse(commands.map { "[[commands]]\nname = \"\($0.0)\"\n\($0.1)\n" }.joined())
        #expect(file.commands.map(\.program) == [.words(["one"]), .shell("x"), .shell("y")])
        #expect(file.problems.map(\.description) == ["c.toml, line 7: duplicate command 'a'"])
        #expect(parse("commands = 1").problems.map(\.message) == ["commands are tables under [[commands]]"])
        #expect(parse("commands = [1]").problems.map(\.message) == ["a command is a table under [[commands]]"])
    }

    /// Steps are commands of the dashboard, or earlier commands of the user that run a program, so none calls itself.
    @Test(arguments: [
        ("entry.star", true), ("user.program", true), ("user.text", true), ("user.steps", false), ("user.own", false),
        ("user.later", false), ("none", false),
    ]) func allowsOnlySimpleCommandsAsSteps(step: String, isAccepted: Bool) {
        let file = parse(
            """
            commands = [
            { name = "program", run = ["a"] },
            { name = "text", sh = "a" },
            { name = "steps", do = ["entry.star"] },
            { name = "own", do = ["entry.star", "\(step)"] },
            { name = "later", run = ["a"] },
            ]
            """)
        #expect(file.commands.map(\.name) == ["program", "text", "steps"] + (isAccepted ? ["own"] : []) + ["later"])
        #expect(file.problems.map(\.line) == (isAccepted ? [] : [5]), "\(file.problems)")
        if isAccepted { #expect(file.commands[3].steps == ["entry.star", step]) }
    }

    // MARK: Accounts

    @Test func readsEachAccountByItself() {
        let file = parse(
            """
            [account.first]
            password-command = ["pass", "one"]
            [account.wrong]
            password-command = ["pass", 1]
            [account.empty]
            password-command = []
            [account.text]
            password-command = "pass"
            [account.more]
            password-command = ["pass"]
            user = "x"
            [account.last]
            password-command = ["pass", "two words"]
            """)
        #expect(file.passwordCommands == ["first": ["pass", "one"], "last": ["pass", "two words"]])
        #expect(file.problems.map(\.line) == [3, 5, 7, 9])
        #expect(file.problems.allSatisfy { $0.message.hasPrefix("accounts are tables such as [account.home]") })
        #expect(file.settings.isEmpty)
    }

    // MARK: The listing

    @Test func listsCommandsUnderTheirPlacesWithTheirTitles() {
        let table = CommandTable([
            CommandDefinition("a.one", "First", keys: ["x", "ctrl-y"], place: "lists"),
            CommandDefinition("b", "Other", keys: [], place: "texts"),
            CommandDefinition("a.two", "Second", keys: ["z"], place: "lists"),
            CommandDefinition("a.long-name-of-many-letters-and-more", "Third", keys: ["1"], place: "lists"),
        ])
        let listing = ConfigurationFile.listing(of: table, keyMap: KeyMap(["a.two": ["q"]]))
        func padded(_ text: String) -> String { text + String(repeating: " ", count: 44 - text.count) }
        #expect(
            listing
                == [
                    "[keys]", "", "# lists", padded("\"a.one\" = [\"x\", \"ctrl-y\"]") + " # First",
                    padded("\"a.two\" = [\"q\"]") + " # Second",
                    "\"a.long-name-of-many-letters-and-more\" = [\"1\"] # Third", "", "# texts",
                    padded("\"b\" = []") + " # Other",
                ].joined(separator: "\n"))
    }
}
