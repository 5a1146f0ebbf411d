import CommonTesting
import TerminalText
import Testing

@testable import TerminalScreen

/// Grids after any drawing, and the rectangles that clip it.
@MainActor
@Suite struct GridTests {
    /// A wide character is complete or absent; drawings appear at their position and change nothing beyond it.
    @Test(arguments: 1...20) func neverSplitsWideCharacters(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
        let grid = CellGrid(size: Size(width: 13, height: 3))
        let words: [DisplayText] = ["ab", "東京", "a東b", "x", " ", "👍y", "e\u{301}東", "🇫🇷", "a🇮🇹🇫🇷", "1\u{FE0F}\u{20E3}"]
        for _ in 0..<400 {
            let before = grid.cells
            let word = words[number(0..<words.count)]
            let (x, y) = (number(-4..<14), number(-1..<4))
            let clip = number(0..<8)..<number(8..<14)
            if number(0..<5) == 0 {
                let rect = Rect(x: x, y: y, width: number(0..<5), height: number(0..<3))
                grid.fill(rect, with: Cell(glyph: DisplayText("#").glyphs[0], style: .standard))
                let area = rect.intersection(Rect(origin: .zero, size: grid.size))
                for column in area.minX..<max(area.minX, area.maxX) {
                    for row in area.minY..<max(area.minY, area.maxY) { #expect(grid[column, row].text == "#") }
                }
            } else {
                let end = grid.put(word.glyphs, at: Point(x: x, y: y), style: .standard, clip: clip)
                guard (0..<3).contains(y) else {
                    #expect(end == x && grid.cells == before)
                    continue
                }
                var place = x
                for glyph in word.glyphs {
                    if place >= clip.lowerBound, place + glyph.columns <= clip.upperBound {
                        #expect(grid[place, y].glyph == glyph.rawValue)
                    }
                    place += glyph.columns
                }
                // Beyond the drawing, only the other half of a wide character may have become a space.
                let reached = max(x, clip.lowerBound) - 1
                for column in 0..<13 where column < reached || column > max(place, reached) {
                    let (old, new) = (before[y * 13 + column], grid[column, y])
                    #expect(new == old, "\(column)")
                }
            }
            for row in 0..<3 {
                for column in 0..<13 {
                    let cell = grid[column, row]
                    if cell.columns == 2 { #expect(column + 1 < 13 && grid[column + 1, row].columns == 0) }
                    if cell.columns == 0 { #expect(column > 0 && grid[column - 1, row].columns == 2) }
                }
            }
        }
    }

    /// Dim text that is reversed would have little contrast to its ground.
    @Test func neverDimsReversedText() {
        let both = Style(attributes: [.dim, .reverse, .bold])
        #expect(Cell(glyph: .space, style: both).style.attributes == [.reverse, .bold])
        #expect(Cell(glyph: .space, style: Style(attributes: .dim)).style.attributes == .dim)
        let grid = CellGrid(size: Size(width: 2, height: 1))
        Surface(grid).draw("ab", at: .zero, style: Style(attributes: .reverse))
        Surface(grid).restyle(Rect(x: 0, y: 0, width: 1, height: 1)) { $0.adding(.dim) }
        #expect(grid[0, 0].style.attributes == .reverse && grid[1, 0].style.attributes == .reverse)
        // Terminals with eight colours show grey as dim.
        var palette = ColorPalette(depth: .sixteen, hasBright: false)
        let grey = Cell(glyph: .space, style: Style(foreground: .grey, attributes: .reverse))
        #expect(palette.look(of: grey).attributes == TextAttributes.reverse.rawValue)
    }

    @Test func clipsText() {
        let grid = CellGrid(size: Size(width: 9, height: 2))
        let surface = Surface(grid)
        #expect(surface.draw("a東b", at: Point(x: 1, y: 1), style: .standard) == 5)
        #expect(grid.text(row: 1) == " a東b    " && grid.text(row: 0) == "         ")
        grid.reset(to: Size(width: 9, height: 2))
        #expect(grid.text(row: 1) == "         ")
        grid.reset(to: Size(width: 2, height: 1))
        #expect(grid.size == Size(width: 2, height: 1) && grid.text(row: 0) == "  ")
    }

    @Test func comparesRectanglesWithTheirCells() {
        let rect = Rect(x: 2, y: 3, width: 5, height: 4)
        #expect(
            [rect.minX, rect.minY, rect.maxX, rect.maxY, rect.width, rect.height, rect.midX, rect.midY] == [
                2, 3, 7, 7, 5, 4, 4, 5,
            ])
        #expect(
            !rect.isEmpty && Rect(x: 0, y: 0, width: 0, height: 3).isEmpty
                && Rect(x: 0, y: 0, width: 3, height: -1).isEmpty)
        #expect(Rect(x: 0, y: 0, width: 1, height: 1).isEmpty == false)
        #expect(rect.inset(left: 1, top: 2, right: 1, bottom: 1) == Rect(x: 3, y: 5, width: 3, height: 1))
        #expect(rect.offsetBy(x: -2, y: 1) == Rect(x: 0, y: 4, width: 5, height: 4))
        #expect(rect.intersection(Rect(x: 5, y: 0, width: 9, height: 5)) == Rect(x: 5, y: 3, width: 2, height: 2))
        #expect(rect.intersection(Rect(x: 7, y: 3, width: 1, height: 1)).isEmpty)
        for (x, y, isInside) in [
            (2, 3, true), (6, 6, true), (7, 6, false), (6, 7, false), (1, 3, false), (2, 2, false),
        ] {
            #expect(rect.contains(Point(x: x, y: y)) == isInside, "\(x), \(y)")
        }
    }

    @Test func countsChangedCells() {
        let terminal = MemoryTerminal(size: Size(width: 4, height: 2))
        let grid = CellGrid(size: Size(width: 4, height: 2))
        terminal.present(grid, cursor: nil)
        let first = terminal.presentations
        Surface(grid).draw("ab", at: .zero, style: .standard)
        terminal.present(grid, cursor: Point(x: 1, y: 1))
        #expect(
            terminal.presentations == first + 1 && terminal.changedCells == 2 && terminal.cursor == Point(x: 1, y: 1))
        Surface(grid).draw("aX", at: .zero, style: .standard)
        terminal.present(grid, cursor: nil)
        #expect(terminal.changedCells == 1 && terminal.cursor == nil && terminal.text == "aX\n")
        let larger = CellGrid(size: Size(width: 5, height: 3))
        terminal.present(larger, cursor: nil)
        #expect(terminal.changedCells == 15)
        terminal.copy("words") { _ in }
        #expect(terminal.copied == "words")
    }

    @Test func encodesKnownSixels() {
        // A column of eight pixels: white, black, half-opaque white, red, and four of green.
        let green: [UInt8] = [0, 255, 0, 255]
        let white: [UInt8] = [255, 255, 255, 255]
        let colors: [[UInt8]] = [
            white, [0, 0, 0, 255], [255, 255, 255, 128], [255, 0, 0, 255], green, green, green, green,
        ]
        let rgba = Array(colors.joined())
        let picture = PixelBuffer(width: 1, height: 8, rgba: rgba)
        func text(_ colors: Int) -> String {
            String(decoding: SixelPicture(picture, colors: colors).sequence(columns: 0..<1, rows: 0..<8), as: UTF8.self)
        }
        #expect(text(8).hasPrefix("\u{1B}P0;1;0q\"1;1;1;8#") && text(8).hasSuffix("-\u{1B}\\"))
        // Each colour is selected again after its definition; each of its six lines has a bit.
        func number(_ definition: String) -> String? {
            text(8).split(separator: "#").first { $0.hasSuffix(";2;" + definition) }.map {
                String($0.prefix { $0 != ";" })
            }
        }
        for (definition, sixel) in [("100;100;100", "@$"), ("0;0;0", "A$"), ("50;50;50", "C$"), ("100;0;0", "G$")] {
            #expect(number(definition).map { text(8).contains("#\($0)\(sixel)") } == true, "\(definition)")
        }
        #expect(number("0;100;0").map { text(8).contains("#\($0)o$-") && text(8).contains("#\($0)B$-") } == true)
        // No more than there are registers.
        for count in [2, 3, 4] {
            let definitions = text(count).split(separator: "#").count { $0.contains(";2;") }
            #expect(definitions <= count && definitions > 1, "\(count)")
        }
        let wide = PixelBuffer(width: 5, height: 1, rgba: Array([white, white, white, white, white].joined()))
        let sequence = SixelPicture(wide, colors: 8)
        #expect(String(decoding: sequence.sequence(columns: 0..<5, rows: 0..<1), as: UTF8.self).contains("!5@$"))
        #expect(String(decoding: sequence.sequence(columns: 1..<4, rows: 0..<1), as: UTF8.self).contains("100#0@@@$"))
        #expect(sequence.sequence(columns: 5..<9, rows: 0..<1).isEmpty && sequence.bytes == 5)
    }
}
