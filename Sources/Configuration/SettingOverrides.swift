import ModelCore

/// Settings in the environment (`TAPPA_FEEDS_REFRESH=30`) and in flags (`--set feeds.refresh=30`), which take
/// precedence over all others.
package enum SettingOverrides {
    /// Returns the variable of a setting.
    package static func variable(_ name: String) -> String {
        "TAPPA_" + name.uppercased().replacing(".", with: "_").replacing("-", with: "_")
    }

    /// Reads both.
    ///
    /// - Parameter flags: The flags, as `NAME=VALUE`.
    /// - Returns: The values with their sources, and a sentence for each invalid one.
    package static func read(environment: [String: String], flags: [String]) -> (
        values: [String: SettingValue], problems: [String]
    ) {
        var values: [String: SettingValue] = [:]
        var problems: [String] = []
        func take(_ text: String, for definition: SettingDefinition, _ origin: SettingOrigin, from source: String) {
            let text = ["true": "on", "false": "off"][text] ?? text
            if let problem = ProgramSetting.problem(of: text, for: definition.name) {
                problems.append("\(source): \(problem)")
            } else if let value = definition.value(of: text) {
                values[definition.name] = SettingValue(value: value, origin: origin)
            } else {
                problems.append("\(source) must be \(definition.domain), not '\(text)'")
            }
        }
        // The names of all variables are only derived if there may be one.
        let hasVariables = environment.keys.contains { $0.hasPrefix("TAPPA_") }
        for definition in Settings.definitions where hasVariables {
            let variable = variable(definition.name)
            if let text = environment[variable] { take(text, for: definition, .environment, from: variable) }
        }
        for flag in flags {
            let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let definition = Settings.definition(parts[0]) else {
                let meant = NearName.nearest(to: parts[0], in: Settings.definitions.map(\.name))
                let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
                problems.append("--set needs NAME=VALUE; no such setting: '\(parts[0])'\(hint)")
                continue
            }
            take(parts[1], for: definition, .flag, from: parts[0])
        }
        return (values, problems)
    }

    /// Returns the settings changed in the program as TOML.
    package static func toml(of settings: Settings) -> String {
        let own = Settings.definitions.filter { settings[$0.name].origin == .here }
        return ConfigurationFile.tables(of: own) { [ConfigurationFile.line($0, settings[$0.name].value)] }.joined(
            separator: "\n")
    }
}
