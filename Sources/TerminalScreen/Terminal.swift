/// What a terminal can show.
public struct TerminalCapabilities: Hashable, Sendable {
    /// How many colours there are.
    public enum ColorDepth: Int, Hashable, Sendable, Comparable {
        /// None: attributes only.
        case none
        /// The sixteen of the terminal's palette.
        case sixteen
        /// The 256 of the xterm palette.
        case palette
        /// Any red, green and blue.
        case direct

        /// Fewer colours come first.
        public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
    }

    /// How many colours there are.
    public var colors: ColorDepth
    /// Whether lines and symbols beyond ASCII can be shown.
    public var hasUnicode: Bool

    /// Makes a set of capabilities.
    public init(colors: ColorDepth = .palette, hasUnicode: Bool = true) {
        self.colors = colors
        self.hasUnicode = hasUnicode
    }
}

/// A place to show cells and to get events from.
@MainActor
public protocol Terminal: AnyObject {
    /// Columns and rows.
    var size: Size { get }
    /// What it can show.
    var capabilities: TerminalCapabilities { get }
    /// Takes the terminal over.
    func start() throws(TerminalError)
    /// Gives the terminal back as it was found.
    func stop()
    /// Leaves the screen to the shell, as Ctrl-Z does, until the process is continued.
    func suspend()
    /// Shows a grid: only the cells that differ from what is shown are sent.
    ///
    /// - Parameter cursor: Where the text cursor stands; `nil` hides it.
    func present(_ grid: CellGrid, cursor: Point?)
    /// Waits for events, at most so many milliseconds (`nil`: without end), and runs what waits for the main actor.
    func wait(milliseconds: Int?) -> [InputEvent]
    /// Writes to the terminal's clipboard, where it allows that (OSC 52).
    func copy(_ text: String)
    /// Turns mouse reports on or off.
    func setMouse(enabled: Bool)
}

/// Why a terminal cannot be used.
public enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// The terminal's type, as TERM names it, is unknown or cannot place text.
    case unsuitable(term: String)
}

extension TerminalError: CustomStringConvertible {
    /// The reason in one sentence.
    public var description: String {
        switch self {
        case .notATerminal: "this is not a terminal"
        case .unsuitable(let term) where term.isEmpty: "TERM is not set, so the terminal's type is unknown"
        case .unsuitable(let term): "the terminal type '\(term)' cannot show a dashboard"
        }
    }
}
