import ArgumentParser
import CSpawn
import Configuration
import Dashboard
import Fetching
import Foundation
import LibraryKernel
import Logging
import ModelCore
import Races
import TerminalUI

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

    /// Shows the dashboard until the user quits.
    ///
    /// - Parameters:
    ///   - prepared: A library to show instead of the user's.
    ///   - replay: The clock of the recording that is played in it.
    ///   - place: The place to show first.
    @MainActor
    func show(_ prepared: Library? = nil, replay: ReplayClock? = nil, place: Place? = nil) throws {
        guard isInteractive else {
            throw fail(
                "the dashboard needs a terminal; in a pipe, use commands such as list, search or status",
                ExitStatus.unavailable)
        }
        // The log file is opened only when there is something to write.
        let log = logging.logger("dashboard")
        // The state of a temporary library is not worth storing.
        let screenState = options.inMemory ? nil : ScreenState()
        let (library, problems, isFirstStart) =
            try prepared.map { ($0, [], false) } ?? options.openLibraryWithRaces(forDashboard: true)
        let file = try options.configurationFile()
        let files = DashboardFiles(path: options.configurationPath, configuration: file)
        let settings = try options.settings(library, file: file)
        let terminal = try startTerminal(settings)
        defer { terminal.stop() }
        NcursesTerminal.onForcedExit { _ = library.changes.drain() }
        let programs = DashboardPrograms()
        let clock: @Sendable () -> Instant = { replay?.now ?? .now }
        var environment = DashboardEnvironment(library: library, settings: settings, clock: clock)
        environment.replay = replay
        environment.programs.use(programs, files, settings, terminal, clock: clock)
        environment.log = { log.error("\(ProgramLog.withoutPrivateParts($0))") }
        environment.start.problems = problems.map { "In \(FileLocations.races): \($0)" }
        environment.welcome.isFirstStart = isFirstStart && segment == nil && place == nil
        environment.start.place = place
        if prepared == nil { environment.programs.offerPanes(options, library: library) }
        prepare(&environment, files, file, programs)
        if let stateFile = screenState?.file() {
            environment.start.state = ScreenState.read(stateFile)
            environment.saveState = { ScreenState.write($0, to: stateFile) }
        }
        let dashboard = DashboardController(environment)
        try run(dashboard, on: terminal, library, files, programs, log)
        if dashboard.startsAgain { startAgain() }
    }

    /// Replaces the program by a new start of itself.
    private func startAgain() {
        guard let program = FileLocations.program else { return }
        execv(program, ProcessInfo.processInfo.arguments.map { strdup($0) } + [nil])
    }

    /// Fills in what comes from the configuration and from the files of the program.
    @MainActor
    private func prepare(
        _ environment: inout DashboardEnvironment, _ files: DashboardFiles, _ file: ConfigurationFile,
        _ programs: DashboardPrograms
    ) {
        let (configuration, themeProblems) = files.read(file, programs)
        environment.configuration = configuration
        environment.writer.write(besideConfiguration: files.path)
        environment.start.segment = segment
        environment.start.release = { csp_release_start() }
        environment.start.bundledFeeds = FirstStart.feedAddresses
        let missingTheme = files.problem(ofTheme: environment.settings[.theme], among: configuration.themes)
        environment.start.problems += themeProblems + [missingTheme].compactMap { $0 }
        environment.start.problems += environment.settings.programProblems
        environment.pictures.useCache()
        environment.welcome.offerImports(into: environment.library, files)
        environment.about = { [library = environment.library] in ProgramFacts.list(library, files) }
    }

    @MainActor
    private func startTerminal(_ settings: Settings) throws -> NcursesTerminal {
        let terminal = NcursesTerminal(colors: settings.colorDepth, escapeDelay: settings[.escapeTime])
        do {
            try terminal.start()
        } catch {
            throw fail("\(error); in a pipe, use commands such as list, search or status", ExitStatus.unavailable)
        }
        return terminal
    }

    /// Runs the dashboard until it ends, and reports how.
    @MainActor
    private func run(
        _ dashboard: DashboardController, on terminal: NcursesTerminal, _ library: Library, _ files: DashboardFiles,
        _ programs: DashboardPrograms, _ log: Logger
    ) throws {
        let application = Application(terminal: terminal, root: dashboard.navigation)
        programs.application = application
        dashboard.attach(to: application)
        let server = library.path.flatMap { PlaceSocket.own(library: $0) }.flatMap { socket in
            PlaceServer(socket) { [weak dashboard] in dashboard?.show($0) }
        }
        defer { server?.stop() }
        let memory = MemoryPressure.watch(for: application.window)
        let configuration = ConfigurationWatch(files.path) { [weak dashboard] in
            if let dashboard { readConfiguration(for: dashboard, files, programs, log) }
        }
        let size = terminal.size
        let type = ProcessInfo.processInfo.environment["TERM"] ?? ""
        log.info("\(ProgramVersion.number) in \(size.width) x \(size.height), TERM=\(type)")
        application.run()
        log.info("ended")
        configuration.stop()
        memory?.cancel()
        try DashboardCommand.tell(dashboard.leaving)
        if case .signal(let number)? = application.terminationReason { throw ExitCode(128 + number) }
        if case .hangup? = application.terminationReason { throw ExitCode(128 + SIGHUP) }
    }

    /// Applies the configuration file after it has changed.
    @MainActor
    private func readConfiguration(
        for dashboard: DashboardController, _ files: DashboardFiles, _ programs: DashboardPrograms, _ log: Logger
    ) {
        // A deleted file changes nothing.
        guard let file = try? options.configurationFile() else { return }
        files.accept(file)
        var (configuration, themeProblems) = files.read(file, programs)
        configuration.problems += themeProblems
        let problems = configuration.problems
        // An incomplete file changes nothing.
        guard file.isReadable else { return dashboard.tell(configurationProblem: problems.first ?? "") }
        log.info("the configuration was read again; \(problems.count.counted("problem"))")
        dashboard.take(configuration, settings: file.settings, rules: file.rules)
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
