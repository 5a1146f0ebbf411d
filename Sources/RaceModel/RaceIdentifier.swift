import Foundation

/// Identifiers of races in files and commands: words of ASCII letters and digits with hyphens between them.
package enum RaceIdentifier {
    /// Letters that have no accent to remove.
    private static let letters: [Character: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    ]

    /// Returns the identifier of a name, or of an identifier in another spelling, such as `vuelta-a-espana-2026` for
    /// `Vuelta a España 2026`.
    ///
    /// Letters of scripts other than the Latin one stay, so that names in them remain different.
    package static func of(_ name: String) -> String {
        var text = name.lowercased()
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            text = text.map { letters[$0] ?? String($0) }.joined()
                .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        }
        var identifier = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                identifier.unicodeScalars.append(scalar)
            } else if identifier.last != "-", !identifier.isEmpty {
                identifier += "-"
            }
        }
        while identifier.last == "-" { identifier.removeLast() }
        return identifier
    }
}
