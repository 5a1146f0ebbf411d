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
        textView.setParagraphs(
            TextParagraph.facts(
                listed.map { (name: $0.keys, value: $0.title) }, nameRole: .strong, maximumName: 28))
    }

    /// Keys to close it.
    public override var commands: [Command] {
        [
            Command("help.close", "Close", keys: ["q", "esc", "?", "h", "backspace"]) { [weak self] in self?.dismiss() }
        ]
    }
}
