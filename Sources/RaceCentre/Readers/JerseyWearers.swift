import RaceModel

/// Who leads the classifications and who wears their jerseys during a stage.
///
/// A rider who leads several classifications wears only one jersey; the next rider of the list wears the other.
struct JerseyWearers: Hashable, Sendable {
    /// The wearers and leaders by standing: general, points, mountain and youth.
    private(set) var wearers: [Classification: RiderReference] = [:]
    private(set) var leaders: [Classification: RiderReference] = [:]

    private static let codes: [String: Classification] = [
        "pmt": .general, "pmp": .points, "pmm": .mountain, "pmj": .youth,
    ]
    /// The penalty that marks who leads but wears another jersey.
    private static let elsewhere = 999

    /// Reads who wears the jerseys in a stage. The response of a stage has those of this stage.
    init(_ body: [UInt8], bind: String) throws(CentreFailure) {
        for record in try CentreRecords(body).wanted(bind).prefix(RaceBounds.rankings) {
            guard let list = RankingList(record), let standing = JerseyWearers.codes[list.code] else { continue }
            let wearer = list.rows.first { $0.penalty != JerseyWearers.elsewhere }
            let leader = list.rows.first { $0.penalty == JerseyWearers.elsewhere } ?? wearer
            wearers[standing] = wearer?.who
            leaders[standing] = leader?.who
        }
    }

    var isEmpty: Bool { wearers.isEmpty }
}
