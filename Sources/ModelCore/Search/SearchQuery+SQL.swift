import Foundation
import GRDB

/// A query as SQL, its words as one question to the full-text index where they stand beside each other.
extension SearchQuery {
    /// The words in the language of FTS5, for ranks and the words around a hit; empty: none.
    var match: String {
        switch root {
        case .all(let terms): SearchTerm.all(terms.filter { $0.isOfWords }).match ?? ""
        default: root.match ?? ""
        }
    }

    /// The condition on rows of the table `entry`.
    var condition: (sql: String, arguments: StatementArguments) {
        var arguments = StatementArguments()
        let sql = root.sql(&arguments, isPositive: true, now: Int64(Date().timeIntervalSince1970))
        return ("(" + sql + ")", arguments)
    }
}

extension SearchTerm {
    /// Whether it is of words alone.
    var isOfWords: Bool {
        switch self {
        case .word: true
        case .all(let terms), .any(let terms): terms.allSatisfy(\.isOfWords)
        case .not(let term): term.isOfWords
        default: false
        }
    }

    /// The term in the language of FTS5; `nil` where it has no word for it: one that only says what must not be there.
    fileprivate var match: String? {
        switch self {
        case .word(let column, let text, let isPrefix):
            return (column.map { "{\($0.rawValue)} : " } ?? "") + SearchTerm.quoted(text) + (isPrefix ? "*" : "")
        case .any(let terms):
            let parts = terms.compactMap(\.match)
            return parts.count == terms.count && !parts.isEmpty ? "(" + parts.joined(separator: " OR ") + ")" : nil
        case .all(let terms):
            var wanted: [String] = []
            var unwanted: [String] = []
            for term in terms {
                if let part = term.match {
                    wanted.append(part)
                } else if case .not(let inner) = term, let part = inner.match {
                    unwanted.append(part)
                } else {
                    return nil
                }
            }
            guard !wanted.isEmpty else { return nil }
            let all = "(" + wanted.joined(separator: " AND ") + ")"
            return unwanted.isEmpty ? all : "(\(all) NOT (\(unwanted.joined(separator: " OR "))))"
        default: return nil
        }
    }

    /// A phrase of FTS5: doubled quotes inside quotes, so that nothing that is typed can be its own syntax. A quotation mark is one
    /// also where a mark that combines follows it, which makes another character of both.
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

    /// - Parameter isPositive: Whether what it finds is found: of what must not be there all counts, not the newest alone.
    fileprivate func sql(_ arguments: inout StatementArguments, isPositive: Bool, now: Int64) -> String {
        if let match { return SearchTerm.index(match, &arguments, isPositive: isPositive) }
        switch self {
        case .all(let terms):
            let words = SearchTerm.all(terms.filter(\.isOfWords))
            let others = terms.filter { !$0.isOfWords }
            guard let match = words.match, !others.isEmpty else {
                return joined(terms, " AND ", &arguments, isPositive, now)
            }
            let first = SearchTerm.index(match, &arguments, isPositive: isPositive)
            return first + " AND " + joined(others, " AND ", &arguments, isPositive, now)
        case .any(let terms): return joined(terms, " OR ", &arguments, isPositive, now)
        case .not(let term): return "NOT (" + term.sql(&arguments, isPositive: !isPositive, now: now) + ")"
        default: return conditionSQL(&arguments, now: now)
        }
    }

    private static func index(_ match: String, _ arguments: inout StatementArguments, isPositive: Bool) -> String {
        arguments += [match]
        let limit = isPositive ? " ORDER BY rowid DESC LIMIT \(SearchQuery.maximumHits)" : ""
        return "id IN (SELECT rowid FROM entry_search WHERE entry_search MATCH ?\(limit))"
    }

    private func joined(
        _ terms: [SearchTerm], _ word: String, _ arguments: inout StatementArguments, _ isPositive: Bool, _ now: Int64
    ) -> String {
        var parts: [String] = []
        for term in terms { parts.append("(" + term.sql(&arguments, isPositive: isPositive, now: now) + ")") }
        return parts.joined(separator: word)
    }

    /// Characters that one reads in a minute: 230 words.
    private static let charactersAMinute = 1_300

    private func conditionSQL(_ arguments: inout StatementArguments, now: Int64) -> String {
        func content(_ condition: String) -> String {
            "EXISTS (SELECT 1 FROM entry_content c WHERE c.entry_id = id AND \(condition))"
        }
        switch self {
        case .feed(let name):
            let pattern = Library.pattern(containing: name)
            arguments += [pattern, pattern]
            return """
                subscription_id IN (SELECT id FROM subscription WHERE coalesce(custom_title, title, url) LIKE ?
                    ESCAPE '\\' OR url LIKE ? ESCAPE '\\')
                """
        case .folder(let name):
            arguments += [name]
            return "subscription_id IN (SELECT id FROM subscription WHERE folder = ? COLLATE NOCASE)"
        case .tag(let tag):
            arguments += [tag, tag]
            return """
                subscription_id IN (SELECT subscription_id FROM subscription_tag WHERE tag = ? COLLATE NOCASE
                    UNION SELECT id FROM subscription WHERE folder = ? COLLATE NOCASE)
                """
        case .link(let text):
            arguments += [Library.pattern(containing: text)]
            return content("c.link LIKE ? ESCAPE '\\'")
        case .flag(let mark, let value): return "\(mark.rawValue) = \(value ? 1 : 0)"
        case .has(.date): return "has_date = 1"
        case .has(.author): return content("c.author <> ''")
        case .has(.changes): return content("c.former IS NOT NULL")
        case .has(.comments): return content("c.extras LIKE '%\"comments\":%'")
        case .has(.fulltext): return content("c.full_html <> ''")
        case .has(.link): return content("c.link <> ''")
        case .has(.picture): return content("(c.extras LIKE '%\"image\":%' OR c.html LIKE '%<img%')")
        case .has(.recording): return content("(c.extras LIKE '%\"audio%' OR c.extras LIKE '%\"video%')")
        case .before(let instant): return compare("sort_date < ?", instant, &arguments)
        case .after(let instant): return compare("sort_date >= ?", instant, &arguments)
        case .younger(let seconds): return compare("sort_date > ?", now - seconds, &arguments)
        case .older(let seconds): return compare("sort_date < ?", now - seconds, &arguments)
        case .longer(let minutes): return length(">", minutes)
        case .shorter(let minutes): return length("<", minutes)
        case .all, .any, .not, .word: return "1"
        }
    }

    private func compare(_ sql: String, _ value: Int64, _ arguments: inout StatementArguments) -> String {
        arguments += [value]
        return sql
    }

    /// The plain text of the index tells how long it is, as far as it has it.
    private func length(_ sign: String, _ minutes: Int) -> String {
        """
        coalesce((SELECT length(body) FROM entry_search WHERE rowid = id), 0)
            \(sign) \(minutes * SearchTerm.charactersAMinute)
        """
    }
}
