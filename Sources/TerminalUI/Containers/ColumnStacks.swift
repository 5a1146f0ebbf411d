/// The controllers of a split view by their columns.
@MainActor
struct ColumnStacks {
    private var stacks: [SplitColumn: [ViewController]] = [:]

    subscript(column: SplitColumn) -> [ViewController] {
        get { stacks[column] ?? [] }
        set { stacks[column] = newValue }
    }

    /// The last list that has controllers.
    var deepestList: SplitColumn { self[.supplementary].isEmpty ? .primary : .supplementary }
}
