import Testing

@testable import TerminalScreen
@testable import TerminalUI

/// Missing colours are approximated by patterns with the same mean.
@MainActor
@Suite struct DitheringTests {
    private func capabilities(_ depth: TerminalCapabilities.ColorDepth) -> TerminalCapabilities {
        TerminalCapabilities(colors: depth)
    }

    private func shown(_ color: Color) -> RGB {
        switch color.kind {
        case .palette(let index) where index < 16: return RGB.ofPalette(UInt8(index))
        case .palette(let index):
            let (red, green, blue) = ColorPalette.components(index)
            return RGB(UInt8(red), UInt8(green), UInt8(blue))
        case .rgb(let red, let green, let blue): return RGB(UInt8(red), UInt8(green), UInt8(blue))
        default: return .black
        }
    }

    private func mean(_ value: UInt32, _ depth: TerminalCapabilities.ColorDepth) -> (red: Int, green: Int, blue: Int) {
        let dithering = Dithering(capabilities(depth))
        var sums = (0, 0, 0)
        for y in 0..<8 {
            for x in 0..<8 {
                let color = shown(dithering.color(value, x: x, y: y))
                sums = (sums.0 + Int(color.red), sums.1 + Int(color.green), sums.2 + Int(color.blue))
            }
        }
        return (sums.0 / 64, sums.1 / 64, sums.2 / 64)
    }

    @Test(arguments: [0x000000, 0xFFFFFF, 0x30A0E0, 0x808080, 0x123456, 0xF0E0D0, 0x6B8E23] as [UInt32])
    func approximatesWith256Colours(value: UInt32) {
        let found = mean(value, .palette)
        #expect(abs(found.red - Int(value >> 16 & 255)) <= 32)
        #expect(abs(found.green - Int(value >> 8 & 255)) <= 32)
        #expect(abs(found.blue - Int(value & 255)) <= 32)
    }

    /// With sixteen colours, at least the brightness matches, and blue stays blue.
    @Test func sixteenColoursKeepBrightness() {
        for grey in stride(from: 0, through: 255, by: 51) {
            let value = UInt32(grey) << 16 | UInt32(grey) << 8 | UInt32(grey)
            let found = mean(value, .sixteen)
            #expect(abs((found.red + found.green + found.blue) / 3 - grey) < 24, "\(grey)")
        }
        let sky = mean(0x3060D0, .sixteen)
        #expect(sky.blue > sky.red + 60)
    }

    @Test func mixesTheTerminalsOwnSixteenColours() {
        var own = capabilities(.sixteen)
        own.ownColors = TerminalColors(
            foreground: .white, background: .black,
            ansi: Dictionary(uniqueKeysWithValues: (0..<16).map { ($0, RGB(UInt8($0 * 17), 0, 0)) }))
        let dithering = Dithering(own)
        #expect(dithering.color(0xFF0000, x: 0, y: 0) == .ansi(15) && dithering.color(0, x: 0, y: 0) == .ansi(0))
        own.hasBrightColors = false
        let few = Dithering(own)
        for x in 0..<8 { #expect(few.color(0xFF0000, x: x, y: 0) == .ansi(7)) }
    }

    @Test func drawsShadesWithoutColors() {
        var none = capabilities(.none)
        let cell = PixelScaling.Halves(upper: 0xFFFFFF, lower: 0xFFFFFF)
        func ink(_ cell: PixelScaling.Halves) -> Character? {
            Dithering(none).ink(cell, lights: 0...255, hasUnicode: none.hasUnicode).scalar.map(Character.init)
        }
        #expect(ink(cell) == "█" && ink(PixelScaling.Halves(upper: 0, lower: 0)) == " ")
        let middle = ink(PixelScaling.Halves(upper: 0x808080, lower: 0x808080))
        #expect(middle.map { "░▒▓".contains($0) } == true)
        // Very bright or very dark pictures use all shades.
        let rows = [(100...200).map { PixelScaling.Halves(upper: UInt32($0) * 0x10101, lower: UInt32($0) * 0x10101) }]
        #expect(Dithering(none).lights(rows) == 102...198)
        #expect(Dithering(none).lights([[cell, cell]]) == 0...255)
        // On a light background, dark areas are drawn.
        none.ownColors = TerminalColors(foreground: .black, background: .white)
        #expect(ink(cell) == " " && ink(PixelScaling.Halves(upper: 0, lower: 0)) == "█")
        none.hasUnicode = false
        #expect(ink(PixelScaling.Halves(upper: 0, lower: 0)) == "@")
    }

    /// Between two close colours the pattern changes cell by cell.
    @Test func rendersEachShade() {
        let dithering = Dithering(capabilities(.palette))
        var last = 0
        for grey in stride(from: 0x20, through: 0xF0, by: 0x10) {
            let value = UInt32(grey) * 0x10101
            let lights = (0..<64).map { Int(shown(dithering.color(value, x: $0 % 8, y: $0 / 8)).green) }
            #expect(lights.reduce(0, +) > last)
            last = lights.reduce(0, +)
        }
        let colors = Set((0..<64).map { dithering.color(0x4682B4, x: $0 % 8, y: $0 / 8) })
        #expect(colors.count <= 2)
    }
}
