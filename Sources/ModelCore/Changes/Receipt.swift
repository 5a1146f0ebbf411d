import Foundation

/// What the store answers: a change is stored, and so is how to take it back.
package struct Receipt: Sendable {
    /// The change's identity, by which it is undone.
    package let id: UUID
    /// Rows that it has changed; 0: everything stood so already, or there is nothing of the kind.
    package var count = 0
    /// The subscriptions that a ``Change/subscribe(_:now:)`` named, in its order, and whether each is new.
    package var subscriptions: [(id: Int64, isNew: Bool)] = []
    /// What an undo would do, as a sentence without a full stop; `nil`: there is nothing to undo.
    package var undo: String?
    /// What an undo has done, or why it could bring nothing back.
    package var sentence: String?
    /// What storing a feed has changed.
    package var stored = StoredChanges()
    /// What rules have left to be done, for who has asked for it.
    package var tasks: [RuleTask] = []
    /// What a step of a sync gives for the next one.
    var sync = SyncAnswer()

    init(_ id: UUID, count: Int = 0, undo: String? = nil) {
        self.id = id
        self.count = count
        self.undo = undo
    }
}

/// Why a change is not stored.
package struct ChangeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in one sentence, without a full stop.
    package var description: String
    /// What the library said; `nil` when the change was given up for another reason.
    package var error: LibraryError?
}

/// What became of the changes that were on their way when the program ended.
package enum Leaving: Sendable, Equatable {
    /// All are stored.
    case stored
    /// So many are in a journal beside the library; the next start stores them.
    case kept(Int)
    /// These could be neither stored nor kept, each by its name; and why.
    case lost([String], reason: String)
}
