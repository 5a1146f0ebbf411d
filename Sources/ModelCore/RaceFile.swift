import Foundation

/// Why a race file cannot be used.
package struct RaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for each problem.
    package var problems: [String]
    package var description: String { problems.joined(separator: "; ") }
}

/// Reads race files: JSON with the keys of ``Race`` and ``Stage``, tables in CSV with these keys as headings, calendars.
package enum RaceFile {
    /// The most stages of one race.
    static let maximumStages = 1000

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
        let race =
            start.hasPrefix("BEGIN:VCALENDAR")
            ? try RaceCalendar.read(text, name: name) : try RaceTable.read(text, name: name)
        return try checked(race)
    }

    /// Reads and checks a JSON file's bytes.
    package static func read(_ data: Data) throws(RaceFileError) -> Race {
        let race: Race
        do {
            race = try JSONDecoder().decode(Race.self, from: data)
        } catch let error as DecodingError {
            throw RaceFileError(problems: [sentence(error)])
        } catch {
            throw RaceFileError(problems: ["the file is not JSON"])
        }
        return try checked(race)
    }

    /// Writes a race as ``read(_:)`` takes it.
    package static func write(_ race: Race) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(race) + Data("\n".utf8)
    }

    private static func checked(_ race: Race) throws(RaceFileError) -> Race {
        let problems = check(race)
        guard problems.isEmpty else { throw RaceFileError(problems: problems) }
        var race = race
        race.stages.sort { $0.number < $1.number }
        return race
    }

    private static func check(_ race: Race) -> [String] {
        var problems: [String] = []
        if race.race.isEmpty { problems.append("race: the name is empty") }
        if race.stages.count > maximumStages { return ["stages: more than \(maximumStages)"] }
        var numbers: Set<Int> = []
        for stage in race.stages {
            let name = "stage \(stage.number)"
            if !numbers.insert(stage.number).inserted { problems.append("\(name): the number stands twice") }
            if let distance = stage.distance, !(distance > 0 && distance < 2000) {
                problems.append("\(name): distance_km is \(distance)")
            }
            if let date = stage.date, CalendarDay(date) == nil { problems.append("\(name): '\(date)' is not a date") }
            for place in [stage.startPlace, stage.finishPlace].compactMap({ $0 }) {
                let isSound = place.count == 2 && abs(place[0]) <= 90 && abs(place[1]) <= 180
                if !isSound { problems.append("\(name): \(place) is not a latitude and a longitude") }
            }
        }
        return problems
    }

    private static func sentence(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { key in key.intValue.map { "item \($0 + 1)" } ?? key.stringValue }
                .joined(separator: ", ")
        }
        return switch error {
        case .keyNotFound(let key, let context):
            (context.codingPath.isEmpty ? "" : path(context) + ": ") + "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            path(context) + ": the value is of the wrong kind"
        case .dataCorrupted: "the file is not JSON"
        @unknown default: "the file is not a race"
        }
    }
}
