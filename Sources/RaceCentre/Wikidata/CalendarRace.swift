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
        var drafts: [WikidataItem: WikidataPartDraft] = [:]
        for row in try SPARQLResults(body, wanted: "item").rows {
            guard let item = row.item("item") else { continue }
            drafts[item, default: WikidataPartDraft(isEdition: true)].addFacts(row)
        }
        return drafts.compactMap { item, draft in CalendarRace(item, draft, season: year) }
            .sorted { ($0.firstDay, $0.name, $0.item) < ($1.firstDay, $1.name, $1.item) }
    }

    private init?(_ item: WikidataItem, _ draft: WikidataPartDraft, season year: Int) {
        guard let first = draft.first, let last = draft.last, first.year == year,
            CalendarRace.lengths.contains(last.number - first.number)
        else { return nil }
        let naming = EditionNaming(label: draft.label, year: year, kinds: draft.kinds, divisions: draft.divisions)
        guard let name = naming.name, !naming.isOther, naming.grade?.hasPrefix("1") != true else { return nil }
        self.init(
            item: item, name: name, firstDay: first, lastDay: last, kind: naming.kind, country: draft.country,
            edition: draft.edition, series: naming.series)
    }
}
