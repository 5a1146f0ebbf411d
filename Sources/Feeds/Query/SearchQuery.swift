import FeedParsing
import GRDB
import LibraryKernel

/// A search query: words, phrases and prefixes, and conditions on entries.
///
/// ```
/// query     = all *("or" all)
/// all       = term *(["and"] term)
/// term      = ["not" / "-"] ("(" query ")" / field ":" value / word ["*"] / DQUOTE phrase DQUOTE)
///           / [field ":"] "/" regular expression "/"
/// field     = "title" / "author" / "text" / "link" / "feed" / "folder" / "tag" / "is" / "has" / "before" / "after"
///           / "date" / "age" / "length" / "lang" / "read"
/// ```
///
/// An example is `climb "white roads" giro* -rain (feed:cycling or tag:race) is:unread age:<7d title:/stage \d+/`. Case
/// is ignored.
package struct SearchQuery: Codable, Hashable, Sendable {
    /// The query as typed.
    package let text: String
    let root: SearchTerm
    /// The words to highlight in results.
    package let words: [String]

    /// The reason why a query is invalid.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// The maximum number of results, newest first.
    package static let maximumHits = 5000

    /// Parses a query.
    ///
    /// - Throws: ``Problem``, with the column, if the query is invalid or empty.
    package init(_ text: String) throws(Problem) {
        var parser = try SearchParser(text)
        guard let root = try parser.parse() else {
            throw Problem(description: "Empty search. Type words, \"phrases\", prefix* or is:unread")
        }
        self.text = text
        self.root = root
        words = root.wordsToMark
    }

    /// Creates a query for any of some phrases in entries within a span of time.
    package init(anyOf names: [String], from: Instant, to: Instant) {
        text = names.joined(separator: " · ")
        let phrases = names.filter { $0.contains { $0.isLetter } }
        let anyName = SearchTerm.any(phrases.map { .word(nil, $0, isPrefix: false) })
        root = .all((phrases.isEmpty ? [] : [anyName]) + [.after(from), .before(to)])
        words = names
    }

    /// Returns a value for a query in quotation marks.
    package static func quoted(_ value: String) -> String { ListedQuery.quoted(value) }

    private enum CodingKeys: String, CodingKey {
        case text, root, words
    }

    /// Decodes a stored query. The text alone suffices, as earlier versions stored it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .text)
        if let root = try container.decodeIfPresent(SearchTerm.self, forKey: .root) {
            (self.text, self.root) = (text, root)
            words = try container.decode([String].self, forKey: .words)
        } else {
            self = try SearchQuery(text)
        }
    }
}

indirect enum SearchTerm: Codable, Hashable, Sendable {
    /// A column of the index.
    enum Column: String, Codable, Hashable, Sendable {
        case title, author, body
    }

    /// The text that a regular expression is matched against.
    enum Place: String, Codable, Hashable, Sendable {
        /// Title, author or text.
        case entry
        case title, author, text, link, feed
    }

    case all([SearchTerm])
    case any([SearchTerm])
    case not(SearchTerm)
    case word(Column?, String, isPrefix: Bool)
    /// A regular expression with the text that it is matched against.
    case pattern(Place, String)
    case feed(String)
    case folder(String)
    case tag(String)
    /// Adjacent words of the link, the last as a prefix: `youtube.com/sh`.
    case link(String)
    /// A language tag or its beginning (RFC 5646): `en` also matches `en-GB`.
    case language(String)
    case archived(Bool)
    case flag(EntryMark, Bool)
    case has(IndexedPart)
    /// Before an instant, or from an instant on.
    case before(Instant)
    case after(Instant)
    /// Younger or older than a number of seconds.
    case younger(Int64)
    case older(Int64)
    /// Read within the last seconds, or earlier.
    case readWithin(Int64)
    case readBefore(Int64)
    /// More or fewer minutes to read.
    case longer(Int)
    case shorter(Int)

    /// The words to highlight, without negated ones.
    var wordsToMark: [String] {
        switch self {
        case .all(let terms), .any(let terms): terms.flatMap(\.wordsToMark)
        case .word(_, let text, _): [text]
        default: []
        }
    }
}
