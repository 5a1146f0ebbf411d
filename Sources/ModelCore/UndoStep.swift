/// What takes a change back.
package struct UndoStep: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Entries get a mark back.
        case mark(EntryMark, Bool, [Int64])
        /// What lies in the trash comes back.
        case restore(trash: Int64)
        /// A race is stored again.
        case race(Race)
        /// A subscription gets its name and folder back.
        case rename(subscription: Int64, title: String?, folder: String?)
    }

    let action: Action

    /// Stores a race again that was taken away.
    package init(removed race: Race) {
        action = .race(race)
        explanation = "Brings \(race.race) \(race.year) back"
    }

    init(action: Action, explanation: String) {
        self.action = action
        self.explanation = explanation
    }

    /// What would come back, as a sentence without a full stop: "Marks 34 entries unread again".
    package let explanation: String
}

/// A mark that entries can have.
package enum EntryMark: String, Hashable, Sendable {
    case read = "is_read"
    case starred = "is_starred"
    case later = "is_later"
}
