import TerminalUI

/// A sheet that receives another key of a command, or one that the command is to lose. A key of another command is named
/// and must be pressed again, and so must a key that the command has.
@MainActor
final class KeyCaptureViewController: ViewController {
    private let command: CommandDefinition
    private let table: CommandTable
    private let map: KeyMap
    private let bind: (KeySequence) -> Void
    private let remove: (KeySequence) -> Void
    private let captureView = CaptureView()
    private var asked: KeySequence?

    init(
        _ command: CommandDefinition, _ table: CommandTable, _ map: KeyMap, bind: @escaping (KeySequence) -> Void,
        remove: @escaping (KeySequence) -> Void
    ) {
        self.command = command
        self.table = table
        self.map = map
        self.bind = bind
        self.remove = remove
        super.init()
        title = command.title
        modalPresentationStyle = .sheet
    }

    /// A text that receives every key.
    private final class CaptureView: View {
        let label = Label()
        var receive: (KeyPress) -> Void = { _ in }
        override var canBecomeFocused: Bool { true }
        override var wantsTab: Bool { true }
        override func handle(_ press: KeyPress) -> Bool {
            receive(press)
            return true
        }
        override func layoutSubviews() { label.frame = bounds.inset(left: 1, right: 1) }
        override func sizeThatFits(_ limit: Size) -> Size {
            let width = min(60, limit.width)
            let lines = label.sizeThatFits(Size(width: max(1, width - 2), height: limit.height)).height
            return Size(width: width, height: max(2, lines))
        }
    }

    override func makeView() -> View { captureView }

    override func viewDidLoad() {
        captureView.addSubview(captureView.label)
        captureView.receive = { [weak self] in self?.receive($0) }
        toolbarItems = [BarButtonItem("cancel", key: "esc", priority: 1) { [weak self] in self?.dismiss() }]
        let keys = map.keys(for: command)
        let others: DisplayText =
            keys.isEmpty ? .empty : " To remove one of these, press it: " + map.label(of: keys) + "."
        say("Press a key to add it." + others, [])
    }

    private func say(_ text: DisplayText, _ role: TextRole) {
        captureView.label.paragraphs = [TextParagraph(text, role)]
        captureView.setNeedsLayout()
        view.setNeedsDisplay()
    }

    private func receive(_ press: KeyPress) {
        guard press.key != .escape else { return dismiss() }
        let key = KeySequence([press])
        let label = map.label(of: key)
        if map.keys(for: command).contains(key) {
            guard asked == key else {
                asked = key
                return say(label + " is its key. Press it again to remove it.", .failure)
            }
            dismiss()
            return remove(key)
        }
        let clashes = table.clashes(of: command, key, in: map) + table.hidden(by: command, key, in: map)
        guard let clash = clashes.first, asked != key else {
            dismiss()
            return bind(key)
        }
        asked = key
        let others = clashes.count > 1 ? " and \(clashes.count - 1) more" : ""
        say(
            label
                + DisplayText(" is \(clash.other.title.string) (\(clash.other.place.string))\(others). ")
                + "Press it again to bind it to this command.", .failure)
    }
}
