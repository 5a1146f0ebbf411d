import ModelCore
import TerminalUI
import Testing

@testable import Dashboard

/// The screens of a terminal whose locale isn't UTF-8.
@MainActor
@Suite struct DrawsSignsOfASCII {
    /// Letters stay, but every sign of the program's own has one of ASCII, whichever view draws it.
    @Test(arguments: SegmentName.allCases.map(\.rawValue)) func drawsNoOtherSigns(segment: String) async throws {
        let dashboard = try await DashboardScreen(120, 39, segment: segment)
        let screen = dashboard.screen
        screen.terminal.capabilities.hasUnicode = false
        screen.application.send(.resize(screen.terminal.size))
        for keys in [[], ["enter"], ["enter"], ["?"], ["esc"], [":"], ["esc"], ["/", "z"], ["esc"], [","], ["esc"]] {
            for key in keys { screen.press(key) }
            for size in [(120, 39), (79, 23), (40, 12), (120, 39)] {
                screen.resize(size.0, size.1)
                let others = screen.text.unicodeScalars.filter { ASCIISigns.sign(for: $0) != nil }
                #expect(others.isEmpty, "\(keys) \(size): \(String(String.UnicodeScalarView(others)))\n\(screen.text)")
            }
        }
    }
}
