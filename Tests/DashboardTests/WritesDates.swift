import RaceModel
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Dates in lists, headings and distances: every format at its boundaries, in the order day, month, year.
@Suite struct WritesDates {
    /// Friday 20 November 2026, 12:00 UTC.
    private static let now: Instant = 1_795_176_000
    private static let (minute, hour, day): (Int64, Int64, Int64) = (60, 3600, 86_400)

    init() { useTimeZone() }

    @Test func coarsensRelativeDatesWithAge() {
        let (minute, hour, day) = (WritesDates.minute, WritesDates.hour, WritesDates.day)
        let dates: [(Int64, String)] = [
            (0, "now"), (59, "now"), (minute, "1 min"), (2 * minute - 1, "1 min"), (2 * minute, "2 min"),
            (hour - 1, "59 min"), (hour, "1 h"), (2 * hour, "2 h"), (day - 1, "23 h"), (day, "Thu 12:00"),
            (6 * day - 1, "Sat 12:00"), (6 * day, "14 Nov"), (300 * day, "24 Jan"), (330 * day, "25 Dec 2025"),
            (-1, "20 Nov"), (-day, "21 Nov"), (-60 * day, "19 Jan"),
        ]
        let text = DateText(style: .relative, now: WritesDates.now)
        for (age, date) in dates { #expect(text.short(WritesDates.now - age).string == date, "\(age)") }
    }

    /// Headings are the days of this week, the months of this year, and earlier years.
    @Test func headsByDaysThenMonths() {
        let day = WritesDates.day
        let dates = DateText(style: .relative, now: WritesDates.now)
        let midnight = WritesDates.now - 12 * WritesDates.hour
        let headings: [(Instant, String)] = [
            (midnight + 2 * day, "Upcoming"), (midnight + day, "Upcoming"), (midnight + day - 1, "Today"),
            (midnight, "Today"), (midnight - 1, "Yesterday"), (midnight - day, "Yesterday"),
            (midnight - day - 1, "Wednesday"), (midnight - 6 * day, "Saturday"), (midnight - 6 * day - 1, "November"),
            (midnight - 20 * day, "October"), (midnight - 323 * day, "January"), (midnight - 324 * day, "2025"),
        ]
        for (instant, heading) in headings { #expect(dates.heading(instant).string == heading, "\(instant)") }
    }

    @Test func writesDistancesInTheLargestUnit() {
        let dates = DateText(style: .relative, now: WritesDates.now)
        let distances: [(Int64, String)] = [
            (0, "now"), (59, "now"), (-59, "now"), (60, "1 minute ago"), (-60, "in 1 minute"),
            (120, "2 minutes ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"), (-7200, "in 2 hours"),
            (86_399, "23 hours ago"), (86_400, "1 day ago"), (604_799, "6 days ago"), (604_800, "1 week ago"),
            (2_629_745, "4 weeks ago"), (2_629_746, "1 month ago"), (31_556_951, "11 months ago"),
            (31_556_952, "1 year ago"), (-63_113_904, "in 2 years"),
        ]
        for (age, text) in distances { #expect(dates.distance(WritesDates.now - age).string == text, "\(age)") }
        #expect(DateText.duration(59).string == "less than a minute")
        #expect(DateText.duration(60).string == "1 minute" && DateText.duration(7200).string == "2 hours")
    }
}
