import Fetching
import Foundation

/// Newsraft's `config` (newsraft manual, "Configuration file"): `set NAME VALUE`, `bind KEY ACTION` and `unbind KEY`.
extension NewsboatConfiguration {
    /// Reads a document, and drops what can't be loaded with the existing configuration.
    package init(
        newsraft text: String, besides file: ConfigurationFile = ConfigurationFile(),
        for known: ConfigurationFile.Commands
    ) {
        self.init()
        for written in limitedLines(text) {
            let words = written.words
            let line = NewsboatConfiguration.shown(words)
            switch (words[0].lowercased(), words.count) {
            case ("set", 3...): takeNewsraftSetting(words[1].lowercased(), written.rest(after: 2), line)
            case ("bind", 3...): takeNewsraftKey(written, line)
            case ("unbind", _): left.append("\(line): bind the command to other keys in [keys] instead")
            // Settings are also written without "set".
            case (let name, 2...): takeNewsraftSetting(name, written.rest(after: 1), line)
            default: left.append("\(words[0]): no equivalent")
            }
        }
        settle(besides: file, for: known)
    }

    private mutating func takeNewsraftSetting(_ name: String, _ value: String, _ line: String) {
        switch name {
        case "reload-period":
            if takeSetting("reload-time", value, line) { return }
        case "item-limit":
            guard let count = Int(value), (0...1_000_000).contains(count) else { break }
            return take("feeds.keep-entries", "\(count)", line)
        case "open-in-browser-command" where value != "auto":
            return takeProgram(.browser, value, .newsraft, line)
        default: break
        }
        if name.hasPrefix("color-") {
            return left.append("\(line): tappa mixes its colours from the terminal's; themes are in Settings")
        }
        // The value may be a password.
        left.append("\(line.lowercased().hasPrefix("set ") ? "set " : "")\(name): no equivalent")
    }

    private mutating func takeNewsraftKey(_ written: Line, _ line: String) {
        let words = written.words
        guard let key = NewsboatKeys.key(words[1]) else {
            return left.append("\(line): terminals can't distinguish this key")
        }
        let action = words[2].lowercased()
        if action == "exec", words.count > 3 {
            // The rest of the line is for a shell, with its quotation marks.
            let program = firstAction(written.rest(after: 3), line)
            return add(
                command: NewsboatConfiguration.name(of: program, key: words[1]), key: key, program: program, .newsraft,
                appending: ["link"], line)
        }
        let name = firstAction(written.rest(after: 2), line)
        guard let command = NewsboatConfiguration.newsraftActions[name.lowercased()] else {
            return left.append(
                "\(line): tappa has no equivalent of '\(NewsboatConfiguration.shown(Array(words[2...])))'")
        }
        keys.append(WantedKey(command: command, key: key, line: line))
    }

    /// Returns the first of several actions, and reports the others. Semicolons separate them, except in quotation marks.
    private mutating func firstAction(_ actions: String, _ line: String) -> String {
        var quotation: Character?
        for index in actions.indices {
            switch actions[index] {
            case let mark where mark == quotation: quotation = nil
            case let mark where quotation == nil && "\"'".contains(mark): quotation = mark
            case ";" where quotation == nil:
                let others = actions[actions.index(after: index)...].trimmingCharacters(in: .whitespaces)
                if !others.isEmpty {
                    left.append(
                        "\(line): a key has one action in tappa, so without \(NewsboatConfiguration.shown([others]))")
                }
                return actions[..<index].trimmingCharacters(in: .whitespaces)
            default: break
            }
        }
        return actions.trimmingCharacters(in: .whitespaces)
    }

    /// Newsraft's actions with an equivalent command.
    private static let newsraftActions = [
        "select-next": "list.down", "select-prev": "list.up", "select-next-page": "list.pageDown",
        "select-prev-page": "list.pageUp", "select-first": "list.first", "select-last": "list.last",
        "jump-to-next": "entry.next", "jump-to-prev": "entry.previous", "jump-to-next-unread": "entry.nextUnread",
        "jump-to-prev-unread": "entry.previousUnread",
        "mark-read": "entry.toggleRead", "mark-unread": "entry.toggleRead", "toggle-read": "entry.toggleRead",
        "mark-read-all": "entry.markAllRead", "mark-important": "entry.toggleStar",
        "mark-unimportant": "entry.toggleStar", "toggle-important": "entry.toggleStar", "reload": "feed.reload",
        "reload-all": "feeds.reloadAll", "enter": "list.open", "open-in-browser": "entry.browser",
        "copy-to-clipboard": "entry.copyLink", "start-search-input": "feed.search", "quit": "program.quit",
        "quit-hard": "program.quitNow",
    ]
}

extension NewsboatConfiguration.Line {
    /// Returns what follows some words as written, or without quotation marks if they enclose all of it.
    fileprivate func rest(after count: Int) -> String {
        var rest = text[...].drop(while: \.isWhitespace)
        for _ in 0..<count {
            var isQuoted = false
            rest = rest.drop { character in
                if character == "\"" { isQuoted.toggle() }
                return isQuoted || !character.isWhitespace
            }.drop(while: \.isWhitespace)
        }
        let inner = rest.dropFirst().dropLast()
        let isEnclosed = rest.count > 1 && rest.first == "\"" && rest.last == "\"" && !inner.contains("\"")
        return String(isEnclosed ? inner : rest)
    }
}
