import FeedParsing
import Testing

/// Races in tables (RFC 4180) and calendars (RFC 5545).
@Suite struct RaceFormatTests {
    @Test func readsFieldsOfATable() {
        let table = SeparatedValues(
            "\u{FEFF}Number,Start , Note\r\n1,Asolo,\"a, \"\"b\"\"\nc\"\r\n\r\n2,,\"\"\n3,\"\"\"quoted\"\"\",x\"y\"z")
        #expect(table.headings == ["number", "start", "note"])
        #expect(table.rows.map(\.line) == [2, 5, 6])
        #expect(table.rows[0]["note"] == "a, \"b\" c" && table.rows[0]["start"] == "Asolo")
        #expect(table.rows[1]["start"] == nil && table.rows[1]["note"] == nil && table.rows[1]["nothing"] == nil)
        #expect(table.rows[2]["start"] == "\"quoted\"" && table.rows[2]["note"] == "xyz")
        // A semicolon separates if the heading has more of them; the first of two equal headings counts.
        let other = SeparatedValues("a;b;a\n1,5;2;3")
        #expect(other.rows[0]["a"] == "1,5" && other.rows[0]["b"] == "2")
        #expect(SeparatedValues("").rows.isEmpty && SeparatedValues("a,b").rows.isEmpty)
        // The last quotation mark may be missing.
        #expect(SeparatedValues("a\n\"b, c").rows[0]["a"] == "b, c")
    }

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
