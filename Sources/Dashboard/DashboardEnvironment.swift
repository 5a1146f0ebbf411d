import ModelCore
import Pictures
import TerminalUI

/// What the program provides to the dashboard.
package struct DashboardEnvironment {
    package var library: Library
    package var settings: Settings
    package var reloadService: ReloadService
    /// Syncs accounts. With `nil` the dashboard creates its own service.
    package var syncService: SyncService?
    /// The keys that the user has bound.
    package var keyMap = KeyMap()
    /// The user's own themes.
    package var themes: [Theme] = []
    /// Finds the feeds at an address.
    package var discovery = FeedDiscovery()
    /// Fetches the pages that entries and stages link to.
    package var pages = PageService()
    /// Loads and decodes a picture.
    package var loadPicture: @Sendable (PictureRequest) async -> Result<Picture, PictureProblem> = { _ in
        .failure(PictureProblem("pictures can't be loaded here"))
    }
    /// Returns the stored hint for a picture.
    package var pictureHint: @MainActor (PictureRequest) -> PictureHint? = { _ in nil }
    /// Stores the size and a few colours of a picture.
    package var keepPictureHint: @MainActor (PictureRequest, PictureHint) -> Void = { _, _ in }
    /// Returns the file with the map's coasts and borders.
    package var loadOutlines: @MainActor () -> [UInt8] = { [] }
    /// Whether a stage has a bundled picture.
    package var hasBundledPicture: @MainActor (_ race: String, _ stage: Int) -> Bool = { _, _ in false }
    /// Whether this start created the library, so that the welcome sheet is shown.
    package var isFirstStart = false
    /// Releases memory that only the start needed.
    package var releaseStart: @MainActor () -> Void = {}
    /// Returns the version, paths and library versions, with their names.
    package var about: @MainActor () -> [(name: String, value: String)] = { [] }
    /// The picture cache.
    package var keptPictures = KeptPictures()
    /// The addresses of the feeds in a new library.
    package var bundledFeeds: Set<String> = []
    /// Finds subscriptions of other programs on this machine.
    package var findSubscriptions: @Sendable () async -> [DiscoveredSubscriptions] = { [] }
    /// Imports another program's file and the files beside it. It returns a line for each result, or `nil` on failure.
    package var moveIn: (@Sendable (_ path: String) async -> [String]?)?
    /// Returns the current time in seconds since 1970.
    package var clock: @Sendable () -> Int64
    /// The duration that the dashboard's timers treat as one second; tests shorten it.
    package var second = Duration.seconds(1)
    /// How long a message stays in the bar.
    package var messageTime = Duration.seconds(6)
    /// Opens a link in the user's browser and returns an error message or `nil`.
    package var openLink: @MainActor (String) async -> String?
    /// Plays an enclosure and returns an error message or `nil`.
    package var play: Play = { _, _, _, _ in "No player is available." }
    /// Plays from a position in seconds. `keep` receives the positions that the player reports, on any thread.
    package typealias Play =
        @MainActor (
            _ address: String, _ player: String, _ start: Int, _ keep: @escaping @Sendable (PlayedEnclosure) -> Void
        ) async -> String?
    /// The first segment: stages, feeds or settings; `nil` for the setting's.
    package var startSegment: String?
    /// The commands for entries that the user defined.
    package var entryCommands: [EntryCommand] = []
    /// Writes a rule to a file of the configuration and returns its path.
    package var keepRule: @MainActor (Rule) throws -> String = { _ in "the configuration" }
    /// Saves colours as a theme of the user and returns it.
    package var keepTheme: @MainActor (_ name: String, TerminalColors) throws -> Theme = {
        Theme(name: $0, colors: $1)
    }
    /// Runs a user command by name for a new entry and returns an error message or `nil`.
    package var runOnArrival: @Sendable (_ command: String, EntryDetail) async -> String? = { _, _ in nil }
    /// Notifies the user of new entries and returns an error message or `nil`.
    package var notify: @MainActor (_ title: String, _ body: String) async -> String? = { _, _ in nil }
    /// The state when the program last quit in this pane, if known.
    package var state: DashboardState?
    /// Saves the state for the next start.
    package var saveState: @MainActor (DashboardState) -> Void
    /// Errors from before the dashboard appears, to show in it.
    package var problems: [String] = []
    /// Errors in the configuration, shown until they are fixed.
    package var configurationProblems: [String] = []
    /// Logs an error, since the status line shows it only for seconds.
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

/// The cache of fetched pictures on disk.
package struct KeptPictures: Sendable {
    /// Returns the size of the cache in bytes.
    package var size: @Sendable () -> Int64
    /// Clears the cache and returns the number of deleted bytes.
    package var clear: @Sendable () -> Int64

    package init(size: @escaping @Sendable () -> Int64 = { 0 }, clear: @escaping @Sendable () -> Int64 = { 0 }) {
        self.size = size
        self.clear = clear
    }
}

/// The content of the configuration each time it is read.
package struct DashboardConfiguration {
    /// The settings by name.
    package var settings: [String: String]
    package var keyMap: KeyMap
    /// The commands for entries that the user defined.
    package var entryCommands: [EntryCommand]
    package var rules: [Rule]
    /// The user's own themes.
    package var themes: [Theme]
    /// The errors, a sentence each. Everything else applies.
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
