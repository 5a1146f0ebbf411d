import Configuration
import Dashboard
import ModelCore

private let commands = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)

/// Imports newsboat's configuration: what is written of it loads without any error, whatever the document is.
func importConfiguration(_ text: String) {
    // What stands behind a line of four equals signs is the configuration that is there already.
    let parts = text.components(separatedBy: "\n====\n")
    let file = ConfigurationFile.parse(parts.dropFirst().first ?? "", path: "fuzz", for: commands)
    let newsboat = NewsboatConfiguration(parts[0], besides: file, for: commands)
    let rules = newsboat.rules.map { RuleFile.text(of: $0) }.joined(separator: "\n")
    for text in [newsboat.text(withTheme: false), rules] {
        let problems = ConfigurationFile.parse(text, path: "fuzz", for: commands).problems
        precondition(problems.isEmpty, "what was imported has an error: \(problems.first?.description ?? "")")
    }
}
