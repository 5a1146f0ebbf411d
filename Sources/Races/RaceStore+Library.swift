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
}

/// Reads the catalogue of known races, when it is needed. A library has one attached.
package struct KnownRaceReader: Sendable {
    package let read: @Sendable () -> KnownRaces

    package init(_ read: @escaping @Sendable () -> KnownRaces) { self.read = read }
}

extension KnownRaces {
    /// Returns the addresses to follow that a user means.
    ///
    /// - Parameter words: Web addresses, programs (`exec:…`), and names of races, which can have several words and a
    ///   year.
    /// - Throws: ``UnknownRace`` for a name that is none, or that several races share.
    package func addresses(of words: [String], today: CalendarDay) throws(UnknownRace) -> [String] {
        var addresses: [String] = []
        var name: [String] = []
        for word in words + [""] {
            let isAddress = KnownRaces.isAddress(word)
            if isAddress || word.isEmpty, !name.isEmpty {
                addresses += try editions(named: name, today).map(\.address)
                name = []
            }
            if isAddress { addresses.append(word) } else { name.append(word) }
        }
        return addresses
    }

    /// Whether a text is an address rather than the name of a race or a path.
    package static func isAddress(_ text: String) -> Bool {
        RaceSource.address(text) != nil || ProgramFeed.isOne(text) || text.hasPrefix(RaceEdition.scheme + ":")
    }

    /// Returns the one edition that all words name, or otherwise one for each name with its year.
    private func editions(named words: [String], _ today: CalendarDay) throws(UnknownRace) -> [RaceEdition] {
        let (year, month, day) = today.components
        let date = (year: year, day: MonthDay(month: month, day: day))
        var problem: UnknownRace
        do throws(UnknownRace) {
            return [try resolve(words.joined(separator: " "), today: date)]
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
        var editions: [RaceEdition] = []
        for name in names where names.count > 1 {
            do throws(UnknownRace) { editions.append(try resolve(name, today: date)) } catch { throw problem }
        }
        if editions.isEmpty { throw problem }
        return editions
    }
}
