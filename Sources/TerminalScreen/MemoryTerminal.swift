import TerminalText

/// A terminal in memory, for tests of screens.
///
/// ```swift
/// let terminal = MemoryTerminal(size: Size(width: 40, height: 12))
/// let application = Application(terminal: terminal, root: MyViewController())
/// application.send(.key(KeyPress(.down)))
/// #expect(terminal.text == expected)
/// ```
@MainActor
public final class MemoryTerminal: Terminal {
    /// Columns and rows; set it before a resize event is sent.
    public var size: Size
    /// What it is said to be able to show.
    public var capabilities: TerminalCapabilities
    /// The cells that were presented last.
    public private(set) var cells: CellGrid
    /// Where the text cursor was put last.
    public private(set) var cursor: Point?
    /// How many cells the last presentation changed.
    public private(set) var changedCells = 0
    /// How often something was presented.
    public private(set) var presentations = 0
    /// What was copied last.
    public private(set) var copied: String?
    /// Events that ``wait(milliseconds:)`` returns next.
    public var events: [InputEvent] = []

    /// Makes a terminal of a size.
    public init(size: Size, capabilities: TerminalCapabilities = TerminalCapabilities()) {
        self.size = size
        self.capabilities = capabilities
        cells = CellGrid(size: size)
    }

    /// Does nothing: memory is always ready.
    public func start() throws(TerminalError) {}
    /// Does nothing.
    public func stop() {}
    /// Does nothing.
    public func suspend() {}
    /// Whether it was asked to report clicks.
    public private(set) var reportsMouse = true
    /// Keeps whether clicks are reported.
    public func setMouse(enabled: Bool) { reportsMouse = enabled }

    /// The pictures that were added, with their pixels.
    public private(set) var pictures: [(picture: TerminalPicture, pixels: PixelBuffer)] = []

    /// Does nothing: what can be shown is said by ``capabilities``.
    public func detectGraphics() {}

    /// Keeps a picture, if the capabilities say that it can be shown.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? {
        guard capabilities.graphics.protocols.contains(way) else { return nil }
        let added = TerminalPicture(number: UInt8(16 + pictures.count % 240), group: 1, size: cells)
        pictures.append((added, picture))
        return added
    }

    /// Whether a picture was added, and pictures can still be shown.
    public func has(_ picture: TerminalPicture) -> Bool {
        !capabilities.graphics.protocols.isEmpty && pictures.contains { $0.picture == picture }
    }

    /// Keeps a copy of the cells and counts those that changed.
    public func present(_ grid: CellGrid, cursor: Point?) {
        presentations += 1
        self.cursor = cursor
        changedCells = 0
        if cells.size == grid.size {
            for (new, old) in zip(grid.cells, cells.cells) where new != old { changedCells += 1 }
        } else {
            changedCells = grid.cells.count
        }
        cells.copy(from: grid)
    }

    /// Returns the events that were put into ``events``.
    public func wait(milliseconds: Int?) -> [InputEvent] {
        defer { events.removeAll() }
        return events
    }

    /// The window's name.
    public private(set) var title: DisplayText = ""

    /// Keeps the name.
    public func setTitle(_ title: DisplayText) { self.title = title }

    /// What was told by ``notify(title:body:)``.
    public private(set) var notifications: [String] = []

    /// Keeps what would be told.
    public func notify(title: String, body: String) { notifications.append("\(title): \(body)") }

    /// Keeps the text.
    public func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void) {
        copied = text
        report(.terminal)
    }

    /// The screen as text: a line a row, blanks at the ends of lines left out.
    public var text: String {
        (0..<cells.size.height).map { row in
            var line = cells.text(row: row)
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
