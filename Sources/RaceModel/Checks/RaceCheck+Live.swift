/// What a live report may contain.
extension RaceCheck {
    mutating func check(_ report: LiveReport, _ path: [String], _ name: String) {
        if report.instant == nil {
            fail(path + ["at"], "\(name): 'at' must be a time such as 2026-07-04T14:23:00+02:00")
        }
        if let time = report.finishTime, report.finishInstant == nil {
            fail(path + ["finish_time"], "\(name): '\(short(time))' is not a time")
        }
        let numbers: [(String, Double?, (Double) -> Bool)] = [
            ("km_to_go", report.kmToGo, RaceLimits.isLength), ("speed", report.speed, RaceLimits.isSpeed),
            ("temperature", report.temperature, RaceLimits.isTemperature), ("wind", report.wind, RaceLimits.isSpeed),
            ("mean_speed", report.meanSpeed, RaceLimits.isSpeed),
            ("wind_direction", report.windDirection, RaceLimits.isDirection),
        ]
        for (key, number, isSound) in numbers {
            if let number, !isSound(number) { fail(path + [key], "\(name): \(key) is \(number)") }
        }
        let groups = report.groups ?? []
        if groups.count > LiveReport.maximumGroups {
            return fail(path + ["groups"], "\(name), groups: more than \(LiveReport.maximumGroups)")
        }
        for (place, group) in groups.enumerated() {
            check(group, path + ["groups", "\(place)"], "\(name), groups, item \(place + 1)")
        }
    }

    private mutating func check(_ group: LiveGroup, _ path: [String], _ name: String) {
        lengths([("name", group.name)], path, name)
        if let gap = group.gap, !RaceLimits.gaps.contains(gap) {
            fail(path + ["gap"], "\(name): \(gap) seconds is not a gap")
        }
        if let size = group.size, !RaceLimits.riderNumbers.contains(size) {
            fail(path + ["size"], "\(name): size is \(size)")
        }
        for (key, number, isSound) in [
            ("km_to_go", group.kmToGo, RaceLimits.isLength), ("speed", group.speed, RaceLimits.isSpeed),
        ] {
            if let number, !isSound(number) { fail(path + [key], "\(name): \(key) is \(number)") }
        }
        if let place = group.place, !RaceLimits.isPlace(place) {
            fail(path + ["lat_lon"], "\(name): \(short("\(place.prefix(4))")) is not a latitude and a longitude")
        }
        let riders = group.riders ?? []
        if riders.count > LiveReport.maximumRiders {
            return fail(path + ["riders"], "\(name), riders: more than \(LiveReport.maximumRiders)")
        }
        for (place, rider) in riders.enumerated() { know(rider, path + ["riders", "\(place)"], name) }
    }
}
