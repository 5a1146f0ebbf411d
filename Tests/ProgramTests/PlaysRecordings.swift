import CommonTesting
import Foundation
import Platform
import Synchronization
import Testing

@testable import ModelCore
@testable import tappa

/// Recordings are played by the user's player, and go on where they were left.
@Suite(.timeLimit(.minutes(10))) struct PlaysRecordings {
    /// A player that writes its words down, in place of `mpv`.
    private func player(in folder: TemporaryFolder) throws -> String {
        try folder.script("mpv", #"printf '%s\n' "$@" > "$0.words""#)
    }

    @Test(arguments: [0, 754]) @MainActor func mpvIsToldWhereToBegin(start: Int) throws {
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

    /// What stands for the player at the other end of the socket: it says these lines once it was asked, and ends.
    private func played(_ lines: [String]) async throws -> (asked: String, played: PlayedRecording?) {
        let position = try #require(PlayerPosition())
        let path = String(position.argument.dropFirst("--input-ipc-server=".count))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        position.listen { _ in }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
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
        return (asked, result)
    }

    private static func change(_ name: String, _ value: String) -> String {
        #"{"event":"property-change","id":1,"name":"\#(name)","data":\#(value)}"#
    }

    @Test func theLastPositionCounts() async throws {
        let (asked, played) = try await played([
            #"{"request_id":0,"error":"success"}"#, PlaysRecordings.change("duration", "1800.5"),
            PlaysRecordings.change("time-pos", "12.25"), "no JSON", String(repeating: "x", count: 100_000),
            PlaysRecordings.change("time-pos", "754.9"), PlaysRecordings.change("time-pos", "null"),
            #"{"event":"end-file","reason":"quit"}"#,
        ])
        #expect(asked.contains(#"["observe_property",1,"time-pos"]"#))
        #expect(played == PlayedRecording(position: 754, duration: 1800))
        #expect(played?.start == 754)
    }

    /// To its end, or left in its last seconds; what plays after it is another.
    @Test(arguments: [
        [change("time-pos", "20"), #"{"event":"end-file","reason":"eof"}"#, change("time-pos", "3")],
        [change("duration", "1800"), change("time-pos", "1790")],
    ])
    func whatWasPlayedWholeBeginsAnew(lines: [String]) async throws {
        let played = try await played(lines).played
        #expect(played?.isWhole == true && played?.start == 0)
    }

    @Test(
        arguments: [
            [], [change("time-pos", "-1")], [change("time-pos", "1e300")], [change("time-pos", "\"7\"")],
            [#"{"event":"end-file","reason":"eof"}"#],
        ] as [[String]])
    func whatWasNotToldIsNotKept(lines: [String]) async throws {
        #expect(try await played(lines).played == nil)
    }
}
