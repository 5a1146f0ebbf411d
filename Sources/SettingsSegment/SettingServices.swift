import DashboardFrame
import TerminalUI

/// What the list of settings and its pages use.
@MainActor
package struct SettingServices {
    package let access: LibraryAccess
    package let appearance: Appearance
    package let keys: UserKeys
    package let keptPictures: KeptPictures
    /// Returns the version, paths and library versions, with their names.
    package let about: @MainActor () -> [(name: String, value: String)]
    package let subscriptions: SubscriptionScreens

    package init(
        access: LibraryAccess, appearance: Appearance, keys: UserKeys, keptPictures: KeptPictures,
        about: @escaping @MainActor () -> [(name: String, value: String)], subscriptions: SubscriptionScreens
    ) {
        self.access = access
        self.appearance = appearance
        self.keys = keys
        self.keptPictures = keptPictures
        self.about = about
        self.subscriptions = subscriptions
    }
}

/// The screens and prompts for subscriptions that the list of settings opens.
@MainActor
package struct SubscriptionScreens {
    /// Returns the list of feeds.
    package let makeList: @MainActor () -> ViewController
    /// Asks for an account over a view controller.
    package let askForAccount: @MainActor (_ presenter: ViewController) -> Void
    /// Asks for a race over a view controller.
    package let askForRace: @MainActor (_ presenter: ViewController) -> Void

    package init(
        makeList: @escaping @MainActor () -> ViewController,
        askForAccount: @escaping @MainActor (_ presenter: ViewController) -> Void,
        askForRace: @escaping @MainActor (_ presenter: ViewController) -> Void
    ) {
        self.makeList = makeList
        self.askForAccount = askForAccount
        self.askForRace = askForRace
    }
}
