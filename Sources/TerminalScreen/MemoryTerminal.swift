import TerminalText

/// A terminal in memory, for tests.
///
/// ```swift
/// let terminal = MemoryTerminal(size: Size(width: 40, height: 12))
/// let application = Application(terminal: terminal, root: MyViewController())
/// application.send(.key(KeyPress(.down)))
/// #expect(terminal.text == expected)
/// ```
@MainActor
public final class MemoryTerminal: Terminal {
    /// The size. Set it before sending a resize event.
    public var size: Size
    /// The simulated capabilities.
    public var capabilities: TerminalCapabilities
    /// The last presented cells.
    public private(set) var cells: CellGrid
    /// The last position of the text cursor.
    public private(set) var cursor: Point?
    /// The number of cells that the last presentation changed.
    public private(set) var changedCells = 0
    /// The number of presentations.
    public private(set) var presentations = 0
    /// The last copied text.
    public private(set) var copied: String?
    /// The events that ``wait(milliseconds:)`` returns next.
    public var events: [InputEvent] = []

    /// Creates a terminal.
    public init(size: Size, capabilities: TerminalCapabilities = TerminalCapabilities()) {
        self.size = size
        self.capabilities = capabilities
        cells = CellGrid(size: size)
    }

    /// Does nothing, since memory is always available.
    public func start() throws(TerminalError) {}
    /// Does nothing.
    public func stop() {}
    /// Does nothing.
    public func suspend() {}
    /// Whether mouse events are enabled.
    public private(set) var reportsMouse = true
    /// Records whether mouse events are enabled.
    public func setMouse(enabled: Bool) { reportsMouse = enabled }

    /// The added pictures with their pixels.
    public private(set) var pictures: [(picture: TerminalPicture, pixels: PixelBuffer)] = []

    /// Does nothing, since ``capabilities`` already contains the result.
    public func detectGraphics() {}

    /// Records a picture if the capabilities support it.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? {
        guard capabilities.graphics.protocols.contains(way) else { return nil }
        let added = TerminalPicture(number: UInt8(16 + pictures.count % 240), group: 1, size: cells)
        pictures.append((added, picture))
        return added
    }

    /// Whether a picture was added and is still supported.
    public func has(_ picture: TerminalPicture) -> Bool {
        !capabilities.graphics.protocols.isEmpty && pictures.contains { $0.picture == picture }
    }

    /// Copies the cells and counts those that changed.
    public func present(_ grid: CellGrid, cursor: Point?) {
        presentations += 1
        self.cursor = cursor
        changedCells = 0
        if cells.size == grid.size {
            changedCells = grid.cells.withUnsafeBufferPointer { new in
                cells.cells.withUnsafeBufferPointer { old in
                    var count = 0
                    for index in 0..<new.count where new[index] != old[index] { count += 1 }
                    return count
                }
            }
        } else {
            changedCells = grid.cells.count
        }
        cells.copy(from: grid)
    }

    /// Returns and removes the events in ``events``.
    public func wait(milliseconds: Int?) -> [InputEvent] {
        defer { events.removeAll() }
        return events
    }

    /// The window title.
    public private(set) var title: DisplayText = ""

    /// Records the title.
    public func setTitle(_ title: DisplayText) { self.title = title }

    /// The progress set by ``setProgress(_:)``.
    public private(set) var progress: Double?

    /// Stores the progress.
    public func setProgress(_ share: Double?) { progress = share }

    /// The notifications sent by ``notify(title:body:)``.
    public private(set) var notifications: [String] = []

    /// Records a notification.
    public func notify(title: String, body: String, identifier: String) { notifications.append("\(title): \(body)") }

    /// Records the text.
    public func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void) {
        copied = text
        report(.terminal)
    }

    /// The screen as text, a line for each row without trailing blanks.
    public var text: String {
        (0..<cells.size.height).map { row in
            let line = cells.text(row: row)
            let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map { line.utf8.index(after: $0) }
            return String(line[..<(end ?? line.startIndex)])
        }.joined(separator: "\n")
    }
}
