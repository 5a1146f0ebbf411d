import Foundation
import RaceModel
import Testing

@testable import RaceCentre

/// Assembles editions and finds values in their race files.
protocol EditionReading {}

extension EditionReading {
    func parts(_ responses: (Endpoint, [UInt8])...) -> EditionParts { parts(responses) }

    private func parts(_ responses: [(Endpoint, [UInt8])]) -> EditionParts {
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body(Invented.stage(1), Invented.stage(2, type: "HMG")), of: .stages, at: 1)
        parts.take(Invented.body((1...12).map { Invented.rider($0) } + [Invented.team()]), of: .competitors, at: 1)
        for (endpoint, body) in responses { parts.take(body, of: endpoint, at: 1) }
        return parts
    }

    func assemble(_ responses: (Endpoint, [UInt8])..., keeping previous: Race? = nil) throws -> Race? {
        try EditionAssembler.race(parts(responses), keeping: previous)
    }

    /// Returns the standings of the first stage.
    func rankings(_ lists: String...) -> (Endpoint, [UInt8]) { (.rankings(stage: 1), Invented.body(lists)) }

    func root(_ race: Race?) throws -> JSONNode {
        try JSONDocument(Array(try RaceFile.write(try #require(race)))).root
    }

    /// Writes a race as a file and reads it again.
    func read(_ race: Race?) throws -> Race { try RaceFile.read(try RaceFile.write(try #require(race))) }

    func stage(_ number: Int, _ race: Race?) throws -> JSONNode {
        try #require(JSONItems.of(try root(race)["stages"]).first { $0["number"]?.whole == number })
    }

    func places(_ node: JSONNode?) -> [String] {
        JSONItems.of(node).map { item in
            let keys: [StaticString] = ["place", "rider", "team", "time", "gap", "points", "bonus"]
            return keys.compactMap { key in
                item[key].flatMap { $0.text ?? $0.whole.map { String($0) } }
            }.joined(separator: " ")
        }
    }
}
