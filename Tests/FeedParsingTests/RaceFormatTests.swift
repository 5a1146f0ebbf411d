import FeedParsing
import Testing

/// Races in calendars (RFC 5545).
@Suite struct RaceFormatTests {
    @Test func readsEventsOfACalendar() {
        let calendar = CalendarFile(
            """
            BEGIN:VCALENDAR\r
            X-WR-CALNAME:A tour\\, in spring\r
            BEGIN:VEVENT\r
            DTSTART;TZID="Europe/Rome: summer":20260510T123000\r
            SUMMARY:Stage 1: A\\nB \\\\n\r
             \\;C\r
            URL;VALUE=URI:https://race.example/1?a:b\r
            BEGIN:VALARM\r
            SUMMARY:Wake up\r
            END:VALARM\r
            END:VEVENT\r
            BEGIN:vevent\r
            DTSTART:tomorrow\r
            summary:\r
            END:vevent\r
            BEGIN:VEVENT\r
            DTSTART:20260511\r
            END:VEVENT\r
            END:VCALENDAR\r

            """, maximumEvents: 2)
        #expect(calendar.name == "A tour, in spring")
        #expect(calendar.events.count == 2)
        #expect(calendar.events[0].day == "2026-05-10")
        #expect(calendar.events[0]["SUMMARY"] == "Stage 1: A B \\n;C")
        #expect(calendar.events[0]["URL"] == "https://race.example/1?a:b")
        #expect(calendar.events[1].day == nil && calendar.events[1]["SUMMARY"] == nil)
    }
}
