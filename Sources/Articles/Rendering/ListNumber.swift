/// The numbering style of a list (the attribute `type` in HTML).
enum ListNumber: String {
    case decimal = "1"
    case lowerLetters = "a"
    case upperLetters = "A"
    case lowerRoman = "i"
    case upperRoman = "I"

    /// Returns the number of an item. Numbers that letters or Roman numerals don't have are decimal (CSS Counter Styles).
    func text(_ number: Int) -> String {
        switch self {
        case .decimal: String(number)
        case .lowerLetters: ListNumber.letters(number) ?? String(number)
        case .upperLetters: ListNumber.letters(number)?.uppercased() ?? String(number)
        case .lowerRoman: ListNumber.roman(number) ?? String(number)
        case .upperRoman: ListNumber.roman(number)?.uppercased() ?? String(number)
        }
    }

    private static func letters(_ number: Int) -> String? {
        guard number > 0 else { return nil }
        var (rest, text) = (number, "")
        while rest > 0 {
            rest -= 1
            text = String(UnicodeScalar(UInt8(0x61 + rest % 26))) + text
            rest /= 26
        }
        return text
    }

    private static let numerals = [
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
        (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]

    private static func roman(_ number: Int) -> String? {
        guard (1...3999).contains(number) else { return nil }
        var (rest, text) = (number, "")
        for (value, sign) in numerals {
            while rest >= value {
                text += sign
                rest -= value
            }
        }
        return text
    }
}
