import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct SegmentsTests {
    let log = LifeCycleLog()

    private func makeSegments() -> (TestScreen, SegmentsController, [LoggedController]) {
        let roots = ["One", "Two", "Three"].map { LoggedController($0, log: log, rows: 5) }
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: roots)
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 20))
        return (screen, segments, roots)
    }

    @Test func SEG_01_settingTheIndexSelects() {
        let (screen, segments, roots) = makeSegments()
        segments.selectedIndex = 1
        screen.application.render()
        #expect(segments.navigationController.viewControllers == [roots[1]])
        #expect(screen.text.contains("Two row 0"))
        #expect(screen.lines[0].contains("▐Two▌"))
    }

    @Test func SEG_02_readsTitlesWithoutLoadingViews() {
        let (screen, _, _) = makeSegments()
        #expect(screen.lines[0].contains("One▌ Two  Three"))
        #expect(log.calls.filter { $0.hasSuffix("didLoad") } == ["One didLoad"])
    }

    @Test func SEG_04_callsComeOnceAndInOrder() {
        let (screen, segments, roots) = makeSegments()
        #expect(log.take() == ["One didLoad", "One willAppear", "One didAppear"])
        segments.selectedIndex = 1
        #expect(
            log.take() == ["Two didLoad", "One willDisappear", "Two willAppear", "One didDisappear", "Two didAppear"])
        segments.selectedIndex = 0
        #expect(log.take() == ["Two willDisappear", "One willAppear", "Two didDisappear", "One didAppear"])
        roots[0].navigationController?.push(LoggedController("Pushed", log: log))
        #expect(
            log.take() == [
                "Pushed didLoad", "One willDisappear", "Pushed willAppear", "One didDisappear", "Pushed didAppear",
            ])
        screen.press("esc")
        #expect(log.take() == ["Pushed willDisappear", "One willAppear", "Pushed didDisappear", "One didAppear"])
        screen.resize(40, 10)
        #expect(log.take().isEmpty)
    }

    @Test func SEG_05_keysAndClicksSelect() {
        let (screen, segments, roots) = makeSegments()
        screen.press("tab")
        #expect(segments.selectedIndex == 1)
        screen.press("backtab", "backtab")
        #expect(segments.selectedIndex == 2)
        screen.press("1")
        #expect(segments.selectedIndex == 0)
        screen.click(on: "Three")
        #expect(segments.selectedIndex == 2)
        roots[2].navigationController?.push(LoggedController("Pushed", log: log))
        screen.press("3")
        #expect(segments.navigationController.viewControllers == [roots[2]])
    }

    @Test func SEG_06_restoresASegment() {
        let (screen, segments, roots) = makeSegments()
        screen.press("j", "j")
        roots[0].navigationController?.push(LoggedController("Pushed", log: log))
        screen.press("tab", "backtab")
        #expect(segments.navigationController.viewControllers.count == 2)
        screen.press("esc")
        #expect(roots[0].table.selectedPath == RowPath(row: 2))
    }

    @Test func SEG_08_shortensNamesButTheSelected() {
        let (screen, segments, _) = makeSegments()
        segments.setBadge("12", at: 1)
        segments.setEnabled(false, at: 2)
        screen.press("tab")
        #expect(screen.lines[0].hasPrefix(" One ▐Two 12▌ Three"))
        screen.press("tab")
        #expect(segments.selectedIndex == 0)
        screen.resize(20, 10)
        #expect(screen.lines[0].contains("▐One▌"))
    }

    @Test func SEG_08_neverSelectsADisabledSegment() {
        let (screen, segments, _) = makeSegments()
        segments.setEnabled(false, at: 2)
        screen.application.render()
        screen.click(on: "Three")
        #expect(segments.selectedIndex == 0)
        screen.press("3")
        #expect(segments.selectedIndex == 0)
        screen.press("backtab")
        #expect(segments.selectedIndex == 1)
        segments.setEnabled(true, at: 2)
        screen.application.render()
        screen.click(on: "Three")
        #expect(segments.selectedIndex == 2)
    }

    @Test func SEG_03_aRootPushesOntoItsNavigationController() {
        let (screen, segments, roots) = makeSegments()
        roots[0].show(LoggedController("Pushed", log: log))
        screen.application.render()
        #expect(segments.navigationController.topViewController?.title == "Pushed")
        #expect(screen.lines[0].contains("▐One▌"))
        #expect(screen.text.contains("view of Pushed"))
    }

    @Test func SEG_07_selectsASegmentAtStart() {
        let roots = ["One", "Two"].map { LoggedController($0, log: log, rows: 5) }
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: roots, selectedIndex: 1)
        #expect(segments.selectedIndex == 1)
        #expect(navigation.viewControllers == [roots[1]])
    }

    @Test func SEG_08_updatesAChangedTitle() {
        let (screen, segments, roots) = makeSegments()
        roots[1].title = "Zwei"
        screen.application.render()
        #expect(screen.lines[0].contains("Zwei"))
        #expect(segments.segmentedControl.segments[1].title == "Zwei")
    }

    private final class Counting: ViewController, RestorableSegment {
        static var made = 0
        var count = 0
        init(title: DisplayText) {
            Counting.made += 1
            super.init()
            self.title = title
        }
        var segmentState: Any { count }
        func restore(_ state: Any) { count = state as? Int ?? -1 }
    }

    @Test func SEG_06_createsSegmentsLazilyAndReloadsThem() {
        Counting.made = 0
        let navigation = NavigationController()
        let segments = SegmentsController(
            navigationController: navigation,
            segments: ["One", "Two"].map { title in .init(title) { Counting(title: title) } })
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 20))
        #expect(Counting.made == 1)
        (segments.rootIfMade(at: 0) as? Counting)?.count = 7
        screen.press("tab")
        #expect(Counting.made == 2)
        weak let first = segments.rootIfMade(at: 0)
        screen.application.window.receiveMemoryWarning()
        #expect(first == nil)
        #expect(segments.rootIfMade(at: 1) != nil)
        #expect(segments.segmentState(at: 0) as? Int == 7)
        screen.press("tab")
        #expect(Counting.made == 3)
        #expect((segments.rootIfMade(at: 0) as? Counting)?.count == 7)
    }

    @Test func insertsAndRemovesSegments() {
        let control = SegmentedControl()
        control.insertSegment(.init("B"), at: 9)
        control.insertSegment(.init("A"), at: -1)
        control.selectedSegmentIndex = 1
        control.insertSegment(.init("C"), at: 0)
        #expect(control.segments.map(\.title) == ["C", "A", "B"])
        #expect(control.selectedSegmentIndex == 2)
        control.removeSegment(at: 0)
        #expect(control.selectedSegmentIndex == 1)
        control.removeSegment(at: 1)
        #expect(control.selectedSegmentIndex == -1)
        control.hasEqualWidths = true
        control.insertSegment(.init("Longer"), at: 1)
        #expect(control.sizeThatFits(Size(width: 40, height: 1)).width == 17)
    }
}
