import TerminalText
import Testing

@testable import TerminalScreen

extension Surface {
    /// Draws all cells of a picture.
    func draw(_ picture: TerminalPicture, at point: Point) {
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let place = Point(x: point.x + x, y: point.y + y)
                draw(picture.glyph(row: y, column: x), at: place, style: picture.style)
            }
        }
    }
}

/// Detecting a terminal's picture support, and encoding pictures.
@Suite struct GraphicsTests {
    // MARK: Finding out

    @Test(arguments: [
        ("kitty(0.35.2)", true), ("kitty(0.28.0)", true), ("kitty(1.0.0)", true), ("kitty(0.27.1)", false),
        ("ghostty 1.2.3", true), ("XTerm(379)", false), ("tmux 3.3a", false), ("WezTerm 20240203", false), ("", false),
        ("kitty", false), ("kitty(x)", false),
    ])
    func recognizesTerminalsWithPlaceholders(type: String, expected: Bool) {
        #expect(GraphicsDetection.hasPlaceholders(type) == expected)
    }

    @Test(arguments: [
        ("1|1|1|0\n/dev/pts/1|kitty(0.35.2)|256,RGB\n", [GraphicsProtocol.kitty], "through tmux"),
        ("0|1|1|0\n/dev/pts/1|kitty(0.35.2)|256\n", [], "allow-passthrough on"),
        ("on|1|1|0\n/dev/pts/1|XTerm(379)|256\n", [], "is XTerm(379)"),
        ("1|1|1|0\n/dev/pts/1||256\n", [], "does not say what it is"),
        ("1|2|1|0\n/dev/pts/1|ghostty 1.0|256\n/dev/pts/2|foot(1.16)|256\n", [], "is foot(1.16)"),
        ("1|0|1|0\n", [], "No terminal"), ("", [], "no answer"), ("garbage\n", [], "no answer"),
    ])
    func requiresSupportOfAllTmuxClients(answer: String, ways: [GraphicsProtocol], words: String) {
        let support = GraphicsDetection.support(TmuxAnswer(answer))
        #expect(support.protocols == Set(ways))
        #expect(support.explanation.contains(words))
    }

    @Test func readsTheHostFromTheEnvironment() {
        func surroundings(_ variables: [String: String]) -> GraphicsDetection.Surroundings {
            GraphicsDetection.surroundings({ variables[$0] ?? "" }, colors: .palette)
        }
        #expect(surroundings(["TERM": "xterm-kitty"]) == .direct)
        #expect(surroundings(["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0", "TMUX_PANE": "%5"]) == .tmux(pane: "%5"))
        #expect(
            GraphicsDetection.surroundings({ _ in "xterm" }, colors: .sixteen)
                == .unsuitable("Pictures are drawn with characters, because there are fewer than 256 colours."))
        // tmux over ssh, GNU screen and the console: nothing is sent to them.
        for variables in [
            ["TERM": "screen-256color"], ["TERM": "tmux"], ["TERM": "xterm", "STY": "1.pts"], ["TERM": "linux"],
            ["TERM": "xterm", "TMUX": "/tmp/x,1,0"],
        ] {
            guard case .unsuitable = surroundings(variables) else {
                Issue.record("\(variables) would be asked")
                continue
            }
        }
    }

    @Test func readsCapabilitiesFromAnswers() {
        var answers = GraphicsDetection.Answers()
        let reports: [TerminalReport] = [
            .version("XTerm(379)"), .cellSize(Size(width: 9, height: 18)), .colorRegisters(64),
            .attributes([62, 4, 22]),
        ]
        #expect(reports.map { answers.take($0) } == [false, false, false, true])
        let support = GraphicsDetection.support(answers)
        #expect(support.protocols == [.sixel])
        #expect(support.sixelColors == 64)
        #expect(support.explanation == "The terminal is XTerm(379): sixels can be shown.")
        // Sixels need the size of a cell; if the terminal doesn't report it, the system may.
        answers.cellSize = nil
        #expect(GraphicsDetection.support(answers).protocols.isEmpty)
        let known = GraphicsDetection.support(answers, cellOfSystem: Size(width: 8, height: 17))
        #expect(known.protocols == [.sixel] && known.cellSize == Size(width: 8, height: 17))
        answers.version = "kitty(0.40.0)"
        #expect(GraphicsDetection.support(answers).protocols == [.kitty])
        #expect(GraphicsDetection.support(GraphicsDetection.Answers()).explanation.contains("does not say what it is"))
    }

    // MARK: Kitty

    private let picture = PixelBuffer(
        width: 50, height: 40, rgba: (0..<2000).flatMap { [UInt8($0 % 251), UInt8($0 / 8), 7, 255] })

    @Test(arguments: [false, true])
    func sendsAPictureInChunks(throughTmux: Bool) throws {
        let commands = KittyGraphics.transmission(
            of: picture, number: 0x0100_0010, cells: Size(width: 12, height: 5), throughTmux: throughTmux)
        var payload = ""
        for (index, command) in commands.enumerated() {
            var text = String(decoding: command, as: UTF8.self)
            if throughTmux {
                #expect(text.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_G") && text.hasSuffix("\u{1B}\u{1B}\\\u{1B}\\"))
                text = text.replacing("\u{1B}\u{1B}", with: "\u{1B}")
                text = String(text.dropFirst(7).dropLast(2))
            }
            #expect(text.hasPrefix("\u{1B}_G") && text.hasSuffix("\u{1B}\\"))
            let parts = text.dropFirst(3).dropLast(2).split(separator: ";", omittingEmptySubsequences: false)
            try #require(parts.count == 2)
            let isLast = index == commands.count - 1
            let keys = "q=2,m=\(isLast ? 0 : 1)"
            #expect(parts[0] == (index == 0 ? "a=T,U=1,i=16777232,f=24,s=50,v=40,c=12,r=5,\(keys)" : keys))
            #expect(parts[1].utf8.count <= 4096 && (isLast || parts[1].utf8.count % 4 == 0))
            payload += parts[1]
        }
        // Base64 with three bytes for each pixel.
        #expect(commands.count == 2)
        #expect(payload.utf8.count == 50 * 40 * 3 / 3 * 4)
        #expect(payload.hasPrefix("AAAHAQAHAgAH"))
    }

    // MARK: Sixels

    /// Reads a sixel sequence like a terminal; pixels that are not set stay `nil`.
    private func pixels(_ bytes: [UInt8]) throws -> (width: Int, height: Int, rgb: [[Int]?]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let body = try #require(text.wholeMatch(of: /\u{1B}P0;1;0q"1;1;(\d+);(\d+)(.*)\u{1B}\\/)?.output)
        let (width, height) = (try #require(Int(body.1)), try #require(Int(body.2)))
        var rgb = [[Int]?](repeating: nil, count: width * height)
        var colors: [Int: [Int]] = [:]
        var (x, y, color, count) = (0, 0, -1, 1)
        var rest = Substring(body.3)
        func number() -> Int {
            let digits = rest.prefix { $0.isNumber }
            rest = rest.dropFirst(digits.count)
            return Int(digits) ?? -1
        }
        while let character = rest.popFirst() {
            switch character {
            case "#":
                let chosen = number()
                // As in xterm: a definition doesn't select the colour.
                guard rest.first == ";" else {
                    color = chosen
                    break
                }
                var values: [Int] = []
                while rest.first == ";" {
                    rest = rest.dropFirst()
                    values.append(number())
                }
                try #require(values.count == 4 && values[0] == 2)
                colors[chosen] = values.dropFirst().map { $0 * 255 / 100 }
            case "!": count = number()
            case "$": x = 0
            case "-":
                x = 0
                y += 6
            default:
                let bits = try #require(character.asciiValue) - 0x3F
                for _ in 0..<count {
                    for bit in 0..<6 where bits >> bit & 1 == 1 {
                        try #require(x < width && y + bit < height)
                        rgb[(y + bit) * width + x] = colors[color]
                    }
                    x += 1
                }
                count = 1
            }
        }
        return (width, height, rgb)
    }

    @Test(arguments: [256, 125, 16, 2])
    func encodesSixelsInFewerColours(colors: Int) throws {
        let fields = PixelBuffer(
            width: 64, height: 32,
            rgba: (0..<64 * 32).flatMap { $0 % 64 < 32 ? [255, 0, 0, 255] : [100, 150, 200, 255] })
        let read = try pixels(SixelPicture(fields, colors: colors).sequence(columns: 0..<64, rows: 0..<32))
        #expect(read.width == 64 && read.height == 32)
        let shown = read.rgb.compactMap { $0 }
        // There are no holes, and the mean of each field is its colour.
        try #require(shown.count == 64 * 32)
        for (start, wanted) in [(0, [255, 0, 0]), (32, [100, 150, 200])] {
            for channel in 0..<3 {
                let sum = (0..<32 * 32).reduce(0) { $0 + shown[$1 / 32 * 64 + start + $1 % 32][channel] }
                #expect(abs(sum / 1024 - wanted[channel]) < 6)
            }
        }
    }

    /// Few colours are taken from the picture, and those in between are dithered: each part keeps its brightness.
    @Test(arguments: [4, 8, 16, 64]) func dithersBetweenColours(colors: Int) throws {
        let rgba = (0..<64 * 256).flatMap { place -> [UInt8] in
            let value = UInt8(place % 256)
            return [value, value, value, 255]
        }
        let gradient = PixelBuffer(width: 256, height: 64, rgba: rgba)
        let read = try pixels(SixelPicture(gradient, colors: colors).sequence(columns: 0..<256, rows: 0..<64))
        let shown = read.rgb.compactMap { $0 }
        try #require(shown.count == 256 * 64)
        #expect(Set(shown).count <= colors && Set(shown).count > min(colors, 32) / 2)
        for stripe in 1..<15 {
            let columns = stripe * 16..<stripe * 16 + 16
            let sum = columns.reduce(0) { sum, x in sum + (0..<64).reduce(0) { $0 + shown[$1 * 256 + x][0] } }
            #expect(abs(sum / (16 * 64) - (stripe * 16 + 8)) <= 128 / colors + 4, "\(stripe)")
        }
    }

    @Test func keepsAllOfFewColours() throws {
        let colors: [[UInt8]] = [[250, 10, 10, 255], [12, 200, 30, 255], [0, 0, 0, 255], [255, 255, 255, 255]]
        let rgba = (0..<400).flatMap { colors[$0 % 20 < 17 ? 0 : 1 + $0 % 3] }
        let read = try pixels(
            SixelPicture(PixelBuffer(width: 20, height: 20, rgba: rgba), colors: 256).sequence(
                columns: 0..<20, rows: 0..<20))
        for (place, color) in read.rgb.enumerated() {
            let wanted = rgba[place * 4..<place * 4 + 3].map(Int.init)
            #expect(zip(color ?? [], wanted).allSatisfy { abs($0 - $1) <= 2 })
        }
    }

    @Test func writesAPartAsInTheWhole() throws {
        let sixels = SixelPicture(picture, colors: 256)
        let whole = try pixels(sixels.sequence(columns: 0..<50, rows: 0..<40))
        let part = try pixels(sixels.sequence(columns: 10..<23, rows: 7..<30))
        #expect(part.width == 13 && part.height == 23)
        for y in 0..<23 { for x in 0..<13 { #expect(part.rgb[y * 13 + x] == whole.rgb[(y + 7) * 50 + x + 10]) } }
        #expect(sixels.sequence(columns: 60..<70, rows: 0..<10).isEmpty)
        let edge = try pixels(sixels.sequence(columns: 45..<60, rows: 39..<45))
        #expect(edge.width == 5 && edge.height == 1)
    }

    @MainActor
    @Test func writesOnlyTheVisiblePart() throws {
        let pictures = TerminalPictures(place: 3, throughTmux: false)
        let shown = pictures.reserve(Size(width: 6, height: 4))
        _ = pictures.keep(shown, .sixel(SixelPicture(picture, colors: 256), cell: Size(width: 5, height: 10)))
        let grid = CellGrid(size: Size(width: 12, height: 6))
        let surface = Surface(grid)
        surface.draw(shown, at: Point(x: 3, y: 1))
        func frames() -> [Rect] { pictures.areas(in: grid).map(\.frame) }
        #expect(frames() == [Rect(x: 3, y: 1, width: 6, height: 4)])
        // A popover over the middle leaves the parts around it.
        surface.fill(Rect(x: 5, y: 2, width: 2, height: 2), style: .standard)
        #expect(
            Set(frames()) == [
                Rect(x: 3, y: 1, width: 6, height: 1), Rect(x: 3, y: 2, width: 2, height: 2),
                Rect(x: 7, y: 2, width: 2, height: 2), Rect(x: 3, y: 4, width: 6, height: 1),
            ])
        // Its colour encodes its number, so dimming the screen leaves it unchanged.
        surface.restyle(surface.bounds) { _ in Style(foreground: .red) }
        #expect(frames().count == 4)
        // Nothing is written to the last row, where a terminal would scroll.
        let bottom = CellGrid(size: Size(width: 6, height: 2))
        for y in 0..<2 {
            Surface(bottom).draw(shown.glyph(row: y, column: 0), at: Point(x: 0, y: y), style: shown.style)
        }
        #expect(pictures.areas(in: bottom).map(\.frame) == [Rect(x: 0, y: 0, width: 1, height: 1)])
    }

    @MainActor
    @Test func forgetsTheOldestPictures() {
        let pictures = TerminalPictures(place: 1, throughTmux: true)
        let all = (0...TerminalPictures.capacity).map { _ in
            let picture = pictures.reserve(Size(width: 1, height: 1))
            let deletions = pictures.keep(picture, .kitty([[1]]))
            return (picture: picture, deletions: deletions)
        }
        #expect(Set(all.map { $0.picture.number }).count == all.count)
        #expect(!pictures.has(all[0].picture) && pictures.has(all[1].picture))
        #expect(all.dropLast().allSatisfy { $0.deletions.isEmpty })
        #expect(
            all.last?.deletions.map { String(decoding: $0, as: UTF8.self).contains("a=d,d=I,i=33554448") } == [true])
        #expect(pictures.transmissions.count == TerminalPictures.capacity)
        #expect(pictures.removeAll().count == TerminalPictures.capacity)
        #expect(pictures.isEmpty)
    }
}
