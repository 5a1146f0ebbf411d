import CommonTesting
import Foundation
import LibraryTesting
import ModelCore
import Testing

/// Pictures as pixels, from the built program to the bytes that a terminal receives.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PicturesInTerminals {
    private let temporary = TemporaryFolder()

    private func home(pictures: String) throws -> URL {
        try temporary.write("[appearance]\npictures = \"\(pictures)\"\n", to: ".config/tappa/config.toml")
        return temporary.url
    }

    private func attach(_ tmux: TmuxSession, as name: String) throws -> OuterTerminal {
        try #require(
            OuterTerminal(
                ["env", "-u", "TMUX", "tmux", "-S", tmux.socket, "attach"], columns: 100, rows: 30,
                answers: ["\u{1B}[>q": "\u{1B}P>|\(name)\u{1B}\\", "\u{1B}[c": "\u{1B}[?62;22c"]))
    }

    @Test func sendsKittyPicturesThroughTmux() async throws {
        let home = try home(pictures: "kitty")
        let tmux = try TmuxSession(
            "tappa --in-memory --segment stages", width: 100, height: 30, home: home, environment: "NO_COLOR=")
        #expect(await tmux.wait(for: "Amsterdam"))
        _ = tmux.command("set-option", "-g", "allow-passthrough", "on")
        let kitty = try attach(tmux, as: "kitty(0.35.2)")
        #expect(await tmux.wait { _ in tmux.command("list-clients", "-F", "#{client_termtype}").contains("kitty") })
        // The attached terminal is noticed at the latest when the pane changes its size.
        tmux.resize(101, 30)
        let showsPlaceholders = { (text: String) in text.unicodeScalars.contains("\u{10EEEE}") }
        #expect(await tmux.wait(until: showsPlaceholders))
        #expect(await kitty.wait { $0.contains("_Ga=T,U=1,i=") && $0.contains("q=2,m=0;") })
        // No query was sent, and no tmux wrapper remains in the output.
        #expect(!kitty.output.contains("\u{1B}[>0q") && !kitty.output.contains("Ptmux;"))
        // Another terminal, which shows no pictures.
        _ = tmux.command("detach-client", "-s", "0")
        kitty.stop()
        let other = try attach(tmux, as: "XTerm(379)")
        #expect(await tmux.wait { !showsPlaceholders($0) })
        #expect(await other.wait { $0.contains("Amsterdam") })
        #expect(!other.output.contains("\u{1B}_G"))
        other.stop()
    }

    @Test func showsSixelsOutsideTmux() async throws {
        let home = try home(pictures: "sixel")
        let answers = [
            // Each query ends with the device attributes.
            "\u{1B}]11;?\u{07}\u{1B}[c": "\u{1B}[?62;4;22c",
            "\u{1B}[?1;1;0S\u{1B}[c": "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?1;0;256S\u{1B}[?62;4;22c",
        ]
        let terminal = try #require(
            OuterTerminal.tappa("--segment", "stages", home: home, columns: 100, rows: 30, answers: answers))
        #expect(await terminal.wait { $0.contains("\u{1B}P0;1;0q\"1;1;") && $0.contains("\u{1B}\\\u{1B}8") })
        let before = terminal.output.components(separatedBy: "\u{1B}P0;1;0q").count
        // None of the answers was read as a key.
        #expect(terminal.output.contains("Winner"))
        terminal.send("\r]")
        #expect(await terminal.wait { $0.components(separatedBy: "\u{1B}P0;1;0q").count > before })
        terminal.stop()
    }

    @Test func drawsCharactersInASilentTerminal() async throws {
        let home = try home(pictures: "sixel")
        let terminal = try #require(OuterTerminal.tappa("--segment", "stages", home: home, columns: 100, rows: 30))
        #expect(await terminal.wait { $0.contains("▀▀▀") })
        terminal.send(SegmentName.settings.key)
        #expect(await terminal.wait { $0.contains("Theme") })
        #expect(!terminal.output.contains("\u{1B}P0;1;0q") && !terminal.output.contains("\u{1B}_G"))
        terminal.stop()
    }
}
