import FeedParsing
import Foundation
import RaceModel

/// Why no edition belongs to the words of a user.
package enum UnknownRace: Error, Hashable, Sendable, CustomStringConvertible {
    /// No race has such a name; these have similar ones.
    case noSuchRace(String, near: [String])
    /// Several races have such a name.
    case severalRaces(String, names: [String])
    /// The race centre has no data of this year.
    case noSuchYear(Int, race: String, years: ClosedRange<Int>)
    /// The race is known, but can't be followed.
    case notReadable(String)

    package var description: String {
        switch self {
        case .noSuchRace(let words, let near):
            "unknown race '\(PlainText.cut(words[...], upTo: 60))'"
                + (near.isEmpty ? "" : "; did you mean \(UnknownRace.list(near))?")
        case .severalRaces(let words, let names):
            "'\(PlainText.cut(words[...], upTo: 60))' matches several races: \(names.joined(separator: ", "))"
        case .noSuchYear(let year, let race, let years):
            "\(race) \(year) is not available; the race centre has \(years.lowerBound) to \(years.upperBound)"
        case .notReadable(let reason): reason
        }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension KnownRaces {
    /// Returns the edition that a user means by words such as `vuelta 2026` or `tour-femmes`.
    ///
    /// - Parameters:
    ///   - words: The name or another word for the race, and optionally a year before or after it. Case, accents and
    ///     hyphens don't matter.
    ///   - today: The current year, and the month and day in it. Without a year the words mean the edition that is under
    ///     way or begins within two weeks, otherwise the last one.
    ///   - days: Returns the first and last day of an edition if a calendar has them. Otherwise they are the usual ones.
    ///   - wantsNext: Whether to return the next edition instead of one that is over.
    package func resolve(
        _ words: String, today: (year: Int, day: MonthDay),
        days: (KnownRace, Int) -> (first: CalendarDay, last: CalendarDay)? = { _, _ in nil },
        wantsNext: (FinishedEdition) -> Bool = { _ in false }
    ) throws(UnknownRace) -> RaceEdition {
        let (terms, year) = RaceWords.split(words)
        let race = try race(terms, words: words)
        if let obstacle = race.obstacle { throw .notReadable(obstacle) }
        if let year {
            guard race.years.contains(year) else {
                let last = min(race.years.upperBound, today.year.limited(race.years.lowerBound, 9999) + 1)
                throw .noSuchYear(
                    year, race: race.name, years: race.years.lowerBound...max(race.years.lowerBound, last))
            }
            return RaceEdition(race: race, year: year)
        }
        guard let day = CalendarDay(year: today.year, month: today.day.month, day: today.day.day) else {
            return RaceEdition(race: race, year: today.year.limited(to: race.years))
        }
        func span(_ year: Int) -> (first: CalendarDay, last: CalendarDay) {
            days(race, year) ?? race.usualDays(in: year)
        }
        let newest = [today.year + 1, today.year].first { day >= span($0).first - KnownRaces.daysBefore }
        let last = (newest ?? today.year - 1).limited(to: race.years)
        let finished = FinishedEdition(race: race, year: last, nextStart: span(last + 1).first)
        let isOver = span(last).last < day && race.years.contains(last + 1)
        return RaceEdition(race: race, year: isOver && wantsNext(finished) ? last + 1 : last)
    }

    /// The number of days before its start from which a name means an edition.
    private static let daysBefore: Int64 = 14

    private func race(_ terms: String, words: String) throws(UnknownRace) -> KnownRace {
        if let exact = races.first(where: { RaceWords.names(of: $0).contains(terms) }) { return exact }
        guard !terms.isEmpty else { throw .noSuchRace(words, near: []) }
        let matches = races.filter { race in
            RaceWords.names(of: race).contains { $0.hasPrefix(terms) || RaceWords.contains($0, terms) }
        }
        if let match = matches.first, matches.count == 1 { return match }
        guard matches.isEmpty else { throw .severalRaces(words, names: Array(matches.prefix(8)).map(\.id)) }
        throw .noSuchRace(words, near: near(terms))
    }

    /// Returns the identifiers of the races that a user may be typing, in the order of the catalogue.
    ///
    /// - Parameter prefix: The beginning of a name or of any word in it. Races that begin with it come first.
    package func completions(for prefix: String, limit: Int = 20) -> [String] {
        let terms = RaceWords.split(prefix).terms
        let offered = followable
        let first = offered.filter { race in RaceWords.names(of: race).contains { $0.hasPrefix(terms) } }
        let others = offered.filter { race in
            !first.contains { $0.id == race.id } && RaceWords.names(of: race).contains { RaceWords.contains($0, terms) }
        }
        return (first + others).prefix(max(0, limit)).map(\.id)
    }

    /// Returns the identifiers of at most three races with similar names, the most similar first.
    private func near(_ terms: String) -> [String] {
        let scored = races.enumerated().map { place, race in
            (place, race.id, RaceWords.names(of: race).map { RaceWords.similarity(terms, $0) }.max() ?? 0)
        }
        return scored.filter { $0.2 >= 0.4 }.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.prefix(3).map(\.1)
    }
}

/// Compares names of races.
package enum RaceWords {
    /// Returns the words without case, accents and punctuation, and the year among them.
    package static func split(_ text: String) -> (terms: String, year: Int?) {
        var (terms, year): ([Substring], Int?) = ([], nil)
        for term in folded(PlainText.cut(text[...], upTo: 200)).split(separator: " ") {
            if term.utf8.count == 4, let number = Int(term), RaceLimits.years.contains(number), year == nil {
                year = number
            } else {
                terms.append(term)
            }
        }
        return (terms.joined(separator: " "), year)
    }

    static func folded(_ text: String) -> String {
        let plain = text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
        return String(plain.map { $0.isLetter || $0.isNumber ? $0 : " " })
            .split(separator: " ").joined(separator: " ")
    }

    /// All names and words of a race, folded.
    static func names(of race: KnownRace) -> [String] {
        ([race.id] + race.names.sorted { $0.key < $1.key }.map(\.value) + race.words).map(folded)
    }

    /// Returns the names in which each word of a text is the beginning of a word. A year in the text must be in the name.
    package static func matches(_ text: String, in names: [String], limit: Int) -> [String] {
        let (terms, year) = split(text)
        guard !terms.isEmpty else { return [] }
        return Array(
            names.lazy.filter { name in
                let (words, own) = split(name)
                return contains(words, terms) && (year == nil || year == own)
            }.prefix(max(0, limit)))
    }

    /// Whether each term is the beginning of a word in the name.
    package static func contains(_ name: String, _ terms: String) -> Bool {
        let words = name.split(separator: " ")
        return terms.split(separator: " ").allSatisfy { term in words.contains { $0.hasPrefix(term) } }
    }

    /// Returns the proportion of pairs of letters that two names share, from 0 to 1.
    static func similarity(_ first: String, _ second: String) -> Double {
        let (one, other) = (pairs(first), pairs(second))
        let total = one.values.reduce(0, +) + other.values.reduce(0, +)
        guard total > 0 else { return 0 }
        let shared = one.reduce(0) { $0 + min($1.value, other[$1.key] ?? 0) }
        return 2 * Double(shared) / Double(total)
    }

    private static func pairs(_ text: String) -> [String: Int] {
        let letters = Array(text.prefix(80))
        return Dictionary(zip(letters, letters.dropFirst()).map { ("\($0)\($1)", 1) }, uniquingKeysWith: +)
    }
}
