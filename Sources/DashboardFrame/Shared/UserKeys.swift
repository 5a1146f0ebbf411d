import ModelCore
import TerminalUI

extension KeyMap {
    /// The keys with Alt and a digit for the segments, unless the user has bound others.
    fileprivate var leavingDigitsToCounts: KeyMap {
        var map = self
        for (index, pick) in SegmentCommands.picks.enumerated() where map.bindings[pick.name] == nil {
            let digit = Character(String(index + 1))
            map.bindings[pick.name] = [KeySequence([KeyPress(.character(digit), .alt)])]
        }
        return map
    }
}

/// The keys that the user has bound in the configuration and on the Keys page.
@MainActor
package final class UserKeys {
    /// The keys in the configuration.
    package var configured: KeyMap { didSet { applied = nil } }
    private let settings: Settings
    /// The keys for a value of the setting.
    private var applied: (text: String, map: KeyMap)?

    package init(_ configured: KeyMap, _ settings: Settings) {
        self.configured = configured
        self.settings = settings
    }

    /// The window whose focus decides which keys reach a command.
    package weak var window: Window?

    /// Returns the key for hints. A key that means something else where the focus is isn't shown.
    package func label(for definition: CommandDefinition) -> DisplayText? {
        let map = map
        guard definition.place == CommandTable.everywhere, !map.bindings.isEmpty, let window else {
            return map.label(for: definition)
        }
        if let keys = window.reachableCommands.first(where: { $0.command.definition == definition })?.keys {
            return keys.first.map(map.label(of:))
        }
        return window.offeredCommands.contains { $0.definition == definition } ? nil : map.label(for: definition)
    }

    /// The keys bound on the Keys page.
    package var own: OwnKeys { OwnKeys(settings[.ownKeys]) }

    package var map: KeyMap {
        let (own, digits) = (settings[.ownKeys], settings[.digits])
        let text = own + digits
        var map: KeyMap
        if let applied, applied.text == text {
            map = applied.map
        } else {
            map = OwnKeys(own).applied(over: digits == "segments" ? configured : configured.leavingDigitsToCounts)
            applied = (text, map)
        }
        map.namesKeys = settings[.linear]
        return map
    }
}
