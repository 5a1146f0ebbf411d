import Configuration
import Dashboard
import DashboardFrame
import Foundation
import ModelCore

private let commands = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)

/// Reads a configuration file, which may be newsboat's, and checks that each setting has an allowed value and that the
/// conversion is readable.
func readConfiguration(_ text: String) throws {
    let file = ConfigurationFile.parse(text, path: "fuzz", for: commands)
    let newsboat = NewsboatConfiguration(text, for: commands)
    let converted = newsboat.text(withTheme: newsboat.theme != nil)
    try check(
        ConfigurationFile.parse(converted, path: "fuzz", for: commands).isReadable,
        "the conversion from newsboat is not TOML")
    try check(
        file.settings.allSatisfy { Settings.definition($0.key)?.accepts($0.value) == true },
        "a setting has a value that it doesn't allow")
}

/// Imports a newsboat configuration and checks that the result loads without errors.
func importConfiguration(_ text: String) throws {
    // The text after a line of four equals signs is the existing configuration.
    let parts = text.components(separatedBy: "\n====\n")
    let file = ConfigurationFile.parse(parts.dropFirst().first ?? "", path: "fuzz", for: commands)
    let newsboat = NewsboatConfiguration(parts[0], besides: file, for: commands)
    let rules = newsboat.rules.map { RuleFile.text(of: $0) }.joined(separator: "\n")
    for text in [newsboat.text(withTheme: false), rules] {
        let problems = ConfigurationFile.parse(text, path: "fuzz", for: commands).problems
        try check(problems.isEmpty, "the imported configuration has an error: \(problems.first?.description ?? "")")
    }
}
