import ModelCore
import TerminalUI

/// What can be done with one subscription: its name, its folder, its tags, its end, and how it is doing.
@MainActor
final class SubscriptionActions {
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
            Command("feed.browser", "Open the home page in the browser", keys: ["o"]) { [context] in
                context.openLink(subscription.homePage)
            },
            Command("feed.health", "How this feed is doing", keys: ["i"]) { [self] in presentHealth(subscription) },
            Command("feed.rename", "Rename", keys: ["e"]) { [self] in rename(subscription) },
            Command("feed.folder", "Move to a folder", keys: ["f"]) { [self] in move(subscription) },
            Command("feed.tags", "Tags", keys: ["t"]) { [self] in editTags(subscription) },
            Command("feed.unsubscribe", "Unsubscribe", keys: ["d"]) { [self] in unsubscribe(subscription) },
            Command("feed.markAllRead", "Mark all read", keys: ["A"]) { [context] in
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

    private func unsubscribe(_ subscription: SubscriptionRow) {
        let alert = AlertController(
            title: "Unsubscribe?",
            message: DisplayText(
                "\(subscription.title) and its \(subscription.total) entries are removed. u brings them back."))
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
