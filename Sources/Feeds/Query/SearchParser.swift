import FeedParsing
import Foundation
import LibraryKernel

/// Parses queries and reports errors with their column.
package struct SearchParser {
    private enum Kind: Equatable {
        case open, close, and, or, not
        case value(field: String?, text: String, isQuoted: Bool)
        case pattern(field: String?, String)
    }

    private struct Token {
        var kind: Kind
        /// The column, from 1.
        var column: Int
    }

    private var tokens: [Token]
    private var index = 0
    private var depth = 0
    private let today: CalendarDay

    /// The maximum number of words and conditions, each of which queries the index.
    private static let maximumTokens = 100
    /// The maximum depth of parentheses.
    private static let maximumDepth = 20
    private static let fields: Set<String> = [
        "title", "author", "text", "link", "feed", "folder", "tag", "is", "has", "before", "after", "date", "age",
        "length", "lang", "read",
    ]
    private static let longestField = 12
    /// The names of all fields.
    package static var fieldNames: [String] { fields.sorted() }

    init(_ text: String) throws(SearchQuery.Problem) {
        tokens = try SearchParser.tokens(text)
        today = CalendarDay(instant: .now)
    }

    // MARK: Tokens

    static func problem(_ message: String, at column: Int) -> SearchQuery.Problem {
        SearchQuery.Problem(description: "\(message) (column \(column))")
    }

    private static func tokens(_ text: String) throws(SearchQuery.Problem) -> [Token] {
        var tokens: [Token] = []
        // FTS5 reads a query up to its first zero byte.
        let characters = Array(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? " " : $0 })))
        var place = 0
        while place < characters.count {
            let character = characters[place]
            let column = place + 1
            guard tokens.count < maximumTokens else {
                throw SearchQuery.Problem(description: "A search can have at most \(maximumTokens) terms")
            }
            if character.isWhitespace {
                place += 1
            } else if character == "(" || character == ")" {
                tokens.append(Token(kind: character == "(" ? .open : .close, column: column))
                place += 1
            } else if character == "-", place + 1 < characters.count, !characters[place + 1].isWhitespace {
                tokens.append(Token(kind: .not, column: column))
                place += 1
            } else {
                let field = try field(characters, &place)
                if let pattern = try pattern(characters, &place, of: field) {
                    tokens.append(Token(kind: .pattern(field: field, pattern), column: column))
                    continue
                }
                let (value, isQuoted) = try value(characters, &place, isOfField: field != nil)
                if field != nil, value.isEmpty {
                    throw problem("'\(field ?? ""):' has nothing behind it", at: column)
                }
                tokens.append(Token(kind: kind(field, value, isQuoted), column: column))
            }
        }
        return tokens
    }

    private static func kind(_ field: String?, _ value: String, _ isQuoted: Bool) -> Kind {
        guard field == nil, !isQuoted else { return .value(field: field, text: value, isQuoted: isQuoted) }
        switch value.lowercased() {
        case "and": return .and
        case "or": return .or
        case "not": return .not
        default: return .value(field: nil, text: value, isQuoted: false)
        }
    }

    /// Reads a pattern between slashes, in which `\/` is a slash. Without a closing slash it isn't a pattern.
    private static func pattern(_ characters: [Character], _ place: inout Int, of field: String?)
        throws(SearchQuery.Problem) -> String?
    {
        guard characters[place] == "/" else { return nil }
        var text = ""
        var index = place + 1
        while index < characters.count, characters[index] != "/" {
            if characters[index] == "\\", index + 1 < characters.count {
                if characters[index + 1] != "/" { text.append("\\") }
                index += 1
            }
            text.append(characters[index])
            index += 1
        }
        guard index < characters.count, !text.isEmpty else { return nil }
        if let field, SearchTerm.Place(rawValue: field) == nil {
            throw problem("'\(field):' doesn't support regular expressions", at: place + 1)
        }
        if let wrong = RegularExpression.problem(of: text) {
            throw problem("Invalid regular expression: \(wrong.message)", at: place + 2 + wrong.place)
        }
        place = index + 1
        return text
    }

    /// Reads a field: letters and a colon, followed by something. `Re: stage` and `https://…` are words.
    private static func field(_ characters: [Character], _ place: inout Int) throws(SearchQuery.Problem) -> String? {
        var end = place
        while end < characters.count, end - place <= longestField, characters[end].isASCII, characters[end].isLetter {
            end += 1
        }
        guard end > place, end + 1 < characters.count, characters[end] == ":", !characters[end + 1].isWhitespace,
            characters[end + 1] != "/" || end + 2 < characters.count && characters[end + 2] != "/"
        else { return nil }
        let name = String(characters[place..<end]).lowercased()
        guard fields.contains(name) else {
            let near = fields.sorted().first { $0.hasPrefix(name.prefix(2)) || name.hasPrefix($0.prefix(3)) }
            let hint = near.map { "; did you mean '\($0):'?" } ?? ""
            throw problem("Unknown field '\(name)'\(hint) Put words with a colon in quotes", at: place + 1)
        }
        place = end + 1
        return name
    }

    private static func value(_ characters: [Character], _ place: inout Int, isOfField: Bool)
        throws(SearchQuery.Problem) -> (String, Bool)
    {
        // A quotation mark followed by a combining mark is one character, but still a quotation mark.
        func isQuote(_ character: Character) -> Bool { character.unicodeScalars.first == "\"" }
        if isQuote(characters[place]) {
            let start = place
            place += 1
            var text = ""
            while place < characters.count, !isQuote(characters[place]) {
                text.append(characters[place])
                place += 1
            }
            guard place < characters.count else {
                throw problem("Missing closing quotation mark", at: start + 1)
            }
            place += 1
            return (text, true)
        }
        var text = ""
        while place < characters.count, !characters[place].isWhitespace, characters[place] != ")",
            isOfField || characters[place] != "("
        {
            text.append(characters[place])
            place += 1
        }
        return (text, false)
    }

    // MARK: Terms

    /// Parses the whole query. Returns `nil` if it is empty.
    mutating func parse() throws(SearchQuery.Problem) -> SearchTerm? {
        let term = try anyOf()
        if index < tokens.count {
            throw SearchParser.problem("')' without '('", at: tokens[index].column)
        }
        // Only negative words would match nearly everything, which is only useful with conditions.
        guard let term, term.isSelective else { return nil }
        return term
    }

    private mutating func anyOf() throws(SearchQuery.Problem) -> SearchTerm? {
        var terms: [SearchTerm] = []
        while true {
            let start = index
            if let term = try allOf() { terms.append(term) }
            guard index < tokens.count, tokens[index].kind == .or else { break }
            let column = tokens[index].column
            guard index > start else { throw SearchParser.problem("Missing term before 'or'", at: column) }
            index += 1
            guard index < tokens.count, tokens[index].kind != .close else {
                throw SearchParser.problem("Missing term after 'or'", at: column)
            }
        }
        return terms.count > 1 ? .any(terms) : terms.first
    }

    private mutating func allOf() throws(SearchQuery.Problem) -> SearchTerm? {
        var terms: [SearchTerm] = []
        while index < tokens.count, tokens[index].kind != .or, tokens[index].kind != .close {
            if tokens[index].kind == .and {
                index += 1
                continue
            }
            if let term = try term() { terms.append(term) }
        }
        return terms.count > 1 ? .all(terms) : terms.first
    }

    private mutating func term() throws(SearchQuery.Problem) -> SearchTerm? {
        let token = tokens[index]
        index += 1
        switch token.kind {
        case .not:
            guard index < tokens.count, tokens[index].kind != .close, tokens[index].kind != .or else {
                throw SearchParser.problem("Missing term after 'not'", at: token.column)
            }
            return try nested(token) { parser throws(SearchQuery.Problem) in try parser.term() }.map { .not($0) }
        case .open:
            let inner = try nested(token) { parser throws(SearchQuery.Problem) in try parser.anyOf() }
            guard index < tokens.count, tokens[index].kind == .close else {
                throw SearchParser.problem("'(' without ')'", at: token.column)
            }
            index += 1
            return inner
        case .value(let field, let text, let isQuoted):
            if !isQuoted { try SearchParser.rejectOperators(in: text, of: field, at: token.column) }
            guard let field else { return SearchTerm.typed(text, isQuoted: isQuoted, in: nil) }
            return try SearchCondition(
                field: field, text: text, isQuoted: isQuoted, column: token.column, today: today
            ).term()
        case .pattern(let field, let text):
            return .pattern(field.flatMap(SearchTerm.Place.init) ?? .entry, text)
        case .and, .or, .close: return nil
        }
    }

    private mutating func nested(
        _ token: Token, _ body: (inout SearchParser) throws(SearchQuery.Problem) -> SearchTerm?
    ) throws(SearchQuery.Problem) -> SearchTerm? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= SearchParser.maximumDepth else {
            throw SearchParser.problem("Parentheses are nested too deeply", at: token.column)
        }
        return try body(&self)
    }

    /// Reports what other languages use and would otherwise find nothing: newsboat's operators, and a `*` inside a word.
    private static func rejectOperators(in text: String, of field: String?, at column: Int)
        throws(SearchQuery.Problem)
    {
        let own = text.prefix { $0.isLetter }
        let rest = text.dropFirst(own.count)
        let joined = own.isEmpty ? nil : ["=~", "!~"].first(where: rest.hasPrefix)
        if field == nil, let sign = joined ?? ["=~", "!~", "==", "!=", "!#", "=", "#"].first(where: { $0 == text }) {
            throw problem(
                "'\(sign)' is newsboat's; write title:/stage/ for =~, -title:/stage/ for !~, tag:race for # or is:unread",
                at: column)
        }
        guard ["title", "author", "text", "link", nil].contains(field), text.dropLast().contains("*"),
            text.contains(where: \.isLetter)
        else { return }
        throw problem("'*' can only be at the end of a word; for others write /white.*road/", at: column)
    }
}

extension SearchTerm {
    /// Whether the term contains a positive word or a condition. `-rain` alone finds nothing.
    fileprivate var isSelective: Bool {
        switch self {
        case .all(let terms), .any(let terms): terms.contains(where: \.isSelective)
        case .not(let term): !term.isOfWords
        default: true
        }
    }
}
