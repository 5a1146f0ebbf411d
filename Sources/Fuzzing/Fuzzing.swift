import ArticleExtraction
import ArticleRendering
import Configuration
import Dashboard
import FeedParsing
import Foundation
import ModelCore
import TerminalScreen

/// Passes libFuzzer's inputs to the readers of untrusted data: `make fuzz`.
///
/// The variable TAPPA_FUZZ_TARGET selects a target of ``fuzzOne(_:_:)``.
@main
enum Fuzzing {
    static func main() {
        var count = CommandLine.argc
        var arguments = UnsafeMutablePointer(CommandLine.unsafeArgv)
        exit(withUnsafeMutablePointer(to: &arguments) { LLVMFuzzerRunDriver(&count, $0, fuzzOne) })
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func LLVMFuzzerRunDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private let target = ProcessInfo.processInfo.environment["TAPPA_FUZZ_TARGET"] ?? "feed"

/// The name that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    switch target {
    case "date":
        if let instant = DateParser.parse(text) {
            precondition(abs(instant.seconds) < 400_000_000_000, "a date beyond all calendars")
        }
    case "list":
        guard let reading = try? SubscriptionListReader.read(bytes) else { return 0 }
        let written = OPMLWriter.write(reading.subscriptions, title: "fuzz", date: "now")
        let again = try? SubscriptionListReader.read(Array(written.utf8))
        precondition(
            reading.subscriptions.isEmpty || again?.subscriptions.count == reading.subscriptions.count,
            "a list that was written is not read again")
    case "search": search(text)
    case "recovery": recover(bytes)
    case "import": importConfiguration(text)
    case "state":
        guard let state = try? JSONDecoder().decode(DashboardState.self, from: Data(bytes)) else { return 0 }
        let again = (try? JSONEncoder().encode(state)).flatMap {
            try? JSONDecoder().decode(DashboardState.self, from: $0)
        }
        precondition(again == state, "a state that was kept is another one")
    case "race":
        guard let race = try? RaceFile.read(Data(bytes), name: "race") else { return 0 }
        let again = (try? RaceFile.write(race)).flatMap { try? RaceFile.read($0) }
        precondition(again == race, "a race that was written is another one")
    case "race-screens": MainActor.assumeIsolated { RaceScreens.draw(bytes) }
    case "configuration":
        let commands = ConfigurationFile.Commands(.dashboard, presets: KeyPresets.all)
        let file = ConfigurationFile.parse(text, path: "fuzz", for: commands)
        // It may be newsboat's, and the converted result must be readable.
        let moved = NewsboatConfiguration(text, for: commands).configuration
        precondition(
            ConfigurationFile.parse(moved, path: "fuzz", for: commands).isReadable, "what came from newsboat is no TOML"
        )
        precondition(
            file.settings.allSatisfy { Settings.definition($0.key)?.accepts($0.value) == true },
            "a setting was taken that is none")
    case "terminal": decode(bytes)
    case "download": takeAnswers(text)
    case "page": _ = FeedLinks.find(in: bytes, contentType: nil, base: "https://example.org/a/b")
    case "article": _ = HTMLRenderer.render(text, base: "https://example.org/a/b")
    case "track":
        guard let track = try? TrackReader.read(bytes) else { return 0 }
        precondition(track.points.allSatisfy { $0.distance.isFinite && $0.height.isFinite }, "a point is nowhere")
    case "extract":
        let page = ArticlePage(html: text, address: "https://example.org/a/b")
        if let content = page.content { _ = HTMLRenderer.render(content, base: "https://example.org/a/b") }
        if let date = page.published { _ = DateParser.parse(date.text) }
    default:
        if RaceCentreResponses.read(bytes, target: target) || WikidataAnswers.read(bytes, target: target) { return 0 }
        guard let reading = try? FeedParser.parse(bytes, contentType: nil, base: "https://example.org/a/b") else {
            return 0
        }
        guard let json = try? JSONFeedWriter.write(reading) else {
            preconditionFailure("a feed that cannot be written")
        }
        precondition((try? JSONSerialization.jsonObject(with: json)) != nil, "what is written is not JSON")
    }
    return 0
}

/// Checks that a query is either rejected with a message or can be searched.
private func search(_ text: String) {
    guard let query = try? SearchQuery(text) else { return }
    do {
        _ = try library.search.hits(for: query, byRelevance: text.utf8.count.isMultiple(of: 2), limit: 10)
    } catch {
        preconditionFailure("a query that was accepted fails: \(error)")
    }
}

private let library: Library = {
    do { return try Library(path: nil) } catch { fatalError("\(error)") }
}()

/// Checks that events don't depend on how the bytes are split.
private func decode(_ bytes: [UInt8]) {
    var (whole, pieces) = (InputDecoder(), InputDecoder())
    let events = whole.decode(bytes) + whole.flush()
    var others: [InputEvent] = []
    var rest = bytes[...]
    while let first = rest.first {
        let count = min(rest.count, 1 + Int(first) % 5)
        others += pieces.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
    }
    others += pieces.flush()
    precondition(events == others, "it depends on the pieces")
}
