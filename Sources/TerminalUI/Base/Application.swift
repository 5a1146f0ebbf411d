import Foundation

/// Runs a window in a terminal: waits for events, hands them on, draws what changed.
///
/// ```swift
/// let application = Application(terminal: NcursesTerminal(), root: MyViewController())
/// exit(application.run())
/// ```
///
/// It owns the main thread while it runs, and runs the main actor's jobs between events, so that
/// `Task { @MainActor in … }` works as elsewhere. In an asynchronous `main` it is `await application.run()`.
///
/// `q` and Ctrl-C end it, unless the program has commands of its own everywhere (``Window/globalCommands``).
@MainActor
public final class Application {
    /// The terminal it runs in.
    public let terminal: any Terminal
    /// What is on the screen.
    public let window: Window
    /// Called when the terminal comes back after a stop, and before the program ends by a signal.
    public var lifeCycle: (LifeCycleEvent) -> Void = { _ in }

    /// Whether ``finish()`` was called, or the terminal is gone.
    public private(set) var isFinished = false
    /// Why ``run()`` has ended; `nil`: by ``finish()``.
    public private(set) var terminationReason: TerminationReason?

    /// A moment in the program's life.
    public enum LifeCycleEvent: Hashable, Sendable {
        /// It was stopped and goes on.
        case resumed
        /// It was told to end: by a signal, or since its terminal is gone.
        case willTerminate(TerminationReason)
        /// It ends, for whatever reason; the terminal is still its own.
        case willFinish
        /// The terminal got or lost the focus.
        case focus(Bool)
    }

    /// Makes a program for a terminal that was started, or will be by ``run()``.
    public init(terminal: any Terminal, root: ViewController, theme: Theme = .standard) {
        self.terminal = terminal
        window = Window(
            rootViewController: root, size: terminal.size, theme: theme, capabilities: terminal.capabilities)
        window.terminal = terminal
        window.globalCommands = { [weak self] in [Command(ToolkitCommands.quit) { self?.finish() }] }
    }

    /// The exit code of a program that has no terminal to run in (`EX_UNAVAILABLE` of sysexits.h).
    public static let unavailable: Int32 = 69

    /// Shows the window and handles events until ``finish()`` is called or the terminal is gone.
    ///
    /// The terminal is started, unless that was done before, and stopped at the end.
    ///
    /// - Returns: The exit code: 0, or ``unavailable`` after a line on standard error, where there is no terminal.
    @discardableResult
    public func run() -> Int32 {
        guard begin() else { return Application.unavailable }
        defer { end() }
        while !isFinished { step(terminal.wait(milliseconds: pause)) }
        return 0
    }

    /// The same in an asynchronous program: other tasks of the main actor run while it waits for events.
    @discardableResult
    public func run() async -> Int32 {
        guard begin() else { return Application.unavailable }
        defer { end() }
        while !isFinished {
            await terminal.ready(milliseconds: pause)
            step(terminal.wait(milliseconds: 0))
        }
        return 0
    }

    private func begin() -> Bool {
        do {
            try terminal.start()
        } catch {
            FileHandle.standardError.write(Data("\(ProcessInfo.processInfo.processName): \(error)\n".utf8))
            return false
        }
        window.capabilities = terminal.capabilities
        window.resize(to: terminal.size)
        render()
        // Never before the first frame, and never waited for.
        terminal.detectColors()
        return true
    }

    private func end() {
        lifeCycle(.willFinish)
        terminal.stop()
    }

    /// Handles events, and draws what they and the main actor's jobs have led to.
    private func step(_ events: [InputEvent]) {
        // Input never waits for a movement.
        if !events.isEmpty { window.finishAnimations() }
        for event in events { handle(event) }
        guard !isFinished else { return }
        if window.isAnimating { window.advanceAnimations(to: .now) }
        let start = ContinuousClock.now
        render()
        // Over a line that takes so long for a frame, sliding would only delay what is to be seen.
        if window.isAnimating, start.duration(to: .now) > Animator.frame { window.motion = .reduced }
    }

    /// Milliseconds to wait for events; `nil`: without end.
    private var pause: Int? { window.isAnimating ? Application.frameMilliseconds : nil }

    private static let frameMilliseconds = Int(clamping: Animator.frame / .milliseconds(1))

    /// Ends the program's run.
    public func finish() {
        isFinished = true
        terminal.wake()
    }

    /// Handles one event and draws what that leads to, movements at their end: for tests.
    public func send(_ event: InputEvent) {
        window.finishAnimations()
        handle(event)
        window.finishAnimations()
        render()
    }

    /// Draws, if something changed.
    public func render() {
        // Twice, since a draw may find out that a layout is needed, as lists do that ask for their rows.
        for _ in 0..<2 where window.needsRendering {
            let grid = window.render()
            terminal.present(grid, cursor: window.cursor)
        }
    }

    /// Sends the whole screen again, after another program has written to it.
    public func redraw() {
        terminal.invalidate()
        window.setNeedsDisplay()
    }

    /// Leaves the screen to the shell until the process is continued.
    public func suspend() {
        terminal.suspend()
        handle(.resize(terminal.size))
        handle(.resume)
    }

    /// Leaves the terminal to another program while some work runs it, and draws the screen anew after it.
    ///
    /// - Returns: What the work has returned; `nil` where the terminal cannot be given to others.
    public func handOver<Value>(_ work: () -> Value) -> Value? {
        guard let value = terminal.handOver(work) else { return nil }
        handle(.resize(terminal.size))
        redraw()
        render()
        return value
    }

    private func handle(_ event: InputEvent) {
        switch event {
        case .key(let press): window.send(press)
        case .mouse(let event): window.send(event)
        case .paste(let text): window.send(paste: text)
        case .focus(let hasFocus): lifeCycle(.focus(hasFocus))
        case .resize(let size): window.resize(to: size)
        case .graphics(let support): window.capabilities.graphics = support
        case .colors:
            let found = terminal.capabilities
            window.capabilities.ownColors = found.ownColors
            window.capabilities.colors = found.colors
            window.capabilities.colorsExplanation = found.colorsExplanation
        // Terminals take these themselves.
        case .report: break
        case .resume:
            lifeCycle(.resumed)
            window.setNeedsDisplay()
        case .terminate(let reason):
            terminationReason = reason
            lifeCycle(.willTerminate(reason))
            finish()
        }
    }
}
