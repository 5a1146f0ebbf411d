import Feeds
import Fetching
import Foundation
import ModelCore

/// Converts newsboat's `config` (newsboat manual, "Configuration Commands") to parts of tappa's configuration.
package struct NewsboatConfiguration {
    /// A theme in TOML, or `nil` if it uses the terminal's colours.
    package private(set) var theme: String?
    /// The rules for `ignore-article`.
    package internal(set) var rules: [Rule] = []
    /// What was converted unchanged, what was converted to another form, and what was not converted and why: a line
    /// each.
    package internal(set) var came: [String] = []
    package internal(set) var changed: [String] = []
    package internal(set) var left: [String] = []

    var settings: [String: String] = [:]
    /// The lines that set the settings.
    var settingLines: [String: String] = [:]
    /// The programs that were rewritten, by setting.
    var rewritten: [String: String] = [:]
    var keys: [WantedKey] = []
    var commands: [WantedCommand] = []
    /// The bindings to write: added keys after a `+`, or all keys of a command that lost some.
    var boundKeys: [(command: String, keys: [String])] = []
    private var included: Set<String> = []
    /// The key before those of macros.
    private var macroPrefix = ","
    var lineCount = 0

    struct WantedKey {
        var command: String
        var key: String
        var line: String
    }

    struct WantedCommand {
        var name: String
        var key: String?
        /// The lines of its table after name and key.
        var body: String
        var line: String
    }
    private var colors: [String: (foreground: String, background: String)] = [:]

    /// Reads a document, and drops what can't be loaded with the existing configuration.
    ///
    /// - Parameters:
    ///   - file: The existing configuration, whose settings, keys and names stay.
    ///   - known: The commands to which keys can be bound.
    ///   - include: Returns the text of an included file, or `nil` if it can't be read.
    package init(
        _ text: String, besides file: ConfigurationFile = ConfigurationFile(), for known: ConfigurationFile.Commands,
        include: (_ path: String) -> String? = { _ in nil }
    ) {
        take(text, depth: 0, include)
        // Whether the line of the prefix is before or after them.
        for index in keys.indices { keys[index].key = macro(keys[index].key, after: macroPrefix) }
        for index in commands.indices {
            commands[index].key = commands[index].key.map { macro($0, after: macroPrefix) }
        }
        theme = makeTheme()
        settle(besides: file, for: known)
    }

    /// Creates a conversion of nothing.
    init() {}

    // MARK: Reading

    /// The maximum depth of includes.
    private static let maximumDepth = 8

    private mutating func take(_ text: String, depth: Int, _ include: (String) -> String?) {
        for line in limitedLines(text).map(\.words) {
            guard line.count == 2, line[0].lowercased() == "include" else {
                take(line)
                continue
            }
            // Each file is read once, so that none includes itself.
            if depth < NewsboatConfiguration.maximumDepth, included.insert(line[1]).inserted,
                let other = include(line[1])
            {
                came.append("include \(line[1])")
                take(other, depth: depth + 1, include)
            } else {
                left.append("include \(line[1]): can't be read")
            }
        }
    }

    struct Line {
        var words: [String]
        /// The text as written.
        var text: String
    }

    /// Returns each line that has words. A backslash at the end continues the line.
    static func lines(_ text: String) -> [Line] {
        var lines: [Line] = []
        var open = ""
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = raw.trimmingCharacters(in: .whitespaces)
            if line.hasSuffix("\\") {
                open += line.dropLast() + " "
                continue
            }
            let words = words(open + line)
            if !words.isEmpty { lines.append(Line(words: words, text: open + line)) }
            open = ""
        }
        return lines
    }

    /// Returns the words between spaces. Quotation marks keep spaces, a backslash in them keeps the next character, and
    /// `#` starts a comment.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                // As in C, but only these.
                let meant = ["n": "\n", "r": "\r", "t": "\t", "v": "\u{B}"][character] ?? character
                if word?.append(meant) == nil { word = String(meant) }
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if !isQuoted, character == "#", word == nil {
                break
            } else if !isQuoted, character == ";" {
                // It ends an operation of a macro.
                words += [word, ";"].compactMap { $0 }
                word = nil
            } else if !isQuoted, character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                if word?.append(character) == nil { word = String(character) }
            }
        }
        if let word { words.append(word) }
        return words
    }

    private mutating func take(_ words: [String]) {
        let (name, values) = (words[0].lowercased(), Array(words.dropFirst()))
        let line = NewsboatConfiguration.shown(words)
        switch name {
        case "bind-key" where values.count < 2: left.append("\(line): missing operation")
        case "bind-key": takeKey(NewsboatKeys.key(values[0]), values[1], Array(values.dropFirst(2)), line)
        case "bind": takeBinding(values, line)
        case "unbind-key": left.append("\(line): bind the command to other keys in [keys] instead")
        case "macro": takeMacro(values, line)
        case "bookmark-cmd":
            guard let command = values.first else { break }
            add(
                command: "bookmark", key: "B", program: command, .none, appending: ["link", "title", nil, "feed"], line)
        case "browser" where !values.isEmpty: takeProgram(.browser, values[0], .newsboat, line)
        case "player" where !values.isEmpty: takeProgram(.player, values[0], .none, line)
        case "ignore-article": takeIgnored(values, line)
        case "color": takeColor(values, line)
        case "highlight", "highlight-article":
            left.append("\(line): matches are highlighted; a rule can tag entries")
        default:
            guard let value = values.first, takeSetting(name, value, line) else {
                // The value of an unknown setting may be a password.
                left.append(
                    NewsboatConfiguration.reasons[name].map { "\(line): \($0)" } ?? "\(words[0]): no equivalent")
                break
            }
        }
    }

    /// The reasons why some commands are not converted.
    private static let reasons: [String: String] = [
        "cache-file": "entries are in the library",
        "urls-source": "servers are accounts: 'tappa account add'",
        "proxy": "use the variables http_proxy and https_proxy",
        "use-proxy": "use the variables http_proxy and https_proxy",
        "max-items": "use the setting feeds.keep-entries",
        "feedlist-format": "the format of lists is fixed",
        "articlelist-format": "the format of lists is fixed",
        "notify-program": "use the settings notifications.by and notifications.command",
        "notify-always": "rules and feed options choose what notifies",
        "external-url-viewer": "articles number their links: # and f",
        "pager": "articles open in tappa; a command with input = \"markdown\" passes one to a program",
        "html-renderer": "articles open in tappa",
        "refresh-on-startup": "tappa starts at once; feeds.refresh reloads automatically",
        "confirm-exit": "quitting loses nothing",
        "confirm-mark-feed-read": "you can undo it",
        "cleanup-on-quit": "not needed",
        "reload-threads": "use 'tappa reload --jobs'",
        "download-full-page": "feed options can load full texts",
        "scrolloff": "lists keep the selected row visible",
        "show-read-articles": "the list Unread has only unread entries, and 'n' goes through them",
        "save-path": "saving asks for the path",
    ]

    mutating func takeSetting(_ name: String, _ value: String, _ line: String) -> Bool {
        guard let (setting, wanted) = NewsboatConfiguration.setting(name, value, settings),
            let definition = Settings.definition(setting)
        else { return false }
        var own = wanted
        // The time of reloads doesn't turn them on again.
        if name == "reload-time", settings[setting] == "0", settingLines[setting]?.hasPrefix("auto-reload") == true {
            own = "0"
        }
        take(setting, ConfigurationFile.toml(definition, own), line)
        if name == "download-path", own != value {
            rewritten[setting] =
                "a folder can contain only %n and %h: \(setting) = \(NewsboatConfiguration.quoted(own))"
        }
        return true
    }

    /// Returns the setting that one of newsboat's stands for, with its value.
    ///
    /// - Parameter settings: The settings so far.
    static func setting(_ name: String, _ value: String, _ settings: [String: String]) -> (String, String)? {
        let isOn = ["yes", "true"].contains(value.lowercased())
        func number(_ setting: String, _ range: ClosedRange<Int>) -> (String, String)? {
            Int(value).flatMap { range.contains($0) ? (setting, "\($0)") : nil }
        }
        switch name {
        case "reload-time": return number("feeds.refresh", 0...1440)
        case "auto-reload": return ("feeds.refresh", isOn ? settings["feeds.refresh"] ?? "60" : "0")
        case "article-sort-order":
            guard value.hasPrefix("date") else { return nil }
            return ("feeds.order", value.hasSuffix("asc") ? "oldest first" : "newest first")
        case "text-width": return number("appearance.article-width", 40...300)
        case "max-items": return number("feeds.keep-entries", 0...1_000_000)
        case "keep-articles-days": return number("feeds.keep-days", 0...36_500)
        case "mark-as-read-on-hover": return ("feeds.read-after", isOn ? "2" : "0")
        case "show-read-feeds": return ("feeds.hide-read", isOn ? "off" : "on")
        case "feed-sort-order":
            let order =
                value.hasPrefix("unreadarticlecount") ? "unread first" : value.hasPrefix("title") ? "title" : nil
            return order.map { ("feeds.feed-order", $0) }
        case "download-path":
            // What is known of a single download ends the folder.
            let parts = value.split(separator: "/", omittingEmptySubsequences: false).prefix {
                !$0.replacing("%n", with: "").replacing("%h", with: "").contains("%")
            }
            guard let first = parts.first, !first.contains("%") else { return nil }
            return ("audio.folder", parts.joined(separator: "/"))
        default: return nil
        }
    }

    mutating func take(_ setting: String, _ value: String, _ line: String) {
        if let before = settingLines[setting], before != line { came.append(before) }
        settings[setting] = value
        settingLines[setting] = line
    }

    // MARK: Keys

    /// The newsboat operations with an equivalent command.
    static let operations: [String: String] = [
        "quit": "program.quit", "hard-quit": "program.quitNow", "help": "program.help", "redraw": "program.redraw",
        "up": "list.up", "down": "list.down", "prev": "entry.previous", "next": "entry.next",
        "next-unread": "entry.nextUnread", "prev-unread": "entry.previousUnread", "next-feed": "entry.nextFeed",
        "prev-feed": "entry.previousFeed",
        "open": "list.open", "open-in-browser": "entry.browser",
        "open-in-browser-and-mark-read": "entry.browser", "toggle-article-read": "entry.toggleRead",
        "mark-feed-read": "feed.markAllRead", "mark-all-articles-read": "entry.markAllRead", "reload": "feed.reload",
        "reload-all": "feeds.reloadAll", "open-search": "feed.search", "delete-article": "entry.delete",
        "save": "entry.save", "show-urls": "entry.follow", "goto-url": "entry.link", "enqueue": "entry.download",
        "home": "list.first", "end": "list.last", "pagedown": "text.pageDown", "pageup": "text.pageUp",
        "bookmark": "user.bookmark", "set-tag": "feed.tags",
        "edit-flags": "entry.toggleStar",
    ]

    /// Adds a key for an operation in one of the known contexts.
    mutating func takeKey(_ key: String?, _ operation: String, _ contexts: [String], _ line: String) {
        guard let key else { return left.append("\(line): terminals can't distinguish this key") }
        let operation = operation.lowercased()
        if operation == "macro-prefix" {
            macroPrefix = key
            return came.append(line)
        }
        guard let command = NewsboatConfiguration.operations[operation] else {
            return left.append("\(line): \(missingOperations[operation] ?? "no such command: '\(operation)'")")
        }
        if let other = contexts.prefix(while: { $0 != "--" }).first(where: {
            !NewsboatKeys.contexts.contains($0.lowercased())
        }) {
            return left.append(
                "\(line): tappa has no equivalent of the context '\(NewsboatConfiguration.shown([other]))'")
        }
        keys.append(WantedKey(command: command, key: key, line: line))
    }

    // MARK: Programs

    static func name(of line: String, key: String) -> String {
        let program = CommandWords.split(line).first.map { ($0 as NSString).lastPathComponent } ?? "macro"
        let safe = program.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        return "\(safe.isEmpty ? "macro" : String(safe.prefix(30))) \(letters(key))"
            .trimmingCharacters(in: .whitespaces)
    }

    mutating func add(
        command name: String, key: String, program: String, _ notation: CommandNotation, appending appended: [String?],
        _ line: String
    ) {
        do throws(CommandTemplate.Problem) {
            let body = try NewsboatConfiguration.program(program, notation, appending: appended)
            commands.append(WantedCommand(name: name, key: key, body: body, line: line))
        } catch {
            left.append("\(line): \(error.sentence())")
        }
    }

    /// Returns the lines of a command that runs a program, which a shell read in the other configuration.
    ///
    /// - Parameter appended: The fields that follow if the program names none, and `nil` for an empty argument.
    static func program(
        _ program: String, _ notation: CommandNotation, appending appended: [String?]
    ) throws(CommandTemplate.Problem) -> String {
        switch try CommandRewriter.convert(
            program, notation, appending: appended, writing: .braces(UserCommand.fields))
        {
        case .words(let words): "run = [\(words.map(NewsboatConfiguration.quoted).joined(separator: ", "))]\n"
        case .script(let text): "sh = \(NewsboatConfiguration.quoted(text))\n"
        }
    }

    /// Converts a program that receives a link to a setting.
    mutating func takeProgram(
        _ setting: ProgramSetting, _ program: String, _ notation: CommandNotation, _ line: String
    ) {
        let written = CommandNotation.percent("link")
        let name = setting.key.name
        guard !program.allSatisfy(\.isWhitespace) else { return left.append("\(line): no equivalent") }
        let pieces = notation.read(program)
        guard pieces.allSatisfy({ if case .value(let value) = $0 { value == "link" } else { true } }) else {
            return left.append("\(line): \(name) gets only the link; a command under [[commands]] gets the title too")
        }
        do throws(CommandTemplate.Problem) {
            var words =
                switch try CommandRewriter.convert(program, notation, appending: ["link"], writing: written) {
                case .words(let words): words
                case .script(let text): ["sh", "-c", written.write(CommandNotation.none.read(text))]
                }
            if !pieces.contains(.value("link")), words.last == "%s" { words.removeLast() }
            let own = written.write(pieces).replacing("'%s'", with: "%s").replacing("\"%s\"", with: "%s")
            let isUnchanged = CommandWords.split(own) == words
            let command = isUnchanged ? own : CommandWords.joined(words)
            if let problem = ProgramSetting.problem(of: command, for: name) {
                return left.append("\(line): \(problem)")
            }
            rewritten[name] = isUnchanged ? nil : command
            take(name, NewsboatConfiguration.quoted(command), line)
        } catch {
            left.append("\(line): \(error.sentence())")
        }
    }

    // MARK: Rules

    private mutating func takeIgnored(_ values: [String], _ line: String) {
        guard values.count > 1 else { return left.append("\(line): missing filter") }
        do throws(NewsboatFilter.Problem) {
            var query = try NewsboatFilter.translate(values[1])
            if values[0].hasPrefix("regex:") {
                query = "feed:/\(NewsboatFilter.pattern(String(values[0].dropFirst(6))))/ (\(query))"
            } else if values[0] != "*" {
                query = "feed:\"\(values[0].replacing("\"", with: ""))\" (\(query))"
            }
            let search: SearchQuery
            do { search = try SearchQuery(query) } catch { throw NewsboatFilter.Problem(error.description) }
            let name = "ignored \(rules.count + 1)"
            rules.append(Rule(name: name, when: search, then: [.delete]))
            changed.append("\(line): the rule '\(name)', when = \(query)")
        } catch {
            left.append("\(line): \(error.description)")
        }
    }

    // MARK: Colours

    private mutating func takeColor(_ values: [String], _ line: String) {
        guard values.count > 2 else { return left.append("\(line): missing colours") }
        colors[values[0].lowercased()] = (values[1].lowercased(), values[2].lowercased())
        changed.append("\(line): partly, in the theme 'newsboat'")
    }

    private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    /// xterm's own colours.
    private static let first16 = [
        "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f", "#ff0000",
        "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
    ]

    /// Returns a colour as `#rrggbb`, or `nil` for the terminal's own.
    private static func hex(_ name: String) -> String? {
        let number = names.firstIndex(of: name) ?? (name.hasPrefix("color") ? Int(name.dropFirst(5)) : nil)
        guard let number, (0...255).contains(number) else { return nil }
        if number < 16 { return first16[number] }
        func hex(_ values: [Int]) -> String {
            "#" + values.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        if number >= 232 { return hex(Array(repeating: 8 + (number - 232) * 10, count: 3)) }
        let steps = [0, 95, 135, 175, 215, 255]
        let index = number - 16
        return hex([steps[index / 36], steps[index / 6 % 6], steps[index % 6]])
    }

    private mutating func makeTheme() -> String? {
        guard !colors.isEmpty else { return nil }
        let ground = ["background", "listnormal", "article"].compactMap { colors[$0] }
        guard let foreground = ground.lazy.compactMap({ NewsboatConfiguration.hex($0.foreground) }).first,
            let background = ground.lazy.compactMap({ NewsboatConfiguration.hex($0.background) }).first,
            foreground != background
        else {
            changed.append("colours: the theme 'terminal' uses the terminal's own")
            return nil
        }
        var text = "foreground = \"\(foreground)\"\nbackground = \"\(background)\"\n"
        let accents = ["listfocus", "info", "title"].compactMap { colors[$0] }.flatMap {
            [$0.background, $0.foreground]
        }
        if let accent = accents.lazy.compactMap(NewsboatConfiguration.hex).first(where: {
            $0 != background && $0 != foreground
        }) {
            text += "accent = \"\(accent)\"\n"
        }
        return text
    }

    static func quoted(_ text: String) -> String { RuleFile.quoted(text) }
}

/// Returns the keys of a macro after another prefix, and other keys unchanged.
private func macro(_ key: String, after prefix: String) -> String {
    key.hasPrefix(", ") ? prefix + key.dropFirst() : key
}

/// What to do instead of operations without an equivalent.
private let missingOperations = [
    "next-unread-feed": "entry.nextUnread goes to the next unread entry, also in another feed",
    "prev-unread-feed": "entry.previousUnread goes to the previous unread entry, also in another feed",
]
