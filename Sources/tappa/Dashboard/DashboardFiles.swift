import Configuration
import Dashboard
import DashboardFrame
import Foundation
import Synchronization
import TerminalUI

/// The configuration file and the files beside it, as the dashboard uses them.
final class DashboardFiles: Sendable {
    /// The path of the configuration file.
    let path: String
    private let current: Mutex<[UserCommand]>

    /// - Parameter configuration: The configuration at the start.
    init(path: String, configuration: ConfigurationFile) {
        self.path = path
        current = Mutex(configuration.commands)
    }

    private var themeFolder: String { ThemeFile.folder(besideConfiguration: path) }

    /// The user command with a name, in the current configuration.
    func command(_ name: String) -> UserCommand? { current.withLock { $0.first { $0.name == name } } }

    /// Uses the commands of a changed configuration, unless it is incomplete.
    func accept(_ file: ConfigurationFile) {
        if file.isReadable { current.withLock { $0 = file.commands } }
    }

    /// Returns what the dashboard uses of a configuration, and the problems of its themes.
    @MainActor
    func read(_ file: ConfigurationFile, _ programs: DashboardPrograms) -> (
        configuration: DashboardConfiguration, themeProblems: [String]
    ) {
        let (themes, themeProblems) = ThemeFile.read(folder: themeFolder)
        // The bar has little space for the folder.
        let name = URL(fileURLWithPath: path).lastPathComponent
        let configuration = DashboardConfiguration(
            keyMap: file.keyMap, entryCommands: programs.commands(file.commands), themes: themes,
            problems: file.problems.map { $0.description.replacing(path, with: name) },
            notices: file.notices.map { $0.description.replacing(path, with: name) })
        return (configuration, themeProblems)
    }

    /// Returns the error that no theme has a name, or `nil` if one has.
    func problem(ofTheme name: String, among themes: [Theme]) -> String? {
        (Theme.all + themes).contains { $0.name == name }
            ? nil : "No such theme: '\(name)'. Your own themes are in \(themeFolder)."
    }
}

extension ConfigurationWriter {
    /// Writes rules and themes beside the configuration file.
    mutating func write(besideConfiguration path: String) {
        keepRule = { try RuleFile.write($0, besideConfiguration: path) }
        keepTheme = { try ThemeFile.write($1, name: $0, besideConfiguration: path) }
    }
}
