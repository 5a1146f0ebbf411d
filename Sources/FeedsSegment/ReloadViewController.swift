import DashboardFrame
import Feeds
import LibraryKernel
import TerminalUI

/// The status of the current or last reload by feed, slowest first. Feeds can be stopped and retried.
@MainActor
package final class ReloadViewController: SheetListViewController<ReloadController.Item> {
    private let reloads: ReloadController

    package init(reloads: ReloadController, status: StatusController) {
        self.reloads = reloads
        super.init(
            title: "Reload",
            emptyText: DisplayText("No reload yet. \(status.key(FeedCommands.reloadAll)) reloads all feeds."),
            width: 72)
    }

    package override func viewWillAppear() {
        reloads.listen(self) { [weak self] in self?.load() }
        // Updates the duration of feeds in progress.
        loadEverySecond { [reloads] in reloads.isRunning }
    }

    package override func readItems() -> [ReloadController.Item] { reloads.watched }

    package override func identifier(of item: ReloadController.Item) -> AnyHashable? { item.subscription.id }

    package override func cell(for item: ReloadController.Item) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = DisplayText(item.subscription.title)
        switch item.state {
        case .running:
            cell.value = "… " + ReloadViewController.time(item.seconds)
            cell.titleRole = .accent
        case .done(let outcome):
            cell.value = ReloadViewController.words(outcome, isLinear: table.symbols.isLinear)
            if case .failed = outcome.result { cell.titleRole = .failure }
        }
        return cell
    }

    package override func activate(_ item: ReloadController.Item) { retrySelected() }

    private func retrySelected() {
        guard let item = selected, !reloads.isRunning else { return }
        reloads.start([item.subscription], reason: .insisting)
    }

    package override var commands: [Command] {
        let item = selected
        var isRunning = false
        if case .running = item?.state { isRunning = true }
        return [
            Command(FeedCommands.stopOne, isEnabled: isRunning) { [weak self] in
                if let item { self?.reloads.cancel(item.subscription.id) }
            },
            Command(FeedCommands.retryOne, isEnabled: item != nil && !isRunning && !reloads.isRunning) { [weak self] in
                self?.retrySelected()
            },
            Command(FeedCommands.closeReload) { [weak self] in self?.dismiss() },
        ]
    }

    private static func time(_ seconds: Double) -> DisplayText {
        DisplayText("\(DecimalText.tenths(Int64(clamping: seconds * 10))) s")
    }

    /// Returns the result of a feed's reload in words.
    package static func words(_ outcome: ReloadOutcome, isLinear: Bool) -> DisplayText {
        // An error in a document that could be read nevertheless.
        let problem = outcome.problems.first.map {
            RowSign.problem.before(DisplayText($0.description), isLinear: isLinear).truncated(to: 30) + " · "
        }
        switch outcome.result {
        case .changed(let changes):
            return (problem ?? .empty) + DisplayText("\(changes.added) new · ") + time(outcome.seconds)
        case .unchanged: return (problem ?? .empty) + "unchanged · " + time(outcome.seconds)
        case .heldBack(let reason): return DisplayText(reason)
        case .failed(let reason):
            return RowSign.failure.before(DisplayText(reason), isLinear: isLinear).truncated(to: 36)
        }
    }
}
