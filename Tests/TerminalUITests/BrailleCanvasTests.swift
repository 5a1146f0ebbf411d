import TerminalUI
import Testing

/// Dots and lines of dots.
@MainActor
@Suite struct BrailleCanvasTests {
    private func text(_ canvas: BrailleCanvas, isASCII: Bool = false) -> [String] {
        let grid = CellGrid(size: canvas.size)
        canvas.draw(in: Surface(grid), isASCII: isASCII)
        return (0..<canvas.size.height).map { grid.text(row: $0) }
    }

    /// Unicode's order: three on the left, three on the right, then the lowest two.
    @Test func mapsEachDot() {
        for (x, y, character) in [
            (0, 0, "⠁"), (0, 1, "⠂"), (0, 2, "⠄"), (1, 0, "⠈"), (1, 1, "⠐"), (1, 2, "⠠"), (0, 3, "⡀"), (1, 3, "⢀"),
        ] {
            var canvas = BrailleCanvas(size: Size(width: 2, height: 2))
            canvas.set(x, y, style: .standard)
            #expect(text(canvas) == [character + " ", "  "])
            canvas.set(x + 2, y + 4, style: .standard)
            #expect(text(canvas) == [character + " ", " " + character])
            #expect(text(canvas, isASCII: true) == ["* ", " *"])
            canvas.set(-1, 0, style: .standard)
            canvas.set(4, 0, style: .standard)
            canvas.set(0, 8, style: .standard)
            #expect(text(canvas) == [character + " ", " " + character])
        }
    }

    /// A line runs from its first dot to its last with a dot in each column or row, whichever are more.
    @Test(arguments: [
        (0, 0, 7, 3), (7, 3, 0, 0), (0, 11, 7, 0), (3, 0, 3, 11), (0, 5, 7, 5), (2, 1, 4, 10), (7, 0, 6, 11),
        (1, 1, 1, 1),
    ])
    func drawsContinuousLines(x1: Int, y1: Int, x2: Int, y2: Int) {
        var line = BrailleCanvas(size: Size(width: 4, height: 3))
        line.line(
            from: (Double(x1) + 0.5, Double(y1) + 0.5), to: (Double(x2) + 0.5, Double(y2) + 0.5), style: .standard)
        // Dot by dot: each is the nearest one to the line.
        var dots = BrailleCanvas(size: Size(width: 4, height: 3))
        let steps = max(abs(x2 - x1), abs(y2 - y1))
        for step in 0...steps {
            let share = steps == 0 ? 0 : Double(step) / Double(steps)
            let (x, y) = (Double(x1) + Double(x2 - x1) * share + 0.5, Double(y1) + Double(y2 - y1) * share + 0.5)
            dots.set(Int(clamping: x.rounded(.down)), Int(clamping: y.rounded(.down)), style: .standard)
        }
        #expect(text(line) == text(dots))
    }

    /// Lines are clipped to the canvas, however far they extend.
    @Test func clipsDrawing() {
        func drawn(_ a: (Double, Double), _ b: (Double, Double)) -> [String] {
            var canvas = BrailleCanvas(size: Size(width: 3, height: 1))
            canvas.line(from: (x: a.0, y: a.1), to: (x: b.0, y: b.1), style: .standard)
            return text(canvas)
        }
        #expect(drawn((-1e9, 1.5), (1e9, 1.5)) == ["⠒⠒⠒"])
        #expect(drawn((2.5, -1e6), (2.5, 1e6)) == [" ⡇ "])
        for (a, b) in [
            ((-5.0, -5.0), (9.0, -5.0)), ((-5, 9), (9, 9)), ((-9, 0), (-5, 3)), ((8, 0), (9, 3)), ((.nan, 0), (1, 1)),
            ((0, 0), (.infinity, 1)),
        ] {
            #expect(drawn(a, b) == ["   "], "\(a) \(b)")
        }
    }
}
