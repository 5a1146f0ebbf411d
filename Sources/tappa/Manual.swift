import ArgumentParser
import Dashboard
import FeedParsing
import Foundation
import ModelCore
import TerminalUI

/// The manual page, generated from commands, key table and settings in mdoc macros (mdoc(7)).
struct Manual {
    private var lines: [String] = []

    /// Returns the page for section 1.
    static func page() throws -> String {
        var manual = Manual()
        let tool = try JSONDecoder().decode(ToolInfo.self, from: Data(Tappa._dumpHelp().utf8))
        let day = BuildID.current.flatMap(BuildID.date) ?? CalendarDay(instant: .now)
        manual.add(".Dd " + day.text, ".Dt TAPPA 1", ".Os")
        manual.section("NAME")
        let abstract = tool.command.abstract ?? ""
        manual.add(".Nm tappa", ".Nd " + escaped(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract))
        manual.section("SYNOPSIS")
        manual.add(".Nm", ".Op Ar command", ".Op Ar options")
        manual.section("DESCRIPTION")
        manual.text(tool.command.discussion ?? "")
        manual.section("COMMANDS")
        manual.add(".Bl -tag -width indent")
        for command in tool.command.subcommands ?? [] { manual.command(command, parents: []) }
        manual.add(".El", ".Pp")
        manual.text("Commands that use the library also accept these options:")
        manual.arguments(ToolInfo.common(to: tool.command))
        manual.section("KEYS")
        manual.text(
            "Bind other keys by the identifiers in parentheses, in the table [keys] of the configuration file.")
        for place in CommandTable.dashboard.places { manual.keys(in: place) }
        manual.section("SETTINGS")
        manual.text("Change settings in the program, or by their names in the configuration file.")
        manual.add(".Bl -tag -width indent")
        for setting in Settings.definitions {
            manual.add(".It Ic " + escaped(setting.name))
            manual.text("\(setting.explanation) One of: \(setting.domain). Default: \(setting.defaultValue).")
        }
        manual.add(".El")
        manual.section("QUERIES")
        manual.text(SearchCommand.queryLanguage)
        manual.section("JSON OUTPUT")
        manual.text(
            "The commands list, search, show, reload, stages, rules, account, downloads and render print JSON with --json. "
                + "Keys keep their names and meanings, but new keys can be added. The guide describes all of them.")
        manual.section("STATUS FORMAT")
        manual.text("The format of the status command can contain these fields:")
        manual.list(StatusLine.fields, macro: "Ic")
        manual.section("ENVIRONMENT")
        manual.list(Manual.environment, macro: "Ev")
        manual.section("FILES")
        manual.list(Manual.files, macro: "Pa")
        manual.section("EXIT STATUS")
        manual.list(Manual.exitStatus, macro: "Li")
        manual.section("SEE ALSO")
        manual.add(".Xr jq 1 ,", ".Xr mpv 1 ,", ".Xr newsboat 1 ,", ".Xr tmux 1")
        return manual.lines.joined(separator: "\n") + "\n"
    }

    private static let environment: [(name: String, meaning: String)] = [
        (
            "TAPPA_SECTION_NAME",
            "A setting, such as TAPPA_FEEDS_REFRESH=30. Overrides the program and the configuration file."
        ),
        ("TAPPA_PASSWORD_NAME", "The password of the account NAME."),
        ("BROWSER", "Programs that open links, separated by colons."),
        ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxies for requests, and the hosts that need none."),
        ("NETRC", "The file with names and passwords for hosts. Default: ~/.netrc."),
        ("NO_COLOR", "Turns colours off."), ("COLORTERM, TERM", "The capabilities of the terminal."),
        ("LC_ALL, LC_CTYPE, LC_TIME, LANG", "The encoding of the terminal, and the names of days and months."),
        ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "The base directories of tappa's files."),
    ]

    private static let files: [(name: String, meaning: String)] = [
        ("$XDG_CONFIG_HOME/tappa/config.toml", "The configuration. tappa never writes this file."),
        ("$XDG_CONFIG_HOME/tappa/rules", "Rules that were created in tappa."),
        ("$XDG_CONFIG_HOME/tappa/themes", "Your own themes."), ("$XDG_CONFIG_HOME/tappa/races", "Your own races."),
        ("$XDG_DATA_HOME/tappa/library.sqlite", "Subscriptions, entries, races and settings."),
        ("$XDG_DATA_HOME/tappa/library.sqlite.secrets", "Passwords and header lines; readable only by you."),
        ("$XDG_STATE_HOME/tappa/libraries", "The libraries that were created or accepted on this machine."),
        ("$XDG_STATE_HOME/tappa/tappa.log", "The log."),
        ("$XDG_CACHE_HOME/tappa/pictures", "The picture cache."),
    ]

    private static let exitStatus: [(name: String, meaning: String)] = [
        ("0", "Success."), ("64", "Usage error."), ("65", "Invalid data, such as a damaged library."),
        ("66", "The input was not found."), ("69", "A server or service is unavailable."),
        ("74", "Input or output error."),
    ]

    private mutating func add(_ new: String...) { lines += new }

    private mutating func list(_ items: [(name: String, meaning: String)], macro: String) {
        add(".Bl -tag -width indent")
        for item in items {
            add(".It \(macro) " + Manual.escaped(item.name))
            text(item.meaning)
        }
        add(".El")
    }

    private mutating func section(_ name: String) { add(".Sh " + name) }

    /// Adds a paragraph with each sentence on its own line, as mdoc recommends.
    private mutating func text(_ text: String) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Indented lines are examples and stay as they are.
        if let first = all.firstIndex(where: { $0.hasPrefix("  ") }) {
            let last = all[first...].firstIndex { !$0.hasPrefix("  ") } ?? all.endIndex
            self.text(all[..<first].joined(separator: "\n"))
            add(".Bd -literal -offset indent")
            lines += all[first..<last].map { Manual.escaped(String($0.dropFirst(2))) }
            add(".Ed")
            return self.text(all[last...].joined(separator: "\n"))
        }
        for sentence in Manual.escaped(text).replacing(". ", with: ".\n").split(separator: "\n") {
            lines += Manual.filled(sentence)
        }
    }

    /// The words of a sentence in lines of at most 80 bytes, which mandoc(1) recommends for the source.
    private static func filled(_ sentence: Substring) -> [String] {
        var lines: [String] = []
        for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= 80, !word.isEmpty {
                lines[lines.count - 1] = last + " " + word
            } else if !word.isEmpty {
                lines.append(String(word))
            }
        }
        return lines
    }

    private mutating func command(_ command: ToolInfo.Command, parents: [String]) {
        guard command.shouldDisplay, command.commandName != "help" else { return }
        let names = parents + [command.commandName]
        add(".It Ic " + Manual.escaped(names.joined(separator: " ")))
        text(command.abstract ?? "")
        if command.subcommands?.isEmpty != false { arguments(command.ownArguments) }
        for child in command.subcommands ?? [] { self.command(child, parents: names) }
    }

    private mutating func arguments(_ arguments: [ToolInfo.Argument]) {
        guard !arguments.isEmpty else { return }
        add(".Bl -tag -width indent -compact")
        for argument in arguments {
            add(".It " + argument.words)
            text(argument.abstract ?? "")
        }
        add(".El")
    }

    private mutating func keys(in place: DisplayText) {
        let commands = CommandTable.dashboard.commands.filter { $0.place == place && $0.isFirstOfItsKind }
        guard !commands.isEmpty else { return }
        add(".Ss " + (place == "everywhere" ? "Everywhere" : "\\&In " + Manual.escaped(place.string)))
        add(".Bl -tag -width indent -compact")
        for command in commands {
            add(".It Ic " + Manual.escaped(command.keys.map(\.name).joined(separator: " ")))
            text("\(command.title.string) (\(command.name)).")
        }
        add(".El")
    }

    /// Returns a text with special characters escaped (roff(7)), and with words that look like macros protected.
    static func escaped(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq").replacing("-", with: "\\-")
        return safe.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let first = word.first else { return String(word) }
            let looksLikeMacro = word.count <= 2 && (first.isUppercase || first.isPunctuation || first.isSymbol)
            return ".'".contains(first) || looksLikeMacro ? "\\&" + word : String(word)
        }.joined(separator: " ")
    }
}

/// The part of swift-argument-parser's description of a program (`--experimental-dump-help`) that the manual needs.
private struct ToolInfo: Decodable {
    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool
        var subcommands: [Command]?
        var arguments: [Argument]?

        /// The arguments that only this command has.
        var ownArguments: [Argument] {
            (arguments ?? []).filter {
                $0.shouldDisplay && !ToolInfo.commonNames.contains($0.preferredName?.name ?? "")
            }
        }
    }

    /// The options in `LibraryOptions`, and those of every command.
    static let commonNames: Set<String> = ["database", "in-memory", "config", "set", "version", "help"]

    /// Returns these options from one of the commands.
    static func common(to command: Command) -> [Argument] {
        let all = [command] + (command.subcommands ?? [])
        return commonNames.sorted().compactMap { name in
            all.lazy.flatMap { $0.arguments ?? [] }.first { $0.preferredName?.name == name }
        }
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        var kind: String
        var abstract: String?
        var shouldDisplay: Bool
        var preferredName: Name?
        var valueName: String?

        /// The option or argument in macros.
        var words: String {
            let value = "Ar " + Manual.escaped(valueName ?? "value")
            guard let preferredName else { return value }
            let dashes = preferredName.kind == "short" ? "" : "\\-"
            let flag = "Fl " + dashes + Manual.escaped(preferredName.name)
            return kind == "option" ? flag + " " + value : flag
        }
    }

    var command: Command
}
