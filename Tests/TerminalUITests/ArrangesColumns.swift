import TerminalUITesting
import Testing

@testable import TerminalUI

/// The arrangement and width of columns, and their visibility.
@MainActor @Suite struct ArrangesColumns {
    private typealias Split = SplitViewController
    private let log = LifeCycleLog()

    // MARK: The arrangement

    private func arrangement(
        _ width: HorizontalSizeClass, rows: Int = 20, style: Split.ColumnStyle = .double, hasSecondList: Bool = true,
        mode: Split.DisplayMode = .automatic, behavior: Split.SplitBehavior = .automatic, stacks: Bool = false,
        popover: Bool = false
    ) -> SplitArrangement {
        SplitArrangement(
            SplitArrangement.Conditions(
                width: width, rows: rows, style: style, hasSecondList: hasSecondList, preferredMode: mode,
                preferredBehavior: behavior, stacksListInTallPanes: stacks, showsNarrowListAsPopover: popover))
    }

    @Test func groupsColumnsByTheWidth() {
        for (width, style, hasSecondList, count) in [
            (.minimal, .triple, true, 1), (.compact, .double, true, 1), (.narrow, .triple, true, 2),
            (.regular, .triple, true, 2), (.wide, .triple, true, 3), (.wide, .triple, false, 2),
            (.wide, .double, true, 2),
        ] as [(HorizontalSizeClass, Split.ColumnStyle, Bool, Int)] {
            let found = arrangement(width, style: style, hasSecondList: hasSecondList)
            #expect(found.groups.count == count, "\(width) \(style)")
            #expect(found.groups.flatMap { $0 } == Split.Column.allCases)
            #expect((found.form == .collapsed) == (count == 1))
        }
        #expect(arrangement(.regular).groups == [[.primary, .supplementary], [.secondary]])
    }

    /// For each requested mode: automatic, all visible, primary hidden, primary overlay.
    @Test func choosesTheLayoutByModeAndWidth() {
        let modes: [Split.DisplayMode] = [.automatic, .allVisible, .primaryHidden, .primaryOverlay]
        let wide: [(Split.SplitBehavior, [SplitArrangement.Form])] = [
            (.automatic, [.beside, .beside, .over, .over]), (.tile, [.beside, .beside, .over, .beside]),
            (.overlay, [.over, .over, .over, .over]),
            (.displace, [.displacing, .displacing, .displacing, .displacing]),
        ]
        for (behavior, forms) in wide {
            for (mode, form) in zip(modes, forms) {
                for width in [HorizontalSizeClass.regular, .wide] {
                    for (stacks, popover) in [(false, false), (true, true)] {
                        let found = arrangement(
                            width, rows: 50, mode: mode, behavior: behavior, stacks: stacks, popover: popover)
                        #expect(found.form == form, "\(behavior) \(mode) at \(width)")
                    }
                }
                let narrow: SplitArrangement.Form = behavior == .displace ? .displacing : .over
                #expect(arrangement(.narrow, mode: mode, behavior: behavior).form == narrow, "\(behavior) \(mode)")
                #expect(
                    arrangement(.narrow, mode: mode, behavior: behavior, popover: true).form == .popover,
                    "\(behavior) \(mode)")
                for (rows, isHigh) in [(29, false), (30, true), (70, true)] {
                    for popover in [false, true] {
                        let found = arrangement(
                            .narrow, rows: rows, mode: mode, behavior: behavior, stacks: true, popover: popover
                        ).form
                        let isAbove = isHigh && mode != .primaryHidden
                        #expect(
                            found == (isAbove ? .above : popover ? .popover : narrow), "\(behavior) \(mode) \(rows)")
                    }
                }
                #expect(
                    arrangement(.compact, rows: 50, mode: mode, behavior: behavior, stacks: true, popover: true).form
                        == .collapsed)
            }
        }
    }

    @Test func reportsVisibleLists() {
        for (form, hidden, list) in [
            (arrangement(.regular), .allVisible, .allVisible), (arrangement(.narrow), .primaryHidden, .primaryOverlay),
            (arrangement(.narrow, popover: true), .primaryHidden, .primaryOverlay),
            (arrangement(.regular, behavior: .displace), .primaryHidden, .allVisible),
            (arrangement(.narrow, rows: 40, stacks: true), .allVisible, .allVisible),
        ] as [(SplitArrangement, Split.DisplayMode, Split.DisplayMode)] {
            #expect(form.displayMode(focus: .secondary) == hidden, "\(form.form)")
            for focus in [Split.Column.primary, .supplementary] {
                #expect(form.displayMode(focus: focus) == list, "\(form.form)")
                #expect(form.shows([.primary], focus: focus))
            }
            #expect(form.shows([.primary], focus: .secondary) == (hidden == .allVisible))
            #expect(form.shows([.secondary], focus: .primary) && form.shows([.primary, .secondary], focus: .secondary))
        }
    }

    // MARK: Widths

    private func split(
        _ style: Split.ColumnStyle = .double, width: Int = 120, rows: Int = 20
    ) -> (split: Split, screen: TestScreen, list: LoggedController) {
        let list = LoggedController("List", log: log, rows: 9)
        let split = Split(style: style, primary: list, placeholder: LoggedController("Nothing", log: log))
        let screen = TestScreen(inStack: split, width: width, height: rows)
        return (split, screen, list)
    }

    private func frame(_ split: Split, _ column: Split.Column) -> Rect {
        split.navigationController(for: column).view.frame
    }

    @Test func sizesTheListWithinLimits() {
        let (split, screen, _) = split()
        for (width, fraction, expected) in [
            (100, 0.2, 26), (100, 0.26, 26), (100, 0.27, 27), (100, 0.56, 56), (100, 0.57, 56), (100, 0.7, 56),
            (78, 0.7, 54), (200, 0.25, 50), (147, 0.38, 55), (148, 0.38, 56), (78, 0.38, 29),
        ] {
            split.preferredPrimaryColumnWidthFraction = fraction
            screen.resize(width, 20)
            #expect(frame(split, .primary) == Rect(x: 0, y: 0, width: expected, height: 19), "\(width) \(fraction)")
            let rest = Rect(x: expected + 1, y: 0, width: width - expected - 1, height: 19)
            #expect(frame(split, .secondary) == rest, "\(width) \(fraction)")
            split.primaryEdge = .trailing
            screen.application.render()
            #expect(frame(split, .primary) == Rect(x: width - expected, y: 0, width: expected, height: 19))
            #expect(frame(split, .secondary) == Rect(x: 0, y: 0, width: width - expected - 1, height: 19))
            split.primaryEdge = .leading
        }
        split.minimumPrimaryColumnWidth = 40
        split.preferredPrimaryColumnWidthFraction = 0.2
        screen.resize(120, 20)
        #expect(frame(split, .primary).width == 40)
        split.maximumPrimaryColumnWidth = 30
        screen.application.render()
        #expect(frame(split, .primary).width == 30)
    }

    /// A list over the detail leaves fourteen columns of it visible.
    @Test func keepsPartOfTheDetailVisible() {
        let (split, screen, list) = split()
        list.showDetail(LoggedController("Detail", log: log))
        for (width, expected) in [(58, 30), (60, 31), (70, 36), (77, 40)] {
            screen.resize(width, 20)
            split.showList(true)
            screen.application.render()
            #expect(frame(split, .primary) == Rect(x: 0, y: 0, width: expected, height: 19), "\(width)")
            #expect(frame(split, .secondary) == Rect(x: 0, y: 0, width: width, height: 19), "\(width)")
        }
        split.preferredSplitBehavior = .overlay
        screen.resize(120, 20)
        split.showList(true)
        screen.application.render()
        #expect(frame(split, .primary).width == 56)
        split.preferredSplitBehavior = .displace
        screen.application.render()
        #expect(frame(split, .secondary) == Rect(x: 57, y: 0, width: 120, height: 19))
        split.primaryEdge = .trailing
        screen.application.render()
        #expect(frame(split, .secondary) == Rect(x: -57, y: 0, width: 120, height: 19))
        #expect(frame(split, .primary).maxX == 120)
    }

    @Test(arguments: [(148, 26, 45), (160, 28, 49), (200, 36, 56), (250, 40, 56)])
    func placesThreeColumns(width: Int, first: Int, second: Int) {
        let (split, screen, list) = split(.triple, width: width)
        list.show(LoggedController("Level", log: log, rows: 5))
        list.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        #expect(frame(split, .primary) == Rect(x: 0, y: 0, width: first, height: 19))
        #expect(frame(split, .supplementary) == Rect(x: first + 1, y: 0, width: second, height: 19))
        let detail = width - first - second - 2
        #expect(frame(split, .secondary) == Rect(x: first + second + 2, y: 0, width: detail, height: 19))
        #expect(split.verticalRules == [first, first + second + 1] && detail >= 60)
        // Drags the border between the lists and the detail.
        screen.drag(from: Point(x: first + second + 1, y: 9), to: Point(x: first + 43, y: 9))
        #expect(frame(split, .supplementary).width == 42)
        split.primaryEdge = .trailing
        screen.application.render()
        #expect(frame(split, .primary).maxX == width && frame(split, .supplementary).maxX == width - first - 1)
        #expect(frame(split, .secondary).minX == 0 && split.verticalRules == [width - first - 1, width - first - 44])
    }

    @Test func placesTheListAbove() {
        let (split, screen, list) = split(width: 60, rows: 41)
        split.stacksListInTallPanes = true
        list.showDetail(LoggedController("Detail", log: log))
        screen.application.render()
        #expect(frame(split, .primary) == Rect(x: 0, y: 0, width: 60, height: 16))
        #expect(frame(split, .secondary) == Rect(x: 0, y: 17, width: 60, height: 23))
        #expect(screen.lines[17].allSatisfy { $0 == "─" })
    }

    // MARK: Keys

    @Test func widensAndNarrowsTheListByKeysWithinLimits() {
        let (split, screen, _) = split()
        var told: [Double] = []
        split.maximumPrimaryColumnWidth = 200
        split.primaryColumnWidthFractionDidChange = { told.append($0) }
        screen.press(">")
        #expect(told == [0.4] && frame(split, .primary).width == 48)
        screen.press("<", "<")
        #expect(frame(split, .primary).width == 43 && told.count == 3)
        for _ in 0..<40 { screen.press(">") }
        #expect(told.last == 0.7 && frame(split, .primary).width == 84)
        let count = told.count
        screen.press(">", ">")
        #expect(told.count == count)
        for _ in 0..<40 { screen.press("<") }
        #expect(told.last == 0.2 && frame(split, .primary).width == 26)
        // Without a list beside the detail there is no width to set.
        screen.resize(70, 20)
        let before = told.count
        screen.press(">", ">")
        #expect(told.count == before)
        // The mouse has the same limits.
        screen.resize(120, 20)
        screen.drag(from: Point(x: 26, y: 9), to: Point(x: 119, y: 9))
        #expect(told.last == 0.7)
        screen.drag(from: Point(x: 84, y: 9), to: Point(x: 0, y: 9))
        #expect(told.last == 0.2)
        screen.drag(from: Point(x: 26, y: 9), to: Point(x: 60, y: 9))
        #expect(told.last == 0.5)
    }

    @Test func movesBetweenColumnsByKeys() {
        let (split, screen, list) = split(.triple, width: 160)
        let level = LoggedController("Level", log: log, rows: 5)
        list.show(level)
        list.showDetail(LoggedController("Detail", log: log, rows: 3))
        for (key, column) in [
            ("h", .supplementary), ("h", .primary), ("h", .primary), ("l", .supplementary), ("l", .secondary),
            ("l", .secondary), ("left", .supplementary), ("right", .secondary),
        ] as [(String, Split.Column)] {
            screen.press(key)
            #expect(split.focusedColumn == column, "\(key)")
        }
        // In two columns both lists form one stack.
        screen.resize(120, 20)
        screen.press("h")
        #expect(split.focusedColumn == .supplementary && screen.text.contains("Level row 0"))
        screen.press("h")
        #expect(split.focusedColumn == .primary && screen.text.contains("List row 0"))
        screen.press("l")
        #expect(split.focusedColumn == .secondary)
    }

    private final class Target: SplitViewControllerDelegate {
        var mode = Split.DisplayMode.automatic
        func targetDisplayMode(for split: SplitViewController) -> SplitViewController.DisplayMode { mode }
    }

    @Test func theKeyOfTheListAsksForTheModeOfTheDelegate() {
        let (split, screen, list) = split()
        list.showDetail(LoggedController("Detail", log: log))
        let target = Target()
        split.delegate = target
        for (mode, shown, column) in [
            (.primaryHidden, .primaryHidden, .secondary), (.primaryHidden, .primaryHidden, .secondary),
            (.allVisible, .allVisible, .primary), (.allVisible, .allVisible, .primary),
            (.automatic, .primaryHidden, .secondary), (.automatic, .allVisible, .primary),
        ] as [(Split.DisplayMode, Split.DisplayMode, Split.Column)] {
            target.mode = mode
            screen.press("\\")
            #expect(split.displayMode == shown && split.focusedColumn == column, "\(mode)")
        }
        screen.resize(70, 20)
        target.mode = .primaryOverlay
        split.focus(.secondary)
        screen.press("\\")
        #expect(split.displayMode == .primaryOverlay && split.preferredDisplayMode == .automatic)
        // In one stack the key goes back, whatever the delegate requests.
        screen.resize(40, 20)
        target.mode = .primaryHidden
        split.focus(.secondary)
        screen.press("\\")
        #expect(split.focusedColumn == .primary && screen.text.contains("List row 0"))
    }

    @Test func hidesAndShowsColumnsByName() {
        let (split, screen, list) = split()
        list.showDetail(LoggedController("Detail", log: log))
        split.focus(.primary)
        split.hide(.secondary)
        #expect(split.displayMode == .allVisible && split.focusedColumn == .primary)
        split.hide(.primary)
        #expect(split.displayMode == .primaryHidden && split.preferredDisplayMode == .primaryHidden)
        split.show(.secondary)
        #expect(split.displayMode == .primaryHidden)
        split.show(.supplementary)
        #expect(split.displayMode == .allVisible && split.focusedColumn == .primary)
        screen.resize(70, 20)
        split.hide(.primary)
        // Columns hidden by the width alone don't change the preferred mode.
        #expect(split.preferredDisplayMode == .automatic && split.displayMode == .primaryHidden)
        screen.resize(40, 20)
        split.focus(.primary)
        split.hide(.primary)
        #expect(split.focusedColumn == .primary)
        // The second time has no effect.
        screen.resize(70, 20)
        split.showList(true)
        split.showList(true)
        #expect(split.displayMode == .primaryOverlay)
        split.showList(false)
        split.showList(false)
        #expect(split.displayMode == .primaryHidden)
    }

    @Test func clearsTheDetailAndReturnsToTheList() {
        for width in [160, 120, 70, 40] {
            let (split, screen, list) = split(.triple, width: width)
            list.show(LoggedController("Level", log: log, rows: 5))
            #expect(!split.hasDetail && split.supplementaryViewController?.title == "Level")
            let detail = LoggedController("Detail", log: log)
            list.showDetail(detail)
            #expect(split.hasDetail && split.detailViewController === detail && split.focusedColumn == .secondary)
            split.clearDetail()
            screen.application.render()
            #expect(!split.hasDetail && split.detailViewController == nil, "\(width)")
            #expect(split.focusedColumn == .supplementary, "\(width)")
            #expect(screen.text.contains("Nothing") == (width > 57), "\(width)")
            // A focused list keeps the focus.
            list.showDetail(detail)
            split.focus(.primary)
            split.clearDetail()
            #expect(split.focusedColumn == .primary, "\(width)")
        }
    }

    @Test func keepsTheStacksOfEightDetails() {
        let (split, _, _) = split()
        let details = (0..<10).map { LoggedController("Detail \($0)", log: log) }
        for detail in details {
            split.show(detail, in: .secondary, takesFocus: true)
            detail.navigationController?.push(LoggedController("Pushed", log: log))
        }
        func depth(_ index: Int) -> Int {
            split.show(details[index], in: .secondary, takesFocus: true)
            return split.navigationController(for: .secondary).viewControllers.count
        }
        // The second-last detail and the seven before it.
        #expect(depth(0) == 1)
        #expect(depth(9) == 2 && depth(8) == 2 && depth(2) == 2)
    }

    /// In three columns a new list level replaces the one beside the first list; in fewer it replaces the pushed one.
    @Test(arguments: [160, 120, 40]) func showsListLevelsBesideOrOnTheFirst(width: Int) {
        let (split, screen, list) = split(.triple, width: width)
        let levels = ["One", "Two"].map { LoggedController($0, log: log, rows: 3) }
        for level in levels {
            list.show(level)
            screen.application.render()
            #expect(split.supplementaryViewController === level && split.focusedColumn == .supplementary)
            #expect(screen.text.contains("\(level.title) row 0"))
            #expect(screen.text.contains("List row 0") == (width == 160))
        }
        let stack = split.navigationController(for: width == 160 ? .supplementary : .primary).viewControllers
        #expect(stack.map(\.title.string) == (width == 160 ? ["Two"] : ["List", "Two"]))
        split.show(levels[0], in: .supplementary, takesFocus: false)
        split.focus(.primary)
        screen.application.render()
        #expect(screen.text.contains("List row 0"))
    }
}
