import Foundation
import GRDB
import LibraryKernel

/// Translation of queries to SQL. Adjacent words become one query of the full-text index.
extension SearchQuery {
    /// The words as an FTS5 query, for ranking and context; empty if there are none.
    package var match: String {
        switch root {
        case .all(let terms): SearchTerm.all(terms.filter { $0.isOfWords }).match ?? ""
        default: root.match ?? ""
        }
    }

    /// Returns the condition on rows of the table `entry`, optionally of those after an identifier.
    package func condition(after last: EntryID? = nil) -> (sql: String, arguments: StatementArguments) {
        var arguments = StatementArguments()
        // A parameter keeps the text of the statement the same for all identifiers.
        if let last { arguments += [last] }
        let range = last == nil ? "" : "id > ? AND "
        let writing = SearchWriting(now: .now, after: last)
        return ("(" + range + "(" + root.sql(&arguments, isPositive: true, writing) + "))", arguments)
    }

    /// Whether the query needs the index.
    package var needsIndex: Bool { root.needsIndex }
}

/// The inputs for translating all terms of a query.
private struct SearchWriting {
    var now: Instant
    /// The identifier after which entries are searched, or `nil` for all.
    var after: EntryID?
    /// Whether another condition leaves only few entries, so that each is looked up in the index.
    ///
    /// Otherwise all matches of an excluded word are collected first, of which a common word has very many.
    var isNarrow = false
    /// The deadline for regular expressions, on the clock of ``RegularExpression``.
    let deadline = RegularExpression.deadline()
}

extension SearchTerm {
    /// - Parameter isPositive: Whether matches are results. For negated terms all matches count, not only the newest.
    fileprivate func sql(
        _ arguments: inout StatementArguments, isPositive: Bool, _ writing: SearchWriting
    ) -> String {
        if let match { return SearchTerm.index(match, &arguments, isPositive: isPositive, writing) }
        switch self {
        case .all(let terms):
            var writing = writing
            if isPositive, terms.contains(where: \.isRareMark) { writing.isNarrow = true }
            let words = SearchTerm.all(terms.filter(\.isOfWords))
            let others = terms.filter { !$0.isOfWords }
            guard let match = words.match, !others.isEmpty else {
                return joined(terms, " AND ", &arguments, isPositive, writing)
            }
            let first = SearchTerm.index(match, &arguments, isPositive: isPositive, writing)
            return first + " AND " + joined(others, " AND ", &arguments, isPositive, writing)
        case .any(let terms): return anySQL(terms, &arguments, isPositive, writing)
        case .not(let term): return "NOT (" + term.sql(&arguments, isPositive: !isPositive, writing) + ")"
        default: return conditionSQL(&arguments, writing)
        }
    }

    private static func index(
        _ match: String, _ arguments: inout StatementArguments, isPositive: Bool, _ writing: SearchWriting
    ) -> String {
        arguments += [match]
        if !isPositive, writing.isNarrow {
            return "EXISTS (SELECT 1 FROM entry_search WHERE entry_search MATCH ? AND rowid = id)"
        }
        if let last = writing.after {
            arguments += [last]
            return "id IN (SELECT rowid FROM entry_search WHERE entry_search MATCH ? AND rowid > ?)"
        }
        let limit = isPositive ? " ORDER BY rowid DESC LIMIT \(SearchQuery.maximumHits)" : ""
        return "id IN (SELECT rowid FROM entry_search WHERE entry_search MATCH ?\(limit))"
    }

    /// Returns the condition that any of the terms matches.
    ///
    /// SQLite can use an index for each term, or read all entries by date. Conditions on feeds are joined, because a
    /// single search for the feeds finds the newest entries without reading the others.
    private func anySQL(
        _ terms: [SearchTerm], _ arguments: inout StatementArguments, _ isPositive: Bool, _ writing: SearchWriting
    ) -> String {
        let ofFeeds = terms.filter(\.isOfFeeds)
        let others = terms.filter { !$0.isOfFeeds }
        var parts: [String] = []
        if !ofFeeds.isEmpty {
            let conditions = ofFeeds.map { "(" + $0.feedSQL(&arguments, writing) + ")" }
            parts.append(SearchTerm.feeds(conditions.joined(separator: " OR ")))
        }
        let allAreIndexed = terms.allSatisfy(\.isIndexed)
        for term in others {
            let condition = term.sql(&arguments, isPositive: isPositive, writing)
            // The index of a mark contains only marked entries, so that SQLite can't use it for one term of several.
            let isByIndex = allAreIndexed && term.isRareMark
            parts.append(isByIndex ? "id IN (SELECT id FROM entry WHERE \(condition))" : "(\(condition))")
        }
        return parts.joined(separator: " OR ")
    }

    private func joined(
        _ terms: [SearchTerm], _ word: String, _ arguments: inout StatementArguments, _ isPositive: Bool,
        _ writing: SearchWriting
    ) -> String {
        var parts: [String] = []
        for term in terms { parts.append("(" + term.sql(&arguments, isPositive: isPositive, writing) + ")") }
        return parts.joined(separator: word)
    }

    /// The number of characters read in a minute, which is about 230 words.
    private static let charactersAMinute = 1_300

    /// The number of seconds in which few of the entries of a library are read.
    private static let lately: Int64 = 90 * 86_400

    private func conditionSQL(_ arguments: inout StatementArguments, _ writing: SearchWriting) -> String {
        func content(_ condition: String) -> String {
            "EXISTS (SELECT 1 FROM entry_content c WHERE c.entry_id = id AND \(condition))"
        }
        switch self {
        case .feed, .folder, .pattern(.feed, _): return SearchTerm.feeds(feedSQL(&arguments, writing))
        case .tag(let tag):
            let conditions = ["tag", "folder", "tag"].map { SearchTerm.equals($0, tag, &arguments) }
            return """
                (subscription_id IN (SELECT subscription_id FROM subscription_tag WHERE \(conditions[0])
                    UNION SELECT id FROM subscription WHERE \(conditions[1]))
                OR id IN (SELECT entry_id FROM entry_tag WHERE \(conditions[2])))
                """
        case .link(let text):
            arguments += [text.likePattern]
            return content("c.link LIKE ? ESCAPE '\\'")
        case .flag(let mark, let value): return "\(mark.rawValue) = \(value ? 1 : 0)"
        case .language(let tag):
            // Most entries fail the first two conditions.
            arguments += [tag, tag + ".", tag, tag + "-"]
            return "(language >= ? AND language < ? AND (language = ? OR language >= ?))"
        case .archived(let value): return "is_archived = \(value ? 1 : 0)"
        case .pattern(let place, let pattern): return found(pattern, in: place, &arguments, writing.deadline)
        case .has(.date): return "has_date = 1"
        case .has(let part): return "parts & \(part.bit) <> 0"
        case .before(let instant): return compare("sort_date < ?", instant, &arguments)
        case .after(let instant): return compare("sort_date >= ?", instant, &arguments)
        case .younger(let seconds): return compare("sort_date > ?", writing.now - seconds, &arguments)
        case .older(let seconds): return compare("sort_date < ?", writing.now - seconds, &arguments)
        case .readWithin(let seconds):
            let condition = compare("read_at > ?", writing.now - seconds, &arguments)
            // Otherwise SQLite reads all entries by date, to save sorting the few that were read lately.
            let isFew = writing.after == nil && !writing.isNarrow && seconds <= SearchTerm.lately
            return isFew ? "likelihood(\(condition), 0.01)" : condition
        case .readBefore(let seconds): return compare("read_at < ?", writing.now - seconds, &arguments)
        case .longer(let minutes): return length(">", minutes)
        case .shorter(let minutes): return length("<", minutes)
        case .all, .any, .not, .word: return "1"
        }
    }

    /// Returns the condition on rows of the table `subscription`, for a term about feeds.
    private func feedSQL(_ arguments: inout StatementArguments, _ writing: SearchWriting) -> String {
        switch self {
        case .feed(let name):
            let pattern = name.contains("*") ? SearchTerm.pattern(name) : name.likePattern
            arguments += [pattern, pattern]
            return "coalesce(custom_title, title, url) LIKE ? ESCAPE '\\' OR url LIKE ? ESCAPE '\\'"
        case .folder(let name): return SearchTerm.equals("folder", name, &arguments)
        case .pattern(let place, let pattern): return found(pattern, in: place, &arguments, writing.deadline)
        default: return "1"
        }
    }

    /// Returns the condition on entries whose feed meets a condition.
    private static func feeds(_ condition: String) -> String {
        "subscription_id IN (SELECT id FROM subscription WHERE \(condition))"
    }

    /// Returns the pattern for a whole name in which `*` stands for any characters.
    private static func pattern(_ name: String) -> String {
        String(name.likePattern.dropFirst().dropLast()).replacing("*", with: "%")
    }

    /// Returns the condition that a column is a name, in which `*` stands for any characters.
    private static func equals(_ column: String, _ name: String, _ arguments: inout StatementArguments) -> String {
        guard name.contains("*") else {
            arguments += [name]
            return "\(column) = ? COLLATE NOCASE"
        }
        arguments += [pattern(name)]
        return "\(column) LIKE ? ESCAPE '\\'"
    }

    private func compare(_ sql: String, _ value: Instant, _ arguments: inout StatementArguments) -> String {
        arguments += [value]
        return sql
    }

    /// Returns the condition that a regular expression matches. The texts are those in the index.
    private func found(_ pattern: String, in place: Place, _ arguments: inout StatementArguments, _ deadline: Int64)
        -> String
    {
        func matches(_ text: String) -> String {
            arguments += [pattern, deadline]
            return "\(RegularExpression.function)(?, \(text), ?)"
        }
        func indexed(_ column: String) -> String { matches("(SELECT \(column) FROM entry_search WHERE rowid = id)") }
        switch place {
        case .title: return matches("title")
        case .author: return indexed("author")
        case .text: return indexed("body")
        case .link: return indexed("link")
        case .feed: return matches("coalesce(custom_title, title, url)") + " OR " + matches("url")
        case .entry: return "(\(matches("title")) OR \(indexed("author")) OR \(indexed("body")))"
        }
    }

    private func length(_ sign: String, _ minutes: Int) -> String {
        "coalesce(characters, 0) \(sign) \(minutes * SearchTerm.charactersAMinute)"
    }
}
