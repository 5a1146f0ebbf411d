import DashboardFrame
import Feeds
import LibraryKernel
import TerminalUI

/// The commands for the selected row of the list of feeds, or for the marked feeds.
@MainActor
struct FeedRowCommands {
    let services: FeedServices
    let feeds: FeedActions
    let model: FeedListModel
    let selected: RowPath?
    /// The marked feeds. While there are some, commands don't apply to a selected folder.
    let marked: [SubscriptionRow]
    let presenter: ViewController
    let rows: FeedListRows

    private var access: LibraryAccess { services.access }
    private var row: FeedListModel.Row? { selected.flatMap { model.row(at: $0) } }

    var all: [Command] {
        (marked.isEmpty ? commandsOfRow : feeds.commands(for: marked)) + movingCommands + ownCommands
    }

    /// The commands for a feed, a group or a list of entries.
    private var commandsOfRow: [Command] {
        switch row {
        case .subscription(let subscription, _): return feeds.commands(for: subscription)
        case .group(let group):
            return GroupActions(access: access, rows: rows, presenter: presenter).commands(for: group)
        case .list, .search:
            guard let scope = row?.scope(now: access.clock()) else { return [] }
            return [Command(FeedCommands.markFeedRead) { [access] in access.markAllRead(in: scope) }]
        case .account, nil: return []
        }
    }

    private var movingCommands: [Command] {
        let order = FeedListOrder(model)
        let isOwn = access.settings.feedSorting == .own || row?.subscription == nil
        return [(FeedCommands.moveUp, -1), (FeedCommands.moveDown, 1)].map { definition, step in
            let change: @MainActor () -> Change? = { [selected] in isOwn ? order.moving(selected, step) : nil }
            return Command(
                definition, isEnabledIf: { change() != nil },
                action: { [rows] in
                    if let change = change() { rows.arrange(by: change) }
                })
        }
    }

    /// The commands for a saved search or an account, whatever is marked.
    private var ownCommands: [Command] {
        switch row {
        case .search(let search): SearchActions(access: access, presenter: presenter).commands(for: search)
        case .account(let account):
            AccountActions(access: access, syncs: services.syncs, presenter: presenter).commands(for: account)
        default: []
        }
    }
}
