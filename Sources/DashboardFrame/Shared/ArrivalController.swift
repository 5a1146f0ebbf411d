import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// Performs the tasks of rules after a reload: full texts, user commands, and a notification if the pane has no focus.
@MainActor
package final class ArrivalController {
    private let service: RuleTaskService
    private let status: StatusController
    private let run: @Sendable (_ command: String, EntryDetail) async -> String?
    private let notify: ExternalPrograms.Notify
    /// The current or last run.
    package private(set) var task: Task<Void, Never>?
    private let paneFocus: PaneFocus

    package init(
        library: Library, status: StatusController, paneFocus: PaneFocus,
        run: @escaping @Sendable (String, EntryDetail) async -> String?,
        notify: @escaping ExternalPrograms.Notify
    ) {
        service = RuleTaskService(library: library)
        self.status = status
        self.paneFocus = paneFocus
        self.run = run
        self.notify = notify
    }

    /// Starts a run after the current one.
    package func begin() {
        let previous = task
        task = Task { [service, run, weak self] in
            await previous?.value
            let news = await Task.detached { await service.work() }.value
            for (name, entry) in news.commands {
                if let problem = await run(name, entry) { self?.status.show(failure: problem) }
            }
            guard let self, self.paneFocus.needsNotifications, let (title, body) = news.notification else { return }
            if let problem = await self.notify(title, body, news.place) { self.status.show(failure: problem) }
        }
    }
}
