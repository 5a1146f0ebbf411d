import ModelCore
import TerminalUI

/// The keys that the user has bound, as the settings show them.
@MainActor
final class UserKeys {
    /// The keys in the configuration.
    var configured: KeyMap
    private let settings: Settings

    init(_ configured: KeyMap, _ settings: Settings) {
        self.configured = configured
        self.settings = settings
    }

    var map: KeyMap {
        var map = configured
        map.namesKeys = settings[.linear]
        return map
    }
}
