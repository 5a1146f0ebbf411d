import Foundation
import Platform

/// A colour with red, green and blue, and its contrast to others.
public struct RGB: Hashable, Sendable {
    /// The channels, 0 to 255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// Creates a colour from its channels.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#rrggbb`, with or without `#`. Returns `nil` for anything else.
    public init?(hexadecimal text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    /// The colour as `#rrggbb`.
    public var hexadecimal: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Black.
    public static let black = RGB(0, 0, 0)
    /// White.
    public static let white = RGB(255, 255, 255)

    /// The relative luminance from 0 (black) to 1 (white), as defined by WCAG 2.2.
    public var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio to another colour, from 1 to 21, as defined by WCAG 2.2.
    public func contrast(with other: RGB) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Returns a colour of the xterm palette, with xterm's defaults for the first sixteen.
    public static func ofPalette(_ index: UInt8) -> RGB {
        let (red, green, blue) = XtermPalette.components(Int(index))
        return RGB(UInt8(red), UInt8(green), UInt8(blue))
    }

    /// The nearest of the 240 palette colours that are the same in every terminal, and its number.
    @MainActor
    public var nearestInPalette: (index: UInt8, color: RGB) {
        let index = XtermPalette.nearest(Int(red), Int(green), Int(blue))
        return (UInt8(index), RGB.ofPalette(UInt8(index)))
    }

    /// Returns this colour, then steps towards white or black, whichever is further from the backgrounds, and then
    /// towards the other. The caller picks the first with enough contrast.
    public func steps(awayFrom grounds: [RGB], _ count: Int = 40) -> [RGB] {
        let isDark = grounds.reduce(0) { $0 + $1.luminance } / Double(max(1, grounds.count)) < 0.18
        return (isDark ? [RGB.white, .black] : [.black, .white]).flatMap { end in
            (0...count).map { mixed(with: end, Double($0) / Double(count)) }
        }
    }

    /// Whether it has a minimum contrast to each background.
    public func standsOut(from grounds: [RGB], _ contrast: Double) -> Bool {
        grounds.allSatisfy { self.contrast(with: $0) >= contrast }
    }

    /// Returns a mixture with another colour: this one at a share of 0, the other at 1.
    public func mixed(with other: RGB, _ share: Double) -> RGB {
        func part(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: (Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return RGB(part(red, other.red), part(green, other.green), part(blue, other.blue))
    }
}
