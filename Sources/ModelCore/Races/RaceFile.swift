import FeedParsing
import Foundation

/// Why a race file cannot be used.
package struct RaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for each problem.
    package var problems: [String]
    package var description: String { problems.joined(separator: "; ") }

    package init(problems: [String]) { self.problems = problems }

    /// The sentences in the order of their lines, each with its line where that is known.
    init(byLine problems: [(line: Int?, sentence: String)]) {
        self.problems = problems.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        .prefix(RaceFileError.most)
        .map { problem in (problem.element.line.map { "line \($0): " } ?? "") + problem.element.sentence }
    }

    /// More than so many help nobody.
    private static let most = 50
}

/// Reads race files: JSON with the keys of ``Race`` and ``Stage``, tables in CSV with these keys as headings, calendars.
package enum RaceFile {
    /// The version of the schema that is read and written.
    static let schema = 2

    /// The name of a race whose file at a path, or an address, has none.
    package static func name(ofFile place: String) -> String {
        let file = (place.split { $0 == "?" || $0 == "#" }.first ?? "").split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." })
    }

    /// Reads and checks a file of any of the formats.
    ///
    /// - Parameter name: The race's name where the file has none.
    package static func read(_ data: Data, name: String) throws(RaceFileError) -> Race {
        let text = String(decoding: data, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("{") { return try read(data) }
        if start.hasPrefix("<") {
            throw RaceFileError(problems: ["this is a web page, not a race (JSON, CSV or iCalendar)"])
        }
        let race =
            start.hasPrefix("BEGIN:VCALENDAR")
            ? try RaceCalendar.read(text, name: name) : try RaceTable.read(text, name: name)
        return try checked(race, in: nil)
    }

    /// Reads and checks a JSON file's bytes.
    package static func read(_ data: Data) throws(RaceFileError) -> Race {
        let (race, document) = try RaceReader.read(Array(data))
        return try checked(race, in: document)
    }

    /// Writes a race as ``read(_:)`` takes it.
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
    /// A list with nothing in it says as much as none: the library knows no difference.
    fileprivate mutating func forgetEmptyLists() {
        if restDays == [] { restDays = nil }
        if overall == [] { overall = nil }
        for index in stages.indices {
            for list in Classification.allCases where stages[index][keyPath: list.path] == [] {
                stages[index][keyPath: list.path] = nil
            }
            if stages[index].ticker == [] { stages[index].ticker = nil }
        }
    }

    /// What the results tell is known as winner and leader too.
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
