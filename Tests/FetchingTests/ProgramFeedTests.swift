import Foundation
import Testing

@testable import Fetching

/// Feeds that programs make: what is read of their addresses, and what they may not do.
@Suite struct ProgramFeedTests {
    @Test func addressesAreRead() throws {
        let own = try #require(ProgramFeed("exec:/bin/echo 'a b' \"c\""))
        #expect(own.words == ["/bin/echo", "a b", "c"] && own.source == nil)
        let filter = try #require(ProgramFeed("filter:~/bin/x -o:https://a.example/feed?x=http://b"))
        #expect(filter.words == ["~/bin/x", "-o"] && filter.source == "https://a.example/feed?x=http://b")
        for text in ["exec:", "exec:  ", "filter:cat", "filter::https://a.example", "https://a.example"] {
            #expect(ProgramFeed(text) == nil, "\(text)")
        }
    }

    @Test func whatIsPrintedIsTheDocument() async throws {
        #expect(try await ProgramFeed("exec:/bin/echo '$HOME; ls'")?.run(input: nil) == Array("$HOME; ls\n".utf8))
        #expect(try await ProgramFeed("exec:/bin/cat")?.run(input: Array("<rss/>".utf8)) == Array("<rss/>".utf8))
    }

    @Test(
        arguments: [
            ("exec:/no/such/program", "there is no program '/no/such/program'"),
            ("exec:sh -c 'echo bad >&2; exit 3'", "the program 'sh' has failed (3): bad"),
            ("exec:sh -c 'kill -9 $$'", "the program 'sh' has failed (-9)"),
            ("exec:sh -c 'yes | head -c 40000000'", "the program 'sh' prints more than 16 MiB; it was ended"),
        ])
    func whatGoesWrongIsSaid(address: String, sentence: String) async throws {
        let feed = try #require(ProgramFeed(address))
        do {
            _ = try await feed.run(input: nil)
            // It may be done before its size was looked at.
            #expect(sentence.contains("16 MiB"))
        } catch { #expect("\(error)" == sentence) }
    }

    @Test func whatItLeavesRunningGoesWithIt() async throws {
        let mark = FileManager.default.temporaryDirectory.appendingPathComponent("TemporaryDirectory.\(UUID())").path
        let feed = try #require(ProgramFeed("exec:sh -c '(sleep 2; touch \(mark)) & echo done'"))
        #expect(try await feed.run(input: nil) == Array("done\n".utf8))
        try await Task.sleep(for: .seconds(3))
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test func whoIsNotWantedAnyMoreIsEnded() async throws {
        let task = Task { try await ProgramFeed("exec:sleep 60")?.run(input: nil) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(30))
    }
}
