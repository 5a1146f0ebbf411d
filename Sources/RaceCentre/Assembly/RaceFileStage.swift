/// A stage of a race file before it is written.
struct RaceFileStage {
    var number: Int
    /// What the race centre announces, or `nil` if only the previous file has the stage.
    var announced: CentreStage?
    /// The placings that replace those of the previous file.
    var lists: [RaceStanding: [RaceFilePlacings.Placing]] = [:]
    /// The lists that are not official yet.
    var statuses: [RaceStanding: RankingStatus] = [:]
    /// The riders of each group on the road.
    var groups: [[String]] = []
    /// The riders who wear the jerseys during the stage.
    var wearers: [(standing: RaceStanding, rider: String)] = []
    /// The times on the way, if they replace those of the previous file.
    var splits: [RaceFileSplit]?
    /// The riders who were first at summits and at sprints.
    var summits: [RaceFileFirst] = []
    var sprints: [RaceFileFirst] = []
    /// The lists that the previous file has instead.
    var kept: Set<RaceStanding> = []

    func isOfficial(_ standing: RaceStanding) -> Bool { statuses[standing] == .official }

    /// Whether any new list is not official.
    var isProvisional: Bool { statuses.values.contains { $0 < .official } }
}

extension EditionAssembler {
    /// Returns the stages: those that the race centre announces, or else those of the previous file.
    mutating func stages() -> [RaceFileStage] {
        let announced = parts.stages.value ?? []
        let numbers = announced.isEmpty ? previous.numbers : announced.map(\.number)
        return numbers.prefix(RaceBounds.stages).map { number in
            var stage = RaceFileStage(number: number, announced: announced.first { $0.number == number })
            setLists(&stage)
            stage.splits = splits(ofStage: number)
            stage.summits = firsts(in: parts.rankings[number]?.value?.summits)
            stage.sprints = firsts(in: parts.rankings[number]?.value?.sprints)
            let wearers = parts.jerseys[number]?.value?.wearers ?? [:]
            stage.wearers = RaceStanding.allCases.compactMap { standing in
                guard let rider = wearers[standing], let key = roster.key(bib: rider.bib, id: rider.rider) else {
                    return nil
                }
                return (standing, key)
            }
            stage.groups = (parts.groups[number]?.value?.groups ?? []).map { group in
                group.members.compactMap { roster.key(bib: $0.bib, id: $0.rider) }
            }
            return stage
        }
    }

    /// Chooses for each standing between the new list and that of the previous file.
    private mutating func setLists(_ stage: inout RaceFileStage) {
        let rankings = parts.rankings[stage.number]?.value
        for standing in RaceStanding.allCases {
            let old = previous.count(standing, ofStage: stage.number)
            if old > 0 { stage.kept.insert(standing) }
            guard let list = rankings?.list(of: standing) else { continue }
            let placings = RaceFilePlacings(list, standing, roster: &roster).placings
            // Of lists without a mark nobody knows, so that they are only protected by their length.
            let isOfficial = previous.isProvisional(stage: stage.number) == false
            let status: RankingStatus = isOfficial ? .official : .provisional
            guard
                RankingList.mayReplace((count: old, status: status), with: (count: placings.count, status: list.status))
            else { continue }
            stage.kept.remove(standing)
            stage.lists[standing] = placings
            stage.statuses[standing] = list.status
        }
    }

    func write(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        writer.member("number", stage.number)
        if let announced = stage.announced {
            writeAnnounced(announced, &writer)
        } else {
            keep(RaceFileStage.announcedKeys, stage.number, &writer)
        }
        writeRoadBook(stage, &writer)
        writeLinks(stage, &writer)
        writeTicker(stage, &writer)
        writeLists(stage, &writer)
        writeLive(stage, &writer)
    }

    /// Writes members of the previous file.
    private func keep(_ keys: [StaticString], _ number: Int, _ writer: inout JSONWriter) {
        for key in keys {
            if let node = previous.value(key, ofStage: number) { writer.member(key.description, raw: node.raw) }
        }
    }

    private func writeAnnounced(_ stage: CentreStage, _ writer: inout JSONWriter) {
        let rankings = parts.rankings[stage.number]?.value
        writer.member("date", stage.date)
        writer.member("start", stage.departure ?? stage.arrival ?? "Start")
        writer.member("finish", stage.arrival ?? stage.departure ?? "Finish")
        writer.member("distance_km", stage.length)
        writer.member("type", stage.kind?.rawValue)
        if stage.isCancelled { writer.member("status", "cancelled") }
        let start = actual(rankings?.start, near: stage.start) ?? stage.start
        let text = start.map { CentreTime.text($0, offset: stage.offset) }
        // A start after midnight would contradict the date.
        if let text, let date = stage.date, text.hasPrefix(date) { writer.member("start_time", text) }
        let finish = actual(rankings?.arrival, near: stage.finish) ?? stage.finish
        if let finish, finish > start ?? .distantFuture {
            writer.member("finish_time", CentreTime.text(finish, offset: stage.offset))
        }
    }

    /// Returns a measured instant if it is within three hours of the planned one.
    private func actual(_ instant: Instant?, near planned: Instant?) -> Instant? {
        guard let instant, let planned, abs(instant.seconds(since: planned)) < 3 * 3600 else { return nil }
        return instant
    }

    private func writeLinks(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        writer.member("article_url", parts.edition.article(stage: stage.number))
        writer.member("live_url", parts.edition.liveAddress)
        if options.includesPictures {
            writer.member("image_url", stage.announced?.arrivalPicture ?? stage.announced?.departurePicture)
        }
    }

    private func writeLists(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        for standing in RaceStanding.allCases {
            if let placings = stage.lists[standing] {
                writer.placings(standing.rawValue, placings)
            } else if let node = previous.placings(standing, ofStage: stage.number), stage.kept.contains(standing) {
                writer.member(standing.rawValue, raw: node.raw)
            }
        }
        let kept = stage.kept.isEmpty ? nil : previous.isProvisional(stage: stage.number)
        if !stage.lists.isEmpty || kept != nil {
            writer.member("provisional", stage.isProvisional || kept == true)
        }
        writeSplits(stage, &writer)
        if let limit = parts.rankings[stage.number]?.value?.timeLimit {
            writer.member("time_limit", limit)
        } else {
            keep(["time_limit"], stage.number, &writer)
        }
        guard !stage.wearers.isEmpty else { return keep(["wearers"], stage.number, &writer) }
        writer.object("wearers") { writer in
            for wearer in stage.wearers { writer.member(wearer.standing.rawValue, wearer.rider) }
        }
    }
}

extension RaceFileStage {
    /// The members that come from the list of stages.
    static let announcedKeys: [StaticString] = [
        "date", "start", "finish", "distance_km", "type", "status", "start_time", "finish_time",
    ]
}
