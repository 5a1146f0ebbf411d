import CSpawn
import Configuration
import Dashboard
import Fetching
import Foundation
import ModelCore
import TerminalUI

/// Programs that the dashboard starts, some of which get the terminal until they end.
@MainActor
final class DashboardPrograms {
    /// The application whose terminal is handed over, set once it exists.
    weak var application: Application?

    func handOver<Value>(_ work: () -> Value) -> Value? { application?.handOver(work) }

    /// Returns a function that opens links in the configured browser.
    func openLink(_ settings: Settings) -> @MainActor (String) async -> String? {
        { [self] link in await LinkOpener.open(link, with: settings[.browser]) { handOver($0) } }
    }

    /// Returns user commands as the dashboard offers them.
    func commands(_ commands: [UserCommand]) -> [EntryCommand] {
        commands.map { command in UserCommandRunner.command(command) { [self] in handOver($0) } }
    }
}

extension DashboardEnvironment {
    /// Sets the programs that play audio, run for new entries and show notifications.
    mutating func use(
        _ programs: DashboardPrograms, _ files: DashboardFiles, _ settings: Settings, _ terminal: NcursesTerminal
    ) {
        play = { address, player, start, keep in
            MediaPlayer.play(address, with: player, from: start, handOver: { programs.handOver($0) }, keep: keep)
        }
        runOnArrival = { name, entry in
            guard let command = files.command(name) else { return nil }
            return UserCommandRunner.runOnArrival(command, entry)
        }
        notify = { [clock] title, body in
            switch settings.notificationWay(at: clock()) {
            case .terminal:
                terminal.notify(title: title, body: body)
                return nil
            case .command(let command):
                return await Task.detached { Notifier.run(command, title: title, body: body) }.value
            case nil: return nil
            }
        }
    }

    /// Sets the sources of pictures, their cache, and the outlines of the map.
    mutating func usePictures() {
        let cache = PictureCache()
        let pictures = PictureLoader(cache: cache)
        loadPicture = { await pictures.load($0) }
        hasBundledPicture = { PictureLoader.bundled(race: $0, stage: $1) != nil }
        keptPictures = cache.kept
        pictureHint = { cache.hint($0) }
        keepPictureHint = { request, hint in
            Task.detached(priority: .utility) { cache.keep(hint, of: request) }
        }
        loadOutlines = {
            let file = FileLocations.assets?.appendingPathComponent("map/outlines.bin")
            return file.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init) ?? []
        }
    }

    /// Sets what the first start offers, and what the program tells about itself.
    mutating func useStart(of library: Library, _ files: DashboardFiles) {
        releaseStart = { csp_release_start() }
        bundledFeeds = FirstStart.feedAddresses
        findSubscriptions = { InstalledReaders.find() }
        if let database = library.path, let program = FileLocations.program {
            moveIn = { path in
                // A separate process does the import. It skips programs of feeds, which would need a confirmation.
                var words = [program, "import", path, "--yes", "--no-programs", "--database", database]
                if FileManager.default.fileExists(atPath: files.path) { words += ["--config", files.path] }
                return ChildProcess.output(of: words)?.split(separator: "\n").map(String.init)
            }
        }
        about = {
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
}
