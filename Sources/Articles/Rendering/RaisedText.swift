/// Superscripts and subscripts as plain text, in Unicode characters if all exist, otherwise as `^(…)` and `_(…)`.
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

    /// Returns the Unicode characters for a text, or `nil` if one is missing.
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
