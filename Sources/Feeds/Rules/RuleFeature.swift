import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about rules.
    package static let rules = LibraryFeature(
        RuleSchema.tables,
        changes: [
            ApplyRule.self, UndoRule.self,
        ])
}
