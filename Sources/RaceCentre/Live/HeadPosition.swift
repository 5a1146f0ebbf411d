import RaceModel

/// How far the head of a race has to go, as last reported. It is never extrapolated.
package struct HeadPosition: Hashable, Sendable {
    package var kmToGo: Double
    /// The instant of the report.
    package var instant: Instant
}

extension EditionParts {
    /// Returns the position of the head from the groups, or from the insights if the groups are outdated or missing.
    package func head(of stage: CentreStage, at now: Instant) -> HeadPosition? {
        func isRecent(_ instant: Instant) -> Bool { Freshness(age: now.seconds(since: instant)) != .old }
        if let groups = groups[stage.number]?.value, let km = groups.groups.first?.kmToGo, isRecent(groups.at) {
            return HeadPosition(kmToGo: km, instant: groups.at)
        }
        guard let insights = insights[stage.number]?.value, let km = insights.km, let length = stage.length,
            let instant = insights.passedOn, isRecent(instant)
        else { return nil }
        return HeadPosition(kmToGo: max(0, length - km), instant: instant)
    }
}
