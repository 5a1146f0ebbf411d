import FeedParsing

/// A stage race in the calendar of a season, as Wikidata lists it.
package struct CalendarRace: Hashable, Sendable {
    /// The item of the edition.
    package var item: WikidataItem
    /// The name without the year.
    package var name: String
    package var firstDay: CalendarDay
    package var lastDay: CalendarDay
    /// The kind in words, such as `women, 2.WWT`.
    package var kind: String?
    package var country: String?
    /// The number of the edition.
    package var edition: Int?
    /// The item of the race whose edition this is.
    package var series: WikidataItem?

    package init(
        item: WikidataItem, name: String, firstDay: CalendarDay, lastDay: CalendarDay, kind: String? = nil,
        country: String? = nil, edition: Int? = nil, series: WikidataItem? = nil
    ) {
        self.item = item
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
        self.kind = kind
        self.country = country
        self.edition = edition
        self.series = series
    }

    /// The valid numbers of days from the first to the last day. Seasons and teams also have a start and an end.
    private static let lengths: ClosedRange<Int64> = 1...40

    /// Reads the answer to ``WikidataQuery/season(_:)``.
    ///
    /// Rows of the same item are merged; of different values the first one counts.
    ///
    /// - Returns: The races that start in the year, by day. Items without a name or with impossible days are left out.
    package static func read(_ body: [UInt8], season year: Int) throws(CentreFailure) -> [CalendarRace] {
        var drafts: [WikidataItem: Draft] = [:]
        for row in try SPARQLResults(body, wanted: "item").rows {
            guard let item = row.item("item") else { continue }
            drafts[item, default: Draft()].add(row)
        }
        return drafts.compactMap { item, draft in draft.race(item, season: year) }
            .sorted { ($0.firstDay, $0.name, $0.item) < ($1.firstDay, $1.name, $1.item) }
    }

    private struct Draft {
        var label, country: String?
        var first, last: CalendarDay?
        var edition: Int?
        var kinds: Set<EditionNaming.Kind> = []
        var divisions: Set<WikidataItem> = []

        mutating func add(_ row: SPARQLRow) {
            label = label ?? row.name("itemLabel")
            country = country ?? row.name("landLabel")
            first = first ?? row.day("first")
            last = last ?? row.day("last")
            edition = edition ?? row.whole("edition", in: 1...9999)
            if let type = row.item("type") { kinds.insert(.init(item: type, label: row.name("typeLabel"))) }
            if let division = row.item("division") { divisions.insert(division) }
        }

        func race(_ item: WikidataItem, season year: Int) -> CalendarRace? {
            guard let first, let last, first.year == year, CalendarRace.lengths.contains(last.number - first.number)
            else { return nil }
            let naming = EditionNaming(label: label, year: year, kinds: kinds, divisions: divisions)
            guard let name = naming.name, !naming.isOther, naming.grade?.hasPrefix("1") != true else { return nil }
            return CalendarRace(
                item: item, name: name, firstDay: first, lastDay: last, kind: naming.kind, country: country,
                edition: edition, series: naming.series)
        }
    }
}
