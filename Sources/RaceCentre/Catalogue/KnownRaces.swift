import RaceModel
import WebAddresses

/// The catalogue of races that can be followed by name.
///
/// It comes from the bundled file `Assets/known-races.json`. A file of the user's in the same format adds races, and
/// replaces those with the same `id`.
package struct KnownRaces: Sendable {
    /// The races in the order of the files.
    package private(set) var races: [KnownRace] = []
    /// The races that can be followed.
    package var followable: [KnownRace] { races.filter { $0.obstacle == nil } }
    /// The address of Wikidata's query service, or of one that answers like it.
    package private(set) var wikidataService = "https://query.wikidata.org/sparql"
    /// What could not be read, a sentence each.
    package private(set) var problems: [String] = []

    private static let maximum = 1000

    package init(races: [KnownRace]) { self.races = races }

    /// Reads the bundled file and the user's.
    ///
    /// A race with an error is left out and reported in ``problems``; the others still apply.
    package init(bundled: [UInt8], user: [UInt8]? = nil) {
        add(bundled, from: "known-races.json")
        if let user { add(user, from: "sources.json") }
    }

    private mutating func add(_ bytes: [UInt8], from file: String) {
        guard let document = try? JSONDocument(bytes) else {
            return problems.append("\(file): invalid JSON")
        }
        let service = document.root["wikidata_service"]
        if let service { setService(service, from: file) }
        guard let list = document.root["races"], list.isArray else {
            if service == nil { problems.append("\(file): expected an array 'races'") }
            return
        }
        for (place, node) in list.items.enumerated() {
            guard races.count < KnownRaces.maximum else {
                return problems.append("\(file): more than \(KnownRaces.maximum) races")
            }
            switch KnownRace.read(node) {
            case .success(let race):
                if let index = races.firstIndex(where: { $0.id == race.id }) {
                    races[index] = race
                } else {
                    races.append(race)
                }
            case .failure(let failure):
                problems.append("\(file), item \(place + 1): \(failure.sentence)")
            }
        }
    }

    private mutating func setService(_ node: JSONNode, from file: String) {
        guard let text = node.text, let address = WebAddress(text), address.isWeb, address.host?.isEmpty == false,
            address.user == nil, address.query == nil, address.fragment == nil
        else { return problems.append("\(file): 'wikidata_service' is not a web address without a query") }
        wikidataService = address.text
    }

    /// Returns the edition with an address such as `aso:racecenter.letour.fr/2026`, or `nil` if no race has the host.
    package func edition(at address: String) -> RaceEdition? {
        let prefix = RaceEdition.scheme + ":"
        guard address.hasPrefix(prefix), let slash = address.lastIndex(of: "/"),
            let year = Int(address[address.index(after: slash)...]), RaceLimits.years.contains(year)
        else { return nil }
        return races.lazy.map { RaceEdition(race: $0, year: year) }.first { $0.address == address }
    }
}
