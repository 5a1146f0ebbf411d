import TerminalText

/// The clipboard that received copied text.
public enum Clipboard: Hashable, Sendable {
    /// tmux's buffer, which tmux forwards to the terminal's clipboard if allowed.
    case tmux
    /// The terminal by OSC 52. It doesn't report whether it accepted the text.
    case terminal
}

/// A device that shows cells and delivers events.
@MainActor
public protocol Terminal: AnyObject {
    /// The size in cells.
    var size: Size { get }
    /// The capabilities.
    var capabilities: TerminalCapabilities { get }
    /// Starts using the terminal. Does nothing if it was started before.
    func start() throws(TerminalError)
    /// Gives the terminal back as it was found.
    func stop()
    /// Suspends the program like Ctrl-Z until the process is continued.
    func suspend()
    /// Leaves the screen to another program while `work` runs.
    ///
    /// - Returns: The result of the work, or `nil` if there is no screen to hand over.
    func handOver<Value>(_ work: () -> Value) -> Value?
    /// Shows a grid by sending only the cells that have changed.
    ///
    /// - Parameters:
    ///   - grid: The cells of the whole screen.
    ///   - cursor: The position of the text cursor, or `nil` to hide it.
    func present(_ grid: CellGrid, cursor: Point?)
    /// Forgets the content of the screen, so that the next grid is sent completely, because another program may have
    /// written to it.
    func invalidate()
    /// Waits for events up to a number of milliseconds (`nil` for no limit), and runs the jobs of the main actor.
    func wait(milliseconds: Int?) -> [InputEvent]
    /// Waits until ``wait(milliseconds:)`` has events, up to a number of milliseconds, without blocking the main actor.
    func ready(milliseconds: Int?) async
    /// Ends ``ready(milliseconds:)``, because there is something to draw.
    func wake()
    /// Copies text to the terminal's clipboard if it allows that (OSC 52).
    ///
    /// - Parameter report: Called with the clipboard that received the text.
    func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void)
    /// Notifies a user who isn't looking at the terminal, in a way that the terminal supports.
    ///
    /// - Parameter identifier: What a terminal that can do so reports when the user opens the notification, or an empty
    ///   text.
    func notify(title: String, body: String, identifier: String)
    /// Sets the title of the window or tmux pane. An empty title restores the previous one.
    func setTitle(_ title: DisplayText)
    /// Shows the progress of work in the window's frame or tab if the terminal can, or ends it.
    ///
    /// - Parameter share: The share of the work that is done, from 0 to 1, or `nil` if there is no work.
    func setProgress(_ share: Double?)
    /// Enables or disables mouse reports.
    func setMouse(enabled: Bool)
    /// Detects the terminal's own colours, which arrive as an event if it reports them.
    func detectColors()
    /// Detects which pictures can be shown. Changes arrive as an event. Before the first call, none can be shown.
    func detectGraphics()
    /// Transmits a picture, which appears where its cells are drawn.
    ///
    /// - Parameters:
    ///   - picture: The pixels; for sixels as many as the cells have.
    ///   - cells: The size in cells.
    ///   - way: The protocol.
    /// - Returns: The picture for cells, or `nil` if it can't be shown.
    func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture?
    /// Whether a picture can still be shown. Terminals keep only the most recent ones.
    func has(_ picture: TerminalPicture) -> Bool
}

extension Terminal {
    /// By default checks every few milliseconds.
    public func ready(milliseconds: Int?) async { try? await Task.sleep(for: .milliseconds(min(5, milliseconds ?? 5))) }
    /// By default does nothing, because no wait is long.
    public func wake() {}
    /// By default does nothing, for terminals to which nobody else writes.
    public func invalidate() {}
    /// By default returns `nil`, for terminals that no other program can use.
    public func handOver<Value>(_ work: () -> Value) -> Value? { nil }
    /// Notifies without an identifier.
    public func notify(title: String, body: String) { notify(title: title, body: body, identifier: "") }
    /// By default does nothing, for terminals without a title.
    public func setTitle(_ title: DisplayText) {}
    /// By default does nothing, for terminals without a frame.
    public func setProgress(_ share: Double?) {}
    /// By default does nothing, for terminals that report no colours.
    public func detectColors() {}
    /// By default does nothing, for terminals that show only characters.
    public func detectGraphics() {}
    /// By default no pictures can be shown.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? { nil }
    /// By default no pictures can be shown.
    public func has(_ picture: TerminalPicture) -> Bool { false }
}

/// The reason why a terminal can't be used.
public enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// The terminal type in TERM is unknown or can't position text.
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
