import DashboardFrame
import ModelCore
import TerminalUI

/// Edits the colours of a theme with a live preview, and saves them as a theme of the user.
@MainActor
final class ThemeColorsViewController: ViewController {
    private let access: LibraryAccess
    private let appearance: Appearance
    private let page = SettingPageView()
    private var table: TableView { page.table }
    /// The original theme, and the edited colours.
    private let origin: String
    private var colors: TerminalColors
    /// The window with the preview. The controller may have left it when it disappears.
    private weak var previewWindow: Window?

    private static let keep: DisplayText = "save as theme …"

    init(_ theme: Theme, access: LibraryAccess, appearance: Appearance) {
        self.access = access
        self.appearance = appearance
        origin = theme.name
        colors = theme.colors ?? Theme.dark.colors ?? TerminalColors(foreground: .white, background: .black)
        super.init()
        title = "Colours"
    }

    override func makeView() -> View { page }

    override func viewDidLoad() {
        page.textColumns = 80
        page.place = { [page] in
            page.table.frame = Rect(x: 0, y: $0.minY, width: min($0.width, 60), height: $0.height)
        }
        toolbarItems = [BarButtonItem(ListCommands.open, title: "change", priority: 1)]
        page.explanation.paragraphs = [
            TextParagraph(
                "tappa adjusts colours with too little contrast. The last line saves them as a theme.", .secondary),
            .blank,
        ]
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
    }

    override func viewWillAppear() {
        if appearance.theme(origin).colors == nil { access.status.show("Based on the theme 'dark'.") }
        look(at: colors)
    }

    /// Ends the preview of colours that were not saved.
    override func viewWillDisappear() { previewWindow?.theme = appearance.theme(access.settings[.theme]) }

    private func look(at colors: TerminalColors) {
        previewWindow = window ?? previewWindow
        previewWindow?.theme = Theme(name: origin, colors: colors)
    }

    private func change(_ color: ThemeColor) {
        let before = colors
        let prompt = TextPromptViewController(
            title: DisplayText(color.rawValue),
            message: "A colour such as #5fafd7: red, green and blue, each from 00 to ff",
            text: color[colors].hexadecimal,
            validate: { text in
                RGB(hexadecimal: text) == nil
                    ? DisplayText("'\(text)' is not a colour. Enter one such as #1a2b3c.") : nil
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
                title: "Save as theme",
                message: "The name of its file in the folder 'themes', next to the configuration file",
                text: isOwn ? origin : "", validate: { ThemeColorsViewController.problem(with: $0) },
                onSubmit: { [weak self] name in self?.keep(as: name) }))
    }

    private func keep(as name: String) {
        do {
            try appearance.keepTheme(name, colors)
        } catch {
            return access.status.show(failure: error)
        }
        access.set(name, for: SettingKey.theme.name)
        navigationController?.pop()
    }

    /// Returns the error in a theme's name, which is also a file name.
    static func problem(with name: String) -> DisplayText? {
        if Theme.all.contains(where: { $0.name == name }) { return "tappa already has a theme with this name" }
        let isName = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == " " || $0 == "-" || $0 == "_"
        }
        guard (1...40).contains(name.count), isName, name.first != " ", name.last != " " else {
            return "use at most 40 letters, digits, spaces and hyphens"
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
        cell.title = DisplayText(color.rawValue).padded(to: 8) + color.purpose
        cell.titleRole = color.role
        cell.value = DisplayText(color[colors].hexadecimal)
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        guard ThemeColor.allCases.indices.contains(path.row) else { return askForName() }
        change(ThemeColor.allCases[path.row])
    }
}
