import GRDB

/// The tables of one feature, declared in the feature's folder and joined in ``LibrarySchema``.
///
/// The baseline never changes, because libraries record that they have it. To add a table, a column or an index,
/// append a migration to the feature's file. A new feature has migrations only.
package struct FeatureSchema: Sendable {
    /// A step that follows the baseline.
    package struct Migration: Sendable {
        /// The name that libraries record. Never reused.
        var name: String
        var make: @Sendable (Database) throws -> Void

        package init(name: String, make: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.make = make
        }
    }

    /// What is derived from the contents, and derived again by a program whose rules are other ones.
    ///
    /// It is no migration, because programs of earlier versions still open the library.
    package struct Derived: Sendable {
        /// Whether a database has it by other rules.
        var isOutdated: @Sendable (Database) throws -> Bool
        /// Derives it again, or has it derived in the background.
        var renew: @Sendable (Database) throws -> Void

        package init(
            isOutdated: @escaping @Sendable (Database) throws -> Bool,
            renew: @escaping @Sendable (Database) throws -> Void
        ) {
            self.isOutdated = isOutdated
            self.renew = renew
        }
    }

    /// The statements that create the tables, indexes and triggers of the baseline.
    var baseline: String
    /// The tables with content that a user could miss, ordered so that rows refer only to earlier tables. All other
    /// tables can be derived from these.
    package var contents: [String]
    /// The tables whose rows undo restores, each with the column by which undo finds them.
    ///
    /// Their trash tables follow from them, with the columns that migrations add. Whoever deletes a row puts into the
    /// trash the rows of all these tables that refer to it (``Trash``), also those of later features.
    var trash: [(table: String, key: String)]
    /// The columns of each table that may contain compressed texts (``StoredText``).
    package var storedTexts: [String: Set<String>]
    /// The steps that follow the baseline, oldest first.
    var migrations: [Migration]
    /// What is derived from the contents by rules that may change.
    var derived: Derived?

    package init(
        baseline: String = "", contents: [String] = [], trash: [(table: String, key: String)] = [],
        storedTexts: [String: Set<String>] = [:], migrations: [Migration] = [],
        derived: Derived? = nil
    ) {
        self.baseline = baseline
        self.contents = contents
        self.trash = trash
        self.storedTexts = storedTexts
        self.migrations = migrations
        self.derived = derived
    }
}
