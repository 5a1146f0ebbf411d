import ModelCore
import TerminalUI

/// Builds the dashboard: the segments in one navigation controller, and the work that all of them share.
@MainActor
package final class DashboardController {
    /// The root view controller of the window.
    package let navigation = NavigationController()
    let context: DashboardContext
    private let roots: SegmentRoots
    private let actions: ProgramActions
    private let saveStateAction: @MainActor (DashboardState) -> Void
    private let isFirstStart: Bool
    private let releaseStart: @MainActor () -> Void
    private let bundledFeeds: Set<String>
    private let findSubscriptions: @Sendable () async -> [DiscoveredSubscriptions]
    /// The duration that the dashboard's timers treat as one second.
    private let second: Duration
    private weak var application: Application?
    private var observations: [Observation] = []
    private let badgeRefresh = Coalescer()
    private var refreshTimer: Task<Void, Never>?
    private var external: ExternalChanges?

    package init(_ environment: DashboardEnvironment, segments: [DashboardSegment] = DashboardSegment.all) {
        context = DashboardContext(environment)
        let restored = environment.start.state.flatMap { $0.isCurrent ? $0 : nil }
        saveStateAction = environment.saveState
        isFirstStart = environment.welcome.isFirstStart
        releaseStart = environment.start.release
        bundledFeeds = environment.start.bundledFeeds
        second = environment.time.second
        findSubscriptions = environment.welcome.find
        actions = ProgramActions(context: context, navigation: navigation)
        let start = StartSegment.name(
            asked: environment.start.segment, restored: restored?.segment,
            setting: context.settings[SettingKey<String>.startSegment.name],
            hasRaces: context.read(true) { try !$0.races.all().isEmpty },
            hasFeeds: context.read(false) { try !$0.feeds.all().isEmpty })
        navigation.hasRule = true
        navigation.hidesBarsOnScroll = true
        navigation.accessoryView = context.status.view
        navigation.overflowView = context.status.line
        roots = SegmentRoots(
            segments, navigation: navigation, start: start, restored: restored?.roots ?? [:], context: context)
        context.router = self
        // The window title shows the number of unread entries.
        let parts = segments.reduce(into: Set([LibraryPart.subscriptions])) { $0.formUnion($1.badgeParts) }
        observations = parts.map { part in
            context.library.observe(part) { [weak self] in
                self?.badgeRefresh.schedule { [weak self] in
                    self?.roots.showBadges()
                    self?.showTitle()
                }
            }
        }
        external = ExternalChanges(of: context.library) {
            Task { @MainActor [weak self] in self?.libraryWasReplaced() }
        } changed: {
            Task { @MainActor [weak self] in self?.context.index.startAfterRest() }
        }
        context.reloads.didFinish = { [weak self] in self?.tidyUp() }
        context.syncs.didFinish = { [weak self] in self?.tidyUp() }
        roots.showBadges()
        let problems = context.library.notices + environment.start.problems
        if !problems.isEmpty { context.status.show(failure: problems.joined(separator: "; ")) }
        context.status.persistent[.library] = context.library.caveat.map {
            DisplayText($0.prefix(1).uppercased() + $0.dropFirst())
        }
        context.status.persistent[.configuration] = environment.configuration.problems.first.map { DisplayText($0) }
    }

    /// Applies a changed configuration. Settings changed in the program, the environment and flags take precedence.
    package func take(_ configuration: DashboardConfiguration, settings: [String: String], rules: [Rule]) {
        context.take(configuration, rules: rules)
        application?.window.keyMap = context.keyMap
        for name in context.settings.use(file: settings) { settingDidChange(name) }
        // The theme's file may have changed.
        apply(.theme)
        application?.window.updateAppearance()
    }

    /// Shows an error in the configuration. The previous configuration stays in effect.
    package func tell(configurationProblem: String) {
        context.status.persistent[.configuration] = DisplayText(configurationProblem)
    }

    /// Handles a library file that was replaced or deleted: nothing more can be stored in it.
    private func libraryWasReplaced() {
        let path = context.library.path ?? ""
        context.status.persistent[.library] = DisplayText(
            "\(LibraryError.replaced(path: path)): nothing is stored until then")
    }

    /// Deletes old entries and indexes new ones after a reload.
    private func tidyUp() {
        context.arrivals.begin()
        let retention = Retention(
            days: context.settings[.keepDays], entries: context.settings[.keepEntries])
        let (library, now) = (context.library, context.clock())
        Task { [context] in
            if let deleted = try? await library.changes.perform(ApplyRetention(retention, now: now)).count, deleted > 0
            {
                let entries = deleted.counted("old entry", "old entries")
                context.status.show(DisplayText("Deleted \(entries), according to the settings"))
            }
            library.changes.checkpoint()
            context.index.start()
        }
    }

    /// Connects the dashboard to an application: keys, appearance and timers.
    package func attach(to application: Application) {
        self.application = application
        application.window.keyMap = context.keyMap
        actions.attach(to: application)
        application.lifeCycle = { [weak self] event in
            // Saving the state stores the reading position, which is a change of the library, so it comes first.
            self?.saveState()
            if case .willFinish = event { self?.leave() }
            if case .focus(let hasFocus) = event { self?.context.paneFocus.hasFocus = hasFocus }
        }
        // No list has shown anything yet.
        for effect in SettingEffect.allCases where effect != .listContent { apply(effect) }
        roots.restoreWhatIsShown()
        if isFirstStart { showWelcome() }
        // Background work must not delay the first screen.
        Task { [weak self, second] in
            try? await Task.sleep(for: second)
            await self?.releaseWhatWasForStarting()
            try? await Task.sleep(for: second * 2)
            await self?.beginWork()
            // At the start each reader uses its own connection with its own cache.
            try? await Task.sleep(for: second * 2)
            await self?.releaseWhatWasForStarting()
        }
    }

    /// Starts background work, unless the library is read-only, and checks for damage.
    func beginWork() async {
        let library = context.library
        if library.readOnlyReason == nil {
            // Changes of earlier runs can no longer be undone.
            _ = try? await library.changes.perform(EmptyTrash(age: 86_400))
            context.index.start()
            context.downloads.start()
            context.syncs.begin()
            context.races.begin()
        }
        await checkForDamage()
    }

    private func releaseWhatWasForStarting() async {
        await Task.detached { [library = context.library] in library.releaseMemory() }.value
        releaseStart()
    }

    /// The minimum pane size for the welcome sheet.
    private static let minimumWelcomeSize = Size(width: 44, height: 14)

    /// Shows the welcome sheet at the first start. Afterwards the guide is open beside its list.
    private func showWelcome() {
        guard let window = application?.window,
            window.size.width >= DashboardController.minimumWelcomeSize.width,
            window.size.height >= DashboardController.minimumWelcomeSize.height
        else { return }
        let sheet = WelcomeViewController(context: context, find: findSubscriptions)
        sheet.onClose = { [weak self] in self?.roots.open(FeedsViewController.self) { $0.list.showGuide() } }
        navigation.present(sheet)
    }

    /// The maximum size of a library whose pages are checked in the background at each start, in bytes.
    private static let quickCheckLimit = 64 << 20

    /// Checks the library and reports damage before the user runs into it.
    private func checkForDamage() async {
        let library = context.library
        guard library.size <= DashboardController.quickCheckLimit else { return }
        let isWhole = await Task.detached(priority: .utility) { LibraryCheck.pagesAreIntact(library) }.value
        if !isWhole {
            context.status.persistent[.library] = DisplayText(LibraryError.unreadable("found at the start").description)
        }
    }

    /// The outcome of the changes that were pending when the program quit, or `nil` while it runs.
    package private(set) var leaving: Leaving?

    /// Waits until all changes are stored or written to a journal.
    private func leave() {
        context.reloads.stop()
        context.index.stop()
        context.downloads.stop()
        context.syncs.end()
        context.races.end()
        leaving = context.library.changes.drain {
            context.status.show("Storing the last changes …")
            application?.render()
        }
    }

    /// Saves the state of the screen for the next start in this pane.
    package func saveState() {
        saveStateAction(roots.state)
    }

    // MARK: Settings

    /// Applies the current values of the settings that have an effect.
    private func apply(_ effect: SettingEffect) {
        switch effect {
        case .theme: application?.window.theme = context.theme(context.settings[.theme])
        case .motion: application?.window.motion = motion
        case .dates: application?.window.updateAppearance()
        case .mouse: application?.terminal.setMouse(enabled: context.settings[.mouse])
        case .linear: application?.window.isLinear = context.settings[.linear]
        case .title: showTitle()
        case .timer: startTimer(minutes: context.settings[.reloadMinutes])
        case .columns: roots.applySettings()
        case .listMode: roots.applyLists()
        case .thresholds: application?.window.thresholds = SizeClassThresholds(context.settings)
        case .listContent: roots.reloadLists()
        }
    }

    /// Sets the window title to the program's name and the number of unread entries.
    private func showTitle() {
        let isShown = context.settings[.title]
        let unread = isShown ? context.read(0) { try $0.feeds.unreadCount() } : 0
        application?.terminal.setTitle(WindowTitle.text(isShown: isShown, unread: unread))
    }

    private var motion: Motion {
        Motion.chosen(
            isWanted: context.settings[.motion], isLinear: context.settings[.linear],
            colors: application?.window.capabilities.colors ?? .none)
    }

    /// The conditions for automatic reloads.
    var automaticReload: AutomaticReload {
        AutomaticReload(
            isReadOnly: context.library.readOnlyReason != nil, isQuiet: context.settings.isQuiet(at: context.clock()),
            isRunning: context.reloads.isRunning,
            hasOwnInterval: context.settings[SettingKey.reloadMinutes.name].origin != .standard,
            hasAccounts: context.read(false) { try $0.accounts.hasAny() },
            addresses: context.read([]) { try $0.feeds.all() }.map(\.url), bundled: bundledFeeds)
    }

    /// Reloads all feeds if an automatic reload is allowed.
    func reloadByItself() {
        if automaticReload.isAllowed { context.reload(reason: .timer) }
    }

    private func startTimer(minutes: Int) {
        refreshTimer?.cancel()
        guard let pause = AutomaticReload.pause(minutes: minutes, minute: second * 60) else { return }
        refreshTimer = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: pause)
                guard !Task.isCancelled, let self else { return }
                self.reloadByItself()
            }
        }
    }
}

extension DashboardController: DashboardRouter {
    func showStage(_ number: Int, of race: String) {
        roots.open(StagesViewController.self) {
            $0.show(DashboardState.StageState(race: race, number: number, isDetailFocused: true))
        }
    }

    func showSearch(_ query: SearchQuery, named name: String) {
        roots.open(FeedsViewController.self) { $0.list.show(query, named: name) }
    }

    func present(_ controller: ViewController) { navigation.present(controller) }

    func followRace(at address: String) async { await RaceAdder.add(address, context) }

    package func settingDidChange(_ name: String) {
        for effect in SettingEffect.effects(of: name) { apply(effect) }
        roots.settingDidChange()
    }
}
