/// Lets the delegate of a split view replace stacks while the view is collapsed.
@MainActor
final class SplitCollapse {
    private var primaryBefore: [ViewController]?
    private var secondaryBefore: [ViewController]?

    /// Lets the delegate supply the primary stack, or perform the collapse itself. Otherwise the stacks are joined (row
    /// SPL-06).
    ///
    /// - Returns: Whether the delegate left the detail out of the joined stack.
    func collapse(_ stacks: inout ColumnStacks, of split: SplitViewController) -> Bool {
        guard let delegate = split.delegate else { return false }
        if let primary = delegate.primaryViewController(forCollapsing: split) {
            primaryBefore = stacks[.primary]
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        }
        let secondary = stacks[.secondary]
        guard let primary = stacks[.primary].last, let detail = secondary.first,
            delegate.splitViewController(split, collapse: detail, onto: primary)
        else { return false }
        secondaryBefore = secondary
        stacks[.secondary] = []
        return true
    }

    /// Lets the delegate supply the primary and secondary stack. Otherwise the stack is separated where it was joined
    /// (row SPL-07).
    func expand(_ stacks: inout ColumnStacks, of split: SplitViewController) {
        if let primary = split.delegate?.primaryViewController(forExpanding: split) {
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        } else if let before = primaryBefore {
            stacks[.primary] = before
        }
        let joined = stacks[.primary].last ?? split.placeholder
        if let secondary = split.delegate?.splitViewController(split, separateSecondaryFrom: joined) {
            secondary.splitColumn = .secondary
            stacks[.secondary] = [secondary]
        } else if stacks[.secondary].isEmpty, let before = secondaryBefore {
            stacks[.secondary] = before
        }
        primaryBefore = nil
        secondaryBefore = nil
    }
}
