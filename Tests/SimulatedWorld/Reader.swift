@testable import Feeds
import Foundation

/// What the user of a world has seen and done, by which the library is judged.
struct Reader {
    struct Key: Hashable {
        var site: Int
        var token: Int
    }

    struct Entry: Equatable {
        enum Presence {
            /// A program may have stored it.
            case possible
            case present
            /// The user or a setting deleted it, and the feed may not bring it back.
            case deleted
        }

        var marks: [EntryMark: Bool]
        var presence = Presence.possible
    }

    /// What can be undone.
    struct Step {
        var change: UUID
        var second: Int64
        var previous: [Key: Entry]
        /// The mark that was changed, or `nil` if the entries were deleted.
        var mark: EntryMark?
        var site: Int?
        var feed: FeedID?
    }

    var entries: [Key: Entry] = [:]
    var steps: [Step] = []
    /// The marks of the account's entries that the user set here and elsewhere.
    var told: [[AccountMark: Bool]] = [[:], [:]]
    /// The marks that both have set, so that either value may be the last.
    var shared: Set<AccountMark> = []

    struct AccountMark: Hashable {
        var title: String
        var mark: EntryMark
    }

    /// Notes that a document with an entry was received.
    ///
    /// - Parameter isSure: Whether it is stored.
    mutating func arrive(_ site: Int, _ token: Int, isSure: Bool) {
        let key = Key(site: site, token: token)
        var entry =
            entries[key]
            ?? Entry(marks: [.read: WorldSite.isMuted(token), .starred: false, .later: false])
        if isSure, entry.presence == .possible { entry.presence = .present }
        entries[key] = entry
    }

    mutating func tell(_ side: Int, _ title: String, _ mark: EntryMark, _ value: Bool) {
        guard mark != .later else { return }
        let key = AccountMark(title: title, mark: mark)
        if told[1 - side][key] != nil { shared.insert(key) }
        told[side][key] = value
    }
}
