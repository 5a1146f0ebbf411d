import CNcurses
import Platform
import Synchronization

/// Functions of the process that need no started terminal.
extension NcursesTerminal {
    /// The version of ncurses.
    public nonisolated static var libraryVersion: String { cnc_version().map { String(cString: $0) } ?? "ncurses" }

    private struct ExitAction { var run: @Sendable () -> Void }
    nonisolated private static let forcedExit = Mutex<ExitAction?>(nil)

    /// Sets an action to run when the program is killed because its main thread did not react to a signal for seconds.
    /// It runs on its own thread, after the terminal was restored.
    nonisolated public static func onForcedExit(_ action: @escaping @Sendable () -> Void) {
        forcedExit.withLock { $0 = ExitAction(run: action) }
        cnc_on_forced_exit { NcursesTerminal.forcedExit.withLock { $0 }?.run() }
    }

    /// Restores a terminal that a killed program left behind: its modes and those of the line.
    nonisolated public static func reset() { cnc_reset_terminal(STDOUT_FILENO) }

    /// Returns the value of an environment variable, or an empty text.
    nonisolated static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// Returns the size of a cell in pixels if the system knows the window's.
    nonisolated static func cellOfSystem() -> Size? {
        var (width, height): (Int32, Int32) = (0, 0)
        cnc_cell_size(&width, &height)
        return width > 0 && height > 0 ? Size(width: Int(width), height: Int(height)) : nil
    }
}
