import RaceModel

extension RankingList {
    init?(_ record: JSONNode) {
        guard let code = record["type"]?.text(upTo: 10)?.lowercased() else { return nil }
        self.code = code
        checkpoint = record["checkpoint"]?.whole.ifSound((0...100_000).contains)
        km = record["length"]?.number.ifSound { $0.isBetween(0, 10_000) }
        isFinish = JSONItems.of(record["types"]).prefix(20).contains { $0.text(upTo: 10) == "A" }
        status = RankingStatus(code: record["status"]?.whole)
        timeLimit = record["timeLimit"]?.whole.ifSound(RankingList.milliseconds.contains)
        let first = record["firstCompetitorTime"]?.whole.ifSound { (1...20_000_000_000).contains($0) }
        firstTime = first.map { Instant(Int64($0)) }
        updatedAt = record.updatedAt ?? 0
        (rows, out) = ([], [])
        for item in JSONItems.of(record["rankings"]).prefix(RaceBounds.rows) {
            guard let row = Row(item) else { continue }
            if row.position > 0 { rows.append(row) } else if row.position < 0 { out.append(row) }
        }
        let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { $0.position <= $1.position }
        if !isOrdered {
            // Ties keep the order of the response.
            rows = rows.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
                .map(\.element)
        }
    }

    /// The times that a stage or race can last, in milliseconds.
    static let milliseconds = 0...3_000_000_000
}

extension RankingList.Row {
    init?(_ node: JSONNode) {
        var position: Int?
        (absolute, relative, bonus, penalty) = (0, 0, 0, 0)
        var reference: JSONNode?
        var bib: Int?
        var numbers = (absolute: 0, relative: 0, bonus: 0, penalty: 0)
        node.forEachMember { key, value in
            // One pass over the keys of a row, since a race has 25,000 rows.
            if key == "position" {
                position = value.whole
            } else if key == "bib" {
                bib = value.whole
            } else if key == "absolute" {
                numbers.absolute = value.whole ?? 0
            } else if key == "relative" {
                numbers.relative = value.whole ?? 0
            } else if key == "bonus" {
                numbers.bonus = value.whole ?? 0
            } else if key == "penality" {
                numbers.penalty = value.whole ?? 0
            } else if key == "$rider" {
                reference = value
            }
        }
        guard let position, (-100...100_000).contains(position) else { return nil }
        self.position = position
        if let bib, RaceBounds.bibs.contains(bib) { self.bib = bib }
        rider = self.bib == nil && reference != nil ? node.identifier("$rider") : nil
        guard self.bib != nil || rider != nil else { return nil }
        let limit = RankingList.milliseconds.upperBound
        absolute = numbers.absolute.limited(-limit, limit)
        relative = numbers.relative.limited(0, limit)
        bonus = numbers.bonus.limited(0, 600_000)
        penalty = numbers.penalty.limited(0, limit)
    }
}
