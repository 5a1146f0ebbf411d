/// What the library has to know about rules.
enum RuleFeature {
    /// The kinds of changes, for journals and undo steps.
    static let changes: [any LibraryChange.Type] = [
        ApplyRule.self, UndoRule.self,
    ]
}
