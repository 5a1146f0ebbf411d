/// The navigation stacks of a split view, one for each column. Joined columns are all in the stack of the leftmost.
@MainActor
final class SplitStacks {
    private let navigations: [SplitColumn: NavigationController]
    private let placeholder: ViewController
    /// The visible columns, each with the columns joined to it.
    var arrangement = SplitArrangement()
    /// The stacks of columns that the current arrangement doesn't show.
    private var setAside: [SplitColumn: [ViewController]] = [:]
    private var keptStacks: [[ViewController]] = []
    /// The maximum number of stacks kept for replaced details.
    private static let maximumKeptStacks = 8

    init(placeholder: ViewController) {
        self.placeholder = placeholder
        navigations = Dictionary(SplitColumn.allCases.map { ($0, NavigationController()) }) { first, _ in first }
    }

    subscript(column: SplitColumn) -> NavigationController {
        guard let navigation = navigations[column] else { preconditionFailure("every column has a stack") }
        return navigation
    }

    /// Returns the stack that currently holds a column's controllers.
    func host(of column: SplitColumn) -> NavigationController {
        let group = arrangement.groups.first { $0.contains(column) } ?? [column]
        return self[group.first ?? column]
    }

    /// Returns the column of the controller on top of a group's stack.
    func shownColumn(in group: [SplitColumn]) -> SplitColumn {
        self[group[0]].topViewController?.splitColumn ?? group[0]
    }

    /// Returns the controllers of a column, wherever they are.
    func controllers(of column: SplitColumn) -> [ViewController] {
        if let aside = setAside[column] { return aside }
        return host(of: column).viewControllers.filter { ($0.splitColumn ?? .primary) == column && $0 !== placeholder }
    }

    /// The controllers of all columns, wherever they are.
    var all: ColumnStacks {
        var stacks = ColumnStacks()
        for column in SplitColumn.allCases { stacks[column] = controllers(of: column) }
        return stacks
    }

    // MARK: Distribution

    /// Forgets the controllers that no stack shows, before all are distributed.
    func clearAside() { setAside.removeAll() }

    /// Returns what each navigation stack of the current groups shows, and sets the rest aside.
    func contents(of stacks: ColumnStacks, focus: SplitColumn) -> [(NavigationController, [ViewController])] {
        arrangement.groups.map { group in
            // The focused column, or the deepest if another group has the focus.
            let deepest = group.contains(focus) ? focus : group[group.count - 1]
            var joined: [ViewController] = []
            for column in group {
                let controllers = stacks[column]
                // Levels deeper than the focused column are kept, so that a wider pane shows them again.
                let isLookedAt = column == group[0] || column <= deepest
                if isLookedAt { joined += controllers } else if !controllers.isEmpty { setAside[column] = controllers }
            }
            if joined.isEmpty, group.contains(.secondary) { joined = [placeholder] }
            return (self[group[0]], joined)
        }
    }

    func fill(_ contents: [(NavigationController, [ViewController])]) {
        // All controllers are removed first, so that none is in two stacks.
        for column in SplitColumn.allCases {
            let keeps = contents.first { $0.0 === self[column] }?.1 ?? []
            let present = self[column].viewControllers
            let staying = present.filter { controller in keeps.contains { $0 === controller } }
            if staying.count != present.count { self[column].setViewControllers(staying) }
        }
        for (navigation, controllers) in contents { navigation.setViewControllers(controllers) }
    }

    // MARK: Replaced details

    /// Keeps the controllers pushed on a detail until it is shown again (row SPL-10).
    func keep(_ stack: [ViewController]) {
        if stack.count > 1 { keptStacks.append(stack, keepingLast: SplitStacks.maximumKeptStacks) }
    }

    /// Returns a detail with the controllers that were pushed on it before it was replaced.
    func take(_ root: ViewController) -> [ViewController] {
        guard let index = keptStacks.firstIndex(where: { $0.first === root }) else { return [root] }
        return keptStacks.remove(at: index)
    }

    /// Releases the kept controllers, which can be created again.
    func releaseKept() { keptStacks = [] }
}
