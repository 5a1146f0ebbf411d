import FeedParsing

/// Reads a race from JSON and reports every value of the wrong type with its line.
package struct RaceReader {
    private let document: PositionedJSON
    private var problems: [(path: [String], line: Int, sentence: String)] = []
    /// Notes which keys have a meaning, or `nil` if nobody asks.
    private let objects: Objects?

    /// - Returns: A race whose values have the right types. ``RaceCheck`` checks whether they make sense.
    package static func read(_ utf8: [UInt8]) throws(RaceFileError) -> (race: Race, document: PositionedJSON) {
        let document = try parsed(utf8)
        var reader = RaceReader(document: document)
        let race = reader.race()
        guard reader.problems.isEmpty, let race else {
            throw RaceFileError(byLine: reader.problems.map { ($0.line, $0.sentence) })
        }
        return (race, document)
    }

    /// Returns every error in a file, and what tappa ignores in it, a sentence each.
    ///
    /// - Returns: The race as far as it can be read.
    static func inspect(_ utf8: [UInt8]) throws(RaceFileError) -> (race: Race?, errors: [String], warnings: [String]) {
        let document = try parsed(utf8)
        var reader = RaceReader(document: document, objects: Objects())
        let race = reader.race()
        let wrong = reader.problems.map { $0.path.map(index) }
        var errors: [(line: Int?, sentence: String)] = reader.problems.map { ($0.line, $0.sentence) }
        var warnings: [(line: Int?, sentence: String)] = reader.objects?.unknownKeys ?? []
        if let race {
            // A value that could not be read has been reported, and what contradicts it can't be known.
            let others = RaceCheck.problems(race).filter { problem in
                !wrong.contains { $0.starts(with: problem.path) || problem.path.starts(with: $0) }
            }
            errors += others.map { (document.line(at: $0.path), $0.sentence) }
            warnings += RaceCheck.unknownTeams(race).map { (document.line(at: $0.path), $0.sentence) }
        }
        func sentences(_ problems: [(line: Int?, sentence: String)]) -> [String] {
            problems.isEmpty ? [] : RaceFileError(byLine: problems).problems
        }
        return (race, sentences(errors), sentences(warnings))
    }

    /// Returns a part of a path as documents count it.
    private static func index(_ part: String) -> String {
        part.hasPrefix("item ") ? Int(part.dropFirst(5)).map { String($0 - 1) } ?? part : part
    }

    private static func parsed(_ utf8: [UInt8]) throws(RaceFileError) -> PositionedJSON {
        do { return try PositionedJSON.read(utf8) } catch {
            throw RaceFileError(problems: ["line \(error.line): invalid JSON"])
        }
    }

    /// The objects that were read, with the keys that have a meaning.
    private final class Objects {
        private var known: [(fields: Fields, keys: Set<String>)] = []

        func add(_ fields: Fields) -> Int {
            known.append((fields, []))
            return known.count - 1
        }

        func note(_ key: String, in index: Int) { known[index].keys.insert(key) }

        /// The keys without a meaning, with their lines.
        var unknownKeys: [(line: Int?, sentence: String)] {
            known.flatMap { object in
                object.fields.values.filter { !object.keys.contains($0.key) && $0.key != "$schema" }
                    .sorted { $0.key < $1.key }
                    .map { key, node in
                        let place = object.fields.path.isEmpty ? "" : object.fields.path.joined(separator: ", ") + ": "
                        return (node.line, "\(place)unknown key '\(key.prefix(60))'")
                    }
            }
        }
    }

    /// An object in the document, with its path and line.
    private struct Fields {
        var values: [String: PositionedJSON]
        var line: Int
        var path: [String]
        /// The number of the object among those that were read.
        var index = 0
    }

    private init(document: PositionedJSON, objects: Objects? = nil) {
        (self.document, self.objects) = (document, objects)
    }

    /// - Parameter key: The missing key if `path` is that of its object.
    private mutating func fail(_ sentence: String, _ path: [String], key: String? = nil, line: Int) {
        let place = path.isEmpty ? "" : path.joined(separator: ", ") + ": "
        problems.append((path + (key.map { [$0] } ?? []), line, place + sentence))
    }

    private mutating func race() -> Race? {
        guard let fields = fields(document, []) else { return nil }
        if let schema = whole("schema", fields), schema > RaceFile.schema {
            fail(
                "version \(schema) is newer than this tappa supports (\(RaceFile.schema))", ["schema"],
                line: fields.line
            )
        }
        let stages = objects("stages", fields, isWanted: true)?.map { stage($0) }
        var race = Race(
            race: wanted(text("race", fields), "race", fields) ?? "",
            year: wanted(whole("year", fields), "year", fields) ?? 0, stages: stages ?? [])
        race.edition = whole("edition", fields)
        race.country = text("country", fields)
        race.leaderJersey = text("leader_jersey", fields)
        race.restDays = texts("rest_days", fields)
        race.overall = texts("overall", fields)
        race.schema = whole("schema", fields)
        race.kind = text("kind", fields)
        race.ttl = whole("ttl", fields)
        race.jerseys = objects("jerseys", fields)?.map { item in
            Jersey(
                classification: wanted(text("classification", item), "classification", item) ?? "",
                name: wanted(text("name", item), "name", item) ?? "", color: text("color", item))
        }
        race.source = object("source", fields).map { item in
            RaceCredit(
                name: wanted(text("name", item), "name", item) ?? "", url: text("url", item), note: text("note", item))
        }
        race.teams = objects("teams", fields)?.map { item in
            Team(
                id: text("id", item), name: wanted(text("name", item), "name", item) ?? "",
                country: text("country", item))
        }
        race.riders = objects("riders", fields)?.map { item in
            Rider(
                id: text("id", item), name: wanted(text("name", item), "name", item) ?? "",
                number: whole("number", item), country: text("country", item), team: text("team", item))
        }
        race.withdrawals = objects("withdrawals", fields)?.map { item in
            Withdrawal(
                rider: wanted(text("rider", item), "rider", item) ?? "",
                stage: wanted(whole("stage", item), "stage", item) ?? 0, reason: text("reason", item))
        }
        return race
    }

    private mutating func stage(_ fields: Fields) -> Stage {
        var stage = Stage(
            number: wanted(whole("number", fields), "number", fields) ?? 0, date: text("date", fields),
            start: wanted(text("start", fields), "start", fields) ?? "",
            finish: wanted(text("finish", fields), "finish", fields) ?? "",
            distance: number("distance_km", fields), type: text("type", fields), winner: text("winner", fields),
            leaderAfter: text("leader_after", fields))
        stage.label = text("label", fields)
        stage.imageURL = text("image_url", fields)
        stage.articleURL = text("article_url", fields)
        stage.startPlace = numbers("start_lat_lon", fields)
        stage.finishPlace = numbers("finish_lat_lon", fields)
        stage.way = items("way", fields)?.enumerated().compactMap { place, node in
            numbers(node, fields.path + ["way", "item \(place + 1)"])
        }
        stage.startTime = text("start_time", fields)
        stage.finishTime = text("finish_time", fields)
        stage.neutral = number("neutral_km", fields)
        stage.neutralStartTime = text("neutral_start_time", fields)
        stage.status = text("status", fields)
        stage.weather = text("weather", fields)
        stage.broadcastURL = text("broadcast_url", fields)
        stage.liveURL = text("live_url", fields)
        stage.trackURL = text("track_url", fields)
        stage.climbs = objects("climbs", fields)?.map { item in
            Climb(
                name: text("name", item), km: wanted(number("km", item), "km", item) ?? 0,
                category: textOrNumber("category", item), length: number("length_km", item),
                gradient: number("gradient", item), elevation: number("elevation_m", item),
                winner: text("winner", item))
        }
        stage.sprints = objects("sprints", fields)?.map { item in
            Sprint(
                name: text("name", item), km: wanted(number("km", item), "km", item) ?? 0, bonus: flag("bonus", item),
                winner: text("winner", item))
        }
        stage.ticker = objects("ticker", fields)?.map { item in
            TickerLine(
                time: wanted(text("time", item), "time", item) ?? "", km: number("km", item),
                text: wanted(text("text", item), "text", item) ?? "", kind: text("kind", item))
        }
        stage.live = object("live", fields).map { live($0) }
        for list in Classification.allCases { stage[keyPath: list.path] = placings(list.name, fields) }
        stage.isProvisional = flag("provisional", fields)
        stage.isRunning = flag("running", fields)
        stage.timeLimit = span("time_limit", fields)
        stage.wearers = object("wearers", fields).map { item in
            Dictionary(
                item.values.keys.sorted().compactMap { key in textOrNumber(key, item).map { (key, $0) } }
            ) { first, _ in first }
        }
        stage.splits = objects("splits", fields)?.map { item in
            Split(
                name: text("name", item), km: wanted(number("km", item), "km", item) ?? 0,
                placings: placings("placings", item))
        }
        return stage
    }

    private mutating func placings(_ key: String, _ fields: Fields) -> [Placing]? {
        objects(key, fields)?.enumerated().map { place, item in
            Placing(
                place: whole("place", item) ?? place + 1, rider: textOrNumber("rider", item),
                team: text("team", item), time: span("time", item), gap: span("gap", item),
                points: number("points", item), bonus: span("bonus", item))
        }
    }

    private mutating func live(_ fields: Fields) -> LiveReport {
        var report = LiveReport(at: text("at", fields), kmToGo: number("km_to_go", fields))
        report.speed = number("speed", fields)
        report.temperature = number("temperature", fields)
        report.wind = number("wind", fields)
        report.windDirection = number("wind_direction", fields)
        report.meanSpeed = number("mean_speed", fields)
        report.finishTime = text("finish_time", fields)
        report.groups = objects("groups", fields)?.map { item in
            var group = LiveGroup(
                name: wanted(text("name", item), "name", item) ?? "", gap: span("gap", item),
                kmToGo: number("km_to_go", item), speed: number("speed", item), size: whole("size", item),
                riders: texts("riders", item), place: numbers("lat_lon", item))
            group.isPeloton = flag("peloton", item)
            return group
        }
        return report
    }

    // MARK: Values

    private mutating func fields(_ node: PositionedJSON, _ path: [String]) -> Fields? {
        guard case .object(let values) = node.value else {
            fail(RaceReader.wrong(node, wants: "an object"), path, line: node.line)
            return nil
        }
        var fields = Fields(values: values, line: node.line, path: path)
        fields.index = objects?.add(fields) ?? 0
        return fields
    }

    /// Returns a value that exists and is not null.
    private func value(_ key: String, _ fields: Fields) -> PositionedJSON? {
        objects?.note(key, in: fields.index)
        guard let node = fields.values[key] else { return nil }
        if case .null = node.value { return nil }
        return node
    }

    private mutating func wanted<Value>(_ value: Value?, _ key: String, _ fields: Fields) -> Value? {
        // A value of the wrong type was already reported.
        if value == nil, self.value(key, fields) == nil {
            fail("\(key) is missing", fields.path, key: key, line: fields.line)
        }
        return value
    }

    private mutating func wrong(_ key: String, _ fields: Fields, _ node: PositionedJSON, wants kind: String) {
        fail(RaceReader.wrong(node, wants: kind), fields.path + [key], line: node.line)
    }

    /// Returns a sentence about a value of the wrong type.
    private static func wrong(_ node: PositionedJSON, wants kind: String) -> String {
        let found =
            switch node.value {
            case .object: "an object"
            case .array: "a list"
            case .string: "text"
            case .number: "a number"
            case .bool: "true or false"
            case .null: "null"
            }
        return "wrong type of value: expected \(kind), not \(found)"
    }

    private mutating func text(_ key: String, _ fields: Fields) -> String? {
        guard let node = value(key, fields) else { return nil }
        if case .string(let text) = node.value { return text }
        wrong(key, fields, node, wants: "text")
        return nil
    }

    private mutating func textOrNumber(_ key: String, _ fields: Fields) -> String? {
        if case .number(let number)? = value(key, fields)?.value, let whole = Int(exactly: number) {
            return String(whole)
        }
        return text(key, fields)
    }

    private mutating func number(_ key: String, _ fields: Fields) -> Double? {
        guard let node = value(key, fields) else { return nil }
        if case .number(let number) = node.value { return number }
        wrong(key, fields, node, wants: "a number")
        return nil
    }

    private mutating func whole(_ key: String, _ fields: Fields) -> Int? {
        guard let node = value(key, fields) else { return nil }
        guard case .number(let number) = node.value else {
            wrong(key, fields, node, wants: "a whole number")
            return nil
        }
        if let whole = Int(exactly: number) { return whole }
        fail("expected a whole number", fields.path + [key], line: node.line)
        return nil
    }

    /// Reads seconds from a whole number, or from a time such as `4:12:33` or `+1:05`.
    private mutating func span(_ key: String, _ fields: Fields) -> Int? {
        guard let node = value(key, fields) else { return nil }
        if case .number(let number) = node.value, let seconds = Int(exactly: number) { return seconds }
        if case .string(let text) = node.value, let seconds = RaceTime.seconds(text) { return seconds }
        fail("expected a time in seconds, or as 4:12:33", fields.path + [key], line: node.line)
        return nil
    }

    private mutating func texts(_ key: String, _ fields: Fields) -> [String]? {
        items(key, fields)?.enumerated().compactMap { place, node in
            if case .string(let text) = node.value { return text }
            fail(
                RaceReader.wrong(node, wants: "text"), fields.path + [key, "item \(place + 1)"], line: node.line)
            return nil
        }
    }

    private mutating func flag(_ key: String, _ fields: Fields) -> Bool? {
        guard let node = value(key, fields) else { return nil }
        if case .bool(let flag) = node.value { return flag }
        wrong(key, fields, node, wants: "true or false")
        return nil
    }

    private mutating func numbers(_ key: String, _ fields: Fields) -> [Double]? {
        value(key, fields).flatMap { numbers($0, fields.path + [key]) }
    }

    private mutating func numbers(_ list: PositionedJSON, _ path: [String]) -> [Double]? {
        guard case .array(let items) = list.value else {
            fail(RaceReader.wrong(list, wants: "a list"), path, line: list.line)
            return nil
        }
        return items.enumerated().compactMap { place, node in
            if case .number(let number) = node.value { return number }
            fail(RaceReader.wrong(node, wants: "a number"), path + ["item \(place + 1)"], line: node.line)
            return nil
        }
    }

    private mutating func items(_ key: String, _ fields: Fields) -> [PositionedJSON]? {
        guard let node = value(key, fields) else { return nil }
        if case .array(let items) = node.value { return items }
        wrong(key, fields, node, wants: "a list")
        return nil
    }

    private mutating func object(_ key: String, _ fields: Fields) -> Fields? {
        value(key, fields).flatMap { self.fields($0, fields.path + [key]) }
    }

    private mutating func objects(_ key: String, _ fields: Fields, isWanted: Bool = false) -> [Fields]? {
        let found = isWanted ? wanted(items(key, fields), key, fields) : items(key, fields)
        return found?.enumerated().compactMap { place, node in
            self.fields(node, fields.path + [key, "item \(place + 1)"])
        }
    }
}
