/// The notation of keys in newsboat's configuration.
enum NewsboatKeys {
    /// The dialogs with keys that tappa has as well.
    static let contexts: Set<String> = ["everywhere", "all", "feedlist", "articlelist", "searchresultslist", "article"]

    /// The maximum length of a key's name with its brackets.
    private static let longestName = 16

    /// Converts the notation of a sequence of keys: `gg` becomes `g g`, `^O<ENTER>` becomes `ctrl-o enter`.
    static func keys(_ text: String) -> String? {
        var keys: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            var part = rest.prefix(1)
            var name = String(part)
            if first == "<", let end = rest.prefix(longestName).firstIndex(of: ">") {
                part = rest[...end]
                name = String(part.dropFirst().dropLast())
            } else if first == "^", rest.dropFirst().first?.isLetter == true {
                part = rest.prefix(2)
                name = String(part)
            }
            guard let key = keyInSequence(name) else { return nil }
            keys.append(key)
            rest = rest.dropFirst(part.count)
        }
        return keys.isEmpty ? nil : keys.joined(separator: " ")
    }

    /// Converts a key of a sequence, which may be named as in `<LT>`, `<C-a>` or `<S-a>`.
    private static func keyInSequence(_ name: String) -> String? {
        let last = name.suffix(1)
        switch name.uppercased() {
        case "LT": return "<"
        case "GT": return ">"
        case "C-" + last.uppercased(): return "ctrl-" + last.lowercased()
        case "S-" + last.uppercased(): return last.uppercased()
        default: return key(name)
        }
    }

    /// Converts the notation of a key: `^R` becomes `ctrl-r`, `ENTER` becomes `enter`.
    static func key(_ text: String) -> String? {
        if text == " " { return "space" }
        if text.count == 1 { return text }
        if text.hasPrefix("^"), text.count == 2 { return "ctrl-" + text.dropFirst().lowercased() }
        let names = [
            "ENTER": "enter", "SPACE": "space", "TAB": "tab", "ESC": "esc", "BACKSPACE": "backspace", "UP": "up",
            "DOWN": "down", "LEFT": "left", "RIGHT": "right", "HOME": "home", "END": "end", "NPAGE": "pagedown",
            "PPAGE": "pageup", "PAGEDOWN": "pagedown", "PAGEUP": "pageup", "DELETE": "delete",
        ]
        if let name = names[text.uppercased()] { return name }
        if text.uppercased().hasPrefix("F"), let number = Int(text.dropFirst()), (1...12).contains(number) {
            return "f\(number)"
        }
        return nil
    }
}
