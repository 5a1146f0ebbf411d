import FeedParsing
import GRDB

/// What the user looks for: words, phrases and beginnings of words, and conditions on the entry.
///
/// `climb "white roads" giro* -rain feed:cycling tag:race is:unread before:2026-06-01 after:2026-05-01`. All have to be true.
package struct SearchQuery: Codable, Hashable, Sendable {
    /// The text as it was typed.
    package let text: String
    /// The words in the language of FTS5; empty: no words.
    let match: String
    /// Words that must not stand there, in the same language.
    let exclusion: String
    private let conditions: [Condition]
    /// The words to mark in what is shown.
    package let words: [String]

    private enum Condition: Codable, Hashable, Sendable {
        case feed(String)
        case tag(String)
        case flag(EntryMark, Bool)
        case before(Int64)
        case after(Int64)
    }

    /// Why a query cannot be used.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// The most hits that a search considers, the newest ones.
    static let maximumHits = 5000

    /// Reads a query.
    ///
    /// - Throws: ``Problem`` when a condition is unknown, or nothing is looked for.
    package init(_ text: String) throws(Problem) {
        self.text = text
        var match: [String] = []
        var exclusion: [String] = []
        var words: [String] = []
        var conditions: [Condition] = []
        for token in try SearchQuery.tokens(text) {
            if let condition = try SearchQuery.condition(token) {
                conditions.append(condition)
                continue
            }
            let isPrefix = token.text.hasSuffix("*") && !token.isQuoted
            let word = isPrefix ? String(token.text.dropLast()) : token.text
            guard word.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            // Doubled quotes inside quotes: nothing that is typed can be FTS5's own syntax.
            let quoted = SearchQuery.quoted(word) + (isPrefix ? "*" : "")
            if token.isNegative { exclusion.append(quoted) } else { match.append(quoted) }
            if !token.isNegative { words.append(word) }
        }
        guard !match.isEmpty || !conditions.isEmpty else {
            throw Problem(description: "Nothing to look for: type words, \"phrases\", begin* or is:unread")
        }
        self.match = match.joined(separator: " ")
        self.exclusion = exclusion.joined(separator: " OR ")
        self.words = words
        self.conditions = conditions
    }

    /// Any of some names, each as a phrase, in entries of a span of time.
    init(anyOf names: [String], from: Int64, to: Int64) {
        text = names.joined(separator: " · ")
        let phrases = names.filter { $0.contains { $0.isLetter } }.map(SearchQuery.quoted)
        match = phrases.joined(separator: " OR ")
        exclusion = ""
        words = names
        conditions = [.after(from), .before(to)]
    }

    /// A phrase of FTS5. Its quotation mark is one also where a mark that combines follows it, which makes another character
    /// of both.
    private static func quoted(_ word: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append("\"")
        for scalar in word.unicodeScalars {
            if scalar == "\"" { scalars.append("\"") }
            scalars.append(scalar)
        }
        scalars.append("\"")
        return String(scalars)
    }

    private struct Token {
        var text: String
        var key: String?
        var isQuoted = false
        var isNegative = false
    }

    /// Splits at blanks outside quotes.
    private static func tokens(_ text: String) throws(Problem) -> [Token] {
        var tokens: [Token] = []
        // FTS5 reads a query up to its first zero byte.
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar == "\0" ? " " : scalar) }
        var rest = Substring(String(scalars))
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard !rest.isEmpty else { return tokens }
            var token = Token(text: "")
            if rest.first == "-" {
                token.isNegative = true
                rest = rest.dropFirst()
            }
            // No more than a key is looked at: a query of ten thousand words is read once.
            let name = rest.prefix(longestKey + 1).prefix { $0.isASCII && $0.isLetter }
            if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == ":",
                keys.contains(name.lowercased())
            {
                token.key = name.lowercased()
                rest = rest[rest.index(after: name.endIndex)...]
            }
            if rest.first == "\"" {
                token.isQuoted = true
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else {
                    throw Problem(description: "A quotation mark is missing its partner")
                }
                token.text = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.firstIndex { $0.isWhitespace } ?? rest.endIndex
                token.text = String(rest[..<end])
                rest = rest[end...]
            }
            if !token.text.isEmpty { tokens.append(token) }
            guard tokens.count <= mostTokens else {
                throw Problem(description: "A search can have \(mostTokens) words and conditions at most")
            }
        }
    }

    private static let keys: Set<String> = ["feed", "tag", "is", "before", "after"]
    private static let longestKey = 6
    /// The most words and conditions: the index is asked for each of them.
    private static let mostTokens = 100

    private static func condition(_ token: Token) throws(Problem) -> Condition? {
        guard let key = token.key else { return nil }
        switch key {
        case "feed": return .feed(token.text)
        case "tag": return .tag(token.text)
        case "is":
            let flags: [String: (EntryMark, Bool)] = [
                "unread": (.read, false), "read": (.read, true), "starred": (.starred, true), "later": (.later, true),
            ]
            guard let flag = flags[token.text.lowercased()] else {
                throw Problem(description: "is: takes unread, read, starred or later, not '\(token.text)'")
            }
            return .flag(flag.0, token.isNegative ? !flag.1 : flag.1)
        default:
            guard let day = CalendarDay(token.text) else {
                throw Problem(description: "\(key): takes a day such as 2026-05-31, not '\(token.text)'")
            }
            let instant = day.number * 86_400
            return key == "before" ? .before(instant) : .after(instant)
        }
    }

    /// The condition on rows of the table `entry`.
    var condition: (sql: String, arguments: StatementArguments) {
        var parts: [String] = []
        var arguments = StatementArguments()
        if !match.isEmpty {
            let whole = exclusion.isEmpty ? match : "(\(match)) NOT (\(exclusion))"
            parts.append(
                """
                id IN (SELECT rowid FROM entry_search WHERE entry_search MATCH ? ORDER BY rowid DESC
                    LIMIT \(SearchQuery.maximumHits))
                """)
            arguments += [whole]
        } else if !exclusion.isEmpty {
            parts.append("id NOT IN (SELECT rowid FROM entry_search WHERE entry_search MATCH ?)")
            arguments += [exclusion]
        }
        for condition in conditions {
            switch condition {
            case .feed(let name):
                parts.append(
                    """
                    subscription_id IN (SELECT id FROM subscription WHERE coalesce(custom_title, title, url) LIKE ?
                        ESCAPE '\\' OR url LIKE ? ESCAPE '\\')
                    """)
                let pattern = Library.pattern(containing: name)
                arguments += [pattern, pattern]
            case .tag(let tag):
                parts.append(
                    """
                    subscription_id IN (SELECT subscription_id FROM subscription_tag WHERE tag = ? COLLATE NOCASE
                        UNION SELECT id FROM subscription WHERE folder = ? COLLATE NOCASE)
                    """)
                arguments += [tag, tag]
            case .flag(let mark, let value): parts.append("\(mark.rawValue) = \(value ? 1 : 0)")
            case .before(let instant):
                parts.append("sort_date < ?")
                arguments += [instant]
            case .after(let instant):
                parts.append("sort_date >= ?")
                arguments += [instant]
            }
        }
        return ("(" + parts.joined(separator: " AND ") + ")", arguments)
    }
}
