import ArgumentParser
import Dashboard
import DashboardFrame
import Foundation
import ModelCore
import TerminalUI
import Testing

@testable import Configuration
@testable import tappa

/// Everything that README, guide and examples name exists: commands and options, settings, commands of keys, themes.
@Suite struct DocumentsHoldTrue {
    private static let root = Program.sources

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The documents for users by path.
    private static func documents() throws -> [(path: String, text: String)] {
        let guide = "Sources/tappa/Guide.docc"
        let pages = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(guide).path)
            .sorted()
        return try (["README.md"] + pages.map { "\(guide)/\($0)" }).map { ($0, try text($0)) } + [
            ("welcome.atom", welcome())
        ]
    }

    /// The guide in the program, with its code marked as in the other documents.
    private static func welcome() throws -> String {
        try text("Assets/feeds/welcome.atom").replacing(/<\/?code>/, with: "`").replacing(/<\/?pre>/, with: "\n")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    }

    @Test func everyKeyOfTheWelcomeExists() throws {
        let keys = Set(CommandTable.dashboard.commands.flatMap { $0.keys.map(\.name) })
        let named = try Self.welcome().matches(of: /`([^`]+)`/).map { String($0.1) }.filter { !$0.hasPrefix("tappa ") }
        #expect(named.count > 40)
        for name in named { #expect(keys.contains(name.count == 1 ? name : name.lowercased()), "\(name)") }
    }

    /// The command at the start of some words, and the words after its name; the dashboard has no name.
    private static func command(_ words: [String]) -> (type: any ParsableCommand.Type, rest: [String]) {
        var (type, rest): (any ParsableCommand.Type, [String]) = (Tappa.self, words)
        while let name = rest.first,
            let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            (type, rest) = (next, Array(rest.dropFirst()))
        }
        return (type, rest)
    }

    /// The help of a command and its subcommands.
    private static func help(_ type: any ParsableCommand.Type) -> String {
        let own = type == Tappa.self ? DashboardCommand.self : type
        return ([own] + type.configuration.subcommands.filter { type != Tappa.self || $0 == DashboardCommand.self }).map
        {
            Tappa.helpMessage(for: $0, columns: 200)
        }.joined(separator: "\n")
    }

    /// Code that starts with the program's name: in spans, blocks and lines of examples.
    private static func commandLines(_ text: String) -> [String] {
        text.matches(of: /`tappa ([^`]*)`/).map { String($0.1) }
            + text.matches(of: /(?m)^(?:\*.* )?(?:ExecStart=\/usr\/bin\/env )?tappa (.*)$/).map { String($0.1) }
            + text.matches(of: /#\(tappa ([^)]*)\)/).map { String($0.1) }
            + text.matches(of: /(?m)^bind .* tappa (--.*)$/).map { String($0.1) }
    }

    @Test func everyCommandWithItsOptionsExists() throws {
        var named: Set<String> = []
        let examples = try ["crontab", "tappa-reload.service", "tmux.conf"].map { "Assets/examples/\($0)" }.map {
            ($0, try Self.text($0))
        }
        for (path, text) in try Self.documents() + examples {
            for line in Self.commandLines(text) {
                // In the table of commands several share a line, and spaces separate the description.
                let isTable = path.hasSuffix("CommandLine.md") && line.contains("   ")
                let shown = isTable ? line.components(separatedBy: "   ")[0] : line.components(separatedBy: " #")[0]
                for part in shown.components(separatedBy: " · ") {
                    let words = part.split { " []|'\"".contains($0) }.map(String.init)
                    if words.first == "help" { continue }
                    let (type, rest) = Self.command(words)
                    #expect(
                        type != Tappa.self || words.first?.hasPrefix("-") == true || words.isEmpty, "\(path): \(part)")
                    named.insert(words.first ?? "")
                    let help = Self.help(type)
                    for option in rest where option.hasPrefix("--") {
                        #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(path): \(part)")
                    }
                }
            }
        }
        // The page on the command line names every public command.
        for command in Tappa.configuration.subcommands where command.configuration.shouldDisplay {
            let name = command.configuration.commandName ?? ""
            let page = try Self.text("Sources/tappa/Guide.docc/CommandLine.md")
            #expect(
                name == "dashboard" || named.contains(name) || page.contains("· \(name) "),
                "\(name) is not in CommandLine.md")
        }
        #expect(!Tappa.helpMessage(columns: 200).contains("decode-picture"))
    }

    @Test func everySettingExists() throws {
        let sections = Set(
            Settings.definitions.map(\.name).filter { $0.contains(".") }.map { $0.split(separator: ".")[0] })
        var named: Set<String> = []
        for (path, text) in try Self.documents() {
            for match in text.matches(of: /`(?:tappa --set )?([a-z]+)\.([a-z-]+)(?:`|=)/)
            where sections.contains(match.1) {
                let name = "\(match.1).\(match.2)"
                named.insert(name)
                #expect(Settings.definition(name)?.name == name, "\(path): \(name)")
            }
        }
        #expect(named.count > 10)
        // The values they mention.
        for (name, value) in [
            ("feeds.refresh", "60"), ("appearance.screen-reader", "off"), ("notifications.quiet-hours", "none"),
            ("terminal.mouse", "on"), ("terminal.title", "on"), ("feeds.browser", "BROWSER"),
            ("audio.player", "mpv"),
        ] { #expect(Settings.definition(name)?.defaultValue == value, "\(name)") }
        for theme in ["high contrast", "monochrome", "terminal"] {
            #expect(
                Theme.all.contains { $0.name == theme }
                    && Settings.definition("appearance.theme")?.accepts(theme) == true)
        }
    }

    /// A dotted name in quotation marks is a command that keys can be bound to.
    @Test func theGuideNamesEverySegment() throws {
        let page = try Self.text("Sources/tappa/Guide.docc/Segments.md")
        for segment in SegmentName.allCases { #expect(page.contains(segment.title), "\(segment)") }
    }

    @Test func everyCommandOfTheKeysExists() throws {
        var count = 0
        for (path, text) in try Self.documents() {
            for match in text.matches(of: /"((?:entry|list|text|feed|feeds|program|stage|race)\.[A-Za-z]+)"/) {
                count += 1
                #expect(CommandTable.dashboard[String(match.1)] != nil, "\(path): \(match.1)")
            }
        }
        #expect(count >= 5)
        #expect(Set(KeyPresets.all.keys) == ["tappa", "vim", "newsboat"])
    }

    @Test func theThemeExampleIsValid() throws {
        let blocks = try Self.text("Sources/tappa/Guide.docc/Appearance.md").components(separatedBy: "```toml\n")
            .dropFirst()
        let block = try #require(blocks.first { $0.hasPrefix("background") }?.components(separatedBy: "```").first)
        let theme = try ThemeFile.parse(block, path: "/themes/night.toml")
        #expect(theme.name == "night" && theme.colors?.ansi.keys.sorted() == [6])
        for name in ["red", "green", "yellow", "blue", "magenta", "cyan"] {
            #expect(block.contains(name))
            _ = try ThemeFile.parse(block + "\n\(name) = \"#123456\"", path: "/themes/night.toml")
        }
    }

    /// Each linked file exists.
    @Test func everyLinkLeadsToAFile() throws {
        for (path, text) in try Self.documents() {
            for match in text.matches(of: /\]\(([A-Za-z][^)#:]*)\)/) {
                let place = Self.root.appendingPathComponent(path).deletingLastPathComponent()
                let file = place.appendingPathComponent(String(match.1)).path
                #expect(FileManager.default.fileExists(atPath: file), "\(path): \(match.1)")
            }
            for match in text.matches(of: /<doc:([A-Za-z]+)>/) {
                let page = Self.root.appendingPathComponent("Sources/tappa/Guide.docc/\(match.1).md").path
                #expect(FileManager.default.fileExists(atPath: page), "\(path): \(match.1)")
            }
        }
    }

    /// The manual page: a heading for each part, common options once, examples as typed.
    @Test func theManualIsComplete() throws {
        let lines = try Manual.page().split(separator: "\n").map(String.init)
        let sections = lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "KEYS", "SETTINGS", "QUERIES", "JSON OUTPUT",
                "STATUS FORMAT",
                "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO",
            ])
        #expect(lines.first?.hasPrefix(".Dd ") == true && lines.contains(".Dt TAPPA 1") && lines.contains(".Nm tappa"))
        for option in ["database Ar file", "in\\-memory", "config Ar file", "set Ar name=value", "version", "help"] {
            let flag = ".It Fl \\-\(option)"
            #expect(lines.count { $0 == flag } == 1 || option == "help", "\(option)")
        }
        #expect(!lines.contains { $0.contains("decode") && $0.hasPrefix(".It") })
        #expect(lines.contains("tappa reload \\-\\-quiet                   fetch all feeds, as timers do"))
        // Subcommands are listed under their command with its full name.
        #expect(lines.contains(".It Ic rules try") && lines.contains(".It Ic account outbox"))
        for setting in Settings.definitions {
            let entry = try #require(lines.firstIndex(of: ".It Ic " + Manual.escaped(setting.name)))
            let end = lines[(entry + 1)...].firstIndex { $0.hasPrefix(".") } ?? lines.endIndex
            let text = lines[(entry + 1)..<end].joined(separator: " ")
            #expect(text.hasSuffix(Manual.escaped("Default: \(setting.defaultValue).")), "\(setting.name): \(text)")
        }
        for path in ["$XDG_CONFIG_HOME/tappa/config.toml", "$XDG_DATA_HOME/tappa/library.sqlite"] {
            #expect(lines.contains(".It Pa \(path)"))
        }
    }

    @Test(arguments: [
        ("plain words", "plain words"), ("a-b", "a\\-b"), ("say \"x\"", "say \\(dqx\\(dq"), ("a\\b", "a\\eb"),
        (".Sh x", "\\&.Sh x"), ("'x", "\\&'x"), ("go Nm on", "go \\&Nm on"), ("an Ab c", "an \\&Ab c"),
        ("The end", "The end"),
        ("x . y", "x \\&. y"), ("( a", "\\&( a"), ("a  b", "a  b"), ("", ""), ("if or no", "if or no"),
    ]) func aManualsWordsAreNoMacros(text: String, escaped: String) {
        #expect(Manual.escaped(text) == escaped)
    }
}
