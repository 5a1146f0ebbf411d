/// Finds dates in a text among other words, such as `Published on 9 May 2010 by …`.
package enum DateFinder {
    /// The number of characters to search.
    private static let longest = 400

    /// Returns the first date in a text, from 1995 on, since web pages are not older.
    ///
    /// - Parameter isMonthFirst: Whether `5/9/2010` means 9 May, as in America.
    package static func first(in text: String, isMonthFirst: Bool = false) -> CalendarDay? {
        let tokens = tokenize(text)
        for index in tokens.indices {
            if let day = date(at: index, of: tokens, isMonthFirst), day.year >= 1995 { return day }
        }
        return nil
    }

    private enum Token {
        case number(Int, digits: Int)
        case word(String)
        /// A character between words, other than white space.
        case sign(Character)
    }

    private static func tokenize(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text.prefix(longest)
        while let character = rest.first {
            if character.isWhitespace {
                rest = rest.dropFirst()
            } else if character.isASCII, character.isNumber {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                rest = rest[digits.endIndex...]
                tokens.append(digits.count <= 8 ? .number(Int(digits) ?? 0, digits: digits.count) : .sign("#"))
            } else if character.isLetter, character.unicodeScalars.first.map({ $0.value < 0x3000 }) == true {
                let word = rest.prefix { $0.isLetter && $0.unicodeScalars.first.map { $0.value < 0x3000 } == true }
                rest = rest[word.endIndex...]
                tokens.append(.word(word.lowercased()))
            } else {
                tokens.append(.sign(character))
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    private static func date(at index: Int, of tokens: [Token], _ isMonthFirst: Bool) -> CalendarDay? {
        switch tokens[index] {
        case .number(let value, let digits):
            if digits == 4 { return yearFirst(value, index, tokens) }
            guard digits <= 2 else { return nil }
            return numbers(value, index, tokens, isMonthFirst) ?? dayFirst(value, index, tokens)
        case .word(let word): return monthFirst(word, index, tokens)
        case .sign: return nil
        }
    }

    private static func number(_ index: Int, _ tokens: [Token], digits: ClosedRange<Int>) -> Int? {
        guard tokens.indices.contains(index), case .number(let value, let count) = tokens[index],
            digits.contains(count)
        else { return nil }
        return value
    }

    private static func sign(_ index: Int, _ tokens: [Token]) -> Character? {
        guard tokens.indices.contains(index), case .sign(let sign) = tokens[index] else { return nil }
        return sign
    }

    /// Parses `2010-05-09`, `2010. 5. 9.` or `2010年5月9日`.
    private static func yearFirst(_ year: Int, _ index: Int, _ tokens: [Token]) -> CalendarDay? {
        guard let first = sign(index + 1, tokens), let second = sign(index + 3, tokens),
            let month = number(index + 2, tokens, digits: 1...2), let day = number(index + 4, tokens, digits: 1...2)
        else { return nil }
        let isKnown = first == second && "-./".contains(first) || "年년".contains(first) && "月월".contains(second)
        return isKnown ? CalendarDay(year: year, month: month, day: day) : nil
    }

    /// Parses `9.5.2010`, `09/05/10` or `5-9-2010`.
    private static func numbers(
        _ first: Int, _ index: Int, _ tokens: [Token], _ isMonthFirst: Bool
    ) -> CalendarDay? {
        guard let sign = sign(index + 1, tokens), "-./".contains(sign), self.sign(index + 3, tokens) == sign,
            let second = number(index + 2, tokens, digits: 1...2),
            var year = number(index + 4, tokens, digits: 2...4)
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let isMonth = second > 12 || isMonthFirst && sign != "." && first <= 12
        return isMonth
            ? CalendarDay(year: year, month: first, day: second) : CalendarDay(year: year, month: second, day: first)
    }

    /// Skips words and characters between the parts of a date.
    private static func skipping(_ index: Int, _ tokens: [Token], maximum: Int = 2) -> Int {
        var index = index
        var left = maximum
        while left > 0, tokens.indices.contains(index) {
            switch tokens[index] {
            case .sign(let sign) where ".,،-/'’°".contains(sign): break
            case .word(let word) where connecting.contains(word): break
            default: return index
            }
            index += 1
            left -= 1
        }
        return index
    }

    private static let connecting: Set<String> = [
        "de", "del", "of", "st", "nd", "rd", "th", "er", "di", "den", "an", "º", "ª",
    ]

    private static func month(_ index: Int, _ tokens: [Token]) -> Int? {
        guard tokens.indices.contains(index), case .word(let word) = tokens[index] else { return nil }
        return DateNames.month(word)
    }

    /// Parses `9 May 2010`, `9. Mai 2010`, `9 de mayo de 2010` or `9º maggio 2010`. Arabic texts name a month twice.
    private static func dayFirst(_ day: Int, _ index: Int, _ tokens: [Token]) -> CalendarDay? {
        let place = skipping(index + 1, tokens)
        guard let month = month(place, tokens) else { return nil }
        var next = skipping(place + 1, tokens)
        if self.month(next, tokens) == month { next = skipping(next + 1, tokens) }
        guard let year = number(next, tokens, digits: 4...4) else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// Parses `May 9, 2010` or `May 9th 2010`.
    private static func monthFirst(_ word: String, _ index: Int, _ tokens: [Token]) -> CalendarDay? {
        guard let month = DateNames.month(word) else { return nil }
        let place = skipping(index + 1, tokens, maximum: 1)
        guard let day = number(place, tokens, digits: 1...2),
            let year = number(skipping(place + 1, tokens), tokens, digits: 4...4)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    // MARK: Addresses

    /// Returns the date in a web address: `/2010/05/09/`, `/2010-05-09-` or `/20100509`.
    package static func first(inAddress address: String) -> CalendarDay? {
        // The numbers of folders that consist of nothing else belong together, such as those of 2010-05/09.html.
        var together: [Substring] = []
        for folder in address.prefix(while: { $0 != "?" }).split(separator: "/") {
            let name = folder.hasSuffix("html") ? folder.prefix { $0 != "." } : folder
            let parts = name.split { !($0.isASCII && $0.isNumber) && !"-_.".contains($0) }
            if parts == [name] {
                together += name.split { !$0.isNumber }
                continue
            }
            for numbers in [together] + parts.map({ $0.split { !$0.isNumber } }) {
                if let day = day(in: numbers) { return day }
            }
            together = []
        }
        return day(in: together)
    }

    private static func day(in numbers: [Substring]) -> CalendarDay? {
        for index in numbers.indices {
            if numbers[index].count == 8, let value = Int(numbers[index]),
                let day = CalendarDay(year: value / 10_000, month: value / 100 % 100, day: value % 100),
                isPlausible(day)
            {
                return day
            }
            if let day = day(Array(numbers[index...].prefix(3))) { return day }
        }
        return nil
    }

    /// Returns the day that three numbers are, with the year at one end.
    private static func day(_ numbers: [Substring]) -> CalendarDay? {
        guard numbers.count == 3 else { return nil }
        for parts in [numbers, numbers.reversed()]
        where parts[0].count == 4 && (1...2).contains(parts[1].count) && (1...2).contains(parts[2].count) {
            guard let year = Int(parts[0]), let month = Int(parts[1]), let number = Int(parts[2]),
                let day = CalendarDay(year: year, month: month, day: number), isPlausible(day)
            else { continue }
            return day
        }
        return nil
    }

    private static func isPlausible(_ day: CalendarDay) -> Bool { (1995...2099).contains(day.year) }
}
