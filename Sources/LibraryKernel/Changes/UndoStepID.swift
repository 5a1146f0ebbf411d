/// Identifies an undo step.
package struct UndoStepID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}
