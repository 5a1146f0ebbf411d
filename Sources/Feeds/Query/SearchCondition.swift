import FeedParsing
import LibraryKernel
import TerminalText

/// A condition of a query as it is written: a field with a value, such as `is:unread` or `age:<7d`.
struct SearchCondition {
    let field: String
    let text: String
    let isQuoted: Bool
    /// The column, from 1, for errors.
    let column: Int
    let today: CalendarDay

    /// Returns the term, or `nil` if it looks for words and contains none.
    func term() throws(SearchQuery.Problem) -> SearchTerm? {
        switch field {
        case "title": SearchTerm.typed(text, isQuoted: isQuoted, in: .title)
        case "author": SearchTerm.typed(text, isQuoted: isQuoted, in: .author)
        case "text": SearchTerm.typed(text, isQuoted: isQuoted, in: .body)
        case "link": .link(text)
        case "feed": .feed(text)
        case "folder": .folder(text)
        case "tag": .tag(text)
        case "lang": try language()
        case "is": try flag()
        case "has": try part()
        case "length": try length()
        case "age", "read": try age()
        default: try date()
        }
    }

    private func problem(_ message: String) -> SearchQuery.Problem { SearchParser.problem(message, at: column) }

    private func language() throws(SearchQuery.Problem) -> SearchTerm {
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw problem("lang: takes a language such as en or pt-BR, not '\(text)'")
        }
        return .language(text.lowercased())
    }

    private func flag() throws(SearchQuery.Problem) -> SearchTerm {
        switch text.lowercased() {
        case "unread": return .flag(.read, false)
        case "read": return .flag(.read, true)
        case "starred": return .flag(.starred, true)
        case "later": return .flag(.later, true)
        case "archived": return .archived(true)
        default: throw problem("is: takes unread, read, starred, later or archived, not '\(text)'")
        }
    }

    private func part() throws(SearchQuery.Problem) -> SearchTerm {
        guard let part = IndexedPart(name: text.lowercased()) else {
            throw problem("has: takes \(IndexedPart.names.alternatives), not '\(text)'")
        }
        return .has(part)
    }

    private func length() throws(SearchQuery.Problem) -> SearchTerm {
        guard let (isMore, rest) = comparison,
            let minutes = Int(rest.last == "m" ? rest.dropLast() : rest), (0...100_000).contains(minutes)
        else { throw problem("length: takes minutes to read such as >20m, not '\(text)'") }
        return isMore ? .longer(minutes) : .shorter(minutes)
    }

    /// The age of an entry, or the time since it was read.
    private func age() throws(SearchQuery.Problem) -> SearchTerm {
        guard let (isMore, rest) = comparison, let seconds = SearchCondition.seconds(rest) else {
            throw problem(
                field == "age"
                    ? "age: takes hours, days, weeks, months or years such as <7d or >2w, not '\(text)'"
                    : "read: takes the time since you read an entry, such as <1d or >2w, not '\(text)'")
        }
        if field == "age" { return isMore ? .older(seconds) : .younger(seconds) }
        return .all([.flag(.read, true), isMore ? .readBefore(seconds) : .readWithin(seconds)])
    }

    /// A day, or the time before or after it.
    private func date() throws(SearchQuery.Problem) -> SearchTerm {
        guard field == "date" else {
            let day = try calendarDay(text)
            return field == "before" ? .before(day.midnight) : .after(day.midnight)
        }
        guard let (isMore, rest) = comparison else {
            let day = try calendarDay(text)
            return .all([.after(day.midnight), .before((day + 1).midnight)])
        }
        let day = try calendarDay(String(rest))
        return isMore ? .after((day + 1).midnight) : .before(day.midnight)
    }

    private func calendarDay(_ written: String) throws(SearchQuery.Problem) -> CalendarDay {
        let day: CalendarDay? =
            switch written.lowercased() {
            case "today": today
            case "yesterday": today - 1
            default: CalendarDay(written)
            }
        guard let day else {
            throw problem("\(field): takes a day such as 2026-05-31, today or yesterday, not '\(text)'")
        }
        return day
    }

    /// The sign at the start, and what follows it.
    private var comparison: (isMore: Bool, rest: Substring)? {
        guard let first = text.first, first == "<" || first == ">" else { return nil }
        return (first == ">", text.dropFirst())
    }

    private static func seconds(_ text: Substring) -> Int64? {
        let units: [Character: Int64] = ["h": 3600, "d": 86_400, "w": 604_800, "m": 2_629_800, "y": 31_557_600]
        guard let unit = text.last.flatMap({ units[Character($0.lowercased())] }), let number = Int64(text.dropLast()),
            (0...10_000).contains(number)
        else { return nil }
        return number * unit
    }
}

extension SearchTerm {
    /// Returns a word, phrase or prefix as it was typed, or `nil` if no word is in it.
    static func typed(_ text: String, isQuoted: Bool, in column: Column?) -> SearchTerm? {
        let isPrefix = text.hasSuffix("*") && !isQuoted
        let word = isPrefix ? String(text.dropLast()) : text
        guard !FoldedText(query: word).words.isEmpty else { return nil }
        let term = SearchTerm.word(column, word, isPrefix: isPrefix)
        return regrouped(word).map { .any([term, .word(column, $0, isPrefix: isPrefix)]) } ?? term
    }

    /// Returns a large number without the signs between its thousands, or with blanks there: `1,234` is also `1234`.
    private static func regrouped(_ word: String) -> String? {
        let parts = word.split(omittingEmptySubsequences: false) { ",.'’ \u{A0}\u{202F}".contains($0) }
        guard let first = parts.first, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        guard parts.count == 1 else {
            return (1...3).contains(first.count) && parts.dropFirst().allSatisfy { $0.count == 3 }
                ? parts.joined() : nil
        }
        guard (4...15).contains(first.count) else { return nil }
        let head = first.prefix((first.count - 1) % 3 + 1)
        return stride(from: head.count, to: first.count, by: 3).reduce(String(head)) {
            $0 + " " + first.dropFirst($1).prefix(3)
        }
    }
}
