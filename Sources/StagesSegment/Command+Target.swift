import TerminalUI

extension Command {
    /// Offers a command of an object, which it doesn't retain.
    @MainActor
    init<Target: AnyObject & Sendable>(
        _ definition: CommandDefinition, of target: Target, isEnabled: Bool = true,
        action: @escaping @MainActor (Target) -> Void
    ) {
        self.init(definition, isEnabled: isEnabled) { [weak target] in
            if let target { action(target) }
        }
    }
}
