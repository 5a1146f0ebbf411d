import TerminalUITesting
import Testing

@testable import TerminalUI

/// Each frame of a move shows something wherever there is something before and after it.
@MainActor
@Suite struct ShowsNoBlankFrame {
    /// A controller whose view is full of a letter.
    private final class Full: ViewController {
        private final class Letters: View {
            var letter: DisplayText = ""
            override var canBecomeFocused: Bool { true }

            override func draw(in surface: Surface) {
                let row = DisplayText(String(repeating: letter.string, count: bounds.width))
                for y in 0..<bounds.height { surface.draw(row, at: Point(x: 0, y: y), style: theme[.text]) }
            }

            override func sizeThatFits(_ limit: Size) -> Size { Size(width: 20, height: 5) }
        }

        init(_ letter: DisplayText) {
            super.init()
            title = letter
            (view as? Letters)?.letter = letter
        }

        override func makeView() -> View { Letters() }
    }

    /// The parts of the screen without a letter or sign, in a grid of such parts.
    private func blanks(_ screen: TestScreen) -> Set<Point> {
        let (across, down) = (6, 4)
        var blank: Set<Point> = []
        let size = screen.terminal.size
        let cells = screen.lines.map(Array.init)
        for y in 0..<down {
            for x in 0..<across {
                let rows = cells.dropFirst(y * size.height / down).prefix(size.height / down)
                let isBlank = rows.allSatisfy { row in
                    row.dropFirst(x * size.width / across).prefix(size.width / across).allSatisfy { $0 == " " }
                }
                if isBlank { blank.insert(Point(x: x, y: y)) }
            }
        }
        return blank
    }

    /// Makes a move and draws each of its frames.
    ///
    /// - Returns: The number of frames.
    private func check(_ name: String, on screen: TestScreen, _ move: () -> Void) -> Int {
        let (window, before, size) = (screen.application.window, blanks(screen), screen.terminal.size)
        move()
        var frames: [Set<Point>] = []
        func draw() {
            screen.application.render()
            frames.append(blanks(screen))
        }
        let start = ContinuousClock.now
        draw()
        for frame in 1...9 where window.isAnimating {
            window.advanceAnimations(to: start + Animator.frame * frame)
            draw()
        }
        window.finishAnimations()
        draw()
        let after = frames.last ?? []
        for (number, frame) in frames.enumerated() {
            let lost = frame.subtracting(after).subtracting(size == screen.terminal.size ? before : [])
            #expect(lost.isEmpty, "\(name), frame \(number + 1) of \(frames.count): \(lost)\n\(screen.text)")
        }
        return frames.count
    }

    @Test(arguments: [(120, 39), (79, 23), (60, 19), (39, 11)])
    func inAnyMove(width: Int, height: Int) {
        let split = SplitViewController(primary: Full("l"), placeholder: Full("n"))
        let navigation = NavigationController()
        let segments = SegmentsController(
            navigationController: navigation, viewControllers: [split, Full("s"), Full("t")])
        let screen = TestScreen(root: navigation, size: Size(width: width, height: height))
        let window = screen.application.window
        window.motion = .full
        var frames = 0
        func move(_ name: String, _ body: () -> Void) { frames += check(name, on: screen, body) }
        let (sheet, popover) = (Full("h"), Full("p"))
        sheet.modalPresentationStyle = .sheet
        popover.modalPresentationStyle = .popover
        popover.popoverPresentationController.sourceView = split.view
        popover.popoverPresentationController.sourceRect = Rect(x: width / 2, y: 4, width: 1, height: 1)
        move("first detail") { split.show(Full("d"), in: .secondary, takesFocus: true) }
        move("next detail") { split.show(Full("e"), in: .secondary, takesFocus: true) }
        move("list") { split.focus(.primary) }
        move("push") { split.navigationController(for: .primary).push(Full("m")) }
        move("second push") { split.navigationController(for: .primary).push(Full("o")) }
        move("pop") { split.navigationController(for: .primary).pop() }
        move("hide the list") { split.showList(false) }
        move("show the list") { split.showList(true) }
        move("toggle the list") { split.toggleList() }
        move("sheet") { split.present(sheet) }
        move("close the sheet") { sheet.dismiss() }
        move("popover") { split.present(popover) }
        move("close the popover") { popover.dismiss() }
        move("segment") { segments.selectedIndex = 1 }
        move("push in a segment") { navigation.push(Full("u")) }
        move("pop in a segment") { navigation.pop() }
        move("back to the split view") { segments.selectedIndex = 0 }
        for (width, height) in [(60, 19), (39, 11), (200, 50), (79, 23), (120, 39)] {
            move("resize to \(width) x \(height)") {
                screen.terminal.size = Size(width: width, height: height)
                window.resize(to: screen.terminal.size)
            }
        }
        // Moves that slide have frames between the first and the last.
        #expect(width < 79 || frames > 44, "\(frames) frames")
    }
}
