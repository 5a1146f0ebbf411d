import Accounts
import DashboardFrame
import TerminalUI

/// The outbox: changes that wait to be sent to servers, with their age and reason. They can be retried or discarded.
@MainActor
package final class OutboxViewController: SheetListViewController<OutboxItem> {
    private let access: LibraryAccess
    private let appearance: Appearance
    private let syncs: SyncController
    private let refresh = Coalescer()

    package init(access: LibraryAccess, appearance: Appearance, syncs: SyncController) {
        self.access = access
        self.appearance = appearance
        self.syncs = syncs
        super.init(title: "Outbox", emptyText: "The outbox is empty.", width: 76)
    }

    package override func viewWillAppear() {
        observation = access.library.observe(.accounts) { [weak self] in
            self?.refresh.schedule { [weak self] in self?.load() }
        }
    }

    package override func viewDidLoad() {
        super.viewDidLoad()
        toolbarItems = [
            BarButtonItem(AccountCommands.sendOutbox, title: "send now", priority: 1),
            BarButtonItem(AccountCommands.dropOutboxItem, title: "discard", priority: 1), .flexibleSpace(),
            BarButtonItem(AccountCommands.closeOutbox, title: "close", priority: 2),
        ]
    }

    /// Asks for the password of an account that waits for one.
    package override func activate(_ item: OutboxItem) {
        let accounts = access.read([]) { [access] in try $0.accounts.all(now: access.clock()) }
        guard let account = accounts.first(where: { $0.name == item.account }), account.needsPassword else { return }
        AccountActions(access: access, syncs: syncs, presenter: self).askForNewPassword(of: account)
    }

    package override func readItems() -> [OutboxItem] { access.read([]) { try $0.outbox.items() } }

    package override func identifier(of item: OutboxItem) -> AnyHashable? { item.id }

    package override func height(of item: OutboxItem, isSelected: Bool) -> Int {
        isSelected && item.reason != nil ? 2 : 1
    }

    package override func cell(for item: OutboxItem) -> TableViewCell {
        let cell = table.dequeueCell(style: item.reason == nil ? .basic : .subtitle)
        cell.title = DisplayText(item.title)
        if item.isRefused { cell.titleRole = .failure }
        cell.value = DisplayText(item.account) + " · " + appearance.dates.short(item.created)
        if let reason = item.reason {
            let key = access.status.key(AccountCommands.dropOutboxItem)
            let words = item.isRefused ? "\(reason). \(key) drops it." : reason
            cell.detail = RowSign.failure.before(DisplayText(words), isLinear: table.symbols.isLinear)
            cell.detailRole = .failure
        }
        return cell
    }

    private func retry() {
        let refused = items.filter(\.isRefused).map(\.id)
        access.changes.submit(.retryOutbox(refused), isOwnStep: false) { [weak self] _ in
            self?.syncs.start(nil, .whole)
        }
    }

    package override var commands: [Command] {
        let item = selected
        return [
            Command(AccountCommands.sendOutbox, isEnabled: !items.isEmpty) { [weak self] in self?.retry() },
            Command(AccountCommands.dropOutboxItem, isEnabled: item != nil) { [weak self] in
                guard let item else { return }
                self?.access.changes.submit(
                    .dropFromOutbox([item.id]), isOwnStep: false,
                    message: "Discarded. The next sync restores the server's state.")
            },
            Command(AccountCommands.closeOutbox) { [weak self] in self?.dismiss() },
        ]
    }
}
