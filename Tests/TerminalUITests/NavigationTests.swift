import ScreenTesting
import TerminalUI
import Testing

@MainActor
@Suite struct NavigationTests {
    let log = LifeCycleLog()

    @Test func NAV_01_theBackItemIsNamedByTheControllerBelow() {
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

    @Test func NAV_01_popsAnswerWhatTheyTookOff() {
        let controllers = ["A", "B", "C"].map { LoggedController($0, log: log) }
        let navigation = NavigationController()
        navigation.setViewControllers(controllers)
        #expect(navigation.popToRoot() == [controllers[1], controllers[2]])
        #expect(navigation.pop() == nil)
    }

    @Test func NAV_02_pushingANavigationControllerIsRefused() async {
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
}
