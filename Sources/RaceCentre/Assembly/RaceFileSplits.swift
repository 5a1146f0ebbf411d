/// A place on the way of a time trial, with the times there.
struct RaceFileSplit {
    var name: String?
    var km: Double
    var placings: [RaceFilePlacings.Placing]
}

extension EditionAssembler {
    /// Returns the times on the way of a time trial, or `nil` to keep those of the previous file.
    mutating func splits(ofStage number: Int) -> [RaceFileSplit]? {
        let lists = (parts.rankings[number]?.value?.splits ?? []).prefix(EditionAssembler.mostSplits)
        let length = parts.stages.value?.first { $0.number == number }?.length
        let book = parts.roadBooks[number]?.value
        let found = lists.compactMap { list -> RaceFileSplit? in
            guard let km = list.km, km < length ?? .infinity else { return nil }
            let place = book?.checkpoints.first { $0.number == list.checkpoint }?.place
            let placings = RaceFilePlacings(list, .results, roster: &roster).placings
            return RaceFileSplit(name: place.map(PlainText.name(fromCapitals:)), km: km, placings: placings)
        }
        guard !found.isEmpty else { return nil }
        // A list of the first riders only doesn't replace that of all.
        let before = JSONItems.of(previous.value("splits", ofStage: number)).map {
            JSONItems.of($0["placings"]).count
        }
        let status: RankingStatus = previous.isProvisional(stage: number) == false ? .official : .provisional
        let isBetter = RankingList.mayReplace(
            (count: before.max() ?? 0, status: status),
            with: (count: found.map(\.placings.count).max() ?? 0, status: lists.map(\.status).min() ?? .provisional))
        return isBetter ? found : nil
    }

    private static let mostSplits = 50

    func writeSplits(_ stage: RaceFileStage, _ writer: inout JSONWriter) {
        guard let splits = stage.splits else {
            if let node = previous.value("splits", ofStage: stage.number) { writer.member("splits", raw: node.raw) }
            return
        }
        writer.array("splits", splits) { writer, split in
            writer.object { writer in
                writer.member("name", split.name)
                writer.member("km", split.km)
                writer.placings("placings", split.placings)
            }
        }
    }
}
