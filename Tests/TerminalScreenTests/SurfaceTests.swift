import TerminalText
import Testing

@testable import TerminalScreen

@MainActor
@Suite struct SurfaceTests {
    @Test func drawsInsideItsClipOnly() {
        let grid = CellGrid(size: Size(width: 8, height: 3))
        let inner = Surface(grid).subsurface(Rect(x: 2, y: 1, width: 4, height: 1))
        inner.draw("abcdefgh", at: Point(x: -1, y: 0), style: .standard)
        inner.draw("zz", at: Point(x: 0, y: 1), style: .standard)
        #expect((0..<3).map { grid.text(row: $0) } == ["        ", "  bcde  ", "        "])
    }

    @Test func TER_04_neverShowsHalfAWideCharacter() {
        let grid = CellGrid(size: Size(width: 6, height: 1))
        let surface = Surface(grid)
        surface.draw("東京都", at: .zero, style: .standard)
        #expect(grid.text(row: 0) == "東京都")
        surface.draw("x", at: Point(x: 1, y: 0), style: .standard)
        #expect(grid.text(row: 0) == " x京都")
        surface.draw("y", at: Point(x: 2, y: 0), style: .standard)
        #expect(grid.text(row: 0) == " xy 都")
        surface.subsurface(Rect(x: 0, y: 0, width: 3, height: 1)).draw("東京", at: .zero, style: .standard)
        #expect(grid.text(row: 0) == "東  都")
    }

    @Test func aCellHasSixteenBytes() {
        #expect(MemoryLayout<Cell>.stride == 16)
        #expect(MemoryLayout<Cell>.size == 16)
    }

    @Test(arguments: [(255, 0, 0, 196), (0, 0, 0, 16), (255, 255, 255, 231), (128, 128, 128, 244)])
    func findsTheNearestColourOfThePalette(red: Int, green: Int, blue: Int, index: Int) {
        #expect(ColorPalette.nearestPalette(red, green, blue) == index)
    }
}
