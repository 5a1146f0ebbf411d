import CommonTesting
import Foundation
import Testing

@testable import RaceCentre

/// Answers of Wikidata that are cut, foreign, huge or absurd are rejected or bounded.
@Suite struct SurvivesHostileAnswers {
    private static let answers = [InventedWikidata.season, InventedWikidata.edition, InventedWikidata.winners]

    private func read(_ body: [UInt8]) -> [CentreFailure?] {
        guard let item = WikidataItem("Q501") else { return [] }
        var failures: [CentreFailure?] = []
        do throws(CentreFailure) {
            _ = try CalendarRace.read(body, season: 2026)
            failures.append(nil)
        } catch { failures.append(error) }
        do throws(CentreFailure) {
            _ = try PastWinner.read(body)
            failures.append(nil)
        } catch { failures.append(error) }
        do throws(CentreFailure) {
            let edition = try WikidataEdition.read(body, item: item)
            #expect(throws: Never.self) { try edition?.race() }
            failures.append(nil)
        } catch { failures.append(error) }
        return failures
    }

    @Test func rejectsHalfABody() {
        for answer in SurvivesHostileAnswers.answers {
            for part in 1...9 {
                let body = Array(answer.utf8.prefix(answer.utf8.count * part / 10))
                #expect(read(body) == [.invalid, .invalid, .invalid])
            }
        }
        // The service appends a stack trace to a query that took too long.
        let timedOut = InventedWikidata.season + "\nSPARQL-QUERY: java.util.concurrent.TimeoutException"
        #expect(read(Array(timedOut.utf8)) == [.invalid, .invalid, .invalid])
        #expect(read([]) == [.invalid, .invalid, .invalid])
    }

    @Test func rejectsForeignDocuments() {
        for text in [
            "[]", "{}", "3", #"{"head":{"vars":["item","list","who"]}}"#, #"{"results":{"bindings":[]}}"#,
            #"{"head":{"vars":["x"]},"results":{"bindings":[]}}"#,
            #"{"head":{"vars":["item"]},"results":{"bindings":{}}}"#,
            #"{"head":{},"boolean":true}"#,
        ] {
            #expect(read(Array(text.utf8)) == [.foreign, .foreign, .foreign], "\(text)")
        }
    }

    @Test func boundsRowsAndNames() throws {
        let row =
            #"{"item":{"type":"uri","value":"Q%"},"itemLabel":{"type":"literal","value":"R"},"first":{"value":"2026-05-01T00:00:00Z"},"last":{"value":"2026-05-04T00:00:00Z"}}"#
        let rows = (1...100_000).map { row.replacing("%", with: "\($0)") }
        func body(_ rows: [String]) -> [UInt8] {
            Array(#"{"head":{"vars":["item"]},"results":{"bindings":[\#(rows.joined(separator: ","))]}}"#.utf8)
        }
        #expect(throws: CentreFailure.tooLarge) { try CalendarRace.read(body(rows), season: 2026) }
        #expect(try CalendarRace.read(body(Array(rows.prefix(8000))), season: 2026).count == WikidataQuery.maximumRows)
        let long = row.replacing("\"R\"", with: "\"" + String(repeating: "é ", count: 500_000) + "\"")
        let races = try CalendarRace.read(body([long.replacing("%", with: "1")]), season: 2026)
        #expect(races.count == 1 && races[0].name.utf8.count <= 200)
    }

    /// Each value of each answer, replaced by each of these.
    @Test func readsAnyValues() throws {
        let values =
            [
                "99999-12-31T00:00:00Z", "-0044-03-15T00:00:00Z", "0000-00-00T00:00:00Z", "2026-13-45T99:99:99Z",
                "1e999",
                "-9223372036854775808", "+1", "NaN", "", "Q0", "Q99999999999999999999", "_:b1", "0", "1e15", "2.5",
                "x\u{0}y",
            ].map { "\"\($0)\"" } + ["null", "3", "[]", "{}", "true", "\"\\ud800\"", #"{"type":"bnode","value":"t1"}"#]
        for answer in SurvivesHostileAnswers.answers {
            let marks = answer.matches(of: /"value":"[^"]*"/)
            for mark in marks.prefix(120) {
                for value in values {
                    let text = answer.replacingCharacters(in: mark.range, with: "\"value\":\(value)")
                    _ = read(Array(text.utf8))
                }
            }
        }
    }

    /// Unknown keys and variables change nothing.
    @Test func ignoresUnknownKeys() throws {
        let more = InventedWikidata.season.replacing(
            #"{"head":{"#, with: #"{"meta":{"x":[1]},"head":{"link":["u"],"#
        ).replacing(#""type":"literal","#, with: #""type":"literal","direction":{"a":null},"#)
        #expect(
            try CalendarRace.read(Array(more.utf8), season: 2026)
                == CalendarRace.read(Array(InventedWikidata.season.utf8), season: 2026))
    }
}
