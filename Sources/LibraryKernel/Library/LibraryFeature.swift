/// What a feature has to tell the library about itself: its tables, and the kinds of its changes.
///
/// Each feature declares one as a static property in its folder. The composition lists them.
package struct LibraryFeature: Sendable {
    package var tables: FeatureSchema
    /// The kinds of changes that journals and undo steps can contain.
    package var changes: [any LibraryChange.Type]

    package init(_ tables: FeatureSchema, changes: [any LibraryChange.Type] = []) {
        self.tables = tables
        self.changes = changes
    }
}

extension LibraryFeature {
    /// The undo steps, and the journals that were stored.
    package static let undo = LibraryFeature(UndoSchema.tables)
}
