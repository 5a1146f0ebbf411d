/// A palette that filters choices while the user types, or a plain menu at a row.
///
/// A palette of commands is made from ``Window/availableCommands``, like the help, so nothing is listed twice.
@MainActor
public final class CommandPaletteViewController: ViewController {
    private let field = TextField()
    private let table = TableView()
    private let offered: [Choice]
    /// The indexes of the matching choices: all in one section, or in a menu a section for each group.
    private var shown: [[Int]]
    private var marked: Set<Int> = []
    private var words: [String] = []
    private let hasField: Bool
    private let placeholder: DisplayText
    /// The row that is selected first.
    public var selectedIndex = 0
    /// Called with the indexes of the marked choices. If it is set, Tab marks rows, and Enter chooses those or, without
    /// marks, the selected one.
    public var chooseSeveral: (([Int]) -> Void)?

    /// Creates a palette or menu.
    ///
    /// - Parameters:
    ///   - title: The title in the border of a sheet.
    ///   - choices: The rows.
    ///   - hasField: Whether typing filters the list.
    ///   - placeholder: The text in the empty field.
    public init(
        title: DisplayText, choices: [Choice], hasField: Bool, placeholder: DisplayText = "Type to find a command"
    ) {
        offered = choices
        shown = hasField ? [Array(choices.indices)] : CommandPaletteViewController.sections(of: choices)
        self.placeholder = placeholder
        self.hasField = hasField
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
    }

    /// Returns successive choices of the same group together.
    private static func sections(of choices: [Choice]) -> [[Int]] {
        choices.indices.reduce(into: [[Int]]()) { sections, index in
            if let last = sections.last?.last, choices[last].group == choices[index].group {
                sections[sections.count - 1].append(index)
            } else {
                sections.append([index])
            }
        }
    }

    /// The preferred height, which follows the number of matching rows.
    private lazy var wantedHeight = offered.count + max(0, shown.count - 1) + (hasField ? 1 : 0)

    /// Creates the view.
    public override func makeView() -> View {
        FittingView { [weak self] limit in
            guard let self else { return limit }
            return Size(width: min(self.wantedWidth, limit.width), height: min(self.wantedHeight, limit.height))
        }
    }

    /// Fills the list.
    public override func viewDidLoad() {
        if hasField { view.addSubview(field) }
        view.addSubview(table)
        field.placeholder = placeholder
        if chooseSeveral != nil {
            field.onTab = { [weak self] in self?.toggleMark() }
            toolbarItems = [
                BarButtonItem("mark", key: "tab", priority: 1) { [weak self] in self?.toggleMark() },
                BarButtonItem("add", key: "enter", priority: 2) { [weak self] in self?.performSelected() },
            ]
        }
        field.onChange = { [weak self] in self?.filter($0) }
        field.onSubmit = { [weak self] _ in self?.performSelected() }
        table.emptyText = "No match."
        table.opensAtFirstClick = true
        table.dataSource = self
        table.delegate = self
        if !offered.isEmpty { table.select(table.path(of: min(selectedIndex, offered.count - 1))) }
    }

    /// Places field and list.
    public override func viewWillLayoutSubviews() {
        let top = hasField ? 1 : 0
        field.frame = Rect(x: 1, y: 0, width: view.bounds.width - 2, height: top)
        table.frame = view.bounds.inset(top: top)
    }

    // MARK: Groups

    private static let groupGap = 2
    /// The columns of a row beside title and note: the mark, the gap between them, and the margin at the right.
    private static let titleMargins = 4
    /// The width of a note that even the longest title leaves.
    private static let minimumNoteColumns = 6
    /// The minimum width for titles and keys beside the groups.
    private static let minimumColumnsBesideGroups = 36

    /// The width of the groups in front of the titles.
    private lazy var groupColumns: Int = {
        let widest = hasField ? offered.map(\.group.columns).max() ?? 0 : 0
        return widest == 0 ? 0 : widest + CommandPaletteViewController.groupGap
    }()

    private lazy var wantedWidth: Int = {
        let widest = offered.map { $0.title.columns + $0.note.columns + 6 }.max() ?? 0
        return max(24, hasField ? placeholder.columns + 2 : 0, widest + groupColumns)
    }()

    /// The width of the groups in the current width: 0 if they would take too much of it.
    private var shownGroupColumns: Int {
        let minimum = min(wantedWidth, groupColumns + CommandPaletteViewController.minimumColumnsBesideGroups)
        return view.bounds.width >= minimum && !view.symbols.isLinear ? groupColumns : 0
    }

    // MARK: Filtering

    /// Shows the rows that contain all typed words in their title or other search terms. Those whose title begins so
    /// come first, then those with words that begin so: "move" finds "Move to folder" before "Remove race".
    private func filter(_ text: String) {
        words = text.lowercased().split(separator: " ").map(String.init)
        let words = words
        let found = offered.indices.filter { index in
            let item = offered[index]
            let name = (item.title.string + " " + item.words).lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        let ranks = found.map { rank(of: offered[$0]) }
        shown = [(0..<6).flatMap { rank in zip(found, ranks).filter { $0.1 == rank }.map(\.0) }]
        table.reloadData()
        table.select(table.numberOfRows == 0 ? nil : RowPath(row: 0))
        // The sentence that nothing matches is below an empty line.
        wantedHeight = (table.numberOfRows == 0 ? 2 : table.numberOfRows) + (hasField ? 1 : 0)
        view.setNeedsLayout()
    }

    /// Returns the rank of a matching row: rows that begin as typed before others, and enabled rows before disabled ones.
    private func rank(of choice: Choice) -> Int {
        let title = choice.title.string.lowercased()
        let parts = title.split { !$0.isLetter && !$0.isNumber }
        let hasWords = words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
        let begins = title.hasPrefix(words.joined(separator: " "))
        return (begins ? 0 : hasWords ? 2 : 4) + (choice.isEnabled ? 0 : 1)
    }

    private func index(at path: RowPath) -> Int? {
        guard shown.indices.contains(path.section), shown[path.section].indices.contains(path.row) else { return nil }
        return shown[path.section][path.row]
    }

    private func choice(at path: RowPath) -> Choice? { index(at: path).map { offered[$0] } }

    /// Marks the selected row, or removes its mark, and selects the next one.
    private func toggleMark() {
        guard let index = table.selectedPath.flatMap(index(at:)) else { return }
        if marked.remove(index) == nil { marked.insert(index) }
        table.reloadData()
        move(1)
    }

    private func move(_ step: Int) {
        guard (0..<table.numberOfRows).contains(table.selectedRow + step) else { return }
        table.select(table.path(of: table.selectedRow + step))
    }

    private func performSelected() {
        if let chooseSeveral, !marked.isEmpty {
            dismiss()
            return chooseSeveral(marked.sorted())
        }
        guard let choice = table.selectedPath.flatMap(choice(at:)),
            let action = choice.isEnabled ? choice.action : choice.explain
        else { return }
        dismiss()
        action()
    }

    /// The arrow keys move through the list while the user types.
    public override var commands: [Command] {
        [
            Command(PaletteCommands.down) { [weak self] in self?.move(1) },
            Command(PaletteCommands.up) { [weak self] in self?.move(-1) },
            Command(hasField ? PaletteCommands.close : PaletteCommands.closeMenu) { [weak self] in self?.dismiss() },
        ]
    }
}

extension CommandPaletteViewController: TableViewDataSource, TableViewDelegate {
    /// One section, or in a menu one for each group.
    public func numberOfSections(in table: TableView) -> Int { shown.count }

    /// The number of matching commands.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { shown[section].count }

    /// A line between the groups of a menu.
    public func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        section == 0 ? nil : .empty
    }

    /// Returns the cell with group, title and key. The matched letters have the accent colour.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        guard let choice = choice(at: path) else { return cell }
        cell.titleRole = choice.isEnabled ? .text : .secondary
        let start = shownGroupColumns
        cell.value = note(of: choice, beside: start)
        let isFirstOfGroup = path.row == 0 || offered[shown[path.section][path.row - 1]].group != choice.group
        let group = start > 0 && isFirstOfGroup ? choice.group : .empty
        let isMarked = index(at: path).map(marked.contains) == true
        let mark: DisplayText = chooseSeveral == nil ? .empty : isMarked ? DisplayText(table.symbols.check) + " " : "  "
        cell.title = group.padded(to: start) + mark + choice.title
        cell.titleRoles = [(0..<group.columns, .secondary)]
        for word in words {
            cell.titleRoles += choice.title.ranges(of: word).map {
                ($0.lowerBound + start + mark.columns..<$0.upperBound + start + mark.columns, .match)
            }
        }
        return cell
    }

    /// Returns the note of a row as far as the whole title leaves room for it, at least as wide as most keys.
    private func note(of choice: Choice, beside groups: Int) -> DisplayText {
        guard choice.hasLongNote, !view.symbols.isLinear else { return choice.note }
        let room = table.bounds.width - groups - choice.title.columns - CommandPaletteViewController.titleMargins
        return choice.note.truncated(to: max(CommandPaletteViewController.minimumNoteColumns, room))
    }

    /// Performs the action of the row.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) { performSelected() }
}
