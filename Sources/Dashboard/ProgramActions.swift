import DashboardFrame
import Feeds
import FeedsSegment
import StagesSegment
import TerminalUI

/// Actions that are available everywhere: help, palette, menu, undo, reload and search.
@MainActor
final class ProgramActions {
    private let access: LibraryAccess
    private let feeds: FeedServices
    private let index: IndexController
    private let keys: UserKeys
    private let navigation: NavigationController
    private weak var application: Application?
    /// The identifiers of the commands last chosen in the palette, most recent first.
    private var recent: [String] = []

    init(feeds: FeedServices, index: IndexController, keys: UserKeys, navigation: NavigationController) {
        access = feeds.access
        self.feeds = feeds
        self.index = index
        self.keys = keys
        self.navigation = navigation
    }

    func attach(to application: Application) {
        self.application = application
        keys.window = application.window
        let own = navigation.additionalCommands
        navigation.additionalCommands = { [weak self] in (self?.commands ?? []) + own() }
        application.window.globalCommands = { [weak self] in self?.globalCommands ?? [] }
        application.window.contextMenu = { [weak self] in self?.showMenu(at: $0) }
        application.window.onCopy = { [weak self] count, clipboard in
            let what = count.counted("character")
            self?.access.status.show(StatusController.sentence(copied: what, clipboard))
        }
        application.window.unusedKey = { [weak self] in self?.reportUnused($0, $1) }
        application.awaitsScreen = { [access] in !access.awaitedScreens.isEmpty }
        application.window.usedKey = { [weak self] in self?.access.status.keyWasUsed() }
    }

    private var commands: [Command] {
        [
            Command(FeedCommands.reloadAll) { [weak self] in self?.feeds.reload() },
            Command(
                FeedCommands.watchReload,
                action: presenting { ReloadViewController(reloads: $0.reloads, status: $0.access.status) }),
            Command(FeedCommands.stopReload, isEnabled: feeds.reloads.isRunning) { [weak self] in
                self?.feeds.reloads.stop()
            },
            Command(
                AccountCommands.showOutbox,
                isEnabledIf: { [access] in access.read(false) { try $0.accounts.hasAny() } },
                action: presenting {
                    OutboxViewController(access: $0.access, appearance: $0.entries.appearance, syncs: $0.syncs)
                }),
            Command(
                DownloadCommands.showDownloads,
                action: presenting { DownloadsViewController(access: $0.access, enclosures: $0.entries.enclosures) }),
            Command(
                RuleCommands.showRules,
                action: presenting { RulesViewController(services: $0.entries.rules) }),
            Command(FeedCommands.search) { [weak self] in self?.askForSearch() },
            Command(FeedCommands.showRecentlyRead) { [weak self] in self?.feeds.entries.router?.showRecentlyRead() },
            Command(StageCommands.hideResults) { [weak self] in self?.access.toggleHiddenResults() },
            access.changes.undoCommand(),
            Command(ProgramCommands.quit) { [weak self] in self?.quit() },
        ]
    }

    /// Returns an action that presents a view controller.
    private func presenting(_ make: @escaping @MainActor (FeedServices) -> ViewController) -> @MainActor () -> Void {
        { [navigation, feeds] in navigation.present(make(feeds)) }
    }

    /// The commands that also work over alerts, popovers and sheets. None of them acts on what lies beneath (row POP-02).
    private var globalCommands: [Command] {
        [
            Command(ProgramCommands.help) { [weak self] in self?.showHelp() },
            Command(ProgramCommands.palette) { [weak self] in self?.showPalette() },
            Command(ProgramCommands.menu) { [weak self] in self?.showMenu(at: nil) },
            Command(ProgramCommands.quitNow) { [weak self] in self?.leave() },
            Command(ProgramCommands.interrupt) { [weak self] in self?.interrupt() },
            Command(ProgramCommands.releaseMemory) { [weak self] in self?.application?.window.receiveMemoryWarning() },
            Command(ProgramCommands.redraw) { [weak self] in self?.application?.redraw() },
            Command(ProgramCommands.suspend) { [weak self] in self?.application?.suspend() },
        ]
    }

    /// Quits, after a confirmation if work would be interrupted.
    private func quit() {
        guard feeds.reloads.isRunning else { return leave() }
        navigation.present(
            AlertController(
                title: "Quit?", message: "The running reload will be cancelled.", cancel: "Stay", confirm: "Quit"
            ) { [weak self] in self?.leave() })
    }

    /// Cancels the topmost prompt, sheet or popover, also with a half-typed text. Without one, quits.
    private func interrupt() {
        if let presented = application?.window.presentedViewController { presented.dismiss() } else { quit() }
    }

    private func leave() { application?.finish() }

    /// Shows that a key does nothing here, with the reason if there is one.
    private func reportUnused(_ unused: KeySequence, _ obstacle: DisplayText?) {
        let key = keys.map.label(of: unused)
        access.status.show(
            unusedKey: obstacle.map { key + ": " + $0 } ?? place(of: unused).map { key + ": " + $0 }
                ?? key + " is not used here")
    }

    /// Returns what a key does in the lists that the user can go to and where, such as "Star works on an entry".
    private func place(of unused: KeySequence) -> DisplayText? {
        guard let window = application?.window, window.presentedViewController == nil else { return nil }
        let matching = elsewhere.filter { window.keyMap.keys(for: $0.command.definition).contains(unused) }
        let places: [DisplayText] = ["entries", "feeds", "stages", "settings"]
        let first = places.lazy.compactMap { place in matching.first { $0.command.definition.place == place } }.first
        return first.map { $0.command.title + " works " + $0.condition }
    }

    private func showHelp() {
        guard let window = application?.window else { return }
        let legend = HelpLegend.dashboard(hasUnicode: window.traits.capabilities.hasUnicode)
        window.focusedController.present(
            HelpViewController(
                commands: window.reachableCommands, elsewhere: elsewhere, keyMap: window.keyMap,
                essentials: HelpEssential.dashboard,
                legend: window.isLinear ? [] : legend))
    }

    // MARK: Palette and menu

    private func showPalette() {
        guard let window = application?.window else { return }
        let offered = window.offeredCommands
        let choices = ProgramActions.ranked(offered, recent: recent).map { command in
            Choice(
                command, keyMap: window.keyMap,
                lost: CommandTable.dashboard.lostKeys(of: command.definition, in: window.keyMap),
                group: command.isEnabled && recent.contains(command.name) ? "Recent" : nil,
                explain: { [weak self] in self?.access.status.show(command.title + ": " + $0) }
            ) { [weak self] in
                self?.note(command.name)
                command.perform()
            }
        }
        // Presented over a popover, so that the chosen command acts on it.
        window.focusedController.present(
            CommandPaletteViewController(
                title: "Commands",
                choices: choices
                    + elsewhere.map { item in
                        let key = window.keyMap.label(for: item.command.definition).map { $0 + "  " } ?? .empty
                        return Choice(
                            item.command.title, note: key + item.condition, hasLongNote: true,
                            group: item.command.definition.group, words: item.command.name,
                            isEnabled: item.command.isEnabled,
                            explain: { [weak self] in
                                self?.access.status.show(item.command.title + " works " + item.condition)
                            }, action: item.command.perform)
                    }, hasField: true))
    }

    /// The commands that nothing offers at the focus. Performing one shows its place.
    private var elsewhere: [(command: Command, condition: DisplayText)] {
        guard let window = application?.window else { return [] }
        let known = Set(window.offeredCommands.map(\.name))
        let places = Set(CommandTable.dashboard.places)
        return CommandTable.dashboard.commands.filter {
            !known.contains($0.name) && $0.isFirstOfItsKind && places.contains($0.place) && $0.title != "Close"
        }.map { definition in
            let hasPlace = CommandPlace(of: definition) != nil
            let go = Command(definition, isEnabled: hasPlace) { [weak self] in
                self?.feeds.entries.router?.goToPlace(of: definition)
            }
            return (go, definition.condition)
        }
    }

    private func note(_ name: String) { recent = ProgramActions.noting(name, in: recent) }

    /// Returns the commands of the palette in order: recently chosen ones, available ones, the toolkit's own, then
    /// unavailable ones. Those of a group are together.
    ///
    /// - Parameters:
    ///   - offered: All commands that responders offer.
    ///   - recent: The identifiers of the commands last chosen in the palette, most recent first.
    static func ranked(_ offered: [Command], recent: [String]) -> [Command] {
        let here = offered.filter(\.isListed)
        let ranked = recent.compactMap { name in here.first { $0.name == name && $0.isEnabled } }
        let others = here.filter { command in !ranked.contains { $0.name == command.name } }
        let able = others.filter(\.isEnabled)
        let general = Set(ToolkitCommands.all.map(\.name))
        let special = able.filter { !general.contains($0.name) }
        let toolkit = able.filter { general.contains($0.name) }
        return ranked + grouped(special) + grouped(toolkit) + grouped(others.filter { !$0.isEnabled })
    }

    /// Returns the commands with those of a group together, in the order of the groups' first commands.
    static func grouped(_ commands: [Command]) -> [Command] {
        var groups: [DisplayText] = []
        for command in commands where !groups.contains(command.definition.group) {
            groups.append(command.definition.group)
        }
        return groups.flatMap { group in commands.filter { $0.definition.group == group } }
    }

    /// Returns the identifiers of the last ten chosen commands, including a new one.
    static func noting(_ name: String, in recent: [String]) -> [String] {
        [name] + recent.filter { $0 != name }.prefix(8)
    }

    /// Shows a menu of actions for the selection, at the pointer or at the selected row.
    private func showMenu(at point: Point?) {
        guard let window = application?.window else { return }
        let general = Set((ToolkitCommands.all + [ProgramCommands.quitNow, ProgramCommands.interrupt]).map(\.name))
        let local = window.availableCommands.map(\.command).filter {
            !general.contains($0.name) && $0.definition.place != "everywhere"
        }
        let menu = CommandPaletteViewController(
            title: "Actions", choices: ProgramActions.grouped(local).map { Choice($0, keyMap: window.keyMap) },
            hasField: false)
        menu.modalPresentationStyle = .popover
        let popover = menu.popoverPresentationController
        let focused = window.focusedView ?? navigation.view
        if let point {
            popover.sourceView = navigation.view
            popover.sourceRect = Rect(origin: point, size: Size(width: 1, height: 1))
        } else {
            popover.sourceView = focused
            popover.sourceRect =
                (focused as? TableView)?.selectedRowRect.map {
                    Rect(x: min(4, $0.width - 1), y: $0.minY, width: 1, height: $0.height)
                } ?? Rect(x: focused.bounds.width / 2, y: 0, width: 1, height: 1)
        }
        window.focusedController.present(menu)
    }

    // MARK: Searching

    private func askForSearch() {
        let prompt = access.queryPrompt(title: "Search") { [weak self] in self?.search($0) }
        index.start()
        let preview = SearchPreview(in: prompt, access)
        prompt.previewLines = SearchPreview.lines
        prompt.onChange = { preview.show($0) }
        navigation.present(prompt)
    }

    private func search(_ text: String) {
        do {
            let query = try SearchQuery(text)
            index.start()
            feeds.entries.router?.showSearch(query, named: text)
        } catch {
            access.status.show(failure: error.description)
        }
    }
}
