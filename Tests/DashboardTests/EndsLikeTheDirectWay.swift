import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// Whatever widths lie between two sizes of the pane, the last one alone decides what is shown (row SPL-12).
@MainActor
@Suite struct EndsLikeTheDirectWay {
    /// What is open before the pane changes its size.
    struct State: Sendable, CustomTestStringConvertible {
        var segment: String
        var keys: [String]
        var testDescription: String { ([segment] + keys).joined(separator: " ") }
    }

    private nonisolated static let states: [State] =
        ["feeds", "stages", "settings"].flatMap { segment in
            [[], ["enter"], ["enter", "enter"], ["enter", "enter", "h"], ["enter", "enter", "\\"]].map {
                State(segment: segment, keys: $0)
            }
        } + [
            State(segment: "feeds", keys: ["S", "a", "enter"]),
            State(segment: "feeds", keys: ["S", "a", "enter", "enter"]),
            State(segment: "feeds", keys: ["ctrl-x", "h"]), State(segment: "feeds", keys: ["enter", "enter", "n"]),
        ]

    private static func show(_ width: Int, in screen: TestScreen) -> String {
        screen.resize(width, 30)
        // What the new size asks for has come.
        screen.application.send([])
        return screen.text
    }

    @Test(arguments: states) func SPL_12_anyWidthsInBetweenLeaveNoTrace(state: State) async throws {
        for first in [40, 120] {
            let dashboard = try await DashboardScreen(
                first, 30, segment: state.segment, feeds: RandomWalk.feeds(9), race: RandomWalk.race(9))
            let screen = dashboard.screen
            for key in state.keys {
                try await dashboard.press(key)
            }
            for last in [70, 40, 120] {
                let before = EndsLikeTheDirectWay.show(first, in: screen)
                let direct = EndsLikeTheDirectWay.show(last, in: screen)
                for middle in [120, 160, 40, 70] {
                    #expect(EndsLikeTheDirectWay.show(first, in: screen) == before, "\(first) → \(last) → \(first)")
                    _ = EndsLikeTheDirectWay.show(middle, in: screen)
                    #expect(EndsLikeTheDirectWay.show(last, in: screen) == direct, "\(first) → \(middle) → \(last)")
                }
            }
        }
    }
}
