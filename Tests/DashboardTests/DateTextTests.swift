import RaceModel
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Dates follow the user's language; the C library's patterns decide the order.
@Suite struct DateTextTests {
    /// Servers and other programs write arbitrary numbers as dates.
    @Test func describesAnyInstant() {
        let now: Instant = 1_795_176_000
        for instant in [
            .distantPast, .distantPast + 1, -62_135_596_801, -1, 0, now, now + 1, 253_402_300_800, .distantFuture - 1,
            .distantFuture,
        ] as [Instant] {
            for style in [DateText.Style.relative, .day, .iso] {
                let dates = DateText(style: style, now: now)
                #expect(!dates.short(instant).isEmpty && !dates.heading(instant).isEmpty, "\(instant)")
                #expect(!dates.distance(instant).isEmpty && !dates.distance(CalendarDay(instant: instant)).isEmpty)
            }
            #expect(!DateText.longDay(instant).isEmpty && !DateText.dayAndTime(instant).isEmpty)
            #expect(
                !DateText.shortDay(CalendarDay(instant: instant)).isEmpty && !CalendarDay(instant: instant).text.isEmpty
            )
        }
    }

    @Test func ordersDatePartsByLanguage() {
        let german = DatePatterns(dates: "%d.%m.%Y", times: "%T")
        #expect(german == DatePatterns())

        let american = DatePatterns(dates: "%m/%d/%Y", times: "%r")
        #expect(american.day == "%b %-d")
        #expect(american.longWeekday == "%A, %B %-d, %Y")
        #expect(american.time == "%-I:%M %p")
        #expect(DatePatterns(dates: "%D", times: "%T").dayAndYear == "%b %-d %Y")

        let japanese = DatePatterns(dates: "%Y年%m月%d日", times: "%H時%M分%S秒")
        #expect(japanese.day == "%-m月%-d日")
        #expect(japanese.longWeekday == "%Y年%-m月%-d日 %A")
        #expect(japanese.month == "%Y年%-m月")
        #expect(japanese.time == "%H:%M")
        #expect(DatePatterns(dates: "%Y년 %m월 %d일", times: "%T").dayAndYear == "%Y년 %-m월 %-d일")

        // A numeric date, as in Sweden and Hungary, doesn't determine how dates are spoken.
        #expect(DatePatterns(dates: "%Y-%m-%d", times: "%T") == DatePatterns())
        for broken in ["", "%", "%m", "%d%m", "m d Y", "%%%"] {
            #expect(DatePatterns(dates: broken, times: broken) == DatePatterns())
        }
    }
}
