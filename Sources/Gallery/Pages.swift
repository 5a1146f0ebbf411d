import TerminalUI
import TerminalUIExtras

/// The pages of the gallery.
@MainActor
enum Pages {
    static let controls: [Page] = [
        Page(title: "Label") { StackController([Label("Words, wrapped where the line ends, in the look of a role.")]) },
        Page(title: "Button, switch") {
            let count = Label("Pressed 0 times")
            var presses = 0
            let button = Button("Press")
            button.onAction = {
                presses += 1
                count.paragraphs = [TextParagraph(DisplayText("Pressed \(presses) times"))]
            }
            return StackController([button, count, Switch("Reduce motion")])
        },
        Page(title: "Radio group, picker") {
            StackController([
                RadioGroup(["Small", "Medium", "Large"], selectedIndex: 1), Picker(towns, selectedIndex: 0),
            ])
        },
        Page(title: "Menu") {
            StackController([
                MenuButton("File") { ["New", "Open", "Close"].map { Command($0, DisplayText($0), keys: []) {} } }
            ])
        },
        Page(title: "Text field, text area") {
            let field = TextField()
            field.placeholder = "One line: words, undo with ctrl-z"
            let area = TextArea()
            area.text = "Several lines.\nThey wrap."
            return StackController([field, area])
        },
        Page(title: "Slider, progress") {
            let slider = Slider(0...100, value: 40, step: 5)
            let progress = ProgressView()
            progress.progress = (done: 4, total: 10)
            slider.onAction = { progress.progress = (done: Int(clamping: slider.value), total: 100) }
            let indicator = ActivityIndicator("Waiting for nothing")
            indicator.start()
            return StackController([slider, progress, indicator])
        },
        Page(title: "Segmented control") {
            let control = SegmentedControl()
            control.segments = ["Day", "Week", "Month"].map { .init($0) }
            control.selectedSegmentIndex = 0
            control.onSelect = { control.selectedSegmentIndex = $0 }
            return StackController([control])
        },
        Page(title: "Image") { ContentController(picture(), keys: "+ - zoom, arrows pan, 0 fits") },
        Page(title: "Data table") { TablePage() },
        Page(title: "Outline") {
            let outline = OutlineView()
            outline.roots = ["Italy", "Netherlands"].map { country in
                OutlineNode(country, children: towns.map { OutlineNode($0) })
            }
            return ContentController(outline, keys: "l unfolds, h folds")
        },
        Page(title: "A million rows") { MillionRows() },
        Page(title: "Form") { FormPage() },
    ]

    static let containers: [Page] = [
        Page(title: "Alert") {
            Presenter("Ask") { owner in
                let alert = AlertController(title: "Remove the town?", message: "It can be put back.")
                alert.actions = [AlertAction("Cancel", role: .cancel), AlertAction("Remove", role: .destructive)]
                owner.present(alert)
            }
        },
        Page(title: "Prompt") {
            Presenter("Ask for a name") { owner in
                owner.present(TextPromptViewController(title: "Name", message: "What is it called?") { _ in })
            }
        },
        Page(title: "Popover") {
            Presenter("Show") { owner in
                let content = ContentController(Label("It points at what it is about."))
                content.preferredContentSize = Size(width: 32, height: 1)
                content.modalPresentationStyle = .popover
                content.popoverPresentationController.sourceView = owner.button
                owner.present(content)
            }
        },
        Page(title: "Navigation") { level(1) },
    ]

    static let towns: [DisplayText] = ["Amsterdam", "Utrecht", "Middelburg", "Savigliano", "Novara"]

    /// Returns a navigation level that can push another.
    private static func level(_ depth: Int) -> ViewController {
        let level = Presenter("Deeper") { $0.navigationController?.push(Pages.level(depth + 1)) }
        level.title = DisplayText("Level \(depth)")
        level.navigationItem.prompt = depth > 1 ? "h goes back" : nil
        return level
    }

    private static func picture() -> ImageView {
        let side = 256
        var rgba: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side {
                let (dx, dy) = (x - side / 2, y - side / 2)
                let distance = (Double(dx * dx + dy * dy)).squareRoot()
                let ring = UInt8(clamping: Int(clamping: distance) % 32 * 8)
                rgba += [UInt8(x), ring, UInt8(y), 255]
            }
        }
        let view = ImageView()
        view.image = PixelBuffer(width: side, height: side, rgba: rgba)
        // Pixels if the terminal supports them, otherwise quadrants.
        view.detail = .kitty
        return view
    }
}

/// A button that presents or pushes something.
final class Presenter: ViewController {
    let button: Button
    private let action: (Presenter) -> Void

    init(_ title: DisplayText, action: @escaping (Presenter) -> Void) {
        button = Button(title)
        self.action = action
        super.init()
    }

    override func viewDidLoad() {
        view.addSubview(button)
        button.frame = Rect(x: 2, y: 1, width: 24, height: 1)
        button.onAction = { [weak self] in
            if let self { self.action(self) }
        }
    }
}

/// A form with validated fields.
final class FormPage: ViewController {
    private let name = TextField()
    private let password = TextField()
    private let notes = TextArea()
    private let answer = Label()

    private lazy var form: FormView = FormView([
        FormView.Row("Name", name), FormView.Row("Password", password), FormView.Row("Notes", notes, height: 3),
        FormView.Row(view: Switch("Remember me")),
        FormView.Row(view: Button("Sign in") { [weak self] in self?.signIn() }),
        FormView.Row(view: answer, height: 1),
    ])

    override func makeView() -> View { form }

    override func viewDidLoad() {
        name.placeholder = "At least three letters"
        name.validate = { $0.count < 3 ? "A name has three letters or more." : nil }
        password.isSecure = true
        password.validate = { $0.isEmpty ? "Without a password nobody gets in." : nil }
        notes.indentsWithTab = true
    }

    private func signIn() {
        answer.paragraphs = [TextParagraph(form.check() ? "Signed in" : "Not yet")]
    }
}

/// A table sorted by its headings.
final class TablePage: ViewController {
    private let table = DataTableView(columns: [
        DataColumn("Stage", width: 6, isTrailing: true), DataColumn("Town"),
        DataColumn("km", width: 6, isTrailing: true),
    ])
    private var rows = (1...200).map { (number: $0, town: Pages.towns[$0 % 5], distance: $0 * 37 % 240) }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.value = { [weak self] row, column in
            guard let row = self?.rows[row] else { return .empty }
            return [DisplayText("\(row.number)"), row.town, DisplayText("\(row.distance)")][column]
        }
        table.onSort = { [weak self] column, ascending in
            self?.rows.sort { a, b in
                let before =
                    column == 0
                    ? a.number < b.number : column == 1 ? a.town.string < b.town.string : a.distance < b.distance
                return ascending == before
            }
        }
        table.reload(rows: rows.count)
        toolbarItems = [.label("alt-1 to alt-3, or a click, sort")]
    }
}

/// A list of a million rows, which costs as much as its visible rows.
final class MillionRows: ViewController, TableViewDataSource {
    private let table = TableView()

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.allowsMarking = true
        table.dataSource = self
        table.select(RowPath(row: 0))
    }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 1_000_000 }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = DisplayText("Row \(path.row)")
        return cell
    }
}
