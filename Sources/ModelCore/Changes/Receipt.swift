import Foundation

/// The result of a stored change, including how to undo it.
package struct Receipt: Sendable {
    /// The change's identifier, by which it can be undone.
    package let id: UUID
    /// The number of changed rows. 0 means that everything was already as requested, or that the rows don't exist.
    package var count = 0
    /// The subscriptions of a ``Change/subscribe(_:now:)`` in its order, and whether each is new.
    package var subscriptions: [(id: Int64, isNew: Bool)] = []
    /// What an undo would do, as a sentence without a full stop, or `nil` if there is nothing to undo.
    package var undo: String?
    /// The result of an undo, or why it could restore nothing.
    package var sentence: String?
    /// The result of storing a feed.
    package var stored = StoredChanges()
    /// The pending tasks of rules, if they were requested.
    package var tasks: [RuleTask] = []
    /// The result of a sync step, for the next one.
    var sync = SyncAnswer()

    init(_ id: UUID, count: Int = 0, undo: String? = nil) {
        self.id = id
        self.count = count
        self.undo = undo
    }
}

/// The reason why a change was not stored.
package struct ChangeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as one sentence without a full stop.
    package var description: String
    /// The library's error, or `nil` if the change was given up for another reason.
    package var error: LibraryError?
}

/// The outcome of the changes that were pending when the program quit.
package enum Leaving: Sendable, Equatable {
    /// All changes are stored.
    case stored
    /// So many changes are in a journal beside the library. The next start stores them.
    case kept(Int)
    /// These changes, by name, could be neither stored nor written to a journal, for the given reason.
    case lost([String], reason: String)
}
