import ModelCore
import TerminalUI

/// A command of the user's own: another program that gets an entry, or several commands as one.
package struct EntryCommand {
    /// What came of it.
    package enum Result: Sendable {
        case done
        /// What it has printed, to be shown.
        case output(String)
        /// What is wrong, in a sentence.
        case failed(String)
    }

    package var definition: CommandDefinition
    /// The commands that it does, by their names, one after the other; empty: it runs its program.
    let steps: [String]
    /// Whether it gets a list in one go.
    let takesList: Bool
    /// Runs the program; it gets an entry's text as Markdown where it wants that.
    package let run: @MainActor (Target, _ markdown: @MainActor (EntryDetail) -> String) async -> Result

    /// What it gets.
    package enum Target {
        case entry(EntryDetail)
        case list([EntryDetail], title: String)
    }

    package init(
        _ definition: CommandDefinition, steps: [String] = [], takesList: Bool = false,
        run: @escaping @MainActor (Target, _ markdown: @MainActor (EntryDetail) -> String) async -> Result
    ) {
        self.definition = definition
        self.steps = steps
        self.takesList = takesList
        self.run = run
    }
}

/// What a program has printed.
@MainActor
final class CommandOutputViewController: ViewController {
    private let text: String
    private let context: DashboardContext
    private let textView = TextView()

    init(_ title: DisplayText, _ text: String, _ context: DashboardContext) {
        self.text = text
        self.context = context
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
        preferredContentSize = Size(width: 76, height: 20)
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        textView.prepareForReading(context)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(10_000)
        textView.setParagraphs(lines.map { TextParagraph(DisplayText(String($0))) })
    }
}
