import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// Actions for subscriptions: name, folder, tags, options, status and removal.
@MainActor
final class FeedActions {
    private let services: FeedServices
    private var access: LibraryAccess { services.access }
    private weak var presenter: ViewController?
    private let didFinish: () -> Void

    /// - Parameters:
    ///   - presenter: The view controller that presents prompts.
    ///   - didFinish: Called after an action on several subscriptions, to clear their marks.
    init(services: FeedServices, presenter: ViewController, didFinish: @escaping () -> Void) {
        self.services = services
        self.presenter = presenter
        self.didFinish = didFinish
    }

    func commands(for subscription: SubscriptionRow) -> [Command] {
        [
            Command(FeedCommands.feedBrowser) { [services] in services.entries.web.openLink(subscription.homePage) },
            Command(FeedCommands.feedHealth) { [self] in presentHealth(subscription) },
            Command(FeedCommands.renameFeed) { [self] in rename(subscription) },
            Command(FeedCommands.moveFeed) { [self] in move(subscription) },
            Command(FeedCommands.tagFeed) { [self] in editTags(subscription) },
            Command(FeedCommands.feedOptions, isEnabled: subscription.isFeed) { [self] in
                presenter?.navigationController?.push(FeedOptionsViewController(subscription, access))
            },
            updateAddress(of: subscription),
            Command(FeedCommands.unsubscribe) { [self] in unsubscribe(subscription) },
            Command(FeedCommands.markFeedRead) { [access] in access.markAllRead(in: .subscription(subscription.id)) },
        ]
    }

    /// Returns the command that moves a feed to the address that its publisher or server names, or that asks for one.
    private func updateAddress(of subscription: SubscriptionRow) -> Command {
        let hasNew = subscription.hasNewAddress
        return Command(
            FeedCommands.updateAddress, title: hasNew ? "Use new address" : nil, isEnabled: subscription.isReadHere
        ) { [self] in
            guard hasNew else { return editAddress(of: subscription) }
            let health = access.read(nil) { try $0.feeds.health(of: subscription.id) }
            if let address = health?.newAddress {
                move(subscription.id, to: MoveFeedAddress(subscription.id, to: address))
            }
        }
    }

    private func editAddress(of subscription: SubscriptionRow) {
        guard let presenter else { return }
        FeedAdder(services: services, presenter: presenter) { _, _ in }
            .ask(insteadOf: subscription) { [self] address, headers in
                move(subscription.id, to: MoveFeedAddress(subscription.id, to: address, typed: headers))
            }
    }

    private func move(_ feed: FeedID, to address: MoveFeedAddress) {
        access.changes.submit(Change(address)) { [services, access] _ in
            guard let moved = access.read(nil, { try $0.feeds.feed(feed) }) else { return }
            services.reloads.start([moved])
        }
    }

    /// Returns the commands for several subscriptions. Each change of the list is one undo step.
    func commands(for subscriptions: [SubscriptionRow]) -> [Command] {
        [
            Command(FeedCommands.moveFeed) { [self] in move(subscriptions) },
            Command(FeedCommands.tagFeed) { [self] in editTags(subscriptions) },
            Command(FeedCommands.unsubscribe) { [self] in unsubscribe(subscriptions) },
            Command(FeedCommands.markFeedRead) { [access] in
                for subscription in subscriptions {
                    access.markAllRead(in: .subscription(subscription.id), reportsNone: false)
                }
            },
        ]
    }

    private func submit(_ changes: [Change]) {
        access.changes.submit(.several(changes))
        didFinish()
    }

    private func move(_ subscriptions: [SubscriptionRow]) {
        presenter?.present(
            TextPromptViewController(
                title: "Folder",
                message: DisplayText("\(subscriptions.count.counted("feed")). \(folderMessage)"),
                complete: { self.completeFolder($0) }
            ) { [self] name in submit(subscriptions.map { .move($0.id, folder: name.isEmpty ? nil : name) }) })
    }

    private var folders: [String] {
        Set(access.read([]) { try $0.feeds.all() }.compactMap(\.folder)).sorted()
    }

    /// The number of folders that a prompt names.
    private static let maximumNamedFolders = 4

    private var folderMessage: String {
        let all = folders
        let names = all.prefix(FeedActions.maximumNamedFolders).joined(separator: ", ")
        let more = all.count > FeedActions.maximumNamedFolders ? " …" : ""
        return "Folder: \(names)\(more)\(names.isEmpty ? "" : " or ")a new name; empty for none"
    }

    private func completeFolder(_ text: String) -> [(text: String, word: DisplayText)] {
        folders.filter { text.isEmpty || $0.lowercased().hasPrefix(text.lowercased()) }.map { ($0, DisplayText($0)) }
    }

    private func editTags(_ subscriptions: [SubscriptionRow]) {
        presenter?.present(
            TextPromptViewController(
                title: "Tags",
                message: DisplayText("Tags for \(subscriptions.count.counted("feed")); -word removes one"), text: ""
            ) { [self] text in
                submit(
                    subscriptions.map { subscription in
                        let tags = access.read([]) { try $0.feeds.health(of: subscription.id)?.tags ?? [] }
                        return .tag(subscription.id, FeedActions.tags(tags, changedBy: text))
                    })
            })
    }

    /// Returns the tags of a feed after an edit: words of the line are added, and words with a leading `-` are removed.
    static func tags(_ tags: [String], changedBy text: String) -> [String] {
        let words = TagText.tags(in: text)
        let gone = Set(words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
        let new = words.filter { !$0.hasPrefix("-") }
        return tags.filter { !gone.contains($0) && !new.contains($0) } + new
    }

    private func unsubscribe(_ subscriptions: [SubscriptionRow]) {
        if subscriptions.count == 1 { return unsubscribe(subscriptions[0]) }
        let entries = subscriptions.reduce(0) { $0 + $1.total }
        askToUnsubscribe("\(subscriptions.count) feeds and their \(entries.countedEntries)") { [self] in
            submit(subscriptions.map { .unsubscribe($0.id) })
        }
    }

    /// Asks before feeds are removed.
    ///
    /// - Parameter what: A description of what is removed.
    private func askToUnsubscribe(_ what: String, _ unsubscribe: @escaping () -> Void) {
        presenter?.present(
            AlertController(
                title: "Unsubscribe?",
                message: DisplayText(
                    "\(what) will be removed. \(access.status.key(ProgramCommands.undo)) undoes this."),
                confirm: "Unsubscribe", action: unsubscribe))
    }

    private func rename(_ subscription: SubscriptionRow) {
        presenter?.present(
            TextPromptViewController(
                title: "Rename", message: "The feed's name; leave empty for its own", text: subscription.title
            ) { [access] name in access.changes.submit(.rename(subscription.id, title: name.isEmpty ? nil : name)) })
    }

    private func move(_ subscription: SubscriptionRow) {
        presenter?.present(
            TextPromptViewController(
                title: "Folder", message: DisplayText(folderMessage), text: subscription.folder ?? "",
                complete: { self.completeFolder($0) }
            ) { [access] name in access.changes.submit(.move(subscription.id, folder: name.isEmpty ? nil : name)) })
    }

    private func editTags(_ subscription: SubscriptionRow) {
        let tags = access.read([]) { try $0.feeds.health(of: subscription.id)?.tags ?? [] }
        presenter?.present(
            TextPromptViewController(
                title: "Tags", message: "Separate tags with spaces; tag:word finds them",
                text: TagText.line(tags)
            ) { [access] text in access.changes.submit(.tag(subscription.id, TagText.tags(in: text))) })
    }

    private func unsubscribe(_ subscription: SubscriptionRow) {
        askToUnsubscribe("\(subscription.title) and its \(subscription.total.countedEntries)") { [access] in
            access.changes.submit(.unsubscribe(subscription.id))
        }
    }

    func presentHealth(_ subscription: SubscriptionRow) {
        guard let health = access.read(nil, { try $0.feeds.health(of: subscription.id) }) else { return }
        presenter?.present(
            FeedHealthViewController(
                subscription, health, dates: services.entries.appearance.dates,
                reloadMinutes: access.settings[.reloadMinutes],
                commands: [updateAddress(of: subscription)].filter(\.isEnabled)))
    }
}
