import CommonTesting
import Testing

@testable import RaceCentre

/// What a race centre, or somebody in between, may answer instead of what is expected.
@Suite struct SurvivesHostileResponses {
    /// A sound response of each document.
    static let bodies: [(endpoint: Endpoint, body: [UInt8])] = [
        (.stages, Invented.body(Invented.stage(1), Invented.stage(2))),
        (.teams, Invented.body(Invented.team())),
        (.competitors, Invented.body(Invented.rider(1), Invented.rider(2), Invented.team())),
        (
            .checkpoints(stage: 1),
            Invented.body(
                Invented.checkpoint(1, km: "0", types: ["R"]),
                Invented.checkpoint(2, km: "36.7", more: Invented.climb()),
                Invented.checkpoint(3, km: "150.5", types: ["N", "A"]))
        ),
        (
            .groups(stage: 1),
            Invented.body(
                Invented.groups(
                    at: "14:23:00",
                    [
                        Invented.group(0, "Tête de la course", bibs: [1]),
                        Invented.group(1, "Peloton", gap: 84, size: 999, bibs: [2]),
                    ]))
        ),
        (.insights(stage: 1), Invented.body(Invented.insights())),
        (
            .ticker(language: "en", stage: 1),
            Invented.body(Invented.news("a", at: "13:10:00", "Attack", text: "By two."))
        ),
        (
            .rankings(stage: 1),
            Invented.body(Invented.ranking("ite", Invented.times(2)), Invented.ranking("itg", Invented.times(2)))
        ),
        (.jerseys(stage: 1), Invented.body(Invented.ranking("pmt", [Invented.row(1, 1)], bind: "rankingTypeJerseys"))),
    ]

    private func filled() -> EditionParts {
        var parts = EditionParts(edition: Invented.edition)
        for (endpoint, body) in Self.bodies {
            #expect(parts.take(body, of: endpoint, at: 10) == .changed, "\(endpoint)")
        }
        return parts
    }

    @Test func incompleteBodiesChangeNothing() throws {
        var parts = filled()
        let race = try EditionAssembler.race(parts)
        for (endpoint, body) in Self.bodies {
            for count in stride(from: 1, to: body.count, by: 7) {
                guard case .failed = parts.take(Array(body.prefix(count)), of: endpoint, at: 20) else {
                    Issue.record("\(endpoint) of \(count) bytes")
                    continue
                }
            }
        }
        #expect(try EditionAssembler.race(parts) == race)
        #expect(parts.stages.failure == "the response is not complete JSON" && parts.stages.receivedAt == 10)
    }

    @Test func emptyBodiesChangeNothing() throws {
        var parts = filled()
        let race = try EditionAssembler.race(parts)
        for (endpoint, _) in Self.bodies {
            for body in ["", " \n", "[]", "[ ]"] {
                #expect(parts.take(Array(body.utf8), of: endpoint, at: 20) == .empty, "\(endpoint)")
            }
        }
        #expect(try EditionAssembler.race(parts) == race)
    }

    @Test func recordsOfAnotherBindChangeNothing() throws {
        var parts = filled()
        let race = try EditionAssembler.race(parts)
        for (endpoint, body) in Self.bodies {
            let other = String(decoding: body, as: UTF8.self).replacing("-2026", with: "-2025")
            let change = parts.take(Array(other.utf8), of: endpoint, at: 20)
            // Riders and teams are only told apart by their bind.
            #expect(change == .failed("the response is about something else") || change == .empty, "\(endpoint)")
        }
        #expect(
            parts.take(Array("{\"error\":1}".utf8), of: .stages, at: 20)
                == .failed("the response is about something else"))
        #expect(try EditionAssembler.race(parts) == race)
    }

    @Test func unknownKeysTypesAndCodesChangeNothing() {
        for (endpoint, body) in Self.bodies {
            var (parts, plain) = (EditionParts(edition: Invented.edition), EditionParts(edition: Invented.edition))
            plain.take(body, of: endpoint, at: 1)
            let odd = String(decoding: body, as: UTF8.self)
                .replacing("{\"", with: "{\"future\":{\"a\":[1,null]},\"").replacing(
                    "[{", with: "[null,\"x\",[],{\"_bind\":\"news-2026\"},{")
            #expect(parts.take(Array(odd.utf8), of: endpoint, at: 1) == .changed, "\(endpoint)")
            #expect(parts == plain, "\(endpoint)")
        }
    }

    /// Replaces values at random by others of any type. Nothing may trap, and the race must stay valid.
    @Test func valuesOfAnyTypeAreNeverAnError() throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<400 {
            var parts = EditionParts(edition: Invented.edition)
            for (endpoint, body) in Self.bodies {
                let changes = Int.random(in: 1..<5, using: &random)
                parts.take(Invented.changed(body, values: changes, using: &random), of: endpoint, at: 1)
            }
            if let race = try EditionAssembler.race(parts) {
                #expect(!race.stages.isEmpty, "round \(round)")
            }
            for stage in parts.stages.value ?? [] {
                #expect(parts.head(of: stage, at: 1_783_000_000).map { $0.kmToGo >= 0 } ?? true)
            }
        }
    }

    @Test func listsAreBounded() {
        var parts = EditionParts(edition: Invented.edition)
        parts.take(Invented.body((0..<500).map { Invented.stage($0, date: "2026-07-04") }), of: .stages, at: 1)
        parts.take(Invented.body((1..<3000).map { Invented.rider($0) }), of: .competitors, at: 1)
        parts.take(
            Invented.body((1..<3000).map { Invented.checkpoint($0, km: "1") }), of: .checkpoints(stage: 1), at: 1)
        parts.take(
            Invented.body(Invented.groups(at: "14:00:00", (0..<300).map { Invented.group($0, "G", bibs: [$0 + 1]) })),
            of: .groups(stage: 1), at: 1)
        parts.take(
            Invented.body((0..<6000).map { Invented.news("n\($0)", at: "14:00:00", "N") }),
            of: .ticker(language: "en", stage: 1), at: 1)
        parts.take(
            Invented.body((0..<600).map { Invented.ranking("itg", Invented.times(1), checkpoint: $0) }),
            of: .rankings(stage: 1), at: 1)
        parts.take(
            Invented.body(Invented.ranking("itg", Invented.times(3000), stage: 2)), of: .rankings(stage: 2), at: 1)
        #expect(parts.stages.value?.count == 100 && parts.roster.value?.riders.count == 1000)
        #expect(parts.roadBooks[1]?.value?.checkpoints.count == 1000 && parts.groups[1]?.value?.groups.count == 60)
        #expect(parts.tickers[1]?.value?.count == 5000 && parts.rankings[1]?.value?.lists.count == 400)
        #expect(parts.rankings[2]?.value?.list(of: .general)?.rows.count == 1000)
    }
}
