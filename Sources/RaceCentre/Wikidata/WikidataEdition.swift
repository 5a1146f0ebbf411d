import FeedParsing
import RaceModel

/// An edition of a race with its stages and results, as Wikidata knows it.
package struct WikidataEdition: Hashable, Sendable {
    struct Rank: Hashable, Sendable {
        var place: Int
        /// The rider or the team; `nil` for people without an item.
        var who: WikidataItem?
        var name: String
        var team: String?
        /// The time and the gap in seconds.
        var time, gap: Int?
        var points: Double?
    }

    /// A stage, or the whole edition.
    struct Part: Hashable, Sendable {
        var item: WikidataItem?
        /// The number in the race; `nil` for the edition and for what is not numbered.
        var number: Int?
        var day: CalendarDay?
        var start, finish: String?
        /// The length in kilometres.
        var length: Double?
        var kind: CentreStage.Kind?
        var lists: [Classification: [Rank]] = [:]
        /// The names of who won the stage and who led the race after it.
        var winner, leader: String?

        fileprivate var order: (Int64, Int, String) {
            (day?.number ?? .max, number ?? .max, item?.description ?? "")
        }
    }

    let item: WikidataItem
    let name: String
    let year: Int
    let number: Int?
    let country: String?
    let kind: String?
    /// The item of the race whose edition this is.
    let series: WikidataItem?
    /// The stages in order. A day on which no stage is known has one without towns, as long as fewer than half of the
    /// stages are known.
    let stages: [Part]
    let finals: [Classification: [Rank]]

    /// The maximum number of days of an edition.
    private static let longest: Int64 = 40

    /// Reads the answer to ``WikidataQuery/edition(_:)``.
    ///
    /// - Returns: `nil` if neither a name with a year nor days or stages are known.
    package static func read(_ body: [UInt8], item: WikidataItem) throws(CentreFailure) -> WikidataEdition? {
        var drafts: [WikidataItem: WikidataPartDraft] = [:]
        for row in try SPARQLResults(body, wanted: "list").rows {
            guard let part = row.item("item") else { continue }
            drafts[part, default: WikidataPartDraft(isEdition: part == item)].add(row)
        }
        guard let edition = drafts.removeValue(forKey: item) else { return nil }
        return WikidataEdition(edition, item, Array(drafts.values.compactMap(\.stage)))
    }

    private init?(_ draft: WikidataPartDraft, _ item: WikidataItem, _ found: [Part]) {
        let days = WikidataEdition.days(draft, found)
        guard let year = days?.lowerBound.year ?? draft.yearInLabel else { return nil }
        let naming = EditionNaming(label: draft.label, year: year, kinds: draft.kinds, divisions: draft.divisions)
        guard let name = naming.name else { return nil }
        self.item = item
        self.name = name
        self.year = year
        number = draft.edition
        country = draft.country
        kind = naming.kind
        series = naming.series
        finals = draft.finalLists
        stages = WikidataEdition.numbered(found, days)
        if stages.isEmpty { return nil }
    }

    /// Returns the days from the first to the last, or `nil` if they are unknown or too many.
    private static func days(_ draft: WikidataPartDraft, _ stages: [Part]) -> ClosedRange<CalendarDay>? {
        let known = stages.compactMap(\.day)
        guard let first = draft.first ?? draft.day ?? known.min(), let last = draft.last ?? draft.day ?? known.max(),
            first <= last, last.number - first.number <= longest
        else { return nil }
        return first...last
    }

    /// Returns the stages in order with different numbers, and one for each day without a stage if most are missing.
    private static func numbered(_ found: [Part], _ days: ClosedRange<CalendarDay>?) -> [Part] {
        var stages = found.filter { stage in
            guard let day = stage.day, let days else { return true }
            return days.contains(day)
        }
        if let days {
            let count = days.upperBound.number - days.lowerBound.number + 1
            if Int64(stages.count) * 2 < count {
                let ridden = Set(stages.compactMap(\.day))
                stages = stages.filter { $0.day != nil }
                for number in days.lowerBound.number...days.upperBound.number {
                    let day = CalendarDay(number: number)
                    if !ridden.contains(day) { stages.append(Part(day: day)) }
                }
            }
        }
        stages.sort { $0.order < $1.order }
        stages = Array(stages.prefix(RaceBounds.stages))
        let numbers = stages.compactMap(\.number)
        guard numbers.count < stages.count || Set(numbers).count < numbers.count else {
            return stages.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        }
        let zero = stages.first?.number == 0 ? 0 : 1
        for index in stages.indices { stages[index].number = index + zero }
        return stages
    }
}
