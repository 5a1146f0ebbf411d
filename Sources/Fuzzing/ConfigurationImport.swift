import Configuration
import Dashboard
import ModelCore

private let commands = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)

/// Imports a newsboat configuration and checks that the result loads without errors, whatever the document contains.
func importConfiguration(_ text: String) {
    // The text after a line of four equals signs is the existing configuration.
    let parts = text.components(separatedBy: "\n====\n")
    let file = ConfigurationFile.parse(parts.dropFirst().first ?? "", path: "fuzz", for: commands)
    let newsboat = NewsboatConfiguration(parts[0], besides: file, for: commands)
    let rules = newsboat.rules.map { RuleFile.text(of: $0) }.joined(separator: "\n")
    for text in [newsboat.text(withTheme: false), rules] {
        let problems = ConfigurationFile.parse(text, path: "fuzz", for: commands).problems
        precondition(problems.isEmpty, "what was imported has an error: \(problems.first?.description ?? "")")
    }
}
