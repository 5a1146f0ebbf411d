import ModelCore
import TerminalUI
import Testing

/// From any screen, `q` quits in a few presses, and going back never ends in a circle (row NAV-03).
@MainActor
@Suite struct LeavesFromAnywhere {
    nonisolated private static let widths = [1, 20, 40, 57, 58, 64, 70, 77, 78, 100, 120, 147, 160]

    private func dashboard(_ width: Int, _ segment: String, opening keys: [String]) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(width, 24, segment: segment)
        for key in keys {
            try await dashboard.press(key)
        }
        return dashboard
    }

    @Test(arguments: SegmentName.allCases.map(\.rawValue), widths)
    func NAV_03_quitsFromEveryScreen(segment: String, width: Int) async throws {
        for keys in [[], ["enter"], ["enter", "enter"], ["enter", "enter", "\\"], ["enter", "j", "enter", "h", "l"]] {
            let dashboard = try await dashboard(width, segment, opening: keys)
            var presses = 0
            while !dashboard.screen.application.isFinished, presses < 7 {
                try await dashboard.press("q")
                presses += 1
            }
            #expect(dashboard.screen.application.isFinished, "\(keys):\n\(dashboard.screen.text)")
        }
    }

    @Test(arguments: ["esc", "h", "backspace"], [40, 58, 70, 77, 100])
    func NAV_03_backEndsAtTheRoot(key: String, width: Int) async throws {
        for segment in SegmentName.allCases.map(\.rawValue) {
            let dashboard = try await dashboard(width, segment, opening: ["enter", "enter"])
            var screens: [String] = []
            for _ in 0..<7 {
                try await dashboard.press(key)
                screens.append(dashboard.screen.text)
            }
            // The last presses change nothing.
            #expect(screens[5] == screens[6], "\(segment):\n\(screens[5])\n\(screens[6])")
            #expect(!dashboard.screen.application.isFinished)
            dashboard.screen.press("q")
            #expect(dashboard.screen.application.isFinished, "\(segment):\n\(screens[6])")
        }
    }
}
