import CommonTesting
import Feeds
import Foundation
import LibraryKernel
import TerminalUI
import Testing

@testable import Configuration

/// Writing rules and themes: location, permissions, and that they read back equal.
@Suite struct WritesRulesAndThemes {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("new/folder/config.toml") }
    private var folder: String { temporary.path("new/folder") }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func rule(_ name: String) throws -> Rule {
        Rule(name: name, when: try SearchQuery("title:x"), then: [.mark(.read)])
    }

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: ConfigurationFile.Commands(CommandTable([])))
    }

    // MARK: For whom

    /// New files are private to their owner; an existing folder keeps its permissions.
    @Test func onlyTheOwnerReadsWhatIsWritten() throws {
        let rules = try RuleFile.write(try rule("a"), besideConfiguration: path)
        #expect(mode(rules) == 0o600 && mode("\(folder)/rules") == 0o700)
        let colors = TerminalColors(foreground: .white, background: .black, ansi: [:])
        for _ in 0..<2 {
            _ = try ThemeFile.write(colors, name: "t", besideConfiguration: path)
            #expect(mode("\(folder)/themes/t.toml") == 0o600 && mode("\(folder)/themes") == 0o700)
        }
        for name in ["rules", "themes"] { chmod("\(folder)/\(name)", 0o755) }
        let second = try RuleFile.write(try rule("b"), besideConfiguration: path)
        _ = try ThemeFile.write(colors, name: "u", besideConfiguration: path)
        #expect(mode("\(folder)/rules") == 0o755 && mode("\(folder)/themes") == 0o755)
        #expect(mode(second) == 0o600 && mode("\(folder)/themes/u.toml") == 0o600)
        // A rewritten theme keeps the permissions that its owner chose.
        chmod("\(folder)/themes/u.toml", 0o644)
        _ = try ThemeFile.write(colors, name: "u", besideConfiguration: path)
        #expect(mode("\(folder)/themes/u.toml") == 0o644)
    }

    @Test func reportsFilesThatCannotBeWritten() throws {
        for name in ["rules", "themes"] { try temporary.write("x", to: "new/folder/\(name)") }
        let colors = TerminalColors(foreground: .white, background: .black, ansi: [:])
        let file = "\(folder)/rules/a.toml"
        #expect(
            #expect(throws: UserFile.Problem.self) { try RuleFile.write(try rule("a"), besideConfiguration: path) }?
                .description == "No such directory for \(file)")
        #expect(throws: UserFile.Problem.self) { try ThemeFile.write(colors, name: "t", besideConfiguration: path) }
    }

    // MARK: Rules

    @Test(arguments: [
        ("No Sponsors!", "no-sponsors"), ("a", "a"), ("  a  b ", "a-b"), ("Ä ö", "rule"), ("Über uns", "ber-uns"),
        ("../../etc/passwd", "etc-passwd"), ("2026", "2026"),
        ("one two three four five six seven eight nine", "one-two-three-four-five-six-seven-eight"),
        (String(repeating: "x", count: 60), String(repeating: "x", count: 60)), ("東京", "rule"),
        (
            "a" + String(repeating: "b", count: 30) + " " + String(repeating: "c", count: 29),
            "a" + String(repeating: "b", count: 30) + "-" + String(repeating: "c", count: 28)
        ),
    ]) func namesTheFileAfterTheRule(name: String, stem: String) throws {
        #expect(try RuleFile.write(try rule(name), besideConfiguration: path) == "\(folder)/rules/\(stem).toml")
    }

    @Test func neverOverwritesExistingFiles() throws {
        for number in 1...4 {
            let file = try RuleFile.write(try rule("same"), besideConfiguration: path)
            #expect(file == "\(folder)/rules/same\(number == 1 ? "" : "-\(number)").toml")
            try Data("# \(number)".utf8).write(to: URL(fileURLWithPath: file))
        }
        for number in 1...4 {
            let file = "\(folder)/rules/same\(number == 1 ? "" : "-\(number)").toml"
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "# \(number)")
        }
    }

    /// TOML can read every text again.
    @Test func quotesEveryCharacter() throws {
        for value in (UInt32(0)...0x2FF).map({ $0 }) + [0x2028, 0xFEFF, 0xFFFD, 0x1F600] {
            let scalar = try #require(Unicode.Scalar(value))
            let text = "a\(Character(scalar))\(Character(scalar))\"\\b"
            let quoted = RuleFile.quoted(text)
            #expect(!quoted.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(value)")
            #expect(try TOMLParser.parse("x = \(quoted)")["x"]?.string == text, "\(value)")
        }
        #expect(RuleFile.quoted("") == "\"\"" && RuleFile.quoted("a\nb\tc") == "\"a\\nb\\tc\"")
    }

    private static let actions: [Rule.Action] = [
        .mark(.read), .mark(.starred), .mark(.later), .tag("t u"), .delete, .fold, .notify, .fullText, .download,
        .run("note"),
    ]

    @Test func readsBackEveryActionItWrites() throws {
        let command = "[[commands]]\nname = \"note\"\nrun = [\"n\"]\n"
        for action in Self.actions {
            let rule = Rule(
                name: "r \"x\" \\", when: try SearchQuery("title:\"a b\" or /x\\d/"), then: [action, .mark(.read)])
            #expect(parse(command + RuleFile.text(of: rule)).rules == [rule], "\(action)")
        }
        let all = Rule(name: "all", when: try SearchQuery("x"), then: Self.actions)
        #expect(parse(command + RuleFile.text(of: all)).rules == [all])
    }

    @Test(arguments: [(1, true), (60, true), (61, false), (0, false)]) func limitsRuleNamesToSixtyCharacters(
        count: Int, isRead: Bool
    ) {
        let name = String(repeating: "n", count: count)
        let file = parse("[[rules]]\nname = \"\(name)\"\nwhen = \"x\"\nthen = \"star\"\n")
        #expect(file.rules.map(\.name) == (isRead ? [name] : []) && file.problems.isEmpty == isRead)
    }

    @Test(arguments: [
        ("[[rules]]\nname = 1\nwhen = \"x\"\nthen = \"star\"", 2, "a rule needs a name"),
        (
            "[[rules]]\nname = \"a\"\nwhen = 1\nthen = \"star\"", 3,
            "the rule 'a' needs a query: when = \"title:sponsored\""
        ),
        ("[[rules]]\nname = \"a\"\nwhen = \"x\"\nthen = []", 4, "the rule 'a' does nothing"),
        ("[[rules]]\nname = \"a\"\nwhen = \"x\"\nthen = 1", 4, "the rule 'a' does nothing"),
        (
            "[[rules]]\nname = \"a\"\nwhen = \"x\"\nthen = [\"star\", \"tag\"]", 4,
            "'a' has an unknown action 'tag'; use \(Rule.Action.known)"
        ),
        ("rules = 1", 1, "rules are tables under [[rules]]"), ("rules = [1]", 1, "a rule is a table under [[rules]]"),
        // A command that consists of dashboard steps runs no program.
        (
            "[[commands]]\nname = \"s\"\ndo = [\"x.y\"]\n[[rules]]\nname = \"a\"\nwhen = \"x\"\nthen = \"run s\"", 7,
            "'a': no such command: 's'"
        ),
    ]) func reportsWhatARuleCannotExpress(text: String, line: Int, message: String) {
        let commands = ConfigurationFile.Commands(CommandTable([CommandDefinition("x.y", "X", keys: [], place: "p")]))
        let file = ConfigurationFile.parse(text, path: "c.toml", for: commands)
        #expect(file.rules.isEmpty && file.problems.map(\.description) == ["c.toml, line \(line): \(message)"])
    }

    @Test func anInvalidRuleLeavesTheOthers() {
        let file = parse(
            "[[rules]]\nname = \"a\"\nwhen = \"x\"\nthen = \"star\"\n[[rules]]\nname = \"b\"\n[[rules]]\nname = \"a\"\nwhen = \"y\"\nthen = \"star\"\n[[rules]]\nname = \"c\"\nwhen = \"z\"\nthen = [\"fold\"]\n"
        )
        #expect(file.rules.map(\.name) == ["a", "c"] && file.rules[0].when.text == "x")
        #expect(file.problems.count == 2)
    }

    // MARK: Themes

    private static let names = ["accent", "background", "blue", "foreground", "green", "magenta", "red", "yellow"]

    @Test func writesColoursByTheirRole() throws {
        let colors = TerminalColors(
            foreground: RGB(1, 1, 1), background: RGB(2, 2, 2),
            ansi: Dictionary(uniqueKeysWithValues: (1...6).map { ($0, RGB(UInt8($0), 0xA0, 0xFF)) }))
        let theme = try ThemeFile.write(colors, name: "My own", besideConfiguration: path)
        #expect(theme.name == "My own" && theme.colors == colors)
        let text = try String(contentsOfFile: "\(folder)/themes/My own.toml", encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.dropFirst().map { $0.split(separator: " ").first.map(String.init) ?? "" } == Self.names)
        #expect(lines.first == "# Made in tappa's settings, and written anew by them.")
        #expect(lines.contains("red = \"#01a0ff\"") && lines.contains("accent = \"#06a0ff\""))
        #expect(ThemeFile.read(folder: "\(folder)/themes").themes.map(\.colors) == [colors])
        let few = TerminalColors(foreground: .white, background: .black, ansi: [:])
        #expect(try ThemeFile.write(few, name: "My own", besideConfiguration: path).colors == few)
    }

    @Test func readsEveryColourName() throws {
        let ground = "background = \"#000000\"\nforeground = \"#ffffff\"\n"
        for (name, index) in [
            ("red", 1), ("green", 2), ("yellow", 3), ("blue", 4), ("magenta", 5), ("cyan", 6), ("accent", 6),
        ] {
            let theme = try ThemeFile.parse(ground + "\(name) = \"#102030\"\n", path: "/x/t.toml")
            #expect(theme.colors?.ansi == [index: RGB(0x10, 0x20, 0x30)], "\(name)")
        }
        // The accent takes precedence over cyan in any order.
        for lines in ["cyan = \"#111111\"\naccent = \"#222222\"", "accent = \"#222222\"\ncyan = \"#111111\""] {
            #expect(try ThemeFile.parse(ground + lines, path: "/x/t.toml").colors?.ansi == [6: RGB(0x22, 0x22, 0x22)])
        }
        let yaml = "base00: \"000000\"\nbase05: \"ffffff\"\n"
        let slots = ["08": 1, "0B": 2, "0A": 3, "0D": 4, "0E": 5, "0C": 6]
        for number in 0...0x17 {
            let digits = String(number, radix: 16, uppercase: true)
            let name = String(repeating: "0", count: 2 - digits.count) + digits
            guard name != "00", name != "05" else { continue }
            for key in ["base\(name)", "BASE\(name.lowercased())"] {
                let theme = try ThemeFile.parse(yaml + "\(key): \"102030\"\n", path: "/x/t.yaml")
                #expect(theme.colors?.ansi == (slots[name].map { [$0: RGB(0x10, 0x20, 0x30)] } ?? [:]), "\(key)")
            }
        }
    }

    @Test(arguments: [
        ("evening.toml", "evening"), ("a.b.yaml", "a.b"), ("two words.yml", "two words"),
    ]) func namesThemesAfterTheirFiles(file: String, name: String) throws {
        let text =
            file.hasSuffix(".toml")
            ? "background = \"#000000\"\nforeground = \"#ffffff\"" : "base00: 000000\nbase05: ffffff"
        try temporary.write(text, to: "new/folder/themes/\(file)")
        #expect(ThemeFile.read(folder: "\(folder)/themes").themes.map(\.name) == [name])
        #expect(ThemeFile.names(folder: "\(folder)/themes") == [name])
    }

    /// At most 64 KiB of a file and 200 files of a folder.
    @Test func limitsFilesInSizeAndNumber() throws {
        let themes = "\(folder)/themes"
        func write(_ text: String, _ name: String) throws {
            try temporary.write(text, to: "new/folder/themes/\(name).toml")
        }
        let text = "background = \"#000000\"\nforeground = \"#ffffff\"\n#"
        let maximum = text + String(repeating: "x", count: 65_536 - text.utf8.count)
        try write(maximum, "000")
        #expect(ThemeFile.read(folder: themes).themes.count == 1)
        try write(maximum + "x", "000")
        let large = ThemeFile.read(folder: themes)
        #expect(large.themes.isEmpty && large.problems == ["\(themes)/000.toml is larger than 64 KiB"])
        #expect(mkfifo("\(themes)/001.toml", 0o600) == 0)
        #expect(ThemeFile.read(folder: themes).problems.last == "\(themes)/001.toml is not a regular file")
        unlink("\(themes)/001.toml")
        let colors = TerminalColors(foreground: .white, background: .black, ansi: [:])
        for number in 0..<200 {
            try write(text + "\n", String(repeating: "0", count: 3 - "\(number)".count) + "\(number)")
            guard number == 198 else { continue }
            #expect(try ThemeFile.write(colors, name: "z", besideConfiguration: path).name == "z")
            unlink("\(themes)/z.toml")
        }
        let problem = #expect(throws: UserFile.Problem.self) {
            try ThemeFile.write(colors, name: "z", besideConfiguration: path)
        }
        #expect(problem?.description == "\(themes) already has 200 themes")
        try write(text + "\n", "200")
        #expect(ThemeFile.read(folder: themes).themes.map(\.name).last == "199")
    }

    @Test func rejectsInvalidColours() {
        for (value, isColor) in [
            ("#102030", true), ("#A0b0C0", true), ("102030", true), ("#12345", false), ("#1234567", false),
            ("#12345g", false),
            ("", false), ("red", false),
        ] {
            let theme = try? ThemeFile.parse("foreground = \"#ffffff\"\nbackground = \"\(value)\"", path: "/x/t.toml")
            #expect((theme != nil) == isColor, "\(value)")
        }
    }
}
