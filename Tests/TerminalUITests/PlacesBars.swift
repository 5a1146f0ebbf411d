import TerminalUITesting
import Testing

@testable import TerminalUI

/// Bars at every width: the position of items, the overflow menu, and clicks.
@MainActor @Suite struct PlacesBars {
    private final class Noted { var calls: [String] = [] }
    private let noted = Noted()

    private func item(_ title: DisplayText, key: KeySequence? = nil, priority: Int = 0) -> BarButtonItem {
        BarButtonItem(title, key: key, priority: priority) { [noted] in noted.calls.append(title.string) }
    }

    private func take() -> [String] {
        defer { noted.calls = [] }
        return noted.calls
    }

    // MARK: Items

    @Test func runsItsCommand() {
        final class Owner: ViewController {
            var done = 0
            var isPossible = true
            let definition = CommandDefinition("owner.do", "Do it", keys: ["d", "D"])
            lazy var item = BarButtonItem(definition, title: "do")
            override func makeView() -> View { Label("view") }
            override func viewDidLoad() { toolbarItems = [item, BarButtonItem(definition)] }
            override var commands: [Command] {
                [Command(definition, isEnabled: isPossible) { [weak self] in self?.done += 1 }]
            }
        }
        let owner = Owner()
        let screen = TestScreen(inStack: owner, width: 40, height: 9)
        #expect(screen.lines[8] == " d do  d Do it")
        screen.click(on: "d do")
        #expect(owner.done == 1)
        // A command that can't be performed has no item.
        owner.isPossible = false
        screen.application.window.setNeedsLayout()
        screen.application.render()
        #expect(!screen.text.contains("Do it"))
        owner.isPossible = true
        screen.application.window.keyMap = KeyMap(["owner.do": ["f2"]])
        screen.application.render()
        #expect(screen.lines[8] == " F2 do  F2 Do it")
        screen.application.window.keyMap = KeyMap(["owner.do": []])
        screen.application.render()
        #expect(screen.lines[8] == " do  Do it")
        screen.application.window.keyMap = KeyMap()
        owner.item.showsKey = false
        owner.item.title = "other"
        screen.application.render()
        #expect(screen.lines[8] == " other  d Do it" && owner.item.columns == 5)
        let disabled = item("words", key: "x")
        disabled.isEnabled = false
        disabled.perform()
        #expect(take().isEmpty && disabled.columns == 7)
        disabled.isEnabled = true
        disabled.perform()
        #expect(take() == ["words"])
        BarButtonItem.label("label").perform()
        #expect(BarButtonItem.label("label").kind == .label && BarButtonItem.flexibleSpace().kind == .flexibleSpace)
    }

    // MARK: Toolbars

    private func show(_ items: [BarButtonItem], _ width: Int) -> (bar: Toolbar, screen: TestScreen) {
        let bar = Toolbar()
        bar.items = items
        let controller = HostController(bar)
        // The first line of a pane that is high enough for menus.
        let holder = ViewController()
        holder.addChild(controller)
        holder.view.addSubview(bar)
        bar.frame = Rect(x: 0, y: 0, width: width, height: 1)
        let screen = TestScreen(root: holder, size: Size(width: max(30, width), height: 12))
        return (bar, screen)
    }

    @Test func sharesTheSpareRoom() {
        for (items, width, line) in [
            ([item("a"), .flexibleSpace(), item("b")], 12, " a        b"),
            ([.flexibleSpace(), item("a"), .flexibleSpace(), item("b")], 12, "    a     b"),
            ([.flexibleSpace(), item("a")], 9, "       a"), ([item("a"), .flexibleSpace()], 9, " a"),
            ([item("a"), .flexibleSpace(), .label("bc"), .flexibleSpace(), item("d")], 20, " a       bc       d"),
            ([item("ab", key: "x"), item("c")], 20, " x ab  c"), ([], 20, ""),
        ] as [([BarButtonItem], Int, String)] {
            let found = show(items, width).screen.lines[0]
            #expect(found.filter { $0 != " " } == line.filter { $0 != " " })
            #expect(found == line, "\(found)")
        }
    }

    /// At every width items of the highest priority stay in order; the others are in the menu, in order.
    @Test func movesTheLeastImportantItemsIntoAMenu() throws {
        let names = ["aaaa", "bbbb", "cccc", "dddd"]
        let priorities = [0, 2, 1, 0]
        for width in 4...30 {
            let items = zip(names, priorities).map { item(DisplayText($0), priority: $1) }
            let (bar, screen) = show(items, width)
            let line = screen.lines[0]
            // The last of the lowest priority goes first.
            let order = [3, 0, 2, 1]
            let overflowing = bar.overflowing.map { item in items.firstIndex { $0 === item } ?? -1 }
            #expect(overflowing == order.prefix(overflowing.count).sorted(), "\(width)")
            let shown = names.indices.filter { !overflowing.contains($0) }
            #expect(
                line.split(separator: " ").map(String.init) == shown.map { names[$0] }
                    + (overflowing.isEmpty ? [] : ["⋯"]))
            // No more items overflow than necessary.
            let needed = { (count: Int) in count * 4 + max(0, count - 1) * 2 + (count < 4 ? 3 : 0) }
            #expect(needed(shown.count) <= width - 2 || shown.isEmpty)
            if !overflowing.isEmpty { #expect(needed(shown.count + 1) > width - 2, "\(width)") }
            if overflowing.isEmpty { continue }
            #expect(line.count == width - 1, "\(width)")
            screen.click(width - 2, 0)
            for index in overflowing { #expect(screen.text.contains(names[index])) }
            screen.press("enter")
            #expect(take() == [names[overflowing[0]]], "\(width)")
        }
        // Labels and spaces are not offered.
        let (bar, _) = show([.label("a long label"), .flexibleSpace(), item("button", priority: 1)], 12)
        #expect(bar.overflowing.isEmpty)
        let disabled = item("other", key: "o")
        disabled.isEnabled = false
        let (_, screen) = show([item("button", priority: 1), disabled], 13)
        screen.click(on: "⋯")
        #expect(screen.text.contains("other") && screen.text.contains(" o "))
        screen.press("enter")
        #expect(take().isEmpty && screen.application.window.presentedViewController != nil)
    }

    @Test func hitTestsItems() {
        let items = [item("one"), .label("two"), .flexibleSpace(), item("three")]
        let (bar, screen) = show(items, 30)
        for x in 0..<30 { screen.click(x, 0) }
        #expect(take() == Array(repeating: "one", count: 3) + Array(repeating: "three", count: 5))
        #expect(bar.rect(of: items[0]) == Rect(x: 1, y: 0, width: 3, height: 1))
        #expect(bar.rect(of: items[3]) == Rect(x: 24, y: 0, width: 5, height: 1) && bar.rect(of: item("x")) == nil)
        items[3].title = "3"
        screen.application.render()
        #expect(bar.rect(of: items[3]) == Rect(x: 28, y: 0, width: 1, height: 1))
    }

    // MARK: Navigation bars

    private func stack(_ change: (ViewController) -> Void = { _ in }) -> NavigationController {
        let root = HostController(Label("root"))
        root.title = "A root of words"
        let top = HostController(Label("top"))
        top.title = "The top"
        change(top)
        let navigation = NavigationController(rootViewController: root)
        navigation.push(top)
        return navigation
    }

    /// First the name of the level below is truncated and becomes an arrow with a line, then right items overflow, and
    /// the title is truncated last.
    @Test func makesRoomForTheTitle() {
        let navigation = stack { top in
            top.navigationItem.rightBarButtonItems = [self.item("First"), self.item("Second")]
        }
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 20))
        for (width, line) in [
            (60, " ‹ A root of words  The top" + String(repeating: " ", count: 19) + "Second  First"),
            (43, " ‹ A root of words  The top  Second  First"), (42, " ‹ A root of wor…  The top  Second  First"),
            (24, " ‹│The …  Second  First"), (20, " ‹│The t…  First  ⋯"), (12, " ‹│The top"), (8, " ‹│The…"),
        ] {
            screen.resize(width, 20)
            let found = screen.lines[0]
            #expect(found == line, "\(width)")
            #expect(DisplayText(found).columns <= width)
        }
        screen.resize(1, 20)
        let story = ScreenStory(of: screen)
        var shown: Set<String> = []
        for width in 1...62 {
            screen.resize(width, 20)
            if width % 3 == 2 { story.note("\(width)") }
            let line = screen.lines[0]
            #expect(DisplayText(line).columns <= width)
            // What has room in a narrow bar also has it in a wider one; only the title is truncated.
            let now = Set(["A root of words", "First", "Second"].filter { line.contains($0) })
            #expect(now.isSuperset(of: shown), "\(width): \(line)")
            if now.contains("First"), !now.contains("Second") { #expect(line.contains("⋯"), "\(width): \(line)") }
            shown = now
        }
        #expect(story.difference(from: "bar-widths") == nil)
    }

    @Test func replacesTheBackItemByLeftItems() {
        let navigation = stack { $0.navigationItem.leftBarButtonItems = [self.item("Left")] }
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 20))
        #expect(screen.lines[0] == " Left  The top")
        screen.click(on: "Left")
        #expect(take() == ["Left"])
        navigation.topViewController?.navigationItem.leftItemsSupplementBackButton = true
        screen.application.render()
        #expect(screen.lines[0] == " ‹ A root of words  Left  The top")
        navigation.topViewController?.navigationItem.title = "Another"
        screen.application.render()
        #expect(screen.lines[0].hasSuffix("Another") && navigation.topViewController?.title == "The top")
        navigation.viewControllers[0].title = ""
        screen.application.render()
        #expect(screen.lines[0].hasPrefix(" ‹ Back  Left"))
        navigation.viewControllers[0].title = "A name that is longer than any bar should have"
        screen.application.render()
        #expect(screen.lines[0].hasPrefix(" ‹ A name that is …  Left"))
        let view = Label("VIEW")
        navigation.topViewController?.navigationItem.titleView = view
        screen.application.render()
        #expect(screen.lines[0].contains("VIEW") && view.superview != nil)
        navigation.isNavigationBarHidden = true
        screen.application.render()
        #expect(screen.lines[0] == "top")
    }

    /// A position that doesn't fit loses its number, and never only some of its digits.
    @Test(arguments: [
        (12, "2/3 3497"), (10, "2/3 3497"), (9, "2/3 3497"), (8, "2/3"), (5, "2/3"), (4, "2/3"), (3, ""), (2, ""),
    ])
    func shortensThePosition(width: Int, position: String) {
        let navigation = stack { _ in }
        navigation.positionText = { "2/3 3497" }
        let screen = TestScreen(root: navigation, size: Size(width: width, height: 5))
        let digits = screen.lines[0].filter { $0.isNumber || $0 == "/" || $0 == " " }
        #expect(digits.split(separator: " ").joined(separator: " ") == position, "\(screen.text)")
    }

    /// The position is that of the view that the page shows, even if only the page's layout shows it.
    @Test func followsThePageThatIsShown() {
        final class Pages: ViewController {
            let (long, short) = (TextView(), TextView())
            var showsLong = true
            override func makeView() -> View { View() }
            override func viewDidLoad() {
                toolbarItems = [BarButtonItem("page") {}]
                long.setParagraphs((0..<99).map { TextParagraph(DisplayText("line \($0)")) })
                short.setParagraphs([TextParagraph("one line")])
                view.addSubview(long)
                view.addSubview(short)
            }
            override func viewWillLayoutSubviews() {
                for text in [long, short] {
                    text.frame = view.bounds
                    text.isHidden = (text === long) != showsLong
                }
            }
        }
        let pages = Pages()
        let screen = TestScreen(inStack: pages, width: 40, height: 9)
        #expect(screen.lines[8].hasSuffix(" %"))
        for showsLong in [false, true, false] {
            pages.showsLong = showsLong
            pages.view.setNeedsLayout()
            screen.application.render()
            #expect(screen.lines[8].hasSuffix(" %") == showsLong, "\(screen.text)")
        }
    }

    @Test func hidesBarsByHeight() {
        let navigation = stack { top in
            top.toolbarItems = [self.item("Tool")]
            top.navigationItem.prompt = "Prompt"
            top.navigationItem.showsProgress = true
            top.navigationItem.progress = ReadingProgress(share: 0.5)
        }
        navigation.positionText = { "2/3" }
        let accessory = ProgressView()
        accessory.message = StyledSpan("accessory")
        navigation.accessoryView = accessory
        let screen = TestScreen(root: navigation, size: Size(width: 40, height: 20))
        let story = ScreenStory(of: screen)
        for hasRule in [false, true] {
            navigation.hasRule = hasRule
            for height in [15, 14, 12, 11, 8, 7, 5, 3, 2, 1] {
                for width in [40, 19] {
                    screen.resize(width, height)
                    // The bars of a narrower pane differ only in their width.
                    guard width == 40 || [15, 8, 3].contains(height) else { continue }
                    story.note("\(width) x \(height)\(hasRule ? " with a rule" : "")")
                }
            }
        }
        #expect(story.difference(from: "bar-heights") == nil)
    }

    @Test func showsReadingProgressUnderTheBar() {
        let navigation = stack { $0.navigationItem.showsProgress = true }
        let screen = TestScreen(root: navigation, size: Size(width: 20, height: 20))
        for (progress, done) in [(0.0, 0), (0.5, 10), (0.52, 10), (0.53, 11), (1, 20), (1.5, 20), (-1, 0)] {
            navigation.topViewController?.navigationItem.progress = ReadingProgress(share: progress)
            screen.application.render()
            #expect(screen.lines[1] == String(repeating: "━", count: done) + String(repeating: "─", count: 20 - done))
        }
        // Below twelve lines, and with a divider, there is none.
        navigation.hasRule = true
        screen.resize(21, 20)
        #expect(screen.lines[1] == String(repeating: "─", count: 21) && screen.lines[2] == "top")
        navigation.topViewController?.navigationItem.showsProgress = false
        screen.application.render()
        #expect(screen.lines[2] == "top")
    }

    /// Messages too long for the bar cover the last lines, at most a third of them.
    @Test func showsLongMessagesOverTheLastLines() {
        let navigation = stack()
        let (accessory, over) = (ProgressView(), Label())
        navigation.accessoryView = accessory
        navigation.overflowView = over
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 12))
        #expect(over.isHidden)
        accessory.message = StyledSpan("a message that is rather long")
        over.paragraphs = [TextParagraph("a message that is rather long")]
        screen.application.render()
        #expect(over.isHidden && screen.lines[0].hasSuffix("a message that is rather long"))
        screen.resize(30, 12)
        #expect(!over.isHidden && screen.lines[11] == "a message that is rather long")
        // It isn't truncated in the bar as well.
        #expect(!screen.lines[0].contains("a mess"))
        screen.resize(60, 12)
        #expect(over.isHidden && screen.lines[0].hasSuffix("a message that is rather long"))
        screen.resize(30, 12)
        over.paragraphs = (0..<9).map { TextParagraph(DisplayText("line \($0)")) }
        screen.application.render()
        #expect(over.frame == Rect(x: 0, y: 8, width: 30, height: 4))
        over.paragraphs = []
        screen.application.render()
        #expect(over.isHidden)
        navigation.overflowView = nil
        #expect(over.superview == nil)
    }

    // MARK: Popovers

    /// Boxes with their arrows, shadows, titles and items, at anchors all over the pane.
    @Test func drawsBoxesAtTheirAnchors() {
        let host = ViewController()
        let screen = TestScreen(root: host, size: Size(width: 44, height: 13))
        let story = ScreenStory(of: screen)
        let anchors = [(0, 0), (21, 0), (42, 0), (0, 6), (21, 6), (42, 6), (0, 12), (21, 12), (42, 12)]
        for (index, (x, y)) in anchors.enumerated() {
            for (shape, (width, height, hasItems, directions))
                in ([
                    (12, 2, false, .any), (20, 3, true, .any), (12, 9, true, [.left, .right]), (50, 3, true, [.up]),
                ] as [(Int, Int, Bool, PopoverArrowDirection)]).enumerated()
            {
                let content = HostController(Label("content of a popover"))
                content.title = "Title"
                content.preferredContentSize = Size(width: width, height: height)
                if hasItems { content.toolbarItems = [item("first", key: "f"), item("second")] }
                content.modalPresentationStyle = .popover
                let popover = content.popoverPresentationController
                popover.sourceView = host.view
                popover.sourceRect = Rect(x: x, y: y, width: 2, height: 1)
                popover.permittedArrowDirections = directions
                screen.present(content, over: host)
                checkArrow(of: popover, at: Rect(x: x, y: y, width: 2, height: 1), on: screen)
                // With room on both sides the right one comes first.
                if shape == 2, x == 21 { #expect(popover.arrowDirection == .left) }
                if [0, 5, 10, 19, 29].contains(index * 4 + shape) {
                    story.note("\(width) x \(height) at \(x), \(y)")
                }
            }
        }
        #expect(story.difference(from: "popover-places") == nil)
    }

    /// The only arrow on the screen is beside the anchor. A sheet has none.
    private func checkArrow(of popover: PopoverPresentationController, at anchor: Rect, on screen: TestScreen) {
        let arrows = screen.lines.enumerated().flatMap { y, line in
            line.enumerated().compactMap { x, sign in "△▽◁▷".contains(sign) ? (sign: sign, x: x, y: y) : nil }
        }
        #expect(arrows.count == (popover.arrowDirection == nil ? 0 : 1), "\(screen.text)")
        #expect(popover.arrowDirection.map { popover.permittedArrowDirections.contains($0) } ?? true)
        guard let arrow = arrows.first else { return }
        let expected: (sign: Character, isBeside: Bool) =
            switch popover.arrowDirection {
            case .up: ("△", arrow.y == anchor.maxY)
            case .down: ("▽", arrow.y == anchor.minY - 1)
            case .left: ("◁", arrow.x == anchor.maxX)
            default: ("▷", arrow.x == anchor.minX - 1)
            }
        #expect(arrow.sign == expected.sign && expected.isBeside, "\(screen.text)")
    }

    /// The first permitted side with enough room, in the order below, above, right, left; otherwise the largest.
    @Test func choosesTheSideOfABox() {
        func side(
            _ content: (Int, Int), _ anchor: Rect, _ pane: (Int, Int), _ permitted: PopoverArrowDirection = .any,
            current: PopoverArrowDirection? = nil
        ) -> PopoverArrowDirection? {
            PopoverPlacement.place(
                content: Size(width: content.0, height: content.1), anchor: anchor,
                pane: Size(width: pane.0, height: pane.1), permitted: permitted, current: current)?.direction
        }
        let middle = Rect(x: 28, y: 9, width: 4, height: 1)
        // Five rows and seven fit below and above; six plus the border are too many for eleven.
        for (height, expected) in [(8, .up), (7, .up), (9, .left)] as [(Int, PopoverArrowDirection)] {
            #expect(side((10, height), middle, (60, 20)) == expected, "\(height)")
        }
        #expect(side((10, 7), middle, (60, 20), [.down, .left, .right]) == .down)
        #expect(
            side((10, 7), middle, (60, 20), [.left, .right]) == .left
                && side((10, 7), middle, (60, 20), [.right]) == .right)
        #expect(side((10, 7), middle, (60, 20), current: .right) == .right)
        #expect(side((10, 7), middle, (60, 20), [.up, .down], current: .left) == .up)
        #expect(side((10, 8), middle, (60, 20), current: .down) == .up)
        // If no side has enough room, the one with the largest area; below 12 x 3 there is none.
        #expect(side((90, 90), Rect(x: 2, y: 1, width: 4, height: 1), (60, 20)) == .left)
        #expect(side((90, 90), Rect(x: 30, y: 16, width: 4, height: 1), (60, 20), [.up, .down]) == .down)
        #expect(side((20, 5), Rect(x: 10, y: 1, width: 4, height: 2), (30, 5), [.up, .down]) == nil)
        #expect(side((20, 5), Rect(x: 10, y: 0, width: 4, height: 2), (30, 5), [.up, .down]) == .up)
        let placed = PopoverPlacement.place(
            content: Size(width: 10, height: 3), anchor: middle, pane: Size(width: 60, height: 20), permitted: .any)
        #expect(placed?.box == Rect(x: 23, y: 10, width: 12, height: 5) && placed?.arrow == Point(x: 29, y: 10))
        let left = PopoverPlacement.place(
            content: Size(width: 10, height: 3), anchor: middle, pane: Size(width: 60, height: 20), permitted: [.right])
        #expect(left?.box == Rect(x: 16, y: 7, width: 12, height: 5) && left?.arrow == Point(x: 27, y: 9))
        let above = PopoverPlacement.place(
            content: Size(width: 10, height: 3), anchor: middle, pane: Size(width: 60, height: 20), permitted: [.down])
        #expect(above?.box == Rect(x: 23, y: 4, width: 12, height: 5) && above?.arrow == Point(x: 29, y: 8))
        let right = PopoverPlacement.place(
            content: Size(width: 10, height: 3), anchor: middle, pane: Size(width: 60, height: 20), permitted: [.left])
        #expect(right?.box == Rect(x: 32, y: 7, width: 12, height: 5) && right?.arrow == Point(x: 32, y: 9))
    }

    /// A popover closes when its anchor is hidden or moves out of sight.
    @Test func closesWithAHiddenAnchor() {
        for hide in [
            { $0.isHidden = true }, { $0.frame.origin.x = 60 }, { $0.superview?.isHidden = true },
            { $0.frame.origin.y = -1 },
        ] as [@MainActor (View) -> Void] {
            let (outer, anchor) = (View(), Label("anchor"))
            outer.addSubview(anchor)
            anchor.frame = Rect(x: 3, y: 2, width: 6, height: 1)
            let holder = ViewController()
            holder.view.addSubview(outer)
            outer.frame = Rect(x: 0, y: 0, width: 50, height: 9)
            let screen = TestScreen(root: holder, size: Size(width: 60, height: 16))
            let content = HostController(Label("content"))
            content.modalPresentationStyle = .popover
            content.popoverPresentationController.sourceView = anchor
            screen.present(content, over: holder)
            #expect(screen.text.contains("content"))
            hide(anchor)
            outer.setNeedsLayout()
            screen.application.render()
            #expect(holder.presentedViewController == nil)
        }
    }

    private final class Decider: PopoverPresentationControllerDelegate {
        var (mayClose, closed) = (true, 0)
        func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool { mayClose }
        func popoverDidDismiss(_ popover: PopoverPresentationController) { closed += 1 }
    }

    @Test func notifiesOfUserDismissal() {
        let host = ViewController()
        let screen = TestScreen(root: host, size: Size(width: 60, height: 16))
        let decider = Decider()
        let content = HostController(Label("content"))
        content.title = "Box"
        content.popoverPresentationController.delegate = decider
        for (style, close) in [
            (.sheet, { screen.press("esc") }), (.sheet, { screen.click(0, 0) }), (.sheet, { screen.click(on: "Done") }),
            (.fullScreen, { screen.click(on: "Done") }),
        ] as [(ModalPresentationStyle, () -> Void)] {
            for mayClose in [false, true] {
                decider.mayClose = mayClose
                decider.closed = 0
                content.modalPresentationStyle = style
                screen.present(content, over: host)
                close()
                #expect(decider.closed == (mayClose ? 1 : 0) && (host.presentedViewController == nil) == mayClose)
                host.dismiss()
                #expect(decider.closed == (mayClose ? 1 : 0))
            }
        }
    }
}
