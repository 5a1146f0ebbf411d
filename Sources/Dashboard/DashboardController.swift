import ModelCore
import TerminalUI

/// Builds the dashboard: segments over one navigation controller, and what belongs to all of them.
@MainActor
package final class DashboardController {
    /// The root of the window.
    package let navigation = NavigationController()
    let context: DashboardContext
    private let roots: SegmentRoots
    private let actions: ProgramActions
    private let saveStateAction: @MainActor (DashboardState) -> Void
    private let isFirstStart: Bool
    private let releaseStart: @MainActor () -> Void
    private let bundledFeeds: Set<String>
    private let findSubscriptions: @Sendable () async -> [DiscoveredSubscriptions]
    /// The duration that the dashboard's timers count as one second.
    private let second: Duration
    private weak var application: Application?
    private var observation: Observation?
    private let badgeRefresh = Coalescer()
    private var refreshTimer: Task<Void, Never>?
    private var external: ExternalChanges?

    package init(_ environment: DashboardEnvironment, segments: [DashboardSegment] = DashboardSegment.all) {
        context = DashboardContext(environment)
        let restored = environment.state.flatMap { $0.isCurrent ? $0 : nil }
        saveStateAction = environment.saveState
        isFirstStart = environment.isFirstStart
        releaseStart = environment.releaseStart
        bundledFeeds = environment.bundledFeeds
        second = environment.second
        findSubscriptions = environment.findSubscriptions
        actions = ProgramActions(context: context, navigation: navigation)
        let start = StartSegment.name(
            asked: environment.startSegment, restored: restored?.segment,
            setting: context.settings[SettingKey<String>.startSegment.name],
            hasRaces: context.read(true) { try !$0.races().isEmpty },
            hasFeeds: context.read(false) { try !$0.subscriptions().isEmpty })
        navigation.hasRule = true
        navigation.hidesBarsOnScroll = true
        navigation.accessoryView = context.status.view
        navigation.overflowView = context.status.line
        DashboardController.orderLists(of: context)
        roots = SegmentRoots(
            segments, navigation: navigation, start: start, restored: restored?.roots ?? [:], context: context)
        context.settingDidChange = { [weak self] in self?.settingDidChange($0) }
        observation = context.library.observe(.subscriptions) { [weak self] in
            self?.badgeRefresh.schedule { [weak self] in
                self?.roots.showBadges()
                self?.showTitle()
            }
        }
        context.goToStage = { [weak self] race, number in
            self?.roots.open(StagesViewController.self) {
                $0.show(DashboardState.StageState(race: race, number: number, isDetailFocused: true))
            }
        }
        actions.showSearch = { [weak self] query, text in
            self?.roots.open(FeedsViewController.self) { $0.list.show(query, named: text) }
        }
        context.races.ask = { [weak self] in self?.navigation.present($0) }
        context.races.take = { [weak context] address in
            guard let context else { return }
            await RaceAdder.add(address, context)
        }
        external = ExternalChanges(of: context.library) {
            Task { @MainActor [weak self] in self?.libraryWasReplaced() }
        } changed: {
            Task { @MainActor [weak self] in self?.context.index.startAfterRest() }
        }
        context.reloads.didFinish = { [weak self] in self?.tidyUp() }
        context.syncs.didFinish = { [weak self] in self?.tidyUp() }
        roots.showBadges()
        let problems = context.library.notices + environment.problems
        if !problems.isEmpty { context.status.show(failure: problems.joined(separator: "; ")) }
        context.status.standing[.library] = context.library.caveat.map {
            DisplayText($0.prefix(1).uppercased() + $0.dropFirst())
        }
        context.status.standing[.configuration] = environment.configurationProblems.first.map { DisplayText($0) }
    }

    /// Takes a configuration that has changed while the program runs; what is set here, in the environment or by flags comes before it.
    package func take(_ configuration: DashboardConfiguration) {
        context.take(configuration)
        application?.window.keyMap = context.keyMap
        for name in context.settings.use(file: configuration.settings) { settingDidChange(name) }
        // Its file may have other colours now.
        effects[SettingKey.theme.name]?()
        application?.window.updateAppearance()
    }

    /// Says what is wrong with a configuration that cannot be read: what held before goes on to hold.
    package func tell(configurationProblem: String) {
        context.status.standing[.configuration] = DisplayText(configurationProblem)
    }

    /// Another file stands at the library's place, or none: nothing more can be stored there.
    private func libraryWasReplaced() {
        let path = context.library.path ?? ""
        context.status.standing[.library] = DisplayText(
            "\(LibraryError.replaced(path: path)): nothing is stored until then")
    }

    /// After a reload: what is too old goes, and what is new gets into the index.
    private func tidyUp() {
        context.arrivals.begin()
        let retention = Retention(
            days: context.settings[.keepDays], entries: context.settings[.keepEntries])
        let (library, now) = (context.library, context.clock())
        Task { [context] in
            if let deleted = try? await library.changes.perform(.retain(retention, now: now)).count, deleted > 0 {
                let entries = deleted == 1 ? "1 old entry was" : "\(deleted) old entries were"
                context.status.show(DisplayText("\(entries) deleted, according to the settings"))
            }
            library.changes.checkpoint()
            context.index.start()
        }
    }

    /// Takes a program over: its keys, its looks, its timers.
    package func attach(to application: Application) {
        self.application = application
        application.window.keyMap = context.keyMap
        actions.attach(to: application)
        application.lifeCycle = { [weak self] event in
            // What is shown is kept first: with it goes the line that is read, which is a change of the library.
            self?.saveState()
            if case .willFinish = event { self?.leave() }
            if case .focus(let hasFocus) = event { self?.context.paneFocus.hasFocus = hasFocus }
        }
        for definition in Settings.definitions { effects[definition.name]?() }
        roots.restoreWhatIsShown()
        if isFirstStart { showWelcome() }
        // What runs beside the interface is worth nothing of the first moments.
        Task { [weak self, second] in
            try? await Task.sleep(for: second)
            await self?.releaseWhatWasForStarting()
            try? await Task.sleep(for: second * 2)
            await self?.beginWork()
            // What has begun looks into the library first, each on a connection with pages of its own.
            try? await Task.sleep(for: second * 2)
            await self?.releaseWhatWasForStarting()
        }
    }

    /// Begins what runs beside the interface, unless nothing can be stored, and looks for damage.
    func beginWork() async {
        let library = context.library
        if library.readOnlyReason == nil {
            // What could be undone in earlier runs cannot be any more.
            _ = try? await library.changes.perform(.emptyTrash(age: 86_400))
            context.index.start()
            context.downloads.start()
            context.syncs.begin()
            context.races.begin()
        }
        await lookForDamage()
    }

    private func releaseWhatWasForStarting() async {
        await Task.detached { [library = context.library] in library.releaseMemory() }.value
        releaseStart()
    }

    /// The least pane that the first sheet has room in.
    private static let minimumWelcomeSize = Size(width: 44, height: 14)

    /// The sheet of the first start; after it the guide is open beside its list.
    private func showWelcome() {
        guard let window = application?.window,
            window.size.width >= DashboardController.minimumWelcomeSize.width,
            window.size.height >= DashboardController.minimumWelcomeSize.height
        else { return }
        let sheet = WelcomeViewController(context: context, find: findSubscriptions)
        sheet.onClose = { [weak self] in self?.roots.open(FeedsViewController.self) { $0.list.showGuide() } }
        navigation.present(sheet)
    }

    /// Bytes of a library whose pages are looked at, beside other work, at each start.
    private static let quicklyLookedAt = 64 << 20

    /// Damage is told before it is met.
    private func lookForDamage() async {
        let library = context.library
        guard library.size <= DashboardController.quicklyLookedAt else { return }
        let isWhole = await Task.detached(priority: .utility) { LibraryCheck.pagesAreWhole(library) }.value
        if !isWhole {
            context.status.standing[.library] = DisplayText(LibraryError.unreadable("found at the start").description)
        }
    }

    /// What became of the changes that were on their way at the end; `nil` while it runs.
    package private(set) var leaving: Leaving?

    /// The end waits until all changes are stored, or kept for the next start.
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

    /// Keeps what is shown, for the next start in this pane.
    package func saveState() {
        saveStateAction(roots.state)
    }

    // MARK: Settings

    /// Takes another value of a setting.
    package func settingDidChange(_ name: String) {
        effects[name]?()
        DashboardController.orderLists(of: context)
        if DashboardController.ofLists.contains(name) { roots.reloadLists() }
        roots.settingDidChange()
    }

    /// The settings after whose change what lists show is read anew.
    private static let ofLists: Set<String> = [
        SettingKey.linear.name, SettingKey.mergeDuplicates.name, SettingKey.entryOrder.name, SettingKey.rowLines.name,
        SettingKey.excerpts.name, SettingKey.hideRead.name,
    ]

    /// How the library makes lists of entries.
    private static func orderLists(of context: DashboardContext) {
        context.library.mergesDuplicates = context.settings[.mergeDuplicates]
        context.library.listsOldestFirst = context.settings[.entryOrder] == "oldest first"
    }

    /// What acts at once when it is set, by the settings' names.
    private lazy var effects: [String: @MainActor () -> Void] = {
        let columns: @MainActor () -> Void = { [weak self] in self?.roots.applySettings() }
        var effects: [String: @MainActor () -> Void] = [
            SettingKey.theme.name: { [weak self] in
                guard let self else { return }
                self.application?.window.theme = self.context.theme(self.context.settings[.theme])
            },
            SettingKey.motion.name: { [weak self] in
                guard let self else { return }
                self.application?.window.motion = self.motion
            },
            // Lists format their dates while they are laid out.
            SettingKey.dateStyle.name: { [weak self] in self?.application?.window.updateAppearance() },
            SettingKey.mouse.name: { [weak self] in
                guard let self else { return }
                self.application?.terminal.setMouse(enabled: self.context.settings[.mouse])
            },
            SettingKey.linear.name: { [weak self] in
                guard let self else { return }
                self.application?.window.isLinear = self.context.settings[.linear]
                self.application?.window.motion = self.motion
            },
            SettingKey.title.name: { [weak self] in self?.showTitle() },
            SettingKey.reloadMinutes.name: { [weak self] in
                guard let self else { return }
                self.startTimer(minutes: self.context.settings[.reloadMinutes])
            },
        ]
        for key in [SettingKey.tallPanes, .narrowList, .listSide] { effects[key.name] = columns }
        for key in [SettingKey.listWidth, .leastListWidth, .mostListWidth] { effects[key.name] = columns }
        effects[SettingKey.lists.name] = { [weak self] in self?.roots.applyLists() }
        let thresholds: @MainActor () -> Void = { [weak self] in self?.applyThresholds() }
        for key in [SettingKey.slideFrom, .twoColumnsFrom, .threeColumnsFrom] { effects[key.name] = thresholds }
        return effects
    }()

    /// Names the window: what runs in it, and what waits to be read.
    private func showTitle() {
        let isShown = context.settings[.title]
        let unread = isShown ? context.read(0) { try $0.unreadCount() } : 0
        application?.terminal.setTitle(WindowTitle.text(isShown: isShown, unread: unread))
    }

    /// The widths from which the columns stand otherwise.
    private func applyThresholds() { application?.window.thresholds = SizeClassThresholds(context.settings) }

    private var motion: Motion {
        Motion.chosen(
            isWanted: context.settings[.motion], isLinear: context.settings[.linear],
            colors: application?.window.capabilities.colors ?? .none)
    }

    /// What decides whether a reload begins by itself.
    var automaticReload: AutomaticReload {
        AutomaticReload(
            isReadOnly: context.library.readOnlyReason != nil, isQuiet: context.settings.isQuiet(at: context.clock()),
            isRunning: context.reloads.isRunning,
            hasOwnInterval: context.settings[SettingKey.reloadMinutes.name].origin != .standard,
            hasAccounts: context.read(false) { try $0.hasAccounts() },
            addresses: context.read([]) { try $0.subscriptions() }.map(\.url), bundled: bundledFeeds)
    }

    /// Reloads all feeds, if that may be done without being asked to.
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
