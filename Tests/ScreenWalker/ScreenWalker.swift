import CommonTesting
import Glibc
import TerminalScreen
import TerminalText

/// A program for tests that draws at random on a real terminal and then writes the expected screen to a file.
///
/// `screen-walker SEED FRAMES FILE`: each frame changes part of the previous one, or all of it; then the file gets a
/// line for each row, `text` and, after a tab, foreground, background and attributes of each column, and the program
/// waits for a key. With `SCREEN_WALKER_PRINTS` it makes the terminal print its screen.
@main
struct ScreenWalker {
    @MainActor static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 4, let seed = UInt64(words[1]), let frames = Int(words[2]) else { exit(64) }
        let terminal = NcursesTerminal()
        try terminal.start()
        var walk = Walk(generator: SeededGenerator(seed: seed), grid: CellGrid(size: terminal.size))
        for frame in 0..<frames {
            if walk.number(0..<12) == 0 { terminal.invalidate() }
            let cursor = walk.number(0..<3) == 0 ? Point(x: walk.number(0..<terminal.size.width), y: 0) : nil
            walk.change(isWhole: frame == 0 || walk.number(0..<9) == 0)
            terminal.present(walk.grid, cursor: cursor)
        }
        guard let file = fopen(words[3] + ".part", "w") else { exit(74) }
        for line in walk.lines { fputs(line + "\n", file) }
        fclose(file)
        rename(words[3] + ".part", words[3])
        if getenv("SCREEN_WALKER_PRINTS") != nil {
            // A slow terminal gets the last frame once it has read the others.
            for _ in 0..<4 { _ = terminal.wait(milliseconds: 300) }
            // Media copy (ECMA-48, MC): the terminal prints its screen.
            let print = "\u{1B}[i"
            write(STDOUT_FILENO, print, print.utf8.count)
        }
        while terminal.wait(milliseconds: 1000).isEmpty {}
        terminal.stop()
    }
}

@MainActor
private struct Walk {
    var generator: SeededGenerator
    let grid: CellGrid

    private static let glyphs: [DisplayText] = [
        "a", "b", "Z", "0", " ", " ", "  ", "    ", "        ", "é", "e\u{301}", "東", "京\u{301}", "─", "│", "█", "👍",
        "ñ", "x y",
    ]
    private static let colors: [Color] = [
        .standard, .standard, .standard, .red, .blue, .ansi(12), .palette(99), .palette(240), .palette(17),
    ]

    init(generator: SeededGenerator, grid: CellGrid) {
        self.generator = generator
        self.grid = grid
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func style() -> Style {
        Style(
            foreground: Walk.colors[number(0..<Walk.colors.count)],
            background: Walk.colors[number(0..<Walk.colors.count)],
            attributes: number(0..<2) == 0 ? [] : TextAttributes(rawValue: UInt16(number(0..<32))))
    }

    /// Draws words, areas and single cells at random positions, some of them partly outside.
    mutating func change(isWhole: Bool) {
        let surface = Surface(grid)
        let size = grid.size
        if isWhole { surface.clear(style: number(0..<3) == 0 ? style() : .standard) }
        for _ in 0..<number(1..<(isWhole ? 60 : 6)) {
            let place = Point(x: number(-3..<size.width), y: number(0..<size.height))
            switch number(0..<6) {
            case 0:
                surface.fill(
                    Rect(x: place.x, y: place.y, width: number(1..<12), height: number(1..<4)), style: style())
            case 1:
                surface.restyle(Rect(x: place.x, y: place.y, width: number(1..<9), height: 1)) { $0.adding(.underline) }
            case 2:
                let part = surface.subsurface(Rect(x: place.x, y: place.y, width: number(1..<9), height: 2))
                part.draw("東京 words", at: Point(x: number(-3..<3), y: 0), style: style())
            default:
                var text = DisplayText.empty
                for _ in 0..<number(1..<8) { text = text + Walk.glyphs[number(0..<Walk.glyphs.count)] }
                surface.draw(text, at: place, style: style())
            }
        }
    }

    /// The expected lines.
    var lines: [String] {
        (0..<grid.size.height).map { y in
            let looks = (0..<grid.size.width).map { x in
                let style = grid[x, y].style
                return "\(name(style.foreground))/\(name(style.background))/\(style.attributes.rawValue)"
            }
            return grid.text(row: y) + "\t" + looks.joined(separator: " ")
        }
    }

    /// The colour's number in the terminal's palette.
    private func name(_ color: Color) -> String {
        if color == .standard { return "-" }
        for number in 0...255 where color == .palette(UInt8(number)) { return "\(number)" }
        return "?"
    }
}
