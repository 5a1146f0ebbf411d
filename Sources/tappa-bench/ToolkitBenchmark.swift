import TerminalUI
import TerminalUIExtras

/// Measures the toolkit in memory: layout, drawing, resizing and long lists.
@MainActor
enum ToolkitBenchmark {
    final class Rows: ViewController, TableViewDataSource {
        let count: Int
        let table = TableView()

        init(_ count: Int) {
            self.count = count
            super.init()
            title = "Rows"
        }

        override func makeView() -> View { table }

        override func viewDidLoad() {
            table.hasMarks = true
            table.dataSource = self
            table.select(RowPath(row: 0))
        }

        func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { count }

        func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
            let cell = table.dequeueCell()
            cell.title = DisplayText("Row \(path.row) of a list about climbs, sprints and descents")
            cell.value = "12 Nov"
            return cell
        }
    }

    private static func makeApplication(width: Int, height: Int, rows: Int) -> (Application, MemoryTerminal) {
        let split = SplitViewController(primary: Rows(rows), placeholder: Rows(200))
        let navigation = NavigationController(rootViewController: split)
        navigation.hasRule = true
        let terminal = MemoryTerminal(size: Size(width: width, height: height))
        let application = Application(terminal: terminal, root: navigation)
        application.render()
        return (application, terminal)
    }

    /// Moves the selection a number of times and nothing else, for ``InstructionCount``.
    static func pressKeys(width: Int, height: Int, rows: Int, count: Int) {
        let (application, _) = makeApplication(width: width, height: height, rows: rows)
        for index in 0..<count { application.send(.key(KeyPress(index % 20 < 10 ? .down : .up))) }
    }

    static func run() {
        for (width, height) in [(80, 24), (200, 60)] {
            for rows in [1000, 1_000_000] {
                let (application, terminal) = makeApplication(width: width, height: height, rows: rows)
                let keys = measure(2000) { application.send(.key(KeyPress(.down))) }
                let pages = measure(500) { application.send(.key(KeyPress(.pageDown))) }
                let ends = measure(200) { index in
                    application.send(.key(KeyPress(index % 2 == 0 ? .end : .home)))
                }
                let whole = measure(500) {
                    application.window.setNeedsLayout()
                    application.render()
                }
                let resizes = measure(500) { index in
                    terminal.size = Size(width: width - index % 2, height: height)
                    application.send(.resize(terminal.size))
                }
                let instructions = InstructionCount.millions(
                    ["--toolkit-keys", String(width), String(height), String(rows)])
                print(
                    "toolkit \(width)x\(height), \(rows) rows: key \(keys), page \(pages), first/last \(ends), "
                        + "whole layout and draw \(whole), resize to redraw \(resizes) (median / p99 in ms, in memory); "
                        + (instructions.map { "\(format($0)) million instructions a key" } ?? "no valgrind"))
            }
        }
    }

    final class Page: ViewController {
        let content: View
        init(_ content: View) {
            self.content = content
            super.init()
        }
        override func makeView() -> View { content }
    }

    /// Measures a text area with a million characters and a text view with half a million paragraphs, at 80 × 24.
    static func runText() {
        let terminal = MemoryTerminal(size: Size(width: 80, height: 24))
        for (name, text) in [
            ("one line", String(repeating: "0123456789", count: 100_000)),
            ("20,000 lines", String(repeating: String(repeating: "0123456789", count: 5) + "\n", count: 20_000)),
        ] {
            let area = TextArea()
            area.text = text
            let application = Application(terminal: terminal, root: Page(area))
            application.render()
            let end = measure(200) { _ in application.send(.key(KeyPress(.character("x")))) }
            application.send(.key(KeyPress(.home, .control)))
            let start = measure(200) { _ in application.send(.key(KeyPress(.character("x")))) }
            print("text area of a million characters in \(name): key at the end \(end), at the beginning \(start)")
        }
        let view = TextView()
        let paragraph = TextParagraph(
            "A paragraph of some words that is wrapped where the pane is narrow, as articles are.")
        view.setParagraphs(Array(repeating: paragraph, count: 500_000))
        let application = Application(terminal: terminal, root: Page(view))
        application.render()
        let down = measure(500) { _ in application.send(.key(KeyPress(.pageDown))) }
        let resizes = measure(200) { index in
            terminal.size = Size(width: 80 - index % 30, height: 24)
            application.send(.resize(terminal.size))
        }
        let ends = measure(200) { index in application.send(.key(KeyPress(index % 2 == 0 ? .end : .home))) }
        print(
            "text view of 500,000 paragraphs: page \(down), resize to redraw \(resizes), end and beginning \(ends) (median / p99 in ms)"
        )
    }

    /// Measures one step of a picture of 1200 × 900 pixels, the maximum size after decoding, at 120 × 40.
    static func runImage() {
        let (width, height) = (1200, 900)
        var rgba = [UInt8](repeating: 255, count: width * height * 4)
        for index in stride(from: 0, to: rgba.count, by: 4) {
            rgba[index] = UInt8(truncatingIfNeeded: index / 7)
            rgba[index + 1] = UInt8(truncatingIfNeeded: index / 4801)
            rgba[index + 2] = UInt8(truncatingIfNeeded: index / 131)
        }
        let page = ImagePage()
        page.image.image = PixelBuffer(width: width, height: height, rgba: rgba)
        let application = Application(terminal: MemoryTerminal(size: Size(width: 120, height: 40)), root: page)
        application.render()
        let zooms = measure(100) { index in
            page.image.zoom(by: index % 10 < 5 ? 1.2 : 1 / 1.2); application.render()
        }
        page.image.zoom(by: 3)
        let pans = measure(200) { index in
            page.image.pan(columns: index % 20 < 10 ? 1 : -1, rows: 0); application.render()
        }
        print("picture of 1200 x 900 at 120x40: zoom \(zooms), pan \(pans) (median / p99 in ms)")
    }

    private static func measure(_ count: Int, _ work: () -> Void) -> String { measure(count) { _ in work() } }

    /// Returns the median and 99th percentile in milliseconds of repeated work.
    static func measure(_ count: Int, _ work: (Int) -> Void) -> String {
        let times = (0..<count).map { index in ContinuousClock().measure { work(index) } / .milliseconds(1) }.sorted()
        return "\(format(times[count / 2])) / \(format(times[count * 99 / 100]))"
    }
}
