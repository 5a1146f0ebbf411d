/// Names of months and time zones in feeds.
enum DateNames {
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// Returns a month from 1 to 12 by its English name or a prefix of at least three letters.
    static func month(_ word: String, inAllLanguages: Bool = false) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        if let index = months.firstIndex(where: { $0.hasPrefix(word) }) { return index + 1 }
        return isWeekday(word) ? nil : DateLanguages.month(word, inAllLanguages: inAllLanguages)
    }

    /// The offsets in hours of RFC 822's zones, and of others that feeds use.
    private static let zones: [String: Double] = [
        "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "bst": 1, "ist": 5.5, "west": 1, "cet": 1, "met": 1, "mez": 1,
        "cest": 2, "mest": 2, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "msd": 4, "jst": 9, "kst": 9, "aest": 10,
        "aedt": 11, "acst": 9.5, "awst": 8, "nzst": 12, "nzdt": 13, "hkt": 8, "sgt": 8, "nst": -3.5, "ndt": -2.5,
        "ast": -4, "adt": -3, "est": -5, "edt": -4, "et": -5, "cst": -6, "cdt": -5, "ct": -6, "mst": -7, "mdt": -6,
        "mt": -7, "pst": -8, "pdt": -7, "pt": -8, "akst": -9, "akdt": -8, "hst": -10, "brt": -3, "art": -3, "sast": 2,
    ]

    /// Returns the offset in seconds of a named zone. RFC 2822 treats military letters as UTC, because RFC 822 had
    /// their signs wrong.
    static func zone(_ word: String) -> Int? {
        if word == "at" { return -4 * 3600 }
        if let hours = zones[word] { return Int(clamping: hours * 3600) }
        return word.utf8.count == 1 && word != "j" && word != "t" ? 0 : nil
    }

    private static let weekdays = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday", "sunday", "tues", "wednes", "thur", "thurs",
    ]

    /// Whether a word can be ignored in a date: weekdays and connecting words.
    static func isFiller(_ word: String) -> Bool {
        isEnglishFiller(word) || DateLanguages.isFiller(word)
    }

    /// Whether a word that can be ignored is from another language than English. Only English puts the month first.
    static func isForeignFiller(_ word: String) -> Bool { !isEnglishFiller(word) && DateLanguages.isFiller(word) }

    private static func isEnglishFiller(_ word: String) -> Bool {
        isWeekday(word) || ["at", "of", "the", "t", "etc"].contains(word)
    }

    private static func isWeekday(_ word: String) -> Bool { weekdays.contains(word) }
}
