import DashboardFrame
import ModelCore
import TerminalUI

/// The page of a setting beside the list of settings.
@MainActor
protocol SettingPage: ViewController {
    var definition: SettingDefinition { get }
    /// Shows the present value.
    func settingDidChange()
}

/// A setting with its description and its values to choose from.
@MainActor
final class SettingViewController: ViewController, SettingPage {
    let definition: SettingDefinition
    private let access: LibraryAccess
    private let appearance: Appearance
    private let page = SettingPageView()
    private var table: TableView { page.table }
    private let sampleView = SettingSampleView()
    /// What is below the values and the sample.
    private let notes: [(kind: SettingSample.Kind, view: SettingSampleView)]

    init(_ definition: SettingDefinition, access: LibraryAccess, appearance: Appearance) {
        self.definition = definition
        self.access = access
        self.appearance = appearance
        let file: [SettingSample.Kind] = SettingSample.kind(of: definition.name) == .file ? [] : [.file]
        notes = (file + [.section]).map { ($0, SettingSampleView()) }
        super.init()
        title = DisplayText(definition.title)
    }

    override func makeView() -> View { page }

    override func viewDidLoad() {
        for view in [sampleView] + notes.map(\.view) { page.addSubview(view) }
        page.place = { [weak self] in self?.place(in: $0) }
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "choose", priority: 2),
            BarButtonItem(ProgramCommands.resetSetting, title: "back to default", priority: 1),
        ]
        table.hasMarks = true
        table.dataSource = self
        table.delegate = self
        settingDidChange()
        selectCurrent()
    }

    /// The width of values beside a sample, and the minimum width of that sample.
    private static let valueColumns = 34, minimumOfSample = 30
    private static let minimumRowsOfSample = 3

    private func place(in area: Rect) {
        table.frame = Rect(x: 0, y: area.minY, width: min(area.width, page.textColumns), height: area.height)
        for view in [sampleView] + notes.map(\.view) { view.isHidden = true }
        guard !view.symbols.isLinear else { return }
        let left = SettingViewController.valueColumns + 2
        // The end of the values and of what is below them.
        var bottom = area.minY + min(area.height, values.count)
        var column = Rect(x: 1, y: area.minY, width: page.explanation.frame.width, height: area.height)
        if area.width - left - 1 >= SettingViewController.minimumOfSample {
            // Beside the values.
            let room = Size(width: column.width - left + 1, height: area.height)
            table.frame.size.width = SettingViewController.valueColumns
            show(sample(columns: room.width), in: sampleView, at: Point(x: left, y: area.minY), room)
            bottom = max(bottom, sampleView.frame.maxY)
        } else {
            guard showBelow(&bottom, column, sampleView) else { return }
        }
        // In wide panes the notes have a column of their own.
        if area.width - column.maxX - 4 >= page.textColumns {
            column = Rect(x: column.maxX + 3, y: 0, width: page.textColumns, height: area.maxY)
            bottom = -1
        }
        for (kind, view) in notes { _ = showBelow(&bottom, column, view, kind) }
        let below = ([sampleView] + notes.map(\.view)).filter { !$0.isHidden && $0.frame.minX < left }
        if let top = below.map(\.frame.minY).min() { table.frame.size.height = top - area.minY }
    }

    /// Shows a sample in a column, one row below what is already there, if there is space.
    private func showBelow(
        _ bottom: inout Int, _ column: Rect, _ sampleView: SettingSampleView, _ kind: SettingSample.Kind? = nil
    ) -> Bool {
        let top = bottom + 1
        let room = Size(width: column.width, height: column.maxY - top)
        guard room.height >= SettingViewController.minimumRowsOfSample else { return false }
        show(
            sample(columns: room.width, kind, rows: room.height - 1), in: sampleView, at: Point(x: column.minX, y: top),
            room)
        // Notes are whole or missing.
        if kind != nil, !sampleView.isWhole { sampleView.isHidden = true }
        guard !sampleView.isHidden else { return false }
        bottom = sampleView.frame.maxY
        return true
    }

    private func show(_ sample: SettingSample, in view: SettingSampleView, at origin: Point, _ room: Size) {
        view.sample = sample
        view.frame = Rect(origin: origin, size: Size(width: room.width, height: view.sizeThatFits(room).height))
        view.isHidden = view.isEmpty
    }

    /// Returns the sample with the selected value, or with the current one.
    ///
    /// - Parameters:
    ///   - kind: What is shown instead of the setting's own drawing.
    ///   - rows: The maximum number of lines of the other settings.
    private func sample(columns: Int, _ kind: SettingSample.Kind? = nil, rows: Int = .max) -> SettingSample {
        let selected = table.selectedPath.flatMap { values.indices.contains($0.row) ? values[$0.row] : nil }
        let current = access.settings[definition.name].value
        return SettingSample(
            name: definition.name, value: selected.flatMap { isOther($0) ? nil : $0 } ?? current, columns: columns,
            settings: access.settings, symbols: sampleView.symbols, hasUnicode: traits.capabilities.hasUnicode,
            now: access.clock(), paneColumns: view.window?.size.width ?? columns, other: kind, rows: rows)
    }

    /// The values in the table, which change only together with it.
    private var values: [String] = []

    /// The suggested values, including the current one for numbers.
    private var offeredValues: [String] {
        SettingText.offered(
            for: definition, names: appearance.names(of: definition), current: access.settings[definition.name].value)
            + others
    }

    /// The row for entering other values.
    private var others: [String] {
        switch definition.kind {
        case .number: [SettingViewController.other]
        case .text, .program, .hours: [SettingViewController.otherWords]
        case .named where isAboutTheme: [SettingViewController.ownColors]
        case .named, .choice, .toggle, .places: []
        }
    }

    private static let otherWords = "another value …"
    private static let other = "another number …"
    private static let ownColors = "custom colours …"

    private func selectCurrent() {
        let current = access.settings[definition.name].value
        if let row = values.firstIndex(of: current) { table.select(RowPath(row: row)) }
    }

    func settingDidChange() {
        let value = access.settings[definition.name]
        let origin = SettingText.origin(
            value.origin, of: definition, resetKey: access.status.key(ProgramCommands.resetSetting))
        var paragraphs = [
            TextParagraph(DisplayText(definition.explanation)), TextParagraph(DisplayText(origin), .secondary),
        ]
        // The name of the terminal around tmux comes from outside; DisplayText sanitises it.
        let found = DisplayText(whatWasFound)
        if !found.isEmpty { paragraphs.append(TextParagraph(found, .strong)) }
        page.explanation.paragraphs = paragraphs + [.blank]
        view.setNeedsLayout()
        values = offeredValues
        table.reloadData()
    }

    /// The detected capability of the terminal, for settings that depend on one, or why a program can't be used.
    private var whatWasFound: String {
        switch definition.name {
        case SettingKey.pictureDetail.name: traits.capabilities.graphics.explanation
        case SettingKey.colors.name: traits.capabilities.colorsExplanation
        default: ProgramSetting.problem(of: access.settings[definition.name].value, for: definition.name) ?? ""
        }
    }

    private var isAboutPictures: Bool { definition.name == "appearance.pictures" }

    private var isAboutTheme: Bool { definition.name == SettingKey.theme.name }

    /// Ends the preview of a theme that was not chosen.
    override func viewWillDisappear() {
        previewWindow?.theme = appearance.theme(access.settings[.theme])
    }

    /// The window that previews a theme. The controller may have left it when it disappears.
    private weak var previewWindow: Window?

    /// The capabilities for pictures are queried only when the page is shown. There may also be new themes.
    override func viewWillAppear() {
        if isAboutTheme { settingDidChange() }
        if isAboutPictures { window?.detectGraphics() }
    }

    override func traitsDidChange(previous: Traits?) {
        guard viewIfLoaded != nil, let previous, previous.capabilities != traits.capabilities else { return }
        if isAboutPictures || definition.name == SettingKey.colors.name { settingDidChange() }
    }

    private func set(_ value: String?) { access.set(value, for: definition.name) }

    private func chooseSelected() {
        guard let row = table.selectedPath?.row, values.indices.contains(row) else { return }
        let value = values[row]
        if isAboutTheme, value == SettingViewController.ownColors {
            let theme = appearance.theme(access.settings[.theme])
            navigationController?.push(ThemeColorsViewController(theme, access: access, appearance: appearance))
        } else if isOther(value) {
            askForValue()
        } else {
            set(value)
        }
    }

    private func isOther(_ value: String) -> Bool { others.contains(value) }

    private func askForValue() {
        present(
            TextPromptViewController(
                title: DisplayText(definition.title), message: DisplayText("The value: \(definition.domain)"),
                text: access.settings[definition.name].value,
                validate: { [definition] text in
                    if let problem = ProgramSetting.problem(of: text, for: definition.name) {
                        return DisplayText(problem)
                    }
                    return definition.accepts(text)
                        ? nil : DisplayText("'\(text)' is not valid. Enter \(definition.domain).")
                }
            ) { [weak self] text in self?.set(text) })
    }

    override var commands: [Command] {
        [Command(ProgramCommands.resetSetting) { [weak self] in self?.set(nil) }]
    }
}

extension SettingViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { values.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { values[path.row] }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        (identifier.base as? String).flatMap { values.firstIndex(of: $0) }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let value = values[path.row]
        let cell = table.dequeueCell()
        let isOther = isOther(value)
        let isCurrent = !isOther && value == access.settings[definition.name].value
        var words = value == definition.defaultValue ? ["default"] : []
        if table.symbols.isLinear {
            if isCurrent { words.insert("chosen", at: 0) }
        } else if !isOther {
            cell.mark = isCurrent ? table.symbols.dot : Glyph("○")
        }
        cell.title = isOther ? DisplayText(value) : SettingText.value(value, of: definition)
        cell.value = DisplayText(words.joined(separator: ", "))
        return cell
    }

    /// Previews the selected value, and a theme in the whole window.
    func tableView(_ table: TableView, didSelectRowAt path: RowPath) {
        sampleView.setNeedsLayout()
        guard isAboutTheme, values.indices.contains(path.row) else { return }
        previewWindow = window
        let name = isOther(values[path.row]) ? access.settings[.theme] : values[path.row]
        window?.theme = appearance.theme(name)
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { chooseSelected() }
}
