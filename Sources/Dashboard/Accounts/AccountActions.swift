import ModelCore
import TerminalUI
import WebAddresses

/// Actions for accounts: add, sync and remove.
@MainActor
struct AccountActions {
    let access: LibraryAccess
    let syncs: SyncController
    weak var presenter: ViewController?

    /// Returns the commands for an account.
    func commands(for account: Account) -> [Command] {
        [
            Command(AccountCommands.syncAccount) { [syncs] in syncs.start([account.id], .whole) },
            Command(AccountCommands.removeAccount) { askToRemove(account) },
        ]
    }

    /// Asks for an address, a name and a password, one after the other. The last prompt stays open until the server has
    /// answered.
    func askToAdd() {
        presenter?.present(
            TextPromptViewController(
                title: "Add account", message: "The address of FreshRSS, Miniflux or another server",
                placeholder: "https://",
                validate: { text in
                    do throws(AccountService.Problem) {
                        _ = try AccountService.address(text, allowsPlain: false)
                        return nil
                    } catch {
                        return DisplayText(error.description)
                    }
                }
            ) { text in
                guard let address = try? AccountService.address(text, allowsPlain: false) else { return }
                askForUser(address)
            })
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
        let name = AccountActions.name(for: address)
        let made = Made()
        presenter?.present(
            TextPromptViewController(
                title: "Add account",
                message: "The API password; tappa stores it in a file that only you can read",
                isSecure: true,
                check: { password in
                    do throws(AccountService.Problem) {
                        made.account = try await AccountService.add(
                            name: name, address: address, secret: Secret(user: user, password: .kept(password)),
                            to: library)
                        return nil
                    } catch {
                        return DisplayText(error.description)
                    }
                }
            ) { [access, syncs] _ in
                guard let account = made.account else { return }
                access.status.show(DisplayText("Syncing \(account.name) …"))
                syncs.start([account.id], .whole)
            })
    }

    /// Returns a name for an account: its host, at most 40 letters, digits, hyphens, underscores and dots.
    static func name(for address: String) -> String {
        let host = WebAddress(address)?.host ?? "account"
        return String(host.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }.prefix(40))
    }

    /// Returns what removing an account loses: nothing, or changes that were not sent yet.
    static func loss(pending: Int, refused: Int) -> String {
        let waiting = pending + refused
        return waiting == 0
            ? "" : " \(waiting.counted("change has", "changes have")) not been sent yet."
    }

    @MainActor
    private final class Made {
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
