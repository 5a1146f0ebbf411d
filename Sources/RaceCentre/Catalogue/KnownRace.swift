import RaceModel
import WebAddresses

/// A race that can be followed by its name.
package struct KnownRace: Hashable, Sendable, Identifiable {
    /// The name in commands and files, such as `tour-de-france`.
    package var id: String
    /// The race's name by language code. There is always one for `en`.
    var names: [String: String]
    /// Other words for the race, such as `tdf`.
    var words: [String]
    /// The address of the race centre without a path, such as `https://racecenter.letour.fr`.
    package var base: String
    /// The address of the race's site, to which relative links and articles refer.
    var site: String?
    /// The kind of race: `grand tour`, `stage race`, `classic` or other words.
    var kind: String?
    var isWomens: Bool
    package var country: String?
    var jerseys: [Jersey]
    /// The usual first day, as month and day.
    var start: MonthDay
    /// The months in which the race usually takes place, from 1 to 12.
    var months: [Int]
    /// Whether the race has several stages.
    package var hasStages: Bool
    /// The years of which the race centre has data.
    package var years: ClosedRange<Int>
    /// The year of edition 0, from which the number of an edition follows if none was left out.
    var foundingYear: Int?
    /// The names of binds that differ from the usual ones, by the usual name.
    var binds: [String: String]
    /// The item of the race in Wikidata.
    package var wikidata: WikidataItem?
    /// Why the race can't be followed, or `nil` if it can.
    var obstacle: String?

    /// The English name.
    package var name: String { names["en"] ?? id }

    /// The host of the race centre, with the port if it is unusual.
    package var host: String { WebAddress(base)?.authority ?? base }

    /// The name of the leader's jersey.
    var leaderJersey: String? { jerseys.first { $0.classification == "general" }?.name }
}

/// A month and a day in it.
package struct MonthDay: Hashable, Comparable, Sendable {
    var month: Int
    var day: Int

    package init(month: Int, day: Int) {
        self.month = month
        self.day = day
    }

    /// Parses `07-04`.
    init?(_ text: String) {
        let parts = text.split(separator: "-").map { Int($0) }
        guard parts.count == 2, let month = parts[0], let day = parts[1], (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        self.init(month: month, day: day)
    }

    package static func < (left: MonthDay, right: MonthDay) -> Bool {
        (left.month, left.day) < (right.month, right.day)
    }
}

/// A race in a year.
package struct RaceEdition: Hashable, Sendable {
    package var race: KnownRace
    var year: Int

    package init(race: KnownRace, year: Int) {
        self.race = race
        self.year = year
    }

    /// The address under which a followed edition is stored: `aso:racecenter.letour.fr/2026`.
    package var address: String {
        let isUsual = race.base == "https://" + race.host
        return "\(RaceEdition.scheme):\(isUsual ? race.host : race.base)/\(year)"
    }

    /// Where the data come from, to show before a race is followed and beside its data.
    package static let credit = "data: A.S.O."
    package static let notice =
        "from the organiser's race centre, which is undocumented and may end any day; for personal use"

    /// The scheme of ``address``.
    package static let scheme = "aso"
}
