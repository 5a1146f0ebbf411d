import Foundation
import ModelCore
import RaceModel
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Dates in lists: headings, short dates and distances at every boundary.
@MainActor
@Suite struct FormatsDates {
    /// Friday 20 November 2026, 12:00 UTC.
    private static let now = DashboardScreen.now
    private static let day: Int64 = 86_400
    /// The midnight before.
    private static let midnight = now - 43_200

    private func dates(_ style: DateText.Style = .relative, now: Instant = FormatsDates.now, zone: String = "UTC")
        -> DateText
    {
        useTimeZone(zone)
        return DateText(style: style, now: now)
    }

    @Test func headingsChangeAtMidnight() {
        let (day, midnight) = (FormatsDates.day, FormatsDates.midnight)
        let table: [(instant: Instant, heading: String)] = [
            (midnight + 30 * day, "Upcoming"), (midnight + day, "Upcoming"), (midnight + day - 1, "Today"),
            (FormatsDates.now + 1, "Today"), (FormatsDates.now, "Today"), (midnight, "Today"),
            (midnight - 1, "Yesterday"), (midnight - day, "Yesterday"),
            (midnight - day - 1, "Wednesday"), (midnight - 2 * day, "Wednesday"), (midnight - 3 * day, "Tuesday"),
            (midnight - 4 * day, "Monday"), (midnight - 5 * day, "Sunday"), (midnight - 6 * day, "Saturday"),
            // A week ago, the weekday would equal today's.
            (midnight - 6 * day - 1, "November"), (midnight - 7 * day, "November"), (midnight - 19 * day, "November"),
            (midnight - 19 * day - 1, "October"), (midnight - 323 * day, "January"),
            (midnight - 323 * day - 1, "2025"), (midnight - 365 * day, "2025"), (0, "1970"),
        ]
        let dates = dates()
        for (instant, heading) in table { #expect(dates.heading(instant).string == heading, "\(instant)") }
    }

    /// In January, the last days of December may belong to this week, and earlier days have the heading of its year.
    @Test func headsMonthsOfThePreviousYear() {
        // Saturday 2 January 2027, 12:00.
        let now: Instant = 1_798_891_200
        let dates = dates(now: now)
        #expect(dates.heading(now - 2 * FormatsDates.day).string == "Thursday")
        #expect(dates.heading(now - 7 * FormatsDates.day).string == "2026")
        #expect(dates.short(now - 7 * FormatsDates.day).string == "26 Dec 2026")
        #expect(dates.short(now - 2 * FormatsDates.day).string == "Thu 12:00")
    }

    /// A date below a heading leaves out what that says. Full dates stay full.
    @Test func datesDontRepeatTheirHeading() {
        let (now, day) = (FormatsDates.now, FormatsDates.day)
        let dates = dates()
        for (age, text) in [
            (7_200, "2 h"), (day, "12:00"), (3 * day, "12:00"), (7 * day, "Fri 13"), (40 * day, "Sun 11"),
            (324 * day, "31 Dec"), (5_000 * day, "13 Mar"), (-day, "21 Nov"),
        ] {
            #expect(dates.short(now - age, under: dates.level(now - age)).string == text, "\(age)")
        }
        #expect(dates.short(now - 40 * day, under: .thisYear).string == "11 Oct")
        let iso = self.dates(.iso)
        #expect(iso.short(now - 400 * day, under: .year) == iso.short(now - 400 * day))
        #expect(self.dates(.day).short(now - 400 * day, under: .year).string == "16 Oct")
        #expect(self.dates(.day).short(now - day, under: .yesterday).string == "19 Nov 2026")
    }

    /// With fewer than four entries a month, the months of this year have one heading.
    @Test func joinsTheMonthsOfSparseLists() {
        let (now, day) = (FormatsDates.now, FormatsDates.day)
        let found = [0, 1, 3, 7, 40, 300, 400].map { dates().heading(now - $0 * day, isSparse: true).string }
        #expect(
            found == [
                "Today", "Yesterday", "Tuesday", "Earlier this year", "Earlier this year", "Earlier this year", "2025",
            ])
        #expect(!DateText.isSparse(4, over: 30 * day) && DateText.isSparse(4, over: 30 * day + 1))
        #expect(!DateText.isSparse(0, over: 0) && DateText.isSparse(64, over: .max))
    }

    /// Headings are less than a quarter of a list with an entry a month.
    @Test func headsListsOfFewEntriesByYear() async throws {
        let items = (0..<60).map { (title: "Entry \($0)", age: Int64($0) * 30 * FormatsDates.day + 3_600) }
        let dashboard = try await DashboardScreen(
            120, 39, feeds: [("https://alpha.example/feed", FeedWalk.atom("Alpha", items))])
        dashboard.set("off", for: SettingKey<Bool>.excerpts.name)
        #expect(await dashboard.screen.press("enter", until: "Entry 20 "))
        let list = dashboard.column(0..<45)
        let headings = list.filter { $0.contains("───") }.dropFirst().map { $0.split(separator: " ")[0] }
        #expect(headings == ["Today", "Earlier", "2025", "2024"], "\(dashboard.screen.text)")
        #expect(list.contains { $0.contains("Entry 1 ") && $0.contains("21 Oct ") })
        #expect(list.contains { $0.contains("Entry 12 ") && $0.contains("25 Nov ") })
        // A low list has no headings, so dates have their years.
        dashboard.screen.resize(120, 10)
        dashboard.screen.press("G")
        #expect(dashboard.column(0..<45).contains { $0.contains("Entry 59 ") && $0.contains(" 2022 ") })
    }

    /// Days follow the user's time zone.
    @Test func headingsFollowTheTimeZone() {
        defer { _ = dates() }
        for (zone, offset) in [("ABC-10", 10), ("ABC11", -11), ("UTC", 0)] as [(String, Int64)] {
            // 23:59 local time.
            let now = FormatsDates.midnight + FormatsDates.day - 60 - offset * 3600
            let dates = dates(now: now, zone: zone)
            #expect(dates.heading(now).string == "Today", "\(zone)")
            #expect(dates.heading(now + 60).string == "Upcoming", "\(zone)")
            #expect(dates.heading(now - FormatsDates.day + 59).string == "Yesterday", "\(zone)")
            #expect(dates.heading(now - FormatsDates.day + 60).string == "Today", "\(zone)")
            #expect(DateText.clock(now).string == "23:59", "\(zone)")
            #expect(dates.today == CalendarDay(instant: FormatsDates.midnight), "\(zone)")
        }
    }

    @Test func shortDatesChangeWithTheirAge() {
        let now = FormatsDates.now
        let table: [(age: Int64, text: String)] = [
            (-86_400, "21 Nov"), (-1, "20 Nov"), (0, "now"), (59, "now"), (60, "1 min"), (119, "1 min"), (120, "2 min"),
            (3599, "59 min"), (3600, "1 h"), (86_399, "23 h"), (86_400, "Thu 12:00"), (6 * 86_400 - 1, "Sat 12:00"),
            (6 * 86_400, "14 Nov"), (323 * 86_400, "1 Jan"), (324 * 86_400, "31 Dec 2025"),
        ]
        let dates = dates()
        for (age, text) in table { #expect(dates.short(now - age).string == text, "\(age)") }
        for age: Int64 in table.map({ $0.age }) + [330 * 86_400] {
            let iso = Date(timeIntervalSince1970: Double((now - age).seconds)).formatted(.iso8601)
            let expected = "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5))"
            #expect(self.dates(.iso).short(now - age).string == expected, "\(age)")
            #expect(self.dates(.day).short(now - age).string.hasSuffix(age > 323 * 86_400 ? "2025" : "2026"), "\(age)")
        }
        #expect(self.dates(.iso).short(now - 3600).string == "2026-11-20 11:00")
        for (age, text) in [
            (0, "20 Nov 2026"), (3600, "20 Nov 2026"), (330 * 86_400, "25 Dec 2025"), (-86_400, "21 Nov 2026"),
        ] as [(Int64, String)] { #expect(self.dates(.day).short(now - age).string == text) }
    }

    @Test func distancesCountWholeUnits() {
        let dates = dates()
        let units: [(length: Int64, name: String)] = [
            (60, "minute"), (3600, "hour"), (86_400, "day"), (604_800, "week"), (2_629_746, "month"),
            (31_556_952, "year"),
        ]
        for (index, (length, name)) in units.enumerated() {
            #expect(DateText.duration(length).string == "1 \(name)")
            #expect(DateText.duration(2 * length - 1).string == "1 \(name)")
            #expect(DateText.duration(2 * length).string == "2 \(name)s")
            let smaller = index == 0 ? "less than a minute" : units[index - 1].name
            #expect(DateText.duration(length - 1).string.contains(smaller))
            #expect(dates.distance(FormatsDates.now - length).string == "1 \(name) ago")
            #expect(dates.distance(FormatsDates.now + length).string == "in 1 \(name)")
        }
        for age in [-59, 0, 59] as [Int64] { #expect(dates.distance(FormatsDates.now - age).string == "now") }
        let today = dates.today.number
        for (days, words) in [
            (0, "today"), (1, "tomorrow"), (-1, "yesterday"), (2, "in 2 days"), (-2, "2 days ago"), (7, "in 1 week"),
            (-7, "1 week ago"),
        ] as [(Int64, String)] {
            #expect(dates.distance(CalendarDay(number: today + days)).string == words)
        }
    }

    @Test func formatsDaysAndTimesByLanguage() {
        let dates = dates()
        let instant = FormatsDates.now + 5 * 60
        #expect(DateText.longDay(instant).string == "Friday 20 November 2026")
        #expect(DateText.time(instant).string == "12:05 UTC" && DateText.time(FormatsDates.now).string == "12:00 UTC")
        #expect(DateText.clock(instant).string == "12:05" && DateText.clock(instant + 240).string == "12:09")
        #expect(DateText.dayAndTime(instant).string == "20 Nov 2026, 12:05")
        #expect(DateText.dayAndTime(FormatsDates.now).string == "20 Nov 2026, 12:00")
        let day = CalendarDay(instant: FormatsDates.now)
        #expect(day == CalendarDay(instant: FormatsDates.midnight) && day == dates.today)
        #expect(DateText.shortDay(day).string == "Fri 20 Nov")
        #expect(DateText.longDay(day).string == "Friday 20 November 2026")
        #expect(DateText.month(day).string == "November 2026")
    }

    /// The list shows each heading once, above its first entry, in either order.
    @Test(arguments: FeedWalk.orders) func groupsEntriesUnderHeadings(order: String) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        func lines() -> [String] {
            dashboard.column(0..<44).filter { $0.contains("──") || $0.contains("● ") }.map {
                String($0.drop { !$0.isLetter }.prefix { $0.isLetter || $0.isNumber })
            }.filter { !$0.isEmpty }
        }
        let groups = [["Today", "A1"], ["Yesterday", "A2", "A3"], ["Earlier", "A4", "A5"]]
        let expected =
            order == "newest first" ? groups : groups.reversed().map { [$0[0]] + $0.dropFirst().reversed() }
        #expect(lines() == expected.flatMap { $0 }, "\(dashboard.screen.text)")
    }

    /// Search results aren't ordered by day and have no headings.
    @Test func searchResultsHaveNoHeadings() async throws {
        let dashboard = try await FeedWalk.dashboard()
        dashboard.screen.press("S", typing: "words", then: "enter")
        #expect(await dashboard.screen.wait(for: "A4"))
        for heading in ["Today", "Yesterday", "November", "October"] {
            #expect(!dashboard.screen.text.contains("\(heading) ─"), "\(dashboard.screen.text)")
        }
    }
}
