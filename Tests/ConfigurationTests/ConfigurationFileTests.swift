import ModelCore
import TerminalUI
import Testing

@testable import Configuration

/// What a configuration file says, and where it says something wrong.
@Suite struct ConfigurationFileTests {
    private func problem(_ text: String) -> String? {
        do {
            _ = try ConfigurationFile.parse(text, path: "c.toml")
            return nil
        } catch {
            return error.description
        }
    }

    /// Found by fuzzing: the parser ended the program at each of these.
    @Test(arguments: [
        ("[,]", 1), ("[=]", 1), ("[\n", 1), ("[ \r\n", 1), ("[#", 1), ("[é]\n", 1), ("[\u{01}x]", 1),
        ("a = 1\n\n  [ \u{01}", 3), ("[[.]]", 1),
        ("x = \"\"\"\n[é]\n\"\"\"\n[+]", 4),
        ("x = '''\n'''\n[(]", 3), ("x = [\n[+1],\n]\n[+1]", 4), ("x = \"a\\\"b\"\n[é]", 2), ("# [é]\n[é]", 2),
    ])
    func aHeaderThatNamesNothingIsToldWithItsLine(text: String, line: Int) {
        #expect(TableHeaders.lineOfBadOne(in: text) == line)
        #expect(problem(text)?.hasPrefix("c.toml, line \(line): a table's name is ") == true)
    }

    @Test(arguments: [
        "[a]", "[a.b]", "[ \"é\" ]", "['x']", "[[list]]", "[-_1]", "x = [\n  [+1],\n  [{}]\n]",
        "x = \"\"\"\n[é]\\\n[,]\n\"\"\"",
        "x = '''\n[é]\n'''", "# [é]", "x = \"[\"\n[a]", "",
    ])
    func otherBracketsAreTheParsersBusiness(text: String) {
        #expect(TableHeaders.lineOfBadOne(in: text) == nil)
    }

    @Test func settingsAndKeysAreRead() throws {
        let file = try ConfigurationFile.parse(
            """
            [appearance]
            theme = "rosa"
            [terminal]
            mouse = false
            [keys]
            "entry.browser" = ["o", "ctrl-o"]
            entry.star = "g s"
            """, path: "c.toml")
        #expect(file.settings == ["appearance.theme": "rosa", "terminal.mouse": "off"])
        #expect(file.keys == ["entry.browser": ["o", "ctrl-o"], "entry.star": ["g s"]])
    }

    @Test(arguments: [
        ("[appearance", "c.toml, line 1: "), ("[none]\nx = 1", "c.toml: there is no setting 'none.x'"),
        ("[appearance]\ntheme = \"purple\"", "c.toml: appearance.theme is 'purple', but can be "),
        ("[appearance]\ntheme = 3", "c.toml: appearance.theme is '3', but can be "),
        ("[keys]\na = \"hyper-q\"", "c.toml: 'hyper-q' is not a key (for a)"),
        ("[keys]\na = []", "c.toml: a has no keys"),
        ("[keys]\na = 3", "c.toml: a has no keys"), ("x = 1\nx = 2", "c.toml, line 2: "),
    ])
    func whatIsWrongIsSaid(text: String, beginning: String) {
        #expect(problem(text)?.hasPrefix(beginning) == true, "\(problem(text) ?? "")")
    }

    @Test func theDefaultsAreAFileThatSaysNothingNew() throws {
        let file = try ConfigurationFile.parse(ConfigurationFile.defaults, path: "c.toml")
        #expect(file.settings.count == Settings.definitions.count && file.keys.isEmpty)
        for definition in Settings.definitions { #expect(file.settings[definition.name] == definition.defaultValue) }
        #expect(try ConfigurationFile.read("/no/such/file").settings.isEmpty)
    }
}
