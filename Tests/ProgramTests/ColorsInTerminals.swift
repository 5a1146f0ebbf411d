import Foundation
import Testing

/// The colours of the terminal around tmux, from the built program to the cells that tmux shows.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ColorsInTerminals {
    /// The end of the query for colours, and a light terminal's answer.
    private static let answers = [
        "\u{1B}]11;?\u{07}":
            "\u{1B}]4;6;rgb:00/80/80\u{07}\u{1B}]10;rgb:30/30/30\u{07}\u{1B}]11;rgb:fa/fa/fa\u{07}",
        "\u{1B}[>q": "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}[c": "\u{1B}[?62;22c",
    ]

    /// Without pass-through old versions of tmux know no colours, so the sixteen are accents; with it the terminal
    /// answers.
    @Test func queriesTheTerminalAroundTmux() async throws {
        let tmux = try TmuxSession(
            "tappa --in-memory --segment settings", width: 100, height: 30, environment: "NO_COLOR=")
        #expect(await tmux.wait(for: "Theme"))
        func styled() -> String { tmux.command("capture-pane", "-e", "-p") }
        // Bold text in one of the sixteen would have another colour in some terminals.
        #expect(styled().contains("[35m") || styled().contains("48;"))
        let outer = try #require(
            OuterTerminal(
                ["env", "-u", "TMUX", "tmux", "-S", tmux.socket, "attach"], columns: 100, rows: 30,
                answers: ColorsInTerminals.answers))
        _ = tmux.command("set-option", "-g", "allow-passthrough", "on")
        #expect(await tmux.wait { _ in tmux.command("list-clients", "-F", "#{client_termtype}").contains("XTerm") })
        tmux.resize(101, 30)
        // The selected row has a mixed ground. The accent is the same inside and outside tmux.
        #expect(await tmux.wait { _ in styled().contains("48;") })
        // No answer was read as a key.
        #expect(await tmux.wait(for: "Theme"))
        outer.stop()
    }
}
