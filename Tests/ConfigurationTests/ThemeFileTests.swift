import CommonTesting
import Foundation
import LibraryKernel
import ModelCore
import Testing

@testable import Configuration
@testable import TerminalUI

@MainActor
@Suite struct ThemeFileTests {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("config.toml") }
    private var folder: String { ThemeFile.folder(besideConfiguration: path) }

    private func theme(_ text: String, _ path: String) throws -> Theme { try ThemeFile.parse(text, path: path) }

    private func problem(_ text: String, _ path: String) -> String {
        do {
            _ = try ThemeFile.parse(text, path: path)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func readsColoursFromTOML() throws {
        let mine = try theme(
            "background = \"#102030\"\nforeground = \"#e0e0e0\"\nred = \"#ff5050\"\naccent = \"#80ff80\"\n",
            "/t/My evening.toml")
        #expect(mine.name == "My evening")
        let colors = try #require(mine.colors)
        #expect(colors.background == RGB(0x10, 0x20, 0x30) && colors.foreground == RGB(0xE0, 0xE0, 0xE0))
        #expect(colors.ansi == [1: RGB(255, 0x50, 0x50), 6: RGB(0x80, 255, 0x80)])
        let shown = mine.adapted(to: TerminalCapabilities(colors: .direct))
        #expect(shown[.text].background == .rgb(0x10, 0x20, 0x30))
    }

    @Test(arguments: [
        "scheme: \"Old\"\nauthor: x\nbase00: \"181818\"\nbase05: 'd8d8d8'\nbase0d: 7cafc2 # blue\n",
        "system: base16\nname: New\npalette:\n  base00: \"#181818\"\n  base05: \"#d8d8d8\"\r\n  base0D: \"#7cafc2\"\n",
    ])
    func readsBothFormsOfBase16(text: String) throws {
        let colors = try #require(try theme(text, "/t/grey.yaml").colors)
        #expect(colors.background == RGB(0x18, 0x18, 0x18) && colors.foreground == RGB(0xD8, 0xD8, 0xD8))
        #expect(colors.ansi == [4: RGB(0x7C, 0xAF, 0xC2)])
    }

    @Test(arguments: [
        ("background = \"#000000\"", "x.toml", "x.toml, line 1: a theme needs background and foreground"),
        ("background = \"black\"", "x.toml", "line 1: 'black' is not a colour"),
        ("\nmauve = \"#000000\"", "x.toml", "line 2: unknown colour 'mauve'"),
        ("background = ", "x.toml", "line 1"),
        ("a: b\nbase00: \"12345\"", "x.yaml", "line 2: '12345' is not a colour"),
        ("base00: \"123456\"", "x.yml", "a theme needs base00 and base05"),
    ])
    func reportsMistakesAndTheirLine(text: String, path: String, words: String) {
        #expect(problem(text, path).contains(words), "\(problem(text, path))")
    }

    @Test func readsTheValidThemesOfAFolder() throws {
        try temporary.write("base00: \"000000\"\nbase05: \"ffffff\"\n", to: "themes/b.yaml")
        try temporary.write("oops", to: "themes/a.toml")
        try temporary.write("not a theme", to: "themes/notes.txt")
        let found = ThemeFile.read(folder: folder)
        #expect(found.themes.map(\.name) == ["b"])
        #expect(found.problems.count == 1 && found.problems[0].contains("a.toml, line 1"))
        // Only themes beside the configuration file can be chosen in it.
        let commands = ConfigurationFile.Commands(CommandTable([]))
        let file = ConfigurationFile.parse("[appearance]\ntheme = \"b\"", path: path, for: commands)
        #expect(file.settings == ["appearance.theme": "b"])
        #expect(ConfigurationFile.parse("[appearance]\ntheme = \"c\"", path: path, for: commands).problems.count == 1)
        let missing = ThemeFile.read(folder: "/nowhere/at/all")
        #expect(missing.themes.isEmpty && missing.problems.isEmpty)
    }

    /// Themes of the editor are overwritten; files from elsewhere are not.
    @Test func writesColoursThatReadBackEqual() throws {
        var colors = TerminalColors(
            foreground: RGB(1, 2, 0xF3), background: .black, ansi: [1: RGB(9, 8, 7), 5: .white, 6: RGB(0, 0xAA, 0x88)])
        #expect(try ThemeFile.write(colors, name: "deep sea", besideConfiguration: path).colors == colors)
        colors.foreground = .white
        _ = try ThemeFile.write(colors, name: "deep sea", besideConfiguration: path)
        let found = ThemeFile.read(folder: folder)
        #expect(found.themes.map(\.name) == ["deep sea"] && found.problems.isEmpty)
        #expect(found.themes.first?.colors == colors)
        let own = "background = \"#000000\"\nforeground = \"#ffffff\"\n"
        for name in ["mine.toml", "other.yaml"] { try temporary.write(own, to: "themes/\(name)") }
        for name in ["mine", "other"] {
            #expect(throws: UserFile.Problem.self) {
                try ThemeFile.write(colors, name: name, besideConfiguration: path)
            }
        }
        #expect(try String(contentsOfFile: "\(folder)/mine.toml", encoding: .utf8) == own)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/other.toml"))
    }
}
