import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import WebAddresses

/// The reasons why a race file can't be used.
package struct RaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, a sentence each.
    package var problems: [String]
    package var description: String { problems.joined(separator: "; ") }

    init(problems: [String]) { self.problems = problems }

    /// Creates an error from sentences, sorted by line, each with its line if known.
    init(byLine problems: [(line: Int?, sentence: String)]) {
        self.problems = problems.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        .prefix(RaceFileError.most)
        .map { problem in (problem.element.line.map { "line \($0): " } ?? "") + problem.element.sentence }
    }

    /// The maximum number of reported problems; more would not help.
    private static let most = 50
}

/// Reads race files: JSON with the keys of ``Race`` and ``Stage``, and calendars.
package enum RaceFile {
    /// The schema version that is read and written.
    static let schema = 3

    /// Returns the name for a race whose file, at a path or address, has none.
    package static func name(ofFile place: String) -> String {
        String(WrittenAddress.lastComponent(of: place).prefix { $0 != "." })
    }

    /// Reads and validates a file in either format.
    ///
    /// - Parameter name: The race's name if the file has none.
    package static func read(_ data: Data, name: String) throws(RaceFileError) -> Race {
        let text = String(decoding: data, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("{") { return try read(data) }
        if start.hasPrefix("<") {
            throw RaceFileError(problems: ["this is a web page, not a race (JSON or iCalendar)"])
        }
        guard start.hasPrefix("BEGIN:VCALENDAR") else {
            throw RaceFileError(problems: ["this is not a race (JSON or iCalendar)"])
        }
        return try checked(RaceCalendar.read(text, name: name), in: nil)
    }

    /// Reads and validates a JSON file.
    package static func read(_ data: Data) throws(RaceFileError) -> Race { try readWithDocument(Array(data)).race }

    /// Reads and validates a JSON file that has more than a race.
    static func readWithDocument(_ utf8: [UInt8]) throws(RaceFileError) -> (race: Race, document: PositionedJSON) {
        let (race, document) = try RaceReader.read(utf8)
        return (try checked(race, in: document), document)
    }

    /// Writes a race in the format that ``read(_:)`` accepts.
    package static func write(_ race: Race) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(race) + Data("\n".utf8)
    }

    private static func checked(_ race: Race, in document: PositionedJSON?) throws(RaceFileError) -> Race {
        let problems = RaceCheck.problems(race)
        guard problems.isEmpty else {
            throw RaceFileError(byLine: problems.map { (document?.line(at: $0.path), $0.sentence) })
        }
        var race = race
        race.stages.sort { $0.number < $1.number }
        race.fillIn()
        race.forgetEmptyLists()
        return race
    }
}

extension Race {
    /// Replaces empty lists by `nil`, since the library doesn't distinguish them.
    fileprivate mutating func forgetEmptyLists() {
        if restDays == [] { restDays = nil }
        if overall == [] { overall = nil }
        for index in stages.indices {
            for list in Classification.allCases where stages[index][keyPath: list.path] == [] {
                stages[index][keyPath: list.path] = nil
            }
            if stages[index].ticker == [] { stages[index].ticker = nil }
            if stages[index].wearers == [:] { stages[index].wearers = nil }
            if stages[index].way == [] { stages[index].way = nil }
            if stages[index].splits == [] { stages[index].splits = nil }
            for place in (stages[index].splits ?? []).indices where stages[index].splits?[place].placings == [] {
                stages[index].splits?[place].placings = nil
            }
        }
    }

    /// Derives winners and leaders from the results.
    fileprivate mutating func fillIn() {
        let names = Dictionary((riders ?? []).map { ($0.key, $0.name) }) { first, _ in first }
        for index in stages.indices {
            func first(_ list: [Placing]?) -> String? {
                list?.first { $0.place == 1 }.flatMap { $0.rider ?? $0.team }.map { names[$0] ?? $0 }
            }
            stages[index].winner = stages[index].winner ?? first(stages[index].results)
            stages[index].leaderAfter = stages[index].leaderAfter ?? first(stages[index].general)
        }
    }
}
