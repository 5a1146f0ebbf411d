/// A race file that was written before, whose parts are kept where there is nothing newer.
struct PreviousRace {
    /// The members of the race, and of each stage by number, as they are in the file.
    private let root: JSONNode?
    private let stages: [Int: JSONNode]

    /// Reads a race file. One that can't be read has no parts.
    init(_ bytes: [UInt8]?) {
        root = bytes.flatMap { try? JSONDocument($0) }?.root
        stages = Dictionary(
            JSONItems.of(root?["stages"]).prefix(RaceBounds.rows).compactMap { node in
                node["number"]?.whole.map { ($0, node) }
            }
        ) { first, _ in first }
    }

    /// The numbers of the stages in ascending order.
    var numbers: [Int] { stages.keys.sorted() }

    func value(_ key: StaticString) -> JSONNode? { root?[key] }

    func value(_ key: StaticString, ofStage number: Int) -> JSONNode? { stages[number]?[key] }

    /// Returns the number of placings in a list of a stage.
    func count(_ standing: RaceStanding, ofStage number: Int) -> Int {
        JSONItems.of(PreviousRace.node(standing, stages[number])).count
    }

    func placings(_ standing: RaceStanding, ofStage number: Int) -> JSONNode? {
        PreviousRace.node(standing, stages[number])
    }

    /// Whether the lists of a stage were provisional, or `nil` if the file doesn't say.
    func isProvisional(stage number: Int) -> Bool? { stages[number]?["provisional"]?.bool }

    private static func node(_ standing: RaceStanding, _ stage: JSONNode?) -> JSONNode? {
        switch standing {
        case .results: stage?["results"]
        case .general: stage?["general"]
        case .points: stage?["points"]
        case .mountain: stage?["mountain"]
        case .youth: stage?["youth"]
        case .teams: stage?["teams"]
        case .stagePoints: stage?["stage_points"]
        case .stageMountain: stage?["stage_mountain"]
        case .stageYouth: stage?["stage_youth"]
        case .stageTeams: stage?["stage_teams"]
        }
    }
}
