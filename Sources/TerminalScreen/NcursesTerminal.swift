import CNcurses
import Dispatch
import Foundation
import Platform
import TerminalText

// For the linker: CNcurses waits for the main dispatch queue.

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
    private var synchronizesOutput = false
    private var input: InputReader
    private var screen = ScreenWriter()
    private(set) var isStarted = false
    /// Whether the runtime drives the main queue, as in an asynchronous program.
    private var isOffMainQueue = false
    private var pendingQueries = PendingQueries()
    /// The events from outside the event loop.
    private var late: [InputEvent] = []
    var title = WindowTitle()
    var progress = TerminalProgress()
    private var skipped: (grid: CellGrid, cursor: Point?)?
    private lazy var colors = ColorQueries(
        environment: NcursesTerminal.environment, requested: requestedColors,
        didQuery: { [weak self] in self?.pendingQueries.add(.colors) }
    ) { [weak self] in
        self?.write($0)
    }
    private(set) lazy var graphics = TerminalGraphics(
        environment: NcursesTerminal.environment, colors: { [weak self] in self?.capabilities.colors ?? .none },
        cellOfSystem: NcursesTerminal.cellOfSystem, didQuery: { [weak self] in self?.pendingQueries.add(.graphics) }
    ) { [weak self] in
        self?.write($0)
    }

    /// The usual time to wait after Esc, as in vim: over a slow connection the bytes of a key arrive apart.
    public static let usualEscapeDelay = 100

    /// Creates a terminal on standard input and output.
    ///
    /// - Parameters:
    ///   - colors: The colours to use, or `nil` for what the terminal supports and NO_COLOR allows.
    ///   - escapeDelay: The time to wait for the rest of a key after Esc, in milliseconds. Inside tmux it is shorter.
    public init(
        colors: TerminalCapabilities.ColorDepth? = nil, escapeDelay: Int = NcursesTerminal.usualEscapeDelay
    ) {
        let isInTmux = !NcursesTerminal.environment("TMUX").isEmpty
        input = InputReader(escapeDelay: escapeDelay, isInTmux: isInTmux)
        requestedColors = colors
        capabilities = TerminalCapabilities()
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
        let support = colors.start(
            described: Int(cnc_colors()), isDescribedAsDirect: cnc_has_direct_color(),
            canWriteDirect: cnc_writes_direct_colors())
        colors.tmuxDidAnswer = { [weak self] in self?.take($0) }
        capabilities.colors = support.depth
        capabilities.colorsExplanation = support.explanation
        capabilities.hasBrightColors = cnc_colors() >= 16
        capabilities.strikesText = cnc_strikes()
        capabilities.hasUnicode = ASCIISigns.hasUnicode(environment)
        screen.palette = ColorPalette(depth: capabilities.colors, hasBright: capabilities.hasBrightColors)
        screen.opensLinks = HyperlinkSupport.isKnown(environment)
        input.start()
        takeSize()
    }

    /// Gives the terminal back.
    public func stop() {
        guard isStarted else { return }
        graphics.stop()
        awaitAnswers()
        isStarted = false
        colors.stop()
        cnc_stop()
    }

    /// Suspends the program until the process is continued.
    public func suspend() {
        cnc_suspend()
        screenWasLent()
    }

    /// Leaves the screen to another program while `work` runs.
    public func handOver<Value>(_ work: () -> Value) -> Value? {
        guard isStarted else { return nil }
        cnc_leave()
        let value = work()
        cnc_return()
        screenWasLent()
        return value
    }

    /// Forgets queries whose answers another program may have read, and restores title, size and pictures.
    private func screenWasLent() {
        pendingQueries.removeAll()
        write(title.bytes + progress.bytes)
        takeSize()
        graphics.retransmit()
    }

    func write(_ bytes: [UInt8]) {
        guard isStarted, !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { cnc_write($0.baseAddress, $0.count) }
    }

    private func takeSize() {
        var (rows, columns): (Int32, Int32) = (0, 0)
        cnc_size(&rows, &columns)
        size = Size(width: max(1, Int(columns)), height: max(1, Int(rows)))
        screen.forget()
    }

    // MARK: Events

    /// Waits for events and runs the jobs of the main actor.
    public func wait(milliseconds: Int?) -> [InputEvent] {
        let limit = [milliseconds, input.untilFlush].compactMap { $0 }.min() ?? -1
        let woken = cnc_wait(Int32(limit))
        var events: [InputEvent] = []
        if woken & Int32(CNC_WAKE_SIGNAL) != 0 { events += takeSignals() }
        if woken & Int32(CNC_WAKE_INPUT) != 0 {
            pendingQueries.terminalDidSend()
            events += input.read()
        } else if input.untilFlush == 0 {
            events += input.flush()
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
        let limit = Int32([milliseconds, input.untilFlush].compactMap { $0 }.min() ?? -1)
        let sources = cnc_sources_now()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                cnc_wait_beside(sources, limit)
                continuation.resume()
            }
        }
    }

    /// Ends ``ready(milliseconds:)``.
    public func wake() { cnc_wake() }

    /// Removes answers from events and processes them, and detects when the terminal may be another.
    private func takeOwn(of events: [InputEvent]) -> [InputEvent] {
        var found: [InputEvent] = []
        return events.filter { event in
            switch event {
            case .report(.appearance):
                detectColors()
                return false
            case .report(.notification): return true
            case .report(.mode(2026, let isKnown)):
                synchronizesOutput = isKnown
                return false
            case .report(let report):
                if let support = colors.detection?.support(after: report), use(support) { found.append(.colors) }
                if passOn(report) { found.append(.colors) }
                return false
            case .focus(true):
                if colors.isFollowing { detectColors() }
                graphics.terminalMayHaveChanged(hasSameCells: true)
            case .resize:
                if colors.isFollowing { detectColors() }
                graphics.terminalMayHaveChanged(hasSameCells: false)
            case .focus: graphics.terminalMayHaveChanged(hasSameCells: true)
            default: break
            }
            return true
        } + found
    }

    /// Passes an answer to the query that it belongs to, and returns whether the terminal's colours changed.
    private func passOn(_ report: TerminalReport) -> Bool {
        if case .attributes = report {
            guard let subject = pendingQueries.endOldest() else { return false }
            if subject == .graphics { graphics.take(report) }
            guard subject == .colors else { return false }
        } else {
            graphics.take(report)
        }
        guard let own = colors.take(report) else { return false }
        capabilities.ownColors = own
        return true
    }

    /// Reads pending answers before the terminal is given back, so that they don't end up in the shell.
    private func awaitAnswers() {
        let end = ContinuousClock.now + TerminalGraphics.patience
        while graphics.isAwaiting || colors.isAwaiting || pendingQueries.presenceAskedAt != nil,
            ContinuousClock.now < end
        {
            guard cnc_wait(10) & Int32(CNC_WAKE_INPUT) != 0 else { continue }
            pendingQueries.terminalDidSend()
            _ = takeOwn(of: input.read())
        }
    }

    /// Whether the terminal has answered since the last call, as far as it answers at all.
    ///
    /// Nothing else reports a lost connection, or that the terminal of a program such as dtach has left.
    public func isPresent() -> Bool {
        guard isStarted else { return true }
        let (asks, isPresent) = pendingQueries.askForPresence()
        if asks { write(Array("\u{1B}[c".utf8)) }
        return isPresent
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
                events += [.resize(size), .resume]
            case SIGCONT:
                cnc_continue()
                takeSize()
                graphics.retransmit()
                events += [.resize(size), .resume]
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
        write(screen.present(grid, cursor: cursor, isSynchronized: synchronizesOutput, graphics))
    }

    /// Forgets the content of the screen, so that the next frame is sent completely and pictures are transmitted again.
    public func invalidate() {
        guard isStarted else { return }
        cnc_invalidate()
        screen.forget()
        graphics.retransmit()
    }

    // MARK: Colours

    /// Queries the terminal or tmux for its colours.
    ///
    /// The terminal reports changes between dark and light by itself (mode 2031, enabled at the start). The same query
    /// covers the number of colours and synchronised output.
    public func detectColors() {
        // tmux answers for itself, and some of its versions lose what is erased within the marks.
        let asksForMode = NcursesTerminal.environment("TMUX").isEmpty
        colors.ask(after: asksForMode ? Array("\u{1B}[?2026$p".utf8) : [])
    }

    /// Applies tmux's answer about the terminals around it.
    private func take(_ answer: TmuxAnswer?) {
        let opens = HyperlinkSupport.isKnown(answer)
        if opens != screen.opensLinks {
            screen.opensLinks = opens
            screen.forget()
            late.append(.colors)
        }
        if let support = colors.detection?.support(after: answer), use(support) { late.append(.colors) }
    }

    /// Adopts another number of colours, and returns whether anything changed.
    private func use(_ support: ColorSupport) -> Bool {
        let isOther = support.depth != capabilities.colors
        guard isStarted, isOther || support.explanation != capabilities.colorsExplanation else { return false }
        capabilities.colors = support.depth
        capabilities.colorsExplanation = support.explanation
        if isOther {
            screen.palette = ColorPalette(depth: support.depth, hasBright: capabilities.hasBrightColors)
            screen.forget()
            graphics.colorsChanged()
        }
        return true
    }
}
