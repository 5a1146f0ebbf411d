/// Moving between columns, and showing and hiding them.
extension SplitViewController {
    var columnCommands: [Command] {
        let hasSeparateDetail = !isCollapsed
        let focusedColumn = focusedColumn
        let isInDetail = focusedColumn == .secondary
        let left = arrangement.groups.last { $0[0] < focusedColumn && !$0.contains(focusedColumn) }
        let right = arrangement.groups.first { $0[0] > focusedColumn && !$0.contains(focusedColumn) }
        return [
            Command(
                ColumnCommands.focusLeft, title: isInDetail ? "Back to the list" : nil, isEnabled: left != nil
            ) { [weak self] in
                if let self, let left { self.goUp(to: self.shownColumn(in: left)) }
            },
            Command(ColumnCommands.focusRight, isEnabled: right != nil && canGoRight) {
                [weak self] in
                if let self, let right { self.focus(self.shownColumn(in: right)) }
            },
            Command(ColumnCommands.toggleList, title: listTitle, isEnabled: hasSeparateDetail || isInDetail) {
                [weak self] in self?.toggleList()
            },
            Command(ColumnCommands.narrower, isEnabled: arrangement.form == .beside) {
                [weak self] in self?.changeFraction(by: -0.02)
            },
            Command(ColumnCommands.wider, isEnabled: arrangement.form == .beside) {
                [weak self] in self?.changeFraction(by: 0.02)
            },
        ]
    }

    /// Hides a list over the detail from any of its levels. The list's stack offers it before its own back command
    /// (rows SPL-04 and NAV-03).
    var putAwayCommand: Command {
        Command(ColumnCommands.hideList, isEnabled: isListOver && hasDetail && !hasReachedTop) { [weak self] in
            self?.focus(.secondary)
        }
    }

    /// The detail's commands that also work from the list beside it. A command that pushes onto the detail gives it the
    /// focus.
    var detailCommandsForList: [Command] {
        guard !isCollapsed, !arrangement.form.canHideLists, focusedColumn != .secondary else { return [] }
        let stack = navigationController(for: .secondary)
        let depth = stack.viewControllers.count
        let top = stack.topViewController
        let offered = (top?.focusTarget?.commands ?? []) + (top?.commands ?? [])
        return offered.filter { $0.definition.traits.contains(.worksFromList) }.map {
            command in
            Command(command.definition, title: command.title, isEnabled: command.isEnabled) { [weak self] in
                command.perform()
                if stack.viewControllers.count > depth { self?.focus(.secondary) }
            }
        }
    }

    private var canGoRight: Bool { hasDetail || focusedColumn == .primary && style == .triple }

    private var listTitle: DisplayText { displayMode == .primaryHidden ? "Show list" : "Hide list" }

    /// Toggles the list: beside the detail it hides, over it it slides, in a single stack it goes back.
    public func toggleList() {
        noteFocus()
        if let wanted = delegate?.targetDisplayMode(for: self), wanted != .automatic, !isCollapsed {
            if wanted != .primaryOverlay { preferredDisplayMode = wanted }
            focus(wanted == .primaryHidden ? .secondary : .supplementary)
        } else if isCollapsed {
            focus(.supplementary)
        } else if arrangement.form.canHideLists, traits.horizontal == .narrow || preferredDisplayMode != .primaryHidden
        {
            showList(focusedColumn == .secondary)
        } else {
            preferredDisplayMode = preferredDisplayMode == .primaryHidden ? .automatic : .primaryHidden
            focus(preferredDisplayMode == .primaryHidden ? .secondary : .supplementary)
        }
    }

    /// Shows the lists and gives the deepest the focus, or gives the detail the focus and hides lists that can be
    /// hidden. Repeating the call has no effect.
    public func showList(_ isShown: Bool) {
        noteFocus()
        guard isShown == (chosenColumn == .secondary) else { return }
        focus(isShown ? .supplementary : .secondary)
    }

    /// Shows a column and gives it the focus (row SPL-01).
    public func show(_ column: Column) {
        if column != .secondary, preferredDisplayMode == .primaryHidden { preferredDisplayMode = .automatic }
        focus(column)
    }

    /// Hides a list by choosing the nearest possible display mode without it. The detail can't be hidden.
    public func hide(_ column: Column) {
        guard column != .secondary, !isCollapsed else { return }
        if !arrangement.form.canHideLists { preferredDisplayMode = .primaryHidden }
        focus(.secondary)
    }

    /// Resets the list to its standard share of the width.
    func resetFraction() { setFraction(standardPrimaryColumnWidthFraction) }

    private func changeFraction(by step: Double) {
        setFraction(preferredPrimaryColumnWidthFraction + step)
    }

    func setFraction(_ fraction: Double) {
        let limited = max(0.2, min(0.7, fraction))
        guard limited != preferredPrimaryColumnWidthFraction else { return }
        preferredPrimaryColumnWidthFraction = limited
        primaryColumnWidthFractionDidChange(limited)
    }

    /// Returns the width of a list beside the detail.
    func listWidth(in width: Int) -> Int {
        let wanted = Int(clamping: (Double(width) * preferredPrimaryColumnWidthFraction + 0.0001).rounded(.down))
        return min(maximumPrimaryColumnWidth, max(min(minimumPrimaryColumnWidth, width / 2), min(wanted, width - 20)))
    }

    /// Returns the width of a list over the detail, which leaves a part of the detail visible to click on.
    func floatingListWidth(in width: Int) -> Int {
        min(maximumPrimaryColumnWidth, max(min(26, width - 2), min(width * 52 / 100, width - 14)))
    }
}
