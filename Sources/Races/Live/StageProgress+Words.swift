import RaceModel

extension StageProgress {
    /// The remaining distance and the gap of the peloton, such as `47 km · P +1:24`, or `nil` if the stage isn't under way
    /// or its position is unknown.
    package var words: String? {
        guard phase == .underWay, let kilometresToGo else { return nil }
        let gap = pelotonGap.map { " · P +" + RaceTime.text($0) } ?? ""
        return "\(Int(clamping: kilometresToGo.rounded(.up))) km\(gap)"
    }
}
