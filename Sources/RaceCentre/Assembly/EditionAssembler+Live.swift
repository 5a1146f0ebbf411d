import RaceModel

extension EditionAssembler {
    /// Returns the state of a stage, from the groups and insights or else from the previous version.
    ///
    /// - Parameter before: The state in the previous version.
    mutating func liveReport(_ stage: CentreStage?, _ number: Int, _ before: LiveReport?) -> LiveReport? {
        // Riders whom nobody has listed appear in the race even if their groups are outdated.
        let riders = (parts.groups[number]?.value?.groups ?? []).map { group in
            group.members.compactMap { roster.key(bib: $0.bib, id: $0.rider) }
        }
        let (groups, insights) = (groups(number), parts.insights[number]?.value)
        // Another program may have read the groups. Its state has more than the insights alone.
        let hadGroups = before.map { hasGroups($0, number) } ?? false
        guard groups != nil || insights?.passedOn != nil && !hadGroups else { return before.map(kept) }
        // The groups have the instant of the race; the insights only that at which they were passed on.
        let offset = groups?.offset ?? stage?.offset ?? 0
        let first = groups?.groups.first
        var report = LiveReport(at: (groups?.at ?? insights?.passedOn).map { CentreTime.text($0, offset: offset) })
        report.kmToGo = groups == nil ? kmToGo(insights, of: stage) : first?.kmToGo
        report.speed = first?.speed ?? (groups == nil ? insights?.meanSpeed : nil)
        report.temperature = insights?.weather.temperature
        report.wind = insights?.weather.wind
        report.windDirection = insights?.weather.windDirection
        report.meanSpeed = insights?.meanSpeed
        report.groups =
            zip(groups?.groups ?? [], riders).map { group, riders in
                LiveGroup(
                    name: group.name, gap: group.gap, kmToGo: group.kmToGo, speed: group.speed, size: group.size,
                    riders: riders.nonEmpty, place: group.coordinates?.degrees)
            }.nonEmpty
        return report
    }

    /// Returns how far the head of the race has to go according to the insights, to the metre.
    private func kmToGo(_ insights: CentreInsights?, of stage: CentreStage?) -> Double? {
        guard let km = insights?.km, let length = stage?.length else { return nil }
        return (max(0, length - km) * 1000).rounded() / 1000
    }

    /// Returns the groups of a stage, or `nil` if they are outdated.
    private func groups(_ stage: Int) -> RaceGroups? {
        parts.groups[stage]?.value.flatMap { isOutdated($0.at, stage) ? nil : $0 }
    }

    /// Whether a state of the previous version has groups that are not outdated.
    private func hasGroups(_ report: LiveReport, _ stage: Int) -> Bool {
        report.groups?.isEmpty == false && report.instant.map { !isOutdated($0, stage) } ?? true
    }

    /// Whether the insights have a much later position of the race than groups of some instant.
    ///
    /// Groups are only requested while a live page has focus.
    private func isOutdated(_ groups: Instant, _ stage: Int) -> Bool {
        guard let insights = parts.insights[stage]?.value, insights.km != nil, let at = insights.passedOn else {
            return false
        }
        return Freshness(age: at.seconds(since: groups)) == .old
    }

    /// Returns the state of the previous version. A library has the names of riders instead of their keys.
    private func kept(_ report: LiveReport) -> LiveReport {
        var report = report
        report.groups =
            report.groups?.map { group in
                var group = group
                group.riders = group.riders?.compactMap(roster.key(ofPrevious:)).nonEmpty
                return group
            }.nonEmpty
        return report
    }
}
