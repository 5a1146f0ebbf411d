import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LoopbackServer
import ModelCore
import RaceCentre
import RaceModel
import Races
import Synchronization

/// Measures followed races: from an update to the changed screen, standings, and searches in a large calendar.
enum RaceBenchmark {
    private static let riders = 180
    private static let stages = 21

    static func run(tappa: String) async throws {
        let folder = try Workload.folder("race")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("library.sqlite").path
        let library = try Library(path: path)
        try await updates(library)
        try await standings(library)
        try await calendar(library)
        try await screen(library, path: path, tappa: tappa)
        try await groups(Library(path: folder.appendingPathComponent("live.sqlite").path))
        let other = folder.appendingPathComponent("response.sqlite").path
        try await response(Library(path: other), path: other, tappa: tappa)
    }

    /// Returns a race of 21 stages with complete results of some.
    ///
    /// - Parameter shift: Changes the winners.
    private static func race(ridden: Int, shift: Int = 0) throws -> Race {
        let day = CalendarDay(instant: .now).number
        let towns = (1...stages).map { number in
            """
            {"number": \(number), "date": "\(CalendarDay(number: day - Int64(stages - number)).text)", "start": "Town \(number)", \
            "finish": "Town \(number + 1)", "distance_km": 180}
            """
        }
        let text = #"{"schema": 2, "race": "Bench", "year": 2026, "stages": [\#(towns.joined(separator: ", "))]}"#
        var race = try RaceFile.read(Data(text.utf8))
        race.riders = (0..<riders).map { Rider(id: "\($0)", name: name($0), number: $0 + 1, country: "IT") }
        for number in 1...ridden {
            for list in [Classification.results, .general, .points, .mountain, .youth] {
                race.stages[number - 1][keyPath: list.path] = (0..<riders).map { place in
                    Placing(
                        place: place + 1, rider: "\((place + number * 7 + shift) % riders)", gap: place * 3,
                        points: list == .points ? Double(riders - place) : nil)
                }
            }
            let first = name((number * 7 + shift) % riders)
            (race.stages[number - 1].winner, race.stages[number - 1].leaderAfter) = (first, first)
        }
        return race
    }

    /// Returns a race whose last stage is ridden now, with all riders in ten groups.
    ///
    /// - Parameter version: Changes the gaps and the name of the first group.
    private static func liveRace(version: Int) throws -> Race {
        var race = try race(ridden: stages - 1)
        race.stages[stages - 1].startTime = Date(timeIntervalSinceNow: -3600).formatted(.iso8601)
        let size = riders / 10
        let groups = (0..<10).map { place in
            LiveGroup(
                name: place == 0 ? name(version) : "Group \(place)", gap: place * (30 + version),
                kmToGo: Double(100 + place), size: size,
                riders: (0..<size).map { "\(place * size + $0)" })
        }
        race.stages[stages - 1].live = LiveReport(at: Date.now.formatted(.iso8601), kmToGo: 100, groups: groups)
        return race
    }

    /// Returns a rider's name. Neighbours have no letter in common, because only changes are sent to a terminal.
    private static func name(_ rider: Int) -> String {
        String(repeating: Character(Unicode.Scalar(UInt8(65 + rider % 26))), count: 6) + " \(rider)"
    }

    private static func milliseconds(_ runs: Int, _ work: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<runs {
            times.append(try await ContinuousClock().measure(work) / .milliseconds(1))
        }
        return median(times)
    }

    private static func updates(_ library: Library) async throws {
        let document = try RaceFile.write(try race(ridden: stages))
        let reading = try await milliseconds(5) { _ = try RaceFile.read(document) }
        let whole = try await milliseconds(1) {
            try await library.changes.perform(.storeRace(try race(ridden: stages), isBundled: false))
        }
        var turn = false
        let one = try await milliseconds(5) {
            turn.toggle()
            var next = try race(ridden: stages)
            if turn { next.stages[stages - 1] = try race(ridden: stages, shift: 1).stages[stages - 1] }
            try await library.changes.perform(.storeRace(next, isBundled: false))
        }
        print(
            "race of \(stages) stages, \(riders) riders, all results (\(document.count / 1000) kB): read and checked "
                + "\(format(reading)) ms, stored \(format(whole)) ms, an update of one stage \(format(one)) ms")
    }

    /// Measures how long it takes to store a change of the groups: to show it at once, and to hold it back.
    private static func groups(_ library: Library) async throws {
        let versions = try (0...10).map { try liveRace(version: $0) }
        let subscription = RaceSubscription(
            address: "https://example.org/bench.json", raceID: versions[0].id, name: "Bench")
        try await library.changes.perform(.followRace(versions[0], subscription))
        var version = 0
        func store() async throws {
            version += 1
            try await library.changes.perform(UpdateRace(versions[version], subscription, at: .now))
        }
        let shown = try await milliseconds(5) { try await store() }
        try await library.changes.perform(.delayLive(LiveDelay(seconds: 60), now: .now))
        let held = try await milliseconds(5) { try await store() }
        print(
            "a change of the groups of \(riders) riders stored \(format(shown)) ms, held back by a delay \(format(held)) ms"
        )
    }

    /// The documents of a race that changes with each request, and the instant of the last response.
    private final class Answers: Sendable {
        private let documents: [String]
        private let state = Mutex<(count: Int, sent: ContinuousClock.Instant)>((0, .now))

        init(_ documents: [String]) { self.documents = documents }

        var sent: ContinuousClock.Instant { state.withLock { $0.sent } }
        /// The version of the next response.
        var version: Int { state.withLock { min($0.count, documents.count - 1) } }

        func next() -> String {
            state.withLock { state in
                let document = documents[min(state.count, documents.count - 1)]
                state = (state.count + 1, .now)
                return document
            }
        }
    }

    /// Measures the time from a response with other groups to the changed live page of the dashboard that asked for it.
    private static func response(_ library: Library, path: String, tappa: String) async throws {
        let documents = try (0...6).map { String(decoding: try RaceFile.write(liveRace(version: $0)), as: UTF8.self) }
        let answers = Answers(documents)
        let server = try LoopbackServer { _ in .init(answers.next(), type: "application/json") }
        defer { server.stop() }
        let document = try await RaceFollowService(library: library).read(server.url("/bench.json"))
        try await library.changes.perform(document.change)
        let command = [tappa, "--database", path, "--segment", "stages"]
        guard let terminal = PseudoTerminal(command, columns: 120, rows: 40), terminal.wait(for: "Groups") != nil else {
            return print("a response to the screen: the dashboard did not start")
        }
        terminal.settle(milliseconds: 2000)
        var times: [Double] = []
        for _ in 0..<5 {
            // The dashboard may have asked by itself when it started.
            let version = answers.version
            terminal.send("R")
            guard terminal.waitAgain(for: String(name(version).prefix(6))) != nil else { continue }
            times.append(answers.sent.duration(to: .now) / .milliseconds(1))
            terminal.settle()
        }
        terminal.stop()
        print(
            "a response of \(documents[0].utf8.count / 1000) kB with other groups to the changed live page: "
                + "\(format(median(times))) ms")
    }

    private static func standings(_ library: Library) async throws {
        let one = try await milliseconds(20) { _ = try library.races.standings(.general, of: stages, in: "bench-2026") }
        let rider = try await milliseconds(20) { _ = try library.races.record(of: "7", in: "bench-2026") }
        let light = try await milliseconds(20) { _ = try library.races.race("bench-2026") }
        try await library.changes.perform(.hideResults(true, race: nil))
        let hidden = try await milliseconds(20) { _ = try library.entries.rows(in: EntryQuery(.all), limit: 50) }
        try await library.changes.perform(.hideResults(false, race: nil))
        print(
            "standings of \(riders) after \(stages) stages \(format(one)) ms, a rider's page \(format(rider)) ms, the list of "
                + "stages \(format(light)) ms; what hidden results add to a page of entries \(format(hidden)) ms")
    }

    private static func calendar(_ library: Library) async throws {
        let items = (1...5000).map { number in
            """
            {"item": {"type": "uri", "value": "http://www.wikidata.org/entity/Q\(number)"}, "itemLabel": {"type": "literal", \
            "value": "Volta \(["Toscana", "Béarn", "Galicia", "Flandria"][number % 4]) \(number)"}, "first": {"type": \
            "literal", "value": "\(CalendarDay(number: 20_454 + Int64(number % 360)).text)T00:00:00Z"}, "last": {"type": \
            "literal", "value": "\(CalendarDay(number: 20_460 + Int64(number % 360)).text)T00:00:00Z"}}
            """
        }
        let text = #"{"head": {"vars": ["item"]}, "results": {"bindings": [\#(items.joined(separator: ", "))]}}"#
        let server = try LoopbackServer { _ in .init(text) }
        let catalogue = Array(#"{"wikidata_service": "\#(server.url("/sparql"))"}"#.utf8)
        library.attach(KnownRaceReader { KnownRaces(bundled: catalogue) })
        let count = try await RaceFollowService(library: library).updateCalendar(year: 2026)
        let today = CalendarDay(number: 20_650)
        var words = ""
        var times: [Double] = []
        for letter in "bearn volta 12" {
            words.append(letter)
            times.append(try await milliseconds(3) { _ = try library.races.season(words, around: today, limit: 500) })
        }
        print(
            "calendar of \(count) races searched as one types: median \(format(median(times))) ms a letter, at most "
                + "\(format(times.max() ?? .nan)) ms")
    }

    /// Measures the time from an update by another program to the changed screen.
    private static func screen(_ library: Library, path: String, tappa: String) async throws {
        try await library.changes.perform(.storeRace(try race(ridden: stages), isBundled: false))
        let command = [tappa, "--database", path, "--segment", "stages"]
        guard let terminal = PseudoTerminal(command, columns: 120, rows: 40), terminal.wait(for: "Bench") != nil else {
            return print("an update to the screen: the dashboard did not start")
        }
        terminal.settle()
        var times: [Double] = []
        for shift in 1...5 {
            let next = try race(ridden: stages, shift: shift)
            let start = ContinuousClock.now
            try await library.changes.perform(.storeRace(next, isBundled: false))
            guard terminal.waitAgain(for: String(name((stages * 7 + shift) % riders).prefix(6))) != nil else {
                continue
            }
            times.append(start.duration(to: .now) / .milliseconds(1))
        }
        terminal.stop()
        print("an update of all its stages by another program, to the changed screen: \(format(median(times))) ms")
    }
}
