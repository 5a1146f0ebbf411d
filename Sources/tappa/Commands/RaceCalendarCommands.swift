import ArgumentParser
import LibraryKernel
import RaceCentre
import RaceModel
import Races
import WebAddresses

extension RaceCommand {
    struct Season: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the season's races: yours, and those of the calendar.",
            discussion: """
                The calendar has stage races of men and women, of every size. It comes from Wikidata (CC0), where volunteers \
                enter it, and is only requested with --update.

                Examples:
                  tappa race season --update
                  tappa race season women france
                  tappa race season --update 2025
                """)

        @Flag(help: "Request the calendar of this year, or of the year among the words, first.")
        var update = false

        @Argument(help: ArgumentHelp("Words of a name, kind, country or year.", valueName: "words"))
        var words: [String] = []

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            let today = CalendarDay(instant: .now)
            if update { try request(words.lazy.compactMap(year).first ?? today.year, library) }
            for race in try library.races.season(words.joined(separator: " "), around: today, limit: 1000) {
                let days = [race.firstDay, race.lastDay].compactMap { $0?.text }
                printFields([
                    Set(days).count == 1 ? days[0] : days.joined(separator: Signs.shown(" – ")), race.name,
                    [race.kind, race.country].compactMap { $0 }.joined(separator: ", "),
                    race.id ?? race.address.map { UserInfo.split($0).address } ?? "",
                ])
            }
        }

        private func year(_ word: String) -> Int? { word.utf8.count == 4 ? Int(word) : nil }

        private func request(_ year: Int, _ library: Library) throws {
            do {
                let count = try runBlocking {
                    try await RaceFollowService(library: library).updateCalendar(year: year, acceptsFewer: true)
                }
                printError("tappa: \(count.counted("race")) of \(year); \(WikidataEdition.acknowledgement)")
            } catch {
                throw fail("\(error)", ExitStatus.unavailable)
            }
        }
    }

    struct History: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the past winners of a race.",
            discussion: """
                They come from Wikidata (CC0) with the first use, and again with --update. Hidden results are omitted.

                Examples:
                  tappa race history tour-de-france
                  tappa race history giro-d-italia-2025
                """)

        @Flag(help: "Request the winners again.")
        var update = false

        @Argument(
            help: ArgumentHelp("The id of a race, from 'race list', or a name in the calendar.", valueName: "race"))
        var race: [String]

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try openLibraryReportingProblems(options)
            let words = race.joined(separator: " ")
            guard let series = try library.races.series(named: words, known: library.knownRaces) else {
                throw fail(
                    "'\(words)' is not in the calendar; 'tappa race season --update' requests it",
                    ExitStatus.noInput)
            }
            let known = try library.races.history(of: series)
            if update || known.received == nil { try request(series, library, acceptsFewer: update) }
            try list(library.races.history(of: series, race: race.count == 1 ? words : nil))
        }

        private func request(_ series: WikidataItem, _ library: Library, acceptsFewer: Bool) throws {
            do {
                _ = try runBlocking {
                    try await RaceFollowService(library: library).updateWinners(
                        of: series, acceptsFewer: acceptsFewer)
                }
                printError("tappa: \(WikidataEdition.acknowledgement)")
            } catch {
                throw fail("\(error)", ExitStatus.unavailable)
            }
        }

        private func list(_ history: RaceHistory) {
            for row in history.rows {
                printFields([String(row.year), row.winner ?? "result hidden", row.team ?? ""])
            }
            if history.rows.contains(where: { $0.winner == nil }) {
                printError("tappa: hidden results are omitted: 'tappa race show'")
            }
        }
    }
}
