import ArgumentParser
import Configuration
import Dashboard
import ModelCore
import TerminalUI

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the settings, keys, defaults or the file's path.",
        discussion: """
            Examples:
              tappa config --defaults > ~/.config/tappa/config.toml
              tappa config --why feeds.refresh
              tappa config --here >> ~/.config/tappa/config.toml
            """)

    @Flag(help: "Print a configuration file with all defaults.")
    var defaults = false

    @Flag(help: "Print the path of the configuration file.")
    var path = false

    @Flag(help: "Print all commands with their keys, as TOML.")
    var keys = false

    @Flag(help: "Print the settings changed in the program, as TOML.")
    var here = false

    @Option(
        help: ArgumentHelp("Show where the value of a setting comes from.", valueName: "name"), completion: .settings)
    var why: String?

    @OptionGroup var options: LibraryOptions

    func run() throws {
        if path { return printLine(options.configurationPath) }
        if defaults { return printText(ConfigurationFile.defaults) }
        if keys {
            let file = try options.configurationFile()
            let table = CommandTable.dashboard.adding(file.commands.map(\.definition))
            printText(ConfigurationFile.listing(of: table, keyMap: file.keyMap))
            LibraryOptions.warn(of: file)
            return try LibraryOptions.end(withErrorsOf: file)
        }
        let file = try options.configurationFile()
        let settings = try options.settings(try options.openLibrary(orInMemory: true), file: file)
        if here {
            printText(SettingOverrides.toml(of: settings))
        } else if let why {
            try explain(why, settings, file)
        } else {
            list(settings)
        }
        try LibraryOptions.end(withErrorsOf: file)
    }

    private func list(_ settings: Settings) {
        for definition in Settings.definitions {
            let value = settings[definition.name]
            printFields(["\(definition.name) = \(value.value)", value.origin.rawValue])
        }
    }

    /// Prints a setting's value, its source, and its value without that source.
    private func explain(_ name: String, _ settings: Settings, _ file: ConfigurationFile) throws {
        guard let definition = Settings.definition(name) else {
            throw fail("no such setting: '\(name)'", ExitStatus.noInput)
        }
        let value = settings[definition.name]
        let source =
            switch value.origin {
            case .flag: "--set"
            case .environment: "the variable \(SettingOverrides.variable(definition.name))"
            case .here: "set in the program"
            case .file: "\(options.configurationPath), line \(file.lines[definition.name] ?? 1)"
            case .standard: "the default"
            }
        printLine("\(definition.name) = \(value.value)  (\(source))")
        if value.origin != .file, value.origin != .standard, let own = file.settings[definition.name] {
            printLine("  \(own)  (\(options.configurationPath), line \(file.lines[definition.name] ?? 1))")
        }
        if value.origin != .standard { printLine("  \(definition.defaultValue)  (the default)") }
    }
}
