import ModelCore
import TerminalUI

/// A command of the user's own: another program that gets an entry.
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
    /// Runs the program with an entry; it gets the entry's text as Markdown where it wants that.
    package var run: @MainActor (EntryDetail, _ markdown: @MainActor () -> String) async -> Result

    package init(
        _ definition: CommandDefinition,
        run: @escaping @MainActor (EntryDetail, _ markdown: @MainActor () -> String) async -> Result
    ) {
        self.definition = definition
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
