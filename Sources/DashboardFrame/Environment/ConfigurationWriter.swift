import Feeds
import TerminalUI

/// Writes what the user defines in the dashboard to files of the configuration.
package struct ConfigurationWriter {
    /// Writes a rule to a file and returns its path.
    package var keepRule: @MainActor (Rule) throws -> String = { _ in "the configuration" }
    /// Saves colours as a theme of the user and returns it.
    package var keepTheme: @MainActor (_ name: String, TerminalColors) throws -> Theme = {
        Theme(name: $0, colors: $1)
    }

    package init() {}
}
