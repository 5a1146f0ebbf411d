import Accounts
import DashboardFrame
import Feeds
import TerminalUI
import WebAddresses

/// Actions for accounts: add, sync and remove.
@MainActor
package struct AccountActions {
    package let access: LibraryAccess
    package let syncs: SyncController
    package weak var presenter: ViewController?

    package init(access: LibraryAccess, syncs: SyncController, presenter: ViewController? = nil) {
        self.access = access
        self.syncs = syncs
        self.presenter = presenter
    }

    /// Returns the commands for an account.
    package func commands(for account: Account) -> [Command] {
        [
            Command(AccountCommands.syncAccount) { [syncs] in syncs.start([account.id], .whole) },
            Command(AccountCommands.removeAccount) { askToRemove(account) },
        ]
    }

    /// Asks for an address, a name and a password, one after the other. The last prompt stays open until the server has
    /// answered.
    package func askToAdd() {
        let made = Made()
        presenter?.present(
            TextPromptViewController(
                title: "Add account", message: "The address of FreshRSS, Miniflux or another server",
                placeholder: "https://",
                validate: { text in
                    do throws(AccountService.Problem) {
                        _ = try AccountService.address(text, allowsPlain: true)
                        return nil
                    } catch {
                        return DisplayText(error.description)
                    }
                },
                check: { text in
                    await AccountActions.problem { made.address = try await AccountService.reachableAddress(text) }
                }
            ) { _ in
                guard let address = made.address else { return }
                if let host = AccountService.plainHost(address) {
                    askToSendPlainly(to: host) { askForUser(address) }
                } else {
                    askForUser(address)
                }
            })
    }

    /// Returns the error of a prompt's check, or `nil` if there is none.
    private static func problem(with check: () async throws -> Void) async -> DisplayText? {
        do {
            try await check()
            return nil
        } catch {
            return DisplayText("\(error)")
        }
    }

    private func askToSendPlainly(to host: String, _ goOn: @escaping () -> Void) {
        presenter?.present(
            AlertController(
                title: "Without encryption?",
                message: DisplayText("http sends your password and entries to \(host) unencrypted."),
                confirm: "Use http", action: goOn))
    }

    /// Asks for the password that an account needs, or shows the outbox.
    package func open(_ account: Account, _ appearance: Appearance) {
        let all = access.read([]) { [access] in try $0.accounts.all(now: access.clock()) }
        if let present = all.first(where: { $0.id == account.id }), present.needsPassword {
            return askForNewPassword(of: present)
        }
        presenter?.present(OutboxViewController(access: access, appearance: appearance, syncs: syncs))
    }

    /// Asks for the new password of an account until the server accepts one, then syncs it.
    func askForNewPassword(of account: Account) {
        let library = access.library
        presenter?.present(
            TextPromptViewController(
                title: DisplayText("Password for \(account.name)"),
                message: DisplayText(
                    "The new API password of \(account.user); tappa stores it in a file that only you can read"),
                isSecure: true,
                check: { password in
                    await AccountActions.problem {
                        _ = try await AccountService.renew(account, password: password, in: library)
                    }
                }
            ) { _ in sync(account) })
    }

    /// Syncs an account that the server has just accepted.
    private func sync(_ account: Account) {
        access.status.show(DisplayText("Syncing \(account.name) …"))
        syncs.start([account.id], .whole)
    }

    private func askForUser(_ address: String) {
        presenter?.present(
            TextPromptViewController(title: "Add account", message: "Your user name on the server") { user in
                guard !user.isEmpty else { return }
                askForPassword(address, user)
            })
    }

    private func askForPassword(_ address: String, _ user: String) {
        let library = access.library
        let others = access.read([]) { try $0.accounts.all(now: 0) }
        let name = AccountActions.name(for: address, user: user, besides: others)
        let made = Made()
        presenter?.present(
            TextPromptViewController(
                title: "Add account",
                message: "The API password; tappa stores it in a file that only you can read",
                isSecure: true,
                check: { password in
                    await AccountActions.problem {
                        made.account = try await AccountService.add(
                            name: name, address: address, secret: Secret(user: user, password: .kept(password)),
                            to: library)
                    }
                }
            ) { _ in
                if let account = made.account { sync(account) }
            })
    }

    /// Returns a name for an account: its host, at most 40 letters, digits, hyphens, underscores and dots.
    package static func name(for address: String) -> String {
        let host = WebAddress(address)?.host ?? "account"
        return String(host.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }.prefix(40))
    }

    /// Returns a name that no account of another user has.
    package static func name(for address: String, user: String, besides others: [Account]) -> String {
        let name = name(for: address)
        guard others.contains(where: { $0.name == name && $0.user != user }) else { return name }
        let safe = user.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        return String("\(safe)-\(name)".prefix(40))
    }

    /// Returns what removing an account loses: nothing, or changes that were not sent yet.
    static func loss(pending: Int, refused: Int) -> String {
        let waiting = pending + refused
        return waiting == 0 ? "" : " \(waiting.counted("change has", "changes have")) not been sent yet."
    }

    @MainActor
    private final class Made {
        var address: String?
        var account: Account?
    }

    private func askToRemove(_ account: Account) {
        let loss = AccountActions.loss(pending: account.pending, refused: account.refused)
        let alert = AlertController(
            title: "Remove this account?",
            message: DisplayText(
                "\(account.name) keeps its feeds and marks.\(loss) Its \(account.feeds.counted("feed")) can stay on this machine."
            ))
        alert.actions = [
            AlertAction("Cancel", role: .cancel),
            AlertAction("Keep feeds") { remove(account, keepsFeeds: true) },
            AlertAction("Remove feeds too", role: .destructive) { remove(account, keepsFeeds: false) },
        ]
        presenter?.present(alert)
    }

    private func remove(_ account: Account, keepsFeeds: Bool) {
        let (library, status) = (access.library, access.status)
        Task {
            do {
                try await AccountService.remove(account, keepsFeeds: keepsFeeds, from: library)
                status.show(DisplayText("Removed \(account.name)"))
            } catch {
                status.show(failure: error)
            }
        }
    }
}
