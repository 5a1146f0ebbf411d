import Configuration
import Dashboard
import DashboardFrame
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import TerminalUI

/// Programs that the dashboard starts, some of which get the terminal until they end.
@MainActor
final class DashboardPrograms {
    /// The application whose terminal is handed over, set once it exists.
    weak var application: Application?

    func handOver<Value>(_ work: () -> Value) -> Value? { application?.handOver(work) }

    /// Returns user commands as the dashboard offers them.
    func commands(_ commands: [UserCommand]) -> [EntryCommand] {
        commands.map { command in UserCommandRunner.command(command) { [self] in handOver($0) } }
    }
}

extension ExternalPrograms {
    /// Uses the configured browser and player, the user's commands, and the notifications of the settings.
    @MainActor
    mutating func use(
        _ programs: DashboardPrograms, _ files: DashboardFiles, _ settings: Settings, _ terminal: NcursesTerminal,
        clock: @escaping @Sendable () -> Instant
    ) {
        openLink = { link in await LinkOpener.open(link, with: settings[.browser]) { programs.handOver($0) } }
        play = { address, player, start, keep in
            MediaPlayer.play(address, with: player, from: start, handOver: { programs.handOver($0) }, keep: keep)
        }
        isPaneShown = {
            guard await terminal.isPresent() else { return false }
            return await Task.detached { PaneClients.areAny(in: ProcessInfo.processInfo.environment) }.value
        }
        pipe = { line in programs.commands([UserCommand(pipingTo: line)]).first }
        runOnArrival = { name, entry in
            guard let command = files.command(name) else { return nil }
            return UserCommandRunner.runOnArrival(command, entry)
        }
        notify = { title, body, place in
            switch settings.notificationWay(at: clock()) {
            case .terminal:
                terminal.notify(title: title, body: body, identifier: place.text)
                return nil
            case .command(let command):
                return await Task.detached { Notifier.run(command, title: title, body: body, place: place) }.value
            case nil: return nil
            }
        }
    }

    /// Offers panes with other places if the program runs in tmux and the library is a file.
    mutating func offerPanes(_ options: LibraryOptions, library: Library) {
        guard library.path != nil, let program = FileLocations.program, let pane = TmuxPane.own else { return }
        let own = [program, "open", "--new"] + options.arguments
        openPane = { place, kind in
            let words = pane.words(
                for: own + ["--", place.text], in: kind, folder: FileManager.default.currentDirectoryPath)
            let isOpen = await Task.detached { ChildProcess.output(of: words) != nil }.value
            return isOpen ? nil : "tmux can't make another pane: there is too little space."
        }
    }
}

/// The terminals that show the pane of this program, as tmux and screen know them.
enum PaneClients {
    /// Whether there are any. tmux 3.3 sends no focus report when the last one detaches, and screen never does.
    static func areAny(in environment: [String: String]) -> Bool {
        if let pane = TmuxPane(environment: environment) {
            let answer = pane.ask("display-message", "-p", "-t", pane.name, "#{window_active_clients}")
            return answer?.trimmingCharacters(in: .whitespacesAndNewlines) != "0"
        }
        guard let session = environment["STY"], !session.isEmpty, !session.contains("/") else { return true }
        let folders = [
            environment["SCREENDIR"], "/run/screen/S-\(NSUserName())", "/tmp/screens/S-\(NSUserName())",
            NSHomeDirectory() + "/.screen",
        ]
        for folder in folders.compactMap({ $0 }) {
            var status = stat()
            // The owner may execute the socket of an attached session.
            if stat("\(folder)/\(session)", &status) == 0 { return status.st_mode & S_IXUSR != 0 }
        }
        return true
    }
}

extension PictureSource {
    /// Uses the pictures of the program and of servers, their cache, and the outlines of the map.
    @MainActor
    mutating func useCache() {
        let store = PictureCache()
        let pictures = PictureLoader(cache: store)
        load = { await pictures.load($0) }
        hasBundled = { PictureLoader.bundled(race: $0, stage: $1) != nil }
        cache = store.kept
        hint = { store.hint($0) }
        keepHint = { request, hint in
            Task.detached(priority: .utility) { store.keep(hint, of: request) }
        }
        outlines = {
            let file = FileLocations.assets?.appendingPathComponent("map/outlines.bin")
            return file.flatMap { PrivateFile.contents($0.path) }.map(Array.init) ?? []
        }
    }
}

extension WelcomeOffers {
    /// Offers the subscriptions of other programs on this machine, and imports them into a library.
    mutating func offerImports(into library: Library, _ files: DashboardFiles) {
        find = { InstalledReaders.find() }
        guard let database = library.path, let program = FileLocations.program else { return }
        importFile = { path in
            // A separate process does the import. It skips programs of feeds, which would need a confirmation.
            var words = [program, "import", path, "--yes", "--no-programs", "--database", database]
            if FileManager.default.fileExists(atPath: files.path) { words += ["--config", files.path] }
            return ChildProcess.output(of: words)?.split(separator: "\n").map(String.init)
        }
    }
}

/// What the program reports about itself.
enum ProgramFacts {
    /// Returns the version, the paths of the library and the program's files, and library versions, with their names.
    static func list(_ library: Library, _ files: DashboardFiles) -> [(name: String, value: String)] {
        [
            ("Version", ProgramVersion.number),
            ("Program", FileLocations.program ?? ""),
            ("Configuration", files.path),
            ("Library", library.path ?? "in memory"),
            ("Pictures", FileLocations.pictures),
            ("Log", FileLocations.log),
            ("Terminal", ProcessInfo.processInfo.environment["TERM"] ?? ""),
            ("Libraries", LibraryVersions.lines.joined(separator: ", ")),
        ]
    }
}
