import Configuration
import Dashboard
import Foundation
import ModelCore
import Synchronization
import TerminalUI

/// The configuration file and the files beside it, as the dashboard uses them.
final class DashboardFiles: Sendable {
    /// The path of the configuration file.
    let path: String
    /// The configuration at the start.
    let configuration: ConfigurationFile
    private let current: Mutex<[UserCommand]>

    init(path: String, configuration: ConfigurationFile) {
        self.path = path
        self.configuration = configuration
        current = Mutex(configuration.commands)
    }

    /// The folder of the user's themes.
    var themeFolder: String { ThemeFile.folder(besideConfiguration: path) }

    /// The user command with a name, in the current configuration.
    func command(_ name: String) -> UserCommand? { current.withLock { $0.first { $0.name == name } } }

    /// Returns the problems of a configuration without its folder, because the bar has little space.
    func problems(of file: ConfigurationFile) -> [String] {
        let name = URL(fileURLWithPath: path).lastPathComponent
        return file.problems.map { $0.description.replacing(path, with: name) }
    }

    /// Uses the commands of a changed configuration, unless it is incomplete.
    ///
    /// - Returns: The user's themes, and all problems.
    func accept(_ file: ConfigurationFile) -> (themes: [Theme], problems: [String]) {
        if file.isReadable { current.withLock { $0 = file.commands } }
        let (themes, problems) = ThemeFile.read(folder: themeFolder)
        return (themes, self.problems(of: file) + problems)
    }
}

extension DashboardEnvironment {
    /// Sets what comes from the configuration: keys, commands, themes, rules and their problems.
    @MainActor
    mutating func use(_ files: DashboardFiles, _ settings: Settings, _ programs: DashboardPrograms) {
        keyMap = files.configuration.keyMap
        entryCommands = programs.commands(files.configuration.commands)
        keepRule = { try RuleFile.write($0, besideConfiguration: files.path) }
        keepTheme = { try ThemeFile.write($1, name: $0, besideConfiguration: files.path) }
        configurationProblems = files.problems(of: files.configuration)
        let (themes, themeProblems) = ThemeFile.read(folder: files.themeFolder)
        self.themes = themes
        problems += themeProblems
        let theme = settings[.theme]
        if !(Theme.all + themes).contains(where: { $0.name == theme }) {
            problems.append("No such theme: '\(theme)'. Your own themes are in \(files.themeFolder).")
        }
    }
}
