import ArgumentParser
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
        let library = try options.openLibrary()
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

/// Adds and lists races.
struct RaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "Add and list races.", subcommands: [Import.self, List.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a race from a JSON file.")

        @Argument(help: ArgumentHelp("The race file.", valueName: "file"))
        var file: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw fail("there is no file \(file), or it cannot be read", ExitStatus.noInput)
            }
            let race: Race
            do {
                race = try RaceFile.read(data)
            } catch {
                for problem in error.problems { printError("tappa: \(file): \(problem)") }
                throw ExitStatus.badData
            }
            let library = try options.openLibrary()
            do { try library.store(race) } catch { throw fail("\(error)", error.exitCode) }
            printLine("added \(race.id): \(race.stages.count) stages")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the races.")

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
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
