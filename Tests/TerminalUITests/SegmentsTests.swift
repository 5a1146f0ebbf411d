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

    private func segment(_ title: String, isHidden: Bool = false) -> SegmentsController.Segment {
        SegmentsController.Segment(DisplayText(title), identifier: title, isHidden: isHidden) { [log] in
            LoggedController(title, log: log, rows: 5)
        }
    }

    private func makeNamedSegments(_ titles: [String], width: Int = 60) -> (TestScreen, SegmentsController) {
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, segments: titles.map { segment($0) })
        return (TestScreen(root: navigation, size: Size(width: width, height: 20)), segments)
    }

    @Test func SEG_10_theBarLeavesOutHiddenSegmentsUnlessSelected() {
        let (screen, segments) = makeNamedSegments(["One", "Two"])
        segments.setSegments([segment("One"), segment("Three", isHidden: true), segment("Two")])
        screen.application.render()
        #expect(screen.lines[0].hasPrefix("▐One▌ Two"))
        screen.press("2")
        #expect(segments.selectedIndex == 2)
        screen.press("tab")
        #expect(segments.selectedIndex == 0)
        segments.selectedIndex = 1
        screen.application.render()
        #expect(screen.lines[0].hasPrefix(" One ▐Three▌ Two"))
        screen.press("tab", "backtab")
        #expect(segments.selectedIndex == 0)
        #expect(!screen.lines[0].contains("Three"))
    }

    @Test func SEG_11_changedSegmentsKeepTheirStacks() {
        let (screen, segments) = makeNamedSegments(["One", "Two", "Three"])
        screen.press("2", "j", "j")
        segments.navigationController.push(LoggedController("Pushed", log: log))
        segments.setBadge("7", at: 1)
        segments.setSegments([segment("Two"), segment("Four"), segment("One")])
        screen.application.render()
        #expect(screen.lines[0].contains("▐Two 7▌ Four  One"))
        #expect(segments.selectedIndex == 0 && segments.navigationController.viewControllers.count == 2)
        #expect(screen.press("2", "1", "esc", shows: "Two row 2"))
        // Without the selected segment, the first one is selected.
        segments.setSegments([segment("Five"), segment("One")])
        screen.application.render()
        #expect(screen.lines[0].contains("▐Five▌ One") && screen.text.contains("Five row 0"))
        #expect(log.calls.filter { $0 == "One didLoad" }.count == 1)
    }

    @Test func SEG_12_segmentsThatDoNotFitScroll() {
        let titles = (0..<12).map { "Segment \($0)" }
        let (screen, segments) = makeNamedSegments(titles, width: 44)
        for index in titles.indices {
            segments.selectedIndex = index
            screen.application.render()
            #expect(screen.lines[0].contains("▐Segment \(index)▌"), "\(screen.lines[0])")
            #expect(screen.lines[0].contains("⋯"))
        }
        for width in 1...60 {
            screen.resize(width, 20)
            screen.application.render()
        }
        screen.resize(44, 20)
        screen.click(on: "Segment 10")
        #expect(segments.selectedIndex == 10)
    }

    @Test func SEG_13_draggingMovesASegment() throws {
        let (screen, segments) = makeNamedSegments(["One", "Two", "Three"])
        var moves: [[Int]] = []
        segments.onMove = { moves.append([$0, $1]) }
        let first = try #require(screen.column(of: "One", in: 0))
        let last = try #require(screen.column(of: "Three", in: 0))
        screen.mouse(.press(.left), first, 0)
        screen.mouse(.drag(.left), last, 0)
        #expect(screen.lines[0].hasPrefix(" Two  Three ▐One▌"))
        #expect(moves.isEmpty)
        screen.mouse(.release, last, 0)
        #expect(moves == [[0, 2]])
        // A click moves nothing, and neither does a drag back to the start.
        screen.click(on: "Two")
        #expect(moves.count == 1 && segments.selectedIndex == 1)
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
