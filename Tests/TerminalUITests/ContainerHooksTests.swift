import TerminalUI
import TerminalUITesting
import Testing

/// Hooks for programs: reasons of appearance, transitions, and decisions of delegates.
@MainActor
@Suite struct ContainerHooksTests {
    /// Records why it appears and disappears.
    private final class Mover: ViewController {
        var reasons: [String] = []

        private func note(_ call: String) {
            let reasons = [
                isMovingToParent ? "to parent" : nil, isMovingFromParent ? "from parent" : nil,
                isBeingPresented ? "presented" : nil, isBeingDismissed ? "dismissed" : nil,
            ]
            self.reasons.append(([call] + reasons.compactMap { $0 }).joined(separator: " "))
        }

        override func viewWillAppear() { note("will appear") }
        override func viewDidAppear() { note("did appear") }
        override func viewWillDisappear() { note("will disappear") }
        override func viewDidDisappear() { note("did disappear") }
    }

    @Test func NAV_01_controllersKnowWhyTheyMove() {
        let (root, other) = (Mover(), Mover())
        let navigation = NavigationController(rootViewController: root)
        let screen = TestScreen(root: navigation, size: Size(width: 30, height: 8))
        #expect(root.reasons == ["will appear to parent", "did appear to parent"])
        root.reasons = []
        navigation.push(other)
        #expect(other.reasons == ["will appear to parent", "did appear to parent"])
        // Covered, then shown again.
        #expect(root.reasons == ["will disappear", "did disappear"])
        other.reasons = []
        navigation.pop()
        #expect(other.reasons == ["will disappear from parent", "did disappear from parent"])
        #expect(root.reasons.suffix(2) == ["will appear", "did appear"])
        other.reasons = []
        root.present(other)
        #expect(other.reasons == ["will appear presented", "did appear presented"])
        other.reasons = []
        root.dismiss()
        #expect(other.reasons == ["will disappear dismissed", "did disappear dismissed"])
        screen.application.render()
    }

    /// A pop by dragging is reported, and so is its cancellation.
    @Test func SPL_14_animatesAlongsideTransitions() {
        final class Follower: ViewController {
            var shares: [Double] = []
            var ends: [Bool] = []
            override func willTransition(to size: Size) {
                super.willTransition(to: size)
                window?.transitionCoordinator?.animateAlongside { [weak self] in self?.shares.append($0) }
                window?.transitionCoordinator?.onCompletion { [weak self] in self?.ends.append($0) }
            }
            override func viewWillDisappear() {
                window?.transitionCoordinator?.onCompletion { [weak self] in self?.ends.append($0) }
            }
        }
        let follower = Follower()
        let navigation = NavigationController(rootViewController: ViewController())
        let screen = TestScreen(root: navigation, size: Size(width: 30, height: 8))
        navigation.push(follower)
        screen.resize(31, 8)
        #expect(follower.shares == [1] && follower.ends == [false])
        screen.application.window.motion = .full
        screen.resize(32, 8)
        #expect(follower.shares.first == 1 && follower.shares.last == 1 && follower.ends == [false, false])
        #expect(screen.application.window.transitionCoordinator == nil)
        screen.application.window.motion = .reduced
        // A short drag from the left edge, released: it comes back.
        follower.ends = []
        screen.drag(from: Point(x: 0, y: 4), to: Point(x: 4, y: 4))
        #expect(follower.ends == [true] && navigation.topViewController === follower)
        screen.drag(from: Point(x: 0, y: 4), to: Point(x: 28, y: 4))
        #expect(follower.ends == [true, false] && navigation.topViewController !== follower)
    }

    private final class Decider: SplitViewControllerDelegate {
        var taken: [String] = []
        var top: SplitViewController.Column?
        var mode: SplitViewController.DisplayMode?
        var takesOver = false

        func splitViewController(_ split: SplitViewController, show controller: ViewController) -> Bool {
            taken.append("show")
            return takesOver
        }
        func splitViewController(_ split: SplitViewController, showDetail controller: ViewController) -> Bool {
            taken.append("detail")
            return takesOver
        }
        func splitViewController(
            _ split: SplitViewController, topColumnForCollapsing proposed: SplitViewController.Column
        ) -> SplitViewController.Column {
            taken.append("collapsing \(proposed)")
            return top ?? proposed
        }
        func splitViewController(
            _ split: SplitViewController, displayModeForExpanding proposed: SplitViewController.DisplayMode
        ) -> SplitViewController.DisplayMode {
            taken.append("expanding \(proposed)")
            return mode ?? proposed
        }
    }

    @Test func SPL_06_SPL_07_delegatesDecide() {
        let log = LifeCycleLog()
        let list = LoggedController("List", log: log, rows: 4)
        let split = SplitViewController(primary: list, placeholder: LoggedController("Nothing", log: log))
        let decider = Decider()
        split.delegate = decider
        let screen = TestScreen(inStack: split, width: 120, height: 20)
        decider.takesOver = true
        list.showDetail(LoggedController("Detail", log: log))
        list.show(LoggedController("Level", log: log))
        #expect(decider.taken == ["detail", "show"] && !split.hasDetail)
        decider.takesOver = false
        list.showDetail(LoggedController("Detail", log: log))
        #expect(split.hasDetail)
        // The detail was used last, but the list should be on top.
        decider.taken = []
        decider.top = .primary
        screen.resize(40, 12)
        #expect(decider.taken == ["collapsing secondary"] && screen.text.contains("List row 0"))
        decider.top = nil
        decider.mode = .primaryHidden
        screen.resize(120, 20)
        #expect(decider.taken.last == "expanding allVisible")
        #expect(!screen.text.contains("List row 0") && screen.text.contains("view of Detail"))
        screen.resize(40, 12)
        #expect(screen.text.contains("view of Detail"))
        decider.mode = .allVisible
        screen.resize(120, 20)
        #expect(screen.text.contains("List row 0") && screen.text.contains("view of Detail"))
    }

    /// Outside all containers, a shown controller is presented.
    @Test func SPL_10_presentsADetailWithoutContainers() {
        let root = ViewController()
        let screen = TestScreen(root: root, size: Size(width: 40, height: 12))
        let log = LifeCycleLog()
        root.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        #expect(screen.text.contains("view of Detail"))
        root.dismiss()
        root.show(LoggedController("Level", log: log))
        screen.application.render()
        #expect(screen.text.contains("view of Level"))
    }

    /// With a list over the detail, the detail's bars are active; the list's own bar has a way to dismiss it.
    @Test func SPL_04_keepsBarsActive() {
        let log = LifeCycleLog()
        let list = LoggedController("List", log: log, rows: 4)
        let split = SplitViewController(primary: list, placeholder: LoggedController("Nothing", log: log))
        let screen = TestScreen(inStack: split, width: 70, height: 20)
        let detail = LoggedController("Detail", log: log)
        var pressed: [String] = []
        detail.navigationItem.rightBarButtonItems = [BarButtonItem("Above it") { pressed.append("bar") }]
        list.showDetail(detail)
        screen.press("\\")
        #expect(split.displayMode == .primaryOverlay)
        screen.click(on: "Above it")
        #expect(pressed == ["bar"] && split.displayMode == .primaryOverlay)
        // A click between the items dismisses the list, like one on the detail.
        screen.click(on: "«")
        #expect(split.displayMode == .primaryHidden)
        screen.press("\\")
        screen.click(68, 10)
        #expect(split.displayMode == .primaryHidden && pressed.count == 1)
    }

    private final class Adapter: PopoverPresentationControllerDelegate {
        var styles: [ModalPresentationStyle] = []
        var place = Rect(x: 0, y: 0, width: 1, height: 1)

        func adaptivePresentationStyle(
            for popover: PopoverPresentationController, traits: Traits
        ) -> ModalPresentationStyle? { traits.horizontal <= .compact ? .sheet : nil }
        func popover(_ popover: PopoverPresentationController, willBeShownAs style: ModalPresentationStyle) {
            styles.append(style)
        }
        func viewController(
            for popover: PopoverPresentationController, shownAs style: ModalPresentationStyle
        ) -> ViewController? {
            style == .sheet ? NavigationController(rootViewController: popover.presented) : nil
        }
        func popover(
            _ popover: PopoverPresentationController, willRepositionTo rect: inout Rect, in view: inout View
        ) { rect = place }
    }

    /// Each presentation style may use a different wrapper; typed text survives all of them.
    @Test func POP_03_adaptsWithAnotherController() {
        let root = ViewController()
        let field = TextField()
        let content = HostController(field)
        content.title = "Words"
        content.preferredContentSize = Size(width: 20, height: 4)
        content.modalPresentationStyle = .popover
        let screen = TestScreen(root: root, size: Size(width: 80, height: 20))
        let adapter = Adapter()
        let popover = content.popoverPresentationController
        popover.delegate = adapter
        popover.sourceView = root.view
        popover.sourceRect = Rect(x: 30, y: 3, width: 1, height: 1)
        screen.present(content, over: root)
        screen.type("kept")
        #expect(adapter.styles == [.popover] && screen.text.contains("△"))
        adapter.place = Rect(x: 5, y: 2, width: 1, height: 1)
        screen.resize(70, 19)
        #expect(screen.lines[3].hasPrefix("     △") || screen.lines[3].contains("△"))
        #expect(screen.lines[3].prefix { $0 != "△" }.count == 5)
        screen.resize(40, 9)
        #expect(adapter.styles == [.popover, .sheet])
        #expect(content.navigationController != nil)
        #expect(screen.text.contains("kept"))
        screen.type("!")
        screen.resize(80, 20)
        #expect(adapter.styles == [.popover, .sheet, .popover] && content.navigationController == nil)
        screen.type("!")
        #expect(field.text == "kept!!")
        screen.resize(40, 9)
        content.dismiss()
        screen.application.render()
        #expect(!screen.text.contains("kept") && screen.application.window.presentedViewController == nil)
    }

    /// Rows can reject a selection or redirect it; the deselected row is notified.
    @Test func TAB_01_theDelegateDecidesOnSelection() {
        final class Rows: ViewController, TableViewDataSource, TableViewDelegate {
            let table = TableView()
            var calls: [String] = []
            override func makeView() -> View { table }
            override func viewDidLoad() {
                table.dataSource = self
                table.delegate = self
                table.select(RowPath(row: 0))
            }
            func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 6 }
            func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
                let cell = table.dequeueCell()
                cell.title = DisplayText("row \(path.row)")
                return cell
            }
            func tableView(_ table: TableView, willSelectRowAt path: RowPath) -> RowPath? {
                path.row == 1 ? RowPath(row: 2) : path.row == 5 ? nil : path
            }
            func tableView(_ table: TableView, didSelectRowAt path: RowPath) { calls.append("+\(path.row)") }
            func tableView(_ table: TableView, didDeselectRowAt path: RowPath) { calls.append("-\(path.row)") }
        }
        let rows = Rows()
        let screen = TestScreen(root: rows, size: Size(width: 20, height: 6))
        screen.press("j", "j", "j")
        #expect(rows.calls == ["-0", "+2", "-2", "+3", "-3", "+4"])
        screen.press("j", "G")
        screen.click(3, 5)
        #expect(rows.table.selectedRow == 4 && rows.calls.count == 6)
    }

    /// Choosing the selected segment returns to its root, and again scrolls it to the top.
    @Test func SEG_05_choosingAgainScrollsToTheTop() {
        let log = LifeCycleLog()
        let list = LoggedController("List", log: log, rows: 40)
        let split = SplitViewController(primary: list, placeholder: LoggedController("Nothing", log: log))
        split.title = "One"
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: [split])
        let screen = TestScreen(root: navigation, size: Size(width: 120, height: 12))
        screen.press("G")
        list.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        screen.press("1")
        #expect(split.focusedColumn == .primary && screen.text.contains("List row 39"))
        screen.press("1")
        #expect(screen.text.contains("▌List row 0") || screen.text.contains("List row 0"))
        #expect(segments.selectedIndex == 0)
    }

    /// In low panes the bars hide while reading on; a key hides them anywhere.
    @Test func NAV_01_hidesBarsWhileReading() {
        let text = TextView()
        text.setParagraphs((0..<90).map { TextParagraph(DisplayText("line \($0)")) })
        let page = HostController(text)
        page.title = "Page"
        page.toolbarItems = [.label("below")]
        let navigation = NavigationController(rootViewController: page)
        navigation.hidesBarsOnScroll = true
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 10))
        #expect(screen.lines[0].contains("Page") && screen.lines[9].contains("below"))
        screen.press("j")
        #expect(screen.lines[0] == " line 1┃" || screen.lines[0].hasPrefix(" line 1"))
        #expect(screen.lines[9].hasPrefix(" line 10"))
        screen.press("j", "k")
        #expect(screen.lines[0].contains("Page") && screen.lines[1].hasPrefix(" line 1"))
        screen.press("j")
        screen.resize(40, 20)
        #expect(screen.lines[0].contains("Page"))
        screen.press("z")
        #expect(screen.lines[0].hasPrefix(" line 2") && screen.lines[19].hasPrefix(" line 21"))
        screen.press("j", "z")
        #expect(screen.lines[0].contains("Page"))
        screen.resize(40, 10)
        screen.press("g", "g")
        #expect(screen.lines[0].contains("Page"))
    }
}
