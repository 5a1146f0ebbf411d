import TerminalText

/// What is done with entries as they arrive: a query, and what becomes of those that it finds.
///
/// Rules stand in the configuration file under `[[rules]]`, and are carried out in its order: in the transaction that stores an entry, so
/// that nobody sees it before.
package struct Rule: Codable, Hashable, Sendable {
    /// What is done with an entry.
    package enum Action: Codable, Hashable, Sendable {
        case mark(EntryMark)
        /// Gives it a tag.
        case tag(String)
        /// Deletes it; ``Change/undoRule(_:now:)`` brings it back.
        case delete
        /// Takes it out of the lists, into that of the folded ones.
        case fold
        case notify
        /// Fetches the full text of its page.
        case fullText
        /// Downloads its recording.
        case download
        /// Runs one of the user's own commands, by its name.
        case run(String)

        /// Reads what stands in the configuration.
        ///
        /// - Returns: `nil` where it is none.
        package init?(_ text: String) {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            switch words.joined(separator: " ").lowercased() {
            case "mark read", "read": self = .mark(.read)
            case "star": self = .mark(.starred)
            case "later", "read later": self = .mark(.later)
            case "delete": self = .delete
            case "archive", "fold": self = .fold
            case "notify": self = .notify
            case "full text", "fulltext": self = .fullText
            case "download": self = .download
            default:
                guard words.count > 1 else { return nil }
                let rest = words.dropFirst().joined(separator: " ")
                switch words[0].lowercased() {
                case "tag": self = .tag(rest)
                case "run": self = .run(rest)
                default: return nil
                }
            }
        }

        /// What can stand in the configuration, for messages.
        package static let known =
            "mark read, star, later, tag NAME, delete, archive, notify, full text, download or run COMMAND"

        /// As the configuration has it.
        package var text: String {
            switch self {
            case .mark(.read): "mark read"
            case .mark(.starred): "star"
            case .mark(.later): "later"
            case .tag(let tag): "tag \(tag)"
            case .delete: "delete"
            case .fold: "archive"
            case .notify: "notify"
            case .fullText: "full text"
            case .download: "download"
            case .run(let command): "run \(command)"
            }
        }

        /// Whether it stays within the library; else it is done for what arrives in feeds that were there before, neither for all that a
        /// new feed brings nor for what is here.
        package var isOfLibrary: Bool {
            switch self {
            case .notify, .fullText, .download, .run: false
            default: true
            }
        }
    }

    package var name: String
    package var when: SearchQuery
    package var then: [Action]

    package init(name: String, when: SearchQuery, then: [Action]) {
        self.name = name
        self.when = when
        self.then = then
    }
}

/// How a rule is doing.
package struct RuleTally: Hashable, Sendable {
    /// Entries that it has matched since it is there.
    package var matches = 0
    /// When it matched last, in seconds since 1970.
    package var last: Int64?
    /// Why it could not be carried out the last time.
    package var error: String?
    /// Changes of it that can still be taken back.
    package var undoable = 0

    package init() {}

    init(matches: Int, last: Int64?, error: String?, undoable: Int) {
        self.matches = matches
        self.last = last
        self.error = error
        self.undoable = undoable
    }
}

/// What a rule leaves to be done outside of the library.
package struct RuleTask: Hashable, Sendable, Identifiable {
    package var id: Int64
    package var rule: String
    package var action: Rule.Action
    package var entry: Int64
}
