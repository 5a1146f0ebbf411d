@testable import RaceCentre
import Testing

/// Assembles editions and finds values in the race files.
protocol EditionReading {}

extension EditionReading {
    func parts(_ responses: (Endpoint, [UInt8])...) -> EditionParts {
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body(Invented.stage(1), Invented.stage(2, type: "HMG")), of: .stages, at: 1)
        parts.take(Invented.body((1...12).map { Invented.rider($0) } + [Invented.team()]), of: .competitors, at: 1)
        for (endpoint, body) in responses { parts.take(body, of: endpoint, at: 1) }
        return parts
    }

    func root(_ race: [UInt8]?) throws -> JSONNode { try JSONDocument(try #require(race)).root }

    func stage(_ number: Int, _ race: [UInt8]?) throws -> JSONNode {
        try #require(JSONItems.of(try root(race)["stages"]).first { $0["number"]?.whole == number })
    }

    func places(_ node: JSONNode?) -> [String] {
        JSONItems.of(node).map { item in
            ["place", "rider", "team", "time", "gap", "points", "bonus"].compactMap { key in
                var text: String?
                item.forEachMember { if $0.text == key { text = $1.text ?? $1.whole.map { String($0) } } }
                return text
            }.joined(separator: " ")
        }
    }
}
