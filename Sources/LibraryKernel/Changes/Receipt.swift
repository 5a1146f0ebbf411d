import Foundation

/// The confirmation that a change and its undo step are stored.
package struct Receipt: Sendable {
    /// The ID of the change, to which a later undo refers.
    package let id: UUID
    /// The number of changed rows. 0 means that the values were the same or the rows don't exist.
    package let count: Int
    /// What was done, for messages after "Undo", such as "starring 3 entries", or `nil` if there is nothing to undo.
    package let undo: String?
    /// What an undo did, or why it restored nothing.
    package let sentence: String?
    /// The result that only the feature of the change knows.
    package let answer: (any Sendable)?

    init(_ id: UUID, _ outcome: Outcome) {
        self.id = id
        count = outcome.count
        undo = outcome.undo?.words
        sentence = outcome.sentence
        answer = outcome.answer
    }
}

/// An error that explains why a change was not stored.
package struct ChangeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in one sentence, without a full stop.
    package var description: String
    /// The error of the library, or `nil` if there was another reason.
    package var error: LibraryError?

    package init(description: String, error: LibraryError? = nil) {
        self.description = description
        self.error = error
    }
}

/// The result for the changes that were pending when the program quit.
package enum Leaving: Sendable, Equatable {
    /// All changes are stored.
    case stored
    /// This number of changes is in a journal beside the library. The next start stores them.
    case kept(Int)
    /// These changes, given by name, were lost for this reason.
    case lost([String], reason: String)
}
