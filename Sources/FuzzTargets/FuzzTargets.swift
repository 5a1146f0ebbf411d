import Articles
import FeedParsing

/// The readers of external data that must accept any bytes, by the names of their targets.
///
/// `make fuzz` runs them with libFuzzer's inputs, and the tests with deterministic mutations of `Tests/FuzzingSeeds`.
@MainActor
package enum FuzzTargets {
    private typealias Reader = @MainActor (_ bytes: [UInt8]) throws -> Void

    /// The names of all targets.
    package nonisolated static let names = [
        "article", "centre-catalogue", "centre-checkpoints", "centre-competitors", "centre-groups", "centre-insights",
        "centre-jerseys", "centre-rankings", "centre-stages", "centre-teams", "centre-ticker", "configuration", "date",
        "download", "extract", "feed", "import", "list", "page", "race", "race-screens", "recovery", "search", "state",
        "terminal", "track", "wikidata-edition", "wikidata-season", "wikidata-winners",
    ]

    /// Passes bytes to a target.
    ///
    /// - Throws: ``FuzzFailure`` if the result is wrong or no target has this name.
    package static func run(_ name: String, on bytes: [UInt8]) throws {
        if let reader = readers[name] { return try reader(bytes) }
        if try RaceCentreResponses.read(bytes, target: name) { return }
        if try WikidataAnswers.read(bytes, target: name) { return }
        throw FuzzFailure("unknown target: \(name)")
    }

    private static let readers: [String: Reader] = [
        "article": { renderArticle(text($0)) },
        "configuration": { try readConfiguration(text($0)) },
        "date": { try readDate(text($0)) },
        "download": { try readAnswers(text($0)) },
        "extract": { extractArticle(text($0)) },
        "feed": { try readFeed($0) },
        "import": { try importConfiguration(text($0)) },
        "list": { try readList($0) },
        "page": { _ = FeedLinks.find(in: $0, contentType: nil, base: "https://example.org/a/b") },
        "race": { try readRace($0) },
        "race-screens": { try RaceScreens.draw($0) },
        "recovery": { try recover($0) },
        "search": { try search(text($0)) },
        "state": { try readState($0) },
        "terminal": { try decode($0) },
        "track": { try readTrack($0) },
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A check of a target that an input doesn't pass.
package struct FuzzFailure: Error, CustomStringConvertible {
    /// What is wrong with the result.
    package let description: String

    /// Creates a failure with a description of the wrong result.
    init(_ description: String) { self.description = description }
}

/// Throws a ``FuzzFailure`` unless a condition holds.
func check(_ condition: Bool, _ failure: @autoclosure () -> String) throws {
    guard condition else { throw FuzzFailure(failure()) }
}
