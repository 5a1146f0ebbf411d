import ModelCore
import TerminalUI

/// Chooses the segment that a start shows.
enum StartSegment {
    /// The name of the segment: the one on the command line, else the one of the last run in this pane, else the setting's.
    ///
    /// Without a setting of the user's the feeds come first where there are feeds and no races.
    static func name(
        asked: String?, restored: String?, setting: SettingValue, hasRaces: @autoclosure () -> Bool,
        hasFeeds: @autoclosure () -> Bool
    ) -> String {
        if let name = asked ?? restored { return name }
        guard setting.origin == .standard, !hasRaces(), hasFeeds() else { return setting.value }
        return "feeds"
    }
}

/// The name of the terminal's window.
enum WindowTitle {
    /// The program and its unread entries; empty where the setting leaves the name alone.
    static func text(isShown: Bool, unread: Int) -> DisplayText {
        guard isShown else { return .empty }
        return unread > 0 ? DisplayText("tappa · \(unread) unread") : "tappa"
    }
}

extension Motion {
    /// Whether anything slides: not where the user doesn't want it, a screen reader follows, or the terminal is plain and so likely slow.
    static func chosen(isWanted: Bool, isLinear: Bool, colors: TerminalCapabilities.ColorDepth) -> Motion {
        isWanted && !isLinear && colors != .none ? .full : .reduced
    }
}

extension SizeClassThresholds {
    /// The thresholds that the settings have.
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
    /// How the user is notified at an instant; `nil`: not at all.
    package func notificationWay(at instant: Int64) -> NotificationMethod? {
        if isQuiet(at: instant) { return nil }
        return switch self[.notifications] {
        case "terminal": .terminal
        case "command": .command(self[.notifier])
        default: nil
        }
    }

    /// How many colours to use; `nil`: all that the terminal has.
    package var colorDepth: TerminalCapabilities.ColorDepth? {
        switch self[.colors] {
        case "direct": .direct
        case "256": .palette
        case "16": .sixteen
        case "none": TerminalCapabilities.ColorDepth.none
        default: nil
        }
    }

    /// Whether frames are marked.
    package var outputSynchronization: SynchronizedOutput {
        switch self[.synchronizesOutput] {
        case "on": .always
        case "off": .never
        default: .asTold
        }
    }
}
