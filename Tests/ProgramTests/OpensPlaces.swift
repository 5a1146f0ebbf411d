import CommonTesting
import Foundation
import ModelCore
import Synchronization
import Testing

@testable import tappa

/// Places by command: in a running dashboard of the window, or in a new one.
@Suite(.timeLimit(.minutes(5))) struct OpensPlaces {
    private static func run(_ tmux: TmuxSession, _ words: String) -> String {
        let file = tmux.home.appendingPathComponent("answer-\(UUID().uuidString)").path
        _ = tmux.command(
            "split-window", "-d",
            "env HOME=\(tmux.home.path) XDG_DATA_HOME= XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_RUNTIME_DIR=\(tmux.home.path) TERM=dumb \(Program.path.path) \(words) >\(file) 2>&1 </dev/null; echo done $? >>\(file)"
        )
        _ = waitUntil(within: .seconds(60)) {
            (try? String(contentsOfFile: file, encoding: .utf8))?.contains("done ") == true
        }
        return (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }

    @Test func aRunningDashboardGoesThere() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("p\(UInt32.random(in: 0...0xFFFF))")
        defer { try? FileManager.default.removeItem(at: home) }
        let tmux = try TmuxSession(
            "tappa", width: 110, height: 40, home: home, environment: "XDG_RUNTIME_DIR=\(home.path)")
        #expect(await tmux.wait(for: "▐"))
        let folder = home.path + "/tappa"
        #expect(await tmux.wait { _ in !FileManager.default.directoryContents(folder).isEmpty })
        let socket = folder + "/" + (FileManager.default.directoryContents(folder).first ?? "")
        var status = stat()
        #expect(stat(socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(Self.run(tmux, "open settings:theme").hasSuffix("done 0\n"))
        #expect(await tmux.wait(for: "▐Settings▌"))
        #expect(Self.run(tmux, "open feed:https://none.example/").contains("not in the library"))
        #expect(Self.run(tmux, "open nowhere").contains("o such place"))
        // Without a terminal none can start.
        #expect(Self.run(tmux, "open --new unread").contains("needs a terminal"))
        // Another library has no dashboard here.
        #expect(Self.run(tmux, "open unread --database \(home.path)/other.sqlite").contains("needs a terminal"))
        // Hostile messages are refused, and the dashboard goes on.
        for message in [
            [UInt8](repeating: 0x61, count: 100_000), [0x0A], [0xFF, 0xFE, 0x0A], Array("unread\u{1B}[2J\n".utf8), [],
            Array("entry:99999999999999999999\n".utf8),
        ] { OpensPlaces.send(message, to: socket) }
        #expect(Self.run(tmux, "open unread").hasSuffix("done 0\n"))
        #expect(await tmux.wait(for: "▐Feeds"))
        tmux.press("Q")
        #expect(await tmux.wait { _ in FileManager.default.directoryContents(folder).isEmpty })
    }

    private static func send(_ bytes: [UInt8], to path: String) {
        let connection = LocalSocket.make()
        defer { close(connection) }
        var socket = PlaceSocket(folder: "/", library: "", server: "", pane: "%1")
        socket.path = path
        guard LocalSocket.withAddress(of: socket.path, { connect(connection, $0, $1) }) == 0 else { return }
        _ = bytes.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    @Test func placesOfAnyLengthArriveWhole() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("p\(UInt32.random(in: 0...0xFFFF))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = PlaceSocket(folder: folder.path, library: "l", server: "s", pane: "%1")
        let shown = Mutex<[Place]>([])
        let server = try #require(
            PlaceServer(socket) { place in
                shown.withLock { $0.append(place) }
                return shown.withLock { $0.count } > 1 ? String(repeating: "é", count: 5000) : nil
            })
        defer { server.stop() }
        let place = try Place("feed:https://a.example/" + String(repeating: "x", count: Place.maximumBytes - 23))
        #expect(place.text.utf8.count == Place.maximumBytes)
        #expect(await Task.detached { socket.send(place) }.value == .done)
        #expect(shown.withLock { $0 } == [place])
        // A long answer is cut between characters, and not left out.
        guard case .refused(let reason) = await Task.detached(operation: { socket.send(place) }).value else {
            Issue.record("no answer")
            return
        }
        #expect(reason.count > 900 && reason.allSatisfy { $0 == "é" })
    }

    @Test func writesCommandsForPanes() throws {
        let pane = try #require(
            TmuxPane(environment: ["TMUX": "/tmp/s,1,0", "TMUX_PANE": "%3", "PATH": "/usr/bin:/bin"]))
        #expect(pane.server == "/tmp/s" && pane.name == "%3")
        let words = pane.words(for: ["/bin/tappa", "open", "--", "search:a; b;"], in: .beside, folder: "/x")
        #expect(
            words.dropFirst() == [
                "split-window", "-h", "-t", "%3", "-c", "/x", "/bin/tappa", "open", "--", "search:a; b\\;",
            ])
        for name in ["", "%", "3", "%3;", "%x", "-t", "%٣", "%1234567890123"] { #expect(!TmuxPane.isName(name)) }
        #expect(TmuxPane(environment: ["TMUX": "/tmp/s,1,0", "TMUX_PANE": "%3; x", "PATH": "/usr/bin:/bin"]) == nil)
        #expect(TmuxPane(environment: ["TMUX_PANE": "%3", "PATH": "/usr/bin:/bin"]) == nil)
    }

    /// screen marks the sockets of attached sessions, and reports nothing to the programs in them.
    @Test func knowsWhetherScreenIsAttached() {
        let folder = TemporaryFolder()
        let socket = folder.path("1.pts-0.host")
        #expect(FileManager.default.createFile(atPath: socket, contents: nil))
        let environment = ["STY": "1.pts-0.host", "SCREENDIR": folder.url.path]
        for (mode, isAttached) in [(0o600, false), (0o700, true)] {
            chmod(socket, mode_t(mode))
            #expect(PaneClients.areAny(in: environment) == isAttached)
        }
        #expect(PaneClients.areAny(in: ["STY": "2.unknown", "SCREENDIR": folder.url.path]))
        #expect(PaneClients.areAny(in: [:]))
    }

    /// A new pane shows what was selected, whatever characters it contains.
    @Test func opensAnotherPane() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("p\(UInt32.random(in: 0...0xFFFF))")
        defer { try? FileManager.default.removeItem(at: home) }
        try home.write("segments = [\"feeds\", \"search:welcome or $(touch x);\"]\n", to: ".config/tappa/config.toml")
        let tmux = try await TmuxSession("tappa open unread", width: 120, height: 40, home: home, expecting: "▐Feeds")
        tmux.press("C-x", "p")
        #expect(await tmux.wait { _ in tmux.command("list-panes").split(separator: "\n").count == 2 })
        #expect(await tmux.wait { $0.contains("▐Feeds") })
        tmux.press("Q")
        #expect(await tmux.wait { _ in tmux.command("list-panes").split(separator: "\n").count == 1 })
    }
}

extension FileManager {
    fileprivate func directoryContents(_ path: String) -> [String] { (try? contentsOfDirectory(atPath: path)) ?? [] }
}
