import Foundation

/// Runs a window in a terminal: waits for events, dispatches them, and draws changes.
///
/// ```swift
/// let application = Application(terminal: NcursesTerminal(), root: MyViewController())
/// exit(application.run())
/// ```
///
/// It owns the main thread while it runs, and runs the main actor's jobs between events, so that `Task { @MainActor in
/// … }` works as elsewhere. In an asynchronous `main`, call `await application.run()`.
///
/// `q` and Ctrl-C end it, unless the program has global commands of its own (``Window/globalCommands``).
@MainActor
public final class Application {
    /// The terminal.
    public let terminal: any Terminal
    /// The window on the screen.
    public let window: Window
    private let input: InputQueue
    /// Whether input waits for a screen.
    package var hasWaitingInput: Bool { !input.isEmpty }
    /// Called for events of the program's life cycle.
    public var lifeCycle: (LifeCycleEvent) -> Void = { _ in }
    /// Called after input was handled, before its effects are drawn.
    ///
    /// A program can wait here for work that ends within a few milliseconds, so that it needs no frame of its own.
    public var finishInput: () -> Void = {}

    /// Returns whether a screen is on its way that a key has asked for. Further keys wait for it, as they do for the
    /// content of a screen (``ViewController/awaitsContent``).
    public var awaitsScreen: () -> Bool {
        get { input.awaitsScreen }
        set { input.awaitsScreen = newValue }
    }

    /// Whether ``finish()`` was called, or the terminal was closed.
    public private(set) var isFinished = false
    /// The reason why ``run()`` ended, or `nil` if ``finish()`` was called.
    public private(set) var terminationReason: TerminationReason?

    /// An event in the program's life cycle.
    public enum LifeCycleEvent: Hashable, Sendable {
        /// The program was suspended and continues.
        case resumed
        /// The program will end because of a signal or a closed terminal.
        case willTerminate(TerminationReason)
        /// The program will end for any reason. It still has the terminal.
        case willFinish
        /// The user opened the notification with an identifier.
        case openedNotification(String)
        /// The terminal gained or lost focus.
        case focus(Bool)
    }

    /// Creates a program for a terminal that was started, or that ``run()`` will start.
    public init(terminal: any Terminal, root: ViewController, theme: Theme = .standard) {
        self.terminal = terminal
        window = Window(
            rootViewController: root, size: terminal.size, theme: theme, capabilities: terminal.capabilities)
        input = InputQueue(of: window)
        window.terminal = terminal
        window.globalCommands = { [weak self] in [Command(ToolkitCommands.quit) { self?.finish() }] }
    }

    /// The exit code of a program without a terminal (`EX_UNAVAILABLE` in sysexits.h).
    public static let unavailable: Int32 = 69

    /// Shows the window and handles events until ``finish()`` is called or the terminal is closed.
    ///
    /// It starts the terminal if necessary, and stops it at the end.
    ///
    /// - Returns: The exit code: 0, or ``unavailable`` after a message on standard error if there is no terminal.
    @discardableResult
    public func run() -> Int32 {
        guard begin() else { return Application.unavailable }
        defer { end() }
        while !isFinished { step(terminal.wait(milliseconds: pause)) }
        return 0
    }

    /// Runs in an asynchronous program. Other tasks of the main actor run while it waits for events.
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
            let message = Array("\(ProcessInfo.processInfo.processName): \(error)\n".utf8)
            _ = write(STDERR_FILENO, message, message.count)
            return false
        }
        window.capabilities = terminal.capabilities
        window.resize(to: terminal.size)
        render()
        // The first frame comes first, and nothing waits for the answer.
        terminal.detectColors()
        return true
    }

    private func end() {
        lifeCycle(.willFinish)
        terminal.stop()
    }

    /// Handles events, and draws the resulting changes.
    private func step(_ events: [InputEvent]) {
        // Input never waits for an animation.
        if !events.isEmpty || !input.isEmpty { window.finishAnimations() }
        let isAnswered = handle(events)
        guard !isFinished else { return }
        if isAnswered || !events.isEmpty { finishInput() }
        if window.isAnimating { window.advanceAnimations(to: .now) }
        let start = ContinuousClock.now
        render()
        // If a frame takes that long to transmit, sliding would only delay the result.
        if window.isAnimating, start.duration(to: .now) > Animator.frame {
            window.motion = .reduced
            // The next wait may be without a limit.
            render()
        }
    }

    /// The time to wait for events in milliseconds, or `nil` for no limit.
    private var pause: Int? { window.isAnimating || !input.isEmpty ? Application.frameMilliseconds : nil }

    private static let frameMilliseconds = Int(clamping: Animator.frame / .milliseconds(1))

    /// Ends the program.
    public func finish() {
        isFinished = true
        terminal.wake()
    }

    /// Handles one event and draws the final state of the result. Used by tests.
    public func send(_ event: InputEvent) { send([event]) }

    /// Handles events that arrive together and draws the final state of the result. Used by tests.
    ///
    /// Without events it handles the input that waits for a screen, as far as that is ready.
    public func send(_ events: [InputEvent]) {
        window.finishAnimations()
        handle(events)
        finishInput()
        window.finishAnimations()
        render()
    }

    /// Draws if something changed.
    public func render() {
        // Drawing can require another layout, for lists that request their rows.
        for _ in 0..<2 where window.needsRendering {
            let grid = window.render()
            // Whatever views draw.
            if !terminal.capabilities.hasUnicode { grid.replaceSigns() }
            terminal.present(grid, cursor: window.cursor)
        }
    }

    /// Transmits the whole screen again, after another program has written to it.
    public func redraw() {
        terminal.invalidate()
        window.setNeedsDisplay()
    }

    /// Suspends the program until the process is continued.
    public func suspend() {
        terminal.suspend()
        take(.resize(terminal.size))
        take(.resume)
    }

    /// Leaves the terminal to another program while `work` runs, then redraws the screen.
    ///
    /// - Returns: The result of the work, or `nil` if the terminal can't be handed over.
    public func handOver<Value>(_ work: () -> Value) -> Value? {
        guard let value = terminal.handOver(work) else { return nil }
        take(.resize(terminal.size))
        redraw()
        render()
        return value
    }

    /// Handles events in their order. Input may wait for a screen; other events never do.
    ///
    /// - Returns: Whether any input was handled.
    @discardableResult
    private func handle(_ events: [InputEvent]) -> Bool {
        var isAnswered = false
        func deliver() { if input.deliver(until: { isFinished }) { isAnswered = true } }
        for event in events {
            if event.isInput {
                input.add(event)
            } else {
                deliver()
                take(event)
            }
        }
        deliver()
        return isAnswered
    }

    /// Handles an event that is not for the views of the window.
    private func take(_ event: InputEvent) {
        switch event {
        case .focus(let hasFocus): lifeCycle(.focus(hasFocus))
        case .resize(let size): window.resize(to: size)
        case .graphics(let support): window.capabilities.graphics = support
        case .colors:
            let found = terminal.capabilities
            window.capabilities.ownColors = found.ownColors
            window.capabilities.colors = found.colors
            window.capabilities.colorsExplanation = found.colorsExplanation
        // The window handles input, and the terminal its reports.
        case .report(.notification(let identifier)): lifeCycle(.openedNotification(identifier))
        case .key, .mouse, .paste, .report: break
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
