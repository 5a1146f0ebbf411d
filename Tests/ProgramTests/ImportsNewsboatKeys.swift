import CommonTesting
import Configuration
import Dashboard
import DashboardFrame
import Foundation
import TerminalUI
import Testing

/// Imported newsboat keys always load, and no configuration stops a command.
@Suite struct ImportsNewsboatKeys {
    private static let known = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)

    private static let operations = [
        "quit", "hard-quit", "help", "redraw", "up", "down", "prev", "next", "next-unread", "prev-unread", "open",
        "open-in-browser", "open-in-browser-and-mark-read", "toggle-article-read", "mark-feed-read", "home", "end",
        "mark-all-articles-read", "reload", "reload-all", "open-search", "delete-article", "save", "show-urls",
        "goto-url",
        "enqueue", "pagedown", "pageup", "bookmark", "set-tag", "edit-flags", "random-unread", "set-filter",
        "toggle-show-read",
    ]

    private static let keys =
        (UInt8(ascii: "!")...UInt8(ascii: "~")).map { String(decoding: [$0], as: UTF8.self) }
        + (UInt8(ascii: "A")...UInt8(ascii: "_")).map { "^" + String(decoding: [$0], as: UTF8.self) }
        + [
            "ENTER", "SPACE", "TAB", "ESC", "BACKSPACE", "UP", "DOWN", "LEFT", "RIGHT", "HOME", "END", "NPAGE", "PPAGE",
            "F1", "F12",
        ]

    /// The errors in the configuration that an import would write.
    private func problems(_ newsboat: String, _ own: String = "") -> [String] {
        let file = ConfigurationFile.parse(own, path: "own", for: ImportsNewsboatKeys.known)
        let imported = NewsboatConfiguration(newsboat, besides: file, for: ImportsNewsboatKeys.known)
        let written = ConfigurationFile.parse(
            imported.text(withTheme: imported.theme != nil), path: "new", for: ImportsNewsboatKeys.known)
        return written.problems.map(\.description)
    }

    @Test func eachOperationWithEachKeyLoads() {
        for (start, operation) in ImportsNewsboatKeys.operations.enumerated() {
            // Every fourth key, with another one first for each operation.
            for index in stride(from: start % 4, to: ImportsNewsboatKeys.keys.count, by: 4) {
                let key = ImportsNewsboatKeys.keys[index]
                let line = "bind-key \(key == "\"" || key == "\\" ? "\"\\\(key)\"" : key) \(operation)"
                #expect(problems(line) == [], "\(line)")
            }
        }
    }

    /// Imported keys take none from a command that everybody expects, and each command keeps a key where it is used.
    @Test func keepsTheKeysThatEverybodyExpects() throws {
        for operation in ImportsNewsboatKeys.operations {
            for key in ["ENTER", "ESC", "UP", "DOWN", "LEFT", "RIGHT", "TAB", "^L", "u", "q", "?", "a", "r"] {
                let line = "bind-key \(key) \(operation)"
                let imported = NewsboatConfiguration(line, for: ImportsNewsboatKeys.known)
                let file = ConfigurationFile.parse(
                    imported.text(withTheme: false), path: "new", for: ImportsNewsboatKeys.known)
                #expect(file.notices.isEmpty, "\(line): \(file.notices)")
                for command in CommandTable.dashboard.commands where file.keyMap.keys(for: command).isEmpty {
                    #expect(command.keys.isEmpty || command.title == "Open", "\(line): \(command.name)")
                }
            }
        }
        let text = "bind-key l open\nbind-key j down\nbind-key u show-urls\nbookmark-cmd \"bm\"\nmacro b bookmark\n"
        let imported = NewsboatConfiguration(text, for: ImportsNewsboatKeys.known)
        let written = imported.text(withTheme: false)
        #expect(written.contains("\"list.open\" = [\"+\", \"l\"]") && !written.contains("list.down"))
        #expect(written.contains("\"program.undo\" = [\"+\", \"U\"]"))
        #expect(
            imported.changed.contains(
                "bind-key u show-urls: 'u' is no longer program.undo (Undo) in entries, which gets 'U'"))
        for preset in ["", "keys.preset = \"newsboat\"\n"] {
            let file = ConfigurationFile.parse(preset + written, path: "new", for: ImportsNewsboatKeys.known)
            #expect(file.problems.isEmpty, "\(file.problems)")
            #expect(file.keyMap.bindings["user.bookmark"] == ["B", ", b"])
            let undo = try #require(CommandTable.dashboard["program.undo"])
            #expect(file.keyMap.keys(for: undo).first == "U")
        }
    }

    @Test func manyKeysLoadTogether() {
        var random = SeededGenerator(seed: 7)
        for round in 0..<150 {
            let lines = (0..<14).map { index in
                let key =
                    ImportsNewsboatKeys.keys.filter { !"\"\\#;".contains($0) }.randomElement(using: &random) ?? "x"
                let operation = ImportsNewsboatKeys.operations.randomElement(using: &random) ?? "open"
                return switch index % 5 {
                case 0: "macro \(key) \(operation)"
                case 1: "macro \(key) set browser \"mpv {title} %u\"; open-in-browser"
                case 2: "macro \(key) \(operation); open"
                default: "bind-key \(key) \(operation)"
                }
            }
            let own = round.isMultiple(of: 2) ? "" : "[keys]\npreset = 'vim'\n'entry.star' = 'j'\n"
            #expect(problems(lines.joined(separator: "\n"), own) == [], "\(lines)")
        }
    }

    /// A user's key overrides a default one, and the report names the command that lost it.
    @Test func keepsImportedKeysUsable() throws {
        let temporary = TemporaryFolder()
        let home = temporary.url
        let lines = "bind-key ^D delete-article\nbind-key SPACE open\nmacro r reload-all\nbind-key ^R reload-all\n"
        let result = Program.tappa("import", try home.write(lines, to: ".newsboat/config"), home: home)
        #expect(result.code == 0 && result.output.contains(" loses the key "))
        let own = home.appendingPathComponent(".config/tappa/config.toml")
        let text = try String(contentsOf: own, encoding: .utf8)
        #expect(
            text.contains("\"entry.delete\" = [\"+\", \"ctrl-d\"]")
                && text.contains("\"list.open\" = [\"+\", \"space\"]"))
        let checked = Program.tappa("config", home: home)
        #expect(checked.code == 0 && checked.errors.isEmpty, "\(checked.errors)")
        // The written files are private to their owner.
        for (path, mode) in [(own.path, 0o600), (own.deletingLastPathComponent().path, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == mode, "\(path)")
        }
        // Errors in a configuration stop only the commands about it.
        try Data("[feeds]\nrefesh = 3\n".utf8).write(to: own)
        for (arguments, code) in [
            (["list"], Int32(0)), (["status"], 0), (["export"], 0), (["rules"], 0), (["stages"], 0), (["downloads"], 0),
            (["account", "list"], 0), (["race", "list"], 0), (["check"], 0), (["backup", home.path + "/b.sqlite"], 0),
            (["search", "x"], 0), (["config"], 65), (["doctor"], 65),
        ] {
            let result = Program.tappa(arguments, home: home)
            #expect(result.code == code, "\(arguments): \(result.errors)")
            #expect((result.errors + result.output).contains("no such setting: 'feeds.refesh'"), "\(arguments)")
        }
    }
}
