import Feeds
import ModelCore
import TerminalUI

/// Imports and exports the list of feeds.
@MainActor
package struct SubscriptionPrompts {
    private let access: LibraryAccess
    private weak var presenter: ViewController?

    package init(access: LibraryAccess, presenter: ViewController) {
        self.access = access
        self.presenter = presenter
    }

    package var commands: [Command] {
        [
            Command(ProgramCommands.importSubscriptions) { askForImport() },
            Command(ProgramCommands.exportSubscriptions) { askForExport() },
        ]
    }

    private func askForImport() {
        presenter?.present(
            TextPromptViewController(
                title: "Import", message: "The path of an OPML file, or of newsboat's or newsraft's list of feeds",
                placeholder: "~/subscriptions.opml"
            ) { importSubscriptions($0) })
    }

    private func importSubscriptions(_ path: String) {
        access.status.show("Importing …")
        Task {
            do {
                let reading = try await Task.detached { try SubscriptionFiles.read(file: path) }.value
                let new = reading.list.map { NewSubscription($0) }
                let left =
                    reading.problems.count + reading.otherProblems + reading.programs.count + reading.queries.count
                access.changes.submit(.subscribe(new, now: access.clock())) { [access] receipt in
                    let known = receipt.subscriptions.filter { !$0.isNew }.count
                    let rest = left == 0 ? "" : "; 'tappa import' imports the other \(left)"
                    let words = "Followed \(receipt.count.counted("feed")), \(known) already followed\(rest). "
                    access.status.show(
                        DisplayText(words + "\(access.status.key(FeedCommands.reloadAll)) fetches them."))
                }
            } catch {
                access.status.show(failure: error)
            }
        }
    }

    private func askForExport() {
        presenter?.present(
            TextPromptViewController(
                title: "Export", message: "The path of the OPML file to write", text: "~/subscriptions.opml"
            ) { [access] path in
                access.tell { try SubscriptionFiles.exportSubscriptions(path, access.library, access.clock()) }
            })
    }
}
