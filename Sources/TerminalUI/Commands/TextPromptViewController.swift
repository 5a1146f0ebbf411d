/// Asks for one line of text, in a sheet.
@MainActor
public final class TextPromptViewController: ViewController {
    private let field = TextField()
    private let message = Label()
    private let onSubmit: (String) -> Void
    /// What was there before one typed.
    private let original: String

    /// Makes a prompt.
    ///
    /// - Parameters:
    ///   - title: What is asked, in the border.
    ///   - message: A line that explains it.
    ///   - text: What is there already.
    ///   - onSubmit: Called with the text by Enter; Esc closes without a call.
    public init(
        title: DisplayText, message: DisplayText, text: String = "", onSubmit: @escaping (String) -> Void
    ) {
        self.onSubmit = onSubmit
        original = text
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
        popoverPresentationController.delegate = self
        self.message.paragraphs = [TextParagraph(message, .secondary)]
        field.text = text
    }

    private final class PromptView: View {
        var place: () -> Void = {}
        override func layoutSubviews() { place() }
        override func sizeThatFits(_ limit: Size) -> Size { Size(width: min(60, limit.width), height: 4) }
    }

    /// Makes the view.
    public override func makeView() -> View { PromptView() }

    /// Places message and field.
    public override func viewDidLoad() {
        view.addSubview(message)
        view.addSubview(field)
        (view as? PromptView)?.place = { [weak self] in
            guard let self else { return }
            let bounds = self.view.bounds
            let lines = min(self.message.sizeThatFits(bounds.size).height, max(0, bounds.height - 1))
            self.message.frame = Rect(x: 1, y: 0, width: bounds.width - 2, height: lines)
            self.field.frame = Rect(x: 1, y: min(bounds.height - 1, lines + 1), width: bounds.width - 2, height: 1)
        }
        field.onOverflow = { [weak self] count in
            self?.message.paragraphs = [
                TextParagraph(DisplayText("The last \(count) characters do not fit and were left out."), .failure)
            ]
            self?.view.setNeedsLayout()
        }
        field.onSubmit = { [weak self] text in
            self?.dismiss()
            self?.onSubmit(text)
        }
    }

    /// The key that leaves it without a call.
    public override var commands: [Command] {
        [Command(ToolkitCommands.promptClose) { [weak self] in self?.dismiss() }]
    }
}

extension TextPromptViewController: PopoverPresentationControllerDelegate {
    /// A click outside never throws away what was typed.
    public func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool {
        if field.text == original { return true }
        let keyMap = window?.keyMap ?? KeyMap()
        let key = keyMap.label(for: ToolkitCommands.promptClose)?.string ?? "esc"
        message.paragraphs = [
            TextParagraph(DisplayText("⏎ takes what was typed, \(key) leaves without it."), .secondary)
        ]
        view.setNeedsLayout()
        return false
    }
}
