import DashboardFrame
import ModelCore
import StagesSegment
import TerminalUI

/// The welcome sheet of the first start: feeds of other programs, a first feed, a race to follow, and a theme with live
/// preview.
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
    private let perform: (CommandDefinition) -> Void

    /// What a row is about.
    private enum Subject {
        /// Subscriptions of another program, by their index.
        case found(Int)
        case file, feed, race, theme, guide
    }

    /// - Parameter perform: Shows the view that a command belongs to, and performs the command there.
    init(
        access: LibraryAccess, appearance: Appearance, keys: UserKeys, races: RaceServices, offers: WelcomeOffers,
        openGuide: @escaping () -> Void, perform: @escaping (CommandDefinition) -> Void
    ) {
        self.access = access
        self.appearance = appearance
        self.keys = keys
        self.races = races
        self.offers = offers
        self.openGuide = openGuide
        self.perform = perform
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
        choices.step = { [weak self] row, step in self?.change(row, step) }
        choices.take = { [weak self] in self?.take() }
        choices.close = { [weak self] in self?.dismiss() }
        choices.didSelect = { [weak self] in self?.showAction() }
        showRows()
        finding = Task { [weak self, find = offers.find] in
            let found = await find()
            guard let self, !Task.isCancelled else { return }
            self.found = found.map { ($0, false) }
            // The first row is selected until the user chooses another, which then stays selected.
            let chosen = self.choices.selected
            self.showRows()
            if chosen > 0 { self.choices.selected = chosen + found.count }
        }
    }

    override func viewDidDisappear() { finding?.cancel() }

    /// Whether the library has the guide, which it lacks if its first feeds came from a command.
    private lazy var hasGuide = access.read([]) { try $0.feeds.all() }.contains(where: \.isGuide)

    /// What the rows are about, from top to bottom.
    private var subjects: [Subject] {
        found.indices.map(Subject.found) + [.file, .feed] + (known.isEmpty ? [] : [.race]) + [.theme]
            + (hasGuide ? [.guide] : [])
    }

    private var subject: Subject? {
        let subjects = subjects
        return subjects.indices.contains(choices.selected) ? subjects[choices.selected] : nil
    }

    private func showRows() {
        choices.rows = subjects.map(row)
        showAction()
    }

    private func row(of subject: Subject) -> WelcomeView.Row {
        switch subject {
        case .found(let index):
            let (subscriptions, isTaken) = found[index]
            let feeds = subscriptions.list.count.counted("feed")
            let hasOnlyFeeds = subscriptions.path == nil
            let taken = (access.settings[.linear] ? "" : "✓ ") + (hasOnlyFeeds ? "followed" : "imported")
            return .init(
                title: DisplayText("Bring \(feeds) from \(subscriptions.name)"),
                value: isTaken ? DisplayText(taken) : .empty,
                note: hasOnlyFeeds
                    ? "Follows its feeds, in their folders." : "Imports its feeds, searches, marks and configuration.")
        case .file:
            return .init(
                title: "Import a file",
                note: "OPML, newsboat's urls, newsraft's feeds, or starred entries of other readers.")
        case .feed: return .init(title: "Add a feed", note: "The address of a feed, or of any page that has one.")
        case .race:
            return .init(
                title: "Follow a race", value: raceWords, isChoice: true,
                note: race == nil
                    ? "← and → choose a race." : "Data: A.S.O.'s race centre, undocumented; for personal use.")
        case .theme:
            return .init(
                title: "Theme", value: DisplayText(access.settings[.theme]), isChoice: true,
                note: WelcomeViewController.keys)
        case .guide: return .init(title: "Read the guide", note: WelcomeViewController.keys)
        }
    }

    private static let keys: DisplayText = "Tab: next segment   Enter: open   ?: keys"

    // MARK: Choosing

    private func change(_ row: Int, _ step: Int) {
        switch subject {
        case .race: changeRace(step)
        case .theme:
            let key = SettingKey<String>.theme
            guard let names = Settings.definition(key.name).flatMap(appearance.names), !names.isEmpty else { return }
            let name = WelcomeViewController.name(step, from: choices.rows[row].value.string, in: names)
            choices.rows[row].value = DisplayText(name)
            // The theme applies at once and is stored in the background.
            window?.theme = appearance.theme(name)
            access.set(name, for: key.name)
        default: return
        }
    }

    /// Returns the name some steps after another, wrapping around.
    static func name(_ step: Int, from present: String, in names: [String]) -> String {
        let index = names.firstIndex(of: present) ?? 0
        return names[(index + step + names.count) % names.count]
    }

    private func take() {
        switch subject {
        case .found(let index): bring(index)
        case .race where race != nil: if let race { follow(race) }
        case .file: leave(for: ProgramCommands.importSubscriptions)
        case .feed: leave(for: FeedCommands.addFeed)
        default: close()
        }
    }

    private func leave(for command: CommandDefinition) {
        dismiss()
        perform(command)
    }

    /// Imports or follows found subscriptions, once.
    private func bring(_ index: Int) {
        guard !found[index].isTaken else { return }
        found[index].isTaken = true
        let subscriptions = found[index].subscriptions.list
        if let path = found[index].subscriptions.path, let moveIn = offers.importFile {
            // This imports searches, read marks and configuration too, like `tappa import`.
            access.status.show("Importing …")
            access.status.importing = DisplayText(
                "Importing \(subscriptions.count.counted("feed")) from \(found[index].subscriptions.name) …")
            Task { [access] in
                let lines = await moveIn(path)
                access.status.importing = nil
                guard let lines else {
                    return access.status.show(failure: "The import failed. 'tappa import \(path)' reports why.")
                }
                let imported = lines.filter { !$0.hasPrefix("skipped: ") }
                let skipped = lines.count - imported.count
                let results =
                    imported.prefix(3) + (skipped > 0 ? ["\(skipped) skipped, which 'tappa import \(path)' lists"] : [])
                let words = results.joined(separator: " · ")
                access.status.show(
                    DisplayText("\(words). \(access.status.key(FeedCommands.reloadAll)) fetches the feeds."))
            }
            return showRows()
        }
        access.changes.submit(.subscribe(subscriptions, now: access.clock())) { [access] receipt in
            access.status.show(
                DisplayText(
                    "Followed \(receipt.count.counted("feed")). \(access.status.key(FeedCommands.reloadAll)) fetches them."
                )
            )
        }
        showRows()
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
        showRows()
    }

    /// Shows what Enter does in the selected row.
    private func showAction() {
        let action: DisplayText =
            switch subject {
            case .found, .file: "import"
            case .feed: "add"
            case .race where race != nil: "follow race"
            case .race, .theme, .guide, nil: hasGuide ? "open the guide" : "open the feeds"
            }
        enterItem.title = keys.map.label(of: "enter") + " " + action
    }

    private func follow(_ race: Int) {
        guard followed.insert(race).inserted else { return }
        showRows()
        access.status.show("Reading the race …")
        Task { [races, id = known[race].id] in await RaceAdder.add(id, races, asks: false) }
    }

    private func close() {
        dismiss()
        openGuide()
    }
}
