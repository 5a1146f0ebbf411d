import ArgumentParser
import FeedParsing
import Foundation
import ModelCore

/// Prints the stages of a race.
struct StagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stages", abstract: "Print the stages of a race.")

    @Option(help: ArgumentHelp("The race, as 'race list' names it; without it the newest.", valueName: "id"))
    var race: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try openLibraryTellingProblems(options)
        let found: Race?
        do {
            let id = try race ?? library.races().first?.id
            found = try id.flatMap { try library.race($0) }
        } catch let error as LibraryError {
            throw fail("\(error)", error.exitCode)
        }
        guard let found else {
            throw fail(race.map { "there is no race '\($0)'" } ?? "there are no races", ExitStatus.noInput)
        }
        if json { return try printJSON(found.stages) }
        for stage in found.stages {
            let distance = stage.distance.map { $0 == $0.rounded() ? "\(Int($0)) km" : "\($0) km" }
            let fields = [String(stage.number), stage.date, stage.route, distance, stage.type, stage.winner]
            printFields(fields.map { $0 ?? "" })
        }
    }
}

/// Opens the library with the races of the user's folder; files of it that are no races are told.
private func openLibraryTellingProblems(_ options: LibraryOptions) throws -> Library {
    let (library, problems) = try options.openLibraryWithRaces()
    for problem in problems { printError("tappa: \(FileLocations.races)/\(problem)") }
    return library
}

/// The race of a name, as the library gives it; without one the command fails.
private func found(_ id: String, _ find: (String) throws(LibraryError) -> Race?) throws -> Race {
    let race: Race?
    do { race = try find(id) } catch { throw fail("\(error)", error.exitCode) }
    guard let race else { throw fail("there is no race '\(id)'", ExitStatus.noInput) }
    return race
}

/// Adds and lists races.
struct RaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "Add and list races.",
        subcommands: [Import.self, Export.self, Track.self, Remove.self, List.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add races from files or addresses: JSON as 'race export' writes it, CSV, or an iCalendar.")

        @Argument(help: ArgumentHelp("Files, - for standard input, or addresses of the web.", valueName: "file"))
        var files: [String]

        @Option(help: ArgumentHelp("The race's name, for files that have none.", valueName: "name"))
        var name: String?

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryTellingProblems(options)
            var status: ExitCode?
            for file in files {
                let race: Race
                do {
                    race = try read(file)
                } catch let error as ExitCode {
                    // It was told already.
                    status = error
                    continue
                } catch {
                    let problems = (error as? RaceFileError)?.problems ?? ["\(error)"]
                    for problem in problems { printError("tappa: \(file): \(problem)") }
                    status = error is RaceFileError ? ExitStatus.badData : ExitStatus.noInput
                    continue
                }
                try library.carryOut(.storeRace(race, isBundled: false))
                printLine("added \(race.id): \(race.stages.count) stages")
            }
            if let status { throw status }
        }

        private func read(_ file: String) throws -> Race {
            let name = name ?? (file == "-" ? "race" : RaceFile.name(ofFile: file))
            guard RaceSource.address(file) != nil else { return try RaceFile.read(try readInput(file), name: name) }
            return try runBlocking { try await RaceSource().read(file, name: name) }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a race as a JSON file.")

        @Argument(help: ArgumentHelp("The race, as 'race list' names it.", valueName: "id"))
        var race: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryTellingProblems(options)
            printJSON(encoded: try RaceFile.write(try found(race, library.race)))
        }
    }

    struct Track: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a stage's recorded track, for its profile.")

        @Argument(help: ArgumentHelp("The race, as 'race list' names it.", valueName: "id"))
        var race: String

        @Argument(help: ArgumentHelp("The stage's number.", valueName: "stage"))
        var stage: Int

        @Argument(help: ArgumentHelp("The GPX file.", valueName: "file"))
        var file: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let bytes = Array(try readInput(file))
            let track: FeedParsing.Track
            do { track = try TrackReader.read(bytes) } catch { throw fail("\(file): \(error)", ExitStatus.badData) }
            let library = try openLibraryTellingProblems(options)
            guard try library.carryOut(.storeTrack(track, race: race, stage: stage)).count > 0 else {
                throw fail("there is no stage \(stage) of '\(race)'", ExitStatus.noInput)
            }
            let profile = StageProfile(track)
            printLine(
                "\(Int(profile.length.rounded())) km, \(Int(profile.totalAscent)) m of climbing, \(profile.climbs.count) climbs"
            )
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a race away.")

        @Argument(help: ArgumentHelp("The race, as 'race list' names it.", valueName: "id"))
        var race: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryTellingProblems(options)
            guard try library.carryOut(.removeRace(race)).count > 0 else {
                throw fail("there is no race '\(race)'", ExitStatus.noInput)
            }
            printLine("removed \(race)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the races.")

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryTellingProblems(options)
            do {
                for race in try library.races() {
                    printFields([race.id, "\(race.name) \(race.year)", "\(race.stageCount) stages"])
                }
            } catch {
                throw fail("\(error)", error.exitCode)
            }
        }
    }
}
