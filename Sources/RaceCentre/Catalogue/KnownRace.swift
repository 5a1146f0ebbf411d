import FeedParsing
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

    var leaderJersey: String? { jerseys.first { $0.classification == "general" }?.name }
}

extension KnownRace {
    /// The year to whose weekdays ``start`` refers.
    private static let yearOfStart = 2026

    /// Returns the days on which an edition usually takes place: it begins on the same day of the week every year.
    func usualDays(in year: Int) -> (first: CalendarDay, last: CalendarDay) {
        let day = { CalendarDay(year: $0, month: start.month, day: min(start.day, 28)) ?? CalendarDay(number: 0) }
        let late = Int64(max(0, start.day - 28))
        let (reference, same) = (day(KnownRace.yearOfStart) + late, day(year) + late)
        // The nearest day with the same weekday.
        var shift = Int64(reference.weekday - same.weekday)
        if shift > 3 { shift -= 7 }
        if shift < -3 { shift += 7 }
        let first = same + shift
        return (first, first + (kind == "grand tour" ? 22 : hasStages ? 8 : 0))
    }
}

/// An edition that is over, before the next begins.
package struct FinishedEdition: Hashable, Sendable {
    package let race: KnownRace
    package let year: Int
    let nextStart: CalendarDay

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// A sentence such as "Tour de France 2026 is over; 2027 starts on 3 July."
    package var sentence: String {
        let (_, month, day) = nextStart.components
        return "\(race.name) \(year) is over; \(year + 1) starts on \(day) \(FinishedEdition.months[(month - 1) % 12])."
    }
}

/// A month and a day in it.
package struct MonthDay: Hashable, Sendable {
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
