/// The keys that work where the focus is, as a sheet; made from the commands themselves.
@MainActor
public final class HelpViewController: ViewController {
    private let textView = TextView()
    private let listed: [(keys: DisplayText, title: DisplayText)]

    /// Makes a help of commands.
    ///
    /// - Parameter commands: What ``Window/availableCommands`` gave before the help was shown.
    public init(commands: [(command: Command, keys: [KeySequence])]) {
        listed = commands.map { item in
            (DisplayText(item.keys.map(\.label.string).joined(separator: "  ")), item.command.title)
        }
        super.init()
        title = "Keys that work here"
        modalPresentationStyle = .sheet
    }

    /// Makes the view of the list.
    public override func makeView() -> View { textView }

    /// Fills the list.
    public override func viewDidLoad() {
        let widest = min(28, listed.map(\.keys.columns).max() ?? 0)
        textView.setParagraphs(
            listed.map { row in
                let gap = DisplayText(String(repeating: " ", count: max(1, widest - row.keys.columns + 2)))
                let indent = DisplayText(String(repeating: " ", count: widest + 2))
                return TextParagraph(
                    [StyledSpan(row.title)],
                    firstPrefix: StyledLine([StyledSpan(row.keys, .strong), StyledSpan(gap)]),
                    prefix: StyledLine(indent))
            })
    }

    /// Keys to close it.
    public override var commands: [Command] {
        [
            Command("help.close", "Close", keys: ["q", "esc", "?", "h", "backspace"]) { [weak self] in self?.dismiss() }
        ]
    }
}
