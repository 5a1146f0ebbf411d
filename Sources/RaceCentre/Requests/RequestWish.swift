import FeedParsing

/// A document that somebody would use, and how often.
struct RequestWish: Hashable, Sendable {
    var endpoint: Endpoint
    /// The number of seconds after which it is requested again, or `nil` for once.
    var pause: Int64?
    /// The instant before which an answer doesn't count, such as the end of the stage, or `nil` if every answer does.
    var since: Instant?

    /// The pause after the first error in seconds.
    var retry: Int64 { min(pause ?? 300, 300) }

    static let day: Int64 = 86_400
    /// The pauses in seconds while a stage is under way.
    private static let (insights, groups, ticker): (Int64, Int64, Int64) = (30, 30, 60)
    /// The pauses between requests of rankings: in time trials, in the last kilometres, and before.
    private static let (trial, rankings, onTheWay): (Int64, Int64, Int64) = (60, 120, 300)
    /// The pause while data are only for notifications.
    private static let slow: Int64 = 300
    /// The number of seconds before the start and after the end in which a stage is followed.
    private static let (before, after): (Int64, Int64) = (1800, 3600)
    /// The maximum delay of a stage in seconds.
    private static let latest: Int64 = 4 * 3600
    /// The number of kilometres to go, and of seconds to the expected end, from which rankings change often.
    private static let (lastKilometres, lastSeconds): (Double, Int64) = (10, 900)
    static let language = "en"

    /// Returns all wishes at an instant, the most important first.
    static func wishes(at now: Instant, in context: RequestContext, entries: [Endpoint: RequestPlan.Entry])
        -> [RequestWish]
    {
        guard context.audience > .nobody else { return [] }
        let stages = context.stages.filter { $0.day != nil }
        guard let first = stages.compactMap(\.day).min(), let last = stages.compactMap(\.day).max() else {
            return [.stages, .teams, .competitors].map { RequestWish(endpoint: $0, pause: day) }
        }
        let today = self.today(at: now, context)
        let isPast = today > last + 1
        var wishes = isPast || today < first - 7 ? [] : live(at: now, in: context)
        // Before the season the start list changes daily too.
        let lastEnd = isPast ? stages.map(end(of:)).max() : nil
        wishes += [Endpoint.stages, .teams, .competitors].map {
            RequestWish(endpoint: $0, pause: isPast ? nil : day, since: lastEnd)
        }
        wishes += stages.filter { $0.day == today }.flatMap { stage in
            [
                RequestWish(endpoint: .checkpoints(stage: stage.number), pause: day),
                RequestWish(endpoint: .jerseys(stage: stage.number), pause: day),
            ]
        }
        let ridden = stages.filter { ($0.day ?? 0) < today || $0.day == today && isOver($0, at: now) }
        wishes += once(stages, ridden: ridden, today: today, last: last, entries)
        // The longest documents come last, and only once: finished stages have no news.
        wishes += ridden.reversed().map {
            RequestWish(endpoint: .ticker(language: language, stage: $0.number), since: end(of: $0))
        }
        var seen: Set<Endpoint> = []
        return wishes.filter { seen.insert($0.endpoint).inserted }
    }

    /// The day in the time zone of the stages.
    private static func today(at now: Instant, _ context: RequestContext) -> Int64 {
        CalendarDay(instant: now + Int64(context.stages.first?.offset ?? 7200)).number
    }

    /// Whether the time in which a stage is followed is over.
    private static func isOver(_ stage: CentreStage, at now: Instant) -> Bool {
        (stage.start ?? stage.finish) != nil && now >= end(of: stage)
    }

    private static func midnight(of stage: CentreStage) -> Instant {
        Instant((stage.day ?? 0) * day - Int64(stage.offset))
    }

    /// The end of the time in which a stage is followed. What was read before may be half of a document.
    private static func end(of stage: CentreStage) -> Instant {
        (stage.finish ?? stage.start.map { $0 + 8 * 3600 }).map { $0 + after } ?? midnight(of: stage) + day
    }

    /// Standings first, which the list of stages shows, then road books and jerseys, those of the last stage first; then
    /// the road books of coming stages.
    private static func once(
        _ stages: [CentreStage], ridden: [CentreStage], today: Int64, last: Int64,
        _ entries: [Endpoint: RequestPlan.Entry]
    ) -> [RequestWish] {
        var wishes: [RequestWish] = []
        let isPast = today > last + 1
        for (place, stage) in ridden.reversed().enumerated() {
            let isNewest = place == 0 && !isPast
            let rankings = Endpoint.rankings(stage: stage.number)
            // What has not been published yet may be published late, also after the race.
            let isMissing = today <= last + 7 && entries[rankings]?.isEmpty == true
            let end = RequestWish.end(of: stage)
            wishes.append(RequestWish(endpoint: rankings, pause: isNewest || isMissing ? day : nil, since: end))
            // The last stage is what the user looks at first.
            if isNewest {
                wishes.append(RequestWish(endpoint: .ticker(language: language, stage: stage.number), since: end))
            }
        }
        for stage in ridden.reversed() {
            let midnight = RequestWish.midnight(of: stage)
            wishes.append(RequestWish(endpoint: .checkpoints(stage: stage.number), since: midnight))
            wishes.append(RequestWish(endpoint: .jerseys(stage: stage.number), since: midnight))
        }
        for stage in stages where stage.day ?? 0 > today {
            let endpoint = Endpoint.checkpoints(stage: stage.number)
            wishes.append(RequestWish(endpoint: endpoint, pause: entries[endpoint]?.isEmpty == true ? 7 * day : nil))
        }
        return wishes
    }

    private static func live(at now: Instant, in context: RequestContext) -> [RequestWish] {
        context.stages.filter { isOn($0, at: now, context) }.flatMap { stage -> [RequestWish] in
            let isSeen = context.audience > .notifications
            func pause(_ pause: Int64) -> Int64 { isSeen ? pause : max(pause, slow) }
            var wishes = [RequestWish(endpoint: .insights(stage: stage.number), pause: pause(insights))]
            if context.audience == .livePage, stage.hasGroups {
                wishes.append(RequestWish(endpoint: .groups(stage: stage.number), pause: groups))
            }
            if let seconds = pauseOfRankings(stage, at: now, context) {
                wishes.append(RequestWish(endpoint: .rankings(stage: stage.number), pause: pause(seconds)))
            }
            let ticker = Endpoint.ticker(language: language, stage: stage.number)
            return wishes + [RequestWish(endpoint: ticker, pause: pause(self.ticker))]
        }
    }

    /// Returns the pause between requests of a stage's rankings, or `nil` before its start.
    ///
    /// On the way they have withdrawals, and the first of climbs and sprints; in time trials all that there is.
    private static func pauseOfRankings(_ stage: CentreStage, at now: Instant, _ context: RequestContext) -> Int64? {
        if let start = stage.start, now < start { return nil }
        return stage.isTimeTrial ? trial : isFinishing(stage, at: now, context) ? rankings : onTheWay
    }

    /// Whether a stage is under way: until an hour after its end, which is later than planned if the head is still
    /// known to be on the road.
    private static func isOn(_ stage: CentreStage, at now: Instant, _ context: RequestContext) -> Bool {
        guard !stage.isCancelled, let start = stage.start, now >= start - before else { return false }
        let planned = stage.finish ?? start + 8 * 3600
        return now < planned + after || isDelayed(at: now, context) && now < planned + latest
    }

    private static func isDelayed(at now: Instant, _ context: RequestContext) -> Bool {
        guard let km = context.kmToGo, km > 0, let at = context.kmToGoAt else { return false }
        return now.seconds(since: at) < 1200
    }

    /// Whether a stage is in its last kilometres, or ended less than an hour ago.
    private static func isFinishing(_ stage: CentreStage, at now: Instant, _ context: RequestContext) -> Bool {
        if let km = context.kmToGo, context.kmToGoAt ?? 0 > stage.start ?? 0,
            now.seconds(since: context.kmToGoAt ?? 0) < 1200
        {
            return km <= lastKilometres
        }
        return stage.finish.map { now >= $0 - lastSeconds } ?? false
    }
}
