import Foundation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// The screens of a split view in each layout, by keys, clicks, drags and sizes, compared line by line (rows SPL-01 to
/// SPL-16).
@MainActor
@Suite struct SplitStories {
    private final class Rows: ViewController, TableViewDataSource, TableViewDelegate {
        let table = TableView()
        let name: String
        let count: Int
        var open: (ViewController, Int) -> Void = { _, _ in }

        init(_ name: String, count: Int) {
            self.name = name
            self.count = count
            super.init()
            title = DisplayText(name)
            toolbarItems = [BarButtonItem(ToolkitCommands.listOpen, title: "open"), .flexibleSpace(), .label("end")]
        }

        override func makeView() -> View { table }

        override func viewDidLoad() {
            table.dataSource = self
            table.delegate = self
            table.allowsPeeking = true
            table.select(RowPath(row: 0))
        }

        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { count }

        func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
            let cell = table.dequeueCell()
            cell.title = DisplayText("\(name) \(path.row)")
            return cell
        }

        func tableView(_ table: TableView, didActivateRowAt path: RowPath) { open(self, path.row) }

        func tableView(_ table: TableView, previewForRowAt path: RowPath) -> ViewController? {
            Text("Look \(path.row)")
        }
    }

    private final class Text: ViewController {
        let text = TextView()

        init(_ name: String) {
            super.init()
            title = DisplayText(name)
            text.setParagraphs([
                TextParagraph(DisplayText(name), .heading), .blank,
                TextParagraph(DisplayText((0..<40).map { "word\($0)" }.joined(separator: " "))),
                TextParagraph([StyledSpan("strong", .strong), StyledSpan(" stressed", .emphasis)]),
            ])
        }

        override func makeView() -> View { text }
    }

    private let first = Rows("First", count: 9)
    private let second = Rows("Second", count: 30)

    private func screen(_ style: SplitViewController.ColumnStyle, _ change: (SplitViewController) -> Void)
        -> (TestScreen, SplitViewController)
    {
        let split = SplitViewController(style: style, primary: first, placeholder: Text("Nothing"))
        change(split)
        first.open = { [second] owner, row in
            if style == .triple { owner.show(second) } else { owner.showDetail(Text("Detail \(row)")) }
        }
        second.open = { owner, row in owner.showDetail(Text("Entry \(row)")) }
        let navigation = NavigationController(rootViewController: split)
        navigation.hasRule = true
        return (TestScreen(root: navigation, size: Size(width: 120, height: 9)), split)
    }

    private static let forms: [(name: String, change: @MainActor (SplitViewController) -> Void)] = [
        ("leading", { _ in }), ("trailing", { $0.primaryEdge = .trailing }),
        ("popover", { $0.showsNarrowListAsPopover = true }),
        (
            "popover-trailing",
            {
                $0.showsNarrowListAsPopover = true
                $0.primaryEdge = .trailing
            }
        ),
        ("displaced", { $0.preferredSplitBehavior = .displace }),
        (
            "displaced-trailing",
            {
                $0.preferredSplitBehavior = .displace
                $0.primaryEdge = .trailing
            }
        ),
        ("above", { $0.stacksListInTallPanes = true }),
    ]

    @Test(arguments: (0..<7).map { ($0, SplitViewController.ColumnStyle.double) } + [(0, .triple), (1, .triple)])
    func worksInEveryLayout(form: Int, style: SplitViewController.ColumnStyle) {
        let (screen, split) = screen(style, SplitStories.forms[form].change)
        let story = ScreenStory(of: screen)
        let last = form == 6 ? (60, 32) : style == .triple ? (160, 9) : (44, 8)
        for (width, height) in [(100, 9), (60, 9), last] {
            screen.resize(width, height)
            story.note("\(width) x \(height)")
            story.press("j", "enter", "enter", "l", "h", "\\", "k", "\\", "<", ">", ">", "esc")
            for (x, y) in [(2, 4), (width - 3, 4), (width / 2, 3), (0, 6), (width - 1, 6)] {
                screen.click(x, y)
                story.note("click \(x), \(y)")
            }
            screen.drag(from: Point(x: 0, y: 5), to: Point(x: 9, y: 5))
            story.note("drag from the left")
            screen.drag(from: Point(x: width - 1, y: 5), to: Point(x: width - 9, y: 5))
            story.note("drag from the right")
            for direction in [-1, 1] {
                screen.application.send(.mouse(MouseEvent(.horizontalWheel(direction), at: Point(x: 9, y: 6))))
                story.note("wheel \(direction)")
            }
            story.press("esc", "h", "h")
        }
        split.clearDetail()
        story.note("nothing chosen")
        #expect(story.difference(from: "split-\(SplitStories.forms[form].name)-\(style)") == nil)
    }

    /// A sliding list is visible on its way, at either edge.
    @Test(arguments: [SplitViewController.PrimaryEdge.leading, .trailing], [false, true]) func worksWhileSliding(
        edge: SplitViewController.PrimaryEdge, displaces: Bool
    ) {
        let (screen, split) = screen(.double) {
            $0.primaryEdge = edge
            if displaces { $0.preferredSplitBehavior = .displace }
        }
        screen.press("enter")
        screen.resize(70, 10)
        let window = screen.application.window
        var now = ContinuousClock.now
        window.now = { now }
        window.motion = .full
        let story = ScreenStory(of: screen)
        for step in ["\\", "\\"] {
            window.send(KeySequence(stringLiteral: step).presses[0])
            for _ in 0..<5 {
                now += Animator.duration / 4
                window.advanceAnimations(to: now)
                story.note(step, settled: false)
            }
        }
        _ = split
        #expect(story.difference(from: "split-slide-\(edge)\(displaces ? "-displacing" : "")") == nil)
    }

    /// Previewing rows of a list: to the next and the previous one, and from there into the row.
    @Test func aPreviewFollowsTheRows() {
        let (screen, _) = screen(.double) { _ in }
        screen.resize(44, 20)
        screen.press("j", "j", "space")
        #expect(screen.text.contains("Look 2"))
        screen.press("K")
        #expect(screen.text.contains("Look 1"))
        screen.press("J", "J")
        #expect(screen.text.contains("Look 3"))
        screen.press("enter")
        #expect(screen.text.contains("Detail 3"))
        // No wider than readable.
        let alone = TestScreen(
            root: NavigationController(rootViewController: Rows("Rows", count: 5)), size: Size(width: 120, height: 30))
        alone.press("space")
        #expect(alone.lines.first { $0.contains("╰") }?.filter { $0 == "─" }.count == 72)
    }

    /// With a list over the detail, every way out dismisses it at each of its levels, and none ends the program.
    @Test(arguments: ["esc", "q", "h", "backspace", "click"]) func dismissesASlidOutList(way: String) {
        for isDeeper in [false, true] {
            let (screen, split) = screen(.triple) { _ in }
            screen.press("enter", "enter")
            #expect(screen.text.contains("Entry 0"))
            screen.resize(70, 14)
            split.showList(true)
            screen.application.render()
            #expect(split.displayMode == .primaryOverlay && screen.text.contains("Second 0"))
            if !isDeeper { screen.press("left") }
            var unused = 0
            screen.application.window.unusedKey = { _, _ in unused += 1 }
            if way == "click" { screen.click(68, 6) } else { screen.press(way) }
            #expect(split.displayMode == .primaryHidden, "\(way), \(isDeeper)")
            #expect(unused == 0)
        }
    }

    /// Changes apply at once while it is visible.
    @Test func aTallPaneStacksTheListAtOnce() {
        let (screen, split) = screen(.double) { _ in }
        screen.press("enter")
        screen.resize(60, 34)
        #expect(!screen.text.contains("First 1"))
        split.stacksListInTallPanes = true
        screen.application.render()
        #expect(screen.text.contains("First 1") && screen.text.contains("word9"))
    }
}
