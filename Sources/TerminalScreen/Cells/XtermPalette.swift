/// The 256 colours of the xterm palette: sixteen, a cube and greys.
enum XtermPalette {
    /// xterm's defaults for the sixteen colours.
    static let ansiColors: [(Int, Int, Int)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    private static let cubeLevels = [0, 95, 135, 175, 215, 255]

    static func components(_ index: Int) -> (Int, Int, Int) {
        switch index {
        case 0..<16: return ansiColors[index]
        case 16..<232:
            let value = index - 16
            return (cubeLevels[value / 36], cubeLevels[value / 6 % 6], cubeLevels[value % 6])
        default:
            let grey = 8 + (index - 232) * 10
            return (grey, grey, grey)
        }
    }

    /// Returns the nearest colour in the palette's cube and greys.
    static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        let (r, g, b) = (level(red), level(green), level(blue))
        let cube = 16 + 36 * r + 6 * g + b
        let average = (red + green + blue) / 3
        let grey = 232 + max(0, min(23, (average - 3) / 10))
        let wanted = (red, green, blue)
        return distance(components(grey), wanted) < distance(components(cube), wanted) ? grey : cube
    }

    static func nearestAnsi(_ color: (Int, Int, Int)) -> Int {
        ansiColors.indices.min { distance(ansiColors[$0], color) < distance(ansiColors[$1], color) } ?? 7
    }

    private static func distance(_ left: (Int, Int, Int), _ right: (Int, Int, Int)) -> Int {
        let (red, green, blue) = (left.0 - right.0, left.1 - right.1, left.2 - right.2)
        return red * red + green * green + blue * blue
    }
}
