import RaceModel

/// A rider to whom a document refers: the number, and the identifier of the rider's record.
struct RiderReference: Hashable, Sendable {
    var bib: Int?
    var rider: String?
}

/// A rider as a race centre lists them.
struct CentreRider: Hashable, Sendable {
    /// The record's identifier, to which other documents refer.
    var id: String
    var bib: Int?
    var firstName: String?
    /// The short form of the last name, which is the one to show.
    var lastName: String
    /// The country's code in capitals, as the IOC has it: `SUI`, `DEN`.
    var country: String?
    var team: String?
    var withdrawal: CentreWithdrawal?

    var name: String { (firstName.map { $0 + " " } ?? "") + lastName }

    init?(_ record: JSONNode) {
        guard let id = record.identifier("_id") ?? record["_virtual"]?.text(upTo: 200),
            let name = (record["lastnameshort"] ?? record["lastname"])?.text(upTo: 200)
        else { return nil }
        self.id = id
        lastName = PlainText.name(fromCapitals: name)
        bib = record["bib"]?.whole.ifSound(RaceBounds.bibs.contains)
        firstName = record["firstname"]?.text(upTo: 200).map(PlainText.name(fromCapitals:))
        country = record["nationality"]?.text(upTo: 20)?.uppercased()
        team = record.identifier("$team")
        withdrawal = record["withdrew"].flatMap { CentreWithdrawal(stage: $0["stage"]?.whole, code: $0["code"]?.whole) }
    }
}

/// When and why a rider left the race.
struct CentreWithdrawal: Hashable, Sendable {
    var stage: Int
    /// `DNF`, `OTL`, `DSQ`, `DNS`, or `nil` for unknown codes.
    var reason: String?

    init?(stage: Int?, code: Int?) {
        guard let stage, RaceLimits.stageNumbers.contains(stage) else { return nil }
        self.stage = stage
        reason = code.flatMap { CentreWithdrawal.reason(ofCode: $0) }
    }

    /// Returns the reason for a code, which rankings have as a negative position.
    static func reason(ofCode code: Int) -> String? {
        switch code {
        case -1: "DNF"
        case -2: "OTL"
        case -3: "DSQ"
        case -4: "DNS"
        default: nil
        }
    }
}

/// A team as a race centre lists it.
struct CentreTeam: Hashable, Sendable {
    var id: String
    /// The code of three letters.
    var code: String?
    /// The name, in capitals as the race centre has it.
    var name: String
    var country: String?

    init?(_ record: JSONNode) {
        guard let id = record.identifier("_id") ?? record["code"]?.text(upTo: 200),
            let name = (record["name"] ?? record["nameShort"])?.text(upTo: 200)
        else { return nil }
        self.id = id
        self.name = name
        code = record["code"]?.text(upTo: 20)
        country = record["nationality"]?.text(upTo: 20)?.uppercased()
    }
}

/// The riders and teams of an edition.
///
/// The list of riders contains the teams too, and every other response contains the riders and teams that it mentions.
struct CentreRoster: Hashable, Sendable {
    /// The riders, sorted by number.
    private(set) var riders: [CentreRider] = []
    /// The teams, sorted by name.
    private(set) var teams: [CentreTeam] = []
    private var byID: [String: Int] = [:]
    private var byBib: [Int: Int] = [:]

    init() {}

    /// Reads the riders and teams in any response.
    ///
    /// - Parameters:
    ///   - riderBind: The bind of riders, such as `allCompetitors-2026`.
    ///   - teamBind: The bind of teams, such as `team-2026`.
    init(_ body: [UInt8], riderBind: String, teamBind: String) throws(CentreFailure) {
        let records = try CentreRecords(body)
        riders = records.of(riderBind).reading(atMost: RaceBounds.riders) { CentreRider($0) }
        teams = records.of(teamBind).reading(atMost: RaceBounds.teams) { CentreTeam($0) }
        arrange()
    }

    var isEmpty: Bool { riders.isEmpty && teams.isEmpty }

    /// Sorts the lists, removes duplicates and creates the indexes.
    private mutating func arrange() {
        var seen: Set<String> = []
        riders = riders.filter { seen.insert($0.id).inserted }
            .sorted { ($0.bib ?? .max, $0.lastName, $0.id) < ($1.bib ?? .max, $1.lastName, $1.id) }
        seen = []
        teams = teams.filter { seen.insert($0.id).inserted }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        byID = Dictionary(riders.enumerated().map { ($1.id, $0) }) { first, _ in first }
        // Of two riders with one number the one who is still in the race has it.
        byBib = [:]
        for (index, rider) in riders.enumerated() {
            guard let bib = rider.bib else { continue }
            if let other = byBib[bib], riders[other].withdrawal == nil { continue }
            byBib[bib] = index
        }
    }

    /// Returns the rider to whom a row refers, by identifier, or else by number.
    func rider(id: String?, bib: Int?) -> CentreRider? {
        (id.flatMap { byID[$0] } ?? bib.flatMap { byBib[$0] }).map { riders[$0] }
    }

    func team(id: String?) -> CentreTeam? { id.flatMap { id in teams.first { $0.id == id } } }

    /// Adds the riders and teams of another response. Its records replace those with the same identifier.
    mutating func merge(_ other: CentreRoster) {
        riders = Array((other.riders + riders).prefix(2 * RaceBounds.riders))
        teams = Array((other.teams + teams).prefix(2 * RaceBounds.teams))
        arrange()
        riders = Array(riders.prefix(RaceBounds.riders))
        teams = Array(teams.prefix(RaceBounds.teams))
        arrange()
    }
}
