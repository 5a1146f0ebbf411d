import CommonTesting
import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct SplitViewTests {
    let log = LifeCycleLog()
    let list: LoggedController
    let split: SplitViewController
    let screen: TestScreen

    init() {
        list = LoggedController("List", log: log, rows: 40)
        split = SplitViewController(primary: list, placeholder: LoggedController("Nothing", log: log))
        let navigation = NavigationController(rootViewController: split)
        navigation.hasRule = true
        screen = TestScreen(root: navigation, size: Size(width: 120, height: 39))
    }

    @Test(arguments: [
        (120, 45), (99, 37), (80, 30), (79, 30), (78, 29), (147, 55),
    ])
    func SPL_09_sizesTheListByItsShare(width: Int, list columns: Int) {
        screen.resize(width, 30)
        #expect(list.navigationController?.view.frame.width == columns)
        #expect(split.displayMode == .allVisible)
    }

    @Test(arguments: [(77, false), (58, false), (57, true), (40, true), (20, true), (19, true), (78, false)])
    func SPL_06_narrowPanesCollapse(width: Int, isCollapsed: Bool) {
        screen.resize(width, 30)
        #expect(split.isCollapsed == isCollapsed)
    }

    @Test func SPL_07_separatesStacksWhereTheyJoined() {
        let detail = LoggedController("Detail", log: log)
        list.showDetail(detail)
        detail.navigationController?.push(LoggedController("Article", log: log))
        screen.resize(40, 20)
        let joined = split.navigationController(for: .primary)
        #expect(joined.viewControllers.map(\.title.string) == ["List", "Detail", "Article"])
        #expect(detail.navigationController === joined)
        screen.resize(120, 39)
        #expect(split.navigationController(for: .primary).viewControllers.map(\.title.string) == ["List"])
        #expect(
            split.navigationController(for: .secondary).viewControllers.map(\.title.string) == ["Detail", "Article"])
    }

    @Test(arguments: [120, 40])
    func SPL_10_showingTheSameDetailKeepsItsStack(width: Int) {
        screen.resize(width, 30)
        let detail = LoggedController("Detail", log: log)
        list.showDetail(detail)
        detail.navigationController?.push(LoggedController("Article", log: log))
        list.showDetail(detail)
        screen.resize(120, 39)
        #expect(
            split.navigationController(for: .secondary).viewControllers.map(\.title.string) == ["Detail", "Article"])
    }

    @Test func SPL_07_movesControllersToTheirColumn() {
        screen.resize(40, 20)
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(120, 39)
        #expect(split.navigationController(for: .secondary).topViewController?.title == "Detail")
        screen.resize(40, 20)
        screen.press("esc")
        screen.resize(120, 39)
        #expect(split.navigationController(for: .secondary).topViewController === split.placeholder)
    }

    @Test func SPL_08_showsTheListWithoutSelection() {
        screen.resize(40, 20)
        #expect(screen.text.contains("List row 0"))
        #expect(!screen.text.contains("view of Nothing"))
    }

    @Test func SPL_08_showsTheLastUsedColumnOnTop() {
        split.show(LoggedController("Detail", log: log), in: .secondary, takesFocus: false)
        screen.press("j")
        screen.resize(40, 20)
        #expect(screen.text.contains("List row 1"))
        screen.resize(120, 39)
        #expect(screen.text.contains("view of Detail"))
        screen.press("l")
        screen.resize(40, 20)
        #expect(screen.text.contains("view of Detail"))
    }

    @Test func SPL_04_theListSlidesOverTheDetail() {
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(70, 20)
        #expect(split.displayMode == .primaryHidden)
        #expect(!screen.text.contains("List row 0"))
        screen.press("\\")
        #expect(split.displayMode == .primaryOverlay)
        #expect(screen.text.contains("List row 0"))
        screen.click(60, 10)
        #expect(split.displayMode == .primaryHidden)
        screen.press("\\", "esc")
        #expect(split.displayMode == .primaryHidden)
    }

    /// A click on any row of a list over the detail chooses it; beside the detail the first click selects.
    @Test func SPL_04_oneClickChoosesInTheSlidList() {
        final class Opener: TableViewDelegate {
            var calls: [String] = []
            var open: () -> Void = {}
            func tableView(_ table: TableView, didSelectRowAt path: RowPath) { calls.append("select \(path.row)") }
            func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
                calls.append("open \(path.row)")
                open()
            }
        }
        let opener = Opener()
        let detail = LoggedController("Detail", log: log)
        opener.open = { [list] in list.showDetail(detail) }
        list.table.delegate = opener
        func click(_ row: Int) {
            let y = screen.lines.firstIndex { $0.contains("List row \(row) ") || $0.hasSuffix("List row \(row)") }
            #expect(y != nil)
            if let y { screen.click(12, y) }
        }
        click(2)
        #expect(opener.calls == ["select 2"] && split.displayMode == .allVisible)
        click(2)
        #expect(opener.calls == ["select 2", "open 2"])
        screen.resize(70, 20)
        split.showList(true)
        screen.application.render()
        opener.calls = []
        click(5)
        #expect(opener.calls == ["select 5", "open 5"] && split.displayMode == .primaryHidden)
    }

    @Test func SPL_16_stacksTheListInTallNarrowPanes() {
        split.stacksListInTallPanes = true
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(60, 40)
        #expect(split.displayMode == .allVisible)
        let lines = screen.lines
        let row = lines.firstIndex { $0.contains("List row 0") } ?? 99
        let detail = lines.firstIndex { $0.contains("view of Detail") } ?? 0
        #expect(row < detail)
        screen.resize(60, 20)
        #expect(split.displayMode == .primaryHidden)
        #expect(!screen.text.contains("List row 0"))
    }

    @Test func SPL_14_announcesSizesToControllers() {
        final class Watcher: ViewController {
            var heard: [Size] = []
            var widthThen = 0
            override func willTransition(to size: Size) {
                heard.append(size)
                widthThen = window?.size.width ?? 0
            }
        }
        let watcher = Watcher()
        list.showDetail(watcher)
        screen.resize(90, 25)
        #expect(watcher.heard == [Size(width: 90, height: 25)])
        #expect(watcher.widthThen == 120)
    }

    @Test func detailCommandsWorkFromTheListBesideIt() {
        final class Detail: ViewController {
            var used: [String] = []
            override var commands: [Command] {
                [
                    Command("detail.mark", "Mark", keys: ["z"], .worksFromList) { [weak self] in
                        self?.used.append("z")
                    },
                    Command("detail.down", "Down", keys: ["j"], .worksFromList) { [weak self] in
                        self?.used.append("j")
                    },
                    Command("detail.own", "Own", keys: ["y"]) { [weak self] in self?.used.append("y") },
                    Command("detail.more", "More", keys: ["a"], .worksFromList) { [weak self] in
                        self?.navigationController?.push(ViewController())
                    },
                ]
            }
        }
        let detail = Detail()
        list.showDetail(detail)
        split.show(.primary)
        screen.press("z", "j", "y")
        #expect(detail.used == ["z"])
        #expect(split.focusedColumn == .primary)
        // Views beneath a list receive no input (row SPL-04).
        screen.resize(70, 20)
        split.showList(true)
        screen.press("z")
        #expect(detail.used == ["z"])
        screen.resize(120, 39)
        split.show(.primary)
        screen.press("a")
        #expect(split.focusedColumn == .secondary)
    }

    @Test func SPL_11_reportsTraitChangesOnce() {
        let detail = LoggedController("Detail", log: log)
        list.showDetail(detail)
        screen.resize(120, 30)
        #expect(list.traitChanges.count == 1)
        #expect(list.traitChanges[0] == nil)
        #expect(list.traits.horizontal == .compact)
        #expect(detail.traits.horizontal == .regular)
        screen.resize(70, 30)
        #expect(list.traitChanges.count == 1)
        #expect(detail.traitChanges.count == 2)
        #expect(detail.traits.horizontal == .narrow)
    }

    @Test func SPL_12_anyResizesEndLikeADirectOne() {
        let detail = LoggedController("Detail", log: log, rows: 100)
        list.showDetail(detail)
        screen.press("h", "j", "j", "l", "j", "j", "j")
        let before = screen.text
        var generator = SeededGenerator(seed: 7)
        func random(_ limit: Int) -> Int { Int.random(in: 1...limit, using: &generator) }
        for _ in 0..<1000 { screen.resize(random(250), random(70)) }
        screen.resize(120, 39)
        #expect(screen.text == before)
        #expect(list.table.selectedPath == RowPath(row: 2))
        #expect(detail.table.selectedPath == RowPath(row: 3))
        #expect(screen.application.window.focusedView === detail.table)
    }

    private final class Delegate: SplitViewControllerDelegate {
        var modes: [SplitViewController.DisplayMode] = []
        var calls: [String] = []
        var takesCollapse = false
        var other: ViewController?

        func splitViewController(_ split: SplitViewController, willChangeTo mode: SplitViewController.DisplayMode) {
            modes.append(mode)
        }
        func primaryViewController(forCollapsing split: SplitViewController) -> ViewController? {
            calls.append("primary for collapsing")
            return other
        }
        func splitViewController(
            _ split: SplitViewController, collapse secondary: ViewController, onto primary: ViewController
        ) -> Bool {
            calls.append("collapse \(secondary.title) onto \(primary.title)")
            return takesCollapse
        }
        func primaryViewController(forExpanding split: SplitViewController) -> ViewController? {
            calls.append("primary for expanding")
            return nil
        }
        func splitViewController(
            _ split: SplitViewController, separateSecondaryFrom primary: ViewController
        ) -> ViewController? {
            calls.append("separate from \(primary.title)")
            return nil
        }
    }

    @Test func SPL_02_reportsEveryModeToTheDelegate() {
        let delegate = Delegate()
        split.delegate = delegate
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(70, 20)
        screen.press("\\")
        screen.resize(40, 20)
        #expect(delegate.modes == [.primaryHidden, .primaryOverlay])
        screen.resize(120, 20)
        #expect(delegate.modes == [.primaryHidden, .primaryOverlay, .allVisible])
    }

    @Test func SPL_03_aNamedButtonShowsTheList() {
        list.showDetail(LoggedController("Detail", log: log))
        #expect(!screen.text.contains("‹ List"))
        for _ in 0..<20 {
            screen.resize(60, 20)
            screen.resize(75, 20)
        }
        #expect(screen.text.split(separator: "\n").filter { $0.contains("‹ List") }.count == 1)
        screen.click(on: "‹ List")
        #expect(split.displayMode == .primaryOverlay)
        #expect(!screen.text.contains("‹ List"))
    }

    @Test func SPL_06_callsTheDelegateInOrder() {
        let delegate = Delegate()
        split.delegate = delegate
        let detail = LoggedController("Detail", log: log)
        list.showDetail(detail)
        screen.resize(40, 20)
        #expect(delegate.calls == ["primary for collapsing", "collapse Detail onto List"])
        delegate.calls = []
        screen.resize(120, 39)
        #expect(delegate.calls == ["primary for expanding", "separate from List"])
        delegate.takesCollapse = true
        screen.resize(40, 20)
        #expect(split.navigationController(for: .primary).viewControllers == [list])
        screen.resize(120, 39)
        #expect(split.detailViewController === detail)
    }

    @Test func SPL_06_theDelegateMaySupplyAnotherPrimary() {
        let delegate = Delegate()
        delegate.other = LoggedController("Short list", log: log)
        split.delegate = delegate
        screen.resize(40, 20)
        #expect(screen.text.contains("view of Short list"))
        screen.resize(120, 39)
        #expect(screen.text.contains("List row 0"))
    }

    @Test func SPL_12_aResizeKeepsAnUnfinishedWord() {
        list.present(TextPromptViewController(title: "Ask", message: "What?") { _ in })
        screen.type("half a wo")
        for (width, height) in [(40, 10), (20, 5), (9, 2), (120, 39)] { screen.resize(width, height) }
        screen.type("rd")
        #expect(screen.text.contains("half a word"))
    }

    /// A hidden list stays hidden through narrow panes and back, also while nothing is open.
    @Test func SPL_12_aHiddenListStaysHidden() {
        screen.press("\\")
        #expect(!screen.text.contains("List row 0"))
        for width in [40, 120, 60, 40, 60, 120] { screen.resize(width, 30) }
        #expect(split.displayMode == .primaryHidden && !screen.text.contains("List row 0"), "\(screen.text)")
        // What the user does in the narrow pane counts.
        screen.resize(40, 30)
        split.focus(.primary)
        screen.resize(120, 30)
        #expect(screen.text.contains("List row 0"), "\(screen.text)")
    }

    @Test func SPL_01_translatesUnsupportedModes() {
        typealias Split = SplitViewController
        let asked: [Split.DisplayMode] = [.automatic, .allVisible, .primaryHidden, .primaryOverlay]
        // With the focus in the list, so that everything it can show is visible.
        let expected: [(Split.SplitBehavior, Int, [Split.DisplayMode])] = [
            (.tile, 120, [.allVisible, .allVisible, .primaryOverlay, .allVisible]),
            (.overlay, 120, [.primaryOverlay, .primaryOverlay, .primaryOverlay, .primaryOverlay]),
            (.displace, 120, [.allVisible, .allVisible, .allVisible, .allVisible]),
            (.tile, 70, [.primaryOverlay, .primaryOverlay, .primaryOverlay, .primaryOverlay]),
            (.automatic, 120, [.allVisible, .allVisible, .primaryOverlay, .primaryOverlay]),
        ]
        for (behavior, width, modes) in expected {
            screen.resize(width, 30)
            split.preferredSplitBehavior = behavior
            for (mode, result) in zip(asked, modes) {
                split.preferredDisplayMode = mode
                split.focus(.primary)
                screen.application.render()
                #expect(split.displayMode == result, "\(behavior) at \(width): \(mode)")
                #expect(!split.isCollapsed)
            }
        }
    }

    @Test func SPL_01_aDisplacedDetailKeepsItsWrapping() {
        let detail = LoggedController("Detail", log: log)
        split.preferredSplitBehavior = .displace
        list.showDetail(detail)
        screen.resize(80, 20)
        #expect(detail.view.frame.width == 80)
        split.showList(true)
        screen.application.render()
        #expect(detail.view.frame.width == 80)
        #expect(screen.text.contains("List row 0"))
        #expect(screen.text.contains("view of Detail"))
    }

    @Test func SPL_01_showsAndHidesColumnsByName() {
        list.showDetail(LoggedController("Detail", log: log))
        split.hide(.primary)
        screen.application.render()
        #expect(split.displayMode == .primaryHidden)
        split.show(.primary)
        screen.application.render()
        #expect(split.displayMode == .allVisible)
        #expect(screen.text.contains("List row 0"))
    }

    @Test func SPL_04_draggingFromTheEdgeShowsTheList() {
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(70, 20)
        screen.drag(from: Point(x: 1, y: 8), to: Point(x: 6, y: 8))
        #expect(split.displayMode == .primaryOverlay)
        screen.mouse(.horizontalWheel(-1), 10, 8)
        #expect(split.displayMode == .primaryHidden)
        screen.mouse(.horizontalWheel(1), 1, 8)
        #expect(split.displayMode == .primaryOverlay)
        split.presentsWithGesture = false
        screen.press("esc")
        screen.drag(from: Point(x: 1, y: 8), to: Point(x: 6, y: 8))
        #expect(split.displayMode == .primaryHidden)
    }

    @Test func SPL_04_interruptedSlidesEndConsistently() {
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(70, 20)
        screen.application.window.motion = .full
        for (width, height) in [(120, 39), (40, 12), (70, 20)] {
            split.showList(true)
            screen.application.window.advanceAnimations(to: .now + .milliseconds(50))
            screen.application.render()
            screen.resize(width, height)
            let moved = screen.text
            screen.application.window.finishAnimations()
            screen.application.window.setNeedsLayout()
            screen.application.render()
            #expect(screen.text == moved)
            screen.resize(70, 20)
            split.showList(false)
            screen.application.window.finishAnimations()
        }
        #expect(split.displayMode == .primaryHidden)
    }

    @Test func SPL_05_goesBackInTheSlidList() {
        final class Delegate: NavigationControllerDelegate {
            var heard: [NavigationTransition] = []
            func navigationController(
                _ navigation: NavigationController, didShow controller: ViewController,
                by transition: NavigationTransition
            ) { heard.append(transition) }
        }
        list.showDetail(LoggedController("Detail", log: log))
        screen.resize(70, 20)
        split.showList(true)
        let delegate = Delegate()
        split.navigationController(for: .primary).delegate = delegate
        screen.application.window.motion = .full
        split.navigationController(for: .primary).push(LoggedController("Deeper", log: log))
        #expect(screen.application.window.isAnimating)
        screen.application.window.finishAnimations()
        split.navigationController(for: .primary).pop()
        #expect(screen.application.window.isAnimating)
        #expect(delegate.heard == [.push, .pop])
        #expect(split.displayMode == .primaryOverlay)
    }

    @Test func SPL_10_pushesADetailInJoinedColumns() {
        let detail = LoggedController("Detail", log: log)
        list.showDetail(detail)
        #expect(detail.navigationController === split.navigationController(for: .secondary))
        let calls = log.take()
        list.showDetail(detail)
        #expect(log.take().isEmpty, "\(calls)")
        screen.resize(40, 20)
        screen.press("h")
        list.showDetail(detail)
        #expect(split.navigationController(for: .primary).viewControllers == [list, detail])
    }

    @Test func SPL_11_overridesTraitsOfAChild() {
        let navigation = list.navigationController?.navigationController
        screen.resize(60, 20)
        #expect(split.displayMode != .allVisible)
        navigation?.setOverrideTraits(TraitOverrides(horizontal: .regular), for: split)
        screen.application.render()
        #expect(split.displayMode == .allVisible)
        navigation?.setOverrideTraits(nil, for: split)
        screen.application.render()
        #expect(split.displayMode != .allVisible)
    }

    @Test func SPL_11_overridesEndWithTheirChild() {
        let parent = ViewController()
        let child = ViewController()
        parent.addChild(child)
        parent.setOverrideTraits(TraitOverrides(horizontal: .minimal), for: child)
        #expect(child.traits.horizontal == .minimal)
        child.removeFromParent()
        parent.addChild(child)
        #expect(child.traits.horizontal == .regular)
        // A new object, even at the same address, receives the same calls as all others.
        for _ in 0..<100 {
            var passing: ViewController? = ViewController()
            if let passing {
                parent.addChild(passing)
                #expect(passing.traits.horizontal == .regular)
                parent.setOverrideTraits(TraitOverrides(horizontal: .minimal), for: passing)
                passing.removeFromParent()
            }
            passing = nil
        }
    }

    @Test func SPL_13_showsTheListAsAPopover() {
        let short = LoggedController("Short", log: log, rows: 3)
        let split = SplitViewController(primary: short, placeholder: LoggedController("Nothing", log: log))
        split.showsNarrowListAsPopover = true
        let screen = TestScreen(inStack: split, width: 70, height: 20)
        short.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        screen.click(on: "\\ Short")
        #expect(split.displayMode == .primaryOverlay)
        let lines = screen.lines
        // Button, border with the arrow, title, three rows, border.
        #expect(lines[1].contains("\\ Short"))
        #expect(lines[2].contains("△") && lines[2].contains("╭"))
        #expect(lines[6].contains("Short row 2"))
        #expect(lines[7].contains("╰"))
        short.showDetail(LoggedController("Other", log: log))
        screen.application.render()
        #expect(split.displayMode == .primaryHidden)
        #expect(screen.text.contains("view of Other"))
        screen.press("\\")
        screen.resize(120, 39)
        #expect(split.displayMode == .allVisible)
        #expect(screen.text.contains("Short row 0"))
    }

    /// Also with the lists on the right, where the popover points at the button. Never two popovers at once (row
    /// POP-05).
    @Test func SPL_13_POP_05_theListPopoverReplacesOthers() {
        let short = LoggedController("Short", log: log, rows: 3)
        let split = SplitViewController(primary: short, placeholder: LoggedController("Nothing", log: log))
        split.showsNarrowListAsPopover = true
        split.primaryEdge = .trailing
        let screen = TestScreen(inStack: split, width: 70, height: 20)
        let detail = LoggedController("Detail", log: log)
        short.showDetail(detail)
        screen.application.render()
        let button = screen.column(of: "\\ Short", in: 1)
        #expect((button ?? 0) > 55)
        func popover() -> ViewController {
            let popover = LoggedController("Dates", log: log)
            popover.modalPresentationStyle = .popover
            popover.preferredContentSize = Size(width: 20, height: 2)
            popover.popoverPresentationController.sourceView = detail.view
            popover.popoverPresentationController.sourceRect = Rect(x: 10, y: 5, width: 1, height: 1)
            return popover
        }
        screen.present(popover(), over: detail)
        #expect(screen.text.contains("view of Dates"))
        split.showList(true)
        screen.application.render()
        #expect(!screen.text.contains("view of Dates") && screen.text.contains("Short row 2"))
        let arrow = screen.column(of: "△", in: 2)
        #expect(abs((arrow ?? 0) - (button ?? 0)) < 8)
        screen.present(popover(), over: detail)
        #expect(screen.text.contains("view of Dates") && split.displayMode == .primaryHidden)
    }

    /// The button in the detail's bar shows and hides the lists by mouse, at each width and on either side.
    @Test(arguments: [false, true], [60, 79, 120, 200])
    func SPL_03_showsAndHidesTheListByMouse(isTrailing: Bool, width: Int) {
        let split = SplitViewController(
            primary: LoggedController("Short", log: log, rows: 3), placeholder: LoggedController("Nothing", log: log))
        split.primaryEdge = isTrailing ? .trailing : .leading
        let screen = TestScreen(inStack: split, width: width, height: 20)
        split.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        let (away, back) = isTrailing ? ("»", "\\ Short") : ("«", "‹ Short")
        func isListShown() -> Bool { screen.text.contains("Short row 0") }
        #expect(isListShown() == (width > 60))
        for round in 0..<4 {
            if isListShown() {
                // Over the detail, a click beside it dismisses it.
                if round == 1, width == 60 { screen.click(isTrailing ? 3 : 57, 15) } else { screen.click(on: away) }
            } else {
                screen.click(on: back)
            }
            let isShown = isListShown()
            #expect(screen.text.contains(back) == !isShown)
            #expect(screen.text.contains(away) == isShown)
        }
    }

    @Test func SPL_15_neverDrawsOrphans() {
        final class Watcher: ViewController {
            var calls: [String] = []
            override func willMove(to parent: ViewController?) {
                calls.append(parent == nil ? "will leave" : "will join")
            }
            override func didMove(to parent: ViewController?) { calls.append(parent == nil ? "did leave" : "did join") }
            override func viewWillAppear() { calls.append(parent == nil ? "appears alone" : "appears") }
        }
        let watcher = Watcher()
        list.showDetail(watcher)
        #expect(watcher.calls == ["will join", "did join", "appears"])
        watcher.calls = []
        split.clearDetail()
        #expect(watcher.calls == ["will leave", "did leave"])
        #expect(watcher.parent == nil)
        #expect(watcher.view.superview == nil)
    }

    @Test func SPL_16_placesTheListOnTheRight() {
        split.primaryEdge = .trailing
        list.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        #expect(list.navigationController?.view.frame.minX == 75)
        #expect(list.navigationController?.view.frame.width == 45)
        screen.mouse(.press(.left), 74, 10)
        screen.mouse(.drag(.left), 79, 10)
        #expect(list.navigationController?.view.frame.width == 40)
        screen.resize(70, 20)
        screen.press("\\")
        #expect(list.navigationController?.view.frame.maxX == 70)
        #expect(screen.text.contains("List row 0"))
    }

    /// Controllers pushed on a detail return with it, at every width, until memory is low.
    @Test(arguments: [120, 70, 40]) func SPL_10_restoresADetailWithItsStack(width: Int) {
        let details = (0..<3).map { LoggedController("Detail \($0)", log: log) }
        screen.resize(width, 30)
        let column = split.isCollapsed ? SplitViewController.Column.primary : .secondary
        let stack = { split.navigationController(for: column).viewControllers.filter { $0 !== list } }
        split.show(details[0], in: .secondary, takesFocus: true)
        let pushed = LoggedController("Pushed", log: log)
        details[0].navigationController?.push(pushed)
        split.show(details[1], in: .secondary, takesFocus: true)
        #expect(stack() == [details[1]])
        split.show(details[0], in: .secondary, takesFocus: true)
        #expect(stack() == [details[0], pushed])
        pushed.navigationController?.pop()
        split.show(details[2], in: .secondary, takesFocus: true)
        split.show(details[0], in: .secondary, takesFocus: true)
        #expect(stack() == [details[0]])
        details[0].navigationController?.push(pushed)
        // The visible detail stays with its whole stack.
        screen.application.window.receiveMemoryWarning()
        split.show(details[0], in: .secondary, takesFocus: true)
        #expect(stack() == [details[0], pushed])
        split.show(details[1], in: .secondary, takesFocus: true)
        screen.application.window.receiveMemoryWarning()
        split.show(details[0], in: .secondary, takesFocus: true)
        #expect(stack() == [details[0]])
    }

    /// The wheel over a divider scrolls the focused column; over the draggable edge, the column there.
    @Test func SPL_09_theWheelOverARuleScrollsAColumn() {
        let detail = LoggedController("Detail", log: log, rows: 90)
        list.showDetail(detail)
        screen.application.render()
        screen.mouse(.wheel(1), 45, 10)
        #expect(!screen.text.contains("Detail row 0") && screen.text.contains("List row 0"))
        split.show(.primary)
        screen.mouse(.wheel(1), 45, 10)
        #expect(!screen.text.contains("List row 0"))
        screen.press("l")
        screen.resize(70, 20)
        let before = screen.lines[4]
        screen.mouse(.wheel(1), 0, 10)
        #expect(screen.lines[4] != before)
        screen.press("\\")
        let rows = screen.lines[4]
        screen.mouse(.wheel(1), 36, 10)
        #expect(screen.lines[4] != rows)
        screen.press("\\")
        screen.resize(40, 20)
        let joined = screen.lines[4]
        screen.mouse(.wheel(-1), 0, 10)
        #expect(screen.lines[4] != joined)
    }

    @Test func SPL_09_aDoubleClickOnTheRuleRestoresTheWidth() {
        var told = 0.0
        split.primaryColumnWidthFractionDidChange = { told = $0 }
        screen.drag(from: Point(x: 45, y: 10), to: Point(x: 60, y: 10))
        #expect(list.navigationController?.view.frame.width != 45)
        let rule = list.navigationController?.view.frame.maxX ?? 0
        screen.stopClock()
        screen.click(rule, 10)
        #expect(list.navigationController?.view.frame.width == rule)
        screen.click(rule, 10)
        #expect(list.navigationController?.view.frame.width == 45 && told == 0.38)
    }

    /// Beside the detail or sliding over it.
    @Test(arguments: [58, 70, 77, 80, 120, 160, 220]) func SPL_09_limitsTheWidthEverywhere(width: Int) {
        for maximum in [20, 30, 56, 90] {
            for behavior in [SplitViewController.SplitBehavior.automatic, .overlay, .displace] {
                split.maximumPrimaryColumnWidth = maximum
                split.preferredSplitBehavior = behavior
                screen.resize(width, 20)
                split.show(.primary)
                screen.application.render()
                let shown = list.navigationController?.view.frame.width ?? 0
                #expect(shown <= maximum && shown >= 20, "\(behavior), \(maximum)")
            }
        }
    }

    /// Without a selection, the placeholder is fully readable beside the list.
    @Test(arguments: [58, 70, 77]) func SPL_04_showsTheEmptyDetailBesideTheList(width: Int) {
        let label = Label("Nothing was chosen here.")
        label.isCentered = true
        let split = SplitViewController(
            primary: LoggedController("List", log: log, rows: 3), placeholder: HostController(label))
        let screen = TestScreen(inStack: split, width: width, height: 24)
        let words = screen.text.split { $0.isWhitespace || $0 == "│" }.map(String.init)
        #expect(["Nothing", "was", "chosen", "here."].allSatisfy(words.contains), "\(screen.text)")
        #expect(words.contains("List"))
    }
}
