import ModelCore
import Pictures
import TerminalUI

/// What the dashboard is given by the program around it.
package struct DashboardEnvironment {
    package var library: Library
    package var settings: Settings
    package var reloadService: ReloadService
    /// Syncs accounts; `nil`: one of its own.
    package var syncService: SyncService?
    /// Keys that the user has bound otherwise.
    package var keyMap = KeyMap()
    /// The user's own themes.
    package var themes: [Theme] = []
    /// Finds the feeds of an address.
    package var discovery = FeedDiscovery()
    /// Fetches the pages that entries and stages link to.
    package var pages = PageService()
    /// Loads and decodes a picture.
    package var loadPicture: @Sendable (PictureRequest) async -> Result<Picture, PictureProblem> = { _ in
        .failure(PictureProblem("pictures can't be loaded here"))
    }
    /// What is remembered of a picture.
    package var pictureHint: @MainActor (PictureRequest) -> PictureHint? = { _ in nil }
    /// Remembers a picture's size and a few of its colours.
    package var keepPictureHint: @MainActor (PictureRequest, PictureHint) -> Void = { _, _ in }
    /// Gives the file of the map's coasts and borders.
    package var loadOutlines: @MainActor () -> [UInt8] = { [] }
    /// Whether a picture of a stage comes with the program.
    package var hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool = { _, _ in false }
    /// Whether the library was made by this start: then the first sheet is shown.
    package var isFirstStart = false
    /// Gives back what only the start has needed.
    package var releaseStart: @MainActor () -> Void = {}
    /// The version, the files and the libraries, by their names.
    package var about: @MainActor () -> [(name: String, value: String)] = { [] }
    /// The pictures that were fetched and are kept.
    package var keptPictures = KeptPictures()
    /// The addresses of the feeds that a new library begins with.
    package var bundledFeeds: Set<String> = []
    /// Looks for subscriptions of other programs on this machine.
    package var findSubscriptions: @Sendable () async -> [DiscoveredSubscriptions] = { [] }
    /// Moves in from another program's file, with what lies beside it: gives what came, a line each, or `nil` where that failed.
    package var moveIn: (@Sendable (_ path: String) async -> [String]?)?
    /// The present, in seconds since 1970.
    package var clock: @Sendable () -> Int64
    /// The duration that the dashboard's timers count as one second; tests shorten it.
    package var second = Duration.seconds(1)
    /// How long a message stays in the bar.
    package var messageTime = Duration.seconds(6)
    /// Opens a link in the user's browser; the result is a problem in plain words, or `nil`.
    package var openLink: @MainActor (String) async -> String?
    /// Plays a recording with a player; the result is a problem in plain words, or `nil`.
    package var play: Play = { _, _, _, _ in "No player is available." }
    /// Plays from a second on; `keep` is told how far where the player tells it, on any thread.
    package typealias Play =
        @MainActor (
            _ address: String, _ player: String, _ start: Int, _ keep: @escaping @Sendable (PlayedEnclosure) -> Void
        ) async -> String?
    /// The segment to begin with: stages, feeds or settings; `nil`: the setting's.
    package var startSegment: String?
    /// The user's own commands for entries.
    package var entryCommands: [EntryCommand] = []
    /// Writes a rule into a file of the configuration; gives its path.
    package var keepRule: @MainActor (Rule) throws -> String = { _ in "the configuration" }
    /// Keeps colours as a theme of the user's; gives the theme.
    package var keepTheme: @MainActor (_ name: String, TerminalColors) throws -> Theme = {
        Theme(name: $0, colors: $1)
    }
    /// Runs one of them, by its name, for an entry that has just come; the result is a problem in plain words, or `nil`.
    package var runOnArrival: @Sendable (_ command: String, EntryDetail) async -> String? = { _, _ in nil }
    /// Tells of new entries to who does not look; the result is a problem in plain words, or `nil`.
    package var notify: @MainActor (_ title: String, _ body: String) async -> String? = { _, _ in nil }
    /// What was shown when the program ended in this pane before; `nil`: nothing is known of that.
    package var state: DashboardState?
    /// Keeps what is shown, for the next start.
    package var saveState: @MainActor (DashboardState) -> Void
    /// What went wrong before the dashboard is shown, to be told there.
    package var problems: [String] = []
    /// What is wrong with the configuration: shown until it is put right.
    package var configurationProblems: [String] = []
    /// Notes a failure beyond the few seconds that the status line shows it.
    package var log: @MainActor (String) -> Void

    package init(
        library: Library, settings: Settings, reloadService: ReloadService, clock: @escaping @Sendable () -> Int64,
        openLink: @escaping @MainActor (String) async -> String?, startSegment: String? = nil,
        state: DashboardState? = nil,
        saveState: @escaping @MainActor (DashboardState) -> Void = { _ in },
        log: @escaping @MainActor (String) -> Void = { _ in }
    ) {
        self.library = library
        self.settings = settings
        self.reloadService = reloadService
        self.clock = clock
        self.openLink = openLink
        self.startSegment = startSegment
        self.state = state
        self.saveState = saveState
        self.log = log
    }
}

/// The pictures that were fetched and are kept on the disk.
package struct KeptPictures: Sendable {
    /// The bytes of them.
    package var size: @Sendable () -> Int64
    /// Lets go of them; gives the bytes of what was deleted.
    package var clear: @Sendable () -> Int64

    package init(size: @escaping @Sendable () -> Int64 = { 0 }, clear: @escaping @Sendable () -> Int64 = { 0 }) {
        self.size = size
        self.clear = clear
    }
}

/// What the configuration says, each time that it is read.
package struct DashboardConfiguration {
    /// The settings by their names.
    package var settings: [String: String]
    package var keyMap: KeyMap
    /// The user's own commands for entries.
    package var entryCommands: [EntryCommand]
    package var rules: [Rule]
    /// The user's own themes.
    package var themes: [Theme]
    /// What is wrong, in sentences; everything else holds.
    package var problems: [String]

    package init(
        settings: [String: String], keyMap: KeyMap, entryCommands: [EntryCommand], rules: [Rule], themes: [Theme],
        problems: [String]
    ) {
        self.settings = settings
        self.keyMap = keyMap
        self.entryCommands = entryCommands
        self.rules = rules
        self.themes = themes
        self.problems = problems
    }
}
