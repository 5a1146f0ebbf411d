import ModelCore
import TerminalUI

/// What the view controllers of all segments share: the model, the clock, the status line and background work.
@MainActor
final class DashboardContext {
    let library: Library
    let settings: Settings
    var keyMap: KeyMap {
        var map = configuredKeys
        map.namesKeys = settings[.linear]
        return map
    }
    private var configuredKeys: KeyMap
    /// The available themes: the toolkit's and the user's.
    private(set) var themes: [Theme]
    /// The commands for entries that the user defined.
    private(set) var entryCommands: [EntryCommand]
    /// Imports another program's files.
    let moveIn: (@Sendable (_ path: String) async -> [String]?)?
    /// Writes a rule to a file of the configuration and returns its path.
    let keepRule: @MainActor (Rule) throws -> String
    private let keepThemeAction: @MainActor (_ name: String, TerminalColors) throws -> Theme
    let clock: @Sendable () -> Int64
    /// Returns the version, paths and library versions, with their names.
    let about: @MainActor () -> [(name: String, value: String)]
    let keptPictures: KeptPictures
    let status: StatusController
    let reloads: ReloadController
    let changes: ChangeController
    let index: IndexController
    let downloads: DownloadController
    let races: RaceController
    let syncs: SyncController
    let arrivals: ArrivalController
    let paneFocus = PaneFocus()
    let discovery = FeedDiscovery()
    let pages = PageService()
    let pictures: PictureStore
    /// The coasts and borders, read when the first map is drawn.
    lazy var outlines = MapOutlines(loadOutlines())
    private let loadOutlines: @MainActor () -> [UInt8]
    let hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool
    /// Navigates in the dashboard.
    weak var router: (any DashboardRouter)? { didSet { races.router = router } }
    let files = SubscriptionFiles()
    /// The publish dates of fetched articles, by page address.
    var articleDates: [String: WrittenDate] = [:]
    private let playAction: ExternalPrograms.Play
    private let openLinkAction: @MainActor (String) async -> String?

    init(_ environment: DashboardEnvironment) {
        library = environment.library
        settings = environment.settings
        configuredKeys = environment.configuration.keyMap
        themes = Theme.all + environment.configuration.themes
        entryCommands = environment.configuration.entryCommands
        keepRule = environment.writer.keepRule
        keepThemeAction = environment.writer.keepTheme
        moveIn = environment.welcome.importFile
        clock = environment.time.clock
        about = environment.about
        keptPictures = environment.pictures.cache
        openLinkAction = environment.programs.openLink
        playAction = environment.programs.play
        status = StatusController(messageTime: environment.time.messageTime)
        status.log = environment.log
        pictures = PictureStore(
            load: environment.pictures.load, remembered: environment.pictures.hint,
            remember: environment.pictures.keepHint)
        hasBundledPicture = environment.pictures.hasBundled
        loadOutlines = environment.pictures.outlines
        changes = ChangeController(library: environment.library, status: status, clock: environment.time.clock)
        index = IndexController(library: environment.library, pause: environment.time.second * 3) { [status] in
            status.persistent[.library] = DisplayText($0.description)
        }
        races = RaceController(
            library: environment.library, settings: environment.settings, status: status, paneFocus: paneFocus,
            clock: environment.time.clock, notify: environment.programs.notify)
        arrivals = ArrivalController(
            library: environment.library, status: status, paneFocus: paneFocus, run: environment.programs.runOnArrival,
            notify: environment.programs.notify)
        reloads = ReloadController(service: environment.reloadService, status: status)
        syncs = SyncController(
            service: SyncService(library: environment.library, clock: environment.time.clock),
            library: environment.library, status: status, clock: environment.time.clock, second: environment.time.second
        )
        let settings = settings
        downloads = DownloadController(library: environment.library, status: status) { settings[.recordingsFolder] }
        status.keyMap = { [weak self] in self?.keyMap ?? KeyMap() }
    }

    /// Applies the keys and commands of a changed configuration.
    func take(_ configuration: DashboardConfiguration, rules: [Rule]) {
        configuredKeys = configuration.keyMap
        entryCommands = configuration.entryCommands
        library.rules = rules
        // If the theme in use can no longer be read, its colours stay.
        let used = themes.last { $0.name == settings[.theme] }
        themes = Theme.all + configuration.themes
        if let used, !themes.contains(where: { $0.name == used.name }) { themes.append(used) }
        status.persistent[.configuration] = configuration.problems.first.map { first in
            let rest = configuration.problems.count - 1
            return DisplayText(rest > 0 ? "\(first) (and \(rest) more)" : first)
        }
    }

    var dates: DateText {
        DateText(style: DateText.Style(rawValue: settings[.dateStyle]) ?? .relative, now: clock())
    }

    /// The resolution at which pictures are drawn.
    var imageDetail: ImageDetail { ImageDetail(rawValue: settings[.pictureDetail]) ?? .halves }

    /// Returns the theme with a name, preferring the user's, or the default theme.
    func theme(_ name: String) -> Theme { themes.last { $0.name == name } ?? .standard }

    /// Saves colours as a theme of the user, which is available at once.
    func keepTheme(_ name: String, _ colors: TerminalColors) throws {
        let theme = try keepThemeAction(name, colors)
        themes.removeAll { $0.name == name && !Theme.all.map(\.name).contains(name) }
        themes.append(theme)
    }

    /// Returns the values that a setting offers if they have names.
    func names(of definition: SettingDefinition) -> [String]? {
        switch definition.kind {
        case .choice(let names): names
        case .named(let names): names + themes.map(\.name).filter { !names.contains($0) }
        case .toggle: ["on", "off"]
        case .number, .text, .program, .hours: nil
        }
    }

    /// Runs work that returns a message, and shows the message or the error in the status line.
    func tell(_ work: () throws -> String) {
        do {
            status.show(DisplayText(try work()))
        } catch {
            status.show(failure: error)
        }
    }

    /// Reads from the library. Errors appear in the status line.
    func read<Value>(_ fallback: Value, _ body: (Library) throws -> Value) -> Value {
        do {
            return try body(library)
        } catch {
            status.show(failure: error)
            return fallback
        }
    }

    /// Changes a setting. The new value applies once it is stored. If several changes are pending, only the last
    /// applies.
    func set(_ value: String?, for name: String) {
        changes.submit(.set(name, value)) { [weak self] _ in
            guard let self, !self.changes.willSet(name) else { return }
            self.settings.use(value, for: name)
            self.router?.settingDidChange(name)
        }
    }

    /// Sets or removes a mark of entries.
    func setMark(_ mark: EntryMark, _ value: Bool, _ entries: [Int64], isOwnStep: Bool = true) {
        changes.submit(
            .mark(mark, value, entries: entries, wholeStories: settings[.mergeDuplicates], now: clock()),
            isOwnStep: isOwnStep)
    }

    /// Sets a mark of entries to the opposite of what the selected one will have once all pending changes are stored.
    func toggle(_ mark: EntryMark, of chosen: EntryRow, in entries: [Int64]) {
        // Lists update a moment after a change is stored, so the stored value decides about a key pressed in between.
        let stored = read(nil) { try $0.entries.row(chosen.id) } ?? chosen
        setMark(mark, !changes.coming(mark, of: stored), entries)
    }

    /// Marks all current entries of a scope as read.
    func markAllRead(in scope: EntryScope) {
        let last = read(0) { try $0.entries.lastID() }
        changes.submit(
            .markAll(.read, true, scope, upTo: last, mergesDuplicates: settings[.mergeDuplicates], now: clock()))
    }

    /// Returns the publish date of a stage's article if the page was read.
    func articleDate(of stage: Stage) -> WrittenDate? { stage.articleURL.flatMap { articleDates[$0] } }

    /// Returns a prompt for a query that completes fields, feeds and tags.
    func queryPrompt(title: DisplayText, text: String = "", onSubmit: @escaping (String) -> Void)
        -> TextPromptViewController
    {
        let completion = read(nil) { try $0.search.completion() }
        return TextPromptViewController(
            title: title, message: "words \"a phrase\" begin* -not (a or b) title:x feed:x is:unread age:<7d",
            text: text,
            validate: { text in
                do throws(SearchQuery.Problem) {
                    _ = try SearchQuery(text)
                    return nil
                } catch { return DisplayText(error.description) }
            },
            complete: { text in
                (completion?.candidates(for: text) ?? []).map { ($0.text, DisplayText($0.word)) }
            }, onSubmit: onSubmit)
    }

    /// Returns the user's key for a command, for hints.
    func key(_ definition: CommandDefinition) -> String { status.key(definition) }

    /// Copies a link to the clipboard.
    func copy(_ link: String?, from controller: ViewController) {
        guard let link else { return status.show("This entry has no link.") }
        copy(link, "Link", from: controller)
    }

    /// Copies a text to the clipboard.
    ///
    /// - Parameter what: What it is, for the message about the result.
    func copy(_ text: String, _ what: String, from controller: ViewController) {
        controller.window?.copyToClipboard(text) { [status] clipboard in
            status.show(DashboardContext.sentence(copied: what, clipboard))
        }
    }

    /// Returns the message about which clipboard received the text.
    static func sentence(copied what: String, _ clipboard: Clipboard) -> DisplayText {
        switch clipboard {
        case .tmux: DisplayText("\(what) copied into tmux's buffer.")
        case .terminal: DisplayText("\(what) copied to the terminal's clipboard.")
        }
    }

    /// Copies a link with its title to the clipboard as Markdown (CommonMark 0.31, section 6.3).
    func copy(_ link: String?, titled title: String, from controller: ViewController) {
        guard let link else { return status.show("This entry has no link.") }
        let words = title.reduce(into: "") { text, character in
            if "\\[]*_`<>".contains(character) { text.append("\\") }
            text.append(character)
        }
        let target = link.contains { " ()<>".contains($0) } ? "<\(link.filter { !"<>".contains($0) })>" : link
        copy("[\(words)](\(target))", "Title and link", from: controller)
    }

    /// Reloads feeds. Feeds of accounts are synced instead.
    ///
    /// - Parameter subscriptions: The feeds, or `nil` for all feeds and accounts.
    func reload(_ subscriptions: [SubscriptionRow]? = nil, reason: ReloadService.Reason = .user) {
        let all = subscriptions ?? read([]) { try $0.feeds.all() }
        // Automatic updates of races have their own timer.
        if subscriptions == nil, reason != .timer { Task { [races] in await races.update(reason) } }
        let accounts = subscriptions.map { Array(Set($0.compactMap(\.account))) }
        let hasAccounts = accounts.map { !$0.isEmpty } ?? read(false) { try $0.accounts.hasAny() }
        if hasAccounts { syncs.start(accounts, reason == .timer ? .timer : .whole) }
        let own = all.filter(\.isReadHere)
        if !own.isEmpty || !hasAccounts { reloads.start(own, reason: reason) }
    }

    /// Queues the download of an enclosure.
    ///
    /// - Parameter subscription: The feed that contains it. An enclosure on the same host may be in a private network.
    func download(_ address: String, _ title: String, of subscription: Int64? = nil) {
        let isOwn = read(false) { try $0.feeds.mayBePrivate(recording: address, of: subscription) }
        let change = Change.queueDownload(url: address, title: title, allowsPrivateHost: isOwn, now: clock())
        changes.submit(change) { [weak self] receipt in
            guard let self else { return }
            self.status.show(
                DisplayText(
                    receipt.count > 0
                        ? "Downloading \(title) · \(self.key(.showDownloads)) shows the progress"
                        : "Already in the queue · \(self.key(.showDownloads)) shows it"))
            self.downloads.start()
        }
    }

    /// Plays an enclosure with the player in the settings, from its file if it was downloaded, and from the last
    /// position.
    func play(_ url: String) {
        let address = read(nil) { try $0.downloads.file(of: url) } ?? url
        let start = read(nil) { try $0.downloads.playback(of: url) }?.start ?? 0
        let player = settings[.player]
        status.show(DisplayText("Playing with \(player) …"))
        // The player has the terminal meanwhile, so its reports are stored in the background.
        let keep: @Sendable (PlayedEnclosure) -> Void = { [queue = library.changes, clock] played in
            queue.submit(.storePlaybackPosition(url, played, now: clock())) { _ in }
        }
        Task { [playAction, status] in
            let problem = await playAction(address, player, start, keep)
            if let problem { status.show(failure: problem) } else { status.show("") }
        }
    }

    func openLink(_ link: String?) {
        guard let link else { return status.show("This entry has no link.") }
        status.show("Opening in the browser …")
        Task { [openLinkAction, status] in
            if let problem = await openLinkAction(link) {
                status.show(failure: problem)
            } else {
                status.show("Opened in the browser.")
            }
        }
    }
}
