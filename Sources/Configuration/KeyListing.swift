import TerminalUI

extension ConfigurationFile {
    /// Returns all commands with their keys as TOML, grouped by place, each with its title as a comment.
    package static func listing(of table: CommandTable, keyMap: KeyMap) -> String {
        var lines = ["[keys]"]
        var places: [DisplayText] = []
        for command in table.commands where !places.contains(command.place) { places.append(command.place) }
        for place in places {
            lines += ["", "# \(place.string)"]
            for command in table.commands where command.place == place {
                let keys = keyMap.keys(for: command).map { quoted($0.name) }.joined(separator: ", ")
                let binding = "\"\(command.name)\" = [\(keys)]"
                lines.append(binding.padding(to: 44) + " # \(command.title.string)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func quoted(_ key: String) -> String {
        "\"\(key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

extension String {
    fileprivate func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - count))
    }
}
