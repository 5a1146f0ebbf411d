import ModelCore
import TerminalUI

/// What the view controllers of all segments share: the model, the clock, the status line, the work in progress.
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
    /// The themes to choose from: the library's and the user's.
    private(set) var themes: [Theme]
    /// The user's own commands for entries.
    private(set) var entryCommands: [EntryCommand]
    /// Moves in from another program's file.
    let moveIn: (@Sendable (_ path: String) async -> [String]?)?
    /// Writes a rule into a file of the configuration; gives its path.
    let keepRule: @MainActor (Rule) throws -> String
    private let keepThemeAction: @MainActor (_ name: String, TerminalColors) throws -> Theme
    let clock: @Sendable () -> Int64
    /// The version, the files and the libraries, by their names.
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
    let discovery: FeedDiscovery
    let pages: PageService
    let pictures: PictureStore
    /// Coasts and borders, read when the first map is drawn.
    lazy var outlines = MapOutlines(loadOutlines())
    private let loadOutlines: @MainActor () -> [UInt8]
    let hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool
    /// Shows a stage in its own segment.
    var goToStage: (_ race: String, _ number: Int) -> Void = { _, _ in }
    let files = SubscriptionFiles()
    /// The publish dates of the articles that were fetched, by the pages' addresses.
    var articleDates: [String: WrittenDate] = [:]
    private let playAction: DashboardEnvironment.Play
    private let openLinkAction: @MainActor (String) async -> String?
    /// Called with the name of a setting after it has changed.
    var settingDidChange: (String) -> Void = { _ in }

    init(_ environment: DashboardEnvironment) {
        library = environment.library
        settings = environment.settings
        configuredKeys = environment.keyMap
        themes = Theme.all + environment.themes
        entryCommands = environment.entryCommands
        keepRule = environment.keepRule
        keepThemeAction = environment.keepTheme
        moveIn = environment.moveIn
        clock = environment.clock
        about = environment.about
        keptPictures = environment.keptPictures
        openLinkAction = environment.openLink
        playAction = environment.play
        status = StatusController(messageTime: environment.messageTime)
        status.log = environment.log
        discovery = environment.discovery
        pages = environment.pages
        pictures = PictureStore(
            load: environment.loadPicture, remembered: environment.pictureHint, remember: environment.keepPictureHint)
        hasBundledPicture = environment.hasBundledPicture
        loadOutlines = environment.loadOutlines
        changes = ChangeController(library: environment.library, status: status, clock: environment.clock)
        index = IndexController(library: environment.library, pause: environment.second * 3) { [status] in
            status.standing[.library] = DisplayText($0.description)
        }
        races = RaceController(
            library: environment.library, settings: environment.settings, status: status, paneFocus: paneFocus,
            clock: environment.clock, notify: environment.notify)
        arrivals = ArrivalController(
            library: environment.library, status: status, paneFocus: paneFocus, run: environment.runOnArrival,
            notify: environment.notify)
        reloads = ReloadController(service: environment.reloadService, status: status)
        syncs = SyncController(
            service: environment.syncService ?? SyncService(library: environment.library, clock: environment.clock),
            library: environment.library, status: status, clock: environment.clock, second: environment.second)
        let settings = settings
        downloads = DownloadController(library: environment.library, status: status) { settings[.recordingsFolder] }
        status.keyMap = { [weak self] in self?.keyMap ?? KeyMap() }
    }

    /// Takes the keys and commands of a configuration that has changed.
    func take(_ configuration: DashboardConfiguration) {
        configuredKeys = configuration.keyMap
        entryCommands = configuration.entryCommands
        library.rules = configuration.rules
        // One that is in use and cannot be read any more stays as it was.
        let used = themes.last { $0.name == settings[.theme] }
        themes = Theme.all + configuration.themes
        if let used, !themes.contains(where: { $0.name == used.name }) { themes.append(used) }
        status.standing[.configuration] = configuration.problems.first.map { first in
            let rest = configuration.problems.count - 1
            return DisplayText(rest > 0 ? "\(first) (and \(rest) more)" : first)
        }
    }

    var dates: DateText {
        DateText(style: DateText.Style(rawValue: settings[.dateStyle]) ?? .relative, now: clock())
    }

    /// How finely pictures are drawn.
    var imageDetail: ImageDetail { ImageDetail(rawValue: settings[.pictureDetail]) ?? .halves }

    /// The theme of a name, the user's own first; the terminal's for any other.
    func theme(_ name: String) -> Theme { themes.last { $0.name == name } ?? .standard }

    /// Keeps colours as a theme of the user's, which is there at once.
    func keepTheme(_ name: String, _ colors: TerminalColors) throws {
        let theme = try keepThemeAction(name, colors)
        themes.removeAll { $0.name == name && !Theme.all.map(\.name).contains(name) }
        themes.append(theme)
    }

    /// The values that a setting offers, where they have names.
    func names(of definition: SettingDefinition) -> [String]? {
        switch definition.kind {
        case .choice(let names): names
        case .named(let names): names + themes.map(\.name).filter { !names.contains($0) }
        case .toggle: ["on", "off"]
        case .number, .text, .program, .hours: nil
        }
    }

    /// Does something that gives a sentence, and tells that or the failure in the status line.
    func tell(_ work: () throws -> String) {
        do {
            status.show(DisplayText(try work()))
        } catch {
            status.show(failure: error)
        }
    }

    /// Runs a read of the library; a failure is told in the status line.
    func read<Value>(_ fallback: Value, _ body: (Library) throws -> Value) -> Value {
        do {
            return try body(library)
        } catch {
            status.show(failure: error)
            return fallback
        }
    }

    /// Changes a setting: it is used once it is stored, and only the last of several that came close together.
    func set(_ value: String?, for name: String) {
        changes.submit(.set(name, value)) { [weak self] _ in
            guard let self, !self.changes.willSet(name) else { return }
            self.settings.use(value, for: name)
            self.settingDidChange(name)
        }
    }

    /// Gives entries a mark, or takes it.
    func setMark(_ mark: EntryMark, _ value: Bool, _ entries: [Int64], isOwnStep: Bool = true) {
        changes.submit(
            .mark(mark, value, entries: entries, wholeStories: library.mergesDuplicates, now: clock()),
            isOwnStep: isOwnStep)
    }

    /// Gives entries the opposite of what one of them has once all that waits is stored.
    func toggle(_ mark: EntryMark, of chosen: EntryRow, in entries: [Int64]) {
        // A list shows a change a moment after it is stored: a key that comes in between goes by what is stored.
        let stored = read(nil) { try $0.entryRow(chosen.id) } ?? chosen
        setMark(mark, !changes.coming(mark, of: stored), entries)
    }

    /// Marks all entries read that a scope has now.
    func markAllRead(in scope: EntryScope) {
        let last = read(0) { try $0.lastEntry() }
        changes.submit(
            .markAll(.read, true, scope, upTo: last, mergesDuplicates: library.mergesDuplicates, now: clock()))
    }

    /// The publish date of a stage's article, once the page was read.
    func articleDate(of stage: Stage) -> WrittenDate? { stage.articleURL.flatMap { articleDates[$0] } }

    /// Asks for a query, completing fields, feeds and tags.
    func queryPrompt(title: DisplayText, text: String = "", onSubmit: @escaping (String) -> Void)
        -> TextPromptViewController
    {
        let completion = read(nil) { try $0.searchCompletion() }
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

    /// The key of a command as its user has it, for hints.
    func key(_ definition: CommandDefinition) -> String { status.key(definition) }

    /// Puts a link into the terminal's clipboard.
    func copy(_ link: String?, from controller: ViewController) {
        guard let link else { return status.show("This entry has no link.") }
        copy(link, "Link", from: controller)
    }

    /// Puts a text into the terminal's clipboard.
    ///
    /// - Parameter what: What it is, for the sentence that tells who took it.
    func copy(_ text: String, _ what: String, from controller: ViewController) {
        controller.window?.copyToClipboard(text) { [status] clipboard in
            status.show(DashboardContext.sentence(copied: what, clipboard))
        }
    }

    /// Who was given what was copied.
    static func sentence(copied what: String, _ clipboard: Clipboard) -> DisplayText {
        switch clipboard {
        case .tmux: DisplayText("\(what) copied into tmux's buffer.")
        case .terminal: DisplayText("\(what) copied to the terminal's clipboard.")
        }
    }

    /// Puts a title and its link into the terminal's clipboard, as Markdown (CommonMark 0.31, 6.3) has them.
    func copy(_ link: String?, titled title: String, from controller: ViewController) {
        guard let link else { return status.show("This entry has no link.") }
        let words = title.reduce(into: "") { text, character in
            if "\\[]*_`<>".contains(character) { text.append("\\") }
            text.append(character)
        }
        let target = link.contains { " ()<>".contains($0) } ? "<\(link.filter { !"<>".contains($0) })>" : link
        copy("[\(words)](\(target))", "Title and link", from: controller)
    }

    /// Reads feeds anew: those of servers by syncing their accounts.
    ///
    /// - Parameter subscriptions: The feeds; `nil`: all, and all accounts.
    func reload(_ subscriptions: [SubscriptionRow]? = nil, reason: ReloadService.Reason = .user) {
        let all = subscriptions ?? read([]) { try $0.subscriptions() }
        // By themselves races are asked for by a timer of their own.
        if subscriptions == nil, reason != .timer { Task { [races] in await races.update(reason) } }
        let accounts = subscriptions.map { Array(Set($0.compactMap(\.account))) }
        let hasAccounts = accounts.map { !$0.isEmpty } ?? read(false) { try $0.hasAccounts() }
        if hasAccounts { syncs.start(accounts, reason == .timer ? .timer : .whole) }
        let own = all.filter(\.isReadHere)
        if !own.isEmpty || !hasAccounts { reloads.start(own, reason: reason) }
    }

    /// Puts a recording into the queue of downloads.
    ///
    /// - Parameter subscription: The feed that names it: a recording of the same host may be in the user's own network.
    func download(_ address: String, _ title: String, of subscription: Int64? = nil) {
        let isOwn = read(false) { try $0.mayBePrivate(recording: address, of: subscription) }
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

    /// Plays a recording in the player of the settings: from its file, if it was downloaded, and from where it was left.
    func play(_ url: String) {
        let address = read(nil) { try $0.downloadedFile(of: url) } ?? url
        let start = read(nil) { try $0.played(url) }?.start ?? 0
        let player = settings[.player]
        status.show(DisplayText("Playing with \(player) …"))
        // The screen stands still while the player has the terminal: what it tells is stored beside that.
        let keep: @Sendable (PlayedEnclosure) -> Void = { [queue = library.changes, clock] played in
            queue.submit(.notePlayed(url, played, now: clock())) { _ in }
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
