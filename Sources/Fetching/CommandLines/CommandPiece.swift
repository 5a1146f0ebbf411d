/// A character of a command line, or the place of a value from outside.
package enum CommandPiece: Hashable, Sendable {
    case character(Character)
    /// The place of a value, such as `link`.
    case value(String)
}

/// How a command line names the values from outside that it receives.
package enum CommandNotation: Hashable, Sendable {
    /// `%s` is the value with this name, and `%%` a percent sign: settings and `BROWSER`.
    case percent(String)
    /// Names in braces, such as `{link}`: commands of the configuration.
    case braces([String])
    /// A letter after a percent sign, and `%%` for a percent sign: newsboat and newsraft.
    case letters([Character: String])
    /// No values.
    case none

    /// Newsboat's letters (manual, "browser"). tappa has no value for the last two.
    package static let newsboat = letters(["u": "link", "T": "title", "F": "%F", "t": "%t"])
    package static let newsraft = letters(["l": "link", "t": "title"])

    /// Finds the values in a text.
    package func read(_ text: String) -> [CommandPiece] {
        var pieces: [CommandPiece] = []
        // Scalars, because a shell sees a quotation mark even before a combining character.
        var rest = text.unicodeScalars.map(Character.init)[...]
        while let first = rest.first {
            if let (name, length) = value(at: rest) {
                pieces.append(name)
                rest = rest.dropFirst(length)
            } else {
                pieces.append(.character(first))
                rest = rest.dropFirst()
            }
        }
        return pieces
    }

    private func value(at rest: ArraySlice<Character>) -> (CommandPiece, length: Int)? {
        let second = rest.dropFirst().first
        switch self {
        case .none: return nil
        case .percent(let name):
            guard rest.first == "%" else { return nil }
            return second == "s" ? (.value(name), 2) : second == "%" ? (.character("%"), 2) : nil
        case .letters(let names):
            guard rest.first == "%", let second else { return nil }
            return names[second].map { (.value($0), 2) } ?? (second == "%" ? (.character("%"), 2) : nil)
        case .braces(let names):
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
            let name = String(rest[(rest.startIndex + 1)..<end])
            return names.contains(name) ? (.value(name), name.count + 2) : nil
        }
    }

    /// Returns the text that ``read(_:)`` reads as these pieces.
    package func write(_ pieces: [CommandPiece]) -> String {
        pieces.map { piece in
            switch (piece, self) {
            case (.character("%"), .percent), (.character("%"), .letters): "%%"
            case (.character(let character), _): String(character)
            case (.value, .percent): "%s"
            case (.value(let name), .letters(let names)): names.first { $0.value == name }.map { "%\($0.key)" } ?? name
            case (.value(let name), _): "{\(name)}"
            }
        }.joined()
    }
}

extension [CommandPiece] {
    var text: String? {
        var text = ""
        for piece in self {
            guard case .character(let character) = piece else { return nil }
            text.append(character)
        }
        return text
    }

    var values: [String] { compactMap { if case .value(let name) = $0 { name } else { nil } } }
}

/// The environment variables in which programs receive values.
package enum CommandVariable {
    package static let prefix = "TAPPA_"

    /// Returns the variable of a value, such as `TAPPA_LINK`.
    package static func name(of value: String) -> String { prefix + value.uppercased() }
}
