/// The signs of ASCII for those that the program draws, where the locale's encoding isn't UTF-8.
///
/// Letters stay as they are, because nothing replaces them.
package enum ASCIISigns {
    /// Whether the locale of an environment is in UTF-8 (locale(7)): the first of `LC_ALL`, `LC_CTYPE` and `LANG` that
    /// isn't empty decides, and without any it is C.
    package static func hasUnicode(_ variable: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty } ?? "C"
        let encoding = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" } ?? ""
        return encoding.lowercased().filter { $0 != "-" } == "utf8"
    }

    /// Returns a text with signs of ASCII, several for one if necessary.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let words = words[scalar] {
                result.append(contentsOf: words.unicodeScalars)
            } else {
                result.append(sign(for: scalar) ?? scalar)
            }
        }
        return String(result)
    }

    private static let words: [Unicode.Scalar: String] = [
        "…": "...", "→": "->", "←": "<-", "⏎": "enter", "⇥": "tab", "±": "+/-",
    ]

    /// Returns the sign for a sign that is one column wide, or `nil` if it stays as it is.
    package static func sign(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case ..<0xA0: nil
        case 0x2500...0x257F: line(scalar.value)
        case 0x2580...0x259F: block(scalar.value)
        // Patterns of dots, of which charts and activity indicators are made.
        case 0x2800: " "
        case 0x2801...0x28FF: ":"
        default: signs[scalar]
        }
    }

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = {
        let groups: [(Unicode.Scalar, String)] = [
            ("-", "·‐‑‒–—―−▬"), ("'", "‘’‚‛′"), ("\"", "“”„‟″"), ("<", "«‹←⇐◁◀⏎"), (">", "»›→⇒▷▸▶⇥"), ("^", "↑▲△"),
            ("v", "↓▼▽▾"), ("*", "•●◉◆★☆"), ("o", "○◇□◷◶"), ("~", "…⋯±"), ("x", "×✕✓"), ("@", "⟳"), ("/", "⊘"),
            ("!", "⚑"), ("?", "⌕"), (" ", "°\u{A0}\u{2007}\u{2009}\u{202F}"),
        ]
        var signs: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (sign, others) in groups { for other in others.unicodeScalars { signs[other] = sign } }
        return signs
    }()

    private static func line(_ value: UInt32) -> Unicode.Scalar {
        switch value {
        case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2574, 0x2576, 0x2578, 0x257A, 0x257C,
            0x257E:
            "-"
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577, 0x2579, 0x257B,
            0x257D, 0x257F:
            "|"
        case 0x2550: "="
        case 0x2571: "/"
        case 0x2572: "\\"
        case 0x2573: "x"
        default: "+"
        }
    }

    /// Returns the sign for a block, by its height.
    private static func block(_ value: UInt32) -> Unicode.Scalar {
        switch value {
        case 0x2580: "="
        case 0x2581: "_"
        case 0x2582: "."
        case 0x2583: "-"
        case 0x2584: "="
        case 0x2585: "+"
        case 0x2586: "*"
        case 0x258C, 0x258D, 0x258E, 0x258F, 0x2590, 0x2595: "|"
        case 0x2591: ":"
        case 0x2592: "%"
        case 0x2594: "-"
        default: "#"
        }
    }
}
