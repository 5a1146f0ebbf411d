import Foundation

/// Command lines that no shell reads.
package enum CommandWords {
    /// The words of a command line: quotation marks keep blanks together, a backslash the next character. Nothing else has a
    /// meaning, as no shell reads it.
    package static func split(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in command {
            if isEscaped {
                word = (word ?? "") + String(character)
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
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }

    /// A value from outside as an argument that its program can't take for an option: a blank precedes a hyphen at its beginning.
    package static func argument(_ value: String) -> String { value.hasPrefix("-") ? " " + value : value }

    /// A word of a user's command line with values from outside in the place of its placeholders.
    ///
    /// Only a hyphen that the user has written begins an option.
    package static func filled(_ word: String, _ fill: (_ word: String) -> String) -> String {
        word.hasPrefix("-") ? fill(word) : argument(fill(word))
    }

    /// Words as ``split(_:)`` reads them again: those with blanks between quotation marks.
    package static func joined(_ words: [String]) -> String {
        words.map { word in
            let special = word.contains { "\"'\\ \t".contains($0) }
            guard special || word.isEmpty else { return word }
            return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }.joined(separator: " ")
    }

    /// The path of a program: as it is written where that has a slash, `~` being the home directory, else in `PATH`.
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
