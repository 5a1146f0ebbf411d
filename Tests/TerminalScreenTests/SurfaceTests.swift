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
        #expect(XtermPalette.nearest(red, green, blue) == index)
    }
}

/// Surfaces clip all drawing.
@MainActor @Suite struct CutsDrawings {
    private func rows(_ grid: CellGrid) -> [String] { (0..<grid.size.height).map { grid.text(row: $0) } }

    @Test func cutsAtEachEdge() {
        let grid = CellGrid(size: Size(width: 6, height: 4))
        let inner = Surface(grid).subsurface(Rect(x: 1, y: 1, width: 3, height: 2))
        #expect(inner.bounds == Rect(x: 0, y: 0, width: 3, height: 2) && inner.origin == Point(x: 1, y: 1))
        inner.fill(Rect(x: -5, y: -5, width: 20, height: 20), with: Glyph("#") ?? .space, style: .standard)
        #expect(rows(grid) == ["      ", " ###  ", " ###  ", "      "])
        inner.clear(style: .standard)
        #expect(rows(grid).allSatisfy { $0 == "      " })
        for (x, y) in [(-1, 0), (3, 0), (0, -1), (0, 2)] {
            inner.draw(Glyph("x") ?? .space, at: Point(x: x, y: y), style: .standard)
        }
        #expect(rows(grid).allSatisfy { $0 == "      " })
        inner.draw(Glyph("x") ?? .space, at: Point(x: 2, y: 1), style: .standard)
        #expect(rows(grid)[2] == "   x  ")
        // Invisible text still ends at the same column.
        #expect(inner.draw("東b", at: Point(x: 1, y: 9), style: .standard) == 4)
        #expect(inner.draw("東b", at: Point(x: 0, y: 0), style: .standard) == 3 && rows(grid)[1] == " 東b  ")
        // A nested subsurface is clipped to both.
        let deeper = inner.subsurface(Rect(x: 2, y: 0, width: 9, height: 9))
        deeper.draw("abc", at: .zero, style: .standard)
        #expect(
            rows(grid)[1] == " 東a  " && deeper.clip == Rect(x: 3, y: 1, width: 1, height: 2) && deeper.size.width == 9)
        #expect(inner.subsurface(Rect(x: 3, y: 0, width: 2, height: 2)).isEmpty && !inner.isEmpty)
        // Rectangles are filled with glyphs of one column.
        inner.fill(Rect(x: 0, y: 0, width: 3, height: 1), with: Glyph("東") ?? .space, style: .standard)
        #expect(rows(grid)[1] == "      ")
    }

    @Test func drawsGridsWithStyles() {
        let picture = CellGrid(size: Size(width: 4, height: 2))
        Surface(picture).draw("a東b", at: .zero, style: Style(foreground: .red))
        Surface(picture).draw("cd", at: Point(x: 1, y: 1), style: .standard)
        let grid = CellGrid(size: Size(width: 5, height: 3))
        Surface(grid).draw(picture, at: Point(x: 2, y: 1))
        #expect(rows(grid) == ["     ", "  a東", "   cd"] && grid[2, 1].style.foreground == .red)
        #expect(grid[3, 2].style == .standard)
        let narrow = CellGrid(size: Size(width: 5, height: 2))
        Surface(narrow).subsurface(Rect(x: 0, y: 0, width: 2, height: 1)).draw(picture, at: .zero)
        #expect(rows(narrow) == ["a    ", "     "])
        let left = CellGrid(size: Size(width: 5, height: 2))
        Surface(left).draw(picture, at: Point(x: -2, y: -1))
        #expect(rows(left) == ["d    ", "     "])
    }

    @Test func keepsLinksAndPicturesWhenLooksChange() throws {
        let grid = CellGrid(size: Size(width: 8, height: 2))
        let surface = Surface(grid)
        surface.draw("abcdefgh", at: .zero, style: Style(foreground: .red))
        let inner = surface.subsurface(Rect(x: 2, y: 0, width: 3, height: 1))
        let link = try #require(Hyperlink("https://a.example", number: 1))
        inner.link(-1..<9, row: 0, to: link)
        inner.link(0..<3, row: 1, to: link)
        inner.link(5..<9, row: 0, to: link)
        #expect(grid.links == [HyperlinkRun(row: 0, columns: 2..<5, link: link)])
        #expect((0..<8).map { grid[$0, 0].isLink } == [false, false, true, true, true, false, false, false])
        inner.restyle(Rect(x: 1, y: 0, width: 9, height: 9)) { $0.toggling(.bold) }
        #expect(
            (0..<8).map { grid[$0, 0].style.attributes == .bold } == [
                false, false, false, true, true, false, false, false,
            ])
        #expect(grid[3, 0].isLink && grid[3, 0].style.foreground == .red && grid[3, 0].text == "d")
        let other = CellGrid(size: .zero)
        other.copy(from: grid)
        #expect(other.links == grid.links && other.cells == grid.cells && other.size == grid.size)
        grid.reset(to: grid.size)
        #expect(grid.links.isEmpty && grid.cells.allSatisfy { $0 == .blank })
        for address in ["http://a.example", "HTTPS://A.EXAMPLE", "mailto:a@b.example"] {
            #expect(Hyperlink(address, number: 1) != nil, "\(address)")
        }
        for address in ["", "ftp://a.example", "gemini://a", "https", "https://a\u{7F}"] {
            #expect((Hyperlink(address, number: 1) == nil) == (address != "https"), "\(address)")
        }
        let longest = "https://a/" + String(repeating: "a", count: 2073)
        #expect(Hyperlink(longest, number: 1) != nil && Hyperlink(longest + "a", number: 1) == nil)
    }

    @Test func dividesRectangles() {
        let rect = Rect(x: 2, y: 1, width: 5, height: 3)
        for (column, left, right) in [
            (4, 2..<4, 5..<7), (2, 2..<2, 3..<7), (6, 2..<6, 7..<7), (0, 2..<2, 2..<7), (9, 2..<7, 10..<10),
        ] {
            let parts = rect.split(at: column)
            #expect(parts.left.columns == left && parts.right.columns == right, "\(column)")
            #expect(parts.left.rows == 1..<4 && parts.right.rows == 1..<4)
        }
        #expect(rect.columns == 2..<7 && rect.rows == 1..<4)
        #expect(Size(width: -1, height: -2) == .zero && Rect(x: 1, y: 1, width: -3, height: 2).columns == 1..<1)
        #expect(Style(attributes: .bold).toggling([.bold, .dim]).attributes == .dim)
    }

    /// Each threshold occurs once in eight by eight positions, and the pattern repeats.
    @Test func dithersInOrder() {
        let places = (0..<8).flatMap { y in (0..<8).map { x in OrderedDither.threshold(x, y) } }
        #expect(places.sorted() == Array(0..<64))
        for (x, y) in [(0, 0), (3, 5), (7, 7)] {
            #expect(OrderedDither.threshold(x + 8, y + 16) == OrderedDither.threshold(x, y))
        }
        // Neighbours are far apart.
        for x in 0..<8 { #expect(abs(OrderedDither.threshold(x, 0) - OrderedDither.threshold(x + 1, 0)) >= 16) }
    }

    @Test func recordsOutputInMemory() async {
        let terminal = MemoryTerminal(size: Size(width: 4, height: 2))
        terminal.events = [.focus(true)]
        #expect(terminal.wait(milliseconds: nil) == [.focus(true)] && terminal.wait(milliseconds: nil).isEmpty)
        terminal.setTitle("name")
        terminal.notify(title: "a", body: "b")
        #expect(terminal.title == "name" && terminal.notifications == ["a: b"])
        let pixels = PixelBuffer(width: 1, height: 1, rgba: [1, 2, 3, 4])
        #expect(await terminal.add(pixels, cells: Size(width: 1, height: 1), by: .kitty) == nil)
        terminal.capabilities.graphics.protocols = [.kitty]
        let picture = await terminal.add(pixels, cells: Size(width: 1, height: 1), by: .kitty)
        #expect(picture.map(terminal.has) == true && terminal.pictures.map(\.pixels) == [pixels])
        terminal.capabilities.graphics.protocols = []
        #expect(picture.map(terminal.has) == false)
    }
}
