import Foundation
import Platform
import Testing

@testable import RaceCentre

/// Queries to Wikidata, and how often they may be sent.
@Suite struct WikidataQueryTests {
    private static let item = WikidataItem("Q33881")

    private var queries: [WikidataQuery] {
        [.season(2026)] + [WikidataQueryTests.item].compactMap { $0 }.flatMap { [.edition($0), .winners($0)] }
    }

    @Test func limitsEachQuery() throws {
        #expect(queries.count == 3)
        for query in queries {
            let text = query.text
            #expect(text.hasSuffix("LIMIT 6000") && text.contains("SELECT ?item"))
            #expect(
                text.count { $0 == "{" } == text.count { $0 == "}" }
                    && text.count { $0 == "(" } == text.count { $0 == ")" })
            // Only standard SPARQL, so that other services can answer too.
            #expect(!text.contains("SERVICE") && !text.contains("hint:"))
            // A label of an unbound variable would match every item.
            for optional in ["type", "land", "team", "from", "to"] where text.contains("?\(optional)E ") {
                let label = try #require(text.range(of: "?\(optional) rdfs:label"))
                let before = text[..<label.lowerBound]
                #expect(before.range(of: "?\(optional) ", options: .backwards) != nil, "\(optional)")
            }
        }
        #expect(WikidataQuery.season(2026).text.contains("\"2026-01-01T00:00:00Z\"^^xsd:dateTime && ?first < \"2027"))
        #expect(WikidataQuery.season(.max).text.contains("\"9998-01-01"))
        #expect(WikidataQuery.season(-5).text.contains("\"0001-"))
        #expect(queries.map(\.name) == ["season 2026", "edition Q33881", "winners Q33881"])
    }

    @Test func encodesTheQueryInTheAddress() throws {
        for query in queries {
            let address = query.address(at: "https://query.example.org/sparql")
            #expect(address.hasPrefix("https://query.example.org/sparql?format=json&query=PREFIX+wd:"))
            #expect(address.utf8.count < 8000, "\(query.name): \(address.utf8.count)")
            let encoded = try #require(address.split(separator: "query=", maxSplits: 1).last)
            #expect(
                encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                    && !encoded.contains(where: { "<>\"{}|^#&".contains($0) }))
            let decoded = encoded.replacing("+", with: " ").removingPercentEncoding
            #expect(decoded == query.text.replacing("\n", with: " "))
        }
    }

    @Test func allowsAFewRequestsADay() {
        var allowance = QueryAllowance()
        #expect(allowance.next(at: 1000) == nil)
        for index in 0..<Int64(QueryAllowance.maximumPerDay) {
            let now = Instant(1000 + index)
            #expect(allowance.next(at: now) == nil)
            allowance.record(status: 200, retryAfter: nil, at: now)
        }
        #expect(allowance.next(at: 2000) == 87_400)
        #expect(
            allowance.status(at: 2000) == "12 requests in the last day, at most 12; the next at 1970-01-02 00:16 UTC")
        #expect(allowance.status(at: 87_411) == "0 requests in the last day, at most 12")
        #expect(allowance.next(at: 87_399) == 87_400 && allowance.next(at: 87_400) == nil)
    }

    @Test func waitsAsTheServiceAsks() throws {
        func next(_ status: Int?, _ retryAfter: Int64?) -> Int64? {
            var allowance = QueryAllowance()
            allowance.record(status: status, retryAfter: retryAfter, at: 1000)
            return allowance.next(at: 1000).map { $0.seconds(since: 1000) }
        }
        #expect(next(200, nil) == nil && next(200, 120) == 120)
        #expect(next(429, nil) == 3600 && next(429, 7200) == 7200 && next(429, 5) == 3600)
        #expect(next(403, nil) == 86_400 && next(500, nil) == 60 && next(nil, nil) == 60)
        #expect(next(503, .max) == 7 * 86_400 && next(503, -5) == 60)
        // It survives a restart.
        var allowance = QueryAllowance()
        allowance.record(status: 429, retryAfter: 900, at: 1000)
        let copy = try JSONDecoder().decode(QueryAllowance.self, from: JSONEncoder().encode(allowance))
        #expect(copy == allowance && copy.next(at: 1000) == 4600)
    }
}
