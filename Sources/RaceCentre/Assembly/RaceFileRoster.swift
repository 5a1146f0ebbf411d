/// The riders and teams of a race file.
///
/// A race file names only riders whom it lists. So riders that the race centre mentions without listing them get an entry
/// with their number, and those of the previous file stay.
struct RaceFileRoster {
    struct Rider {
        /// The identifier in the file: the number if there is one.
        var key: String
        var name: String
        var number: Int?
        var country: String?
        var team: String?
    }

    private(set) var riders: [Rider] = []
    private var index: [String: Int] = [:]
    private let source: CentreRoster
    /// The keys of riders by the number or identifier that rows have.
    private var keys: [Int: String] = [:]

    init(_ source: CentreRoster, previous: PreviousRace) {
        self.source = source
        for rider in source.riders {
            let owner = source.rider(id: nil, bib: rider.bib)
            let key = rider.bib.flatMap { owner?.id == rider.id ? String($0) : nil } ?? rider.id
            add(
                Rider(
                    key: key, name: rider.name, number: rider.bib, country: rider.country,
                    team: source.team(id: rider.team)?.name))
        }
        for node in JSONItems.of(previous.value("riders")).prefix(2000) {
            guard let name = node["name"]?.text else { continue }
            add(
                Rider(
                    key: node["id"]?.text ?? name, name: name, number: node["number"]?.whole,
                    country: node["country"]?.text, team: node["team"]?.text))
        }
    }

    private mutating func add(_ rider: Rider) {
        guard index[rider.key] == nil, riders.count < 2000 else { return }
        index[rider.key] = riders.count
        riders.append(rider)
    }

    /// Returns the key of the rider to whom a row refers, adding one who is not listed.
    mutating func key(bib: Int?, id: String?) -> String? {
        if let bib, let key = keys[bib] { return key }
        let rider = source.rider(id: id, bib: bib)
        let key = rider.map { $0.bib.map { String($0) } ?? $0.id } ?? bib.map { String($0) } ?? id
        guard let key else { return nil }
        // The number of a rider who is listed by identifier belongs to somebody else.
        let known = index[key] != nil ? key : rider.flatMap { index[$0.id] != nil ? $0.id : nil }
        if known == nil { add(Rider(key: key, name: "No. \(key)", number: bib)) }
        let result = known ?? (index[key] != nil ? key : nil)
        if let bib, let result { keys[bib] = result }
        return result
    }

    /// Returns the key of a rider in a previous file, who has it or whose name it is, or `nil` for others.
    func key(ofPrevious text: String) -> String? {
        index[text] != nil ? text : riders.first { $0.name == text }?.key
    }

    /// Returns the name of a rider.
    func name(ofKey key: String) -> String { index[key].map { riders[$0].name } ?? key }

    /// Returns the name of the team of the rider to whom a row refers.
    func team(bib: Int?, id: String?) -> String? {
        if let team = source.rider(id: id, bib: bib)?.team { return source.team(id: team)?.name }
        return bib.flatMap { index[String($0)] }.flatMap { riders[$0].team }
    }
}
