import Feeds
import Foundation
import LibraryKernel

/// A place in the dashboard: a segment, a list of entries, an entry, a race, a stage or a setting.
///
/// Its text, such as `folder:News` or `race:giro-2026/12`, is the same in the configuration, in the saved state of a
/// pane, on the command line, in JSON and in the messages between programs.
package enum Place: Hashable, Sendable {
    /// A segment that always exists.
    case segment(SegmentName)
    /// A list of entries.
    case list(List)
    /// An entry, in a list that contains it or, without one, in that of its feed.
    indirect case entry(EntryID, in: List?)
    /// A race by its identifier or the beginning of it, and the number of one of its stages.
    case race(String, stage: Int?)
    /// A setting by its full name.
    case setting(String)

    /// A list of entries.
    package enum List: Hashable, Sendable {
        case named(ListName)
        /// A folder, a tag, or the hidden feeds.
        case group(FeedGroup)
        /// The results of a search.
        case search(String)
        /// A feed by its address.
        case feed(String)
    }

    /// The names of the lists that every library has.
    package enum ListName: String, CaseIterable, Hashable, Sendable {
        case unread, all, starred, later, archived
        /// The entries that were read last.
        case recent
    }

    /// The forms of places, for messages.
    package static let forms =
        (SegmentName.allCases.map(\.rawValue) + ListName.allCases.map(\.rawValue)).joined(separator: ", ")
        + ", folder:NAME, tag:NAME, search:QUERY, feed:URL, entry:ID, race:NAME, race:NAME/STAGE or settings:NAME"

    /// The maximum length of a text in bytes.
    package static let maximumBytes = 2000

    /// The reason why a text is not a place.
    package struct Problem: Error, CustomStringConvertible, Hashable {
        package let description: String
    }

    /// Parses a text.
    ///
    /// - Throws: ``Problem`` as a sentence without a full stop.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Place.maximumBytes else { throw Problem(description: "the place is too long") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Problem(description: "a place has no control characters")
        }
        if let segment = SegmentName(rawValue: text) {
            self = .segment(segment)
        } else if let list = try List(parsing: text) {
            self = .list(list)
        } else if let rest = Place.rest(of: text, after: "entry:") {
            self = try Place.entry(rest)
        } else if let rest = Place.rest(of: text, after: "race:") {
            self = try Place.race(rest)
        } else if let rest = Place.rest(of: text, after: "settings:") {
            guard let name = Settings.fullName(of: rest) else {
                throw Problem(description: "no such setting: '\(rest)'")
            }
            self = .setting(name)
        } else {
            throw Problem(description: "no such place: '\(text)'; places are \(Place.forms)")
        }
    }

    fileprivate static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    private static func entry(_ text: String) throws(Problem) -> Place {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let number = parts.first.flatMap(Place.number), number > 0 else {
            throw Problem(description: "'\(text)' is not the number of an entry")
        }
        let id = EntryID(rawValue: number)
        guard parts.count == 2 else { return .entry(id, in: nil) }
        guard let list = try List(parsing: parts[1]) else {
            throw Problem(description: "'\(parts[1])' is not a list of entries")
        }
        return .entry(id, in: list)
    }

    private static func race(_ text: String) throws(Problem) -> Place {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let name = parts.first, !name.isEmpty else {
            throw Problem(description: "'\(text)' is not a race, such as giro-2026, or a stage, such as giro-2026/12")
        }
        guard parts.count == 2 else { return .race(name, stage: nil) }
        guard let number = Place.number(parts[1]), number < 1000 else {
            throw Problem(description: "'\(parts[1])' is not the number of a stage")
        }
        return .race(name, stage: Int(number))
    }

    /// Returns a number in ASCII digits.
    private static func number(_ text: String) -> Int64? {
        !text.isEmpty && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int64(text) : nil
    }

    /// The text from which the place can be parsed.
    package var text: String {
        switch self {
        case .segment(let name): name.rawValue
        case .list(let list): list.text
        case .entry(let id, nil): "entry:\(id)"
        case .entry(let id, let list?): "entry:\(id)@\(list.text)"
        case .race(let name, nil): "race:\(name)"
        case .race(let name, let stage?): "race:\(name)/\(stage)"
        case .setting(let name): "settings:\(name)"
        }
    }

    /// The segment that shows the place.
    package var segment: SegmentName {
        switch self {
        case .segment(let name): name
        case .list, .entry: .feeds
        case .race: .stages
        case .setting: .settings
        }
    }

    /// The place that can be a segment itself: a segment, the list of an entry, or the race of a stage.
    package var forSegment: Place? {
        switch self {
        case .segment, .list: self
        case .entry(_, let list): list.map { .list($0) }
        case .race(let name, _): .race(name, stage: nil)
        case .setting: nil
        }
    }
}

extension Place.List {
    /// Parses a text, or returns `nil` if it has not the form of a list.
    init?(parsing text: String) throws(Place.Problem) {
        if let name = Place.ListName(rawValue: text) {
            self = .named(name)
        } else if let group = FeedGroup(key: text) {
            guard !group.name.isEmpty else { throw Place.Problem(description: "'\(text)' has no name") }
            self = .group(group)
        } else if let query = Place.rest(of: text, after: "search:") {
            do { _ = try SearchQuery(query) } catch {
                throw Place.Problem(description: "'\(query)' is not a search: \(error.description)")
            }
            self = .search(query)
        } else if let url = Place.rest(of: text, after: "feed:"), !url.isEmpty {
            self = .feed(url)
        } else {
            return nil
        }
    }

    /// Parses a text, or returns `nil` if it is not a list of entries.
    package init?(_ text: String) {
        guard let list = try? Place.List(parsing: text) else { return nil }
        self = list
    }

    package var text: String {
        switch self {
        case .named(let name): name.rawValue
        case .group(let group): group.key
        case .search(let query): "search:\(query)"
        case .feed(let url): "feed:\(url)"
        }
    }
}

extension RuleNews {
    /// The place of what the notification is about: its only entry, or the unread ones.
    package var place: Place { told.count == 1 ? .entry(told[0].id, in: nil) : .list(.named(.unread)) }
}
