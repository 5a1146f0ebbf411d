import TerminalUI

/// A vertical list of names, one of which is selected.
@MainActor
public final class RadioGroup: Control {
    /// The names.
    public let options: [DisplayText]
    /// The index of the selected name, or -1 for none.
    public var selectedIndex: Int { didSet { setNeedsDisplay() } }
    private var cursorIndex: Int

    /// Creates a group.
    public init(_ options: [DisplayText], selectedIndex: Int = -1) {
        self.options = options
        self.selectedIndex = selectedIndex
        cursorIndex = max(0, selectedIndex)
        super.init()
    }

    /// A line for each name.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: 4 + (options.map(\.columns).max() ?? 0), height: options.count)
    }

    /// Selects the name at the cursor.
    public override func press() {
        guard options.indices.contains(cursorIndex), cursorIndex != selectedIndex else { return }
        selectedIndex = cursorIndex
        super.press()
    }

    private func move(_ step: Int) {
        cursorIndex = max(0, min(options.count - 1, cursorIndex + step))
        setNeedsDisplay()
    }

    /// The keys for moving and selecting.
    public override var commands: [Command] {
        super.commands + [
            Command(ControlCommands.nextOption, isEnabled: cursorIndex + 1 < options.count) { [weak self] in
                self?.move(1)
            },
            Command(ControlCommands.previousOption, isEnabled: cursorIndex > 0) { [weak self] in self?.move(-1) },
        ]
    }

    /// Selects the clicked name.
    public override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action, options.indices.contains(event.location.y) else { return false }
        cursorIndex = event.location.y
        if isEnabled { press() }
        return true
    }

    /// Draws the names with their marks.
    public override func draw(in surface: Surface) {
        for (index, option) in options.enumerated() {
            let mark: DisplayText = index == selectedIndex ? "(•) " : "( ) "
            let style = index == cursorIndex ? labelStyle : theme[isEnabled ? .text : .secondary]
            surface.draw(mark + option, at: Point(x: 0, y: index), style: style)
        }
    }
}
