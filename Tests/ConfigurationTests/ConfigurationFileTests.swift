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
        ("[appearance", "c.toml, line 1: a table's name ends with ]"),
        ("[none]\nx = 1", "c.toml, line 2: there is no setting 'none.x'"),
        ("\n[appearance]\ntheme = \"purple\"", "c.toml, line 3: appearance.theme is 'purple', but can be "),
        ("[appearance]\ntheme = 3", "c.toml, line 2: appearance.theme is '3', but can be "),
        ("[appearance]\ntheme = [\n1]", "c.toml, line 2: appearance.theme is 'a list', but can be "),
        ("[keys]\na = \"hyper-q\"", "c.toml, line 2: 'hyper-q' is not a key (for a)"),
        ("[keys]\na = [\"x\", 1.5]", "c.toml, line 2: '1.5' is not a key (for a)"),
        ("[keys]\na = []", "c.toml, line 2: a has no keys"), ("[keys]\na = 3", "c.toml, line 2: a has no keys"),
        ("x = 1\nx = 2", "c.toml, line 2: 'x' is there twice"),
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
