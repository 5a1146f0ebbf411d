import TerminalUI

/// Three scenes in a real terminal: `tappa-bench --scene NAME`. `Tests/Bench` has the same for other toolkits.
@MainActor
enum Scenes {
    private final class Table: ViewController {
        private let table = DataTableView(columns: (0..<8).map { DataColumn(DisplayText("Column \($0)"), width: 13) })

        override func makeView() -> View { table }

        override func viewDidLoad() {
            table.value = { row, column in DisplayText("r\(row)-c\(column)") }
            table.reload(rows: 1000)
        }
    }

    /// A view with a letter in each cell. `x` changes all of them.
    private final class Letters: View {
        private var isUppercase = false { didSet { setNeedsDisplay() } }

        override var canBecomeFocused: Bool { true }

        override func draw(in surface: Surface) {
            let first = isUppercase ? 65 : 97
            for y in 0..<bounds.height {
                let bytes = (0..<bounds.width).map { UInt8(truncatingIfNeeded: first + ($0 + y) % 26) }
                let text = DisplayText(String(decoding: bytes, as: UTF8.self))
                surface.draw(text, at: Point(x: 0, y: y), style: theme[.text])
            }
        }

        override var commands: [Command] {
            [Command("scene.switch", "Switch screens", keys: ["x"]) { [weak self] in self?.isUppercase.toggle() }]
        }
    }

    private static func makeController(_ name: String) -> ViewController? {
        switch name {
        case "list": ToolkitBenchmark.Rows(100_000)
        case "table": Table()
        case "screens": ToolkitBenchmark.Page(Letters())
        default: nil
        }
    }

    /// Shows a scene until `q` is pressed, and returns the exit code.
    static func run(_ name: String) async -> Int32 {
        guard let controller = makeController(name) else { return 64 }
        return await Application(terminal: NcursesTerminal(), root: controller).run()
    }
}
