import DashboardFrame
import ModelCore
import StagesSegment
import TerminalUI

/// The welcome sheet of the first start: a theme with live preview, a race to follow, and imports from other programs.
///
/// It handles only arrow keys, Enter and Esc. Any other key closes it and then does what it always does.
@MainActor
final class WelcomeViewController: ViewController {
    private let access: LibraryAccess
    private let appearance: Appearance
    private let keys: UserKeys
    private let offers: WelcomeOffers
    private let races: RaceServices
    private let choices = WelcomeView()
    /// The races that can be followed by name, and the index of the chosen one.
    private lazy var known = access.library.knownRaces.followable.filter(\.hasStages)
    private var race: Int?
    /// What Enter does in the selected row.
    private let enterItem = BarButtonItem.label(.empty, priority: 1)
    private var followed: Set<Int> = []
    private var finding: Task<Void, Never>?
    private var found: [(subscriptions: DiscoveredSubscriptions, isTaken: Bool)] = []
    private let openGuide: () -> Void

    /// - Parameter openGuide: Opens the guide beside its list.
    init(
        access: LibraryAccess, appearance: Appearance, keys: UserKeys, races: RaceServices, offers: WelcomeOffers,
        openGuide: @escaping () -> Void
    ) {
        self.access = access
        self.appearance = appearance
        self.keys = keys
        self.races = races
        self.offers = offers
        self.openGuide = openGuide
        super.init()
        title = "Welcome to tappa"
        modalPresentationStyle = .sheet
    }

    /// Users can start with any key, without closing the sheet first.
    override var closesOnOtherKeys: Bool { true }

    override func makeView() -> View { choices }

    override func viewDidLoad() {
        let isLinear = access.settings[.linear]
        toolbarItems = [
            .label(isLinear ? "arrows choose and change" : "↑↓ choose  ←→ change"),
            enterItem,
            BarButtonItem("close", key: "esc", priority: 2) { [weak self] in self?.dismiss() },
        ]
        showNote()
        choices.step = { [weak self] row, step in self?.change(row, step) }
        choices.take = { [weak self] in self?.take($0) }
        choices.close = { [weak self] in self?.dismiss() }
        choices.didSelect = { [weak self] in self?.showNote() }
        showRows()
        finding = Task { [weak self, find = offers.find] in
            let found = await find()
            guard let self, !Task.isCancelled else { return }
            self.found = found.map { ($0, false) }
            self.showRows()
        }
    }

    override func viewDidDisappear() { finding?.cancel() }

    private func showRows() {
        let isLinear = access.settings[.linear]
        let enter = keys.map.label(of: "enter")
        choices.rows =
            [
                .init("Theme", value: DisplayText(access.settings[.theme]), isChoice: true),
                .init("Pictures", value: DisplayText(access.settings[.pictureDetail]), isChoice: true),
                .init("Race to follow", value: raceWords, isChoice: true),
            ]
            + found.map { item in
                let count = item.subscriptions.list.count
                return .init(
                    DisplayText("\(item.subscriptions.name), \(count.counted("feed"))"),
                    value: item.isTaken ? (isLinear ? "followed" : "✓ followed") : enter + " import",
                    isChoice: false)
            }
    }

    // MARK: Choosing

    private func change(_ row: Int, _ step: Int) {
        if row == 2 { return changeRace(step) }
        guard row < 2 else { return }
        let key = row == 0 ? SettingKey<String>.theme : .pictureDetail
        guard let names = Settings.definition(key.name).flatMap(appearance.names), !names.isEmpty else { return }
        let name = WelcomeViewController.name(step, from: choices.rows[row].value.string, in: names)
        choices.rows[row].value = DisplayText(name)
        // The theme applies at once and is stored in the background.
        if row == 0 { window?.theme = appearance.theme(name) }
        access.set(name, for: key.name)
    }

    /// Returns the name some steps after another, wrapping around.
    static func name(_ step: Int, from present: String, in names: [String]) -> String {
        let index = names.firstIndex(of: present) ?? 0
        return names[(index + step + names.count) % names.count]
    }

    private func take(_ row: Int) {
        if row == 2, let race { return follow(race) }
        let index = row - WelcomeView.choices
        guard found.indices.contains(index) else { return close() }
        guard !found[index].isTaken else { return }
        found[index].isTaken = true
        let subscriptions = found[index].subscriptions.list
        if let path = found[index].subscriptions.path, let moveIn = offers.importFile {
            // This imports searches, read marks and configuration too, like `tappa import`.
            access.status.show("Importing …")
            Task { [access] in
                guard let lines = await moveIn(path) else {
                    return access.status.show(failure: "The import failed. 'tappa import \(path)' reports why.")
                }
                let imported = lines.filter { !$0.hasPrefix("skipped: ") }
                let skipped = lines.count - imported.count
                let results = imported.prefix(3) + (skipped > 0 ? ["\(skipped) skipped"] : [])
                let words = results.joined(separator: " · ")
                access.status.show(
                    DisplayText("\(words). \(access.status.key(FeedCommands.reloadAll)) fetches the feeds."))
            }
            return showAccepted()
        }
        access.changes.submit(.subscribe(subscriptions, now: access.clock())) { [access] receipt in
            access.status.show(
                DisplayText(
                    "Followed \(receipt.count.counted("feed")). \(access.status.key(FeedCommands.reloadAll)) fetches them."
                )
            )
        }
        showAccepted()
    }

    // MARK: Races

    private var raceWords: DisplayText {
        guard let race else { return "none" }
        guard followed.contains(race) else { return DisplayText(known[race].name) }
        return DisplayText((access.settings[.linear] ? "followed: " : "✓ ") + known[race].name)
    }

    /// Chooses another race, which changes nothing until the user takes it.
    private func changeRace(_ step: Int) {
        guard !known.isEmpty else { return }
        let count = known.count + 1
        let index = ((race.map { $0 + 1 } ?? 0) + step + count) % count
        race = index > 0 ? index - 1 : nil
        choices.rows[2].value = raceWords
        showNote()
    }

    /// Shows the source of the chosen race, and what Enter does.
    private func showNote() {
        let isFound = choices.selected >= WelcomeView.choices
        let isRace = choices.selected == 2 && race != nil
        enterItem.title =
            keys.map.label(of: "enter") + (isFound ? " import" : isRace ? " follow race" : " open the guide")
        choices.note =
            choices.selected == 2 && race != nil
            ? DisplayText(
                "\(keys.map.label(of: "enter")) follows it. Data: A.S.O.'s race centre, undocumented; for personal use")
            : nil
    }

    private func follow(_ race: Int) {
        guard followed.insert(race).inserted else { return }
        choices.rows[2].value = raceWords
        access.status.show("Reading the race …")
        Task { [races, id = known[race].id] in await RaceAdder.add(id, races, asks: false) }
    }

    private func showAccepted() {
        let chosen = choices.selected
        showRows()
        choices.selected = chosen
    }

    private func close() {
        dismiss()
        openGuide()
    }
}
