import CNcurses
import Foundation
// For the linker: CNcurses waits for the main dispatch queue.
import Dispatch
import Platform
import Synchronization
import TerminalText

/// The terminal of the program, driven by ncurses.
///
/// ncurses starts and stops the screen, reads the terminfo entry, and sends the fewest bytes for changed cells.
/// ``InputDecoder`` decodes keys and mouse events.
@MainActor
public final class NcursesTerminal: Terminal {
    /// The size in cells.
    public private(set) var size: Size = .zero
    /// The capabilities of the terminal.
    public private(set) var capabilities: TerminalCapabilities
    private let requestedColors: TerminalCapabilities.ColorDepth?
    private var colorDetection: ColorDetection?
    private var tmuxQuestion: Task<Void, Never>?
    private var laterQuestion: Task<Void, Never>?
    private let synchronization: SynchronizedOutput
    private var synchronizesOutput: Bool
    private var decoder = InputDecoder()
    private var shown: CellGrid
    private var palette = ColorPalette(depth: .none)
    private var isStarted = false
    /// Whether the runtime drives the main queue, as in an asynchronous program.
    private var isOffMainQueue = false
    private var colorQuestion = ColorQuestion()
    private var pendingQueries = PendingQueries()
    /// Whether the colours were queried, and must be again when they may have changed.
    private var followsColors = false
    private var lastInput = ContinuousClock.now
    /// The events from outside the event loop.
    private var late: [InputEvent] = []
    private var shownCursor: Point?
    /// Whether the terminal opens links itself (OSC 8).
    private var opensLinks = false
    private var skipped: (grid: CellGrid, cursor: Point?)?
    private lazy var graphics = TerminalGraphics(
        environment: NcursesTerminal.environment, colors: { [weak self] in self?.capabilities.colors ?? .none },
        cellOfSystem: NcursesTerminal.cellOfSystem, didQuery: { [weak self] in self?.pendingQueries.add(.graphics) }
    ) { [weak self] in
        self?.write($0)
    }

    /// The time to wait for the rest of a sequence after Esc, in milliseconds (row TER-05).
    private let escapeDelay: Int
    /// The usual time to wait after Esc, as in vim: over a slow connection the bytes of a key arrive apart.
    public static let usualEscapeDelay = 100
    /// The maximum time to wait after Esc inside tmux, which waits itself and sends the bytes of a key together.
    private static let escapeDelayInTmux = 20
    /// The time to wait for the rest of an answer, in milliseconds.
    static let answerDelay = 300
    /// The time to wait for the next part of a paste, in milliseconds.
    static let pasteDelay = 5000

    /// Creates a terminal on standard input and output.
    ///
    /// - Parameters:
    ///   - colors: The colours to use, or `nil` for what the terminal supports and NO_COLOR allows.
    ///   - synchronization: Whether to mark frames for synchronised output.
    ///   - escapeDelay: The time to wait for the rest of a key after Esc, in milliseconds. Inside tmux it is shorter.
    public init(
        colors: TerminalCapabilities.ColorDepth? = nil, synchronization: SynchronizedOutput = .whenReported,
        escapeDelay: Int = NcursesTerminal.usualEscapeDelay
    ) {
        let isInTmux = !NcursesTerminal.environment("TMUX").isEmpty
        self.escapeDelay = isInTmux ? min(escapeDelay, NcursesTerminal.escapeDelayInTmux) : escapeDelay
        requestedColors = colors
        self.synchronization = synchronization
        synchronizesOutput = synchronization == .always
        capabilities = TerminalCapabilities()
        shown = CellGrid(size: .zero)
    }

    /// Starts the alternate screen, raw keys, and mouse, paste and focus reports.
    ///
    /// - Throws: ``TerminalError`` if there is no terminal, or it can't position text.
    public func start() throws(TerminalError) {
        guard !isStarted else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
        let environment = NcursesTerminal.environment
        let term = environment("TERM")
        guard !term.isEmpty, term != "dumb" else { throw .unsuitable(term: term) }
        // Some terminals have their own terminfo entries, which other machines lack. All of them are compatible with
        // xterm.
        let entries = ColorQuestion.isLikeXterm(term) ? [term, "xterm-256color"] : [term]
        guard entries.contains(where: { cnc_start($0, STDOUT_FILENO, STDIN_FILENO) == 0 }) else {
            throw .unsuitable(term: term)
        }
        isStarted = true
        let detection = ColorDetection(
            environment: environment, requested: requestedColors, described: Int(cnc_colors()),
            isDescribedAsDirect: cnc_has_direct_color(), canWriteDirect: cnc_writes_direct_colors())
        colorDetection = detection
        capabilities.colors = detection.atStart.depth
        capabilities.colorsExplanation = detection.atStart.explanation
        capabilities.hasBrightColors = cnc_colors() >= 16
        capabilities.hasUnicode =
            ["LC_ALL", "LC_CTYPE", "LANG"].map(environment).first { !$0.isEmpty }
            .map { $0.lowercased().contains("utf") } ?? false
        palette = ColorPalette(depth: capabilities.colors, hasBright: capabilities.hasBrightColors)
        decoder = InputDecoder(described: describedKeys())
        opensLinks = HyperlinkSupport.isKnown(environment)
        takeSize()
    }

    private var title: DisplayText = ""

    nonisolated private static func environment(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }

    nonisolated private static let forcedExit = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets an action to run when the program is killed because its main thread did not react to a signal for seconds.
    /// It runs on its own thread, after the terminal was restored.
    nonisolated public static func onForcedExit(_ action: @escaping @Sendable () -> Void) {
        forcedExit.withLock { $0 = action }
        cnc_on_forced_exit { NcursesTerminal.forcedExit.withLock { $0 }?() }
    }

    /// Restores a terminal that a killed program left behind: its modes and those of the line.
    nonisolated public static func reset() { cnc_reset_terminal(STDOUT_FILENO) }

    /// Gives the terminal back.
    public func stop() {
        guard isStarted else { return }
        graphics.stop()
        awaitAnswers()
        isStarted = false
        cnc_stop()
    }

    /// Suspends the program until the process is continued.
    public func suspend() {
        cnc_suspend()
        pendingQueries.removeAll()
        writeTitle()
        takeSize()
        graphics.retransmit()
    }

    /// Leaves the screen to another program while `work` runs.
    public func handOver<Value>(_ work: () -> Value) -> Value? {
        guard isStarted else { return nil }
        cnc_leave()
        let value = work()
        cnc_return()
        pendingQueries.removeAll()
        writeTitle()
        takeSize()
        graphics.retransmit()
        return value
    }

    /// Sets the title of the window or tmux pane (OSC 2).
    public func setTitle(_ title: DisplayText) {
        guard title != self.title else { return }
        self.title = title
        if title.isEmpty {
            // The previous title is on the terminal's stack, from which it is restored and pushed again.
            write(Array("\u{1B}[23;2t\u{1B}[22;2t".utf8))
        } else {
            writeTitle()
        }
    }

    private func writeTitle() {
        if !title.isEmpty { write(Array("\u{1B}]2;\(title.string)\u{1B}\\".utf8)) }
    }

    /// Enables or disables mouse reports.
    public func setMouse(enabled: Bool) { cnc_set_mouse(enabled) }

    /// Copies to tmux's buffer, which tmux forwards to the terminal's clipboard, or by OSC 52.
    ///
    /// By default tmux ignores OSC 52 from programs inside it (`set-clipboard external`), but not its own program.
    public func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void) {
        guard TmuxProgram.isAvailable else {
            copyByEscape(text)
            return report(.terminal)
        }
        Task {
            let isCopied = await Task.detached { TmuxProgram.copy(text) }.value
            if !isCopied { copyByEscape(text) }
            report(isCopied ? .tmux : .terminal)
        }
    }

    private func copyByEscape(_ text: String) {
        write(Array("\u{1B}]52;c;".utf8) + Data(text.utf8.prefix(74_000)).base64EncodedData() + [0x07])
    }

    /// Notifies by the terminal's own notifications if it has any, otherwise by its bell, which tmux shows in its
    /// status line.
    public func notify(title: String, body: String) {
        write(
            TerminalNotification.bytes(title: title, body: body) { name in
                getenv(name).map { String(cString: $0) } ?? ""
            })
    }

    private func write(_ bytes: [UInt8]) {
        guard isStarted else { return }
        bytes.withUnsafeBytes { cnc_write($0.baseAddress, $0.count) }
    }

    /// Returns the size of a cell in pixels if the system knows the window's.
    nonisolated private static func cellOfSystem() -> Size? {
        var (width, height): (Int32, Int32) = (0, 0)
        cnc_cell_size(&width, &height)
        return width > 0 && height > 0 ? Size(width: Int(width), height: Int(height)) : nil
    }

    private func takeSize() {
        var rows: Int32 = 0
        var columns: Int32 = 0
        cnc_size(&rows, &columns)
        size = Size(width: max(1, Int(columns)), height: max(1, Int(rows)))
        shown = CellGrid(size: .zero)
    }

    private func describedKeys() -> [[UInt8]: Key] {
        let names: [(String, Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kich1", .insert), ("kcbt", .backTab),
        ]
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in names + (1...12).map({ ("kf\($0)", Key.function($0)) }) {
            guard let value = cnc_key_string(name) else { continue }
            let bytes = Array(String(cString: value).utf8)
            if bytes.count > 1, bytes[0] == 0x1B { keys[bytes] = key }
        }
        return keys
    }

    // MARK: Events

    /// Waits for events and runs the jobs of the main actor.
    public func wait(milliseconds: Int?) -> [InputEvent] {
        let limit = [milliseconds, untilFlush].compactMap { $0 }.min() ?? -1
        let woken = cnc_wait(Int32(limit))
        var events: [InputEvent] = []
        if woken & Int32(CNC_WAKE_SIGNAL) != 0 { events += takeSignals() }
        if woken & Int32(CNC_WAKE_INPUT) != 0 {
            events += readInput()
        } else if untilFlush == 0 {
            events += decoder.flush()
        }
        if woken & Int32(CNC_WAKE_HANGUP) != 0 { events.append(.terminate(.hangup)) }
        if woken & Int32(CNC_WAKE_OUTPUT) != 0, let (grid, cursor) = skipped { present(grid, cursor: cursor) }
        if woken & Int32(CNC_WAKE_MAIN_QUEUE) != 0, !isOffMainQueue { cnc_drain_main_queue() }
        defer { late = [] }
        return takeOwn(of: events) + graphics.takeEvents() + late
    }

    /// Waits like ``wait(milliseconds:)`` without blocking the main actor, and returns no events.
    public func ready(milliseconds: Int?) async {
        isOffMainQueue = true
        let limit = Int32([milliseconds, untilFlush].compactMap { $0 }.min() ?? -1)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                cnc_wait_beside(limit)
                continuation.resume()
            }
        }
    }

    /// Ends ``ready(milliseconds:)``.
    public func wake() { cnc_wake() }

    /// The milliseconds until an incomplete sequence is decoded, or `nil` if there is none.
    private var untilFlush: Int? {
        guard decoder.isWaiting else { return nil }
        let delay =
            decoder.isInsidePaste
            ? NcursesTerminal.pasteDelay
            : decoder.isInsideAnswer ? NcursesTerminal.answerDelay : escapeDelay
        return max(0, delay - Int(clamping: lastInput.duration(to: .now) / .milliseconds(1)))
    }

    /// Removes answers from events and processes them, and detects when the terminal may be another.
    private func takeOwn(of events: [InputEvent]) -> [InputEvent] {
        var found: [InputEvent] = []
        return events.filter { event in
            switch event {
            case .report(.appearance):
                detectColors()
                return false
            case .report(.mode(2026, let isKnown)):
                synchronizesOutput = synchronization == .always || isKnown && synchronization == .whenReported
                return false
            case .report(let report):
                if let support = colorDetection?.support(after: report), use(support) { found.append(.colors) }
                if passOn(report) { found.append(.colors) }
                return false
            case .focus(true):
                if followsColors { detectColors() }
                graphics.terminalMayHaveChanged(hasSameCells: true)
            case .resize:
                if followsColors { detectColors() }
                graphics.terminalMayHaveChanged(hasSameCells: false)
            case .focus: graphics.terminalMayHaveChanged(hasSameCells: true)
            default: break
            }
            return true
        } + found
    }

    /// Passes an answer to the query that it belongs to.
    ///
    /// - Returns: Whether the terminal's colours changed.
    private func passOn(_ report: TerminalReport) -> Bool {
        if case .attributes = report {
            guard let subject = pendingQueries.endOldest() else { return false }
            if subject == .graphics { graphics.take(report) }
            guard subject == .colors else { return false }
        } else {
            graphics.take(report)
        }
        guard let colors = colorQuestion.take(report), colors != capabilities.ownColors else { return false }
        capabilities.ownColors = colors
        return true
    }

    /// Reads pending answers before the terminal is given back, so that they don't end up in the shell.
    private func awaitAnswers() {
        let end = ContinuousClock.now + TerminalGraphics.patience
        while graphics.isAwaiting || colorQuestion.isAwaiting, ContinuousClock.now < end {
            if cnc_wait(10) & Int32(CNC_WAKE_INPUT) != 0 { _ = takeOwn(of: readInput()) }
        }
    }

    private func readInput() -> [InputEvent] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = cnc_read(&buffer, Int32(buffer.count))
        if count < 0 { return [.terminate(.hangup)] }
        lastInput = .now
        return decoder.decode(buffer[..<Int(count)])
    }

    private func takeSignals() -> [InputEvent] {
        var events: [InputEvent] = []
        while true {
            let number = cnc_next_signal()
            switch number {
            case 0: return events
            case SIGWINCH:
                cnc_resize()
                takeSize()
                events.removeAll { if case .resize = $0 { true } else { false } }
                events.append(.resize(size))
            case SIGTSTP:
                suspend()
                events.append(.resize(size))
                events.append(.resume)
            case SIGCONT:
                cnc_continue()
                takeSize()
                graphics.retransmit()
                events.append(.resize(size))
                events.append(.resume)
            case SIGHUP: events.append(.terminate(.hangup))
            default: events.append(.terminate(.signal(number)))
            }
        }
    }

    // MARK: Presenting

    /// Sends the cells that differ from the screen.
    public func present(_ grid: CellGrid, cursor: Point?) {
        guard isStarted else { return }
        // A terminal that doesn't read gets only the last frame later.
        guard !cnc_is_behind() else { return skipped = (grid, cursor) }
        skipped = nil
        let isFresh = shown.size != grid.size
        var hasChanged = isFresh || cursor != shownCursor
        var writtenRows: Set<Int> = []
        let width = grid.size.width
        grid.cells.withUnsafeBufferPointer { new in
            shown.cells.withUnsafeBufferPointer { old in
                for row in 0..<grid.size.height {
                    let range = row * width..<(row + 1) * width
                    if isFresh {
                        writtenRows.insert(row)
                        put(new, range, line: range, row: row)
                        continue
                    }
                    guard let newBase = new.baseAddress, let oldBase = old.baseAddress else { return }
                    let byteCount = width * MemoryLayout<Cell>.stride
                    if memcmp(newBase + range.lowerBound, oldBase + range.lowerBound, byteCount) == 0 { continue }
                    hasChanged = true
                    writtenRows.insert(row)
                    putChanges(new, old, range, row: row)
                    // A terminal joins the two cells of a flag only if they arrive together.
                    if new[range].contains(where: \.isFlag) || old[range].contains(where: \.isFlag) {
                        cnc_redraw_row(Int32(row))
                    }
                }
            }
        }
        // The same text may now have another link.
        if opensLinks, grid.links != shown.links { writtenRows.formUnion(grid.links.map(\.row)) }
        guard hasChanged || !writtenRows.isEmpty else { return }
        shown.copy(from: grid)
        shownCursor = cursor
        if let cursor { cnc_cursor(Int32(cursor.y), Int32(cursor.x)) } else { cnc_cursor(-1, 0) }
        cnc_flush(synchronizesOutput)
        let sixels = graphics.sixels(on: grid, writtenRows: writtenRows)
        if !sixels.isEmpty { write(sixels) }
        if opensLinks {
            let links = HyperlinkWriter.bytes(of: grid, rows: writtenRows, palette: palette)
            if !links.isEmpty { write(links) }
        }
    }

    /// Forgets the content of the screen, so that the next frame is sent completely and pictures are transmitted again.
    public func invalidate() {
        guard isStarted else { return }
        cnc_invalidate()
        shown = CellGrid(size: .zero)
        graphics.retransmit()
    }

    // MARK: Pictures

    /// Queries the terminal or tmux for its colours.
    ///
    /// The terminal reports changes between dark and light by itself (mode 2031, enabled at the start). The same query
    /// covers the number of colours and synchronised output.
    public func detectColors() {
        let environment = NcursesTerminal.environment
        let isInTmux = !environment("TMUX").isEmpty
        guard isStarted, !colorQuestion.isAwaiting,
            ColorQuestion.isSuitable(
                term: environment("TERM"), isInTmux: isInTmux, isInScreen: !environment("STY").isEmpty)
        else { return }
        if isInTmux { askTmux(pane: environment("TMUX_PANE")) }
        var bytes: [UInt8] = []
        // tmux answers for itself, and some of its versions lose what is erased within the marks.
        if synchronization == .whenReported, !isInTmux { bytes += "\u{1B}[?2026$p".utf8 }
        if colorDetection?.asksTerminal ?? false { bytes += ColorDetection.question.utf8 }
        colorQuestion.ask()
        pendingQueries.add(.colors)
        write(bytes + ColorQuestion.bytes)
        followsColors = true
        if laterQuestion == nil { laterQuestion = Task { [weak self] in await self?.askLater(isInTmux: isInTmux) } }
    }

    /// Queries again after a second: until then tmux may not know its terminal, and a new terminal may not answer. Without
    /// an answer it queries a last time two seconds later.
    private func askLater(isInTmux: Bool) async {
        for (delay, isNeeded) in [(1, isInTmux), (2, false)] {
            try? await Task.sleep(for: .seconds(delay))
            if isNeeded || capabilities.ownColors == nil { detectColors() }
        }
    }

    private func askTmux(pane: String) {
        guard colorDetection?.isOpen ?? false, tmuxQuestion == nil, !pane.isEmpty else { return }
        tmuxQuestion = Task { [weak self] in
            let answer = await Task.detached { TmuxAnswer.ask(pane: pane) }.value
            guard let self else { return }
            tmuxQuestion = nil
            // tmux before 3.4 doesn't know its terminal's colours.
            if answer?.reachesTerminal == true { write(ColorQuestion.passedThrough) }
            let opens = HyperlinkSupport.isKnown(answer)
            if opens != opensLinks {
                opensLinks = opens
                shown = CellGrid(size: .zero)
                late.append(.colors)
            }
            if let support = colorDetection?.support(after: answer), use(support) { late.append(.colors) }
        }
    }

    /// Adopts another number of colours.
    ///
    /// - Returns: Whether anything changed.
    private func use(_ support: ColorSupport) -> Bool {
        guard isStarted, support.depth != capabilities.colors || support.explanation != capabilities.colorsExplanation
        else { return false }
        if support.depth != capabilities.colors {
            palette = ColorPalette(depth: support.depth, hasBright: capabilities.hasBrightColors)
            shown = CellGrid(size: .zero)
        }
        let isOther = support.depth != capabilities.colors
        capabilities.colors = support.depth
        capabilities.colorsExplanation = support.explanation
        if isOther { graphics.colorsChanged() }
        return true
    }

    /// Detects which pictures can be shown by querying tmux or the terminal.
    public func detectGraphics() { graphics.detect() }

    /// Transmits a picture to the terminal.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? {
        await graphics.add(picture, cells: cells, by: way)
    }

    /// Whether a picture can still be shown.
    public func has(_ picture: TerminalPicture) -> Bool { graphics.has(picture) }

    private func putChanges(
        _ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, _ range: Range<Int>, row: Int
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            while index < range.upperBound, new[index] == old[index] { index += 1 }
            guard index < range.upperBound else { return }
            var start = index
            while index < range.upperBound, new[index] != old[index] { index += 1 }
            // A run must not start or end inside a wide character.
            while start > range.lowerBound, new[start].columns == 0 { start -= 1 }
            while index < range.upperBound, new[index].columns == 0 { index += 1 }
            put(new, start..<index, line: range, row: row)
        }
    }

    private var scratch: [cnc_cell] = []

    /// Passes a range of a row's cells to ncurses.
    private func put(_ cells: UnsafeBufferPointer<Cell>, _ range: Range<Int>, line: Range<Int>, row: Int) {
        scratch.removeAll(keepingCapacity: true)
        var runStart = range.lowerBound
        var previous: Cell?
        for index in range {
            var cell = cells[index]
            // Invisible properties of a blank follow its neighbours, so that they need not be sent.
            let isFirst = index == line.lowerBound && index + 1 < line.upperBound
            if let neighbour = isFirst ? cells[index + 1] : previous, cell.canLook(like: neighbour),
                isShortGap(cells, index, before: line.upperBound)
            {
                cell.foreground = neighbour.foreground
                cell.attributes = neighbour.attributes
            }
            previous = cell
            let look = palette.look(of: cell)
            let glyph = Glyph(rawValue: cell.glyph)
            if cell.columns > 0, glyph.isCluster, graphics.isSixel(cell) {
                // A blank that ncurses doesn't treat as empty, so that it overwrites the picture later.
                scratch.append(cnc_cell(scalar: 0xA0, pair: 0, attributes: 0, width: 1))
                continue
            }
            if let flag = glyph.flag {
                let scalar = cell.columns > 0 ? flag.first : flag.second
                scratch.append(
                    cnc_cell(scalar: scalar.value, pair: look.pair, attributes: look.attributes, width: 1))
                continue
            }
            if cell.columns > 0, glyph.isCluster {
                flushRun(row: row, column: runStart - line.lowerBound)
                var scalars = glyph.drawnScalars.map(\.value)
                cnc_put_cluster(
                    Int32(row), Int32(index - line.lowerBound), &scalars, Int32(scalars.count), look.pair,
                    look.attributes)
                runStart = index + 1
                continue
            }
            scratch.append(
                cnc_cell(
                    scalar: glyph.scalar?.value ?? 32, pair: look.pair, attributes: look.attributes,
                    width: cell.columns))
        }
        flushRun(row: row, column: runStart - line.lowerBound)
    }

    /// Whether a blank is in a gap of one or two cells. Longer gaps are erased instead of written.
    private func isShortGap(_ cells: UnsafeBufferPointer<Cell>, _ index: Int, before end: Int) -> Bool {
        guard cells[index].isBlank else { return false }
        return index + 1 < end && !cells[index + 1].isBlank || index + 2 < end && !cells[index + 2].isBlank
    }

    private func flushRun(row: Int, column: Int) {
        guard !scratch.isEmpty else { return }
        cnc_put_run(Int32(row), Int32(column), &scratch, Int32(scratch.count))
        scratch.removeAll(keepingCapacity: true)
    }
}

extension NcursesTerminal {
    /// The version of ncurses.
    public nonisolated static var libraryVersion: String { cnc_version().map { String(cString: $0) } ?? "ncurses" }
}
