/// Times as race results show them.
package enum RaceTime {
    /// Returns the seconds of `4:12:33`, `12:33` or `+33`, or `nil` for any other text.
    package static func seconds(_ text: String) -> Int? {
        let clean = text.drop { $0 == "+" || $0 == " " }
        let parts = clean.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count),
            parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isASCII) })
        else { return nil }
        var seconds = 0
        for (place, part) in parts.enumerated() {
            guard part.allSatisfy(\.isNumber), let number = Int(part), place == 0 || number < 60 else { return nil }
            seconds = seconds * 60 + number
        }
        return seconds
    }

    /// Returns a time such as `4:12:33`, `1:05` or `0:33`.
    package static func text(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
