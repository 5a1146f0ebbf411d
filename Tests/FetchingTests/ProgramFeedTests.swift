import CommonTesting
import Foundation
import Testing

@testable import Fetching

/// Program feeds: parsing of their addresses, and their limits.
@Suite struct ProgramFeedTests {
    @Test func readsAddresses() throws {
        let own = try #require(ProgramFeed("exec:/bin/echo 'a b' \"c\""))
        #expect(own.words == ["/bin/echo", "a b", "c"] && own.source == nil)
        let filter = try #require(ProgramFeed("filter:~/bin/x -o:https://a.example/feed?x=http://b"))
        #expect(filter.words == ["~/bin/x", "-o"] && filter.source == "https://a.example/feed?x=http://b")
        for text in ["exec:", "exec:  ", "filter:cat", "filter::https://a.example", "https://a.example"] {
            #expect(ProgramFeed(text) == nil, "\(text)")
        }
    }

    @Test func readsTheOutputAsTheDocument() async throws {
        #expect(try await ProgramFeed("exec:/bin/echo '$HOME; ls'")?.run(input: nil) == Array("$HOME; ls\n".utf8))
        #expect(try await ProgramFeed("exec:/bin/cat")?.run(input: Array("<rss/>".utf8)) == Array("<rss/>".utf8))
    }

    @Test(
        arguments: [
            ("exec:/no/such/program", "no such program: '/no/such/program'"),
            ("exec:sh -c 'echo bad >&2; exit 3'", "the program 'sh' failed (3): bad"),
            ("exec:sh -c 'kill -9 $$'", "the program 'sh' was killed by signal 9"),
            ("exec:sh -c 'yes | head -c 40000000'", "the program 'sh' printed more than 16 MiB and was stopped"),
        ])
    func reportsFailuresOfPrograms(address: String, sentence: String) async throws {
        let feed = try #require(ProgramFeed(address))
        let failure = await #expect(throws: ProgramFeed.Failure.self) { try await feed.run(input: nil) }
        #expect(failure?.description == sentence)
    }

    /// A number of seconds that no other process sleeps for, and whether a process sleeps for it.
    private func sleeper() -> (seconds: String, isRunning: () -> Bool) {
        let seconds = "\(7_000 + Int.random(in: 0..<1_000)).\(Int.random(in: 100_000..<999_999))"
        return (
            seconds,
            {
                let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return processes.filter { $0.first?.isNumber == true }.contains { process in
                    let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
                    return String(decoding: words, as: UTF8.self).hasSuffix("sleep\0\(seconds)\0")
                }
            }
        )
    }

    @Test func endsChildProcessesToo() async throws {
        let (seconds, isRunning) = sleeper()
        let feed = try #require(ProgramFeed("exec:sh -c 'sleep \(seconds) & echo done'"))
        #expect(try await feed.run(input: nil) == Array("done\n".utf8))
        // It was asked to end; the kernel decides when.
        #expect(await eventually { !isRunning() })
    }

    @Test func endsCancelledPrograms() async throws {
        let (seconds, isRunning) = sleeper()
        let task = Task { try await ProgramFeed("exec:sleep \(seconds)")?.run(input: nil) }
        #expect(await eventually { isRunning() })
        task.cancel()
        // Without the cancellation, the time limit would end the program after a minute.
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
