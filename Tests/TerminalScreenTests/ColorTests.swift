import Testing

@testable import TerminalScreen

/// Colours of xterm's palette, and the nearest available one.
@MainActor
@Suite struct ColorTests {
    @Test func numbersTheSixteenColours() {
        let named: [Color] = [.black, .red, .green, .yellow, .blue, .magenta, .cyan, .white, .grey]
        for (index, color) in named.enumerated() {
            #expect(color == .ansi(UInt8(index)) && color == .palette(UInt8(index)))
        }
        #expect(Color.ansi(17) == .ansi(1) && Color.standard != .black)
    }

    @Test func aColourKeepsKindAndValue() {
        for color in [
            Color.standard, .palette(0), .palette(255), .rgb(0, 0, 0), .rgb(1, 2, 3), .rgb(255, 254, 253), .picture(9),
        ] {
            #expect(Color(rawBits: color.bits) == color)
        }
        guard case .rgb(let red, let green, let blue) = Color.rgb(1, 2, 3).kind else {
            Issue.record("no colour of three parts")
            return
        }
        #expect([red, green, blue] == [1, 2, 3])
        guard case .palette(200) = Color.palette(200).kind, case .picture(9) = Color.picture(9).kind,
            case .standard = Color.standard.kind
        else {
            Issue.record("another kind")
            return
        }
    }

    @Test func hasThePaletteOfXterm() {
        let levels = [0, 95, 135, 175, 215, 255]
        for index in 16..<232 {
            let (red, green, blue) = XtermPalette.components(index)
            #expect(
                [red, green, blue] == [
                    levels[(index - 16) / 36], levels[(index - 16) / 6 % 6], levels[(index - 16) % 6],
                ])
            // An available colour is its own nearest, or one that looks the same.
            let nearest = XtermPalette.components(XtermPalette.nearest(red, green, blue))
            #expect([nearest.0, nearest.1, nearest.2] == [red, green, blue])
        }
        for index in 232...255 {
            let (red, green, blue) = XtermPalette.components(index)
            #expect([red, green, blue] == Array(repeating: 8 + (index - 232) * 10, count: 3))
        }
        #expect(XtermPalette.components(9) == (255, 0, 0) && XtermPalette.components(8) == (127, 127, 127))
    }

    private func distance(_ index: Int, _ color: (Int, Int, Int)) -> Int {
        let (red, green, blue) = XtermPalette.components(index)
        return (red - color.0) * (red - color.0) + (green - color.1) * (green - color.1) + (blue - color.2)
            * (blue - color.2)
    }

    /// Compared with all available colours. A cube colour and a grey at nearly the same distance are interchangeable.
    @Test func findsTheNearestColour() {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 15) {
                for blue in stride(from: 0, through: 255, by: 15) {
                    let color = (red, green, blue)
                    let ansi = XtermPalette.nearestAnsi(color)
                    #expect((0..<16).allSatisfy { distance($0, color) >= distance(ansi, color) })
                    let index = XtermPalette.nearest(red, green, blue)
                    let cube = (16..<232).map { distance($0, color) }.min() ?? 0
                    #expect(index >= 16 && distance(index, color) <= cube, "\(color)")
                }
            }
        }
        for value in 0...255 {
            let index = XtermPalette.nearest(value, value, value)
            let best = (16...255).map { distance($0, (value, value, value)) }.min() ?? 0
            #expect(distance(index, (value, value, value)) == best, "\(value)")
        }
    }

    @Test func combinesAttributes() {
        let all: [TextAttributes] = [.bold, .dim, .italic, .underline, .reverse]
        #expect(all.allSatisfy { $0.rawValue.nonzeroBitCount == 1 } && TextAttributes(all).rawValue == 31)
        let style = Style(foreground: .red, background: .blue, attributes: .bold)
        #expect(style.adding(.underline).attributes == [.bold, .underline] && style.removing(.bold).attributes == [])
        #expect(style.adding(.dim).foreground == .red && style.removing(.dim).background == .blue)
        // On a space, the foreground is invisible, but background and underline aren't.
        let blank = Cell(glyph: .space, style: .standard)
        #expect(blank.canLook(like: Cell(glyph: .space, style: Style(foreground: .red, attributes: .bold))))
        #expect(!blank.canLook(like: Cell(glyph: .space, style: Style(background: .red))))
        #expect(!blank.canLook(like: Cell(glyph: .space, style: Style(attributes: .underline))))
        #expect(!blank.canLook(like: Cell(glyph: .space, style: Style(attributes: .reverse))))
        let reversed = Cell(glyph: .space, style: Style(attributes: .reverse))
        #expect(!reversed.canLook(like: Cell(glyph: .space, style: Style(foreground: .red, attributes: .reverse))))
    }
}
