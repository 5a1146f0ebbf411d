import CNcurses

/// Finds ncurses' colour pair for the colours of a cell, as close as the terminal can show them.
@MainActor
struct ColorPalette {
    private let depth: TerminalCapabilities.ColorDepth
    private let hasBright: Bool
    private var pairs: [UInt64: Int32] = [:]

    /// The maximum number of pairs in ncurses. When all are used, the table starts again.
    private static let capacity = 32_767

    /// - Parameter hasBright: Whether sixteen colours can be selected, and not only eight.
    init(depth: TerminalCapabilities.ColorDepth, hasBright: Bool = true) {
        self.depth = depth
        self.hasBright = hasBright
    }

    mutating func look(of cell: Cell) -> (pair: Int32, attributes: UInt16) {
        guard depth != .none else { return (0, cell.look) }
        if cell.foreground == 0, cell.background == 0 { return (0, cell.look) }
        var attributes = cell.look
        let foreground = resolve(Color(rawBits: cell.foreground), &attributes, isForeground: true)
        let background = resolve(Color(rawBits: cell.background), &attributes, isForeground: false)
        if foreground < 0, background < 0 { return (0, attributes) }
        return (pair(foreground, background), attributes)
    }

    /// Returns the SGR sequence for a cell's style, for output that bypasses ncurses.
    func sequence(of cell: Cell) -> String {
        var attributes = cell.look
        var colors: [(base: Int, number: Int32)] = []
        if depth != .none {
            colors = [
                (30, resolve(Color(rawBits: cell.foreground), &attributes, isForeground: true)),
                (40, resolve(Color(rawBits: cell.background), &attributes, isForeground: false)),
            ]
        }
        let names: [(TextAttributes, Int)] = [
            (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7), (.struck, 9),
        ]
        var numbers = [0] + names.filter { TextAttributes(rawValue: attributes).contains($0.0) }.map(\.1)
        for (base, number) in colors {
            switch Int(number) {
            case ..<0: break
            case let number where number < 8: numbers.append(base + number)
            case let number where number < 16: numbers.append(base + 60 + number - 8)
            case let number where number < 256: numbers += [base + 8, 5, number]
            case let number: numbers += [base + 8, 2, number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF]
            }
        }
        return "\u{1B}[" + numbers.map(String.init).joined(separator: ";") + "m"
    }

    private mutating func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
        let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
        if let known = pairs[key] { return known }
        if pairs.count >= ColorPalette.capacity { pairs.removeAll() }
        let number = Int32(pairs.count + 1)
        pairs[key] = number
        cnc_init_pair(number, foreground, background)
        return number
    }

    private func resolve(_ color: Color, _ attributes: inout UInt16, isForeground: Bool) -> Int32 {
        switch (color.kind, depth) {
        case (.standard, _): return -1
        case (.picture(let number), _): return Int32(number)
        case (.palette(let index), .direct), (.palette(let index), .palette): return Int32(index)
        case (.palette(let index), _):
            let nearest = index < 16 ? index : XtermPalette.nearestAnsi(XtermPalette.components(index))
            return sixteen(nearest, &attributes, isForeground: isForeground)
        case (.rgb(let red, let green, let blue), .direct):
            return Int32(ColorPalette.directNumber(red, green, blue))
        case (.rgb(let red, let green, let blue), .palette):
            return Int32(XtermPalette.nearest(red, green, blue))
        case (.rgb(let red, let green, let blue), _):
            return sixteen(XtermPalette.nearestAnsi((red, green, blue)), &attributes, isForeground: isForeground)
        }
    }

    /// Uses bold for bright colours if ncurses has only eight.
    private func sixteen(_ index: Int, _ attributes: inout UInt16, isForeground: Bool) -> Int32 {
        if index < 8 || hasBright { return Int32(index) }
        if isForeground {
            let added: TextAttributes = index == 8 ? .dim : .bold
            attributes = TextAttributes(rawValue: attributes).union(added).shown.rawValue
        }
        return index == 8 ? -1 : Int32(index - 8)
    }

    /// Returns the number for red, green and blue. Numbers below 256 belong to the palette, so the darkest blues and
    /// black get one more unit of green.
    static func directNumber(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        let number = red << 16 | green << 8 | blue
        return number < 256 ? number | 256 : number
    }
}
