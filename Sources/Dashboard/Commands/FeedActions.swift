import ModelCore
import TerminalUI

/// What can be done with one subscription: its name, its folder, its tags, its end, and how it is doing.
@MainActor
final class FeedActions {
    private let context: DashboardContext
    private weak var presenter: ViewController?

    /// - Parameter presenter: Shows what is asked.
    init(context: DashboardContext, presenter: ViewController) {
        self.context = context
        self.presenter = presenter
    }

    /// The commands for a subscription.
    func commands(for subscription: SubscriptionRow) -> [Command] {
        [
            Command(.feedBrowser) { [context] in
                context.openLink(subscription.homePage)
            },
            Command(.feedHealth) { [self] in presentHealth(subscription) },
            Command(.renameFeed) { [self] in rename(subscription) },
            Command(.moveFeed) { [self] in move(subscription) },
            Command(.tagFeed) { [self] in editTags(subscription) },
            Command(.feedOptions, isEnabled: subscription.isFeed) { [self] in showOptions(subscription) },
            Command(.unsubscribe) { [self] in unsubscribe(subscription) },
            Command(.markFeedRead) { [context] in
                context.markAllRead(in: .subscription(subscription.id))
            },
        ]
    }

    private func rename(_ subscription: SubscriptionRow) {
        presenter?.present(
            TextPromptViewController(
                title: "Rename", message: "The feed's name here; empty goes back to its own", text: subscription.title
            ) { [context] name in
                context.changes.submit(.rename(subscription.id, title: name.isEmpty ? nil : name))
            })
    }

    private func move(_ subscription: SubscriptionRow) {
        presenter?.present(
            TextPromptViewController(
                title: "Folder", message: "The folder to put it in; empty takes it out", text: subscription.folder ?? ""
            ) { [context] name in
                context.changes.submit(.move(subscription.id, folder: name.isEmpty ? nil : name))
            })
    }

    private func editTags(_ subscription: SubscriptionRow) {
        let tags = context.read([]) { try $0.health(of: subscription.id)?.tags ?? [] }
        presenter?.present(
            TextPromptViewController(
                title: "Tags", message: "Words with blanks between them; tag:word finds them",
                text: tags.joined(separator: " ")
            ) { [context] text in
                context.changes.submit(.tag(subscription.id, text.split(separator: " ").map(String.init)))
            })
    }

    private func showOptions(_ subscription: SubscriptionRow) {
        presenter?.navigationController?.push(FeedOptionsViewController(subscription, context))
    }

    private func unsubscribe(_ subscription: SubscriptionRow) {
        let alert = AlertController(
            title: "Unsubscribe?",
            message: DisplayText(
                "\(subscription.title) and its \(subscription.total) entries are removed. \(context.key(.undo)) brings them back."
            ))
        alert.actions = [
            AlertAction("Cancel", role: .cancel),
            AlertAction("Unsubscribe", role: .destructive) { [context] in
                context.changes.submit(.unsubscribe(subscription.id, now: context.clock()))
            },
        ]
        presenter?.present(alert)
    }

    func presentHealth(_ subscription: SubscriptionRow) {
        guard let health = context.read(nil, { try $0.health(of: subscription.id) }) else { return }
        presenter?.present(FeedHealthViewController(subscription, health, dates: context.dates))
    }
}
