/// A view whose lines may be longer than it is wide, and are moved sideways then (row TAB-07).
@MainActor
protocol SidewaysScrolling: View {
    /// Columns by which the lines are moved to the left.
    var sidewaysOffset: Int { get set }
    /// The most columns of them that make sense: then the end of the longest line can be seen.
    var sidewaysLimit: Int { get }
}

extension SidewaysScrolling {
    /// Columns of a step.
    private var step: Int { 8 }

    /// Moves the lines, as far as they go.
    ///
    /// - Returns: Whether they have moved.
    @discardableResult
    func scrollSideways(by columns: Int) -> Bool {
        let target = max(0, min(sidewaysOffset + columns, sidewaysLimit))
        guard target != sidewaysOffset else { return false }
        sidewaysOffset = target
        setNeedsLayout()
        return true
    }

    /// Keys to move the lines.
    var sidewaysCommands: [Command] {
        [
            Command(ToolkitCommands.sidewaysRight, isEnabled: sidewaysOffset < sidewaysLimit) { [weak self] in
                if let self { self.scrollSideways(by: self.step) }
            },
            Command(ToolkitCommands.sidewaysLeft, isEnabled: sidewaysOffset > 0) { [weak self] in
                if let self { self.scrollSideways(by: -self.step) }
            },
        ]
    }

    /// Takes the wheel that is tilted, or turned with Shift held.
    ///
    /// - Returns: Whether the lines have moved.
    func scrollSideways(by event: MouseEvent) -> Bool {
        switch event.action {
        case .horizontalWheel(let columns): scrollSideways(by: columns * 4)
        case .wheel(let rows) where event.modifiers.contains(.shift): scrollSideways(by: rows * 4)
        default: false
        }
    }
}
