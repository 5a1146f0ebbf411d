import TerminalUITesting
import Testing

@testable import TerminalUI

/// Keys wait for the content that they are meant for, and presentations outlive what has presented them.
@MainActor
@Suite struct OrdersInput {
    /// A controller that records its keys, and awaits its content as long as the test wants.
    private final class Recorder: ViewController {
        var isAwaiting = false
        var keys = ""
        private final class Field: View { override var canBecomeFocused: Bool { true } }
        override func makeView() -> View { Field() }
        override var awaitsContent: Bool { isAwaiting }
        override func handle(_ press: KeyPress) -> Bool {
            guard case .character(let character) = press.key, character.isUppercase else { return false }
            keys.append(character)
            return true
        }
    }

    private func screen() -> (screen: TestScreen, root: Recorder, pushed: Recorder, navigation: NavigationController) {
        let (root, pushed) = (Recorder(), Recorder())
        pushed.isAwaiting = true
        let navigation = NavigationController(rootViewController: root)
        navigation.additionalCommands = {
            [Command("push", "Push", keys: ["p"]) { [weak navigation] in navigation?.push(pushed) }]
        }
        return (TestScreen(root: navigation, size: Size(width: 40, height: 12)), root, pushed, navigation)
    }

    /// Keys that arrive with the one that pushes a screen reach that screen once its content is there, in their order.
    @Test func NAV_06_keysWaitForTheContentTheyAreMeantFor() {
        let (screen, root, pushed, _) = screen()
        screen.press(together: "A", "p", "B", "C")
        screen.press("D")
        #expect(root.keys == "A" && pushed.keys == "")
        pushed.isAwaiting = false
        screen.press("E")
        #expect(root.keys == "A" && pushed.keys == "BCDE")
    }

    /// Without anything to wait for, keys that arrive together act in the same frame.
    @Test func NAV_06_keysActAtOnceWhereNothingIsAwaited() {
        let (screen, root, pushed, _) = screen()
        pushed.isAwaiting = false
        let before = screen.terminal.presentations
        screen.press(together: "A", "p", "B")
        #expect(root.keys == "A" && pushed.keys == "B" && screen.terminal.presentations == before + 1)
    }

    /// Content that never comes delays a key by a second at most, counted from the key that asked for it.
    @Test func NAV_06_waitsAreBounded() {
        let (screen, _, pushed, _) = screen()
        let window = screen.application.window
        var now = ContinuousClock.now
        window.now = { now }
        screen.press(together: "p", "A")
        now += .milliseconds(900)
        screen.press("B")
        #expect(pushed.keys == "")
        now += .milliseconds(101)
        screen.application.send([])
        #expect(pushed.keys == "AB")
        screen.press("C")
        #expect(pushed.keys == "ABC")
    }

    /// Esc, the keys of commands that need no content, clicks and resizes don't wait for content.
    @Test(arguments: ["esc", "h", "q", "backspace"]) func NAV_06_goingBackNeedsNoContent(key: String) {
        let (screen, _, _, navigation) = screen()
        screen.press(together: "p", key)
        #expect(navigation.viewControllers.count == 1)
        screen.press("p")
        screen.resize(30, 10)
        #expect(screen.terminal.cells.size == Size(width: 30, height: 10) && navigation.viewControllers.count == 2)
        screen.click(1, 0)
        #expect(navigation.viewControllers.count == 1)
        screen.press("p", "ctrl-c")
        #expect(screen.application.isFinished)
    }

    /// The screen that another one leads to is awaited like content, but what a field accepts doesn't wait.
    @Test func NAV_06_keysWaitForAScreenOnItsWay() {
        let root = Recorder()
        let screen = TestScreen(root: root, size: Size(width: 40, height: 12))
        var isOnItsWay = true
        screen.application.awaitsScreen = { isOnItsWay }
        screen.press(together: "A", "B")
        #expect(root.keys == "")
        isOnItsWay = false
        screen.application.send([])
        #expect(root.keys == "AB")
        let field = TextField()
        let other = TestScreen(of: field, width: 40, height: 12)
        other.application.awaitsScreen = { true }
        other.press(together: "a", "b")
        #expect(field.text == "ab")
    }

    /// A program that ends leaves the keys behind the one that ended it alone.
    @Test func NAV_06_nothingActsAfterTheEnd() {
        let (screen, root, _, _) = screen()
        screen.press(together: "A", "ctrl-c", "B")
        #expect(root.keys == "A" && screen.application.isFinished)
    }

    /// A presentation whose presenter leaves the window belongs to what lies beneath, and Esc closes it.
    @Test(arguments: [1, 2]) func POP_05_presentationsOutliveTheirPresenter(depth: Int) {
        let (screen, _, pushed, navigation) = screen()
        pushed.isAwaiting = false
        screen.press("p")
        weak var gone: ViewController?
        do {
            let top = Recorder()
            navigation.push(top)
            gone = top
            top.present(AlertController(title: "First", message: "The first question"))
            if depth == 2 {
                top.presentedViewController?.present(
                    TextPromptViewController(title: "Second", message: "The second") { _ in })
            }
        }
        navigation.setViewControllers([pushed])
        screen.application.render()
        #expect(gone == nil && screen.text.contains(depth == 2 ? "Second" : "First"))
        let window = screen.application.window
        #expect((depth == 2) == (window.presentedViewController is TextPromptViewController))
        #expect(navigation.presentedViewController is AlertController)
        #expect(navigation.presentedViewController?.presentingViewController === navigation)
        for _ in 0..<depth { screen.press("esc") }
        #expect(window.presentedViewController == nil)
        screen.press("K")
        #expect(pushed.keys == "K")
    }

    /// A text that is replaced and popped in one frame slides away without its previous lines.
    @Test func NAV_07_drawsWhatSlidesAwayInItsPresentLayout() {
        let text = TextView()
        text.setParagraphs((0..<40).map { TextParagraph(DisplayText("Line \($0)")) })
        let navigation = NavigationController(rootViewController: Recorder())
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 12))
        screen.application.window.motion = .full
        navigation.push(HostController(text))
        screen.application.send([])
        text.setParagraphs([])
        navigation.pop()
        screen.application.send([])
        #expect(!screen.text.contains("Line"))
    }
}
