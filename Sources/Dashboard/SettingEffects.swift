import ModelCore
import TerminalUI

/// Decides which segment a start shows.
enum StartSegment {
    /// Returns the segment's name: that of the command line, otherwise of the last run in this pane, otherwise the
    /// setting's.
    ///
    /// If the setting was not changed, users with feeds start in Feeds, except on the day of a stage.
    static func name(
        asked: String?, restored: String?, setting: SettingValue, hasStageToday: @autoclosure () -> Bool,
        hasFeeds: @autoclosure () -> Bool
    ) -> String {
        if let name = asked ?? restored { return name }
        guard setting.origin == .standard, !hasStageToday(), hasFeeds() else { return setting.value }
        return "feeds"
    }

    /// Whether a user has feeds to read: feeds of their own, or any if there is no race.
    static func hasFeeds(_ addresses: [String], bundled: Set<String>, hasRaces: @autoclosure () -> Bool) -> Bool {
        addresses.contains { !bundled.contains($0) } || !addresses.isEmpty && !hasRaces()
    }
}

/// The title of the terminal's window.
enum WindowTitle {
    /// Returns the program's name with the number of unread entries, or nothing if the setting is off.
    static func text(isShown: Bool, unread: Int) -> DisplayText {
        guard isShown else { return .empty }
        return unread > 0 ? DisplayText("tappa · \(unread) unread") : "tappa"
    }
}

extension Motion {
    /// Returns whether views are animated: not if the user doesn't want it, in screen-reader mode, or without colours,
    /// which suggests a slow terminal.
    static func chosen(isWanted: Bool, isLinear: Bool, colors: TerminalCapabilities.ColorDepth) -> Motion {
        isWanted && !isLinear && colors != .none ? .full : .reduced
    }
}

extension SizeClassThresholds {
    /// Creates thresholds from the settings.
    init(_ settings: Settings) {
        self.init()
        narrowWidth = settings[.slideFrom]
        regularWidth = settings[.twoColumnsFrom]
        wideWidth = settings[.threeColumnsFrom]
    }
}

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

    /// Whether to mark frames.
    package var outputSynchronization: SynchronizedOutput {
        switch self[.synchronizesOutput] {
        case "on": .always
        case "off": .never
        default: .whenReported
        }
    }
}
