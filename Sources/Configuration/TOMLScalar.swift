import Platform

/// Values without quotes or brackets: Booleans, numbers, dates and times.
enum TOMLScalar {
    /// Returns the value of a word, or `nil` if it is invalid.
    static func read(_ word: String) -> TOMLValue.Kind? {
        switch word {
        case "true": .boolean(true)
        case "false": .boolean(false)
        default:
            integer(word).map { .integer($0) } ?? float(word).map { .float($0) } ?? (isDate(word) ? .date(word) : nil)
        }
    }

    // MARK: Numbers

    /// Returns the digits of a number without `_`, which must be between two digits. Returns `nil` for anything else.
    private static func digits(_ text: Substring, radix: Int) -> String? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
                }
        }
        return isNumber ? parts.joined() : nil
    }

    private static func integer(_ text: String) -> Int64? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            return digits(text.dropFirst(2), radix: radix).flatMap { Int64($0, radix: radix) }
        }
        let sign = text.prefix { $0 == "+" || $0 == "-" }
        guard sign.count <= 1, let digits = digits(text.dropFirst(sign.count), radix: 10) else { return nil }
        guard digits == "0" || !digits.hasPrefix("0") else { return nil }
        return Int64(sign + digits)
    }

    /// Whether an invalid word is a decimal integer of more than 64 bits.
    static func isTooLarge(_ word: String) -> Bool {
        let sign = word.prefix { $0 == "+" || $0 == "-" }
        guard sign.count <= 1, let digits = digits(word.dropFirst(sign.count), radix: 10) else { return false }
        return !digits.hasPrefix("0")
    }

    private static func float(_ text: String) -> Double? {
        let sign = text.prefix { $0 == "+" || $0 == "-" }
        let rest = text.dropFirst(sign.count)
        guard sign.count <= 1 else { return nil }
        if rest == "inf" { return sign == "-" ? -.infinity : .infinity }
        if rest == "nan" { return .nan }
        let halves = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count + halves.count > 2, parts.allSatisfy({ digits($0, radix: 10) != nil })
        else {
            return nil
        }
        guard parts[0] == "0" || !parts[0].hasPrefix("0") else { return nil }
        if halves.count == 2 {
            let exponent = halves[1].drop { $0 == "+" || $0 == "-" }
            guard halves[1].count - exponent.count <= 1, digits(exponent, radix: 10) != nil else { return nil }
        }
        return Double(text.replacing("_", with: ""))
    }

    // MARK: Dates and times

    /// Whether a word is a valid date such as `2026-11-22`.
    static func isDay(_ word: String) -> Bool {
        var rest = word.utf8[...]
        return takeDay(&rest) && rest.isEmpty
    }

    /// Whether an invalid word was meant as a date or time: it starts with a year and a hyphen, or an hour and a colon.
    static func looksLikeDate(_ word: String) -> Bool {
        let mark = word.utf8.drop { (0x30...0x39).contains($0) }
        let count = word.utf8.count - mark.count
        return count >= 4 && mark.first == UInt8(ascii: "-")
            || (1...2).contains(count) && mark.first == UInt8(ascii: ":")
    }

    /// Whether a word is a date, a time, or both with or without an offset (RFC 3339; in TOML seconds are optional).
    private static func isDate(_ word: String) -> Bool {
        var rest = word.utf8[...]
        guard rest.dropFirst(2).first != UInt8(ascii: ":") else { return takeTime(&rest) && rest.isEmpty }
        guard takeDay(&rest) else { return false }
        if rest.isEmpty { return true }
        guard "Tt ".utf8.contains(rest.removeFirst()), takeTime(&rest) else { return false }
        return rest.isEmpty || takeOffset(&rest) && rest.isEmpty
    }

    private static func takeDay(_ rest: inout Substring.UTF8View) -> Bool {
        guard let year = number(4, 0...9999, &rest), take("-", &rest), let month = number(2, 1...12, &rest),
            take("-", &rest), let day = number(2, 1...31, &rest)
        else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1]
    }

    /// Reads a time. 60 seconds are allowed for leap seconds.
    private static func takeTime(_ rest: inout Substring.UTF8View) -> Bool {
        guard number(2, 0...23, &rest) != nil, take(":", &rest), number(2, 0...59, &rest) != nil else { return false }
        guard take(":", &rest) else { return true }
        guard number(2, 0...60, &rest) != nil else { return false }
        guard take(".", &rest) else { return true }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private static func takeOffset(_ rest: inout Substring.UTF8View) -> Bool {
        if take("Z", &rest) || take("z", &rest) { return true }
        return (take("+", &rest) || take("-", &rest)) && number(2, 0...23, &rest) != nil && take(":", &rest)
            && number(2, 0...59, &rest) != nil
    }

    private static func take(_ mark: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits in a range.
    private static func number(_ count: Int, _ range: ClosedRange<Int>, _ rest: inout Substring.UTF8View) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(value) ? value : nil
    }
}
