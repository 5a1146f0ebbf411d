/// Asks for one line of text, in a sheet.
@MainActor
public final class TextPromptViewController: ViewController {
    private let field = TextField()
    private let message = Label()
    private let onSubmit: (String) -> Void

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
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
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
}
