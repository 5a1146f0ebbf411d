import TerminalText

/// What the full-text index and other indexes find for a term, which decides how it is translated to SQL.
extension SearchTerm {
    var needsIndex: Bool {
        switch self {
        case .all(let terms), .any(let terms): terms.contains(where: \.needsIndex)
        case .not(let term): term.needsIndex
        case .word, .link, .longer, .shorter, .has: true
        case .pattern(let place, _): place != .title && place != .feed
        default: false
        }
    }

    var isOfWords: Bool {
        switch self {
        case .word: true
        case .link: match != nil
        case .all(let terms), .any(let terms): terms.allSatisfy(\.isOfWords)
        case .not(let term): term.isOfWords
        default: false
        }
    }

    /// Whether the term is a condition on the feed alone.
    var isOfFeeds: Bool {
        switch self {
        case .feed, .folder, .pattern(.feed, _): true
        default: false
        }
    }

    /// Whether the term is a mark that few entries have, and that has an index of its own.
    var isRareMark: Bool {
        switch self {
        case .flag(.starred, true), .flag(.later, true): true
        default: false
        }
    }

    /// Whether an index finds the entries, which are usually few.
    var isIndexed: Bool {
        switch self {
        case .word, .tag, .feed, .folder: true
        case .link: match != nil
        case .flag: isRareMark
        case .all(let terms): terms.contains(where: \.isIndexed)
        case .any(let terms): terms.allSatisfy(\.isIndexed)
        default: false
        }
    }

    /// The term as an FTS5 query, or `nil` if FTS5 can't express it, such as a purely negative term.
    var match: String? {
        switch self {
        case .word(let column, let text, let isPrefix):
            let columns = column?.rawValue ?? "title author body"
            // The index has a single character only with the one that follows it.
            let isWhole = !isPrefix && FoldedText(query: text).words.last?.isSingle != true
            return "{\(columns)} : " + SearchTerm.quoted(text) + (isWhole ? "" : "*")
        case .link(let text):
            guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
            let isPrefix = text.last?.isLetter == true || text.hasSuffix("*")
            return "{link} : " + SearchTerm.quoted(text) + (isPrefix ? "*" : "")
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

    /// Returns a phrase of FTS5 with doubled quotation marks, so that typed text is never syntax.
    ///
    /// A quotation mark followed by a combining mark is one character in Swift, but still a quotation mark for FTS5.
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
}
