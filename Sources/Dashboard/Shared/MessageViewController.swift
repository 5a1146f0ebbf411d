import TerminalUI

/// A centred sentence, shown in the detail before anything is selected (row FEE-05).
@MainActor
final class MessageViewController: ViewController {
    private let label = Label()

    init(_ message: DisplayText) {
        super.init()
        label.paragraphs = [TextParagraph(message, .secondary)]
        label.isCentered = true
    }

    override func makeView() -> View { label }
}
