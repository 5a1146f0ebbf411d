/// A change that the engine makes by itself.
///
/// It goes through the same queue as a ``Change``, but with lower priority. The engine repeats lost maintenance, so it
/// is neither written to a journal nor undone.
package protocol MaintenanceStep: Sendable {
    /// Whether the step is one of many that may share a transaction, such as those of the feeds of a reload.
    var sharesCommit: Bool { get }

    /// Returns the step with everything that it can compute before its transaction, during which nothing else can be
    /// stored. The queue calls this before the step waits in it.
    ///
    /// What the step reads here may have changed when it is applied.
    func prepared(reading store: Store) -> Self

    /// Applies the step.
    func apply(in transaction: LibraryTransaction) throws -> Outcome
}

extension MaintenanceStep {
    package var sharesCommit: Bool { false }
    package func prepared(reading store: Store) -> Self { self }
}
