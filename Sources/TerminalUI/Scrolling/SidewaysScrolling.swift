/// A view that can scroll lines longer than its width sideways (row TAB-07).
@MainActor
protocol SidewaysScrolling: View {
    /// The number of columns by which the lines are scrolled.
    var sidewaysOffset: Int { get set }
    /// The maximum number of columns, at which the end of the longest line is visible.
    var sidewaysLimit: Int { get }
}

extension SidewaysScrolling {
    /// Scrolls the lines as far as possible, and returns whether they moved.
    @discardableResult
    func scrollSideways(by columns: Int) -> Bool {
        let target = max(0, min(sidewaysOffset + columns, sidewaysLimit))
        guard target != sidewaysOffset else { return false }
        sidewaysOffset = target
        setNeedsLayout()
        return true
    }

    var sidewaysCommands: [Command] {
        let step = 8
        return [
            Command(SidewaysCommands.right, isEnabled: sidewaysOffset < sidewaysLimit) { [weak self] in
                self?.scrollSideways(by: step)
            },
            Command(SidewaysCommands.left, isEnabled: sidewaysOffset > 0) { [weak self] in
                self?.scrollSideways(by: -step)
            },
        ]
    }

    /// Scrolls by a tilted wheel, or the wheel with Shift.
    func scrollSideways(by event: MouseEvent) -> Bool {
        switch event.action {
        case .horizontalWheel(let columns): scrollSideways(by: columns * 4)
        case .wheel(let rows) where event.modifiers.contains(.shift): scrollSideways(by: rows * 4)
        default: false
        }
    }
}
