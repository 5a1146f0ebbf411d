import ModelCore
import TerminalUI

/// Subscriptions of another program that were found on this machine.
package struct FoundSubscriptions: Sendable {
    /// The program, or the file.
    package var name: String
    package var list: [NewSubscription]

    package init(name: String, list: [NewSubscription]) {
        self.name = name
        self.list = list
    }
}

/// The sheet of the very first start: how it looks, seen at once, and what other programs have left here. It comes once.
///
/// It takes the arrows, Enter and Esc alone: any other key closes it and does what it does without it.
@MainActor
final class FirstMinuteViewController: ViewController {
    private let context: DashboardContext
    private let choices = FirstMinuteView()
    private let find: @Sendable () async -> [FoundSubscriptions]
    private var finding: Task<Void, Never>?
    private var found: [(subscriptions: FoundSubscriptions, isTaken: Bool)] = []
    /// Called when it is closed, but for a key that is meant for what lies beneath.
    var onClose: () -> Void = {}

    init(context: DashboardContext, find: @escaping @Sendable () async -> [FoundSubscriptions]) {
        self.context = context
        self.find = find
        super.init()
        title = "Welcome to tappa"
        modalPresentationStyle = .sheet
        popoverPresentationController.delegate = self
    }

    /// Who knows what they want need not close it first.
    override var endsWithOtherKeys: Bool { true }

    override func makeView() -> View { choices }

    override func viewDidLoad() {
        toolbarItems = [
            .label("↑↓ choose  ←→ change"), .label("⏎ go on", priority: 1),
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
        choices.rows =
            [
                .init("Theme", value: DisplayText(context.settings[.theme]), isChoice: true),
                .init("Pictures", value: DisplayText(context.settings[.pictureDetail]), isChoice: true),
            ]
            + found.map { item in
                let count = item.subscriptions.list.count
                return .init(
                    DisplayText("\(item.subscriptions.name), \(count) \(count == 1 ? "feed" : "feeds")"),
                    value: item.isTaken ? "✓ followed" : "⏎ follow them", isChoice: false)
            }
    }

    // MARK: Choosing

    private func names(_ row: Int) -> [String] {
        if row == 0 { return context.themes.map(\.name) }
        guard case .choice(let names)? = Settings.definition(SettingKey.pictureDetail.name)?.kind else { return [] }
        return names
    }

    private func change(_ row: Int, _ step: Int) {
        guard row < 2 else { return }
        let key = row == 0 ? SettingKey<String>.theme : .pictureDetail
        let names = names(row)
        guard !names.isEmpty else { return }
        let present = names.firstIndex(of: String(choices.rows[row].value.string)) ?? 0
        let name = names[(present + step + names.count) % names.count]
        choices.rows[row].value = DisplayText(name)
        // Seen at once; stored beside that.
        if row == 0 { window?.theme = context.theme(name) }
        context.set(name, for: key.name)
    }

    private func take(_ row: Int) {
        let index = row - 2
        guard found.indices.contains(index) else { return close() }
        guard !found[index].isTaken else { return }
        found[index].isTaken = true
        let subscriptions = found[index].subscriptions.list
        context.changes.submit(.subscribe(subscriptions, now: context.clock())) { [context] receipt in
            context.status.show(DisplayText("Followed \(receipt.count) feeds. \(context.key(.reloadAll)) reads them."))
        }
        let chosen = choices.selected
        showRows()
        choices.selected = chosen
    }

    private func close() {
        dismiss()
        onClose()
    }
}

extension FirstMinuteViewController: PopoverPresentationControllerDelegate {
    func popoverDidDismiss(_ popover: PopoverPresentationController) { onClose() }
}

/// The rows of the first sheet.
@MainActor
final class FirstMinuteView: View {
    struct Row {
        var title: DisplayText
        var value: DisplayText
        /// Whether the arrows change it.
        var isChoice: Bool

        init(_ title: DisplayText, value: DisplayText, isChoice: Bool) {
            self.title = title
            self.value = value
            self.isChoice = isChoice
        }
    }

    var rows: [Row] = [] { didSet { rowsDidChange(oldValue.count) } }
    var selected = 0 { didSet { if selected != oldValue { setNeedsDisplay() } } }
    var step: (_ row: Int, _ step: Int) -> Void = { _, _ in }
    var take: (_ row: Int) -> Void = { _ in }
    var close: () -> Void = {}

    private static let question: DisplayText = "Looks right? Settings has more."
    private static let foundTitle: DisplayText = "Found on this machine"
    private static let keys: DisplayText = "Tab: the next segment   Enter: open   ?: the keys"
    private static let width = 54

    override var canBecomeFocused: Bool { true }

    private func rowsDidChange(_ before: Int) {
        selected = max(0, min(selected, rows.count - 1))
        if rows.count == before { setNeedsDisplay() } else { setNeedsLayout() }
    }

    /// The line of a row: beneath the question, and what was found beneath a line of its own.
    private func line(of row: Int) -> Int { row < 2 ? 2 + row : 4 + row }

    private var height: Int { line(of: rows.count - 1) + 3 }

    override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: min(FirstMinuteView.width, limit.width), height: min(height, limit.height))
    }

    override func draw(in surface: Surface) {
        func write(_ text: DisplayText, _ line: Int, _ role: ThemeRole) {
            surface.draw(text.truncated(to: bounds.width - 2), at: Point(x: 1, y: line), style: theme[role])
        }
        write(FirstMinuteView.question, 0, .text)
        if rows.count > 2 { write(FirstMinuteView.foundTitle, 5, .secondary) }
        for (index, row) in rows.enumerated() {
            let line = line(of: index)
            let isSelected = index == selected
            let look = isSelected ? theme[.selection] : theme[.popover]
            if isSelected {
                surface.fill(Rect(x: 1, y: line, width: bounds.width - 1, height: 1), style: look)
                surface.draw(
                    symbols.selection, at: Point(x: 0, y: line), style: theme[.accent].removing(.bold))
            }
            let value = row.isChoice ? symbols.back + row.value + " ›" : row.value
            surface.draw(
                row.title.truncated(to: bounds.width - value.columns - 5), at: Point(x: 2, y: line), style: look)
            surface.draw(value, at: Point(x: bounds.width - value.columns - 1, y: line), style: look)
        }
        write(FirstMinuteView.keys, height - 1, .secondary)
    }

    override func handle(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty else { return false }
        switch press.key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(rows.count - 1, selected + 1)
        case .left: step(selected, -1)
        case .right: step(selected, 1)
        case .enter: take(selected)
        case .escape: close()
        default: return false
        }
        return true
    }

    override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action,
            let row = rows.indices.first(where: { line(of: $0) == event.location.y })
        else { return false }
        selected = row
        if rows[row].isChoice { step(row, event.location.x < bounds.width - 4 ? -1 : 1) } else { take(row) }
        return true
    }
}
