/// A sheet with the available commands and their keys, grouped and filtered while the user types.
@MainActor
public final class HelpViewController: ViewController {
    private let field = HelpField()
    private let textView = TextView()
    private let groups: [(title: DisplayText, rows: [Row])]
    private let keyMap: KeyMap

    private struct Row {
        var keys: [KeySequence] = []
        var title: DisplayText
        var words = ""
    }

    /// A search field in which `?` closes the help while it is empty.
    private final class HelpField: TextField {
        override func handle(_ press: KeyPress) -> Bool {
            if text.isEmpty, press == KeyPress(.character("?")) { return false }
            return super.handle(press)
        }
    }

    /// Creates a help sheet.
    ///
    /// - Parameters:
    ///   - commands: The value of ``Window/availableCommands`` before the help is presented.
    ///   - keyMap: The style of keys.
    public init(commands: [(command: Command, keys: [KeySequence])], keyMap: KeyMap = KeyMap()) {
        // Commands of every list and text are the least interesting.
        let extras = commands.map(\.command.definition).filter { $0.traits.contains(.isGeneral) }
        let general = Set((ToolkitCommands.all + extras).map(\.group))
        var titles: [DisplayText] = []
        var rows: [DisplayText: [Row]] = [:]
        for (command, keys) in commands {
            let group = command.definition.group
            if rows[group] == nil { titles.append(group) }
            // Two commands with the same title here share a row with both keys.
            let same = rows[group]?.firstIndex { $0.title == command.title }
            let row = same ?? rows[group]?.count ?? 0
            if same == nil { rows[group, default: []].append(Row(title: command.title)) }
            rows[group]?[row].keys += keys
            rows[group]?[row].words += " \(group.string) \(command.title.string) \(command.name)".lowercased()
        }
        groups = (titles.filter { !general.contains($0) } + titles.filter { general.contains($0) }).map {
            ($0, rows[$0] ?? [])
        }
        self.keyMap = keyMap
        super.init()
        title = "Keys"
        modalPresentationStyle = .sheet
    }

    private final class HelpView: View {
        var place: () -> Void = {}
        var fit: (Size) -> Size = { $0 }
        override func layoutSubviews() { place() }
        override func sizeThatFits(_ limit: Size) -> Size { fit(limit) }
    }

    /// Creates the view.
    public override func makeView() -> View {
        let view = HelpView()
        view.place = { [weak self] in self?.place() }
        view.fit = { [weak self] limit in
            guard let self else { return .zero }
            let text = TextView()
            text.setParagraphs(self.paragraphs(matching: ""))
            let size = text.sizeThatFits(limit)
            return Size(width: size.width, height: min(limit.height, size.height + 1))
        }
        return view
    }

    private func place() {
        let bounds = view.bounds
        field.frame = Rect(x: 1, y: 0, width: max(0, bounds.width - 2), height: 1)
        textView.frame = bounds.inset(top: 1)
    }

    /// Fills the list.
    public override func viewDidLoad() {
        for subview in [field, textView] { view.addSubview(subview) }
        textView.isScrollEnabled = false
        field.placeholder = "Type to find a key"
        field.onChange = { [weak self] in self?.show($0) }
        field.onSubmit = { [weak self] _ in self?.dismiss() }
        show("")
    }

    private func show(_ text: String) { textView.setParagraphs(paragraphs(matching: text)) }

    private func paragraphs(matching text: String) -> [TextParagraph] {
        let words = text.lowercased().split(separator: " ")
        let widest = groups.flatMap(\.rows).map { keyMap.label(of: $0.keys).columns }.max() ?? 0
        var paragraphs: [TextParagraph] = []
        for group in groups {
            let rows = group.rows.filter { row in words.allSatisfy { row.words.contains($0) } }
            if rows.isEmpty { continue }
            if !paragraphs.isEmpty { paragraphs.append(.blank) }
            paragraphs.append(TextParagraph(group.title, .secondary))
            paragraphs += TextParagraph.facts(
                rows.map { (name: keyMap.label(of: $0.keys), value: $0.title) }, nameRole: .strong,
                minimumName: min(28, widest), maximumName: 28)
        }
        return paragraphs.isEmpty ? [TextParagraph("No matching key.", .secondary)] : paragraphs
    }

    /// The keys to scroll while the user types, and to close the help.
    public override var commands: [Command] {
        func scroll(_ definition: CommandDefinition, _ count: @escaping () -> Int) -> Command {
            Command(definition) { [weak self] in self?.textView.scroll(by: count()) }
        }
        return [
            scroll(ToolkitCommands.helpDown) { 1 }, scroll(ToolkitCommands.helpUp) { -1 },
            scroll(ToolkitCommands.helpPageDown) { max(1, self.textView.bounds.height - 1) },
            scroll(ToolkitCommands.helpPageUp) { -max(1, self.textView.bounds.height - 1) },
            Command(ToolkitCommands.helpClose) { [weak self] in self?.dismiss() },
        ]
    }
}
