import ArgumentParser
import Configuration
import Dashboard
import DashboardFrame
import Foundation
import LibraryKernel
import ModelCore
import RaceCentre
import Races

/// The options of all commands: the library and the configuration.
struct LibraryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database file.", valueName: "file"), completion: .file())
    var database: String?

    @Flag(help: "Keep everything in memory, to try things out.")
    var inMemory = false

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
    var config: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "A setting for this run, such as feeds.refresh=30 (repeatable).", valueName: "name=value"),
        completion: .assignments)
    var overrides: [String] = []

    /// The options as arguments for another run of the program, which may have another folder and environment.
    var arguments: [String] {
        var words = ["--database", path]
        if config != nil || FileManager.default.fileExists(atPath: configurationPath) {
            words += ["--config", UserFile.absolute(configurationPath)]
        }
        return words + overrides.flatMap { ["--set", $0] }
    }

    var configurationPath: String { config ?? FileLocations.configuration }

    /// Whether the library doesn't exist, so that opening it creates it.
    var isNew: Bool { !inMemory && !FileManager.default.fileExists(atPath: path) }

    /// The path of the library.
    var path: String { database.map { UserFile.absolute($0) } ?? FileLocations.database }

    /// Whether the library can be created: its directory, or the nearest existing parent, is writable.
    var canMakeLibrary: Bool {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
            folder.deleteLastPathComponent()
        }
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory)
            && isDirectory.boolValue && access(folder.path, W_OK) == 0
    }

    func validate() throws {
        if inMemory, database != nil { throw ValidationError("--in-memory and --database can't be combined.") }
    }

    /// Opens the library and fills a new one.
    ///
    /// - Parameters:
    ///   - bringsFeeds: Whether the command adds feeds itself, so that a new library starts without any.
    ///   - orInMemory: Whether to use a library in memory if none can be created, for commands that only print
    ///     settings.
    func openLibrary(bringsFeeds: Bool = false, orInMemory: Bool = false) throws -> Library {
        try openAndPrepare(bringsFeeds: bringsFeeds, orInMemory: orInMemory).library
    }

    /// - Parameter forDashboard: Whether the dashboard shows messages about library and keys, instead of standard
    ///   error. It can use a library in memory.
    private func openAndPrepare(
        forDashboard: Bool = false, bringsFeeds: Bool = false, orInMemory: Bool = false
    ) throws -> (library: Library, isFirstStart: Bool) {
        let file = try configurationFile()
        // The dashboard shows errors in the configuration itself. They never end a command, because everything else
        // applies.
        if !forDashboard { LibraryOptions.warn(of: file) }
        do {
            let library = try open(
                with: file, orInMemory: forDashboard || orInMemory, readsWithoutLocks: !forDashboard)
            // Commands that store something report a read-only library themselves.
            if !forDashboard { for notice in library.notices { printError("tappa: \(notice)") } }
            if let problem = trustAuthorities(library, file), !forDashboard { printError("tappa: \(problem)") }
            guard library.readOnlyReason == nil else { return (library, false) }
            return (library, try FirstStart.prepare(library, withFeeds: !bringsFeeds) && !inMemory)
        } catch LibraryError.damaged(let path) {
            guard let aside = Quarantine.library(path, isOwn: database == nil) else {
                throw fail("\(LibraryError.damaged(path: path))", ExitStatus.badData)
            }
            throw fail(
                "\(path) is damaged and was moved to \(aside). The next start creates a new library; "
                    + "'tappa recover --database \(aside) --output FILE' recovers the old one",
                ExitStatus.badData)
        }
    }

    /// Makes requests trust the authorities that the settings name. Commands that use settings report wrong ones.
    ///
    /// - Returns: The reason why their file can't be used.
    private func trustAuthorities(_ library: Library, _ file: ConfigurationFile) -> String? {
        let own = SettingOverrides.read(environment: ProcessInfo.processInfo.environment, flags: overrides).values
        let settings = try? Settings(library: library, file: file.settings, overrides: own)
        return settings?.trustAuthorities()
    }

    /// Opens the library without printing messages.
    ///
    /// - Parameter readsWithoutLocks: Whether to open the library read-only if its file system can't lock files.
    /// - Throws: ``LibraryError`` if the library was not changed.
    func open(with file: ConfigurationFile, orInMemory: Bool = false, readsWithoutLocks: Bool = false)
        throws(LibraryError) -> Library
    {
        if database == nil, !inMemory {
            PrivateFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path, isOwn: true)
        }
        let library: Library
        do {
            let known = KnownLibraries(file: FileLocations.knownLibraries, isAtOwnPlace: path == FileLocations.database)
            library = try Library(
                path: inMemory ? nil : path, known: known, readsWithoutLocks: readsWithoutLocks)
        } catch {
            guard case .cannotOpen = error, orInMemory, database == nil, isNew else { throw error }
            library = try Library(inMemoryBecause: error)
        }
        OpenLibraries.note(library)
        library.secrets.setRunner { ChildProcess.output(of: $0) }
        library.rules = file.rules
        library.attach(KnownRaceReader { KnownRaces.readFiles() })
        return library
    }

    /// Reports a library that was named but doesn't exist, instead of creating it.
    func requireNamedLibrary() throws {
        if database != nil, isNew { throw fail("no such library: \(path)", ExitStatus.noInput) }
    }

    /// Opens the library for reading only if nothing needs to be done first, and prints warnings about the
    /// configuration.
    func openForReading() throws -> Library {
        if !inMemory, let library = Library(glancingAt: path) {
            LibraryOptions.warn(of: try configurationFile())
            return library
        }
        return try openLibrary()
    }

    /// Opens the library after importing changed races from the user's folder.
    ///
    /// - Returns: The library, a sentence for each file that can't be read as a race, and whether nothing but commands
    ///   that add feeds has opened the library before.
    func openLibraryWithRaces(
        forDashboard: Bool = false
    ) throws -> (library: Library, problems: [String], isFirstStart: Bool) {
        let (library, isFirstStart) = try openAndPrepare(forDashboard: forDashboard)
        guard library.readOnlyReason == nil else { return (library, [], false) }
        do {
            let problems = try runBlocking {
                // What can't be shown now is shown later.
                try? await library.releaseHeldStages(at: .now)
                return try await RaceFolder.read(FileLocations.races, into: library)
            }
            return (library, problems, isFirstStart)
        } catch {
            let cause = (error as? LibraryError) ?? (error as? ChangeFailure)?.error
            throw fail("\(error)", cause?.exitCode ?? ExitStatus.inputOutput)
        }
    }

    func settings(_ library: Library, file: ConfigurationFile) throws -> Settings {
        try Settings(library: library, file: file.settings, overrides: checkedOverrides())
    }

    /// Reads the settings in the environment and in flags.
    ///
    /// - Throws: An exit code, after a message for each wrong name or value.
    private func checkedOverrides() throws -> [String: SettingValue] {
        let own = SettingOverrides.read(environment: ProcessInfo.processInfo.environment, flags: overrides)
        guard let last = own.problems.last else { return own.values }
        for problem in own.problems.dropLast() { printError("tappa: \(problem)") }
        throw fail(last, ExitStatus.usage)
    }

    /// Reads the configuration file with its errors, for which only `config` and `doctor` fail
    /// (``end(withErrorsOf:)``).
    func configurationFile() throws -> ConfigurationFile {
        // A wrong flag is an error in every command, whether it uses settings or not.
        if !SettingOverrides.read(environment: [:], flags: overrides).problems.isEmpty { _ = try checkedOverrides() }
        if let config, !FileManager.default.fileExists(atPath: config) {
            throw fail("no such configuration file: \(config)", ExitStatus.noInput)
        }
        let file = LibraryOptions.readConfiguration(configurationPath)
        // A file that was named is wanted.
        if config != nil, let problem = file.unread { throw fail(problem.inTheMiddle, problem.exitCode) }
        return file
    }

    static func readConfiguration(_ path: String) -> ConfigurationFile {
        ConfigurationFile.read(path, for: ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all))
    }

    /// Prints the errors in a configuration to standard error.
    static func warn(of file: ConfigurationFile) {
        for problem in file.problems + file.notices { printError("tappa: \(problem)") }
    }

    /// Ends a command about the configuration if it has errors, which were already printed.
    static func end(withErrorsOf file: ConfigurationFile) throws {
        if !file.problems.isEmpty { throw ExitStatus.badData }
    }
}
