import TerminalUI

/// A centred sentence, shown in the detail before anything is selected (row FEE-05).
@MainActor
package final class MessageViewController: ViewController {
    private let label = Label()

    package init(_ message: DisplayText) {
        super.init()
        label.paragraphs = [TextParagraph(message, .secondary)]
        label.isCentered = true
    }

    package override func makeView() -> View { label }
}
