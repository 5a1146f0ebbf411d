import FeedParsing

/// The winner of an edition of a race, as Wikidata knows it.
package struct PastWinner: Hashable, Sendable {
    /// The item of the edition.
    package var edition: WikidataItem
    package var year: Int
    package var name: String
    package var team: String?

    /// The result that says which classification was won: the general one of a race.
    static let generalWinner = WikidataItem("Q20882667")

    /// Reads the answer to ``WikidataQuery/winners(_:)``.
    ///
    /// - Returns: The winners, the newest edition first, at most one for each edition. Winners without a name are left
    ///   out.
    package static func read(_ body: [UInt8]) throws(CentreFailure) -> [PastWinner] {
        var drafts: [WikidataItem: Draft] = [:]
        for row in try SPARQLResults(body, wanted: "who").rows {
            guard let item = row.item("item") else { continue }
            drafts[item, default: Draft()].add(row)
        }
        return drafts.compactMap { item, draft in draft.winner(of: item) }
            .sorted { ($1.year, $1.edition) < ($0.year, $0.edition) }
    }

    private struct Draft {
        private var year: Int?
        /// The winners by the trust in them: who won the general classification, who leads it, who won something.
        private var named, leading, other: (item: WikidataItem?, name: String)?
        private var teams: [WikidataItem: String] = [:]

        mutating func add(_ row: SPARQLRow) {
            let day = row.day("first") ?? row.day("day")
            year = year ?? day?.year ?? row.name("itemLabel").flatMap { EditionNaming.year(in: $0) }
            let who = row.item("who")
            if let who, let team = row.name("teamLabel"), teams[who] == nil { teams[who] = team }
            guard let name = row.name("whoLabel") else { return }
            if row.word("list") == WikidataList.general.rawValue {
                if row.whole("rank") == 1 { leading = leading ?? (who, name) }
            } else if let result = row.item("result") {
                if result == PastWinner.generalWinner { named = named ?? (who, name) }
            } else {
                other = other ?? (who, name)
            }
        }

        func winner(of edition: WikidataItem) -> PastWinner? {
            guard let year, let winner = named ?? leading ?? other else { return nil }
            let team = winner.item.flatMap { teams[$0] }.flatMap { EditionNaming.without(year, in: $0) }
            return PastWinner(edition: edition, year: year, name: winner.name, team: team)
        }
    }
}
