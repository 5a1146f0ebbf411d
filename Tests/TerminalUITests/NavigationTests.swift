import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct NavigationTests {
    let log = LifeCycleLog()

    @Test func NAV_01_namesTheBackItem() {
        let root = LoggedController("A very long title of a list", log: log)
        root.navigationItem.backTitle = "Short"
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        navigation.push(LoggedController("Top", log: log))
        screen.application.render()
        #expect(screen.lines[0] == " ‹ Short  Top")
        screen.click(on: "‹ Short")
        #expect(navigation.topViewController === root)
    }

    @Test func NAV_01_popsReturnRemovedControllers() {
        let controllers = ["A", "B", "C"].map { LoggedController($0, log: log) }
        let navigation = NavigationController()
        navigation.setViewControllers(controllers)
        #expect(navigation.popToRoot() == [controllers[1], controllers[2]])
        #expect(navigation.pop() == nil)
    }

    @Test func NAV_02_rejectsPushingANavigationController() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                NavigationController(rootViewController: ViewController()).push(NavigationController())
            }
        }
    }

    @Test(arguments: ["esc", "backspace", "h", "left", "q"])
    func NAV_03_keysGoBackAndRestoreTheSelection(key: String) {
        let root = LoggedController("Root", log: log, rows: 9)
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        screen.press("j", "j")
        navigation.push(LoggedController("Top", log: log))
        screen.press(key)
        #expect(navigation.topViewController === root)
        #expect(root.table.selectedPath == RowPath(row: 2))
        #expect(screen.application.window.focusedView === root.table)
    }

    @Test func NAV_01_derivesTheTransitionFromTheStacks() {
        final class Delegate: NavigationControllerDelegate {
            var heard: [String] = []
            func navigationController(
                _ navigation: NavigationController, willShow controller: ViewController,
                by transition: NavigationTransition
            ) { heard.append("will \(controller.title) \(transition)") }
            func navigationController(
                _ navigation: NavigationController, didShow controller: ViewController,
                by transition: NavigationTransition
            ) { heard.append("did \(controller.title) \(transition)") }
        }
        let (a, b, c, d) = (controller("A"), controller("B"), controller("C"), controller("D"))
        let navigation = NavigationController()
        let delegate = Delegate()
        navigation.delegate = delegate
        navigation.setViewControllers([a, b, c])
        navigation.setViewControllers([d, a, b])
        navigation.setViewControllers([d, b])
        navigation.setViewControllers([])
        #expect(delegate.heard == ["will C push", "did C push", "will B pop", "did B pop"])
        #expect(navigation.topViewController == nil)
    }

    private func controller(_ name: String) -> LoggedController { LoggedController(name, log: log) }

    @Test func NAV_01_showsAPromptOverTheItems() {
        let root = controller("Root")
        root.navigationItem.prompt = "Choose a town"
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        #expect(screen.lines.prefix(3) == [" Choose a town", " Root", "view of Root"])
        screen.resize(40, 10)
        #expect(screen.lines.prefix(2) == [" Root", "view of Root"])
    }

    @Test func NAV_01_movesExcessRightItemsIntoAMenu() {
        var pressed = ""
        let root = controller("A title")
        root.navigationItem.rightBarButtonItems = ["First", "Second", "Third"].map { name in
            BarButtonItem(DisplayText(name)) { pressed = name }
        }
        let screen = TestScreen(inStack: root, width: 60, height: 20)
        #expect(screen.lines[0] == " A title" + String(repeating: " ", count: 31) + "Third  Second  First")
        screen.resize(24, 20)
        #expect(screen.lines[0] == " A title       First  ⋯")
        screen.click(on: "⋯")
        screen.press("j", "enter")
        #expect(pressed == "Third")
    }

    @Test func SEG_04_aCancelledPopReversesItsCalls() {
        let (root, top) = (controller("Root"), controller("Top"))
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        navigation.push(top)
        screen.application.render()
        _ = log.take()
        screen.mouse(.press(.left), 0, 5)
        screen.mouse(.drag(.left), 5, 5)
        #expect(screen.lines[1].hasPrefix("view view of Top"))
        screen.mouse(.release, 5, 5)
        #expect(
            log.take() == [
                "Top willDisappear", "Root willAppear", "Root willDisappear", "Root didDisappear", "Top willAppear",
                "Top didAppear",
            ])
        #expect(navigation.topViewController === top)
        #expect(screen.lines[1] == "view of Top")
        screen.drag(from: Point(x: 0, y: 5), to: Point(x: 30, y: 5))
        #expect(navigation.topViewController === root)
        #expect(log.take() == ["Top willDisappear", "Root willAppear", "Top didDisappear", "Root didAppear"])
    }

    @Test func aResizeDuringADragKeepsTheTop() {
        let (root, top) = (controller("Root"), controller("Top"))
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        navigation.push(top)
        screen.mouse(.press(.left), 0, 5)
        screen.mouse(.drag(.left), 20, 5)
        screen.resize(50, 18)
        #expect(screen.lines[1] == "view of Top")
        #expect(navigation.topViewController === top)
    }

    @Test func animationsNeverBlock() {
        let (root, top) = (controller("Root"), controller("Top"))
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        let window = screen.application.window
        window.motion = .full
        let begin = ContinuousClock.now
        window.now = { begin }
        navigation.push(top)
        #expect(window.isAnimating)
        screen.application.render()
        #expect(screen.lines[1] == "view of Root")
        window.advanceAnimations(to: begin + .milliseconds(60))
        screen.application.render()
        #expect(screen.lines[1].contains("view of Root") && screen.lines[1].contains("view of To"))
        window.advanceAnimations(to: begin + .seconds(1))
        screen.application.render()
        #expect(!window.isAnimating)
        #expect(screen.lines[1] == "view of Top")
        navigation.pop()
        screen.press("j")
        #expect(screen.lines[1] == "view of Root")
        window.motion = .reduced
        navigation.push(top)
        #expect(!window.isAnimating)
    }
}
