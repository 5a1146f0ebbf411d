import TerminalText

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
    /// How that is known, in a sentence; empty where it was not found out.
    public var colorsExplanation = ""
    /// Whether the brighter eight of the sixteen can be grounds too.
    public var hasBrightColors = true
    /// Whether lines and symbols beyond ASCII can be shown.
    public var hasUnicode: Bool
    /// Which pictures can be shown.
    public var graphics: GraphicsSupport
    /// The terminal's own colours, once it has told them.
    public var ownColors: TerminalColors?

    /// Makes a set of capabilities.
    public init(colors: ColorDepth = .palette, hasUnicode: Bool = true, graphics: GraphicsSupport = .unknown) {
        self.colors = colors
        self.hasUnicode = hasUnicode
        self.graphics = graphics
    }
}

/// Who keeps what was copied.
public enum Clipboard: Hashable, Sendable {
    /// tmux's buffer, from which tmux gives it to the terminal's clipboard where that is allowed.
    case tmux
    /// The terminal, by OSC 52; whether it takes it nobody says.
    case terminal
}

/// Whether frames are bracketed by the marks of synchronised output (mode 2026), so that the terminal shows each as a whole.
public enum SynchronizedOutput: Hashable, Sendable {
    /// Where the terminal tells that it knows them (DECRQM).
    case asTold
    /// Everywhere.
    case always
    /// Nowhere.
    case never
}

/// A place to show cells and to get events from.
@MainActor
public protocol Terminal: AnyObject {
    /// Columns and rows.
    var size: Size { get }
    /// What it can show.
    var capabilities: TerminalCapabilities { get }
    /// Takes the terminal over; does nothing when that was done.
    func start() throws(TerminalError)
    /// Gives the terminal back as it was found.
    func stop()
    /// Leaves the screen to the shell, as Ctrl-Z does, until the process is continued.
    func suspend()
    /// Leaves the screen to another program while some work runs it, and takes it back.
    ///
    /// - Returns: What the work has returned; `nil` where there is no screen to give.
    func handOver<Value>(_ work: () -> Value) -> Value?
    /// Shows a grid: only the cells that differ from what is shown are sent.
    ///
    /// - Parameters:
    ///   - grid: The cells of the whole screen.
    ///   - cursor: Where the text cursor stands; `nil` hides it.
    func present(_ grid: CellGrid, cursor: Point?)
    /// Forgets what is shown, so that the next grid is sent whole: another program may have written to the screen.
    func invalidate()
    /// Waits for events, at most so many milliseconds (`nil`: without end), and runs what waits for the main actor.
    func wait(milliseconds: Int?) -> [InputEvent]
    /// Waits until ``wait(milliseconds:)`` has something to give, at most so many milliseconds, with the main actor free for
    /// other work.
    func ready(milliseconds: Int?) async
    /// Ends a wait from ``ready(milliseconds:)``: there is something to draw.
    func wake()
    /// Writes to the terminal's clipboard, where it allows that (OSC 52).
    ///
    /// - Parameter report: Called with who was given it.
    func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void)
    /// Tells somebody who does not look at the terminal that something has happened, in the way that the terminal knows.
    func notify(title: String, body: String)
    /// Names the window, or tmux's pane; empty: as it was named before.
    func setTitle(_ title: DisplayText)
    /// Turns mouse reports on or off.
    func setMouse(enabled: Bool)
    /// Finds out the terminal's own colours; they come as an event, if it tells them.
    func detectColors()
    /// Finds out which pictures can be shown; a change comes as an event. Until it is called, none can.
    func detectGraphics()
    /// Gives a picture to the terminal, to be shown where its cells are drawn.
    ///
    /// - Parameters:
    ///   - picture: Its pixels; for sixels as many as the cells have.
    ///   - cells: Columns and rows that it takes.
    ///   - way: How it is shown.
    /// - Returns: The picture as cells show it; `nil` when it cannot be shown so.
    func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture?
    /// Whether a picture can still be shown: terminals keep those that were added last.
    func has(_ picture: TerminalPicture) -> Bool
}

extension Terminal {
    /// Looks every few milliseconds.
    public func ready(milliseconds: Int?) async { try? await Task.sleep(for: .milliseconds(min(5, milliseconds ?? 5))) }
    /// Does nothing: nobody waits long.
    public func wake() {}
    /// Does nothing: a terminal that nobody else writes to.
    public func invalidate() {}
    /// Gives nothing: a terminal that no other program can use.
    public func handOver<Value>(_ work: () -> Value) -> Value? { nil }
    /// Does nothing: a terminal without a title.
    public func setTitle(_ title: DisplayText) {}
    /// Does nothing: a terminal that does not tell.
    public func detectColors() {}
    /// Does nothing: a terminal that shows characters only.
    public func detectGraphics() {}
    /// No pictures can be shown.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? { nil }
    /// No pictures can be shown.
    public func has(_ picture: TerminalPicture) -> Bool { false }
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
        case .unsuitable(let term): "the terminal type '\(term)' can't display the dashboard"
        }
    }
}
