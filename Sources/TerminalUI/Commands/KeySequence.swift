/// A key or a sequence of keys.
///
/// It is written as names separated by spaces: `"j"`, `"ctrl-d"`, `"g g"`, `"tab"`, `"backtab"`, `"esc"`, `"space"`,
/// `"enter"`, `"pagedown"`, `"f5"`.
public struct KeySequence: Hashable, Sendable {
    /// The keys in order.
    public let presses: [KeyPress]

    /// Creates a sequence of key presses.
    public init(_ presses: [KeyPress]) { self.presses = presses }

    /// Parses a sequence. Returns `nil` if a name is unknown.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        presses = words.compactMap(KeySequence.press)
        guard !presses.isEmpty, presses.count == words.count else { return nil }
    }

    /// The reason why a text is not a key sequence.
    public struct Problem: Error, CustomStringConvertible {
        /// The message.
        public let description: String
    }

    /// Parses a sequence written by a user.
    ///
    /// - Throws: ``Problem`` for unknown names, and for keys that terminals send as other keys (ECMA-48: control codes
    ///   don't exist for all letters, and capitals are characters of their own).
    public static func read(_ text: String) throws(Problem) -> KeySequence {
        guard let sequence = KeySequence(text) else { throw Problem(description: "'\(text)' is not a key") }
        for press in sequence.presses {
            guard case .character(let character) = press.key else { continue }
            if press.modifiers.contains(.control), let same = controlNames[character] {
                throw Problem(description: "'\(text)': terminals send ctrl-\(character) as \(same)")
            }
            if press.modifiers.contains(.control), !character.isLowercase,
                !character.isASCII || !"@\\]^_ ".contains(character)
            {
                throw Problem(description: "'\(text)': terminals send no ctrl-\(character)")
            }
            if press.modifiers.contains(.shift), character != " " {
                throw Problem(description: "'\(text)': with shift a letter is '\(character.uppercased())'")
            }
        }
        return sequence
    }

    private static let controlNames: [Character: String] = [
        "i": "tab", "m": "enter", "j": "enter", "h": "backspace", "[": "esc",
    ]

    /// Whether everybody expects the key to work: Enter, Esc, Tab, the arrows and Ctrl-L.
    package var isEssential: Bool { presses.count == 1 && KeySequence.essential.contains(presses[0]) }

    private static let essential: Set<KeyPress> = [
        KeyPress(.enter), KeyPress(.escape), KeyPress(.tab), KeyPress(.up), KeyPress(.down), KeyPress(.left),
        KeyPress(.right), KeyPress(.character("l"), .control),
    ]

    /// Whether one of two sequences begins with the other, so that the longer one could never be typed.
    package func isBlocked(by other: KeySequence) -> Bool {
        presses.starts(with: other.presses) || other.presses.starts(with: presses)
    }

    /// The sequence as text that ``read(_:)`` accepts.
    public var name: String { presses.map(KeySequence.name).joined(separator: " ") }

    private static func name(_ press: KeyPress) -> String {
        var text = ""
        for (prefix, modifier) in prefixes where press.modifiers.contains(modifier) { text += prefix }
        switch press.key {
        case .character(let character) where character != " ": text.append(character)
        case .function(let number): text += "f\(number)"
        case let key: text += names.first { $0.1 == key }?.0 ?? "?"
        }
        return text
    }

    private static let prefixes: [(String, KeyModifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]

    private static let names: [(String, Key)] = [
        ("enter", .enter), ("tab", .tab), ("backtab", .backTab), ("backspace", .backspace), ("esc", .escape),
        ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end),
        ("pageup", .pageUp), ("pagedown", .pageDown), ("insert", .insert), ("delete", .delete),
        ("space", .character(" ")),
    ]

    private static func press(_ word: Substring) -> KeyPress? {
        var rest = word
        var modifiers: KeyModifiers = []
        while let (prefix, modifier) = prefixes.first(where: { rest.hasPrefix($0.0) && rest.count > $0.0.count }) {
            rest = rest.dropFirst(prefix.count)
            modifiers.insert(modifier)
        }
        if let named = names.first(where: { $0.0 == rest }) { return KeyPress(named.1, modifiers) }
        if rest.count == 1, let character = rest.first { return KeyPress(.character(character), modifiers) }
        if rest.first == "f", let number = Int(rest.dropFirst()), (1...24).contains(number) {
            return KeyPress(.function(number), modifiers)
        }
        return nil
    }

    /// Returns the keys for hints: `
    /// `, `esc`, `^d`, `g g`, or in words `enter`, `esc`, `ctrl-d`, `g g`.
    func label(inWords: Bool) -> DisplayText {
        DisplayText(presses.map { KeySequence.label($0, inWords: inWords) }.joined(separator: " "))
    }

    private static func label(_ press: KeyPress, inWords: Bool) -> String {
        var text = ""
        if press.modifiers.contains(.control) { text += inWords ? "ctrl-" : "^" }
        if press.modifiers.contains(.alt) { text += "alt-" }
        if press.modifiers.contains(.shift) { text += "shift-" }
        switch press.key {
        case .character(" "): text += "space"
        case .character(let character): text.append(character)
        case .enter: text += inWords ? "enter" : "⏎"
        case .backTab: text += "shift-tab"
        case .function(let number): text += "F\(number)"
        case let key: text += names.first { $0.1 == key }?.0 ?? "?"
        }
        return text
    }
}

extension KeySequence: ExpressibleByStringLiteral {
    /// Creates a sequence from a literal. An unknown name is an error in the program.
    public init(stringLiteral value: String) {
        guard let sequence = KeySequence(value) else { preconditionFailure("'\(value)' is not a key sequence") }
        self = sequence
    }
}
