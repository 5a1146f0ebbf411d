import CommonTesting
import Foundation
import Platform
import Synchronization
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import tappa

/// The user's player plays audio and resumes at the last position.
@Suite(.timeLimit(.minutes(10))) struct PlaysRecordings {
    /// A player that records its arguments, in place of `mpv`.
    private func player(in folder: TemporaryFolder) throws -> String {
        try folder.script("mpv", #"printf '%s\n' "$@" > "$0.words""#)
    }

    @Test(arguments: [0, 754]) @MainActor func passesTheStartToMpv(start: Int) throws {
        let folder = TemporaryFolder()
        let path = try player(in: folder)
        let problem = MediaPlayer.play(
            "https://pod.example/1.mp3", with: "mpv --no-video", from: start, handOver: { $0() },
            find: { $0 == "mpv" ? path : nil }, keep: { Issue.record("nothing was told, but \($0)") })
        #expect(problem == nil)
        let words = try String(contentsOfFile: path + ".words", encoding: .utf8).split(separator: "\n")
        #expect(words.first?.hasPrefix("--input-ipc-server=/") == true)
        #expect(words.contains("--start=\(start)") == (start > 0))
        #expect(words.suffix(2) == ["--no-video", "https://pod.example/1.mp3"])
    }

    /// The player's side of the socket: answers the request with these lines and ends.
    private func played(_ lines: [String], interval: Double = 10) async throws -> (
        asked: String, played: PlayedEnclosure?, kept: [PlayedEnclosure]
    ) {
        let position = try #require(PlayerPosition(interval: interval))
        let kept = Mutex<[PlayedEnclosure]>([])
        let path = String(position.argument.dropFirst("--input-ipc-server=".count))
        let listener = LocalSocket.make()
        defer { close(listener) }
        position.listen { played in kept.withLock { $0.append(played) } }
        let isBound = LocalSocket.withAddress(of: path) { bind(listener, $0, $1) } == 0
        try #require(isBound && listen(listener, 1) == 0)
        let asked = await withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
            Thread.detachNewThread {
                let connection = accept(listener, nil, nil)
                var buffer = [UInt8](repeating: 0, count: 4096)
                var asked = ""
                while asked.filter({ $0 == "\n" }).count < 2 {
                    let count = recv(connection, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    asked += String(decoding: buffer.prefix(count), as: UTF8.self)
                }
                for line in lines { _ = send(connection, line + "\n", line.utf8.count + 1, Int32(MSG_NOSIGNAL)) }
                close(connection)
                continuation.resume(returning: asked)
            }
        }
        let result = position.finish()
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
        return (asked, result, kept.withLock { $0 })
    }

    private static func change(_ name: String, _ value: String) -> String {
        #"{"event":"property-change","id":1,"name":"\#(name)","data":\#(value)}"#
    }

    @Test func keepsTheLastPosition() async throws {
        let (asked, played, kept) = try await played([
            #"{"request_id":0,"error":"success"}"#, PlaysRecordings.change("duration", "1800.5"),
            PlaysRecordings.change("time-pos", "12.25"), "no JSON", String(repeating: "x", count: 100_000),
            PlaysRecordings.change("time-pos", "754.9"), PlaysRecordings.change("time-pos", "null"),
            #"{"event":"end-file","reason":"quit"}"#,
        ])
        #expect(asked.contains(#"["observe_property",1,"time-pos"]"#))
        #expect(played == PlayedEnclosure(position: 754, duration: 1800))
        #expect(played?.start == 754)
        // Such a short playback saves nothing before its end.
        #expect(kept.isEmpty)
    }

    /// To its end, or left in its last seconds; the next file is another one.
    @Test(arguments: [
        [change("time-pos", "20"), #"{"event":"end-file","reason":"eof"}"#, change("time-pos", "3")],
        [change("duration", "1800"), change("time-pos", "1790")],
    ])
    func restartsCompletedRecordings(lines: [String]) async throws {
        let played = try await played(lines).played
        #expect(played?.isWhole == true && played?.start == 0)
    }

    @Test(
        arguments: [
            [], [change("time-pos", "-1")], [change("time-pos", "1e300")], [change("time-pos", "\"7\"")],
            [#"{"event":"end-file","reason":"eof"}"#],
        ] as [[String]])
    func keepsNoUnreportedPosition(lines: [String]) async throws {
        #expect(try await played(lines).played == nil)
    }

    /// The position is saved regularly, however this program ends.
    @Test func savesThePositionWhilePlaying() async throws {
        let (_, played, kept) = try await played(
            [PlaysRecordings.change("time-pos", "5"), PlaysRecordings.change("time-pos", "6")], interval: 0)
        #expect(kept.last == PlayedEnclosure(position: 6, duration: nil, isPlaying: true))
        #expect(played == PlayedEnclosure(position: 6, duration: nil))
    }

    /// Stopping in the last hundredth, of fifteen seconds at most, counts as finished.
    @Test(arguments: [
        (100.0, 99.0, false), (100, 99.1, true), (1500, 1485, false), (1500, 1485.5, true), (7200, 7184, false),
        (7200, 7185.5, true),
        (7200, 7300, true), (0, 0, false),
    ]) func countsTheLastSecondsAsPlayed(duration: Double, position: Double, isWhole: Bool) async throws {
        let played = try await played([
            PlaysRecordings.change("duration", "\(duration)"), PlaysRecordings.change("time-pos", "\(position)"),
        ]).played
        #expect(played?.start == (isWhole || duration == 0 ? 0 : Int(clamping: position)))
    }

    /// The socket is in a private folder that is deleted with the player.
    @Test func makesTheSocketPrivate() throws {
        let folder = TemporaryFolder()
        for (runtime, place) in [(folder.url.path, folder.url.path), ("relative", "/tmp"), ("", "/tmp"), (nil, "/tmp")]
        {
            let position = try #require(PlayerPosition(in: runtime))
            let path = String(position.argument.dropFirst("--input-ipc-server=".count))
            #expect(path.hasPrefix(place + "/tappa-") && path.hasSuffix("/mpv"), "\(path)")
            let own = (path as NSString).deletingLastPathComponent
            var status = stat()
            #expect(stat(own, &status) == 0 && status.st_mode & 0o777 == 0o700)
            position.listen { _ in }
            #expect(position.finish() == nil)
            #expect(!FileManager.default.fileExists(atPath: own))
        }
        #expect(PlayerPosition(in: "/no/such/folder") == nil)
        // A socket's path is limited to about a hundred bytes.
        let long = folder.path(String(repeating: "x", count: 120))
        try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
        #expect(PlayerPosition(in: long) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: long).isEmpty)
    }

    /// Players other than mpv don't receive a socket option.
    @Test @MainActor func passesOnlyConfiguredArgumentsToOtherPlayers() throws {
        let folder = TemporaryFolder()
        let path = try folder.script("vlc", #"printf '%s\n' "$@" > "$0.words""#)
        #expect(MediaPlayer.play("https://pod.example/1.mp3", with: "\(path) -x", from: 100, handOver: { $0() }) == nil)
        #expect(try String(contentsOfFile: path + ".words", encoding: .utf8) == "-x\nhttps://pod.example/1.mp3\n")
    }
}
