import ModelCore
import TerminalUI

/// The version, the files, the libraries, and what the terminal can do with how that was found out; one key copies it for a report.
@MainActor
final class AboutViewController: FactsViewController {
    init(context: DashboardContext) { super.init(title: "About tappa", context: context) }

    override func viewDidLoad() {
        toolbarItems = [BarButtonItem(.copyFacts, title: "copy for a report", priority: 1)]
        refresh()
    }

    /// What the terminal can show is found out when somebody looks.
    override func viewWillAppear() {
        window?.detectGraphics()
        refresh()
    }

    override func traitsDidChange(previous: Traits?) { if viewIfLoaded != nil { refresh() } }

    private func refresh() {
        var facts = context.about().map { (name: DisplayText($0.name), value: DisplayText($0.value)) }
        let capabilities = traits.capabilities
        if let window {
            facts.append(("Pane", DisplayText("\(window.size.width) × \(window.size.height) cells")))
        }
        facts.append(("Colours", DisplayText(capabilities.colorsExplanation)))
        facts.append(("Letters", capabilities.hasUnicode ? "UTF-8" : "ASCII only: the locale is not UTF-8"))
        // Without colours the terminal is never asked.
        let awaited =
            capabilities.colors < .palette
            ? "Pictures are drawn with characters, because there are fewer than 256 colours." : "detecting …"
        let explanation = capabilities.graphics.explanation
        facts.append(("Pictures", DisplayText(explanation.isEmpty ? awaited : explanation)))
        facts.append(("Theme", DisplayText(context.settings[.theme])))
        show(facts)
    }

    override var commands: [Command] {
        [
            Command(.copyFacts) { [weak self] in self?.copyPage() }
        ]
    }
}
