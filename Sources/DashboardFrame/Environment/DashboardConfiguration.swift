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

    /// The first error with the number of the others and of the notices, which it hides.
    package var problem: DisplayText? {
        problems.first.map { DisplayText($0 + DashboardConfiguration.rest(problems.count + notices.count - 1)) }
    }

    /// The first notice with the number of the others.
    package var notice: String? { notices.first.map { $0 + DashboardConfiguration.rest(notices.count - 1) } }

    private static func rest(_ count: Int) -> String { count > 0 ? " (and \(count) more)" : "" }

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
