/// A document of a race centre.
package enum Endpoint: Hashable, Sendable, Codable {
    /// All stages of the edition.
    case stages
    case teams
    /// Riders and teams, with withdrawals.
    case competitors
    /// The road book of a stage.
    case checkpoints(stage: Int)
    /// The groups on the road.
    case groups(stage: Int)
    /// Weather, mean speed and distance covered.
    case insights(stage: Int)
    /// The ticker in a language: `en`, `fr`, `de` or `es`.
    case ticker(language: String, stage: Int)
    /// All classifications.
    case rankings(stage: Int)
    /// Who wears the jerseys during a stage.
    case jerseys(stage: Int)

    /// The languages of the ticker.
    static let languages = ["en", "fr", "de", "es"]

    /// The number of the stage, or `nil` for documents of the whole edition.
    var stage: Int? {
        switch self {
        case .stages, .teams, .competitors: nil
        case .checkpoints(let stage), .groups(let stage), .insights(let stage), .ticker(_, let stage),
            .rankings(let stage), .jerseys(let stage):
            stage
        }
    }

    /// The usual name of the bind, without year and stage, and the document in words, without the stage.
    private var names: (bind: String, title: String) {
        switch self {
        case .stages: ("stage", "stages")
        case .teams: ("team", "teams")
        case .competitors: ("allCompetitors", "riders")
        case .checkpoints: ("checkpointList", "road book")
        case .groups: ("pack", "groups")
        case .insights: ("insights", "weather")
        case .ticker(let language, _):
            ("publication_" + (Endpoint.languages.contains(language) ? language : "en"), "ticker")
        case .rankings: ("rankingType", "standings")
        case .jerseys: ("rankingTypeJerseys", "jerseys")
        }
    }

    /// The document in words, such as "ticker of stage 18".
    var title: String { stage.map { "\(names.title) of stage \($0)" } ?? names.title }

    /// Returns the bind, such as `pack-2026-14`: the last part of the address, and the `_bind` of the records.
    func bind(in edition: RaceEdition) -> String {
        let name = edition.race.binds[names.bind] ?? names.bind
        return "\(name)-\(edition.year)" + (stage.map { "-\($0)" } ?? "")
    }

    /// Returns the address, such as `https://racecenter.letour.fr/api/pack-2026-14`.
    package func address(in edition: RaceEdition) -> String {
        "\(edition.race.base)/api/\(bind(in: edition))"
    }
}

extension RaceEdition {
    /// The address of the race centre for people, to open in a browser.
    var liveAddress: String { race.base + "/" }

    /// Returns the address of a stage's page on the race's site, or `nil` if the race has no site.
    func article(stage: Int) -> String? { race.site.map { "\($0)/en/stage-\(stage)" } }
}
