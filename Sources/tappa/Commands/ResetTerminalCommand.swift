import ArgumentParser
import Foundation
import TerminalUI

struct ResetTerminalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-terminal", abstract: "Restore a terminal after a dashboard was killed.",
        discussion:
            "Leaves the alternate screen, turns off mouse and focus reports, and restores echo and line editing.")

    func run() throws {
        guard isatty(STDOUT_FILENO) == 1 else { throw fail("this is not a terminal", ExitStatus.unavailable) }
        NcursesTerminal.reset()
    }
}
