import Testing

@testable import TerminalScreen
@testable import TerminalUI

/// Missing colours are replaced by the nearest without patterns, and sixteen colours show shades.
@Suite struct PictureColorsTests {
    private func capabilities(
        _ depth: TerminalCapabilities.ColorDepth, _ own: TerminalColors? = nil
    ) -> TerminalCapabilities {
        var capabilities = TerminalCapabilities(colors: depth)
        capabilities.ownColors = own
        return capabilities
    }

    private func shown(_ color: Color) -> RGB { color.components(standard: .black, ansi: [:]) ?? .black }

    /// The colours of the halves of a picture, one above the other.
    private func pixels(_ rows: [[PictureCell]]) -> [[RGB]] {
        rows.flatMap { row in [row.map { shown($0.style.foreground) }, row.map { shown($0.style.background) }] }
    }

    private func area(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt32) -> [[TwoColorCell]] {
        (0..<height).map { y in
            (0..<width).map { x in
                TwoColorCell(PixelScaling.Halves(upper: value(x, 2 * y), lower: value(x, 2 * y + 1)))
            }
        }
    }

    private func nearest(_ value: UInt32) -> Color {
        PictureColors(capabilities(.palette)).cells(area(1, 1) { _, _ in value })[0][0].style.foreground
    }

    /// A flat area has one colour: patterns would be visible where a pixel is as large as a cell.
    @Test(arguments: [0x30A0E0, 0x88A0B0, 0xC8B090, 0x505860, 0x2F6028] as [UInt32])
    func makesNoPatterns(value: UInt32) {
        let rows = pixels(PictureColors(capabilities(.palette)).cells(area(64, 24) { _, _ in value }))
        #expect(Set(rows.joined()).count == 1)
        // Each row of a picture that changes from left to right only is the same.
        let gradient = pixels(PictureColors(capabilities(.palette)).cells(area(64, 8) { x, _ in UInt32(x * 4) << 8 }))
        #expect(Set(gradient).count == 1)
    }

    @Test(arguments: [0x000000, 0xFFFFFF, 0x5F87AF, 0x808080, 0x1C1C1C, 0xFFD7AF, 0x005F00] as [UInt32])
    func findsColoursOfThePalette(value: UInt32) {
        let found = shown(nearest(value))
        for (channel, shift) in [(found.red, 16), (found.green, 8), (found.blue, 0)] as [(UInt8, UInt32)] {
            #expect(abs(Int(channel) - Int(value >> shift & 255)) <= 8)
        }
    }

    /// Dark colours keep their hue, although a grey has more similar channels.
    @Test func keepsHues() {
        for value in [0x2F6028, 0x2D5A27, 0x306030] as [UInt32] {
            let found = shown(nearest(value))
            #expect(found.green > found.red && found.green > found.blue, "\(found)")
        }
        let sky = shown(nearest(0x4A7FC8))
        #expect(sky.blue > sky.green && sky.green > sky.red)
        var last = -1
        for grey in stride(from: UInt32(0x10), through: 0xF0, by: 0x10) {
            let found = shown(nearest(grey * 0x10101))
            #expect(found.red == found.green && found.green == found.blue && Int(found.green) > last)
            last = Int(found.green)
        }
    }

    @Test func drawsFinerPartsInTwoColours() {
        let parts = [0xFF0000, 0x0000FF, 0xFF0000, 0x0000FF] as [UInt32]
        let cell = TwoColorCell(parts: parts, detail: .quadrants)
        #expect(cell.share == 0.5)
        let fine = PictureColors(capabilities(.palette)).cells([[cell]])[0][0]
        #expect(fine.glyph.scalar == "▌" && fine.style == Style(foreground: .palette(196), background: .palette(21)))
        #expect(PictureColors(capabilities(.palette)).cells([]).isEmpty)
        let direct = PictureColors(capabilities(.direct)).cells(area(1, 1) { _, y in y == 0 ? 0x010203 : 0xFFFEFD })
        #expect(direct[0][0].style == Style(foreground: .rgb(1, 2, 3), background: .rgb(255, 254, 253)))
    }

    /// With sixteen colours a picture has the terminal's greys, from dark to light.
    @Test func showsShadesWithSixteenColours() {
        let gradient = area(32, 8) { x, _ in UInt32(x * 8) << 16 | UInt32(x * 4) }
        let rows = pixels(PictureColors(capabilities(.sixteen)).cells(gradient))
        for color in Set(rows.joined()) { #expect(color.red == color.green && color.green == color.blue) }
        let lights = (0..<4).map { part -> Int in
            let columns = part * 8..<part * 8 + 8
            return rows.map { row in row[columns].map { Int($0.green) }.reduce(0, +) }.reduce(0, +)
        }
        #expect(lights == lights.sorted() && Set(lights).count == 4 && Set(rows.joined()).count >= 4)
        // Solarized's eighth colour is darker than black.
        var ansi = [0: RGB(7, 54, 66), 7: RGB(238, 232, 213), 8: RGB(0, 43, 54), 15: RGB(253, 246, 227)]
        for index in 9..<15 {
            let level = UInt8(index * 12)
            ansi[index] = RGB(level, level, level)
        }
        let own = TerminalColors(foreground: .white, background: .black, ansi: ansi)
        let steps = area(9, 1) { x, _ in UInt32(x * 30) * 0x10101 }
        let solarized = PictureColors(capabilities(.sixteen, own)).cells(steps)
        #expect(solarized[0].first?.style.foreground == .grey && solarized[0].last?.style.foreground == .white)
    }

    /// Eight colours have too few greys, so characters show the shades, in the same colours on any terminal.
    @Test func drawsInkWithEightColours() {
        for own in [nil, TerminalColors(foreground: .black, background: .white)] {
            var few = capabilities(.sixteen, own)
            few.hasBrightColors = false
            let cells = PictureColors(few).cells(area(5, 1) { x, _ in UInt32(x * 60) * 0x10101 })[0]
            #expect(cells.map { $0.glyph.scalar } == [" ", "░", "▒", "▓", "█"])
            #expect(cells.allSatisfy { $0.style == Style(foreground: .white, background: .black) })
        }
    }

    @Test func drawsShadesWithoutColors() {
        var none = capabilities(.none)
        func ink(_ value: UInt32) -> Character? {
            PictureColors(none).cells(area(1, 1) { _, _ in value })[0][0].glyph.scalar.map(Character.init)
        }
        #expect(ink(0xFFFFFF) == "█" && ink(0) == " ")
        #expect(ink(0x808080).map { "░▒▓".contains($0) } == true)
        // Very bright or very dark pictures use all shades.
        let rows = [(100...200).map { TwoColorCell(.init(upper: UInt32($0) * 0x10101, lower: UInt32($0) * 0x10101)) }]
        let range = PictureLight(rows).range
        #expect(abs(range.lowerBound - 102) < 0.01 && abs(range.upperBound - 198) < 0.01)
        #expect(PictureLight(area(2, 1) { _, _ in 0xFFFFFF }).range == 0...255)
        // On a light background, dark areas are drawn.
        none.ownColors = TerminalColors(foreground: .black, background: .white)
        #expect(ink(0xFFFFFF) == " " && ink(0) == "█")
        none.hasUnicode = false
        #expect(ink(0) == "@")
    }
}
