import RaceModel

/// What remains of stored values without the numbers outside ``RaceLimits``.
extension StoredRace {
    static func sound(_ climb: Climb) -> Climb {
        var climb = climb
        climb.length = climb.length.ifSound(RaceLimits.isLength)
        climb.gradient = climb.gradient.ifSound(RaceLimits.isGradient)
        climb.elevation = climb.elevation.ifSound(RaceLimits.isElevation)
        return climb
    }

    static func sound(_ report: LiveReport) -> LiveReport {
        var report = report
        report.kmToGo = report.kmToGo.ifSound(RaceLimits.isLength)
        report.speed = report.speed.ifSound(RaceLimits.isSpeed)
        report.temperature = report.temperature.ifSound(RaceLimits.isTemperature)
        report.wind = report.wind.ifSound(RaceLimits.isSpeed)
        report.windDirection = report.windDirection.ifSound(RaceLimits.isDirection)
        report.meanSpeed = report.meanSpeed.ifSound(RaceLimits.isSpeed)
        report.groups = report.groups.map { groups in
            groups.prefix(LiveReport.maximumGroups).map { group in
                var group = group
                group.gap = group.gap.ifSound(RaceLimits.gaps.contains)
                group.kmToGo = group.kmToGo.ifSound(RaceLimits.isLength)
                group.speed = group.speed.ifSound(RaceLimits.isSpeed)
                group.size = group.size.ifSound(RaceLimits.riderNumbers.contains)
                group.place = group.place.ifSound(RaceLimits.isPlace)
                return group
            }
        }
        return report
    }
}
