import ModelCore
import TerminalUI

/// The output of a program.
@MainActor
final class CommandOutputViewController: ViewController {
    private let text: String
    private let settings: Settings
    private let textView = TextView()

    init(_ title: DisplayText, _ text: String, _ settings: Settings) {
        self.text = text
        self.settings = settings
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        textView.prepareForReading(settings)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(10_000)
        textView.setParagraphs(lines.map { TextParagraph(DisplayText(String($0))) })
    }

    override var commands: [Command] { [Command(ProgramCommands.closePopover) { [weak self] in self?.dismiss() }] }
}
