import ArgumentParser
import Configuration
import Dashboard
import Foundation
import ModelCore

/// The options of every command: which library and which configuration.
struct LibraryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database file.", valueName: "file"))
    var database: String?

    @Flag(help: "Keep everything in memory, to try things out.")
    var inMemory = false

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "A setting for this run, such as feeds.refresh=30 (repeatable).", valueName: "name=value"))
    var overrides: [String] = []

    var configurationPath: String { config ?? FileLocations.configuration }

    /// Whether there is no library yet, so that the next opening makes it.
    var isNew: Bool { !inMemory && !FileManager.default.fileExists(atPath: path) }

    /// Where the library is, unless it is in memory.
    var path: String { database ?? FileLocations.database }

    /// Whether the directory of a library, or the nearest there is above it, can be written to.
    var canMakeLibrary: Bool {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
            folder.deleteLastPathComponent()
        }
        return access(folder.path, W_OK) == 0
    }

    func validate() throws {
        if inMemory, database != nil { throw ValidationError("--in-memory and --database can't be combined.") }
    }

    /// Opens the library, and fills it at the first start.
    ///
    /// - Parameters:
    ///   - forDashboard: Whether what is to be known of the opening, and of keys that cannot hold, is said on the screen
    ///     rather than on standard error.
    ///   - bringsFeeds: Whether the command brings feeds itself: then a new library begins without those to begin with.
    ///   - orInMemory: Whether it goes on in memory where no library can be made: what the dashboard shows needs none, and
    ///     no more do commands that only tell what is set.
    func openLibrary(
        forDashboard: Bool = false, bringsFeeds: Bool = false, orInMemory: Bool = false
    ) throws
        -> Library
    {
        let file = try configurationFile()
        // The dashboard shows errors of the configuration itself; everything else holds, so that no command ends by them.
        if !forDashboard { LibraryOptions.warn(of: file) }
        do {
            let library = try open(with: file, orInMemory: forDashboard || orInMemory)
            // That nothing can be stored is said by what would store something.
            if !forDashboard { for notice in library.notices { printError("tappa: \(notice)") } }
            if library.readOnlyReason == nil { try FirstStart.prepare(library, withFeeds: !bringsFeeds) }
            return library
        } catch LibraryError.damaged(let path) {
            guard let aside = Quarantine.library(path, isOwn: database == nil) else {
                throw fail("\(LibraryError.damaged(path: path))", ExitStatus.badData)
            }
            throw fail(
                "\(path) is damaged and was moved to \(aside). The next start creates a new library; "
                    + "'tappa recover --database \(aside) --output FILE' recovers the old one",
                ExitStatus.badData)
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
    }

    /// Opens the library, and says nothing.
    ///
    /// - Throws: ``LibraryError``; the library is left as it is then.
    func open(with file: ConfigurationFile, orInMemory: Bool = false) throws(LibraryError) -> Library {
        if database == nil, !inMemory {
            PrivateFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path, isOwn: true)
        }
        let library: Library
        do {
            let known = KnownLibraries(file: FileLocations.knownLibraries, isAtOwnPlace: path == FileLocations.database)
            library = try Library(path: inMemory ? nil : path, known: known)
        } catch {
            guard case .cannotOpen = error, orInMemory, database == nil, isNew else { throw error }
            library = try Library(inMemoryBecause: error)
        }
        OpenLibraries.note(library)
        library.secrets.setRunner { ChildProcess.output(of: $0) }
        library.rules = file.rules
        return library
    }

    /// Opens the library for a look, where nothing has to be done to it before, and warns of errors in the configuration.
    func openForReading() throws -> Library {
        if !inMemory, let library = Library(glancingAt: path) {
            LibraryOptions.warn(of: try configurationFile())
            return library
        }
        return try openLibrary()
    }

    /// Opens the library after what has changed in the user's folder of races was read.
    ///
    /// - Returns: Also a sentence for each file of the folder that is no race.
    func openLibraryWithRaces(forDashboard: Bool = false) throws -> (library: Library, problems: [String]) {
        let library = try openLibrary(forDashboard: forDashboard)
        guard library.readOnlyReason == nil else { return (library, []) }
        do {
            return (library, try runBlocking { try await RaceFolder.read(FileLocations.races, into: library) })
        } catch {
            throw fail(
                "\(error)",
                ((error as? LibraryError) ?? (error as? ChangeFailure)?.error)?.exitCode
                    ?? ExitStatus.inputOutput)
        }
    }

    /// The settings: of the library, then of the configuration file.
    func settings(_ library: Library, file: ConfigurationFile) throws -> Settings {
        do {
            let own = SettingOverrides.read(environment: ProcessInfo.processInfo.environment, flags: overrides)
            if let problem = own.problems.first {
                for problem in own.problems.dropLast() { printError("tappa: \(problem)") }
                throw fail(own.problems.last ?? problem, ExitStatus.usage)
            }
            return try Settings(library: library, file: file.settings, overrides: own.values)
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
    }

    /// The configuration file with its errors, which only `config` and `doctor` may end with (``end(withErrorsOf:)``).
    func configurationFile() throws -> ConfigurationFile {
        if let config, !FileManager.default.fileExists(atPath: config) {
            throw fail("no such configuration file: \(config)", ExitStatus.noInput)
        }
        return LibraryOptions.readConfiguration(configurationPath)
    }

    static func readConfiguration(_ path: String) -> ConfigurationFile {
        ConfigurationFile.read(path, for: ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all))
    }

    /// Prints the errors of a configuration to standard error.
    static func warn(of file: ConfigurationFile) {
        for problem in file.problems { printError("tappa: \(problem)") }
    }

    /// Ends a command that is about the configuration itself with its errors, which were printed before.
    static func end(withErrorsOf file: ConfigurationFile) throws {
        if !file.problems.isEmpty { throw ExitStatus.badData }
    }
}
