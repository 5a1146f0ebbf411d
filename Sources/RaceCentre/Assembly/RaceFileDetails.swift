import RaceModel

extension EditionAssembler {
    /// Writes climbs, sprints and places, or keeps those of the previous file.
    func writeRoadBook(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        guard let book = parts.roadBooks[stage.number]?.value else {
            keepPlaces("climbs", firsts: stage.summits, ofStage: stage.number, &writer)
            keepPlaces("sprints", firsts: stage.sprints, ofStage: stage.number, &writer)
            for key in ["start_lat_lon", "finish_lat_lon", "way", "weather"] as [StaticString] {
                if let node = previous.value(key, ofStage: stage.number) {
                    writer.member(key.description, raw: node.raw)
                }
            }
            return
        }
        let length = stage.announced?.length
        func isOn(_ km: Double) -> Bool { km.isBetween(0, (length ?? 1999) + 1) }
        let climbs = book.climbs.map { ($0, book.km($0.km, onStageOf: length)) }.filter { isOn($0.1) }
        writer.array("climbs", climbs) { writer, climb in
            writer.object { writer in
                writer.member("name", climb.0.name)
                writer.member("km", climb.1)
                writer.member("category", climb.0.category)
                writer.member("length_km", climb.0.length)
                writer.member("gradient", climb.0.gradient)
                writer.member("elevation_m", climb.0.elevation)
                writer.member("winner", first(at: climb.1, in: stage.summits, "climbs", ofStage: stage.number))
            }
        }
        let sprints = book.sprints.map { ($0, book.km($0.km, onStageOf: length)) }.filter { isOn($0.1) }
        writer.array("sprints", sprints) { writer, sprint in
            writer.object { writer in
                writer.member("name", sprint.0.name)
                writer.member("km", sprint.1)
                if sprint.0.hasBonus { writer.member("bonus", true) }
                writer.member("winner", first(at: sprint.1, in: stage.sprints, "sprints", ofStage: stage.number))
            }
        }
        for (key, place) in [("start_lat_lon", book.start), ("finish_lat_lon", book.finish)] {
            guard let place = place?.coordinates else { continue }
            writer.array(key, [place.latitude, place.longitude]) { $0.item($1) }
        }
        let line = book.line
        // Two places are only start and finish.
        if line.count > 2 {
            writer.array("way", line.prefix(1000)) { writer, place in
                writer.item([place.latitude, place.longitude])
            }
        }
        let weather = parts.insights[stage.number]?.value?.weather.text ?? book.finish?.weather?.text
        writer.member("weather", weather)
    }

    /// Writes the ticker, or keeps that of the previous file.
    func writeTicker(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        guard let news = parts.tickers[stage.number]?.value, !news.isEmpty else {
            if let node = previous.value("ticker", ofStage: stage.number) { writer.member("ticker", raw: node.raw) }
            return
        }
        // A race file has no messages of the time long before the start.
        let earliest = stage.announced?.start.map { $0 - 6 * 3600 } ?? .distantPast
        writer.array("ticker", news.filter { $0.at >= earliest }) { writer, line in
            writer.object { writer in
                writer.member("time", CentreTime.text(line.at, offset: line.offset))
                writer.member("text", PlainText.cut(line.line[...], upTo: 3900))
                writer.member("kind", line.kind)
            }
        }
    }

    /// Writes the state of the race, unless there is a result.
    func writeLive(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        let hasResult = stage.statuses[.results].map { $0 > .running } ?? stage.kept.contains(.results)
        guard !hasResult else { return }
        let (groups, insights) = (groups(stage.number), parts.insights[stage.number]?.value)
        let before = previous.value("live", ofStage: stage.number)
        // Another program may have read the groups. Its state has more than the insights alone.
        let hadGroups = before.map { hasGroups($0, stage.number) } ?? false
        guard groups != nil || insights?.passedOn != nil && !hadGroups else {
            if let before { keepLive(before, &writer) }
            return
        }
        writer.object("live") { writeLive(of: stage, &$0) }
    }

    /// Returns the groups of a stage, or `nil` if they are outdated.
    private func groups(_ stage: Int) -> RaceGroups? {
        parts.groups[stage]?.value.flatMap { isOutdated($0.at, stage) ? nil : $0 }
    }

    /// Whether a state of the previous file has groups that are not outdated.
    private func hasGroups(_ live: JSONNode, _ stage: Int) -> Bool {
        let at = live["at"]?.text.flatMap { CentreTime.instant($0)?.instant }
        return JSONItems.of(live["groups"]).contains(where: \.isObject) && at.map { !isOutdated($0, stage) } ?? true
    }

    /// Whether the insights have a much later position of the race than groups of some instant.
    ///
    /// Groups are only requested while a live page has focus.
    private func isOutdated(_ groups: Instant, _ stage: Int) -> Bool {
        guard let insights = parts.insights[stage]?.value, insights.km != nil, let at = insights.passedOn else {
            return false
        }
        return Freshness(age: at.seconds(since: groups)) == .folded
    }

    /// Writes the state of the previous file. A library has the names of riders instead of their keys.
    private func keepLive(_ live: JSONNode, _ writer: inout JSONWriter) {
        guard live.isObject else { return }
        writer.object("live") { writer in
            live.forEachMember { key, value in
                if key.text != "groups" { writer.member(key.text, raw: value.raw) }
            }
            writer.array("groups", JSONItems.of(live["groups"]).filter(\.isObject)) { writer, group in
                writer.object { writer in
                    group.forEachMember { key, value in
                        if key.text != "riders" { writer.member(key.text, raw: value.raw) }
                    }
                    let riders = JSONItems.of(group["riders"]).compactMap(\.text).compactMap(roster.key(ofPrevious:))
                    writer.array("riders", riders) { $0.item($1) }
                }
            }
        }
    }

    /// Writes the members of a stage's state.
    func writeLive(of stage: RaceFileStage, _ writer: inout JSONWriter) {
        let (groups, insights) = (groups(stage.number), parts.insights[stage.number]?.value)
        let togo = groups?.groups.first?.kmToGo
        let covered = insights?.km.flatMap { km in stage.announced?.length.map { max(0, $0 - km) } }
        // The groups have the instant of the race; the insights only that at which they were passed on.
        let offset = groups?.offset ?? stage.announced?.offset ?? 0
        writer.member("at", (groups?.at ?? insights?.passedOn).map { CentreTime.text($0, offset: offset) })
        writer.member("km_to_go", groups == nil ? covered : togo)
        writer.member("speed", groups?.groups.first?.speed ?? (groups == nil ? insights?.meanSpeed : nil))
        writer.member("temperature", insights?.weather.temperature)
        writer.member("wind", insights?.weather.wind)
        writer.member("mean_speed", insights?.meanSpeed)
        writer.array("groups", Array(zip(groups?.groups ?? [], stage.groups))) { writer, item in
            writer.object { write(item.0, riders: item.1, &$0) }
        }
    }

    private func write(_ group: RaceGroups.Group, riders: [String], _ writer: inout JSONWriter) {
        writer.member("name", group.name)
        writer.member("gap", group.gap)
        writer.member("km_to_go", group.kmToGo)
        writer.member("speed", group.speed)
        writer.member("size", group.size)
        writer.array("riders", riders) { $0.item($1) }
        if let place = group.coordinates {
            writer.array("lat_lon", [place.latitude, place.longitude]) { $0.item($1) }
        }
    }
}
