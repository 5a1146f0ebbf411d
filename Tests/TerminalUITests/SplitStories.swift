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
            toolbarItems = [BarButtonItem(ListCommands.open, title: "open"), .flexibleSpace(), .label("end")]
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
                TextParagraph(DisplayText((0..<24).map { "word\($0)" }.joined(separator: " "))),
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

    /// Performs steps and notes what they change together, with each step that moves the focus or changes the mode.
    @MainActor
    private struct Walk {
        let screen: TestScreen
        let split: SplitViewController
        let story: ScreenStory
        private var state = ""

        init(_ screen: TestScreen, _ split: SplitViewController) {
            (self.screen, self.split) = (screen, split)
            story = ScreenStory(of: screen)
        }

        mutating func take(_ steps: [(label: String, action: () -> Void)]) {
            let labels = steps.map { step in
                step.action()
                screen.application.window.finishAnimations()
                screen.application.render()
                defer { state = now }
                return now == state ? step.label : "\(step.label) (\(now))"
            }
            story.note(labels.joined(separator: " "))
        }

        /// Where the list is, and what has the focus.
        private var now: String {
            let place =
                switch split.displayMode {
                case .primaryHidden: "alone"
                case .primaryOverlay: "over"
                default: "beside"
                }
            let row = (screen.application.window.focusedView as? TableView).map { " \($0.selectedRow)" } ?? ""
            return "\(place): \(screen.application.window.focusedController.title.string)\(row)"
        }

        func keys(_ keys: [String]) -> [(label: String, action: () -> Void)] {
            keys.map { [screen] key in (key, { screen.press(key) }) }
        }

        func mouse() -> [(label: String, action: () -> Void)] {
            let (width, low) = (screen.terminal.size.width, screen.terminal.size.height - 2)
            let clicks = [(2, 3), (width - 3, 3), (width / 2, 3), (0, low), (width - 1, low)].map { [screen] x, y in
                ("click \(x), \(y)", { screen.click(x, y) })
            }
            let drags = [(0, 9), (width - 1, width - 9)].map { [screen] start, end in
                ("drag \(start)–\(end)", { screen.drag(from: Point(x: start, y: low), to: Point(x: end, y: low)) })
            }
            let wheels = [-1, 1].map { [screen] direction in
                let event = MouseEvent(.horizontalWheel(direction), at: Point(x: 9, y: low))
                return ("wheel \(direction)", { screen.application.send(.mouse(event)) })
            }
            return clicks + drags + wheels
        }
    }

    @Test(arguments: (0..<7).map { ($0, SplitViewController.ColumnStyle.double) } + [(0, .triple), (1, .triple)])
    func worksInEveryLayout(form: Int, style: SplitViewController.ColumnStyle) {
        let (screen, split) = screen(style, SplitStories.forms[form].change)
        // The list above the detail needs a tall pane. Otherwise all layouts are wide, narrow, and three or one column.
        let isTall = form == 6
        let sizes = isTall ? [(60, 30), (60, 29)] : [(78, 8), (60, 6), style == .triple ? (148, 6) : (44, 5)]
        screen.resize(sizes[0].0, sizes[0].1)
        var walk = Walk(screen, split)
        let (first, second) = (["j", "enter", "enter", "l", "h", "\\"], ["k", "\\", "<", ">", ">", "esc"])
        for (index, (width, height)) in sizes.enumerated() {
            if index > 0 { walk.take([("\(width) x \(height)", { screen.resize(width, height) })]) }
            if !isTall, index < (style == .triple ? 1 : 2) {
                walk.take(walk.keys(first))
                walk.take(walk.keys(second) + walk.mouse() + walk.keys(["esc", "h", "h"]))
            } else {
                walk.take(walk.keys(first + second) + walk.mouse() + walk.keys(["esc", "h", "h"]))
            }
        }
        walk.take([("nothing chosen", { split.clearDetail() })])
        #expect(walk.story.difference(from: "split-\(SplitStories.forms[form].name)-\(style)") == nil)
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
        screen.resize(60, 4)
        let window = screen.application.window
        var now = ContinuousClock.now
        window.now = { now }
        window.motion = .full
        let story = ScreenStory(of: screen)
        for step in ["\\", "\\"] {
            window.send(KeySequence(stringLiteral: step).presses[0])
            for quarter in 1...5 {
                now += Animator.duration / 4
                window.advanceAnimations(to: now)
                if quarter != 2, quarter != 4 { story.note("\(step) \(quarter)/4", settled: false) }
            }
        }
        _ = split
        #expect(story.difference(from: "split-slide-\(edge)\(displaces ? "-displacing" : "")") == nil)
    }

    /// Previewing rows of a list: to the next and the previous one, and from there into the row.
    @Test func aPreviewFollowsTheRows() {
        let (screen, _) = screen(.double) { _ in }
        screen.resize(44, 20)
        #expect(screen.press("j", "j", "space", shows: "Look 2"))
        #expect(screen.press("K", shows: "Look 1"))
        #expect(screen.press("J", "J", shows: "Look 3"))
        #expect(screen.press("enter", shows: "Detail 3"))
        // No wider than readable.
        let alone = TestScreen(inStack: Rows("Rows", count: 5), width: 120, height: 30)
        alone.press("space")
        #expect(alone.lines.first { $0.contains("╰") }?.filter { $0 == "─" }.count == 72)
    }

    /// With a list over the detail, every way out dismisses it at each of its levels, and none ends the program.
    @Test(arguments: ["esc", "q", "h", "backspace", "click"]) func dismissesASlidOutList(way: String) {
        for isDeeper in [false, true] {
            let (screen, split) = screen(.triple) { _ in }
            #expect(screen.press("enter", "enter", shows: "Entry 0"))
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
