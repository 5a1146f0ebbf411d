import CommonTesting
import TerminalUI
import Testing

/// A walk without an aim: keys, clicks, pastes and resizes in any order never trap, and each frame is whole.
@MainActor
@Suite struct SurvivesAnything {
    @Test(arguments: [1, 2])
    func randomInput(seed: UInt64) async throws {
        let dashboard = try await DashboardScreen(120, 39)
        let screen = dashboard.screen
        var generator = SeededGenerator(seed: seed)
        func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
        let keys: [Key] = [
            .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace,
            .function(1),
        ]
        let letters = Array("jkhlgGnmsopfyrRaX\\<>[]?:.123 x")
        for step in 0..<700 {
            let place = Point(x: random(screen.terminal.size.width), y: random(screen.terminal.size.height))
            switch random(20) {
            case 0: screen.resize(1 + random(200), 1 + random(60))
            case 1: screen.application.send(.mouse(MouseEvent(.press(.left), at: place)))
            case 2: screen.application.send(.mouse(MouseEvent(.drag(.left), at: place)))
            case 3: screen.application.send(.mouse(MouseEvent(.wheel(random(2) * 2 - 1), at: place)))
            case 4: screen.application.send(.mouse(MouseEvent(.press(.right), at: place)))
            case 5: screen.application.send(.paste("a\u{1B}[2J\n東京"))
            case 6, 7, 8: screen.application.send(.key(KeyPress(keys[random(keys.count)])))
            default: screen.application.send(.key(KeyPress(.character(letters[random(letters.count)]))))
            }
            if step % 50 == 0 { await Task.yield() }
            #expect(screen.terminal.cells.size == screen.terminal.size)
        }
        screen.resize(120, 39)
        for _ in 0..<4 { screen.press("esc") }
        screen.press("1")
        #expect(screen.lines[0].contains("▐Stages▌"))
    }
}
