import ArgumentParser
import CSpawn
import Configuration
import Dashboard
import Fetching
import Foundation
import Logging
import ModelCore
import Synchronization
import TerminalUI

/// Shows the dashboard.
struct DashboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard", abstract: "Start the dashboard (the default).")

    @Option(help: "The first segment: \(DashboardSegment.all.map(\.name).joined(separator: ", ")).")
    var segment: String?

    @OptionGroup var options: LibraryOptions

    @OptionGroup var logging: ProgramLog.Options

    func validate() throws {
        if let segment, !DashboardSegment.all.contains(where: { $0.name == segment }) {
            throw ValidationError("No such segment: '\(segment)'.")
        }
    }

    func run() throws {
        try MainActor.assumeIsolated { try show() }
    }

    @MainActor
    private func show() throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw fail(
                "the dashboard needs a terminal; in a pipe, use commands such as list, search or status",
                ExitStatus.unavailable)
        }
        // The log file is opened only when there is something to write.
        let log = logging.logger("dashboard")
        // The state of a temporary library is not worth storing.
        let screenState = options.inMemory ? nil : ScreenState()
        let isFirstStart = options.isNew
        let (library, problems) = try options.openLibraryWithRaces(forDashboard: true)
        let configuration = try options.configurationFile()
        let settings = try options.settings(library, file: configuration)
        let clock: @Sendable () -> Int64 = { Int64(clamping: Date().timeIntervalSince1970) }
        let terminal = NcursesTerminal(
            colors: settings.colorDepth, synchronization: settings.outputSynchronization)
        do {
            try terminal.start()
        } catch {
            throw fail("\(error); in a pipe, use commands such as list, search or status", ExitStatus.unavailable)
        }
        defer { terminal.stop() }
        NcursesTerminal.onForcedExit { _ = library.changes.drain() }
        let stateFile = screenState?.file()
        let terminalOwner = TerminalOwner()
        var environment = DashboardEnvironment(
            library: library, settings: settings, reloadService: ReloadService(library: library, clock: clock),
            clock: clock,
            openLink: { link in
                await LinkOpener.open(link, with: settings[.browser]) { terminalOwner.application?.handOver($0) }
            },
            startSegment: segment,
            state: stateFile.flatMap { ScreenState.read($0) },
            saveState: { state in if let stateFile { ScreenState.write(state, to: stateFile) } },
            log: { log.error("\(ProgramLog.withoutPrivateParts($0))") })
        environment.play = { address, player, start, keep in
            MediaPlayer.play(
                address, with: player, from: start, handOver: { terminalOwner.application?.handOver($0) }, keep: keep)
        }
        environment.keyMap = configuration.keyMap
        let offered: @MainActor ([UserCommand]) -> [EntryCommand] = { commands in
            commands.map { command in
                UserCommandRunner.command(command) { terminalOwner.application?.handOver($0) }
            }
        }
        environment.entryCommands = offered(configuration.commands)
        let configurationPath = options.configurationPath
        environment.keepRule = { try RuleFile.write($0, besideConfiguration: configurationPath) }
        environment.keepTheme = { try ThemeFile.write($1, name: $0, besideConfiguration: configurationPath) }
        let commands = Mutex(configuration.commands)
        environment.runOnArrival = { name, entry in
            guard let command = commands.withLock({ $0.first { $0.name == name } }) else { return nil }
            return UserCommandRunner.runOnArrival(command, entry)
        }
        environment.notify = { title, body in
            switch settings.notificationWay(at: clock()) {
            case .terminal:
                terminal.notify(title: title, body: body)
                return nil
            case .command(let command):
                return await Task.detached { Notifier.run(command, title: title, body: body) }.value
            case nil: return nil
            }
        }
        // The bar has little space, so the file's name is enough.
        let path = options.configurationPath
        let name = URL(fileURLWithPath: path).lastPathComponent
        environment.configurationProblems = configuration.problems.map { $0.description.replacing(path, with: name) }
        environment.problems = problems.map { "In \(FileLocations.races): \($0)" }
        let folder = ThemeFile.folder(besideConfiguration: path)
        let (themes, themeProblems) = ThemeFile.read(folder: folder)
        environment.themes = themes
        environment.problems += themeProblems
        let theme = settings[.theme]
        if !(Theme.all + themes).contains(where: { $0.name == theme }) {
            environment.problems.append("No such theme: '\(theme)'. Your own themes are in \(folder).")
        }
        let cache = PictureCache()
        let pictures = PictureLoader(cache: cache)
        environment.loadPicture = { await pictures.load($0) }
        environment.isFirstStart = isFirstStart && segment == nil
        environment.about = { [configurationPath] in
            [
                ("Version", ProgramVersion.number),
                ("Program", FileLocations.program ?? ""),
                ("Configuration", configurationPath),
                ("Library", library.path ?? "in memory"),
                ("Pictures", FileLocations.pictures),
                ("Log", FileLocations.log),
                ("Terminal", ProcessInfo.processInfo.environment["TERM"] ?? ""),
                ("Libraries", LibraryVersions.lines.joined(separator: ", ")),
            ]
        }
        environment.keptPictures = cache.kept
        environment.releaseStart = { csp_release_start() }
        environment.bundledFeeds = FirstStart.feedAddresses
        environment.findSubscriptions = { InstalledReaders.find() }
        if let database = library.path, let program = FileLocations.program {
            environment.moveIn = { path in
                // A separate process does the import. It skips programs of feeds, which would need a confirmation.
                var words = [program, "import", path, "--yes", "--no-programs", "--database", database]
                if FileManager.default.fileExists(atPath: configurationPath) {
                    words += ["--config", configurationPath]
                }
                return ChildProcess.output(of: words)?.split(separator: "\n").map(String.init)
            }
        }
        environment.pictureHint = { cache.hint($0) }
        environment.keepPictureHint = { request, hint in
            Task.detached(priority: .utility) { cache.keep(hint, of: request) }
        }
        environment.loadOutlines = {
            let file = FileLocations.assets?.appendingPathComponent("map/outlines.bin")
            return file.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init) ?? []
        }
        environment.hasBundledPicture = { PictureLoader.bundled(race: $0, stage: $1) != nil }
        let dashboard = DashboardController(environment)
        let application = Application(terminal: terminal, root: dashboard.navigation)
        terminalOwner.application = application
        dashboard.attach(to: application)
        let watch = MemoryPressure.watch(for: application.window)
        let configurationWatch = ConfigurationWatch(configurationPath) { [weak dashboard] in
            // A deleted file changes nothing.
            guard let file = try? options.configurationFile() else { return }
            let (themes, themeProblems) = ThemeFile.read(folder: folder)
            let told = file.problems.map { $0.description.replacing(path, with: name) } + themeProblems
            // An incomplete file changes nothing.
            guard file.isReadable else { return dashboard?.tell(configurationProblem: told.first ?? "") ?? () }
            log.info("the configuration was read again; \(told.count.counted("problem"))")
            commands.withLock { $0 = file.commands }
            dashboard?.take(
                DashboardConfiguration(
                    settings: file.settings, keyMap: file.keyMap, entryCommands: offered(file.commands),
                    rules: file.rules, themes: themes, problems: told))
        }
        log.info(
            "\(ProgramVersion.number) in \(terminal.size.width) x \(terminal.size.height), TERM=\(ProcessInfo.processInfo.environment["TERM"] ?? "")"
        )
        application.run()
        log.info("ended")
        configurationWatch.stop()
        watch?.cancel()
        try DashboardCommand.tell(dashboard.leaving)
        if case .signal(let number)? = application.terminationReason { throw ExitCode(128 + number) }
        if case .hangup? = application.terminationReason { throw ExitCode(128 + SIGHUP) }
    }

    /// A function that hands over the terminal, set once everything is connected.
    @MainActor
    private final class TerminalOwner {
        weak var application: Application?
    }

    /// Reports changes that could not be stored, after the terminal was given back.
    private static func tell(_ leaving: Leaving?) throws {
        guard let leaving, let sentence = words(leaving) else { return }
        if case .lost = leaving { throw fail(sentence, ExitStatus.inputOutput) }
        printError("tappa: \(sentence)")
    }

    /// Returns a message about the pending changes at the end, or `nil` if all are stored.
    static func words(_ leaving: Leaving) -> String? {
        switch leaving {
        case .kept(let count):
            "\(count.counted("change")) could not be stored now; the next start stores them"
        case .lost(let names, let reason): "not stored: \(names.joined(separator: ", ")): \(reason)"
        case .stored: nil
        }
    }
}
