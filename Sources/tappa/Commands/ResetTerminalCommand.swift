import ArgumentParser
import Foundation
import TerminalUI

/// Puts a terminal right that a killed dashboard has left.
struct ResetTerminalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-terminal", abstract: "Put a terminal right that a killed dashboard has left.",
        discussion: "Leaves the other screen, the mouse and the reports, and lets the line echo and be edited again.")

    func run() throws {
        guard isatty(STDOUT_FILENO) == 1 else { throw fail("this is not a terminal", ExitStatus.unavailable) }
        NcursesTerminal.reset()
    }
}
