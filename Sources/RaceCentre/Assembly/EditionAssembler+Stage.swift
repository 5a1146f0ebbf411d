import RaceModel

extension EditionAssembler {
    /// Returns a stage.
    ///
    /// - Parameters:
    ///   - announced: What the race centre announces, or `nil` if only the previous version has the stage.
    ///   - before: The stage in the previous version.
    mutating func stage(_ number: Int, _ announced: CentreStage?, _ before: Stage?) -> Stage {
        var stage = announced.map { outline($0, before) } ?? EditionAssembler.outline(before, number)
        stage.articleURL = parts.edition.article(stage: number)
        stage.liveURL = parts.edition.liveAddress
        let statuses = setLists(&stage, before)
        stage.splits = splits(of: stage, before)
        let rankings = parts.rankings[number]?.value
        stage.timeLimit = rankings?.timeLimit ?? before?.timeLimit
        setRoad(&stage, before, summits: firsts(in: rankings?.summits), sprints: firsts(in: rankings?.sprints))
        setWearers(&stage, before)
        setTicker(&stage, before, start: announced?.start)
        let isRunning = isRunning(statuses[.results] ?? statuses[.stageTeams], number, before)
        if isRunning { stage.isRunning = true }
        let report = liveReport(schedule(of: number), number, before?.live)
        if isRunning || stage.results == nil { stage.live = report }
        return stage
    }

    /// Whether a stage has results of riders who have finished, but no winner yet.
    ///
    /// A time trial is under way until its list is official, or provisional after its planned end and without riders on
    /// the road.
    ///
    /// - Parameter status: How final the new results are, or `nil` if there are no new ones.
    private func isRunning(_ status: RankingStatus?, _ number: Int, _ before: Stage?) -> Bool {
        let part = parts.rankings[number]
        let published = before?.hasResult == true ? nil : part?.value?.status
        guard let status = status ?? published else { return before?.isRunning == true }
        guard status == .provisional, let stage = schedule(of: number), stage.isTimeTrial else {
            return status == .running
        }
        let (end, received) = (stage.finish ?? 0, part?.receivedAt ?? .distantFuture)
        let hasRiders = received < end + EditionAssembler.longestOverrun && part?.value?.areRidersOnTheRoad == true
        return received < end || hasRiders
    }

    /// The number of seconds after the planned end of a time trial in which riders can still be on the road. Those who gave
    /// up there may be missing among those who are out.
    private static let longestOverrun: Int64 = 2 * 3600

    /// Returns a stage with what the race centre announces, and the measured times of the previous version.
    private func outline(_ stage: CentreStage, _ before: Stage?) -> Stage {
        var outline = Stage(
            number: stage.number, date: stage.date, start: stage.departure ?? stage.arrival ?? "Start",
            finish: stage.arrival ?? stage.departure ?? "Finish", distance: stage.length, type: stage.kind?.rawValue)
        if stage.isCancelled { outline.status = "cancelled" }
        let rankings = parts.rankings[stage.number]?.value
        let hasBegun = before?.isRunning == true || before?.hasResult == true
        let known = hasBegun ? actual(before?.startInstant, near: stage.start) : nil
        let start = actual(rankings?.start, near: stage.start) ?? known ?? stage.start
        let text = start.map { CentreTime.text($0, offset: stage.offset) }
        // A start after midnight would contradict the date.
        if let text, let date = stage.date, text.hasPrefix(date) { outline.startTime = text }
        let arrival = before?.hasResult == true ? actual(before?.finishInstant, near: stage.finish) : nil
        let finish = actual(rankings?.arrival, near: stage.finish) ?? arrival ?? stage.finish
        if let finish, finish > start ?? .distantFuture {
            outline.finishTime = CentreTime.text(finish, offset: stage.offset)
        }
        return outline
    }

    /// Returns a measured instant if it is within three hours of the planned one.
    private func actual(_ instant: Instant?, near planned: Instant?) -> Instant? {
        guard let instant, let planned, instant.seconds(since: planned).magnitude < 3 * 3600 else { return nil }
        return instant
    }

    /// Returns a stage with what was announced before.
    private static func outline(_ before: Stage?, _ number: Int) -> Stage {
        var outline = Stage(
            number: number, date: before?.date, start: before?.start ?? "", finish: before?.finish ?? "",
            distance: before?.distance, type: before?.type)
        outline.status = before?.status
        (outline.startTime, outline.finishTime) = (before?.startTime, before?.finishTime)
        return outline
    }

    // MARK: Lists

    /// Chooses for each classification between the new list and that of the previous version.
    ///
    /// - Returns: How final the new lists are.
    private mutating func setLists(_ stage: inout Stage, _ before: Stage?) -> [Classification: RankingStatus] {
        let rankings = parts.rankings[stage.number]?.value
        var statuses: [Classification: RankingStatus] = [:]
        var keepsLists = false
        for classification in Classification.allCases {
            let old = before?[keyPath: classification.path]?.nonEmpty
            stage[keyPath: classification.path] = old
            if let list = rankings?.list(of: classification) {
                let placings = roster.placings(list, of: classification)
                if mayReplace(old?.count ?? 0, of: before, with: placings.count, list.status) {
                    stage[keyPath: classification.path] = placings
                    statuses[classification] = list.status
                    continue
                }
            }
            if old != nil { keepsLists = true }
        }
        let kept = keepsLists ? before?.isProvisional : nil
        if !statuses.isEmpty || kept != nil {
            stage.isProvisional = kept == true || statuses.values.contains { $0 < .official }
        }
        return statuses
    }

    /// Whether a list may take the place of that of the previous version, by their lengths and by how final they are.
    private func mayReplace(_ old: Int, of stage: Stage?, with new: Int, _ status: RankingStatus) -> Bool {
        // Of lists without a mark nobody knows, so that they are only protected by their length.
        let oldStatus: RankingStatus =
            stage?.isRunning == true ? .running : stage?.isProvisional == false ? .official : .provisional
        return RankingList.mayReplace((old, oldStatus), with: (new, status))
    }

    private mutating func splits(of stage: Stage, _ before: Stage?) -> [Split]? {
        let lists = (parts.rankings[stage.number]?.value?.splits ?? []).prefix(EditionAssembler.maximumSplits)
        let length = schedule(of: stage.number)?.length
        let book = parts.roadBooks[stage.number]?.value
        let found = lists.compactMap { list -> Split? in
            guard let km = list.km, km < length ?? .infinity, RaceLimits.isOnStage(km, distance: length) else {
                return nil
            }
            let place = book?.checkpoints.first { $0.number == list.checkpoint }?.place
            return Split(
                name: place.map(PlainText.name(fromCapitals:)) ?? before?.splits?.first { $0.km == km }?.name, km: km,
                placings: roster.placings(list, of: .results).nonEmpty)
        }
        // A list of the first riders only doesn't replace that of all.
        func maximum(_ splits: [Split]?) -> Int { splits?.map { $0.placings?.count ?? 0 }.max() ?? 0 }
        let status = lists.map(\.status).min() ?? .provisional
        if mayReplace(maximum(before?.splits), of: before, with: maximum(found), status) { return found }
        return before?.splits?.filter { RaceLimits.isOnStage($0.km, distance: stage.distance) }
    }

    private static let maximumSplits = 50

    private mutating func setWearers(_ stage: inout Stage, _ before: Stage?) {
        let wearers = parts.jerseys[stage.number]?.value?.wearers ?? [:]
        var keys: [String: String] = [:]
        for classification in Classification.standings {
            guard let rider = wearers[classification] else { continue }
            keys[classification.name] = roster.key(bib: rider.bib, id: rider.rider)
        }
        stage.wearers = keys.isEmpty ? before?.wearers : keys
    }

    /// Adds the messages of the ticker, but none of the time long before the start.
    private func setTicker(_ stage: inout Stage, _ before: Stage?, start: Instant?) {
        let earliest = (stage.startInstant ?? start).map { $0 - RaceCheck.beforeStart } ?? .distantPast
        guard let news = parts.tickers[stage.number]?.value, !news.isEmpty else {
            stage.ticker = before?.ticker
            // The start may have been put back.
            if stage.startTime != before?.startTime {
                stage.ticker?.removeAll { $0.instant ?? .distantPast < earliest }
            }
            return
        }
        stage.ticker = news.filter { $0.at >= earliest }.map { line in
            TickerLine(
                time: CentreTime.text(line.at, offset: line.offset), text: PlainText.cut(line.line[...], upTo: 3900),
                kind: line.kind)
        }
    }
}
