import TerminalUI

/// What the dashboard uses of the configuration, each time it is read.
package struct DashboardConfiguration {
    /// The keys that the user has bound.
    package var keyMap = KeyMap()
    /// The commands for entries that the user defined.
    package var entryCommands: [EntryCommand] = []
    /// The user's own themes.
    package var themes: [Theme] = []
    /// The errors, a sentence each, shown until they are fixed. Everything else applies.
    package var problems: [String] = []

    /// The consequences of key bindings that are easily overlooked, shown once.
    package var notices: [String] = []

    package init() {}

    package init(
        keyMap: KeyMap, entryCommands: [EntryCommand], themes: [Theme], problems: [String], notices: [String] = []
    ) {
        self.keyMap = keyMap
        self.entryCommands = entryCommands
        self.themes = themes
        self.problems = problems
        self.notices = notices
    }
}
