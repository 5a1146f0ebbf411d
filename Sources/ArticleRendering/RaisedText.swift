/// Superscripts and subscripts as plain text: in Unicode where it has all of the signs, else as `^(…)` and `_(…)`.
enum RaisedText {
    private static let plain = Array("0123456789+-−=()".unicodeScalars)
    private static let raised = Array("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾".unicodeScalars)
    private static let lowered = Array("₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎".unicodeScalars)
    private static let raisedLetters: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "ⁿ", "i": "ⁱ", "a": "ᵃ", "b": "ᵇ", "c": "ᶜ", "d": "ᵈ", "e": "ᵉ", "o": "ᵒ", "t": "ᵗ", "h": "ʰ", "r": "ʳ",
        "s": "ˢ", "m": "ᵐ", "k": "ᵏ", "x": "ˣ", "T": "ᵀ",
    ]
    private static let loweredLetters: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "ₐ", "e": "ₑ", "o": "ₒ", "x": "ₓ", "i": "ᵢ", "j": "ⱼ", "n": "ₙ", "m": "ₘ", "k": "ₖ", "t": "ₜ", "r": "ᵣ",
    ]

    /// The signs for a text; `nil` where one of them is missing.
    static func signs(_ text: String, isRaised: Bool) -> String? {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let place = plain.firstIndex(of: scalar) {
                result.append(isRaised ? raised[place] : lowered[place])
            } else if let letter = isRaised ? raisedLetters[scalar] : loweredLetters[scalar] {
                result.append(letter)
            } else {
                return nil
            }
        }
        return result.isEmpty ? nil : String(result)
    }
}

/// Quotation marks by language: outer and inner, opening and closing.
enum QuotationMarks {
    private static let known: [String: [String]] = [
        "de": ["„", "“", "‚", "‘"], "fr": ["« ", " »", "“", "”"], "it": ["«", "»", "“", "”"],
        "es": ["«", "»", "“", "”"], "pt": ["«", "»", "“", "”"], "nl": ["“", "”", "‘", "’"], "pl": ["„", "”", "«", "»"],
        "cs": ["„", "“", "‚", "‘"], "sv": ["”", "”", "’", "’"], "fi": ["”", "”", "’", "’"], "da": ["»", "«", "›", "‹"],
        "ru": ["«", "»", "„", "“"], "uk": ["«", "»", "„", "“"], "ja": ["「", "」", "『", "』"], "zh": ["“", "”", "‘", "’"],
    ]

    /// The marks of a language tag (BCP 47); English ones for others.
    static func marks(_ language: String, isInner: Bool) -> (open: String, close: String) {
        let name = String(language.lowercased().prefix { $0.isLetter })
        let marks = known[name] ?? ["“", "”", "‘", "’"]
        return isInner ? (marks[2], marks[3]) : (marks[0], marks[1])
    }
}
