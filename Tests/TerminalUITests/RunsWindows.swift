import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// A program's run, its window, and the targets of keys, clicks and focus.
@MainActor @Suite struct RunsWindows {
    // MARK: The run

    private final class Heard { var events: [Application.LifeCycleEvent] = [] }

    private func key(_ name: String) -> InputEvent { .key(KeySequence(stringLiteral: name).presses[0]) }

    private func application(_ batches: [[InputEvent]]) -> (ScriptedTerminal, Application, Heard) {
        let script = ScriptedTerminal(batches)
        let application = Application(terminal: script, root: HostController(Label("words")))
        let heard = Heard()
        application.lifeCycle = { heard.events.append($0) }
        return (script, application, heard)
    }

    @Test(arguments: [false, true]) func runsUntilFinished(isAsynchronous: Bool) async {
        for (batches, events, reason) in [
            ([[key("q")], [key("x")]], [.willFinish], nil), ([[key("x")], [], [key("ctrl-c")]], [.willFinish], nil),
            ([[.terminate(.signal(15))]], [.willTerminate(.signal(15)), .willFinish], .signal(15)),
            (
                [[.focus(true), .focus(false)]], [.focus(true), .focus(false), .willTerminate(.hangup), .willFinish],
                .hangup
            ),
            ([[.resume, key("q")]], [.resumed, .willFinish], nil),
        ] as [([[InputEvent]], [Application.LifeCycleEvent], TerminationReason?)] {
            let (script, application, heard) = application(batches)
            let code = isAsynchronous ? await application.run() : synchronously(application)
            #expect(code == 0 && application.isFinished && application.terminationReason == reason)
            #expect(heard.events == events)
            #expect(script.calls.prefix(3) == ["start", "present", "colors"] && script.calls.last == "stop")
            #expect(script.calls.filter { $0 == "stop" }.count == 1 && script.screen.hasPrefix("words"))
        }
        let (script, application, heard) = application([])
        script.error = .unsuitable(term: "dumb")
        let code = isAsynchronous ? await application.run() : synchronously(application)
        #expect(code == 69 && script.calls == ["start"] && heard.events.isEmpty)
    }

    private func synchronously(_ application: Application) -> Int32 { application.run() }

    @Test func appliesSizesAndColors() {
        let (script, application, _) = application([
            [.resize(Size(width: 7, height: 3))],
            [.graphics(GraphicsSupport(protocols: [.sixel], explanation: "found"))], [.colors], [key("q")],
        ])
        script.size = Size(width: 30, height: 9)
        script.capabilities.colors = .sixteen
        var sizes: [Size] = []
        script.whileWaiting = { [weak application] in
            guard let application else { return }
            sizes.append(application.window.size)
            script.capabilities.colors = .direct
            script.capabilities.colorsExplanation = "told"
            script.capabilities.ownColors = TerminalColors(foreground: .white, background: .black)
        }
        _ = synchronously(application)
        #expect(sizes == [Size(width: 30, height: 9)] + Array(repeating: Size(width: 7, height: 3), count: 3))
        let capabilities = application.window.capabilities
        #expect(capabilities.graphics.protocols == [.sixel] && capabilities.colors == .direct)
        #expect(capabilities.colorsExplanation == "told" && capabilities.ownColors == script.capabilities.ownColors)
        // Without animations it waits indefinitely.
        #expect(script.waits.allSatisfy { $0 == nil })
        let root = NavigationController(rootViewController: HostController(Label("root")))
        let moving = ScriptedTerminal([[], [], [key("q")]])
        let other = Application(terminal: moving, root: root)
        other.window.motion = .full
        moving.whileWaiting = {
            if root.viewControllers.count == 1 { root.push(HostController(Label("top"))) }
        }
        _ = synchronously(other)
        #expect(moving.waits.first == .some(nil) && moving.waits.dropFirst().first == 33)
    }

    @Test func handsOverAndResumesTheScreen() {
        let (script, application, heard) = application([])
        application.render()
        script.calls = []
        script.size = Size(width: 33, height: 5)
        #expect(application.handOver { 5 } == 5)
        #expect(script.calls == ["hand over", "invalidate", "present"] && application.window.size.width == 33)
        script.calls = []
        script.size = Size(width: 22, height: 5)
        application.suspend()
        #expect(script.calls == ["suspend"] && heard.events == [.resumed] && application.window.size.width == 22)
        application.render()
        script.calls = []
        application.render()
        #expect(script.calls.isEmpty)
        application.redraw()
        application.render()
        #expect(script.calls == ["invalidate", "present"])
        #expect(TestScreen(root: ViewController(), size: Size(width: 9, height: 3)).application.handOver { 1 } == nil)
    }

    // MARK: Surroundings

    @Test func classifiesEverySize() {
        let thresholds = SizeClassThresholds()
        for (columns, expected) in [
            (0, .minimal), (19, .minimal), (20, .compact), (57, .compact), (58, .narrow), (77, .narrow), (78, .regular),
            (147, .regular), (148, .wide), (500, .wide),
        ] as [(Int, HorizontalSizeClass)] { #expect(thresholds.horizontal(columns) == expected, "\(columns)") }
        for (rows, expected) in [
            (0, .line), (2, .line), (3, .minimal), (7, .minimal), (8, .compact), (14, .compact), (15, .regular),
            (99, .regular),
        ] as [(Int, VerticalSizeClass)] { #expect(thresholds.vertical(rows) == expected, "\(rows)") }
        #expect(HorizontalSizeClass.minimal < .compact && VerticalSizeClass.line < .regular)
        let override = TraitOverrides(vertical: .line)
        let traits = Traits(horizontal: .wide, vertical: .regular)
        #expect(override.applied(to: traits) == Traits(horizontal: .wide, vertical: .line))
        #expect(TraitOverrides(horizontal: .compact).applied(to: traits).vertical == .regular)
    }

    @Test func tellsControllersOfTraits() {
        let log = LifeCycleLog()
        let root = LoggedController("Root", log: log)
        let screen = TestScreen(root: root, size: Size(width: 80, height: 20))
        let window = screen.application.window
        #expect(root.traitChanges.count == 1 && root.traitChanges[0] == nil)
        screen.resize(90, 22)
        #expect(root.traitChanges.count == 1)
        screen.resize(50, 22)
        #expect(root.traitChanges.count == 2 && root.traitChanges[1]?.horizontal == .regular)
        #expect(root.traits.horizontal == .compact)
        var thresholds = SizeClassThresholds()
        thresholds.narrowWidth = 50
        window.thresholds = thresholds
        #expect(root.traits.horizontal == .narrow && root.traitChanges.count == 3)
        window.isLinear = true
        #expect(root.traits.horizontal == .compact && window.keyMap.namesKeys)
        screen.resize(15, 22)
        #expect(root.traits.horizontal == .minimal)
        window.isLinear = false
        #expect(!window.keyMap.namesKeys)
        window.capabilities.hasUnicode = false
        #expect(window.keyMap.namesKeys)
        // Presented controllers are notified too.
        let presented = LoggedController("Sheet", log: log)
        root.present(presented)
        screen.resize(100, 22)
        #expect(presented.traits.horizontal == .regular && presented.traitChanges.count == 2)
    }

    @Test func reportsLowMemoryToAll() {
        final class Thrifty: ViewController {
            var warnings = 0
            override func didReceiveMemoryWarning() {
                super.didReceiveMemoryWarning()
                warnings += 1
            }
        }
        let (root, child, sheet) = (Thrifty(), Thrifty(), Thrifty())
        let screen = TestScreen(root: root, size: Size(width: 40, height: 9))
        root.addChild(child)
        root.present(sheet)
        screen.application.window.receiveMemoryWarning()
        #expect([root, child, sheet].map(\.warnings) == [1, 1, 1])
    }

    // MARK: The mouse

    /// A view that records the mouse reports that it handles.
    private final class Pad: View {
        var reports: [String] = []
        var takes = true
        let isFocusable: Bool
        init(_ frame: Rect, isFocusable: Bool = false) {
            self.isFocusable = isFocusable
            super.init()
            self.frame = frame
        }
        override var canBecomeFocused: Bool { isFocusable }
        override func handle(_ event: MouseEvent) -> Bool {
            guard takes else { return false }
            reports.append("\(event.action) \(event.location.x),\(event.location.y) \(event.clicks)")
            return true
        }
        func take() -> [String] {
            defer { reports = [] }
            return reports
        }
    }

    @Test func sendsMouseReportsToTheViewUnderThePointer() {
        let outer = View()
        let (left, right) = (
            Pad(Rect(x: 2, y: 1, width: 10, height: 5), isFocusable: true),
            Pad(Rect(x: 8, y: 2, width: 10, height: 3), isFocusable: true)
        )
        outer.addSubview(left)
        outer.addSubview(right)
        let screen = TestScreen(of: outer, width: 30, height: 9)
        screen.stopClock()
        screen.click(3, 1)
        #expect(left.take() == ["press(TerminalScreen.MouseEvent.Button.left) 1,0 1", "release 1,0 1"])
        #expect(left.isFocused)
        // The topmost view handles it; a drag and the release stay with the pressed view, wherever they go.
        screen.drag(from: Point(x: 9, y: 3), to: Point(x: 0, y: 0))
        #expect(left.take().isEmpty && right.isFocused)
        #expect(
            right.take() == [
                "press(TerminalScreen.MouseEvent.Button.left) 1,1 1",
                "drag(TerminalScreen.MouseEvent.Button.left) -8,-2 1",
                "release -8,-2 1",
            ])
        screen.mouse(.drag(.left), 9, 3)
        screen.mouse(.release, 9, 3)
        #expect(right.take().isEmpty)
        screen.mouse(.wheel(1), 9, 3)
        #expect(right.take() == ["wheel(1) 1,1 1"] && right.isFocused)
        // A view that ignores the press leaves it to its superview and receives no further reports.
        right.takes = false
        screen.click(9, 3)
        #expect(left.take().isEmpty && right.take().isEmpty)
        right.isHidden = true
        screen.click(9, 3)
        #expect(left.take().count == 2)
        left.addSubview(right)
        right.isHidden = false
        right.frame = Rect(x: 1, y: 1, width: 3, height: 2)
        screen.click(4, 3)
        #expect(left.take() == ["press(TerminalScreen.MouseEvent.Button.left) 2,2 1", "release 2,2 1"])
        var menus: [Point] = []
        screen.application.window.contextMenu = { menus.append($0) }
        screen.mouse(.press(.right), 4, 3)
        screen.mouse(.release, 4, 3)
        #expect(menus.isEmpty)
        left.takes = false
        screen.mouse(.press(.right), 4, 3)
        #expect(menus == [Point(x: 4, y: 3)])
    }

    @Test func countsClicks() {
        var counter = ClickCounter()
        let start = ContinuousClock.now
        func press(_ milliseconds: Int, _ x: Int = 3, _ button: MouseEvent.Button = .left) -> Int {
            counter.count(MouseEvent(.press(button), at: Point(x: x, y: 1)), at: start + .milliseconds(milliseconds))
        }
        #expect([press(0), press(100), press(200), press(300), press(400)] == [1, 2, 3, 1, 2])
        #expect(counter.count(MouseEvent(.drag(.left), at: Point(x: 9, y: 1)), at: start + .seconds(9)) == 2)
        #expect(counter.count(MouseEvent(.release, at: Point(x: 9, y: 1)), at: start + .seconds(9)) == 2)
        // 400 milliseconds count as quick, more as slow.
        #expect([press(800), press(1201), press(1601), press(1602, 4), press(1603, 4)] == [3, 1, 2, 1, 2])
        #expect([press(1604, 4, .right), press(1605, 4, .right), press(1606, 4)] == [1, 2, 1])
    }

    // MARK: The focus

    private final class Box: View {
        let isFocusable: Bool
        var texts: [String] = []
        var takesPaste = false
        init(_ isFocusable: Bool = true) {
            self.isFocusable = isFocusable
            super.init()
        }
        override var canBecomeFocused: Bool { isFocusable }
        override func handle(paste text: String) -> Bool {
            if takesPaste { texts.append(text) }
            return takesPaste
        }
        override var cursor: Point? { Point(x: 1, y: 0) }
    }

    @Test func cyclesThroughFocusableViews() {
        let outer = Box(false)
        let boxes = [Box(), Box(false), Box(), Box(), Box()]
        for (row, box) in boxes.enumerated() {
            outer.addSubview(box)
            box.frame = Rect(x: 3, y: row, width: 5, height: 1)
        }
        boxes[3].isHidden = true
        let host = HostController(outer)
        let screen = TestScreen(root: host, size: Size(width: 20, height: 6))
        let window = screen.application.window
        for (keys, index) in [
            ("", 0), ("tab", 2), ("tab", 4), ("tab", 0), ("backtab", 4), ("up", 2), ("k", 0), ("j", 2), ("down", 4),
        ] {
            if !keys.isEmpty { screen.press(keys) }
            #expect(window.focusedView === boxes[index], "\(keys)")
            #expect(window.cursor == Point(x: 4, y: index), "\(keys)")
        }
        // The cursor is never outside the window.
        boxes[4].frame.origin.y = 6
        #expect(window.cursor == nil)
        boxes[4].takesPaste = true
        outer.takesPaste = true
        window.send(paste: "a")
        boxes[4].takesPaste = false
        window.send(paste: "b")
        #expect(boxes[4].texts == ["a"] && outer.texts == ["b"])
        // Without the focused view, the first one gets the focus; otherwise it is remembered.
        boxes[4].removeFromSuperview()
        #expect(window.focusedView === boxes[0])
        window.focus(boxes[2])
        let sheet = HostController(Box())
        host.present(sheet)
        #expect(window.focusedView === sheet.view)
        sheet.dismiss()
        #expect(window.focusedView === boxes[2])
        boxes[2].isHidden = true
        #expect(window.focusedView === boxes[0])
        // A view inside a hidden one doesn't keep the focus either, and has it again with what is around it.
        let inner = Box()
        boxes[1].addSubview(inner)
        window.focus(inner)
        boxes[1].isHidden = true
        #expect(window.focusedView === boxes[0])
        boxes[1].isHidden = false
        #expect(window.focusedView === inner)
    }

    @Test func keepsViewsInTheirOrder() {
        let outer = View()
        let views = (0..<3).map { _ in View() }
        for view in views { outer.addSubview(view) }
        outer.insertSubview(views[2], at: 0)
        #expect(outer.subviews == [views[2], views[0], views[1]] && views[2].superview === outer)
        outer.addSubview(views[1])
        #expect(outer.subviews == [views[2], views[0], views[1]])
        outer.addSubview(views[2])
        #expect(outer.subviews == [views[0], views[1], views[2]])
        outer.insertSubview(View(), at: 99)
        #expect(outer.subviews.count == 4)
        views[0].addSubview(views[1])
        #expect(outer.subviews.count == 3 && views[1].isDescendant(of: outer) && views[1].isDescendant(of: views[1]))
        #expect(!outer.isDescendant(of: views[1]))
        views[1].removeFromSuperview()
        views[1].removeFromSuperview()
        #expect(views[1].superview == nil && views[0].subviews.isEmpty)
        outer.frame = Rect(x: 1, y: 2, width: 10, height: 5)
        views[0].frame = Rect(x: 8, y: 3, width: 6, height: 9)
        #expect(views[0].convertToWindow(Point(x: 1, y: 1)) == Point(x: 10, y: 6))
        #expect(
            views[0].convertToWindow(Rect(x: 0, y: 0, width: 2, height: 1)) == Rect(x: 9, y: 5, width: 2, height: 1))
        #expect(views[0].visibleRectInWindow == Rect(x: 9, y: 5, width: 2, height: 2))
        #expect(outer.hitTest(Point(x: 9, y: 5)) === views[0] && outer.hitTest(Point(x: 8, y: 5)) === outer)
        #expect(outer.hitTest(Point(x: 11, y: 5)) == nil && outer.hitTest(Point(x: 1, y: 1)) == nil)
        views[0].isHidden = true
        #expect(views[0].visibleRectInWindow.isEmpty && outer.hitTest(Point(x: 9, y: 5)) !== views[0])
    }

    @Test func drawsOnlyWhatHasChanged() {
        let label = Label("a")
        let screen = TestScreen(of: label, width: 9, height: 3)
        let count = screen.terminal.presentations
        screen.application.render()
        #expect(screen.terminal.presentations == count && !screen.application.window.needsRendering)
        label.paragraphs = [TextParagraph("b")]
        #expect(screen.application.window.needsRendering)
        screen.application.render()
        #expect(screen.terminal.presentations == count + 1 && screen.terminal.changedCells == 1)
        label.frame.origin.x = 1
        #expect(screen.application.window.needsRendering)
        screen.application.render()
        label.isHidden = true
        #expect(screen.application.window.needsRendering)
    }

    // MARK: The clipboard

    @Test func copiesSafeText() {
        let screen = TestScreen(root: ViewController(), size: Size(width: 9, height: 3))
        var (counts, clipboards): ([Int], [Clipboard]) = ([], [])
        screen.application.window.onCopy = { count, _ in counts.append(count) }
        screen.application.window.copyToClipboard(["a\u{1B}[31m\nb"]) { clipboards.append($0) }
        #expect(screen.terminal.copied == "a[31m b" && clipboards == [.terminal] && counts.isEmpty)
        screen.application.window.copy(selected: "a\u{7}\n\nb")
        #expect(screen.terminal.copied == "a\n\nb" && counts == [5])
    }

    // MARK: Presentations

    private func sheet(_ name: String, _ log: LifeCycleLog) -> LoggedController { LoggedController(name, log: log) }

    @Test func stacksPresentations() {
        let log = LifeCycleLog()
        let root = sheet("Root", log)
        let screen = TestScreen(root: root, size: Size(width: 40, height: 12))
        let window = screen.application.window
        let (first, second, third) = (sheet("First", log), sheet("Second", log), sheet("Third", log))
        root.present(first)
        first.present(second)
        second.present(third)
        #expect(window.presentedViewController === third && first.presentedViewController === second)
        #expect(third.presentingViewController === second)
        _ = log.take()
        second.dismiss()
        #expect(window.presentedViewController === second && second.presentedViewController == nil)
        #expect(log.take() == ["Third willDisappear", "Third didDisappear"])
        second.present(third)
        _ = log.take()
        // Dismissing a lower one dismisses everything above it.
        root.dismiss()
        #expect(window.presentedViewController == nil && root.presentedViewController == nil)
        #expect(first.presentingViewController == nil && third.presentingViewController == nil)
        #expect(
            log.take() == ["First", "Second", "Third"].flatMap { ["\($0) willDisappear"] }
                + ["First", "Second", "Third"].map { "\($0) didDisappear" })
        // Presented from anywhere else, it replaces the current one.
        root.present(first)
        first.present(second)
        root.present(third)
        #expect(window.presentedViewController === third && first.presentingViewController == nil)
        third.dismiss()
        #expect(window.presentedViewController == nil)
        third.dismiss()
        first.dismiss()
        #expect(window.presentedViewController == nil)
    }

    @Test func passesOtherKeysDown() {
        final class Passing: ViewController {
            var isPassing = true
            override var closesOnOtherKeys: Bool { isPassing }
        }
        final class Root: ViewController {
            var pressed = 0
            override var commands: [Command] {
                [Command("root.x", "x", keys: ["x"]) { [weak self] in self?.pressed += 1 }]
            }
        }
        let (root, passing) = (Root(), Passing())
        let screen = TestScreen(root: root, size: Size(width: 40, height: 12))
        for (isPassing, presses) in [(true, 1), (false, 1)] {
            passing.isPassing = isPassing
            root.present(passing)
            screen.press("x")
            #expect(root.pressed == presses && (root.presentedViewController == nil) == isPassing)
        }
        screen.press("esc")
        #expect(root.presentedViewController == nil)
    }

    @Test func closesASheetByItsDoneItem() {
        let root = ViewController()
        let content = HostController(Label("inside"))
        content.title = "Sheet"
        content.preferredContentSize = Size(width: 20, height: 3)
        let screen = TestScreen(root: root, size: Size(width: 50, height: 12))
        screen.present(content, over: root)
        #expect(screen.text.contains("Sheet") && screen.text.contains("inside"))
        screen.click(on: "Sheet")
        screen.click(on: "inside")
        #expect(root.presentedViewController === content)
        screen.click(on: "Done")
        #expect(root.presentedViewController == nil)
        content.modalPresentationStyle = .fullScreen
        screen.present(content, over: root)
        #expect(screen.lines[0].contains(" Sheet ") && screen.lines[1] == "inside")
        screen.click(on: "Done")
        #expect(root.presentedViewController == nil)
        // An alert has only its choices.
        let alert = AlertController(title: "Remove?", message: "All of it.")
        alert.actions = [AlertAction("Keep")]
        screen.present(alert, over: root)
        #expect(!screen.text.contains("Done") && screen.text.contains("Keep"))
        screen.press("esc")
        #expect(root.presentedViewController == nil)
    }

    // MARK: Read from top to bottom

    @Test func showsOneThingAtATimeInLinearMode() {
        let list = LoggedController("List", log: LifeCycleLog(), rows: 5)
        let navigation = NavigationController(rootViewController: list)
        navigation.hasRule = true
        let screen = TestScreen(root: navigation, size: Size(width: 120, height: 20))
        screen.application.window.isLinear = true
        screen.application.render()
        #expect(!screen.text.contains("─") && screen.lines.contains { $0.hasPrefix(">List row 0") })
        screen.press("j")
        let row = screen.lines.firstIndex { $0.hasPrefix(">List row 1") }
        #expect(screen.terminal.cursor == row.map { Point(x: 0, y: $0) })
        navigation.push(HostController(Label("pushed")))
        screen.application.render()
        #expect(screen.text.contains("back: List"))
        screen.press("h")
        let popover = HostController(Label("inside"))
        popover.preferredContentSize = Size(width: 10, height: 1)
        popover.modalPresentationStyle = .popover
        popover.popoverPresentationController.sourceView = list.view
        popover.popoverPresentationController.sourceRect = Rect(x: 40, y: 3, width: 1, height: 1)
        screen.present(popover, over: list)
        #expect(screen.lines.contains("inside") && !screen.text.contains("List row"))
        #expect(!screen.text.contains { "╭│▒△▽".contains($0) })
    }
}
