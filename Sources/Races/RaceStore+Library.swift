import FeedParsing
import Feeds
import Fetching
import LibraryKernel
import RaceCentre

extension Library {
    /// Reads races.
    package var races: RaceStore { RaceStore(store: store) }

    /// The races that can be followed by name.
    package var knownRaces: KnownRaces { attachment(KnownRaceReader.self)?.read() ?? KnownRaces(races: []) }

    /// Returns the addresses to follow that a user means by addresses, programs and names, those in the catalogue and
    /// those in the calendar.
    ///
    /// - Parameter wantsNext: Whether a name means the next edition instead of one that is over.
    package func raceAddresses(
        of words: [String], known: KnownRaces, today: CalendarDay,
        wantsNext: (FinishedEdition) -> Bool = { _ in false }
    ) throws(UnknownRace) -> [String] {
        try known.addresses(
            of: words, today: today, days: { try? races.days(of: $0, year: $1) }, wantsNext: wantsNext
        ) { name in
            (try? races.calendarRaces(named: name, year: today.year)) ?? []
        }
    }
}

/// Reads the catalogue of known races, when it is needed. A library has one attached.
package struct KnownRaceReader: Sendable {
    let read: @Sendable () -> KnownRaces

    package init(_ read: @escaping @Sendable () -> KnownRaces) { self.read = read }
}

extension KnownRaces {
    /// Returns the addresses to follow that a user means.
    ///
    /// - Parameters:
    ///   - words: Web addresses, programs (`exec:…`), and names of races, which can have several words and a year.
    ///   - calendar: Returns the races of the calendar that words name. They count where the catalogue has none.
    /// - Throws: ``UnknownRace`` for a name that is none, or that several races share.
    func addresses(
        of words: [String], today: CalendarDay,
        days: (KnownRace, Int) -> (first: CalendarDay, last: CalendarDay)? = { _, _ in nil },
        wantsNext: (FinishedEdition) -> Bool = { _ in false }, calendar: (String) -> [SeasonRace] = { _ in [] }
    ) throws(UnknownRace) -> [String] {
        let (year, month, day) = today.components
        let date = (year: year, day: MonthDay(month: month, day: day))
        /// Returns the address of the edition that words name, in the catalogue or else in the calendar.
        func address(of words: String) throws(UnknownRace) -> String {
            do throws(UnknownRace) {
                return try resolve(words, today: date, days: days, wantsNext: wantsNext).address
            } catch {
                let found = calendar(words)
                if let address = found.first?.address, found.count == 1 { return address }
                if case .noSuchRace = error, found.count > 1 {
                    throw .severalRaces(words, names: found.prefix(8).map(\.name))
                }
                throw error
            }
        }
        var addresses: [String] = []
        var name: [String] = []
        for word in words + [""] {
            let isAddress = KnownRaces.isAddress(word)
            if isAddress || word.isEmpty, !name.isEmpty {
                addresses += try KnownRaces.editions(named: name, address)
                name = []
            }
            if isAddress { addresses.append(word) } else { name.append(word) }
        }
        return addresses
    }

    /// Whether a text is an address rather than the name of a race or a path.
    package static func isAddress(_ text: String) -> Bool {
        RaceSource.address(text) != nil || ProgramFeed.isOne(text) || text.hasPrefix(RaceEdition.scheme + ":")
            || text.hasPrefix(WikidataItem.scheme)
    }

    /// Returns the address of the one edition that all words name, or otherwise one for each name with its year.
    private static func editions(
        named words: [String], _ address: (String) throws(UnknownRace) -> String
    ) throws(UnknownRace) -> [String] {
        let problem: UnknownRace
        do throws(UnknownRace) { return [try address(words.joined(separator: " "))] } catch { problem = error }
        var names: [String] = []
        for word in words {
            if let last = names.last, Int(word) != nil {
                names[names.count - 1] = last + " " + word
            } else {
                names.append(word)
            }
        }
        var addresses: [String] = []
        for name in names where names.count > 1 {
            do throws(UnknownRace) { addresses.append(try address(name)) } catch { throw problem }
        }
        if addresses.isEmpty { throw problem }
        return addresses
    }
}
