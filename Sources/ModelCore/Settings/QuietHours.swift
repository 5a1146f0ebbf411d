import Feeds
import Foundation
import Platform
import Races

/// Hours without notifications and automatic reloads, in local time, such as `22-7` or `22:30-6:45`.
struct QuietHours: Hashable, Sendable {
    /// The minute of the day.
    private let start: Int
    private let end: Int

    static let none = "none"

    /// - Returns: `nil` if the text is not a range of hours.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = QuietHours.minutes(parts[0]), let end = QuietHours.minutes(parts[1]) else {
            return nil
        }
        (self.start, self.end) = (start, end)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        guard (1...2).contains(numbers.count), let hour = numbers[0], (0...24).contains(hour) else { return nil }
        guard numbers.count == 2 else { return hour * 60 }
        guard let minute = numbers[1], (0..<60).contains(minute), hour < 24 || minute == 0 else { return nil }
        return hour * 60 + minute
    }

    func contain(_ instant: Instant) -> Bool {
        var local = tm()
        var seconds = time_t(instant.seconds)
        localtime_r(&seconds, &local)
        let now = Int(local.tm_hour) * 60 + Int(local.tm_min)
        return start <= end ? (start..<end).contains(now) : now >= start || now < end
    }
}

extension Settings {
    /// Whether an instant is within the user's quiet hours.
    package func isQuiet(at instant: Instant) -> Bool { QuietHours(self[.quietHours])?.contain(instant) ?? false }
}
