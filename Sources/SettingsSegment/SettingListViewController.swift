import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// All settings with their values and sources (row SET-01).
@MainActor
final class SettingListViewController: ViewController {
    private let services: SettingServices
    private let table = TableView()
    private let sections: [(title: String, settings: [SettingDefinition])]
    private lazy var widestTitle = sections.flatMap(\.settings).map { DisplayText($0.title).columns }.max() ?? 0

    init(_ services: SettingServices) {
        self.services = services
        var sections: [(title: String, settings: [SettingDefinition])] = []
        for definition in Settings.definitions {
            if sections.last?.title == definition.section {
                sections[sections.count - 1].settings.append(definition)
            } else {
                sections.append((definition.section, [definition]))
            }
        }
        self.sections = sections
        super.init()
        title = "Settings"
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "change", priority: 2),
            BarButtonItem(ProgramCommands.resetSetting, title: "back to default", priority: 0),
        ]
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
        services.access.changes.listen(self) { [weak self] in self?.table.reloadData() }
    }

    override func viewWillAppear() { showSelection(takesFocus: false) }

    override func traitsDidChange(previous: Traits?) {
        if viewIfLoaded != nil { showSelection(takesFocus: false) }
    }

    func settingDidChange() {
        table.reloadData()
        (splitViewController?.detailViewController as? any SettingPage)?.settingDidChange()
        (splitViewController?.detailViewController as? KeysViewController)?.refresh()
    }

    /// The selected setting, to select it again later.
    var selectedName: String? { selected?.name }

    func select(_ name: String) {
        _ = view
        for (section, content) in sections.enumerated() {
            if let row = content.settings.firstIndex(where: { $0.name == name }) {
                table.select(RowPath(section: section, row: row))
            }
        }
        // The editor beside the list must follow, even if it already exists.
        showSelection(takesFocus: false)
    }

    private var selected: SettingDefinition? { table.selectedPath.flatMap(setting) }

    private func showSelection(takesFocus: Bool) {
        guard let split = splitViewController else { return }
        // Actions for all subscriptions are not settings and have no detail.
        if let path = table.selectedPath, path.section == sections.count + 1 {
            return showPage(path.row, takesFocus: takesFocus)
        }
        guard let selected else { return split.clearDetail() }
        if let shown = split.detailViewController, (shown as? any SettingPage)?.definition == selected {
            return split.show(shown, in: .secondary, takesFocus: takesFocus)
        }
        split.show(page(of: selected), in: .secondary, takesFocus: takesFocus)
    }

    private func page(of definition: SettingDefinition) -> ViewController {
        if definition.kind == .places { return SegmentListViewController(definition, access: services.access) }
        return SettingViewController(definition, access: services.access, appearance: services.appearance)
    }

    // MARK: The program

    /// A page of information.
    private struct Page {
        var title: DisplayText
        var command: CommandDefinition
        var type: ViewController.Type
        var make: @MainActor () -> ViewController
    }

    /// The pages below the settings: storage, keys and version.
    private var pages: [Page] {
        let services = services
        return [
            Page(title: "Storage", command: ProgramCommands.showStorage, type: StorageViewController.self) {
                StorageViewController(access: services.access, keptPictures: services.keptPictures)
            },
            Page(title: "Keys", command: ProgramCommands.showKeys, type: KeysViewController.self) {
                KeysViewController(
                    keys: services.keys, access: services.access,
                    path: services.about().first { $0.name == "Configuration" }?.value ?? "config.toml")
            },
            Page(title: "About tappa", command: ProgramCommands.showAbout, type: AboutViewController.self) {
                AboutViewController(services)
            },
        ]
    }

    private func showPage(_ row: Int, takesFocus: Bool) {
        guard let split = splitViewController else { return }
        let page = pages[row]
        if let shown = split.detailViewController, type(of: shown) == page.type {
            return split.show(shown, in: .secondary, takesFocus: takesFocus)
        }
        split.show(page.make(), in: .secondary, takesFocus: takesFocus)
    }

    // MARK: Subscriptions

    /// The actions for all subscriptions below the settings (row SET-02).
    private var subscriptionRows: [Command] {
        let screens = services.subscriptions
        return [Command(ProgramCommands.manageSubscriptions) { [weak self] in self?.manageSubscriptions() }]
            + SubscriptionPrompts(access: services.access, presenter: self).commands + [
                Command(AccountCommands.addAccount) { [weak self] in if let self { screens.askForAccount(self) } },
                Command(ProgramCommands.addRace) { [weak self] in if let self { screens.askForRace(self) } },
            ]
    }

    private func manageSubscriptions() {
        let list = services.subscriptions.makeList()
        list.title = "Subscriptions and races"
        show(list)
    }

    override var commands: [Command] {
        subscriptionRows
            + pages.indices.map { row in
                Command(pages[row].command) { [weak self] in
                    guard let self else { return }
                    self.table.select(RowPath(section: self.sections.count + 1, row: row))
                    self.showPage(row, takesFocus: true)
                }
            } + [
                Command(ProgramCommands.resetSetting, isEnabled: selected != nil) { [weak self] in
                    if let self, let selected = self.selected { self.services.access.set(nil, for: selected.name) }
                }
            ]
    }
}

extension SettingListViewController: TableViewDataSource, TableViewDelegate {
    /// One section for each group of settings, one for subscriptions, and one for pages.
    func numberOfSections(in table: TableView) -> Int { sections.count + 2 }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
        section < sections.count
            ? sections[section].settings.count : section == sections.count ? subscriptionRows.count : pages.count
    }

    func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        section < sections.count
            ? DisplayText(sections[section].title) : section == sections.count ? "Subscriptions" : "Program"
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        guard let definition = setting(at: path) else {
            let cell = table.dequeueCell()
            cell.indentation = 1
            cell.title = DisplayText(title(at: path))
            if path.section == sections.count {
                cell.value = DisplayText(services.access.status.key(subscriptionRows[path.row].definition))
            }
            return cell
        }
        let value = services.access.settings[definition.name]
        let isAligned = table.bounds.width >= SettingListViewController.minimumForColumns && !table.symbols.isLinear
        let cell = table.dequeueCell(style: isAligned ? .value : .basic)
        cell.indentation = 1
        let title = DisplayText(definition.title)
        cell.title = title + .blanks(isAligned ? widestTitle - title.columns : 0)
        let isPending = services.access.changes.isPending(setting: definition.name)
        let origin = isPending ? " …" : value.origin == .standard ? "" : " · \(value.origin.rawValue)"
        cell.value = SettingText.value(value.value, of: definition) + DisplayText(origin)
        return cell
    }

    private static let minimumForColumns = 40

    /// Settings are also found by their names in the configuration and their descriptions.
    func tableView(
        _ table: TableView, findRowMatching text: String, from path: RowPath, step: Int,
        found: @escaping (RowPath?) -> Void
    ) {
        let paths = (0..<table.numberOfRows).map(table.path)
        let ranks = paths.map { path in
            SettingListViewController.rank(
                of: text, title: title(at: path), in: setting(at: path), isShown: table.shows(text, at: path))
        }
        // What the name matches comes before what the description mentions.
        let ranked = Set(ranks.compactMap { $0 }).sorted().flatMap { rank in
            paths.indices.filter { ranks[$0] == rank }.map { paths[$0] }
        }
        guard step != 0, let index = ranked.firstIndex(of: path) else { return found(ranked.first) }
        found(ranked[(index + step + ranked.count) % ranked.count])
    }

    private func setting(at path: RowPath) -> SettingDefinition? {
        path.section < sections.count ? sections[path.section].settings[path.row] : nil
    }

    private func title(at path: RowPath) -> String {
        if let setting = setting(at: path) { return setting.title }
        return (path.section == sections.count ? subscriptionRows[path.row].title : pages[path.row].title).string
    }

    /// Returns how well a text matches a row, best first, or `nil` if it doesn't.
    static func rank(of text: String, title: String, in setting: SettingDefinition?, isShown: Bool) -> Int? {
        let (text, title) = (text.lowercased(), title.lowercased())
        if title.hasPrefix(text) { return 0 }
        if title.contains(text) || setting?.name.contains(text) == true { return 1 }
        return isShown || setting?.explanation.lowercased().contains(text) == true ? 2 : nil
    }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) { showSelection(takesFocus: false) }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        guard path.section == sections.count else { return showSelection(takesFocus: true) }
        subscriptionRows[path.row].perform()
    }
}

/// Settings in words.
enum SettingText {
    static func value(_ value: String, of definition: SettingDefinition) -> DisplayText {
        guard case .number(_, _, let unit, let zero) = definition.kind else { return DisplayText(value) }
        if value == "0", let zero { return DisplayText(zero) }
        return DisplayText("\(value) \(value == "1" ? singular(unit) : unit)")
    }

    private static func singular(_ unit: String) -> String {
        if unit.hasSuffix("ies") { return unit.dropLast(3) + "y" }
        return unit.count > 2 && unit.hasSuffix("s") ? String(unit.dropLast()) : unit
    }

    /// Returns the source of a value as a sentence.
    ///
    /// - Parameter resetKey: The key that restores the default.
    static func origin(_ origin: SettingOrigin, of definition: SettingDefinition, resetKey: String) -> String {
        switch origin {
        case .standard: "Default value."
        case .file: "Set in the configuration file as \(definition.name)."
        case .environment: "Set in the environment, which overrides this page."
        case .flag: "Set by --set, which overrides this page."
        case .here: "Set here. \(resetKey) resets it to the default."
        }
    }

    /// Returns the values to choose from: names, the default and the current text, or numbers including the current
    /// one.
    static func offered(for definition: SettingDefinition, names: [String]?, current: String) -> [String] {
        switch definition.kind {
        case .choice, .named, .toggle: names ?? []
        case .text, .program, .hours, .places:
            current == definition.defaultValue ? [current] : [definition.defaultValue, current]
        case .number(_, let offered, _, _): Set(offered + [Int(current) ?? 0]).sorted().map(String.init)
        }
    }
}
