import Foundation
import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// Controls at the limits of their values, compared line by line or with computed results.
@MainActor
@Suite struct ControlStories {
    @Test func aSliderShowsItsValue() {
        let slider = Slider(10...20, value: 10, step: 1)
        let screen = TestScreen(of: slider, width: 11, height: 1)
        for value in 0...10 {
            #expect(screen.column(of: "●", in: 0) == value)
            #expect(slider.value == Double(10 + value))
            screen.press("l")
        }
        #expect(slider.value == 20)
        screen.click(0, 0)
        #expect(slider.value == 10)
        screen.click(7, 0)
        #expect(slider.value == 17)
        screen.drag(from: Point(x: 7, y: 0), to: Point(x: 30, y: 0))
        #expect(slider.value == 20)
        // A range of one value has its knob at the start.
        for (slider, column) in [
            (Slider(3...3, value: 3, step: 1), 0), (Slider(-4...4, value: 0, step: 1), 4),
            (Slider(0...1, value: 0.5, step: 0.25), 4),
        ] { #expect(TestScreen(of: slider, width: 9, height: 1).column(of: "●", in: 0) == column) }
    }

    @Test(arguments: [
        (0, 3, 0), (1, 3, 5), (2, 3, 10), (3, 3, 15), (0, 0, 15), (1, 2, 7),
    ]) func drawsTheDoneShareOfABar(done: Int, total: Int, filled: Int) {
        let view = ProgressView()
        view.progress = (done, total)
        let screen = TestScreen(of: view, width: "⟳ \(done)/\(total) ".count + 15, height: 1)
        #expect(screen.lines[0].hasPrefix("⟳ \(done)/\(total) "))
        #expect(
            screen.lines[0].filter { $0 == view.symbols.progressDone.scalars.first.map(Character.init) }.count == filled
        )
        #expect(view.sizeThatFits(Size(width: 60, height: 1)).width == "⟳ \(done)/\(total) ".count + 15)
        #expect(view.sizeThatFits(Size(width: 59, height: 1)).width == "⟳ \(done)/\(total)".count)
    }

    @Test func anIndicatorSpinsAndShowsItsText() async {
        let indicator = ActivityIndicator("Waiting")
        let screen = TestScreen(of: indicator, width: 20, height: 1)
        #expect(screen.lines[0].isEmpty)
        indicator.start()
        #expect(await screen.wait(for: "Waiting"))
        let frames = indicator.symbols.activity
        var seen: Set<Character> = []
        #expect(
            await screen.wait {
                if let first = screen.lines[0].first { seen.insert(first) }
                return seen.count == min(3, frames.count)
            })
        #expect(screen.lines[0].dropFirst().hasPrefix(" Waiting"))
        indicator.title = "Still"
        #expect(await screen.wait(for: " Still"))
        indicator.stop()
        #expect(await screen.wait { screen.lines[0].isEmpty })
        #expect(indicator.sizeThatFits(Size(width: 99, height: 9)) == Size(width: 7, height: 1))
    }

    @Test func aTextAreaFollowsTheInsertionPoint() {
        let area = TextArea()
        let screen = TestScreen(of: area, width: 10, height: 4)
        let story = ScreenStory(of: screen)
        for words in ["one two", " thr", "e", "e", " four"] {
            screen.type(words)
            story.note(words)
        }
        story.press(together: ["enter", "enter"])
        screen.type("東京の朝は早い")
        story.note("wide signs")
        screen.type("x")
        story.note("x")
        story.press("up", "up", "up", "up", "home", "down", "end", "down", "down", "down", "down", "home")
        story.press("pageup", "pagedown", "ctrl-z", "ctrl-z", "ctrl-z")
        screen.resize(5, 3)
        story.note("5 x 3")
        screen.resize(30, 2)
        story.note("30 x 2")
        #expect(story.difference(from: "text-area") == nil)
    }

    @Test func movesByWordsAndLimitsAField() {
        let field = TextField()
        var left: [Int] = []
        field.onOverflow = { left.append($0) }
        let screen = TestScreen(of: field, width: 20, height: 1)
        screen.type("one two three")
        for (key, place) in [("ctrl-left", 8), ("ctrl-left", 4), ("ctrl-right", 7), ("alt-b", 4), ("alt-f", 7)] {
            screen.press(key)
            #expect(screen.terminal.cursor == Point(x: place, y: 0), "\(key)")
        }
        field.text = ""
        screen.application.send(.paste(String(repeating: "a", count: TextField.maximumLength)))
        #expect(field.text.count == TextField.maximumLength && left.isEmpty)
        screen.application.send(.paste("bc"))
        #expect(field.text.count == TextField.maximumLength && left == [2])
    }

    @Test func aScrollViewStaysWithinItsContent() {
        let view = ScrollView()
        view.contentSize = Size(width: 30, height: 20)
        let screen = TestScreen(of: view, width: 10, height: 5)
        for (target, reached) in [
            (Point(x: -3, y: -4), Point(x: 0, y: 0)), (Point(x: 99, y: 99), Point(x: 20, y: 15)),
            (Point(x: 0, y: 15), Point(x: 0, y: 15)), (Point(x: 20, y: 0), Point(x: 20, y: 0)),
        ] {
            view.scroll(to: target)
            screen.application.render()
            #expect(view.contentOffset == reached)
        }
        view.scroll(to: .zero)
        view.scrollToVisible(Rect(x: 12, y: 7, width: 3, height: 2))
        #expect(view.contentOffset == Point(x: 5, y: 4))
        view.scrollToVisible(Rect(x: 2, y: 1, width: 3, height: 2))
        #expect(view.contentOffset == Point(x: 2, y: 1))
    }

    @Test func insertsAndRemovesSegmentsAnywhere() {
        let control = SegmentedControl()
        control.segments = ["a", "b", "c"].map { SegmentedControl.Segment($0) }
        control.selectedSegmentIndex = 1
        control.removeSegment(at: -5)
        #expect(control.segments.map(\.title) == ["b", "c"] && control.selectedSegmentIndex == 0)
        control.removeSegment(at: 99)
        #expect(control.segments.map(\.title) == ["b"] && control.selectedSegmentIndex == 0)
        control.insertSegment(SegmentedControl.Segment("z"), at: 99)
        control.insertSegment(SegmentedControl.Segment("y"), at: -1)
        #expect(control.segments.map(\.title) == ["y", "b", "z"] && control.selectedSegmentIndex == 1)
        control.removeSegment(at: 1)
        #expect(control.selectedSegmentIndex == -1)
        control.removeSegment(at: 0)
        control.removeSegment(at: 0)
        control.removeSegment(at: 0)
        #expect(control.segments.isEmpty)
    }

    @Test func aPickerStopsAtItsEnds() {
        let picker = Picker(["one", "two", "three"], selectedIndex: 1)
        let screen = TestScreen(of: picker, width: 20, height: 8)
        for (key, index) in [("h", 0), ("h", 0), ("l", 1), ("l", 2), ("l", 2), ("h", 1)] {
            screen.press(key)
            #expect(picker.selectedIndex == index)
        }
        screen.press("enter")
        #expect(screen.text.contains("two") && screen.text.contains("three"))
    }

    @Test func measuresTheWidestLine() {
        let text = TextView()
        text.setParagraphs([TextParagraph("twelve signs"), TextParagraph("four")])
        #expect(text.sizeThatFits(Size(width: 80, height: 10)) == Size(width: 14, height: 2))
        // At exactly its width it is one line; with a column less it is two.
        #expect(text.sizeThatFits(Size(width: 14, height: 10)) == Size(width: 14, height: 2))
        #expect(text.sizeThatFits(Size(width: 13, height: 10)).height == 3)
    }

    @Test func mapsTextRolesToStyles() {
        for theme in Theme.all {
            let base = theme[.text]
            #expect(theme.style(for: .strong, base: base).attributes.contains(.bold))
            #expect(theme.style(for: .emphasis, base: base).attributes.contains(.italic))
            #expect(theme.style(for: [.strong, .emphasis], base: base).attributes.isSuperset(of: [.bold, .italic]))
            #expect(theme.style(for: [], base: base) == base)
        }
    }

    /// An unused key is reported, even without any focusable view.
    @Test func reportsUnusedKeys() {
        let screen = TestScreen(of: View(), width: 10, height: 3)
        var told: [KeySequence] = []
        screen.application.window.unusedKey = { press, _ in told.append(press) }
        #expect(!screen.application.window.send(KeyPress(.character("j"))))
        #expect(!screen.application.window.send(KeyPress(.character("x"))))
        #expect(told.count == 2)
    }

    /// A presentation ends with its anchor.
    @Test func aPopoverClosesWithItsAnchor() {
        let outer = View()
        let anchor = Label("anchor")
        outer.addSubview(anchor)
        anchor.frame = Rect(x: 2, y: 1, width: 6, height: 1)
        let host = HostController(outer)
        let screen = TestScreen(root: host, size: Size(width: 40, height: 12))
        let popover = HostController(Label("over"))
        popover.modalPresentationStyle = .popover
        popover.popoverPresentationController.sourceView = anchor
        screen.present(popover, over: host)
        #expect(screen.text.contains("over"))
        // A presented controller can dismiss itself.
        let inner = HostController(Label("inner"))
        popover.addChild(inner)
        inner.dismiss()
        screen.application.render()
        #expect(!screen.text.contains("over"))
        screen.present(popover, over: host)
        #expect(screen.text.contains("over"))
        anchor.removeFromSuperview()
        outer.setNeedsLayout()
        screen.application.render()
        #expect(!screen.text.contains("over"))
        #expect(screen.application.window.presentedViewController == nil)
    }

    // MARK: Pictures

    /// Each cell's colours are the means of the pixels under it.
    @Test func cellsTakeColorsOfTheirPixels() {
        // 4 x 4 pixels, each with a different red.
        let pixels = PixelBuffer(width: 4, height: 4, rgba: (0..<16).flatMap { [UInt8($0 * 10), 0, 0, 255] })
        func halves(_ cells: Size, _ viewport: Viewport = Viewport()) -> [[UInt32]] {
            PixelScaling(source: Size(width: 4, height: 4), cells: cells, viewport: viewport)?.render(pixels).map {
                $0.flatMap { [$0.upper >> 16, $0.lower >> 16] }
            } ?? []
        }
        #expect(
            halves(Size(width: 4, height: 2)) == [
                [0, 40, 10, 50, 20, 60, 30, 70], [80, 120, 90, 130, 100, 140, 110, 150],
            ])
        // At half the size: means of four pixels.
        #expect(halves(Size(width: 2, height: 1)) == [[25, 105, 45, 125]])
        var corner = Viewport()
        corner.zoom = 2
        (corner.centerX, corner.centerY) = (1, 1)
        #expect(halves(Size(width: 2, height: 1), corner) == [[100, 140, 110, 150]])
        (corner.centerX, corner.centerY) = (0, 0)
        #expect(halves(Size(width: 2, height: 1), corner) == [[0, 40, 10, 50]])
        let scaling = PixelScaling(
            source: Size(width: 4, height: 4), cells: Size(width: 4, height: 2), viewport: Viewport())
        let parts = scaling?.parts(pixels, down: 2).map { $0.map { $0.map { $0 >> 16 } } }
        #expect(
            parts == [
                [[0, 0, 40, 40], [10, 10, 50, 50], [20, 20, 60, 60], [30, 30, 70, 70]],
                [[80, 80, 120, 120], [90, 90, 130, 130], [100, 100, 140, 140], [110, 110, 150, 150]],
            ])
        let place = PixelScaling(source: Size(width: 4, height: 4), cells: Size(width: 2, height: 1), viewport: corner)?
            .place(column: 1, halfRow: 1)
        #expect(place.map { [$0.x, $0.y] } == [0.25, 0.25])
        (corner.centerX, corner.centerY) = (1, 1)
        let last = PixelScaling(source: Size(width: 4, height: 4), cells: Size(width: 2, height: 1), viewport: corner)?
            .place(column: 1, halfRow: 1)
        #expect(last.map { [$0.x, $0.y] } == [0.75, 0.75])
    }

    /// Two colours for a cell, and the parts with the first one.
    @Test func splitsACellInTwo() {
        for (parts, expected) in [
            ([0xFFFFFF, 0x000000], (1, 0xFFFFFF, 0x000000)), ([0x102030, 0x102030], (0, 0, 0x102030)),
            ([0xFF0000, 0x00FF00, 0xFF0000, 0x00FF00], (5, 0xFF0000, 0x00FF00)),
            ([0x101010, 0x303030, 0xF0F0F0, 0xF0F0F0], (3, 0x202020, 0xF0F0F0)),
        ] as [([UInt32], (Int, UInt32, UInt32))] {
            let split = ImageDetail.split(parts)
            #expect(split.bits == expected.0 && split.background == expected.2, "\(parts)")
            if expected.0 != 0 { #expect(split.foreground == expected.1, "\(parts)") }
        }
    }

    /// In a sheet of two lines the last one is the field.
    @Test func showsThePromptFieldInAnyPane() {
        for height in [3, 4, 5, 9] {
            let host = HostController(View())
            let screen = TestScreen(root: host, size: Size(width: 40, height: height))
            var submitted = ""
            host.present(TextPromptViewController(title: "Ask", message: "Why?", text: "ab") { submitted = $0 })
            screen.press("end")
            screen.type("c")
            #expect(screen.text.contains("abc"), "\(height)")
            // A click outside doesn't discard it, Esc does.
            screen.click(0, 0)
            #expect(screen.application.window.presentedViewController != nil)
            screen.press("enter")
            #expect(submitted == "abc" && screen.application.window.presentedViewController == nil)
        }
        let host = HostController(View())
        let screen = TestScreen(root: host, size: Size(width: 70, height: 12))
        for (keys, closes) in [([], true), (["end", "x"], false), (["end", "x", "backspace"], true)]
            as [([String], Bool)]
        {
            host.present(TextPromptViewController(title: "Ask", message: "Why?", text: "ab") { _ in })
            for key in keys { screen.press(key) }
            screen.click(0, 0)
            #expect((screen.application.window.presentedViewController == nil) == closes)
            if !closes { #expect(screen.text.contains("esc discards it")) }
            screen.press("esc")
            #expect(screen.application.window.presentedViewController == nil)
        }
    }

    /// Below a segmented control, the bar shows the title of a pushed level; a prompt moves the divider down.
    @Test func theBarNamesThePushedController() {
        let navigation = NavigationController()
        navigation.hasRule = true
        let roots = ["One", "Two"].map { name -> ViewController in
            let root = HostController(Label("root"))
            root.title = DisplayText(name)
            return root
        }
        let segments = SegmentsController(navigationController: navigation, viewControllers: roots)
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 30))
        #expect(screen.lines[1].allSatisfy { $0 == "─" })
        let pushed = HostController(Label("pushed"))
        pushed.title = "Deeper"
        navigation.push(pushed)
        screen.application.render()
        #expect(screen.lines[0].contains("Deeper") && screen.lines[0].contains("‹"))
        pushed.navigationItem.prompt = "Choose something"
        screen.application.render()
        #expect(screen.lines[0].contains("Choose something") && screen.lines[2].allSatisfy { $0 == "─" })
        segments.selectedIndex = 1
        screen.application.render()
        #expect(screen.lines[1].allSatisfy { $0 == "─" } && !screen.lines[0].contains("Deeper"))
    }

    /// Segments keep their distinguishing letters, and their badges while a cell is left for them.
    @Test(arguments: [
        (40, "▐Stages▌ Feeds 12  Settings"), (27, "▐Stages▌ Feeds•  Settings"), (26, "▐Stages▌ Feeds  Settings"),
        (22, "▐Stages▌ Fe 12  Se"), (18, "▐Stages▌ Fe•  Se"), (17, "▐Stages▌ Fe  Se"), (16, "▐St▌ Fe 12  Se"),
        (14, "▐St▌ Fe•  Se"), (13, "▐St▌ Fe  Se"), (11, "▐S▌ F  S"),
    ]) func shortensSegmentsInNarrowPanes(width: Int, expected: String) {
        let control = SegmentedControl()
        control.segments = [
            SegmentedControl.Segment("Stages"), SegmentedControl.Segment("Feeds", badge: "12"),
            SegmentedControl.Segment("Settings"),
        ]
        control.selectedSegmentIndex = 0
        let screen = TestScreen(of: control, width: width, height: 1)
        #expect(screen.lines[0].trimmingCharacters(in: .whitespaces) == expected)
    }

    @Test func choosesFromAMenuByOneClick() {
        var taken: [String] = []
        let button = MenuButton("More") {
            ["one", "two", "three"].map { name in
                Command("menu.\(name)", DisplayText(name), keys: []) { taken.append(name) }
            }
        }
        let screen = TestScreen(of: button, width: 30, height: 10)
        screen.press("enter")
        screen.click(on: "three")
        #expect(taken == ["three"])
        screen.press("enter")
        screen.click(on: "two")
        #expect(taken == ["three", "two"])
    }
}
