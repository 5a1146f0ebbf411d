/// Reads numbers, words, times and zones from the bytes of a date.
struct DateScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index >= bytes.count }
    var isAtDigit: Bool { isAtDigit(after: 0) }

    func isAtDigit(after count: Int) -> Bool { index + count < bytes.count && bytes[index + count].isDigit }

    func isAt(_ character: Unicode.Scalar) -> Bool { index < bytes.count && UInt32(bytes[index]) == character.value }

    mutating func advance() { index += 1 }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        index += 1
        return true
    }

    @discardableResult
    mutating func takeBlanks() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isBlank { index += 1 }
        return index > start
    }

    mutating func number(digits: Int) -> Int? { number(digits: digits...digits) }

    mutating func number(digits: ClosedRange<Int>) -> Int? {
        let start = index
        var value = 0
        var count = 0
        while isAtDigit, count < digits.upperBound {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
            count += 1
        }
        if count >= digits.lowerBound { return value }
        index = start
        return nil
    }

    mutating func skipSeparators(afterTime: Bool) {
        while index < bytes.count {
            let byte = bytes[index]
            let isSign = byte == UInt8(ascii: "-")
            // A hyphen separates the parts of a date, but after a time it may be a zone's sign.
            if byte.isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: ".") || (isSign && !isZoneSign(afterTime))
            {
                index += 1
            } else {
                return
            }
        }
    }

    private func isZoneSign(_ afterTime: Bool) -> Bool {
        guard index > 0, isAtDigit(after: 1) else { return false }
        return afterTime || bytes[index - 1].isBlank || (bytes[index - 1] | 0x20) == UInt8(ascii: "t")
    }

    /// Skips `st`, `nd`, `rd`, `th`, `er` or a full stop after a day.
    mutating func skipOrdinal() {
        guard index + 1 < bytes.count else { return }
        switch (bytes[index] | 0x20, bytes[index + 1] | 0x20) {
        case (UInt8(ascii: "s"), UInt8(ascii: "t")), (UInt8(ascii: "n"), UInt8(ascii: "d")),
            (UInt8(ascii: "r"), UInt8(ascii: "d")), (UInt8(ascii: "t"), UInt8(ascii: "h")),
            (UInt8(ascii: "e"), UInt8(ascii: "r")):
            index += 2
        default: break
        }
    }

    /// Skips the Chinese, Japanese or Korean word for a month after its number.
    mutating func takeMonthSign() -> Bool {
        for sign in ["月", "월"] where bytes[index...].starts(with: sign.utf8) {
            index += sign.utf8.count
            return true
        }
        return false
    }

    /// Whether a word at the beginning is a weekday in any language, because a comma or a full stop ends it, or because
    /// it isn't Latin.
    func endsWeekday(_ word: String) -> Bool {
        isAt(",") || isAt(".") || word.utf8.contains { $0 >= 0x80 } && !DateLanguages.isPartOfDay(word)
    }

    /// Reads a month by three letters of its English name.
    mutating func shortMonth() -> Int? {
        guard index + 3 <= bytes.count else { return nil }
        let letters = (bytes[index] | 0x20, bytes[index + 1] | 0x20, bytes[index + 2] | 0x20)
        let month: Int? = DateScanner.shortMonths.withUTF8Buffer { names in
            (0..<12).first { (names[$0 * 3], names[$0 * 3 + 1], names[$0 * 3 + 2]) == letters }
        }
        guard let month else { return nil }
        index += 3
        return month + 1
    }

    private static let shortMonths: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"

    mutating func timeAfterHour() -> (minute: Int, second: Int)? {
        guard take(":") || take("h"), let minute = number(digits: 1...2) else { return nil }
        guard take(":") else { return (minute, 0) }
        guard let second = number(digits: 1...2) else { return nil }
        if take(".") { while isAtDigit { index += 1 } }
        return isAt(":") ? nil : (minute, second)
    }

    /// Whether a year with a full stop follows.
    var isYearWithDot: Bool {
        var rest = self
        rest.takeBlanks()
        return rest.number(digits: 4) != nil && rest.isAt(".")
    }

    /// Reads a month after Vietnamese `tháng`, whose number may have two words.
    mutating func monthInWords() -> Int? {
        let start = index
        takeBlanks()
        let first = word()
        let afterFirst = index
        takeBlanks()
        if let month = DateLanguages.month(afterThang: first + " " + word()) { return month }
        index = afterFirst
        if let month = DateLanguages.month(afterThang: first) { return month }
        index = start
        return nil
    }

    /// Reads a word in lower case, with the full stops within Thai abbreviations.
    mutating func word() -> String {
        let start = index
        while index < bytes.count {
            let isLetter = bytes[index].isLetter || bytes[index] >= 0x80
            let isWithin =
                isAt(".") && index > start && bytes[index - 1] >= 0x80 && index + 1 < bytes.count
                && bytes[index + 1] >= 0xE0
            guard isLetter || isWithin else { break }
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    }

    /// Reads a zone: `Z`, a name, `+0200`, `+02:00` or `+2`.
    mutating func zone() -> Int? {
        let sign = isAt("-") ? -1 : 1
        guard take("+") || take("-") else { return DateNames.zone(word()) }
        let start = index
        guard let first = number(digits: 1...4) else { return nil }
        let digits = index - start
        if take(":") {
            guard let minutes = number(digits: 2) else { return nil }
            return sign * (first * 3600 + minutes * 60)
        }
        return digits <= 2 ? sign * first * 3600 : sign * (first / 100 * 3600 + first % 100 * 60)
    }
}
