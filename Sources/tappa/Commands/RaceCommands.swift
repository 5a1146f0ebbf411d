import ArgumentParser
import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import RaceCentre
import RaceModel
import Races
import Synchronization
import WebAddresses

struct StagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stages", abstract: "Print the stages of a race.")

    @Option(
        help: ArgumentHelp("The id of a race, from 'race list'; the newest if omitted.", valueName: "id"),
        completion: .ownRaces, transform: RaceIdentifier.of)
    var race: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var options: LibraryOptions

    private struct Row: Encodable {
        var place: Place
        var stage: Stage

        private enum CodingKeys: String, CodingKey { case place }

        func encode(to encoder: any Encoder) throws {
            var keys = encoder.container(keyedBy: CodingKeys.self)
            try keys.encode(place.text, forKey: .place)
            try stage.encode(to: encoder)
        }
    }

    func run() throws {
        let library = try openLibraryReportingProblems(options)
        let id = try race ?? library.races.all().first?.id
        guard let found = try id.flatMap({ try library.races.race($0) }) else {
            throw fail(race.map { "no such race: '\($0)'" } ?? "no races", ExitStatus.noInput)
        }
        if json { return try printJSON(found.stages.map { Row(place: .race(found.id, stage: $0.number), stage: $0) }) }
        for stage in found.stages {
            let distance = stage.distance.map { $0 == $0.rounded() ? "\(Int(clamping: $0)) km" : "\($0) km" }
            let fields = [stage.name, stage.date, stage.route, distance, stage.type, stage.winner]
            printFields(fields.map { $0 ?? "" })
        }
    }
}

extension ArgumentHelp {
    fileprivate static var race: ArgumentHelp { ArgumentHelp("The id of a race, from 'race list'.", valueName: "id") }
    fileprivate static var raceOrAll: ArgumentHelp {
        ArgumentHelp("The id of a race, from 'race list'; all races if omitted.", valueName: "id")
    }
}

/// Opens the library with the races in the user's folder, and prints errors in their files.
func openLibraryReportingProblems(_ options: LibraryOptions) throws -> Library {
    let (library, problems, _) = try options.openLibraryWithRaces()
    for problem in problems { printError("tappa: \(FileLocations.races)/\(problem)") }
    return library
}

/// Changes a race, or fails with a message if there is nothing to change.
private func carryOut(_ change: Change, _ options: LibraryOptions, missing sentence: String) throws {
    let library = try openLibraryReportingProblems(options)
    if try library.carryOut(change).count == 0 { throw fail(sentence, ExitStatus.noInput) }
}

struct RaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "Add, follow and list races.",
        discussion: """
            Examples:
              tappa race follow tour-de-france
              tappa race follow https://example.org/giro-2026.json
              tappa race check my-race.json
              tappa race export --format ics giro-d-italia-2025 > giro.ics
            """,
        subcommands: [
            Follow.self, Unfollow.self, Known.self, Import.self, Check.self, Export.self, Track.self, Hide.self,
            Show.self, Delay.self, Record.self, Replay.self, Remove.self, List.self, Season.self, History.self,
        ])

    struct Follow: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Follow races by name, at their addresses, or from a program.",
            discussion: """
                Names are those of 'tappa race known' and 'tappa race season', with a year for another edition. An address is that of a race file \
                (JSON, iCalendar). 'exec:PROGRAM ARGUMENTS' runs a program that prints a race file.

                'tappa reload' and dashboards update followed races daily, and more often during their stages. Tracks that you \
                added stay. A version with less than half of the stages is rejected until you follow the address again.

                Examples:
                  tappa race follow tour-de-france
                  tappa race follow vuelta 2025
                  tappa race follow 'exec:/home/me/bin/club-race --year 2026'
                """)

        @Argument(
            help: ArgumentHelp("Names, web addresses, or exec: with a program.", valueName: "race"),
            completion: .knownRaces)
        var races: [String]

        @Option(help: ArgumentHelp("The race's name, for documents without one.", valueName: "name"))
        var name: String?

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            let known = library.knownRaces
            for problem in known.problems { printError("tappa: \(problem)") }
            for file in races where !KnownRaces.isAddress(file) && (file.contains("/") || file.contains(".")) {
                throw fail(
                    "'\(file)' is neither a name nor a web address; 'tappa race import' reads files", ExitStatus.usage)
            }
            let today = CalendarDay(instant: .now)
            let addresses: [String]
            do throws(UnknownRace) {
                addresses = try library.raceAddresses(
                    of: races, known: known, today: today, wantsNext: Follow.wantsNext)
            } catch {
                let hint =
                    if case .noSuchRace(_, near: []) = error { "; 'tappa race known' lists the names" } else { "" }
                throw fail("\(error)\(hint)", ExitStatus.usage)
            }
            let service = RaceFollowService(library: library)
            var status: ExitCode?
            var editions: [String] = []
            for address in addresses {
                do {
                    try follow(address, service, library)
                    if known.edition(at: address) != nil { editions.append(address) }
                } catch let error as ExitCode {
                    throw error
                } catch {
                    let problems = (error as? RaceFileError)?.problems ?? ["\(error)"]
                    for problem in problems { printError("tappa: \(address): \(problem)") }
                    status = error is RaceFileError ? ExitStatus.badData : ExitStatus.unavailable
                }
            }
            if try !complete(editions, service) { status = status ?? ExitStatus.unavailable }
            if let status { throw status }
        }

        /// Says that an edition is over and how to follow the next, and follows the one that is over.
        private static func wantsNext(_ edition: FinishedEdition) -> Bool {
            let next = edition.year + 1
            printError(
                "tappa: \(edition.sentence) Follow \(next)? 'tappa race follow \(edition.race.id) \(next)'. See \(edition.year)? Reading it now."
            )
            return false
        }

        private func follow(_ address: String, _ service: RaceFollowService, _ library: Library) throws {
            if let credit = RaceFollowService.credit(of: address) { printError("tappa: \(credit)") }
            let followed = try runBlocking { [name] in try await service.read(address, name: name) }
            try library.carryOut(followed.change)
            printLine("following \(followed.race.id): \(followed.race.countOfStages)")
        }

        /// Reads the rest of the editions from their race centres, once all races are followed.
        ///
        /// - Returns: Whether everything could be read. Otherwise the parts that could not were printed.
        private func complete(_ addresses: [String], _ service: RaceFollowService) throws -> Bool {
            guard !addresses.isEmpty else { return true }
            printError(
                "tappa: reading standings and road books, which takes a minute or two for a race (Ctrl-C leaves the rest for later)"
            )
            let progress = DocumentProgress()
            return try runBlocking {
                var isComplete = true
                for address in addresses {
                    let refusal = Mutex<String?>(nil)
                    let failed = try await service.updateCompletely(
                        address, didRead: { progress.show($0, of: $1) },
                        progress: { update in
                            refusal.withLock { $0 = update.subscription.plan?.refusalWords(at: .now) ?? $0 }
                        })
                    progress.end()
                    let reasons = [refusal.withLock { $0 }].compactMap { $0 } + failed
                    for reason in reasons { printError("tappa: \(address): \(reason)") }
                    if !reasons.isEmpty { isComplete = false }
                }
                return isComplete
            }
        }
    }

    struct Known: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the races that can be followed by name.",
            discussion: "Add your own in sources.json beside the configuration file, in the format of known-races.json."
        )

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let known = try openLibraryReportingProblems(options).knownRaces
            for problem in known.problems { printError("tappa: \(problem)") }
            for race in known.followable { printFields([race.id, race.name, race.country ?? "", race.host]) }
        }
    }

    struct Unfollow: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop following a race, which stays as it is.")

        @Argument(help: .race, completion: .ownRaces, transform: RaceIdentifier.of)
        var race: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            try carryOut(.unfollowRace(race), options, missing: "you don't follow '\(race)'")
            printLine("unfollowed \(race)")
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report every error in race files, with line and field.")

        @Argument(help: ArgumentHelp("Files, or - for standard input.", valueName: "file"))
        var files: [String]

        func run() throws {
            // Bad data, otherwise the first file that can't be read.
            var status: ExitCode?
            for file in files {
                let data: Data
                do throws(UserFile.Problem) { data = try inputData(file) } catch {
                    let failure = fail(error.inTheMiddle, error.exitCode)
                    status = status ?? failure
                    continue
                }
                let name = file == "-" ? "race" : RaceFile.name(ofFile: file)
                let (race, errors, warnings) = RaceFile.inspect(data, name: name)
                for error in errors { printError("tappa: \(file): \(error)") }
                for warning in warnings { printError("tappa: \(file): \(warning) (ignored)") }
                if let race { printLine("\(file): \(race.race) \(race.year), \(race.countOfStages)") }
                if !errors.isEmpty { status = ExitStatus.badData }
            }
            if let status { throw status }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add races from files or addresses: JSON or iCalendar.")

        @Argument(help: ArgumentHelp("Files, web addresses, or - for standard input.", valueName: "file"))
        var files: [String]

        @Option(help: ArgumentHelp("The race's name, for files without one.", valueName: "name"))
        var name: String?

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            // Bad data, otherwise the first file that can't be read.
            var status: ExitCode?
            for file in files {
                let race: Race
                do {
                    race = try read(file)
                } catch let error as ExitCode {
                    // The error was already printed.
                    status = error
                    continue
                } catch {
                    let problems = (error as? RaceFileError)?.problems ?? ["\(error)"]
                    for problem in problems { printError("tappa: \(file): \(problem)") }
                    status = error is RaceFileError ? ExitStatus.badData : ExitStatus.noInput
                    continue
                }
                try library.carryOut(.storeRace(race, isBundled: false))
                printLine("added \(race.id): \(race.countOfStages)")
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
        static let configuration = CommandConfiguration(abstract: "Print a race as JSON or as a calendar.")

        enum Format: String, ExpressibleByArgument, CaseIterable { case json, ics }

        @Option(help: "json, or ics (iCalendar with an event for each stage).")
        var format = Format.json

        @Argument(help: .race, completion: .ownRaces, transform: RaceIdentifier.of)
        var race: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            guard let found = try library.races.wholeRace(race) else {
                throw fail("no such race: '\(race)'", ExitStatus.noInput)
            }
            switch format {
            case .json:
                try printJSON(found)
                if found.stages.contains(where: \.isSpoiler) {
                    printError("tappa: hidden results are omitted: 'tappa race show'")
                }
            case .ics:
                StandardOutput.write(RaceCalendarWriter.write(found, now: .now).utf8)
            }
        }
    }

    struct Track: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a recorded track of a stage, for its profile and map.")

        @Argument(help: .race, completion: .ownRaces, transform: RaceIdentifier.of)
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
            try carryOut(
                .storeTrack(track, race: race, stage: stage), options, missing: "no stage \(stage) in '\(race)'")
            let profile = StageProfile(track)
            printLine(
                "\(Int(clamping: profile.length.rounded())) km, \(Int(clamping: profile.totalAscent)) m of climbing, \(profile.climbs.count.counted("climb"))"
            )
        }
    }

    struct Hide: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hide spoilers in the dashboard and in all commands until you reveal them.",
            discussion: """
                Hides winners, leaders, standings, tickers, and entries from the days after a stage that mention its towns, its \
                race or a rider.
                """)

        @Argument(help: .raceOrAll, completion: .ownRaces, transform: RaceIdentifier.of)
        var race: String?

        @OptionGroup var options: LibraryOptions

        func run() throws {
            try carryOut(.hideResults(true, race: race), options, missing: "no such race: '\(race ?? "")'")
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show hidden results: all, those of a race, or that of a stage.")

        @Argument(help: .raceOrAll, completion: .ownRaces, transform: RaceIdentifier.of)
        var race: String?

        @Option(help: ArgumentHelp("The number of the stage to reveal.", valueName: "stage"))
        var stage: Int?

        @OptionGroup var options: LibraryOptions

        func validate() throws {
            if stage != nil, race == nil { throw ValidationError("--stage needs the id of a race.") }
        }

        func run() throws {
            guard let race, let stage else {
                return try carryOut(
                    .hideResults(false, race: race), options, missing: "no such race: '\(race ?? "")'")
            }
            try carryOut(.revealStage(stage, race: race, true), options, missing: "no stage \(stage) in '\(race)'")
        }
    }

    struct Delay: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print or set the delay of everything live, so that no pane is ahead of the broadcast.",
            discussion: """
                Groups, ticker, results, standings, notifications and 'tappa status' appear together, that many seconds after \
                they were fetched, in all panes and after a restart.
                """)

        @Argument(help: ArgumentHelp("Seconds from 0 to \(LiveDelay.longest).", valueName: "seconds"))
        var seconds: Int?

        @OptionGroup var options: LibraryOptions

        func validate() throws {
            if let seconds, !(0...LiveDelay.longest).contains(seconds) {
                throw ValidationError("The delay must be a number from 0 to \(LiveDelay.longest).")
            }
        }

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            if let seconds { try library.carryOut(.delayLive(LiveDelay(seconds: seconds), now: .now)) }
            printLine("\(try library.races.delay().seconds) s")
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a race.")

        @Argument(help: .race, completion: .ownRaces, transform: RaceIdentifier.of)
        var race: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            try carryOut(.removeRace(race), options, missing: "no such race: '\(race)'")
            printLine("removed \(race)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the races.")

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            let followed = try library.races.subscriptions()
            let hiding = try library.races.hidingSpoilers()
            for race in try library.races.all() {
                var fields = [race.id, "\(race.name) \(race.year)", race.stageCount.counted("stage")]
                if let subscription = followed.first(where: { $0.raceID == race.id }) {
                    fields.append(UserInfo.split(subscription.address).address)
                    let now = Instant.now
                    if let plan = subscription.plan { fields.append(plan.status(at: now)) }
                    if subscription.address.hasPrefix(WikidataItem.scheme) {
                        fields.append(try library.races.allowance().status(at: now))
                    }
                    // The plan already reports a refusal.
                    if let error = subscription.error, error != subscription.plan?.refusalWords(at: now) {
                        fields.append("! \(error)")
                    }
                }
                if hiding?.contains(race.id) != false { fields.append("results hidden") }
                printFields(fields)
            }
        }
    }
}
