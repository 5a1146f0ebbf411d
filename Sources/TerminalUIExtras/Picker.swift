import TerminalUI

/// A line with the selected one of several names. Pressing it shows all in a popover.
@MainActor
public final class Picker: Control {
    /// The names.
    public var options: [DisplayText] { didSet { setNeedsLayout() } }
    /// The index of the selected name, or -1 for none.
    public var selectedIndex: Int { didSet { if selectedIndex != oldValue { setNeedsDisplay() } } }
    /// The text while none is selected.
    public var placeholder: DisplayText = "Choose"

    /// Creates a picker.
    public init(_ options: [DisplayText], selectedIndex: Int = -1) {
        self.options = options
        self.selectedIndex = selectedIndex
        super.init()
    }

    /// The longest name with its mark.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: 2 + max(placeholder.columns, options.map(\.columns).max() ?? 0), height: 1)
    }

    /// Shows the names in a popover.
    public override func press() {
        let choices = options.indices.map { index in
            Choice(mark(index) + options[index]) { [weak self] in self?.choose(index) }
        }
        presentMenu(choices, title: "Choose", selected: selectedIndex)
    }

    private func mark(_ index: Int) -> DisplayText { index == selectedIndex ? "• " : "  " }

    private func step(_ step: Int) { choose(selectedIndex + step) }

    private func choose(_ index: Int) {
        guard index != selectedIndex else { return }
        selectedIndex = index
        onAction()
    }

    /// The keys for the next or previous name without the popover.
    public override var commands: [Command] {
        super.commands + [
            Command(ControlCommands.nextChoice, isEnabled: selectedIndex + 1 < options.count) { [weak self] in
                self?.step(1)
            },
            Command(ControlCommands.previousChoice, isEnabled: selectedIndex > 0) { [weak self] in self?.step(-1) },
        ]
    }

    /// Draws the selected name.
    public override func draw(in surface: Surface) {
        let name = options.indices.contains(selectedIndex) ? options[selectedIndex] : placeholder
        surface.draw(name.truncated(to: bounds.width - 2) + " ▾", at: .zero, style: labelStyle)
    }
}

/// A title that shows commands in a popover when pressed.
@MainActor
public final class MenuButton: Control {
    /// The title.
    public var title: DisplayText { didSet { setNeedsLayout() } }
    /// Returns the commands of the menu each time it opens.
    public var menuCommands: () -> [Command]

    /// Creates a button with a menu.
    public init(_ title: DisplayText, commands: @escaping () -> [Command]) {
        self.title = title
        menuCommands = commands
        super.init()
    }

    /// Title and mark.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: title.columns + 2, height: 1) }

    /// Opens the menu.
    public override func press() { presentMenu(menuCommands().map { Choice($0) }, title: title, selected: 0) }

    /// Draws title and mark.
    public override func draw(in surface: Surface) {
        surface.draw(title.truncated(to: bounds.width - 2) + " ▾", at: .zero, style: labelStyle)
    }
}

extension Control {
    func presentMenu(_ choices: [Choice], title: DisplayText, selected: Int) {
        guard let owner = nearestViewController, !choices.isEmpty else { return }
        let menu = CommandPaletteViewController(title: title, choices: choices, hasField: false)
        menu.selectedIndex = max(0, selected)
        menu.modalPresentationStyle = .popover
        menu.popoverPresentationController.sourceView = self
        owner.present(menu)
    }
}
