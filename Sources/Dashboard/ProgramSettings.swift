import ModelCore
import TerminalUI

/// How a notification reaches the user.
package enum NotificationMethod: Hashable, Sendable {
    case terminal
    /// By a program with its arguments.
    case command(String)
}

extension Settings {
    /// Returns how to notify the user at an instant, or `nil` for not at all.
    package func notificationWay(at instant: Instant) -> NotificationMethod? {
        if isQuiet(at: instant) { return nil }
        return switch self[.notifications] {
        case "terminal": .terminal
        case "command": .command(self[.notifier])
        default: nil
        }
    }

    /// The number of colours to use, or `nil` for all that the terminal supports.
    package var colorDepth: TerminalCapabilities.ColorDepth? {
        switch self[.colors] {
        case "direct": .direct
        case "256": .palette
        case "16": .sixteen
        case "none": TerminalCapabilities.ColorDepth.none
        default: nil
        }
    }
}
