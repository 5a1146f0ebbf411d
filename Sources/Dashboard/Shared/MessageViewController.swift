import TerminalUI

/// A sentence in the middle: what a detail shows before anything was chosen (row FEE-05).
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
