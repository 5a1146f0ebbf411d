import ArgumentParser
import Configuration
import Dashboard
import ModelCore
import TerminalUI

/// Tells about the configuration.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the settings, the keys, where the file is, or the defaults.")

    @Flag(help: "Print a configuration file with all defaults.")
    var defaults = false

    @Flag(help: "Print the path of the configuration file.")
    var path = false

    @Flag(help: "Print all commands with their keys, as they would stand in the file.")
    var keys = false

    @OptionGroup var options: LibraryOptions

    func run() throws {
        if path { return printLine(options.configurationPath) }
        if defaults { return print(ConfigurationFile.defaults) }
        if keys {
            let file = try options.configurationFile()
            let table = CommandTable.dashboard.adding(file.commands.map(\.definition))
            return print(ConfigurationFile.listing(of: table, keyMap: file.keyMap))
        }
        let settings = try options.settings(try options.openLibrary(), file: try options.configurationFile())
        for definition in Settings.definitions {
            let value = settings[definition.name]
            printFields(["\(definition.name) = \(value.value)", value.origin.rawValue])
        }
    }
}
