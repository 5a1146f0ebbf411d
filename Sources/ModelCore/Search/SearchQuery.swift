import FeedParsing
import GRDB

/// What the user looks for: words, phrases and beginnings of words, and conditions on the entry.
///
/// ```
/// query     = all *("or" all)
/// all       = term *(["and"] term)
/// term      = ["not" / "-"] ("(" query ")" / field ":" value / word ["*"] / DQUOTE phrase DQUOTE)
///           / [field ":"] "/" regular expression "/"
/// field     = "title" / "author" / "text" / "link" / "feed" / "folder" / "tag" / "is" / "has" / "before" / "after"
///           / "date" / "age" / "length" / "lang"
/// ```
///
/// `climb "white roads" giro* -rain (feed:cycling or tag:race) is:unread age:<7d title:/stage \d+/`. Capital letters do not matter.
package struct SearchQuery: Codable, Hashable, Sendable {
    /// The text as it was typed.
    package let text: String
    let root: SearchTerm
    /// The words to mark in what is shown.
    package let words: [String]

    /// Why a query cannot be used.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// The most hits that a search considers, the newest ones.
    static let maximumHits = 5000

    /// Reads a query.
    ///
    /// - Throws: ``Problem`` when it cannot be read, with the column, or nothing is looked for.
    package init(_ text: String) throws(Problem) {
        var parser = try SearchParser(text)
        guard let root = try parser.parse() else {
            throw Problem(description: "Empty search. Type words, \"phrases\", prefix* or is:unread")
        }
        self.text = text
        self.root = root
        words = root.wordsToMark
    }

    /// Any of some names, each as a phrase, in entries of a span of time.
    init(anyOf names: [String], from: Int64, to: Int64) {
        text = names.joined(separator: " · ")
        let phrases = names.filter { $0.contains { $0.isLetter } }
        let anyName = SearchTerm.any(phrases.map { .word(nil, $0, isPrefix: false) })
        root = .all((phrases.isEmpty ? [] : [anyName]) + [.after(from), .before(to)])
        words = names
    }

    private enum CodingKeys: String, CodingKey {
        case text, root, words
    }

    /// Reads one that was kept; of one that a previous program has kept its text is enough.
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

/// A part of a query.
indirect enum SearchTerm: Codable, Hashable, Sendable {
    /// A column of the index.
    enum Column: String, Codable, Hashable, Sendable {
        case title, author, body
    }

    /// What a regular expression is looked for in.
    enum Place: String, Codable, Hashable, Sendable {
        /// Title, author or text.
        case entry
        case title, author, text, link, feed
    }

    /// What an entry can have; the number of each is its bit in `entry.parts`.
    enum Part: String, Codable, Hashable, Sendable, CaseIterable {
        case author, changes, comments, date, fulltext, link, picture, recording

        /// The bit that says so in `entry.parts`.
        var bit: Int {
            switch self {
            case .author: 1
            case .changes: 2
            case .comments: 4
            case .date: 8
            case .fulltext: 16
            case .link: 32
            case .picture: 64
            case .recording: 128
            }
        }
    }

    case all([SearchTerm])
    case any([SearchTerm])
    case not(SearchTerm)
    case word(Column?, String, isPrefix: Bool)
    /// A regular expression that is found in something.
    case pattern(Place, String)
    case feed(String)
    case folder(String)
    case tag(String)
    /// Words of the link that stand beside each other, the last one as far as it goes: `youtube.com/sh`.
    case link(String)
    /// A language by its tag, or the beginning of it (RFC 5646): `en` is `en-GB` too.
    case language(String)
    case folded(Bool)
    case flag(EntryMark, Bool)
    case has(Part)
    /// Before an instant, and from an instant on, in seconds since 1970.
    case before(Int64)
    case after(Int64)
    /// Younger, or older, than so many seconds.
    case younger(Int64)
    case older(Int64)
    /// More, or fewer, minutes to read.
    case longer(Int)
    case shorter(Int)

    /// Words that are looked for, not those that must not stand there.
    var wordsToMark: [String] {
        switch self {
        case .all(let terms), .any(let terms): terms.flatMap(\.wordsToMark)
        case .word(_, let text, _): [text]
        default: []
        }
    }
}
