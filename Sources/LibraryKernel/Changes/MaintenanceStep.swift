/// A change that the engine makes by itself.
///
/// It goes through the same queue as a ``Change``, but with lower priority. The engine repeats lost maintenance, so it
/// is neither written to a journal nor undone.
package protocol MaintenanceStep: Sendable {
    /// Whether the step is one of many that may share a transaction, such as those of the feeds of a reload.
    var sharesCommit: Bool { get }

    /// Applies the step.
    func apply(in transaction: LibraryTransaction) throws -> Outcome
}

extension MaintenanceStep {
    package var sharesCommit: Bool { false }
}
