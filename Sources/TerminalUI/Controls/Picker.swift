/// One line that shows the chosen one of several names; pressed, it offers them in a popover.
@MainActor
public final class Picker: Control {
    /// The names.
    public var options: [DisplayText] { didSet { setNeedsLayout() } }
    /// The index of the chosen one; -1: none.
    public var selectedIndex: Int { didSet { if selectedIndex != oldValue { setNeedsDisplay() } } }
    /// What is shown while none is chosen.
    public var placeholder: DisplayText = "Choose"

    /// Makes a picker.
    public init(_ options: [DisplayText], selectedIndex: Int = -1) {
        self.options = options
        self.selectedIndex = selectedIndex
        super.init()
    }

    /// The longest name with its mark.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: 2 + max(placeholder.columns, options.map(\.columns).max() ?? 0), height: 1)
    }

    /// Offers the names.
    public override func press() {
        let commands = options.indices.map { index in
            Command("picker.choose\(index + 1)", mark(index) + options[index], keys: []) { [weak self] in
                self?.choose(index)
            }
        }
        presentMenu(commands, title: "Choose", selected: selectedIndex)
    }

    private func mark(_ index: Int) -> DisplayText { index == selectedIndex ? "• " : "  " }

    private func choose(_ index: Int) {
        guard index != selectedIndex else { return }
        selectedIndex = index
        onAction()
    }

    /// The next or previous name without the popover.
    public override var commands: [Command] {
        super.commands + [
            Command("picker.next", "Next", keys: ["right", "l"], isEnabled: selectedIndex + 1 < options.count) {
                [weak self] in
                if let self { self.choose(self.selectedIndex + 1) }
            },
            Command("picker.previous", "Previous", keys: ["left", "h"], isEnabled: selectedIndex > 0) { [weak self] in
                if let self { self.choose(self.selectedIndex - 1) }
            },
        ]
    }

    /// Draws the chosen name.
    public override func draw(in surface: Surface) {
        let name = options.indices.contains(selectedIndex) ? options[selectedIndex] : placeholder
        surface.draw(name.truncated(to: bounds.width - 2) + " ▾", at: .zero, style: labelStyle)
    }
}

/// A title that offers commands in a popover when pressed.
@MainActor
public final class MenuButton: Control {
    /// The words.
    public var title: DisplayText { didSet { setNeedsLayout() } }
    /// What the menu offers; asked for each time it opens.
    public var menuCommands: () -> [Command]

    /// Makes a button with a menu.
    public init(_ title: DisplayText, commands: @escaping () -> [Command]) {
        self.title = title
        menuCommands = commands
        super.init()
    }

    /// Title and mark.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: title.columns + 2, height: 1) }

    /// Opens the menu.
    public override func press() { presentMenu(menuCommands(), title: title, selected: 0) }

    /// Draws title and mark.
    public override func draw(in surface: Surface) {
        surface.draw(title.truncated(to: bounds.width - 2) + " ▾", at: .zero, style: labelStyle)
    }
}

extension Control {
    /// Presents commands as a menu at the control.
    func presentMenu(_ commands: [Command], title: DisplayText, selected: Int) {
        var view: View? = self
        while let present = view, present.viewController == nil { view = present.superview }
        guard let owner = view?.viewController, !commands.isEmpty else { return }
        let menu = CommandPaletteViewController(
            title: title, commands: commands.map { ($0, $0.keys) }, hasField: false)
        menu.selectedIndex = max(0, selected)
        menu.modalPresentationStyle = .popover
        menu.popoverPresentationController.sourceView = self
        owner.present(menu)
    }
}
