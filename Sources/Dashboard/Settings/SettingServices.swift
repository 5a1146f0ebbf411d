import TerminalUI

/// What the list of settings and its pages use.
@MainActor
struct SettingServices {
    let access: LibraryAccess
    let appearance: Appearance
    let keys: UserKeys
    let keptPictures: KeptPictures
    /// Returns the version, paths and library versions, with their names.
    let about: @MainActor () -> [(name: String, value: String)]
    let subscriptions: SubscriptionScreens
}

/// The screens and prompts for subscriptions that the list of settings opens.
@MainActor
struct SubscriptionScreens {
    /// Returns the list of feeds.
    let makeList: @MainActor () -> ViewController
    /// Asks for an account over a view controller.
    let askForAccount: @MainActor (_ presenter: ViewController) -> Void
    /// Asks for a race over a view controller.
    let askForRace: @MainActor (_ presenter: ViewController) -> Void
}
