import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct PopoverTests {
    @Test func POP_01_placesTheBoxBesideItsAnchor() {
        let sizes = [
            Size(width: 120, height: 39), Size(width: 80, height: 23), Size(width: 39, height: 11),
            Size(width: 20, height: 6),
        ]
        for pane in sizes {
            for x in [0, pane.width / 2, pane.width - 4] {
                for y in [0, pane.height / 2, pane.height - 1] {
                    let anchor = Rect(x: x, y: y, width: 4, height: 1)
                    for set in 1..<16 { check(anchor, pane, PopoverArrowDirection(rawValue: set)) }
                }
            }
        }
    }

    private func check(_ anchor: Rect, _ pane: Size, _ permitted: PopoverArrowDirection) {
        let content = Size(width: 16, height: 4)
        guard let placed = PopoverPlacement.place(content: content, anchor: anchor, pane: pane, permitted: permitted)
        else { return }
        let window = Rect(origin: .zero, size: pane)
        #expect(placed.box.intersection(window) == placed.box)
        #expect(placed.box.intersection(anchor).isEmpty)
        #expect(permitted.contains(placed.direction))
        guard let arrow = placed.arrow else {
            Issue.record("no arrow")
            return
        }
        #expect(window.contains(arrow))
        let middle = Point(x: anchor.minX + (anchor.width - 1) / 2, y: anchor.minY)
        if placed.direction == .up || placed.direction == .down {
            #expect(arrow.x == max(placed.box.minX + 1, min(middle.x, placed.box.maxX - 2)))
        }
    }

    @Test func POP_01_coversItsAnchorWithoutRoom() {
        let pane = Size(width: 20, height: 6)
        let anchor = Rect(x: 8, y: 2, width: 4, height: 2)
        let content = Size(width: 16, height: 3)
        func place(_ canOverlap: Bool) -> PopoverPlacement? {
            PopoverPlacement.place(
                content: content, anchor: anchor, pane: pane, permitted: .any, canOverlap: canOverlap)
        }
        #expect(place(false) == nil)
        #expect(place(true)?.box == Rect(x: 1, y: 1, width: 18, height: 5))
        #expect(place(true)?.arrow == nil)
    }

    @Test func POP_01_keepsItsSideWhileItFits() {
        let pane = Size(width: 60, height: 20)
        let anchor = Rect(x: 30, y: 10, width: 4, height: 1)
        let content = Size(width: 10, height: 3)
        let first = PopoverPlacement.place(content: content, anchor: anchor, pane: pane, permitted: .any)
        #expect(first?.direction == .up)
        let kept = PopoverPlacement.place(content: content, anchor: anchor, pane: pane, permitted: .any, current: .down)
        #expect(kept?.direction == .down)
    }

    private final class Host: ViewController {
        var presses = 0
        lazy var item = BarButtonItem("Dates", key: "p") { [weak self] in self?.showDates() }
        override func viewDidLoad() { toolbarItems = [.flexibleSpace(), item] }
        func showDates() {
            let content = LoggedController("Dates", log: LifeCycleLog())
            content.preferredContentSize = Size(width: 20, height: 3)
            content.modalPresentationStyle = .popover
            content.popoverPresentationController.barButtonItem = item
            present(content)
        }
        override var commands: [Command] {
            [
                Command("host.dates", "Dates", keys: ["p"]) { [weak self] in self?.showDates() },
                Command("host.count", "Count", keys: ["x"]) { [weak self] in self?.presses += 1 },
            ]
        }
    }

    private func shown() -> (Host, TestScreen) {
        let host = Host()
        return (host, TestScreen(inStack: host, width: 60, height: 20))
    }

    @Test func POP_02_aClickOutsideOnlyDismisses() {
        let (host, screen) = shown()
        screen.press("x", "p", "x")
        #expect(host.presses == 1)
        #expect(screen.text.contains("view of Dates"))
        #expect(screen.text.contains("▽"))
        screen.click(2, 5)
        #expect(!screen.text.contains("view of Dates"))
        screen.press("p", "esc", "x")
        #expect(host.presses == 2)
    }

    /// Counts the clicks that reach it.
    private final class Clicked: ViewController {
        final class Target: View {
            var clicks = 0
            override func handle(_ event: MouseEvent) -> Bool {
                if case .press = event.action { clicks += 1 }
                return true
            }
        }
        let target = Target()
        override func makeView() -> View { target }
        func showBox(letsThrough: Bool) {
            let content = LoggedController("Box", log: LifeCycleLog())
            content.preferredContentSize = Size(width: 12, height: 2)
            content.modalPresentationStyle = .popover
            let popover = content.popoverPresentationController
            popover.sourceView = target
            popover.sourceRect = Rect(x: 50, y: 15, width: 2, height: 1)
            if letsThrough { popover.passthroughViews = [target] }
            present(content)
        }
    }

    @Test(arguments: [false, true])
    func POP_02_passesClicksThroughWhereAllowed(letsThrough: Bool) {
        let host = Clicked()
        let screen = TestScreen(root: host, size: Size(width: 60, height: 20))
        host.showBox(letsThrough: letsThrough)
        screen.application.render()
        #expect(screen.text.contains("view of Box"))
        screen.click(2, 2)
        #expect(host.target.clicks == (letsThrough ? 1 : 0))
        #expect(screen.text.contains("view of Box") == letsThrough)
        screen.click(2, 2)
        #expect(host.target.clicks == (letsThrough ? 2 : 1))
    }

    @Test func POP_03_adaptsBothWays() {
        let (_, screen) = shown()
        screen.press("p")
        let before = screen.text
        screen.resize(60, 9)
        #expect(screen.text.contains("view of Dates"))
        screen.resize(60, 20)
        #expect(screen.text == before)
    }

    /// A popover whose anchor a resize hides becomes a sheet, and a popover again once the anchor is back; one whose
    /// anchor disappears without a resize closes (row POP-01).
    @Test func POP_03_survivesResizes() {
        let (host, screen) = shown()
        screen.press("p")
        let before = screen.text
        for (width, height) in [(60, 4), (3, 20), (20, 6), (10, 2), (1, 1), (0, 0), (90, 30)] {
            screen.resize(width, height)
            screen.application.render()
            #expect(host.presentedViewController != nil, "\(width)x\(height)")
            screen.resize(60, 20)
            #expect(screen.text == before, "\(width)x\(height)")
        }
        host.toolbarItems = []
        screen.application.render()
        #expect(host.presentedViewController == nil)
    }

    /// The first side is kept while it fits, whatever sides were used in between (row SPL-12).
    @Test func POP_01_choosesTheSideBySize() {
        let host = Clicked()
        let screen = TestScreen(root: host, size: Size(width: 60, height: 30))
        host.showBox(letsThrough: false)
        screen.application.render()
        let before = screen.text
        #expect(before.contains("△"))
        screen.resize(60, 17)
        #expect(screen.text.contains("▽"))
        screen.application.render()
        screen.resize(60, 30)
        #expect(screen.text == before)
    }

    private final class Adapting: PopoverPresentationControllerDelegate {
        var mayClose = false
        var closed = 0
        func adaptivePresentationStyle(
            for popover: PopoverPresentationController, traits: Traits
        ) -> ModalPresentationStyle? { traits.horizontal <= .compact ? .fullScreen : nil }
        func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool { mayClose }
        func popoverDidDismiss(_ popover: PopoverPresentationController) { closed += 1 }
    }

    @Test func POP_03_theDelegateDecidesAtCompactWidth() {
        let (host, screen) = shown()
        let delegate = Adapting()
        screen.press("p")
        host.presentedViewController?.popoverPresentationController.delegate = delegate
        #expect(screen.text.contains("▽"))
        screen.resize(40, 20)
        #expect(!screen.text.contains("▽"))
        #expect(screen.lines[1] == "view of Dates")
        screen.resize(60, 20)
        #expect(screen.text.contains("▽"))
        #expect(screen.press("esc", shows: "view of Dates"))
        delegate.mayClose = true
        screen.press("esc")
        #expect(!screen.text.contains("view of Dates"))
        #expect(delegate.closed == 1)
        screen.press("p")
        host.dismiss()
        #expect(delegate.closed == 1)
    }

    @Test func NAV_01_movesExcessItemsIntoAMenu() {
        let host = Host()
        var done = ""
        let screen = TestScreen(inStack: host, width: 24, height: 20)
        host.toolbarItems = ["first", "second", "third", "fourth"].map { name in
            BarButtonItem(DisplayText(name)) { done = name }
        }
        screen.application.render()
        #expect(!screen.text.contains("fourth"))
        screen.click(on: "⋯")
        #expect(screen.text.contains("fourth"))
        screen.press("down", "enter")
        #expect(["third", "fourth"].contains(done))
    }

    @Test func POP_05_showsOneAtATime() {
        let (host, screen) = shown()
        host.showDates()
        host.showDates()
        screen.press("esc")
        #expect(!screen.text.contains("view of Dates"))
    }

    @Test func POP_01_requiresAnAnchor() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let host = ViewController()
                let window = Window(rootViewController: host, size: Size(width: 40, height: 10))
                let content = ViewController()
                content.modalPresentationStyle = .popover
                host.present(content)
                _ = window.render()
            }
        }
    }
}
