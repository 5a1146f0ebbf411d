/// The item `⋯` at the end of a bar, and the menu of the items that have no room in it.
@MainActor
final class BarOverflow {
    /// The items that the menu offers.
    var items: [BarButtonItem] = []
    private weak var bar: View?
    private(set) lazy var item = BarButtonItem("⋯") { [weak self] in self?.showMenu() }

    init(bar: View) { self.bar = bar }

    private func showMenu() {
        guard let bar else { return }
        var view: View? = bar
        while let present = view, present.viewController == nil { view = present.superview }
        guard let owner = view?.viewController else { return }
        let commands = items.map { item in
            let keys = item.key.flatMap { KeySequence($0.string) }.map { [$0] } ?? []
            let command = Command("toolbar.item", item.title, keys: keys, isEnabled: item.isEnabled) { item.perform() }
            return (command: command, keys: keys)
        }
        let menu = CommandPaletteViewController(title: "More", commands: commands, hasField: false)
        menu.modalPresentationStyle = .popover
        menu.popoverPresentationController.barButtonItem = item
        menu.popoverPresentationController.sourceView = bar
        owner.present(menu)
    }
}
