import Foundation

/// Why a race file cannot be used.
package struct RaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for each problem.
    package var problems: [String]
    package var description: String { problems.joined(separator: "; ") }

    package init(problems: [String]) { self.problems = problems }
}

/// Reads race files: JSON with the keys of ``Race`` and ``Stage``, tables in CSV with these keys as headings, calendars.
package enum RaceFile {
    /// The most stages of one race.
    static let maximumStages = 1000
    /// Rest days, and places of the final standings.
    private static let maximumNames = 1000
    /// Bytes of a text.
    private static let maximumText = 1000
    /// Bytes of an address.
    private static let maximumAddress = 8 << 10

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
            throw RaceFileError(problems: ["it is a page, not a race: JSON, CSV or an iCalendar is wanted"])
        }
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
            throw RaceFileError(problems: [unwholeNumber(in: data) ?? sentence(error)])
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
        if race.stages.count > maximumStages { return ["stages: more than \(maximumStages)"] }
        for (name, list) in [("rest_days", race.restDays), ("overall", race.overall)]
        where list?.count ?? 0 > maximumNames {
            return ["\(name): more than \(maximumNames)"]
        }
        let days = race.restDays ?? []
        problems += lengths([("race", race.race), ("country", race.country), ("leader_jersey", race.leaderJersey)])
        problems += lengths(days.map { ("rest_days", $0) } + (race.overall ?? []).map { ("overall", $0) })
        // A text that is too long would make the sentences so.
        guard problems.isEmpty else { return problems }
        if race.race.isEmpty { problems.append("race: the name is empty") }
        if !(1...9999).contains(race.year) { problems.append("year: \(race.year) is not one") }
        for day in days where CalendarDay(day) == nil { problems.append("rest_days: '\(day)' is not a date") }
        var numbers: Set<Int> = []
        for stage in race.stages {
            let name = "stage \(stage.number)"
            let tooLong = lengths(texts(of: stage)) + lengths(addresses(of: stage), most: maximumAddress)
            guard tooLong.isEmpty else {
                problems += tooLong.map { "\(name), \($0)" }
                continue
            }
            if !(0...9999).contains(stage.number) { problems.append("\(name): a number from 0 to 9999 is wanted") }
            if stage.start.isEmpty || stage.finish.isEmpty { problems.append("\(name): start or finish is missing") }
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

    private static func texts(of stage: Stage) -> [(String, String?)] {
        [
            ("date", stage.date), ("start", stage.start), ("finish", stage.finish), ("type", stage.type),
            ("winner", stage.winner), ("leader_after", stage.leaderAfter),
        ]
    }

    private static func addresses(of stage: Stage) -> [(String, String?)] {
        [("image_url", stage.imageURL), ("article_url", stage.articleURL)]
    }

    /// Says which texts are too long.
    private static func lengths(_ texts: [(name: String, text: String?)], most: Int = maximumText) -> [String] {
        texts.filter { $0.text?.utf8.count ?? 0 > most }.map { "\($0.name): longer than \(most) bytes" }
    }

    /// A number with a fraction where only whole ones can stand: the decoder says no more of it than that it is not JSON.
    private static func unwholeNumber(in data: Data) -> String? {
        guard let race = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return nil }
        func isUnwhole(_ value: Any?) -> Bool {
            (value as? NSNumber).map { $0.doubleValue != $0.doubleValue.rounded() } ?? false
        }
        for key in ["year", "edition"] where isUnwhole(race[key]) { return "\(key): a whole number is wanted" }
        for (index, stage) in (race["stages"] as? [[String: Any]] ?? []).enumerated() where isUnwhole(stage["number"]) {
            return "stages, item \(index + 1), number: a whole number is wanted"
        }
        return nil
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
        // A number that does not fit, such as 1.5 stages, is told as corrupted too.
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            path(context) + ": the value is of the wrong kind"
        case .dataCorrupted: "the file is not JSON"
        @unknown default: "the file is not a race"
        }
    }
}
