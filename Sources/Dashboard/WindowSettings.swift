import ModelCore
import TerminalUI

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
    init(_ settings: Settings) {
        self.init()
        regularWidth = settings[.twoColumnsFrom]
        wideWidth = settings[.threeColumnsFrom]
    }
}
