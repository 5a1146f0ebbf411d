import LibraryKernel

/// What is done with entries that have just arrived, in the transaction that added them.
package protocol NewEntryRules: Sendable {
    var isEmpty: Bool { get }
    /// Whether a rule searches the full-text index, which then has to contain all new entries.
    var needsIndex: Bool { get }

    /// Applies the rules to all entries after an identifier.
    ///
    /// - Parameter hasTasks: Whether to queue actions outside the library as well.
    func apply(after last: EntryID, hasTasks: Bool, now: Instant, in transaction: LibraryTransaction) throws
}

/// The rules for new entries that a library has attached.
package struct AttachedRules: Sendable {
    var rules: any NewEntryRules

    package init(_ rules: any NewEntryRules) { self.rules = rules }
}

extension Library {
    /// The rules for new entries, or `nil` if there are none.
    package var newEntryRules: (any NewEntryRules)? {
        attachment(AttachedRules.self).flatMap { $0.rules.isEmpty ? nil : $0.rules }
    }
}
