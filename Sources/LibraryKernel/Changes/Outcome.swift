/// What a change or maintenance step has done.
package struct Outcome {
    /// The number of changed rows. 0 means that the values were the same or the rows don't exist.
    package var count: Int
    /// For an undo, the number of rows to restore. `nil` means one, however many rows changed.
    var expected: Int?
    /// A remark after the message of an undo.
    var note = ""
    /// What was done, for a change that describes it itself.
    package var sentence: String?
    /// What was done, for messages after "Undo", such as "starring 3 entries", with the change that undoes it.
    var undo: (words: String, inverse: Change)?
    /// A result for the caller that only the feature knows.
    package var answer: (any Sendable)?

    package init(count: Int = 0, answer: (any Sendable)? = nil) {
        self.count = count
        self.answer = answer
    }

    /// - Parameters:
    ///   - words: What was done, for messages after "Undo", such as "starring 3 entries".
    ///   - inverse: The change that undoes this one. If no row has changed, there is nothing to undo.
    package init(count: Int, undo words: @autoclosure () -> String, _ inverse: @autoclosure () -> Change) {
        self.count = count
        if count > 0 { undo = (words(), inverse()) }
    }

    /// The outcome of restoring `count` of `expected` rows.
    package init(count: Int, of expected: Int, note: String = "") {
        self.count = count
        self.expected = expected
        self.note = note
    }
}
