import DashboardFrame
import TerminalUI

/// A page of names and values that can be copied as text for a bug report.
@MainActor
class FactsViewController: ViewController {
    private let status: StatusController
    private let textView = TextView()
    /// The facts. An empty name continues the previous fact.
    private(set) var facts: [(name: DisplayText, value: DisplayText)] = []

    init(title: DisplayText, status: StatusController) {
        self.status = status
        super.init()
        self.title = title
    }

    override func makeView() -> View { textView }

    func show(_ facts: [(name: DisplayText, value: DisplayText)]) {
        self.facts = facts
        textView.setParagraphs(TextParagraph.facts(facts, maximumName: 16))
    }

    /// The page as text, a line for each fact.
    var lines: [String] {
        facts.map { $0.name.isEmpty ? "    \($0.value.string)" : "\($0.name.string): \($0.value.string)" }
    }

    func copyPage() {
        window?.copyToClipboard(lines) { [status] clipboard in
            status.show(StatusController.sentence(copied: "Page", clipboard))
        }
    }
}
