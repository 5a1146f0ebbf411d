import ModelCore
import TerminalUI

/// The colours of a theme, each changed as one types and seen at once; kept as a theme of the user's own.
@MainActor
final class ThemeColorsViewController: ViewController {
    private let context: DashboardContext
    private let explanation = Label()
    private let table = TableView()
    /// The theme that it began with, and the colours as they are now.
    private let origin: String
    private var colors: TerminalColors
    /// The window that shows them; the controller may be out of it when it disappears.
    private weak var lookedAtIn: Window?

    private static let keep: DisplayText = "keep as a theme …"

    init(_ theme: Theme, context: DashboardContext) {
        self.context = context
        origin = theme.name
        colors = theme.colors ?? Theme.dark.colors ?? TerminalColors(foreground: .white, background: .black)
        super.init()
        title = "Colours"
    }

    private final class PageView: View {
        var place: () -> Void = {}
        override func layoutSubviews() { place() }
    }

    override func makeView() -> View { PageView() }

    override func viewDidLoad() {
        view.addSubview(explanation)
        view.addSubview(table)
        (view as? PageView)?.place = { [weak self] in self?.place() }
        toolbarItems = [BarButtonItem(ToolkitCommands.listOpen, title: "change", priority: 1)]
        explanation.paragraphs = [
            TextParagraph(
                "A colour that could not be read where it stands is made firmer. Nothing is kept before the last line.",
                .secondary),
            .blank,
        ]
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
    }

    private func place() {
        let bounds = view.bounds
        let width = max(1, min(bounds.width - 2, 80))
        let lines = min(explanation.sizeThatFits(Size(width: width, height: bounds.height)).height, bounds.height / 2)
        explanation.frame = Rect(x: 1, y: 0, width: width, height: lines)
        table.frame = Rect(x: 0, y: lines, width: min(bounds.width, 60), height: bounds.height - lines)
    }

    override func viewWillAppear() {
        if context.theme(origin).colors == nil { context.status.show("These begin with the colours of 'dark'.") }
        look(at: colors)
    }

    /// Colours that were only looked at are left.
    override func viewWillDisappear() { lookedAtIn?.theme = context.theme(context.settings[.theme]) }

    /// Shows everything in some colours.
    private func look(at colors: TerminalColors) {
        lookedAtIn = window ?? lookedAtIn
        lookedAtIn?.theme = Theme(name: origin, colors: colors)
    }

    private func change(_ color: ThemeColor) {
        let before = colors
        let prompt = TextPromptViewController(
            title: DisplayText(color.rawValue),
            message: "A colour such as #5fafd7: red, green and blue, 00 to ff each.",
            text: color[colors].hexadecimal,
            validate: { text in
                RGB(hexadecimal: text) == nil ? DisplayText("'\(text)' is no colour such as #1a2b3c") : nil
            },
            onSubmit: { [weak self] text in
                guard let self, let new = RGB(hexadecimal: text) else { return }
                self.colors = color.setting(new, in: before)
                self.look(at: self.colors)
                self.table.reloadData()
            })
        prompt.onChange = { [weak self] text in
            guard let new = RGB(hexadecimal: text) else { return }
            self?.look(at: color.setting(new, in: before))
        }
        prompt.onClose = { [weak self] in
            guard let self else { return }
            self.look(at: self.colors)
        }
        present(prompt)
    }

    private func askForName() {
        let isOwn = !Theme.all.contains { $0.name == origin }
        present(
            TextPromptViewController(
                title: "A theme of your own",
                message: "What it is called; it lies in 'themes' beside the configuration.",
                text: isOwn ? origin : "", validate: { ThemeColorsViewController.problem(with: $0) },
                onSubmit: { [weak self] name in self?.keep(as: name) }))
    }

    private func keep(as name: String) {
        do {
            try context.keepTheme(name, colors)
        } catch {
            return context.status.show(failure: error)
        }
        context.set(name, for: SettingKey.theme.name)
        navigationController?.pop()
    }

    /// What is wrong with a name; it is that of a file too.
    static func problem(with name: String) -> DisplayText? {
        if Theme.all.contains(where: { $0.name == name }) { return "tappa has a theme of that name" }
        let isName = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == " " || $0 == "-" || $0 == "_"
        }
        guard (1...40).contains(name.count), isName, name.first != " ", name.last != " " else {
            return "letters, digits, spaces and -, at most 40 of them"
        }
        return nil
    }
}

extension ThemeColorsViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { ThemeColor.allCases.count + 1 }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        guard ThemeColor.allCases.indices.contains(path.row) else {
            cell.title = ThemeColorsViewController.keep
            return cell
        }
        let color = ThemeColor.allCases[path.row]
        cell.title = DisplayText(color.rawValue.padding(to: 8)) + color.purpose
        cell.titleRole = color.role
        cell.value = DisplayText(color[colors].hexadecimal)
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        guard ThemeColor.allCases.indices.contains(path.row) else { return askForName() }
        change(ThemeColor.allCases[path.row])
    }
}

extension String {
    /// The text with as many blanks as it lacks.
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
