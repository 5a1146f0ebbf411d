import CommonTesting
import Feeds
import Foundation
import LoopbackServer
import ModelCore
import Testing

@testable import Dashboard

/// Downloads queued from a list of entries.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct DownloadsRecordings {
    /// An enclosure may be in a private network only on the same host and port as its feed.
    @Test func asksThePrivateNetworkForRecordingsOfTheFeedsOwnHostAlone() async throws {
        let folder = TemporaryFolder()
        let own = try LoopbackServer { _ in .init("own", type: "audio/mpeg") }
        let other = try LoopbackServer { _ in .init("other", type: "audio/mpeg") }
        func item(_ title: String, _ url: String, _ hour: Int) -> String {
            "<item><guid>\(title)</guid><title>\(title)</title><pubDate>20 Nov 2026 0\(hour):00:00 GMT</pubDate>"
                + "<enclosure url='\(url)' type='audio/mpeg'/></item>"
        }
        let feed =
            "<rss><channel><title>Pod</title>" + item("Other", other.url("/1.mp3"), 3)
            + item("Own", own.url("/2.mp3"), 2) + "</channel></rss>"
        let dashboard = try await DashboardScreen(120, 24, feeds: [(own.url("/feed"), feed)])
        dashboard.set(folder.url.path, for: "audio.folder")
        let screen = dashboard.screen
        func download(_ title: String) throws -> Download? {
            try dashboard.library.downloads.all().first { $0.title == title }
        }
        screen.press("enter", "e")
        #expect(try await eventually { try download("Other")?.error != nil })
        #expect(try download("Other")?.error == "127.0.0.1 resolves to a private address; request refused")
        screen.press("j", "e")
        #expect(try await eventually { try download("Own")?.isDone == true })
        #expect(other.requests.isEmpty && own.requests.map(\.path) == ["/2.mp3"])
        #expect(FileManager.default.contents(atPath: folder.path("Own.mp3")) == Data("own".utf8))
    }
}
