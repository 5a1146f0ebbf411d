import GRDB

/// The tables of one feature, declared in the feature's folder and joined in ``Schema/features``.
///
/// The baseline never changes, because libraries record that they have it. To add a table, a column or an index,
/// append a migration to the feature's file.
struct FeatureSchema: Sendable {
    /// A step that follows the baseline.
    struct Migration: Sendable {
        /// The name that libraries record. Never reused.
        var name: String
        var make: @Sendable (Database) throws -> Void
    }

    /// The statements that create the tables, indexes and triggers of the baseline.
    var baseline: String
    /// The tables with content that a user could miss, ordered so that rows refer only to earlier tables. All other
    /// tables can be derived from these.
    var contents: [String] = []
    /// The tables whose rows undo restores, each with the column that identifies the subscription or entry of a row.
    var trash: [(table: String, key: String)] = []
    /// The steps that follow the baseline, oldest first.
    var migrations: [Migration] = []
}
