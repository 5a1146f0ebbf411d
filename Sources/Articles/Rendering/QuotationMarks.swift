/// Quotation marks by language: outer and inner, opening and closing.
enum QuotationMarks {
    private static let known: [String: [String]] = [
        "de": ["„", "“", "‚", "‘"], "fr": ["« ", " »", "“", "”"], "it": ["«", "»", "“", "”"],
        "es": ["«", "»", "“", "”"], "pt": ["«", "»", "“", "”"], "nl": ["“", "”", "‘", "’"], "pl": ["„", "”", "«", "»"],
        "cs": ["„", "“", "‚", "‘"], "sv": ["”", "”", "’", "’"], "fi": ["”", "”", "’", "’"], "da": ["»", "«", "›", "‹"],
        "ru": ["«", "»", "„", "“"], "uk": ["«", "»", "„", "“"], "ja": ["「", "」", "『", "』"], "zh": ["“", "”", "‘", "’"],
    ]

    /// Returns the marks for a language tag (BCP 47), English ones for unknown languages.
    static func marks(_ language: String, isInner: Bool) -> (open: String, close: String) {
        let name = String(language.lowercased().prefix { $0.isLetter })
        let marks = known[name] ?? ["“", "”", "‘", "’"]
        return isInner ? (marks[2], marks[3]) : (marks[0], marks[1])
    }
}
