/// The commands that move between the columns of a split view, and show, hide and resize them.
@MainActor
struct SplitCommands {
    let split: SplitViewController

    /// The commands of the split view itself.
    var ofColumns: [Command] {
        let arrangement = split.arrangement
        let focusedColumn = split.focusedColumn
        let isInDetail = focusedColumn == .secondary
        let left = arrangement.groups.last { $0[0] < focusedColumn && !$0.contains(focusedColumn) }
        let right = arrangement.groups.first { $0[0] > focusedColumn && !$0.contains(focusedColumn) }
        func resize(_ definition: CommandDefinition, by step: Double) -> Command {
            Command(definition, isEnabled: arrangement.form == .beside) { [weak split] in
                if let split { split.setFraction(split.preferredPrimaryColumnWidthFraction + step) }
            }
        }
        return [
            Command(
                ColumnCommands.focusLeft, title: isInDetail ? "Back to the list" : nil, isEnabled: left != nil
            ) { [weak split] in
                if let split, let left { SplitCommands.goUp(to: split.stacks.shownColumn(in: left), in: split) }
            },
            Command(ColumnCommands.focusRight, isEnabled: right != nil && canGoRight) { [weak split] in
                if let split, let right { split.focus(split.stacks.shownColumn(in: right)) }
            },
            Command(ColumnCommands.toggleList, title: listTitle, isEnabled: !split.isCollapsed || isInDetail) {
                [weak split] in split?.toggleList()
            },
            resize(ColumnCommands.narrower, by: -0.02), resize(ColumnCommands.wider, by: 0.02),
        ]
    }

    /// Hides a list over the detail from any of its levels. The list's stack offers it before its own back command
    /// (rows SPL-04 and NAV-03).
    var hideList: Command {
        let isEnabled = split.isListOver && split.hasDetail && !split.focusState.hasReachedTop
        return Command(ColumnCommands.hideList, isEnabled: isEnabled) { [weak split] in split?.focus(.secondary) }
    }

    /// The detail's commands that also work from the list beside it. A command that pushes onto the detail gives it the
    /// focus.
    var ofDetailForList: [Command] {
        guard !split.isCollapsed, !split.arrangement.form.canHideLists, split.focusedColumn != .secondary
        else { return [] }
        let stack = split.navigationController(for: .secondary)
        let depth = stack.viewControllers.count
        let top = stack.topViewController
        let offered = (top?.focusTarget?.commands ?? []) + (top?.commands ?? [])
        return offered.filter { $0.definition.traits.contains(.worksFromList) }.map { command in
            Command(command.definition, title: command.title, isEnabled: command.isEnabled) { [weak split] in
                command.perform()
                if stack.viewControllers.count > depth { split?.focus(.secondary) }
            }
        }
    }

    private var canGoRight: Bool { split.hasDetail || split.focusedColumn == .primary && split.style == .triple }

    private var listTitle: DisplayText { split.displayMode == .primaryHidden ? "Show list" : "Hide list" }

    /// Moves the focus to the previous column, a level up.
    ///
    /// A detail that the list would cover is closed, as in a single stack. Otherwise going back would alternate between
    /// detail and list forever (row NAV-03).
    private static func goUp(to column: SplitColumn, in split: SplitViewController) {
        guard split.focusedColumn == .secondary, split.arrangement.form.canHideLists else { return split.focus(column) }
        split.clearDetail()
        split.focusState.hasReachedTop = true
    }
}
