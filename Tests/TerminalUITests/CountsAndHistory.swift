import TerminalUI
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Numbers before keys, and earlier texts in prompts.
@MainActor
@Suite struct CountsAndHistory {
    private func list(rows: Int = 60) -> (TestScreen, LoggedController) {
        let list = LoggedController("List", log: LifeCycleLog(), rows: rows)
        return (
            TestScreen(inStack: list, width: 40, height: 12), list
        )
    }

    @Test func CNT_01_aNumberRepeatsAMove() {
        let (screen, list) = list()
        for (keys, row) in [
            (["5", "j"], 5), (["1", "0", "j"], 15), (["3", "k"], 12), (["2", "0", "G"], 19), (["1", "G"], 0),
            (["9", "9", "9", "9", "9", "G"], 59), (["g", "g"], 0), (["j"], 1), (["9", "9", "j"], 59),
        ] {
            screen.press(together: keys[0])
            for key in keys.dropFirst() { screen.press(key) }
            #expect(list.table.selectedPath == RowPath(row: row), "\(keys)")
        }
        // Esc forgets it.
        screen.press("g", "g", "7", "esc", "j")
        #expect(list.table.selectedPath == RowPath(row: 1))
    }

    @Test func CNT_02_digitsOfCommandsAreNoCount() {
        let roots = ["One", "Two"].map { LoggedController($0, log: LifeCycleLog(), rows: 30) }
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: roots)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 12))
        screen.press("2", "j")
        #expect(segments.selectedIndex == 1 && roots[1].table.selectedPath == RowPath(row: 1))
        // With other keys for the segments, digits are free.
        var map = KeyMap()
        for (index, pick) in SegmentCommands.picks.enumerated() {
            map.bindings[pick.name] = [KeySequence([KeyPress(.character(Character("\(index + 1)")), .alt)])]
        }
        screen.application.window.keyMap = map
        screen.press("2", "j")
        #expect(roots[1].table.selectedPath == RowPath(row: 3))
        screen.press("alt-1")
        #expect(segments.selectedIndex == 0)
    }

    private func prompt(_ title: DisplayText, isSecure: Bool = false, _ submit: @escaping (String) -> Void = { _ in })
        -> TextPromptViewController
    {
        TextPromptViewController(title: title, message: "Type", isSecure: isSecure, onSubmit: submit)
    }

    @Test func CNT_03_promptsRecallEarlierTexts() {
        let (screen, list) = list()
        var entered: [String] = []
        func enter(_ text: String) {
            list.present(prompt("Recall") { entered.append($0) })
            screen.type(text, then: "enter")
        }
        for text in ["giro", "tour", "vuelta", "tour"] { enter(text) }
        list.present(prompt("Recall") { entered.append($0) })
        screen.type("new", then: "up")
        #expect(screen.text.contains("tour"))
        #expect(screen.press("up", "up", "up", shows: "giro"))
        #expect(screen.press("down", "down", "down", shows: "new"))
        screen.press("ctrl-u")
        screen.type("IR", then: "ctrl-r", "enter")
        #expect(entered.last == "giro")
        // Another kind of prompt has another history, and passwords have none.
        list.present(prompt("Another"))
        screen.press("up")
        #expect(!screen.text.contains("giro"))
        screen.press("esc")
        for _ in 0..<2 {
            list.present(prompt("Secret", isSecure: true) { entered.append($0) })
            screen.press("up")
            screen.type("x", then: "enter")
        }
        #expect(entered.suffix(2) == ["x", "x"])
    }

    @Test func CNT_04_aFieldLeavesCtrlZToTheProgram() {
        let (screen, list) = list()
        var suspended = 0
        screen.application.window.globalCommands = {
            [Command("test.suspend", "Suspend", keys: ["ctrl-z"]) { suspended += 1 }]
        }
        list.present(prompt("Suspended"))
        screen.type("words", then: "ctrl-z")
        #expect(suspended == 1 && screen.text.contains("words"))
    }
}
