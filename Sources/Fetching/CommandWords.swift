import Foundation

/// Command lines that are split into words without a shell.
package enum CommandWords {
    /// Returns the words of a command line. Quotation marks keep spaces, and a backslash keeps the next character.
    /// Nothing else is special, because no shell is involved.
    package static func split(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in command {
            if isEscaped {
                if word?.append(character) == nil { word = String(character) }
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " || character == "\t" {
                if let done = word { words.append(done) }
                word = nil
            } else {
                if word?.append(character) == nil { word = String(character) }
            }
        }
        if let word { words.append(word) }
        return words
    }

    /// Returns a value from outside as an argument that a program can't mistake for an option: a space precedes a
    /// leading hyphen, and a plus sign, with which commands of editors and pagers begin.
    static func argument(_ value: String) -> String {
        value.hasPrefix("-") || value.hasPrefix("+") ? " " + value : value
    }

    /// Returns words as a line that ``split(_:)`` splits into the same words.
    package static func joined(_ words: [String]) -> String {
        words.map { word in
            let special = word.contains { "\"'\\ \t".contains($0) }
            guard special || word.isEmpty else { return word }
            if word.contains("\"") || word.contains("\\"), !word.contains("'") { return "'\(word)'" }
            return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }.joined(separator: " ")
    }

    /// Returns the path of a program: a name with a slash is a path, in which `~` is the home directory; other names
    /// are searched in `PATH`.
    package static func path(of name: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if name.contains("/") {
            let path = name.hasPrefix("~/") ? (environment["HOME"] ?? "") + name.dropFirst() : name
            return FileManager.default.isExecutableFile(atPath: path) ? path : nil
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
