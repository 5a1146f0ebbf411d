/// What a live report may contain.
extension RaceCheck {
    mutating func check(_ report: LiveReport, _ path: [String], _ name: String) {
        if report.instant == nil {
            fail(path + ["at"], "\(name): 'at' must be a time such as 2026-07-04T14:23:00+02:00")
        }
        if let time = report.finishTime, report.finishInstant == nil {
            fail(path + ["finish_time"], "\(name): '\(short(time))' is not a time")
        }
        check(
            [
                ("km_to_go", report.kmToGo, RaceLimits.isLength), ("speed", report.speed, RaceLimits.isSpeed),
                ("temperature", report.temperature, RaceLimits.isTemperature),
                ("wind", report.wind, RaceLimits.isSpeed), ("mean_speed", report.meanSpeed, RaceLimits.isSpeed),
                ("wind_direction", report.windDirection, RaceLimits.isDirection),
            ], path, name)
        let groups = report.groups ?? []
        if groups.count > LiveReport.maximumGroups {
            return fail(path + ["groups"], "\(name), groups: more than \(LiveReport.maximumGroups)")
        }
        for (group, place) in items(groups, "groups", path, name) { check(group, place.path, place.name) }
    }

    private mutating func check(_ group: LiveGroup, _ path: [String], _ name: String) {
        lengths([("name", group.name)], path, name)
        if let gap = group.gap, !RaceLimits.gaps.contains(gap) {
            fail(path + ["gap"], "\(name): \(gap) seconds is not a gap")
        }
        if let size = group.size, !RaceLimits.riderNumbers.contains(size) {
            fail(path + ["size"], "\(name): size is \(size)")
        }
        check(
            [("km_to_go", group.kmToGo, RaceLimits.isLength), ("speed", group.speed, RaceLimits.isSpeed)], path, name)
        check(place: group.place, path + ["lat_lon"], name)
        let riders = group.riders ?? []
        if riders.count > LiveReport.maximumRiders {
            return fail(path + ["riders"], "\(name), riders: more than \(LiveReport.maximumRiders)")
        }
        for (place, rider) in riders.enumerated() { know(rider, path + ["riders", "\(place)"], name) }
    }
}
