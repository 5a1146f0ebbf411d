/// The item ``Symbols/overflow`` at the end of a bar, with a menu of the items that don't fit.
@MainActor
final class BarOverflow {
    var items: [BarButtonItem] = []
    private weak var bar: View?
    private lazy var button = BarButtonItem(Symbols.unicode.overflow) { [weak self] in self?.showMenu() }
    /// The item that opens the menu.
    var item: BarButtonItem {
        if let bar { button.title = bar.symbols.overflow }
        return button
    }

    init(bar: View) { self.bar = bar }

    private func showMenu() {
        guard let bar, let owner = bar.nearestViewController else { return }
        let choices = items.map { item in
            Choice(item.title, note: item.key ?? .empty, isEnabled: item.isEnabled) { item.perform() }
        }
        let menu = CommandPaletteViewController(title: "More", choices: choices, hasField: false)
        menu.modalPresentationStyle = .popover
        menu.popoverPresentationController.barButtonItem = item
        menu.popoverPresentationController.sourceView = bar
        owner.present(menu)
    }
}
