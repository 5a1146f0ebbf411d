import ArticleRendering
import FeedParsing
import Foundation

/// Feeds libFuzzer's inputs to the readers of what comes from outside: `make fuzz`.
///
/// The target is the value of the variable TAPPA_FUZZ_TARGET: feed, date, list, page, track, article or extract.
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

/// The name that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    switch target {
    case "date":
        if let instant = DateParser.parse(text) {
            precondition(abs(instant) < 400_000_000_000, "a date beyond all calendars")
        }
    case "list":
        guard let reading = try? SubscriptionListReader.read(bytes) else { return 0 }
        let written = OPMLWriter.write(reading.subscriptions, title: "fuzz", date: "now")
        let again = try? SubscriptionListReader.read(Array(written.utf8))
        precondition(
            reading.subscriptions.isEmpty || again?.subscriptions.count == reading.subscriptions.count,
            "a list that was written is not read again")
    case "page": _ = FeedLinks.find(in: bytes, contentType: nil, base: "https://example.org/a/b")
    case "article": _ = HTMLRenderer.render(text, base: "https://example.org/a/b")
    case "track":
        guard let track = try? TrackReader.read(bytes) else { return 0 }
        precondition(track.points.allSatisfy { $0.distance.isFinite && $0.height.isFinite }, "a point is nowhere")
    case "extract":
        let page = ArticlePage(html: text)
        if let content = page.content { _ = HTMLRenderer.render(content, base: "https://example.org/a/b") }
        if let date = page.date { _ = DateParser.parse(date) }
    default:
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
