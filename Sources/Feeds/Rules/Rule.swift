import LibraryKernel
import TerminalText

/// A query, and actions for the new entries that match it.
///
/// Rules are defined in the configuration file under `[[rules]]` and applied in its order. They run in the transaction
/// that stores an entry, so nobody sees the entry before.
package struct Rule: Codable, Hashable, Sendable {
    /// An action of a rule.
    package enum Action: Codable, Hashable, Sendable {
        case mark(EntryMark)
        /// Adds a tag.
        case tag(String)
        /// Deletes the entry. ``Change/undoRule(_:now:)`` restores it.
        case delete
        /// Archives the entry, which removes it from lists.
        case fold
        case notify
        /// Fetches the full text of its page.
        case fullText
        /// Downloads its enclosure.
        case download
        /// Runs a command of the user by its name.
        case run(String)

        /// The actions that need neither a tag nor a command, in the order of the menu. Messages, menus and tests use
        /// this list.
        package static let plain: [Action] = [
            .mark(.read), .fold, .delete, .mark(.starred), .mark(.later), .notify, .fullText, .download,
        ]

        /// The spellings in the configuration, the usual one first.
        private var spellings: [String] {
            switch self {
            case .mark(.read): ["mark read", "read"]
            case .mark(.starred): ["star"]
            case .mark(.later): ["later", "read later"]
            case .tag(let tag): ["tag \(tag)"]
            case .delete: ["delete"]
            case .fold: ["archive", "fold"]
            case .notify: [EntryTasks.notify]
            case .fullText: ["full text", "fulltext"]
            case .download: ["download"]
            case .run(let command): ["run \(command)"]
            }
        }

        /// The title in menus.
        package var title: String {
            switch self {
            case .mark(.read): "Mark as read"
            case .mark(.starred): "Star"
            case .mark(.later): "Read later"
            case .tag(let tag): "Tag \(tag)"
            case .delete: "Delete"
            case .fold: "Archive"
            case .notify: "Notify me"
            case .fullText: "Load full text"
            case .download: "Download audio or video"
            case .run(let command): "Run \(command)"
            }
        }

        /// Whether the action only changes the library. Others apply only to new entries of existing feeds, not to all
        /// entries of a new feed or to existing entries.
        package var isOfLibrary: Bool {
            switch self {
            case .notify, .fullText, .download, .run: false
            case .mark, .tag, .delete, .fold: true
            }
        }

        /// Parses an action from the configuration.
        ///
        /// - Returns: `nil` if the text is not an action.
        package init?(_ text: String) {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            let name = words.joined(separator: " ").lowercased()
            if let plain = Action.plain.first(where: { $0.spellings.contains(name) }) {
                self = plain
                return
            }
            guard words.count > 1 else { return nil }
            let rest = words.dropFirst().joined(separator: " ")
            switch words[0].lowercased() {
            case "tag": self = .tag(rest)
            case "run": self = .run(rest)
            default: return nil
            }
        }

        /// The action as written in the configuration.
        package var text: String { spellings[0] }

        /// An action of each kind. Those that do more than change the library are last.
        package static let examples =
            plain.filter(\.isOfLibrary) + [.tag("NAME")] + plain.filter { !$0.isOfLibrary } + [.run("COMMAND")]

        /// The possible actions, for messages.
        package static let known = examples.map(\.text).alternatives
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

/// Statistics of a rule.
package struct RuleTally: Hashable, Sendable {
    /// The number of matching entries so far.
    package var matches: Int
    /// The instant of the last match.
    package var last: Instant?
    /// The reason why the rule last failed.
    package var error: String?
    /// The number of its changes that can still be undone.
    package var undoable: Int

    package init(matches: Int = 0, last: Instant? = nil, error: String? = nil, undoable: Int = 0) {
        self.matches = matches
        self.last = last
        self.error = error
        self.undoable = undoable
    }
}

/// A pending task of a rule outside the library.
struct RuleTask: Hashable, Sendable, Identifiable {
    var id: RuleTaskID
    var rule: String
    var action: Rule.Action
    var entry: EntryID
}
