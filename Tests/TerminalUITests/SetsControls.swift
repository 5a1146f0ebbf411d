import CommonTesting
import TerminalUITesting
import Testing

@testable import TerminalScreen
@testable import TerminalUI
@testable import TerminalUIExtras

/// Controls by keys and clicks, enabled and disabled.
@MainActor @Suite struct SetsControls {
    private func show(_ view: View, _ width: Int = 30, _ height: Int = 8) -> TestScreen {
        TestScreen(of: view, width: width, height: height)
    }

    private final class Form: ViewController {
        let controls: [Control]
        init(_ controls: [Control]) {
            self.controls = controls
            super.init()
        }
        override func viewDidLoad() {
            var line = 0
            for control in controls {
                view.addSubview(control)
                let size = control.sizeThatFits(Size(width: 11, height: 9))
                control.frame = Rect(x: 0, y: line, width: size.width, height: size.height)
                line += size.height
            }
        }
    }

    /// The effect of each press by Enter, Space and a click; none if disabled.
    @Test func reportsAPressOnce() {
        for isEnabled in [true, false] {
            let (button, check) = (Button("Go"), Switch("Check"))
            let (words, radio) = (Switch("Words", isOn: true, form: .words), RadioGroup(["a", "b", "c"]))
            var log: [String] = []
            button.onAction = { log.append("button") }
            check.onAction = { log.append("check \(check.isOn)") }
            words.onAction = { log.append("words \(words.isOn)") }
            radio.onAction = { log.append("radio \(radio.selectedIndex)") }
            let form = Form([button, check, words, radio])
            for control in form.controls { control.isEnabled = isEnabled }
            let screen = TestScreen(root: form, size: Size(width: 30, height: 8))
            #expect(screen.lines.prefix(6) == ["[ Go ]", "[ ] Check", "on   Words", "( ) a", "( ) b", "( ) c"])
            for line in [0, 1, 2, 4] {
                screen.mouse(.press(.right), 1, line)
                screen.mouse(.release, 1, line)
            }
            #expect(log.isEmpty)
            for line in [0, 1, 2, 4] { screen.click(1, line) }
            screen.press("tab", "enter", "tab", "space", "tab", "space", "tab", "down", "enter", "enter")
            let clicks = ["button", "check true", "words false", "radio 1"]
            let keys = ["button", "check false", "words true", "radio 2"]
            #expect(log == (isEnabled ? clicks + keys : []), "\(isEnabled)")
            if isEnabled {
                #expect(screen.lines.prefix(6) == ["[ Go ]", "[ ] Check", "on   Words", "( ) a", "( ) b", "(•) c"])
            }
            #expect(screen.application.window.focusedView === (isEnabled ? radio : nil))
        }
    }

    @Test func choosesOneOfSeveral() {
        let radio = RadioGroup(["a", "b", "c"], selectedIndex: 1)
        var actions = 0
        radio.onAction = { actions += 1 }
        let screen = show(radio)
        for (key, selected, told) in [
            ("enter", 1, 0), ("down", 1, 0), ("enter", 2, 1), ("j", 2, 1), ("enter", 2, 1), ("up", 2, 1), ("k", 2, 1),
            ("up", 2, 1), ("space", 0, 2),
        ] {
            screen.press(key)
            #expect(radio.selectedIndex == selected && actions == told, "\(key)")
        }
        screen.click(0, 7)
        #expect(radio.selectedIndex == 0 && radio.sizeThatFits(.zero) == Size(width: 5, height: 3))
    }

    @Test func movesByStepsWithinItsRange() {
        let slider = Slider(-2...2, value: 9, step: 0.5)
        #expect(slider.value == 2)
        slider.value = -9
        #expect(slider.value == -2)
        var values: [Double] = []
        slider.onAction = { values.append(slider.value) }
        let screen = show(slider, 9, 1)
        screen.press("h", "l", "+", "right", "-", "left")
        #expect(values == [-1.5, -1, -0.5, -1, -1.5])
        screen.click(8, 0)
        screen.click(8, 0)
        screen.click(4, 0)
        screen.drag(from: Point(x: 4, y: 0), to: Point(x: 5, y: 0))
        #expect(values.suffix(3) == [2, 0, 0.5])
        // Between two steps the nearer one is chosen.
        let coarse = Slider(0...4, value: 0, step: 1)
        let other = show(coarse, 9, 1)
        for (x, value) in [(1, 1.0), (2, 1), (3, 2), (5, 3), (8, 4), (0, 0)] {
            other.click(x, 0)
            #expect(coarse.value == value, "\(x)")
        }
        slider.isEnabled = false
        screen.click(0, 0)
        screen.press("l")
        #expect(slider.value == 0.5 && values.count == 8)
    }

    @Test func picksFromItsMenu() {
        let picker = Picker(["one", "two", "three"])
        var actions = 0
        picker.onAction = { actions += 1 }
        let screen = TestScreen(root: Form([picker]), size: Size(width: 40, height: 14))
        #expect(screen.lines[0] == "Choose ▾" && picker.sizeThatFits(.zero).width == 8)
        #expect(screen.press("enter", shows: "▌  one"))
        screen.press("j", "enter")
        #expect(picker.selectedIndex == 1 && actions == 1 && screen.lines[0].hasPrefix("two ▾"))
        #expect(screen.press("enter", shows: "▌• two"))
        screen.press("enter")
        #expect(actions == 1)
        screen.press("l", "l", "h")
        #expect(picker.selectedIndex == 1 && actions == 3)
        picker.isEnabled = false
        screen.click(0, 0)
        #expect(screen.application.window.presentedViewController == nil)
        let empty = MenuButton("None") { [] }
        let other = TestScreen(root: Form([empty]), size: Size(width: 40, height: 14))
        other.press("enter")
        #expect(other.application.window.presentedViewController == nil && other.lines[0] == "None ▾")
    }

    @Test func showsMessagesForTheirTime() async {
        let line = StatusLine()
        line.parts = ["first", "second"]
        let screen = show(line, 40, 1)
        #expect(screen.lines[0] == String(repeating: " ", count: 26) + "first  second")
        line.show("A message", role: .failure, for: .milliseconds(1))
        screen.application.render()
        #expect(screen.lines[0].hasPrefix(" A message") && line.message == "A message")
        #expect(await screen.wait { line.message.isEmpty })
        // A later message stays when the time of the previous one is over.
        line.show("short", for: .milliseconds(1))
        line.show("long", for: nil)
        for _ in 0..<5 { try? await Task.sleep(for: .milliseconds(2)) }
        #expect(line.message == "long")
        line.show("words that take nearly the whole of the line and more", for: nil)
        screen.application.render()
        #expect(screen.lines[0] == " words that take nearly the who… second")
        line.clear()
        screen.application.render()
        #expect(screen.lines[0].contains("first"))
    }

    @Test func spinsOnlyWhileStarted() async {
        let indicator = ActivityIndicator("Loading")
        let screen = show(indicator, 20, 1)
        indicator.start()
        indicator.start()
        #expect(indicator.isAnimating && screen.lines[0].isEmpty)
        indicator.stop()
        #expect(!indicator.isAnimating)
        indicator.start()
        #expect(await screen.wait { screen.lines[0].contains("Loading") })
        indicator.title = "Loading pictures"
        screen.application.render()
        #expect(screen.lines[0].contains("Loading pictures"))
        indicator.stop()
        screen.application.render()
        #expect(screen.lines[0].isEmpty)
    }

    @Test func centresLabels() {
        let label = Label()
        label.paragraphs = [TextParagraph("one two", .strong), TextParagraph("three")]
        let screen = show(label, 11, 5)
        #expect(screen.lines.prefix(2) == ["one two", "three"])
        #expect(screen.terminal.cells[0, 0].style.attributes.contains(.bold))
        #expect(!screen.terminal.cells[0, 1].style.attributes.contains(.bold))
        label.isCentered = true
        screen.application.render()
        #expect(screen.lines == ["", "  one two", "   three", "", ""])
        #expect(label.sizeThatFits(Size(width: 11, height: 9)) == Size(width: 7, height: 2))
        #expect(label.sizeThatFits(Size(width: 5, height: 2)) == Size(width: 5, height: 2))
    }

    @Test func scrollsLargerContent() {
        let view = ScrollView()
        let label = Label()
        label.paragraphs = (0..<20).map { TextParagraph(DisplayText("\($0) " + String(repeating: "x", count: 27))) }
        label.frame = Rect(x: 0, y: 0, width: 30, height: 20)
        view.content.addSubview(label)
        view.contentSize = Size(width: 30, height: 20)
        let screen = show(view, 10, 5)
        for (key, x, y) in [
            ("j", 0, 1), ("down", 0, 2), ("k", 0, 1), ("up", 0, 0), ("space", 0, 4), ("pagedown", 0, 8), ("b", 0, 4),
            ("pageup", 0, 0), ("L", 4, 0), ("shift-right", 8, 0), ("H", 4, 0), ("shift-left", 0, 0), ("H", 0, 0),
        ] {
            screen.press(key)
            #expect(view.contentOffset == Point(x: x, y: y), "\(key)")
        }
        for (action, x, y) in [
            (.wheel(1), 0, 3), (.wheel(-1), 0, 0), (.horizontalWheel(1), 4, 0), (.horizontalWheel(-1), 0, 0),
        ] as [(MouseEvent.Action, Int, Int)] {
            screen.mouse(action, 1, 1)
            #expect(view.contentOffset == Point(x: x, y: y), "\(action)")
        }
        // A larger pane shows more of it, and the small one shows the same again.
        view.scroll(to: Point(x: 20, y: 15))
        screen.resize(30, 20)
        #expect(screen.lines[0].hasPrefix("0 xxx"))
        screen.resize(10, 5)
        #expect(view.contentOffset == Point(x: 20, y: 15))
        #expect(view.canBecomeFocused)
        let field = TextField()
        view.content.addSubview(field)
        #expect(!view.canBecomeFocused)
    }

    @Test func placesNamesBesideFieldsWhereTheyFit() {
        let fields = [TextField(), TextField()]
        let form = FormView([
            .init("Name", fields[0]), .init("Long name", fields[1], height: 2), .init(view: Button("Send")),
        ])
        let screen = show(form, 27, 9)
        #expect(
            fields.map(\.frame) == [Rect(x: 11, y: 0, width: 16, height: 1), Rect(x: 11, y: 1, width: 16, height: 2)])
        #expect(screen.lines[3] == "           [ Send ]" && form.contentSize == Size(width: 27, height: 4))
        screen.resize(26, 9)
        #expect(
            fields.map(\.frame) == [Rect(x: 0, y: 1, width: 26, height: 1), Rect(x: 0, y: 4, width: 26, height: 2)])
        #expect(screen.lines.prefix(4) == ["Name", "", "", "Long name"] && screen.lines[7] == "[ Send ]")
        #expect(form.sizeThatFits(Size(width: 26, height: 40)).height == form.contentSize.height)
        var checked: [Int] = []
        for (index, field) in fields.enumerated() {
            field.validate = { text in
                checked.append(index)
                return text.isEmpty ? "Needed." : nil
            }
        }
        screen.application.window.focus(form)
        #expect(!form.check() && checked == [0, 1] && fields[0].isFocused)
        fields[0].text = "x"
        #expect(!form.check() && fields[1].isFocused)
        fields[1].text = "y"
        #expect(form.check() && fields[1].isFocused)
    }

    // MARK: Pictures

    private let picture = PixelBuffer(width: 40, height: 40, rgba: (0..<1600).flatMap { [UInt8($0 % 251), 7, 9, 255] })

    private func image(_ columns: Int = 20, _ rows: Int = 10) -> (view: ImageView, screen: TestScreen) {
        let view = ImageView()
        view.image = picture
        let screen = TestScreen(
            root: HostController(view), size: Size(width: columns, height: rows),
            capabilities: TerminalCapabilities(colors: .direct))
        return (view, screen)
    }

    @Test func movesAPictureByKeysAndWheel() {
        let (view, screen) = image()
        screen.press("left", "right", "up", "down", "h", "l", "j", "k", "-", "0")
        #expect(view.viewport == Viewport())
        screen.press("+", "+")
        #expect(view.viewport.zoom == 1.5625)
        let start = view.viewport
        for (keys, x, y) in [
            (["left"], -1.0, 0.0), (["right", "right"], 1, 0), (["h"], -1, 0), (["l"], 1, 0), (["up"], 0, -1),
            (["k"], 0, -1), (["down", "j"], 0, 1),
        ] {
            view.viewport = start
            screen.press(keys[0])
            if keys.count > 1 { screen.press(keys[1]) }
            let (dx, dy) = (view.viewport.centerX - start.centerX, view.viewport.centerY - start.centerY)
            #expect((dx < 0, dx > 0) == (x < 0, x > 0) && (dy < 0, dy > 0) == (y < 0, y > 0), "\(keys)")
        }
        // Four of twenty columns at a zoom of 1.5625.
        view.viewport = start
        view.pan(columns: 4, rows: 0)
        #expect(abs(view.viewport.centerX - start.centerX - 4.0 / 20 / 1.5625) < 0.0001)
        view.pan(columns: 99, rows: 99)
        #expect(abs(view.viewport.centerX - (1 - 0.5 / 1.5625)) < 0.0001)
        screen.mouse(.horizontalWheel(-1), 3, 3)
        #expect(view.viewport.centerX < 1 - 0.5 / 1.5625)
        screen.mouse(.wheel(1), 3, 3)
        #expect(view.viewport.zoom == 1.25)
        screen.press("=", "0")
        #expect(view.viewport == Viewport())
        view.isInteractive = false
        #expect(view.commands.isEmpty && !view.canBecomeFocused && !view.handle(MouseEvent(.wheel(1), at: .zero)))
        view.isInteractive = true
        view.image = nil
        #expect(view.commands.isEmpty && !view.canBecomeFocused && !view.handle(MouseEvent(.wheel(1), at: .zero)))
    }

    @Test func limitsItsSize() {
        let (view, screen) = image(40, 10)
        func extent() -> (x: Int, y: Int, width: Int, height: Int) {
            let rows = screen.lines.enumerated().filter { $0.element.contains("▀") }
            let line = rows.first?.element ?? ""
            return (
                line.prefix { $0 == " " }.count, rows.first?.offset ?? -1, line.filter { $0 == "▀" }.count, rows.count
            )
        }
        #expect(extent() == (10, 0, 20, 10))
        view.maximum = Size(width: 12, height: 99)
        screen.application.render()
        #expect(extent() == (14, 2, 12, 6))
        view.maximum = Size(width: 99, height: 4)
        screen.application.render()
        #expect(extent() == (16, 3, 8, 4))
        view.isLeftAligned = true
        screen.application.render()
        #expect(extent() == (0, 0, 8, 4))
        screen.application.window.isLinear = true
        screen.application.render()
        #expect(!screen.text.contains("▀"))
    }

    @Test func drawsByTerminalCapability() {
        for (detail, ways, expected) in [
            (.automatic, [.kitty, .sixel], .kitty), (.automatic, [.sixel], .sixel), (.automatic, [], nil),
            (.kitty, [.kitty, .sixel], .kitty), (.kitty, [.sixel], nil), (.sixel, [.kitty], nil),
            (.sixel, [.kitty, .sixel], .sixel), (.halves, [.kitty], nil), (.quadrants, [.kitty, .sixel], nil),
            (.sextants, [.sixel], nil),
        ] as [(ImageDetail, Set<GraphicsProtocol>, GraphicsProtocol?)] {
            #expect(
                detail.graphics(in: GraphicsSupport(protocols: ways, explanation: "")) == expected, "\(detail) \(ways)")
        }
        #expect(ImageDetail.allCases.map(\.rawValue) == ["auto", "halves", "quadrants", "sextants", "kitty", "sixel"])
        #expect(ImageDetail.allCases.map(\.usesGraphics) == [true, false, false, false, true, true])
        #expect(ImageDetail.sextants.down == 3 && ImageDetail.quadrants.down == 2)
        for (bits, scalar) in [(0, " "), (1, "🬀"), (21, "▌"), (22, "🬔"), (42, "▐"), (43, "🬨"), (63, "█")]
            as [(Int, Unicode.Scalar)]
        {
            #expect(ImageDetail.sextants.scalar(bits) == scalar, "\(bits)")
        }
    }

    @Test func cachesFourDrawings() {
        let cache = ImageRefinementCache()
        let pictures = (0..<6).map { PixelBuffer(width: 1, height: 1, rgba: [UInt8($0), 0, 0, 255]) }
        func key(_ index: Int, _ detail: ImageDetail = .quadrants) -> ImageRefinementCache.Key {
            let scaling = PixelScaling(
                source: Size(width: 1, height: 1), cells: Size(width: 1, height: 1), viewport: Viewport())
            return ImageRefinementCache.Key(
                image: pictures[index], scaling: scaling!, detail: detail, capabilities: TerminalCapabilities())
        }
        for index in 0..<5 { cache.keep(.cells([]), for: key(index)) }
        #expect((0..<6).map { cache.drawing(key($0), on: nil) != nil } == [false, true, true, true, true, false])
        #expect(cache.drawing(key(2, .sextants), on: nil) == nil)
        // Storing the same again replaces no other entry.
        cache.keep(.cells([]), for: key(4))
        #expect(cache.drawing(key(1), on: nil) != nil)
        let terminal = MemoryTerminal(size: Size(width: 9, height: 9))
        cache.keep(.picture(TerminalPicture(number: 20, group: 1, size: Size(width: 1, height: 1))), for: key(4))
        #expect(cache.drawing(key(4), on: terminal) == nil && cache.drawing(key(4), on: nil) == nil)
        cache.forget()
        #expect(cache.drawing(key(2), on: nil) == nil)
    }

    @Test func hasSymbolsForEachTerminal() {
        let ascii = Symbols.ascii
        let glyphs = [
            ascii.horizontal, ascii.vertical, ascii.teeDown, ascii.arrowUp, ascii.arrowDown, ascii.arrowLeft,
            ascii.arrowRight,
            ascii.selection, ascii.dot, ascii.pending, ascii.check, ascii.shown, ascii.more, ascii.before,
            ascii.progressDone, ascii.progressOpen, ascii.scrollThumb, ascii.bar,
        ]
        for glyph in glyphs + ascii.corners + ascii.activity { #expect(glyph.scalar?.isASCII == true) }
        for text in [ascii.toLeft, ascii.toRight, ascii.back, ascii.segmentLeft, ascii.segmentRight] {
            #expect(text.string.utf8.count == text.string.count)
        }
        #expect(Symbols.linear.isLinear && !Symbols.unicode.isLinear)
        let label = Label("x")
        let screen = show(label)
        #expect(label.symbols.dot == Symbols.unicode.dot)
        screen.application.window.capabilities.hasUnicode = false
        #expect(label.symbols.dot == ascii.dot)
        screen.application.window.isLinear = true
        #expect(label.symbols.back == "back: ")
    }

    /// Each text role has a style that overrides another one.
    @Test func stylesTextByRole() {
        let theme = Theme(
            name: "test",
            [
                .text: .standard, .quote: Style(foreground: .red),
                .secondary: Style(foreground: .green, attributes: .dim),
                .heading: Style(foreground: .blue, attributes: .bold),
                .code: Style(foreground: .cyan, background: .black),
                .link: Style(foreground: .magenta, attributes: .underline), .failure: Style(foreground: .yellow),
                .match: Style(foreground: .white, attributes: .reverse),
            ])
        let base = Style(foreground: .grey, background: .blue)
        for (role, expected) in [
            (TextRole(), base), (.quote, Style(foreground: .red, background: .blue)),
            (.secondary, Style(foreground: .green, background: .blue, attributes: .dim)),
            (.heading, Style(foreground: .blue, background: .blue, attributes: .bold)),
            (.code, Style(foreground: .cyan, background: .black)),
            (.link, Style(foreground: .magenta, background: .blue, attributes: .underline)),
            (.failure, Style(foreground: .yellow, background: .blue)),
            (.match, Style(foreground: .white, background: .blue, attributes: .reverse)),
            (.strong, base.adding(.bold)), (.emphasis, base.adding(.italic)),
            (TextRole([.quote, .link]), Style(foreground: .magenta, background: .blue, attributes: .underline)),
            (
                TextRole([.code, .match, .strong]),
                Style(foreground: .white, background: .black, attributes: [.reverse, .bold])
            ),
        ] as [(TextRole, Style)] { #expect(theme.style(for: role, base: base) == expected, "\(role.rawValue)") }
        #expect(Set(Theme.all.map(\.name)).count == Theme.all.count && theme[.warm] == .standard)
    }
}
