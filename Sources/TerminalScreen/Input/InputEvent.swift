/// A key without its modifiers.
public enum Key: Hashable, Sendable {
    /// A typed character; with Shift in upper case.
    case character(Character)
    /// Return or Enter.
    case enter
    /// Tab, the same as Ctrl-I.
    case tab
    /// Shift-Tab.
    case backTab
    /// Backspace, also Ctrl-H.
    case backspace
    /// Escape.
    case escape
    /// The up arrow.
    case up
    /// The down arrow.
    case down
    /// The left arrow.
    case left
    /// The right arrow.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// Insert.
    case insert
    /// Delete.
    case delete
    /// A function key from 1 to 24.
    case function(Int)
}

/// The modifier keys.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, if the key itself doesn't include it.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt (Meta).
    public static let alt = KeyModifiers(rawValue: 2)
    /// Control.
    public static let control = KeyModifiers(rawValue: 4)
}

/// A key press.
public struct KeyPress: Hashable, Sendable {
    /// The key.
    public var key: Key
    /// The modifiers.
    public var modifiers: KeyModifiers

    /// Creates a key press.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A mouse event in cells.
public struct MouseEvent: Hashable, Sendable {
    /// A button.
    public enum Button: Hashable, Sendable {
        /// The left button.
        case left
        /// The middle button.
        case middle
        /// The right button.
        case right
    }

    /// The type of a mouse event.
    public enum Action: Hashable, Sendable {
        /// A button was pressed.
        case press(Button)
        /// The mouse moved while a button was held.
        case drag(Button)
        /// A button was released. X10 reports don't say which one.
        case release
        /// The wheel was turned, by rows down (positive) or up.
        case wheel(Int)
        /// The wheel was tilted, by columns right (positive) or left.
        case horizontalWheel(Int)
    }

    /// The type of the event.
    public var action: Action
    /// The position from the upper left corner of the screen.
    public var location: Point
    /// The pressed modifiers.
    public var modifiers: KeyModifiers
    /// The number of consecutive clicks at the position, such as 2 for a double click. Terminals don't report it, so
    /// the receiver counts.
    public var clicks = 1

    /// Creates an event.
    public init(_ action: Action, at location: Point, _ modifiers: KeyModifiers = []) {
        self.action = action
        self.location = location
        self.modifiers = modifiers
    }
}

/// An event from a terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key press.
    case key(KeyPress)
    /// A mouse event.
    case mouse(MouseEvent)
    /// Pasted text, which is never interpreted as commands (row TER-05).
    case paste(String)
    /// The terminal gained (`true`) or lost focus. Many terminals don't report it.
    case focus(Bool)
    /// The terminal was resized.
    case resize(Size)
    /// The process continued after being suspended.
    case resume
    /// An answer of the terminal.
    case report(TerminalReport)
    /// The terminal's colours, or their number, have changed in its capabilities.
    case colors
    /// The supported pictures have changed.
    case graphics(GraphicsSupport)
    /// The program must end.
    case terminate(TerminationReason)
}

/// An answer of a terminal about itself.
public enum TerminalReport: Hashable, Sendable {
    /// Name and version (XTVERSION).
    case version(String)
    /// Type and features as numbers (DA1).
    case attributes([Int])
    /// The size of a cell in pixels (XTWINOPS 16).
    case cellSize(Size)
    /// The maximum number of colours in a sixel picture (XTSMGRAPHICS).
    case colorRegisters(Int)
    /// One of the terminal's colours (OSC 4, 10, 11).
    case color(ColorSlot, RGB)
    /// A supported capability (XTGETTCAP).
    case capability(String)
    /// The current style as SGR parameters (DECRQSS).
    case style(String)
    /// Whether the terminal knows a mode (DECRQM).
    case mode(Int, isKnown: Bool)
    /// The user opened the notification with this identifier (OSC 99).
    case notification(String)
    /// The user switched to a dark or light appearance (CSI ? 997 n).
    case appearance(isDark: Bool)
}

/// The purpose of a terminal colour.
public enum ColorSlot: Hashable, Sendable {
    /// The default text colour.
    case foreground
    /// The default background.
    case background
    /// One of the sixteen colours.
    case ansi(Int)
}

/// The reason why a program must end.
public enum TerminationReason: Hashable, Sendable {
    /// A signal such as SIGTERM.
    case signal(Int32)
    /// The terminal was closed.
    case hangup
}
