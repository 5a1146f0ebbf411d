/// A key without its modifiers.
public enum Key: Hashable, Sendable {
    /// A character as typed, upper case with Shift.
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
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow left.
    case left
    /// The arrow right.
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
    /// A function key, 1 to 24.
    case function(Int)
}

/// Keys that are held while another is pressed.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, where the key itself does not tell.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt (Meta).
    public static let alt = KeyModifiers(rawValue: 2)
    /// Control.
    public static let control = KeyModifiers(rawValue: 4)
}

/// A key as it was pressed.
public struct KeyPress: Hashable, Sendable {
    /// The key.
    public var key: Key
    /// The modifiers.
    public var modifiers: KeyModifiers

    /// Makes a key press.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A mouse report in cells.
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

    /// What the mouse did.
    public enum Action: Hashable, Sendable {
        /// A button went down.
        case press(Button)
        /// The mouse moved while a button was held.
        case drag(Button)
        /// A button went up; X10 reports do not say which, so none is told.
        case release
        /// The wheel turned: rows down (positive) or up.
        case wheel(Int)
        /// The wheel was tilted: columns right (positive) or left.
        case horizontalWheel(Int)
    }

    /// What it did.
    public var action: Action
    /// Where, from the upper left corner of the screen.
    public var location: Point
    /// The modifiers held.
    public var modifiers: KeyModifiers
    /// The presses in a row at that place that a press, a drag or a release belongs to: 2 for a double click. Terminals do not
    /// say; whoever sees all reports counts.
    public var clicks = 1

    /// Makes a report.
    public init(_ action: Action, at location: Point, _ modifiers: KeyModifiers = []) {
        self.action = action
        self.location = location
        self.modifiers = modifiers
    }
}

/// What comes from a terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key press.
    case key(KeyPress)
    /// A mouse report.
    case mouse(MouseEvent)
    /// Pasted text: never a row of commands (row TER-05).
    case paste(String)
    /// The terminal got the focus (`true`) or lost it; many never say so.
    case focus(Bool)
    /// The terminal has another size.
    case resize(Size)
    /// The process was continued after a stop.
    case resume
    /// The terminal answers a question.
    case report(TerminalReport)
    /// The terminal's own colours are known or are others, or how many it has: its capabilities say so.
    case colors
    /// What is known of the pictures that the terminal can show has changed.
    case graphics(GraphicsSupport)
    /// The program is asked to end.
    case terminate(TerminationReason)
}

/// What a terminal answers when it is asked about itself.
public enum TerminalReport: Hashable, Sendable {
    /// Its name and version (XTVERSION).
    case version(String)
    /// Its kind and abilities, as numbers (DA1).
    case attributes([Int])
    /// Pixels of a cell (XTWINOPS 16).
    case cellSize(Size)
    /// Colours that a picture in sixels can have (XTSMGRAPHICS).
    case colorRegisters(Int)
    /// One of its colours (OSC 4, 10, 11).
    case color(ColorSlot, RGB)
    /// A capability that it has (XTGETTCAP).
    case capability(String)
    /// How it writes text now, as parameters of SGR (DECRQSS).
    case style(String)
    /// A mode, and whether it knows it (DECRQM).
    case mode(Int, isKnown: Bool)
    /// Its user has changed to a dark or a light look (CSI ? 997 n).
    case appearance(isDark: Bool)
}

/// What a colour of a terminal is for.
public enum ColorSlot: Hashable, Sendable {
    /// Text that asks for no colour.
    case foreground
    /// The ground of that.
    case background
    /// One of the sixteen.
    case ansi(Int)
}

/// Why a program is asked to end.
public enum TerminationReason: Hashable, Sendable {
    /// A signal such as SIGTERM.
    case signal(Int32)
    /// The terminal is gone.
    case hangup
}
