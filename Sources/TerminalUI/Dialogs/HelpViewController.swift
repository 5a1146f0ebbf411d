/// A sheet with the available commands and their keys, and a legend of signs as its second page.
///
/// With essential keys, those come first and the groups of all keys are collapsed. Typing finds keys in all groups.
@MainActor
public final class HelpViewController: ViewController {
    private let field = HelpField()
    private let table = HelpTable()
    private let keys: HelpKeys
    private let legend: [HelpGroup]
    private var showsLegend = false
    private var text = ""
    private var expanded: Set<DisplayText> = []
    private var sections: [HelpSection] = []
    /// The height before the user typed, which the sheet keeps meanwhile.
    private var height = 0
    private lazy var pageItem = BarButtonItem(HelpCommands.turnPage, title: "signs")

    /// A search field in which `?` closes the help while it is empty, and Tab turns the page.
    private final class HelpField: TextField {
        override var wantsTab: Bool { true }
        override var acceptsTyping: Bool { !text.isEmpty }
        override func handle(_ press: KeyPress) -> Bool {
            if [.tab, .backTab].contains(press.key) { return false }
            if text.isEmpty, press == KeyPress(.character("?")) { return false }
            return super.handle(press)
        }
    }

    /// A list whose keys belong to the search field.
    private final class HelpTable: TableView {
        override var canBecomeFocused: Bool { false }
    }

    /// Creates a help sheet.
    ///
    /// - Parameters:
    ///   - commands: The value of ``Window/reachableCommands`` before the help is presented.
    ///   - elsewhere: The commands of other places, with the row or place that each needs. Performing one goes there.
    ///   - keyMap: The style of keys.
    ///   - essentials: The candidates for the keys that come first, most important first. Eight are shown.
    ///   - legend: The signs of the program.
    public init(
        commands: [(command: Command, keys: [KeySequence])],
        elsewhere: [(command: Command, condition: DisplayText)] = [], keyMap: KeyMap = KeyMap(),
        essentials: [HelpEssential] = [], legend: [HelpLegend] = []
    ) {
        keys = HelpKeys(commands, elsewhere: elsewhere, essentials, keyMap)
        self.legend = legend.map(HelpGroup.init)
        super.init()
        title = "Keys"
        modalPresentationStyle = .sheet
    }

    /// Creates the view.
    public override func makeView() -> View { FittingView { [weak self] in self?.fit($0) ?? .zero } }

    /// Fills the list.
    public override func viewDidLoad() {
        for subview in [field, table] { view.addSubview(subview) }
        table.isFindEnabled = false
        table.opensAtFirstClick = true
        table.dataSource = self
        table.delegate = self
        field.onChange = { [weak self] text in
            self?.text = text
            self?.reload()
        }
        field.onSubmit = { [weak self] _ in self?.submit() }
        if !legend.isEmpty { toolbarItems = [pageItem] }
        showPage()
    }

    private func showPage() {
        title = showsLegend ? "Signs" : "Keys"
        pageItem.title = showsLegend ? "keys" : "signs"
        field.placeholder = showsLegend ? "Type to find a sign" : "Type to find a key"
        table.emptyText = showsLegend ? "No matching sign." : "No matching key."
        text = ""
        field.text = ""
        reload()
    }

    // MARK: Layout

    /// Places field and list.
    public override func viewWillLayoutSubviews() {
        let bounds = view.bounds
        arrange(in: bounds.width)
        field.frame = Rect(x: 1, y: 0, width: max(0, bounds.width - 2), height: 1)
        table.frame = bounds.inset(top: 1)
    }

    /// The margins of rows, with space for the scroll indicator.
    private static let rowMargins = 4
    private static let minimumWidth = 30

    private var columnItems: [HelpItem] { showsLegend ? legend.flatMap(\.items) : keys.essentials }

    private func columns(in width: Int) -> Int {
        let isWide = HelpLine.Widths(columnItems).columns(of: 2) + HelpViewController.rowMargins <= width
        return isWide && !view.symbols.isLinear ? 2 : 1
    }

    private func fit(_ limit: Size) -> Size {
        let all = HelpLine.Widths(keys.groups.flatMap(\.items)).columns(of: 1) + HelpViewController.groupIndentation
        let beside = HelpLine.Widths(columnItems).columns(of: columns(in: limit.width))
        let width = max(
            HelpViewController.minimumWidth,
            max(showsLegend ? 0 : all, beside, widestTitle) + HelpViewController.rowMargins)
        arrange(in: min(limit.width, width))
        if text.isEmpty {
            height = 1 + table.sizeThatFits(Size(width: limit.width, height: limit.height - 1)).height
        }
        return Size(width: min(limit.width, width), height: min(limit.height, height))
    }

    /// The width of the longest heading, which may be a sentence.
    private var widestTitle: Int { sections.map { $0.title?.columns ?? 0 }.max() ?? 0 }

    /// Arranges the rows in the columns for a width.
    private func arrange(in width: Int) {
        guard columns(in: width) != shownColumns else { return }
        shownColumns = columns(in: width)
        fillSections()
        table.reloadData()
    }

    // MARK: Rows

    private static let groupIndentation = 2
    /// The number of essential keys or signs side by side.
    private var shownColumns = 1

    /// Shows the rows for a page or a typed text from the top.
    private func reload() {
        fillSections()
        table.select(nil)
        table.reloadData()
        table.scroll(by: -table.numberOfRows)
        view.setNeedsLayout()
    }

    private func fillSections() {
        let words = text.lowercased().split(separator: " ")
        let groups = (showsLegend ? legend : keys.groups).map { $0.matching(words) }.filter { !$0.items.isEmpty }
        sections =
            showsLegend
            ? legendSections(groups)
            : words.isEmpty && !keys.essentials.isEmpty
                ? firstSections(groups) : keySections(groups + elsewhere(words, isOnly: groups.isEmpty))
    }

    /// Returns the commands of other places that match the typed words. If nothing here matches, the heading says where
    /// the first one works.
    private func elsewhere(_ words: [Substring], isOnly: Bool) -> [HelpGroup] {
        guard !words.isEmpty else { return [] }
        var group = keys.elsewhere.matching(words)
        guard let sentence = group.items.first?.sentence else { return [] }
        if isOnly { group.title = "No key for this row. " + sentence }
        return [group]
    }

    private func legendSections(_ groups: [HelpGroup]) -> [HelpSection] {
        let widths = HelpLine.Widths(columnItems)
        return groups.map { group in
            HelpSection(
                title: group.title,
                rows: HelpLine.lines(group.items, columns: shownColumns, widths).map(HelpRow.items))
        }
    }

    private func keySections(_ groups: [HelpGroup]) -> [HelpSection] {
        let widths = HelpLine.Widths(groups.flatMap(\.items))
        return groups.map { group in
            HelpSection(title: group.title, rows: group.items.map { .command($0, HelpLine([$0], widths)) })
        }
    }

    /// Returns the essential keys and the collapsible groups.
    private func firstSections(_ groups: [HelpGroup]) -> [HelpSection] {
        let widths = HelpLine.Widths(keys.essentials)
        var rows: [HelpRow] = []
        for group in groups {
            let isExpanded = expanded.contains(group.title)
            rows.append(.group(group, isExpanded: isExpanded))
            guard isExpanded else { continue }
            let widths = HelpLine.Widths(group.items)
            rows += group.items.map {
                .command($0, HelpLine([$0], widths, indentation: HelpViewController.groupIndentation))
            }
        }
        return [
            HelpSection(rows: HelpLine.lines(keys.essentials, columns: shownColumns, widths).map(HelpRow.items)),
            HelpSection(title: .empty, rows: rows),
        ]
    }

    private func row(at path: RowPath) -> HelpRow? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }

    // MARK: Actions

    /// Opens the selected row or, after typing, the first one. Otherwise closes the help.
    private func submit() {
        let first = (0..<table.numberOfRows).lazy.map(table.path).first { row(at: $0)?.isSelectable == true }
        if let path = table.selectedPath ?? (text.isEmpty ? nil : first) { open(path) } else { dismiss() }
    }

    private func open(_ path: RowPath) {
        switch row(at: path) {
        case .group(let group, let isExpanded):
            if isExpanded { expanded.remove(group.title) } else { expanded.insert(group.title) }
            fillSections()
            table.reloadData()
        case .command(let item, _):
            dismiss()
            item.command?.perform()
        case .items, nil: break
        }
    }

    /// Selects the next row in a direction, or scrolls if there is none.
    private func move(_ step: Int, by count: Int = 1) {
        let paths = (0..<table.numberOfRows).map(table.path).filter { row(at: $0)?.isSelectable == true }
        guard !paths.isEmpty else { return table.scroll(by: step * count) }
        let current = table.selectedPath.flatMap { paths.firstIndex(of: $0) } ?? -1
        let next = min(paths.count - 1, current + step * count)
        table.select(next < 0 ? nil : paths[next])
        if next < 0 { table.scroll(by: -table.numberOfRows) }
    }

    /// The keys that move while the user types, turn the page, and close the help.
    public override var commands: [Command] {
        let page = max(1, table.bounds.height - 1)
        func move(_ definition: CommandDefinition, _ step: Int, by count: Int = 1) -> Command {
            Command(definition) { [weak self] in self?.move(step, by: count) }
        }
        return [
            move(HelpCommands.down, 1), move(HelpCommands.up, -1),
            move(HelpCommands.pageDown, 1, by: page), move(HelpCommands.pageUp, -1, by: page),
            Command(HelpCommands.turnPage, isEnabled: !legend.isEmpty) { [weak self] in
                self?.showsLegend.toggle()
                self?.showPage()
            },
            Command(HelpCommands.close) { [weak self] in self?.dismiss() },
        ]
    }
}

extension HelpViewController: TableViewDataSource, TableViewDelegate {
    /// The number of groups, or the essential keys and all groups.
    public func numberOfSections(in table: TableView) -> Int { sections.count }

    /// The number of rows in a group.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
        sections[section].rows.count
    }

    /// Returns the title of a group.
    public func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        sections[section].title
    }

    /// Returns the row of keys, signs or a group.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        switch row(at: path) {
        case .group(let group, let isExpanded):
            cell.title = (isExpanded ? table.symbols.expanded : table.symbols.collapsed) + group.title
            cell.value = DisplayText(String(group.items.count))
        case .items(let line), .command(_, let line):
            cell.title = line.text
            cell.titleRoles = line.roles
        case nil: break
        }
        return cell
    }

    /// Only groups and commands can be selected.
    public func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath? {
        row(at: path)?.isSelectable == true ? path : nil
    }

    /// Expands or collapses a group, or performs a command.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) { open(path) }
}
