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
                line: fields.line)
        }
        let stages = objects("stages", fields, isWanted: true)?.map { stage($0) }
        var race = Race(race: wantedText("race", fields), year: wantedWhole("year", fields), stages: stages ?? [])
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
                classification: wantedText("classification", item), name: wantedText("name", item),
                color: text("color", item))
        }
        race.source = object("source", fields).map { item in
            RaceCredit(name: wantedText("name", item), url: text("url", item), note: text("note", item))
        }
        race.teams = objects("teams", fields)?.map { item in
            Team(id: text("id", item), name: wantedText("name", item), country: text("country", item))
        }
        race.riders = objects("riders", fields)?.map { item in
            Rider(
                id: text("id", item), name: wantedText("name", item), number: whole("number", item),
                country: text("country", item), team: text("team", item))
        }
        race.withdrawals = objects("withdrawals", fields)?.map { item in
            Withdrawal(
                rider: wantedText("rider", item), stage: wantedWhole("stage", item), reason: text("reason", item))
        }
        return race
    }

    private mutating func stage(_ fields: Fields) -> Stage {
        var stage = Stage(
            number: wantedWhole("number", fields), date: text("date", fields), start: wantedText("start", fields),
            finish: wantedText("finish", fields), distance: number("distance_km", fields), type: text("type", fields),
            winner: text("winner", fields), leaderAfter: text("leader_after", fields))
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
                name: text("name", item), km: wantedNumber("km", item), category: textOrNumber("category", item),
                length: number("length_km", item), gradient: number("gradient", item),
                elevation: number("elevation_m", item), winner: text("winner", item))
        }
        stage.sprints = objects("sprints", fields)?.map { item in
            Sprint(
                name: text("name", item), km: wantedNumber("km", item), bonus: flag("bonus", item),
                winner: text("winner", item))
        }
        stage.ticker = objects("ticker", fields)?.map { item in
            TickerLine(
                time: wantedText("time", item), km: number("km", item), text: wantedText("text", item),
                kind: text("kind", item))
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
            Split(name: text("name", item), km: wantedNumber("km", item), placings: placings("placings", item))
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
                name: wantedText("name", item), gap: span("gap", item), kmToGo: number("km_to_go", item),
                speed: number("speed", item), size: whole("size", item), riders: texts("riders", item),
                place: numbers("lat_lon", item))
            group.isPeloton = flag("peloton", item)
            return group
        }
        return report
    }

    // MARK: Values

    private mutating func fields(_ node: PositionedJSON, _ path: [String]) -> Fields? {
        guard let values = read(node, path, wants: "an object", { $0.members }) else { return nil }
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

    private mutating func wantedText(_ key: String, _ fields: Fields) -> String {
        wanted(text(key, fields), key, fields) ?? ""
    }

    private mutating func wantedWhole(_ key: String, _ fields: Fields) -> Int {
        wanted(whole(key, fields), key, fields) ?? 0
    }

    private mutating func wantedNumber(_ key: String, _ fields: Fields) -> Double {
        wanted(number(key, fields), key, fields) ?? 0
    }

    /// Returns what a value contains if it is of the wanted kind, and otherwise reports it.
    private mutating func read<Content>(
        _ node: PositionedJSON, _ path: @autoclosure () -> [String], wants kind: String,
        _ content: (PositionedJSON) -> Content?
    ) -> Content? {
        if let content = content(node) { return content }
        fail("wrong type of value: expected \(kind), not \(node.kind)", path(), line: node.line)
        return nil
    }

    private mutating func read<Content>(
        _ key: String, _ fields: Fields, wants kind: String, _ content: (PositionedJSON) -> Content?
    ) -> Content? {
        value(key, fields).flatMap { read($0, fields.path + [key], wants: kind, content) }
    }

    private mutating func text(_ key: String, _ fields: Fields) -> String? {
        read(key, fields, wants: "text") { $0.text }
    }

    private mutating func textOrNumber(_ key: String, _ fields: Fields) -> String? {
        if let number = value(key, fields)?.number, let whole = Int(exactly: number) { return String(whole) }
        return text(key, fields)
    }

    private mutating func number(_ key: String, _ fields: Fields) -> Double? {
        read(key, fields, wants: "a number") { $0.number }
    }

    private mutating func whole(_ key: String, _ fields: Fields) -> Int? {
        guard let node = value(key, fields),
            let number = read(node, fields.path + [key], wants: "a whole number", { $0.number })
        else { return nil }
        if let whole = Int(exactly: number) { return whole }
        fail("expected a whole number", fields.path + [key], line: node.line)
        return nil
    }

    /// Reads seconds from a whole number, or from a time such as `4:12:33` or `+1:05`.
    private mutating func span(_ key: String, _ fields: Fields) -> Int? {
        guard let node = value(key, fields) else { return nil }
        if let seconds = node.number.flatMap({ Int(exactly: $0) }) ?? node.text.flatMap(RaceTime.seconds) {
            return seconds
        }
        fail("expected a time in seconds, or as 4:12:33", fields.path + [key], line: node.line)
        return nil
    }

    private mutating func texts(_ key: String, _ fields: Fields) -> [String]? {
        items(key, fields)?.enumerated().compactMap { place, node in
            read(node, fields.path + [key, "item \(place + 1)"], wants: "text") { $0.text }
        }
    }

    private mutating func flag(_ key: String, _ fields: Fields) -> Bool? {
        read(key, fields, wants: "true or false") { $0.flag }
    }

    private mutating func numbers(_ key: String, _ fields: Fields) -> [Double]? {
        value(key, fields).flatMap { numbers($0, fields.path + [key]) }
    }

    private mutating func numbers(_ list: PositionedJSON, _ path: [String]) -> [Double]? {
        read(list, path, wants: "a list") { $0.items }?.enumerated().compactMap { place, node in
            read(node, path + ["item \(place + 1)"], wants: "a number") { $0.number }
        }
    }

    private mutating func items(_ key: String, _ fields: Fields) -> [PositionedJSON]? {
        read(key, fields, wants: "a list") { $0.items }
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

extension PositionedJSON {
    fileprivate var members: [String: PositionedJSON]? {
        if case .object(let members) = value { members } else { nil }
    }
    fileprivate var items: [PositionedJSON]? { if case .array(let items) = value { items } else { nil } }
    fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }
    fileprivate var number: Double? { if case .number(let number) = value { number } else { nil } }
    fileprivate var flag: Bool? { if case .bool(let flag) = value { flag } else { nil } }

    fileprivate var kind: String {
        switch value {
        case .object: "an object"
        case .array: "a list"
        case .string: "text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
