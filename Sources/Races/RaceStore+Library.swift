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
    package func raceAddresses(
        of words: [String], known: KnownRaces, today: CalendarDay
    ) throws(UnknownRace) -> [String] {
        try known.addresses(of: words, today: today) { name in
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
        of words: [String], today: CalendarDay, calendar: (String) -> [SeasonRace] = { _ in [] }
    ) throws(UnknownRace) -> [String] {
        var addresses: [String] = []
        var name: [String] = []
        for word in words + [""] {
            let isAddress = KnownRaces.isAddress(word)
            if isAddress || word.isEmpty, !name.isEmpty {
                addresses += try editions(named: name, today, calendar)
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

    /// Returns the address of the edition that words name, in the catalogue or else in the calendar.
    private func address(
        of words: String, _ today: CalendarDay, _ calendar: (String) -> [SeasonRace]
    ) throws(UnknownRace) -> String {
        let (year, month, day) = today.components
        do throws(UnknownRace) {
            return try resolve(words, today: (year: year, day: MonthDay(month: month, day: day))).address
        } catch {
            let found = calendar(words)
            if let address = found.first?.address, found.count == 1 { return address }
            if case .noSuchRace = error, found.count > 1 {
                throw .severalRaces(words, names: found.prefix(8).map(\.name))
            }
            throw error
        }
    }

    /// Returns the address of the one edition that all words name, or otherwise one for each name with its year.
    private func editions(
        named words: [String], _ today: CalendarDay, _ calendar: (String) -> [SeasonRace]
    ) throws(UnknownRace) -> [String] {
        var problem: UnknownRace
        do throws(UnknownRace) {
            return [try address(of: words.joined(separator: " "), today, calendar)]
        } catch {
            problem = error
        }
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
            do throws(UnknownRace) { addresses.append(try address(of: name, today, calendar)) } catch { throw problem }
        }
        if addresses.isEmpty { throw problem }
        return addresses
    }
}
