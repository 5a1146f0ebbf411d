import DashboardFrame
import Feeds
import FeedsSegment
import LibraryKernel
import ModelCore
import RaceModel
import SettingsSegment
import StagesSegment
import TerminalUI

/// Builds the dashboard: the segments in one navigation controller, and the work that all of them share.
@MainActor
package final class DashboardController {
    /// The root view controller of the window.
    package let navigation = NavigationController()
    private let environment: DashboardEnvironment
    private let segments: [DashboardSegment]
    private(set) lazy var services = DashboardServices(environment, router: self)
    private var access: LibraryAccess { services.access }
    private lazy var roots = makeRoots()
    private lazy var actions = ProgramActions(
        feeds: services.feeds, index: services.index, keys: services.keys, navigation: navigation)
    private lazy var places = PlaceActions(
        access: access, navigation: navigation, openPane: environment.programs.openPane)
    private lazy var inspector = InspectorController(access: access, navigation: navigation)
    private lazy var accessory = AccessoryController { [access] in access.settings[.accessory] }
    private lazy var accessorySources = AccessorySources(
        accessory, access: access, dates: { [appearance = services.appearance] in appearance.dates }, router: self,
        patience: environment.time.second * 3,
        showShare: { [weak self] in self?.application?.terminal.setProgress($0) })
    private weak var application: Application?
    private var observations: [Observation] = []
    private let badgeRefresh = Coalescer()
    private var refreshTimer: Task<Void, Never>?
    /// The day and the time zone for which lists were read.
    private var shownDay: (CalendarDay, Int)?
    private var external: ExternalChanges?

    package init(_ environment: DashboardEnvironment, segments: [DashboardSegment] = DashboardSegment.all) {
        self.environment = environment
        self.segments = segments
        let (library, status) = (environment.library, access.status)
        navigation.hasRule = true
        navigation.hidesBarsOnScroll = true
        navigation.footerItems = [BarButtonItem(ProgramCommands.help, title: "keys", priority: 2)]
        navigation.accessoryView = status.view
        navigation.overflowView = status.line
        navigation.extras.line = accessory.view
        roots.showBadges()
        observeLibrary()
        let problems =
            library.notices + environment.start.problems + environment.configuration.notices
            + [access.settings.trustAuthorities()].compactMap(\.self)
        if !problems.isEmpty { status.show(failure: problems.joined(separator: "; ")) }
        status.persistent[.library] = library.caveat.map { DisplayText($0.prefix(1).uppercased() + $0.dropFirst()) }
        status.persistent[.configuration] = environment.configuration.problem
    }

    private func makeRoots() -> SegmentRoots {
        let restored = environment.start.state.flatMap { $0.isCurrent ? $0 : nil }
        return SegmentRoots(
            segments, navigation: navigation, start: { startSegment(restored, $0) }, restored: restored?.roots ?? [:],
            services: services)
    }

    /// Returns the name of the first segment. The bar may have others than the setting for the start.
    private func startSegment(_ restored: DashboardState?, _ shown: [String]) -> String {
        let name = StartSegment.name(
            asked: environment.start.segment, restored: restored?.segment,
            setting: access.settings[.startSegment],
            hasStageToday: hasStageToday,
            hasFeeds: StartSegment.hasFeeds(
                access.read([]) { try $0.feeds.all().map(\.url) }, bundled: environment.start.bundledFeeds,
                hasRaces: access.read(true) { try !$0.races.all().isEmpty }))
        return name == environment.start.segment || shown.contains(name) ? name : shown.first ?? name
    }

    private var hasStageToday: Bool {
        let today = services.appearance.dates.today
        let now = access.clock()
        return access.read(nil) { try $0.races.nextStage(from: today, at: now) }?.isToday ?? false
    }

    /// Follows changes of the library by this program and by others.
    private func observeLibrary() {
        let library = environment.library
        // The window title shows the number of unread entries.
        observeBadges()
        external = ExternalChanges(of: library) {
            Task { @MainActor [weak self] in self?.libraryWasReplaced() }
        } changed: {
            Task { @MainActor [weak self] in self?.services.index.startAfterRest() }
        }
    }

    private func observeBadges() {
        observations = roots.badgeParts.union([.subscriptions]).map { part in
            access.library.observe(part) { [weak self] in
                self?.badgeRefresh.schedule { [weak self] in
                    self?.roots.arrange()
                    self?.roots.showBadges()
                    self?.showTitle()
                }
            }
        }
    }

    /// Applies a changed configuration. Settings changed in the program, the environment and flags take precedence.
    package func take(_ configuration: DashboardConfiguration, settings: [String: String], rules: [Rule]) {
        services.accept(configuration, rules: rules)
        application?.window.keyMap = services.keys.map
        for name in access.settings.use(file: settings) { settingDidChange(name) }
        // The theme's file may have changed.
        apply(.theme)
        application?.window.updateAppearance()
    }

    /// Shows an error in the configuration. The previous configuration stays in effect.
    package func tell(configurationProblem: String) {
        access.status.persistent[.configuration] = DisplayText(configurationProblem)
    }

    /// Handles a library file that was replaced or deleted: nothing more can be stored in it.
    private func libraryWasReplaced() {
        let path = access.library.path ?? ""
        access.status.persistent[.library] = DisplayText(
            "\(LibraryError.replaced(path: path)): nothing is stored until then")
    }

    /// Connects the dashboard to an application: keys, appearance and timers.
    package func attach(to application: Application) {
        self.application = application
        application.window.keyMap = services.keys.map
        actions.attach(to: application)
        application.lifeCycle = { [weak self] event in
            // Saving the state stores the reading position, which is a change of the library, so it comes first.
            self?.saveState()
            if case .willFinish = event { self?.leave() }
            if case .openedNotification(let text) = event, let place = try? Place(text) { self?.open(place) }
            if case .focus(let hasFocus) = event { self?.services.paneFocus.hasFocus = hasFocus }
        }
        application.finishInput = { [weak self] in self?.access.finishInput() }
        // No list has shown anything yet.
        for effect in SettingEffect.allCases where effect != .listContent { apply(effect) }
        roots.restoreWhatIsShown()
        accessorySources.update()
        let commands = navigation.additionalCommands
        navigation.additionalCommands = { [weak self] in
            guard let self else { return commands() }
            return commands() + self.places.commands + self.inspector.commands + self.accessory.commands
        }
        if let place = environment.start.place { open(place) }
        if environment.welcome.isFirstStart { showWelcome() }
        startTimer()
        // Background work must not delay the first screen.
        Task { [weak self, second = environment.time.second] in
            try? await Clock.sleep(for: second)
            await self?.releaseWhatWasForStarting()
            try? await Clock.sleep(for: second * 2)
            await self?.beginWork()
            // At the start each reader uses its own connection with its own cache.
            try? await Clock.sleep(for: second * 2)
            await self?.releaseWhatWasForStarting()
        }
    }

    /// Starts background work, unless the library is read-only, and checks for damage.
    func beginWork() async {
        let library = access.library
        if library.readOnlyReason == nil {
            // Changes of earlier runs can no longer be undone.
            await access.status.attempt { _ = try await library.changes.perform(EmptyTrash(age: 86_400)) }
            services.index.start()
            services.entries.enclosures.downloads.begin()
            services.feeds.syncs.begin()
            services.races.races.begin()
        }
        await checkForDamage()
    }

    private func releaseWhatWasForStarting() async {
        await Task.detached { [library = access.library] in library.releaseMemory() }.value
        environment.start.release()
    }

    private static let minimumWelcomeSize = Size(width: 30, height: 10)

    /// Shows the welcome sheet at the first start, which can open the guide beside its list.
    private func showWelcome() {
        guard let window = application?.window,
            window.size.width >= DashboardController.minimumWelcomeSize.width,
            window.size.height >= DashboardController.minimumWelcomeSize.height
        else { return }
        let sheet = WelcomeViewController(
            access: services.access, appearance: services.appearance, keys: services.keys, races: services.races,
            offers: environment.welcome,
            openGuide: { [weak self] in self?.roots.open(FeedsViewController.self) { $0.showGuide() } },
            perform: { [weak self] command in
                self?.goToPlace(of: command)
                self?.perform(command)
            })
        navigation.present(sheet)
    }

    /// The maximum size of a library whose pages are checked in the background at each start, in bytes.
    private static let quickCheckLimit = 64 << 20

    /// Checks the library and reports damage before the user runs into it.
    private func checkForDamage() async {
        let library = access.library
        guard library.size <= DashboardController.quickCheckLimit else { return }
        let check = Task.detached(priority: .utility) { try LibraryCheck.pagesAreIntact(library) }
        // Other errors, such as that of a deleted file, are reported where they matter.
        let isWhole = (try? await check.value) ?? true
        if !isWhole {
            access.status.persistent[.library] = DisplayText(
                LibraryError.unreadable("found at the start").description)
        }
    }

    /// Whether the library is read-only because the disk was full at the start.
    private var lacksSpace = false
    /// Whether the program starts again instead of ending.
    package private(set) var startsAgain = false

    /// The outcome of the changes that were pending when the program quit, or `nil` while it runs.
    package private(set) var leaving: Leaving?

    /// Waits until all changes are stored or written to a journal.
    private func leave() {
        refreshTimer?.cancel()
        services.feeds.reloads.stop()
        services.index.stop()
        services.entries.enclosures.downloads.stop()
        services.feeds.syncs.end()
        services.races.races.end()
        leaving = access.library.changes.drain {
            access.status.show("Storing the last changes …")
            application?.render()
        }
    }

    /// Saves the state of the screen for the next start in this pane.
    func saveState() {
        environment.saveState(roots.state)
    }

    // MARK: Settings

    private func apply(_ effect: SettingEffect) {
        switch effect {
        case .theme: application?.window.theme = services.appearance.theme(access.settings[.theme])
        case .motion: application?.window.motion = motion
        case .dates: application?.window.updateAppearance()
        case .mouse: application?.terminal.setMouse(enabled: access.settings[.mouse])
        case .linear: application?.window.isLinear = access.settings[.linear]
        case .title: showTitle()
        case .columns: roots.applySettings()
        case .listMode: roots.applyLists()
        case .thresholds: application?.window.thresholds = SizeClassThresholds(access.settings)
        case .listContent:
            roots.reloadLists()
            roots.showBadges()
        case .keys: application?.window.keyMap = services.keys.map
        case .accessory: accessory.update()
        case .authorities: if let problem = access.settings.trustAuthorities() { access.status.show(failure: problem) }
        case .segments:
            roots.arrange()
            observeBadges()
        }
    }

    private func showTitle() {
        let isShown = access.settings[.title]
        let unread = isShown ? access.read(0) { try $0.feeds.unreadCount() } : 0
        application?.terminal.setTitle(WindowTitle.text(isShown: isShown, unread: unread))
    }

    private var motion: Motion {
        Motion.chosen(
            isWanted: access.settings[.motion], isLinear: access.settings[.linear],
            colors: application?.window.capabilities.colors ?? .none)
    }

    var automaticReload: AutomaticReload {
        AutomaticReload(
            minutes: access.settings[.reloadMinutes],
            isReadOnly: access.library.readOnlyReason != nil,
            isQuiet: access.settings.isQuiet(at: access.clock()),
            isRunning: services.feeds.reloads.isRunning,
            hasOwnInterval: access.settings[SettingKey.reloadMinutes.name].origin != .standard,
            hasAccounts: access.read(false) { try $0.accounts.hasAny() },
            addresses: access.read([]) { try $0.feeds.all() }.map(\.url),
            bundled: environment.start.bundledFeeds)
    }

    /// Reloads the feeds that are due if an automatic reload is allowed.
    func reloadByItself() {
        services.feeds.reloadWhatIsDue(if: automaticReload.isAllowed)
    }

    /// Does what has become due: shortly after the start, and then every minute.
    private func startTimer() {
        let dates = services.appearance.dates
        shownDay = (dates.today, dates.zone)
        lacksSpace =
            access.library.readOnlyReason != nil
            && (environment.freeSpace() ?? .max) < DashboardController.neededSpace / 4
        refreshTimer = Task { [weak self, time = environment.time] in
            try? await Clock.sleep(for: time.firstReload)
            while !Task.isCancelled, self != nil {
                self?.reloadByItself()
                self?.showTime()
                self?.startAgainIfPossible()
                try? await Clock.sleep(for: time.second * 60)
            }
        }
    }

    /// The free space in bytes with which a library that was read-only on a full disk is opened again.
    private static let neededSpace: Int64 = 4 << 20

    /// Ends the dashboard if the library was opened on a full disk that has space now. The program then starts again,
    /// because an open library stays read-only.
    func startAgainIfPossible() {
        guard lacksSpace, environment.freeSpace() ?? 0 >= DashboardController.neededSpace else { return }
        startsAgain = true
        application?.finish()
    }

    /// Shows ages as of now. Only cells that differ are sent to the terminal. On another day or in another time zone,
    /// everything is read again.
    func showTime() {
        let dates = services.appearance.dates
        let day = (dates.today, dates.zone)
        if shownDay ?? day != day {
            roots.reloadLists()
            roots.showBadges()
        }
        shownDay = day
        accessorySources.update()
        application?.window.updateAppearance()
    }
}

extension DashboardController: DashboardRouter {
    package func showStage(_ number: Int, of race: String) {
        roots.open(StagesViewController.self) { $0.showStage(number, of: race) }
    }

    package func showSearch(_ query: SearchQuery, named name: String) {
        roots.open(FeedsViewController.self) { $0.list.show(query, named: name) }
    }

    package func showRecentlyRead() { roots.open(FeedsViewController.self) { $0.list.showRecentlyRead() } }

    package func open(_ place: Place) {
        if let problem = show(place) { access.status.show(failure: problem) }
    }

    /// Shows a place, or returns why it can't be shown, as a sentence.
    package func show(_ place: Place) -> String? {
        let now = access.clock()
        if let problem = access.read(nil, { try PlaceNames($0).problem(of: place, now: now) }) { return problem }
        while let presented = application?.window.presentedViewController { presented.dismiss() }
        roots.open(place)
        return nil
    }

    package func goToPlace(of command: CommandDefinition) {
        switch CommandPlace(of: command) {
        case .feeds: roots.open(FeedsViewController.self) { FeedListPlaces(list: $0.list).showRow(for: command) }
        case .entries: roots.open(FeedsViewController.self) { FeedListPlaces(list: $0.list).showEntries() }
        case .stages: roots.open(StagesViewController.self) { $0.focus(.primary) }
        case .settings: roots.open(SettingsViewController.self) { $0.focus(.primary) }
        case .setting(let name): open(.setting(name))
        case .shown(let other):
            if case .settings? = CommandPlace(of: other) { goToPlace(of: other) }
            perform(other)
        case nil: return
        }
        let key = access.status.key(command)
        access.status.show(key.isEmpty ? command.title : DisplayText("\(key): ") + command.title)
    }

    package func perform(_ command: CommandDefinition) {
        application?.window.offeredCommands.first { $0.definition == command && $0.isEnabled }?.perform()
    }

    package func present(_ controller: ViewController) { navigation.present(controller) }

    package func followRace(at address: String) async { await RaceAdder.add(address, services.races) }

    package func settingDidChange(_ name: String) {
        for effect in SettingEffect.effects(of: name) { apply(effect) }
        roots.settingDidChange()
    }
}
