import ModelCore
import TerminalUI

/// The welcome sheet of the first start: a theme with live preview, and imports from other programs.
///
/// It handles only arrow keys, Enter and Esc. Any other key closes it and then does what it always does.
@MainActor
final class WelcomeViewController: ViewController {
    private let context: DashboardContext
    private let choices = WelcomeView()
    private let find: @Sendable () async -> [DiscoveredSubscriptions]
    private var finding: Task<Void, Never>?
    private var found: [(subscriptions: DiscoveredSubscriptions, isTaken: Bool)] = []
    /// Called when the sheet closes, unless a key for the view below closed it.
    var onClose: () -> Void = {}

    init(context: DashboardContext, find: @escaping @Sendable () async -> [DiscoveredSubscriptions]) {
        self.context = context
        self.find = find
        super.init()
        title = "Welcome to tappa"
        modalPresentationStyle = .sheet
        popoverPresentationController.delegate = self
    }

    /// Users can start with any key, without closing the sheet first.
    override var closesOnOtherKeys: Bool { true }

    override func makeView() -> View { choices }

    override func viewDidLoad() {
        let isLinear = context.settings[.linear]
        toolbarItems = [
            .label(isLinear ? "arrows choose and change" : "↑↓ choose  ←→ change"),
            .label(context.keyMap.label(of: "enter") + " go on", priority: 1),
            BarButtonItem("close", key: "esc", priority: 2) { [weak self] in self?.close() },
        ]
        choices.step = { [weak self] row, step in self?.change(row, step) }
        choices.take = { [weak self] in self?.take($0) }
        choices.close = { [weak self] in self?.close() }
        showRows()
        finding = Task { [weak self, find] in
            let found = await find()
            guard let self, !Task.isCancelled else { return }
            self.found = found.map { ($0, false) }
            self.showRows()
        }
    }

    override func viewDidDisappear() { finding?.cancel() }

    private func showRows() {
        let isLinear = context.settings[.linear]
        let enter = context.keyMap.label(of: "enter")
        choices.rows =
            [
                .init("Theme", value: DisplayText(context.settings[.theme]), isChoice: true),
                .init("Pictures", value: DisplayText(context.settings[.pictureDetail]), isChoice: true),
            ]
            + found.map { item in
                let count = item.subscriptions.list.count
                return .init(
                    DisplayText("\(item.subscriptions.name), \(count.counted("feed"))"),
                    value: item.isTaken ? (isLinear ? "followed" : "✓ followed") : enter + " import",
                    isChoice: false)
            }
    }

    // MARK: Choosing

    private func change(_ row: Int, _ step: Int) {
        guard row < 2 else { return }
        let key = row == 0 ? SettingKey<String>.theme : .pictureDetail
        guard let names = Settings.definition(key.name).flatMap(context.names), !names.isEmpty else { return }
        let name = WelcomeViewController.name(step, from: choices.rows[row].value.string, in: names)
        choices.rows[row].value = DisplayText(name)
        // The theme applies at once and is stored in the background.
        if row == 0 { window?.theme = context.theme(name) }
        context.set(name, for: key.name)
    }

    /// Returns the name some steps after another, wrapping around.
    static func name(_ step: Int, from present: String, in names: [String]) -> String {
        let index = names.firstIndex(of: present) ?? 0
        return names[(index + step + names.count) % names.count]
    }

    private func take(_ row: Int) {
        let index = row - 2
        guard found.indices.contains(index) else { return close() }
        guard !found[index].isTaken else { return }
        found[index].isTaken = true
        let subscriptions = found[index].subscriptions.list
        if let path = found[index].subscriptions.path, let moveIn = context.moveIn {
            // This imports searches, read marks and configuration too, like `tappa import`.
            context.status.show("Importing …")
            Task { [context] in
                guard let lines = await moveIn(path) else {
                    return context.status.show(failure: "The import failed. 'tappa import \(path)' reports why.")
                }
                context.status.show(DisplayText(lines.prefix(3).joined(separator: " · ")))
            }
            return showAccepted()
        }
        context.changes.submit(.subscribe(subscriptions, now: context.clock())) { [context] receipt in
            context.status.show(
                DisplayText("Followed \(receipt.count.counted("feed")). \(context.key(.reloadAll)) fetches them."))
        }
        showAccepted()
    }

    private func showAccepted() {
        let chosen = choices.selected
        showRows()
        choices.selected = chosen
    }

    private func close() {
        dismiss()
        onClose()
    }
}

extension WelcomeViewController: PopoverPresentationControllerDelegate {
    func popoverDidDismiss(_ popover: PopoverPresentationController) { onClose() }
}
