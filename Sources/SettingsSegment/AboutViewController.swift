import DashboardFrame
import ModelCore
import TerminalUI

/// Shows version, paths, library versions, and the capabilities of the terminal with their sources. It can be copied
/// for a bug report.
@MainActor
final class AboutViewController: FactsViewController {
    private let settings: Settings
    private let about: @MainActor () -> [(name: String, value: String)]

    init(_ services: SettingServices) {
        settings = services.access.settings
        about = services.about
        super.init(title: "About tappa", status: services.access.status)
    }

    override func viewDidLoad() {
        toolbarItems = [BarButtonItem(ProgramCommands.copyFacts, title: "copy for a report", priority: 1)]
        refresh()
    }

    /// The capabilities for pictures are queried only when the page is shown.
    override func viewWillAppear() {
        window?.detectGraphics()
        refresh()
    }

    override func traitsDidChange(previous: Traits?) { if viewIfLoaded != nil { refresh() } }

    private func refresh() {
        var facts = about().map { (name: DisplayText($0.name), value: DisplayText($0.value)) }
        let capabilities = traits.capabilities
        if let window {
            facts.append(("Pane", DisplayText("\(window.size.width) × \(window.size.height) cells")))
        }
        facts.append(("Colours", DisplayText(capabilities.colorsExplanation)))
        facts.append(("Letters", capabilities.hasUnicode ? "UTF-8" : "ASCII only: the locale is not UTF-8"))
        // Without colours the terminal is never queried.
        let awaited =
            capabilities.colors < .palette
            ? "Pictures are drawn with characters, because there are fewer than 256 colours." : "detecting …"
        let explanation = capabilities.graphics.explanation
        facts.append(("Pictures", DisplayText(explanation.isEmpty ? awaited : explanation)))
        facts.append(("Theme", DisplayText(settings[.theme])))
        show(facts)
    }

    override var commands: [Command] { [Command(ProgramCommands.copyFacts) { [weak self] in self?.copyPage() }] }
}
