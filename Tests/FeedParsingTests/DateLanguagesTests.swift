import Foundation
import Testing

@testable import FeedParsing

/// Names of months, weekdays and time zones, dates inside text, and calendar days.
@Suite struct DateLanguagesTests {
    private static let months: [(language: String, names: String)] = [
        ("German", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        ("Austrian", "Jänner Feber Maerz April Mai Juni Juli August September Oktober November Dezember"),
        ("French", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        ("Italian", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        ("Spanish", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        ("Portuguese", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        ("Dutch", "januari februari maart april mei juni juli augustus september oktober november december"),
        (
            "Greek",
            "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου"
        ),
        (
            "Hungarian",
            "január február március április május június július augusztus szeptember október november december"
        ),
        (
            "Polish",
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
        ),
        ("Czech", "ledna února března dubna května června července srpna září října listopadu prosince"),
        ("Russian", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
        ("Ukrainian", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"),
        ("Turkish", "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık"),
        ("Swedish", "januari februari mars april maj juni juli augusti september oktober november december"),
        ("Danish", "januar februar marts april maj juni juli august september oktober november december"),
        ("Norwegian", "januar februar mars april mai juni juli august september oktober november desember"),
        (
            "Finnish",
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta"
        ),
        (
            "Romanian",
            "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"
        ),
        ("Indonesian", "januari februari maret april mei juni juli agustus september oktober november desember"),
        ("Arabic", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
        ("Hebrew", "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר"),
        ("Bulgarian", "януари февруари март април май юни юли август септември октомври ноември декември"),
        ("Serbian", "јануар фебруар март април мај јун јул август септембар октобар новембар децембар"),
        ("Slovak", "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra"),
        ("Estonian", "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember"),
        (
            "Lithuanian",
            "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio"
        ),
        (
            "Latvian",
            "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris"
        ),
        ("English", "January February March April May June July August September October November December"),
        ("short English", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
        ("longer English", "Janu Febr Marc Apri May June July Augu Sept Octob Novem Decem"),
    ]

    @Test func readsMonthsInEachLanguage() {
        for (language, names) in Self.months {
            let names = names.split(separator: " ")
            #expect(names.count == 12)
            for (index, name) in names.enumerated() {
                let expected = DateParser.instant(year: 2011, month: index + 1, day: 16)
                for text in ["16 \(name) 2011", "16. \(name.capitalized) 2011", "16 \(name) 2011 00:00:00 GMT"] {
                    #expect(DateParser.parse(text) == expected, "\(language): \(text)")
                }
                #expect(
                    DateFinder.first(in: "am 16 \(name) 2011.") == CalendarDay(year: 2011, month: index + 1, day: 16),
                    "\(language): \(name)")
            }
        }
    }

    /// Languages beyond the table, full names and abbreviations, words between the parts, and other digits.
    @Test(
        arguments: [
            ("5 de febrer de 2027", "2027-02-05T00:00:00Z"), ("ศ. 05 ก.พ. 2570 08:30 น.", "2027-02-05T08:30:00Z"),
            ("5 กุมภาพันธ์ 2570", "2027-02-05T00:00:00Z"),
            ("جمعه, 05 فوریه 2027 08:30:00 +0330", "2027-02-05T05:00:00Z"), ("٥ فبراير ٢٠٢٧", "2027-02-05T00:00:00Z"),
            ("शुक्र, 05 फ़र 2027 08:30:00 +0530", "2027-02-05T03:00:00Z"), ("5. veljače 2027.", "2027-02-05T00:00:00Z"),
            ("5. listopada 2027.", "2027-10-05T00:00:00Z"), ("5 listopada 2027", "2027-11-05T00:00:00Z"),
            ("5 თებერვალი 2027", "2027-02-05T00:00:00Z"), ("Thứ sáu, 05 Tháng Hai 2027 08:30", "2027-02-05T08:30:00Z"),
            ("5 tháng mười hai 2027", "2027-12-05T00:00:00Z"), ("Thứ sáu, 05/02/2027 08:30", "2027-02-05T08:30:00Z"),
            ("vendredi 05/02/2027", "2027-02-05T00:00:00Z"), ("Friday 05/02/2027", "2027-05-02T00:00:00Z"),
            ("5 февраля 2027 г., 08:30", "2027-02-05T08:30:00Z"), ("5 Şubat 2027 Cuma 08:30", "2027-02-05T08:30:00Z"),
            ("5 de febrero de 2027 a las 8:30", "2027-02-05T08:30:00Z"),
            ("1er février 2027 à 8h30", "2027-02-01T08:30:00Z"), ("Fr, 05 Mär 2027 08:30", "2027-03-05T08:30:00Z"),
            ("2027-02-05T08:30:00\u{2212}05:00", "2027-02-05T13:30:00Z"), ("2027-036", "2027-02-05T00:00:00Z"),
            ("2028-366T08:30Z", "2028-12-31T08:30:00Z"), ("2027-366", nil), ("2027-000", nil),
            ("2027-02-05T08:30:00+01:00[Europe/Rome]", "2027-02-05T07:30:00Z"), ("5 Feb 2027 08:30 XYZ", nil),
            ("5 words 2027", nil), ("۱۵ بهمن ۱۴۰۵", nil),
        ] as [(String, String?)])
    func readsDatesOfAllLanguages(text: String, expected: String?) {
        #expect(DateParser.parse(text).map(Timestamp.rfc3339) == expected)
    }

    @Test func readsTheUsualDateForm() {
        for (index, month) in ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            .enumerated()
        {
            for (zone, offset) in [("GMT", 0), ("+0000", 0), ("+0200", 7200), ("-0330", -12_600)] {
                for text in [
                    "Tue, 9 \(month) 2003 04:05:06 \(zone)", "Tue, 09 \(month) 2003 04:05:06 \(zone)",
                    "xxx, 09 \(month.uppercased()) 2003 04:05:06 \(zone)",
                ] {
                    #expect(
                        DateParser.parse(text)
                            == DateParser.instant(
                                year: 2003, month: index + 1, day: 9, hour: 4, minute: 5, second: 6, offset: offset),
                        "\(text)")
                }
            }
        }
        for text in [
            "Tue, 09 Jun 2003 04:05:06 +020", "Tue, 09 Jun 2003 04:05:06 GMTx", "Tue, 31 Jun 2003 04:05:06 GMT",
            "Tue, 09 Jun 2003 24:05:06 GMT",
        ] {
            #expect(
                DateParser.parse(text)
                    != DateParser.instant(year: 2003, month: 6, day: 9, hour: 4, minute: 5, second: 6), "\(text)")
        }
    }

    @Test func acceptsUnambiguousAbbreviationsOfMonths() {
        for (word, month) in [
            ("gen", 1), ("févr", 2), ("avr", 4), ("mag", 5), ("giu", 6), ("juil", 7), ("ago", 8), ("set", 9),
            ("ott", 10), ("dez", 12), ("déc", 12),
            ("ju", nil), ("jui", nil), ("ιου", nil), ("x", nil), ("maandag", nil),
        ] as [(String, Int?)] { #expect(DateLanguages.month(word) == month, "\(word)") }
    }

    @Test func ignoresWeekdays() {
        let weekdays = """
            Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday Tues Wednes Thur Thurs
            Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag lundi mardi mercredi jeudi vendredi samedi dimanche
            lunedì martedì mercoledì giovedì venerdì sabato domenica lunes martes miércoles jueves viernes sábado domingo
            segunda terça quarta quinta sexta segunda-feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
            Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο Κυριακή hétfő kedd szerda csütörtök péntek szombat vasárnap Mo Di Mi Do Fr Sa So
            """
        let expected = DateParser.instant(year: 2011, month: 11, day: 16, hour: 21, minute: 5)
        for day in weekdays.split(whereSeparator: \.isWhitespace) {
            for text in [
                "\(day), 16 Nov 2011 21:05", "\(day) 16 November 2011 21:05:00",
                "\(day.lowercased()). 16 Nov 2011 21:05 +0000",
            ] {
                #expect(DateParser.parse(text) == expected, "\(text)")
            }
        }
        for word in [
            "de", "del", "di", "den", "der", "le", "il", "el", "um", "uhr", "a", "h", "alle", "ore", "as", "om", "kl",
            "o", "º", "at", "of", "the",
        ] {
            #expect(DateParser.parse("\(word) 16 Nov 2011 21:05") == expected, "\(word)")
        }
        for word in ["blah", "montags", "xx"] {
            #expect(DateParser.parse("\(word) 16 Nov 2011 21:05") == nil, "\(word)")
        }
    }

    @Test func readsEveryTimeZone() {
        let zones: [(Double, String)] = [
            (0, "UT UTC GMT Z WET A B I K Y"), (1, "BST WEST CET MET MEZ"), (2, "CEST MEST MESZ EET SAST"),
            (3, "EEST MSK"), (4, "MSD"), (5.5, "IST"), (8, "AWST HKT SGT"), (9, "JST KST"), (9.5, "ACST"), (10, "AEST"),
            (11, "AEDT"), (12, "NZST"), (13, "NZDT"), (-2.5, "NDT"), (-3, "ADT BRT ART"), (-3.5, "NST"),
            (-4, "AST EDT AT"), (-5, "EST CDT ET"), (-6, "CST MDT CT"), (-7, "MST PDT MT"), (-8, "PST AKDT PT"),
            (-9, "AKST"), (-10, "HST"),
        ]
        let noon = Instant(1_072_958_400)
        for (hours, names) in zones {
            for name in names.split(separator: " ") {
                for text in [
                    "Thu, 01 Jan 2004 12:00:00 \(name)", "2004-01-01T12:00:00\(name)",
                    "1 Jan 2004 12:00 \(name.lowercased())",
                ] {
                    #expect(DateParser.parse(text) == noon - Int64(clamping: hours * 3600), "\(text)")
                }
            }
        }
        #expect(
            DateParser.parse("Thu, 01 Jan 2004 12:00:00 J") == nil
                && DateParser.parse("Thu, 01 Jan 2004 12:00:00 XYZ") == nil)
        #expect(DateParser.parse("2004-01-01T12:00:00J") == nil)
    }

    @Test func readsEastAsianDates() {
        for (text, expected) in [
            ("2011年11月16日 上午9:05", "2011-11-16T01:05:00Z"), ("2011年11月16日 上午12:05", "2011-11-15T16:05:00Z"),
            ("2011年11月16日 下午12:05", "2011-11-16T04:05:00Z"), ("2011年11月16日 下午1:05:09", "2011-11-16T05:05:09Z"),
            ("2011年11月16日 午前9時05分", "2011-11-16T00:05:00Z"), ("2011年11月16日 午前12時05分", "2011-11-15T15:05:00Z"),
            ("2011年11月16日 午後12時05分", "2011-11-16T03:05:00Z"), ("2011年11月16日(水) 9時05分", "2011-11-16T00:05:00Z"),
            ("2011年11月16日 9时05分", "2011-11-16T01:05:00Z"), ("2011年11月16日 9点05分", "2011-11-16T01:05:00Z"),
            ("2011年11月16日 星期三 13:05", "2011-11-16T13:05:00Z"), ("2011년 11월 16일 오전 9:05", "2011-11-16T00:05:00Z"),
            ("2011년 11월 16일 오전 12:05", "2011-11-15T15:05:00Z"), ("2011년 11월 16일 오후 12:05", "2011-11-16T03:05:00Z"),
            ("2011년 11월 16일 수요일", "2011-11-15T15:00:00Z"), ("2011年11月", nil), ("1899年11月16日", nil),
            ("2011年13月16日", nil), ("令和6年5月1日", "2024-05-01T00:00:00Z"), ("令和元年5月1日(水)", "2019-05-01T00:00:00Z"),
            ("平成30年12月31日 10時30分", "2018-12-31T01:30:00Z"), ("昭和64年1月7日", "1989-01-07T00:00:00Z"),
            ("民國113年5月1日 13:05", "2024-05-01T13:05:00Z"), ("西暦2024年5月1日", "2024-05-01T00:00:00Z"), ("元年5月1日", nil),
            ("6年5月1日", nil), ("2011年11月16日 9", nil), ("2011年11月16日 hello", nil), ("2011年11月16日 1:2:3:4", nil),
            ("2011年11月16日 25:05", nil),
        ] as [(String, String?)] { #expect(DateParser.parse(text).map(Timestamp.rfc3339) == expected, "\(text)") }
    }

    // MARK: Dates among other words

    @Test func findsDatesAmongWords() {
        for (text, day) in [
            ("2010-05-09", "2010-05-09"), ("on 2010/5/9, late", "2010-05-09"), ("2010.05.09", "2010-05-09"),
            ("2010. 5. 9.", "2010-05-09"), ("2010年5月9日", "2010-05-09"), ("2010년 5월 9일", "2010-05-09"),
            ("2010-05/09", nil), ("2010-5", nil), ("2010,5,9", nil), ("9.5.2010", "2010-05-09"),
            ("09/05/10", "2010-05-09"), ("5-9-2010", "2010-09-05"), ("13/05/2010", "2010-05-13"),
            ("05/13/2010", "2010-05-13"), ("9.5/2010", nil), ("9.5.210", nil), ("1-1-69", "2069-01-01"),
            ("1-1-70", nil), ("1-1-95", "1995-01-01"), ("31-12-94", nil), ("9 May 2010", "2010-05-09"),
            ("9. Mai 2010", "2010-05-09"), ("9 de mayo de 2010", "2010-05-09"), ("9-May-2010", "2010-05-09"),
            ("9th of May, 2010", "2010-05-09"), ("9º maggio 2010", "2010-05-09"), ("1ª de maio 2010", "2010-05-01"),
            ("2nd May 2010", "2010-05-02"), ("May 9, 2010", "2010-05-09"), ("May 9th 2010", "2010-05-09"),
            ("May 9th, 2010 at noon", "2010-05-09"), ("May 2010", nil), ("9 May 10", nil), ("9 words May 2010", nil),
            ("May the 9 2010", nil), ("Sunday, 9 May 2010 10:00", "2010-05-09"), ("31.2.2010", nil),
            ("31.2.2010 or 1.3.2010", "2010-03-01"), ("1994-12-31", nil), ("1994-12-31 1995-01-01", "1995-01-01"),
            ("123456789-05-09", nil), ("20100509", nil), ("", nil), ("no date", nil),
            ("9 أيار / مايو 2010", "2010-05-09"), ("9 May / June 2010", nil),
        ] as [(String, String?)] { #expect(DateFinder.first(in: text)?.text == day, "\(text)") }
        for (text, day) in [
            ("9/5/2010", "2010-09-05"), ("09-05-10", "2010-09-05"), ("9.5.2010", "2010-05-09"),
            ("13/5/2010", "2010-05-13"), ("12/12/2010", "2010-12-12"),
            ("5/13/2010", "2010-05-13"), ("2010-05-09", "2010-05-09"),
        ] { #expect(DateFinder.first(in: text, isMonthFirst: true)?.text == day, "\(text)") }
        for (count, isFound) in [(389, true), (390, false)] {
            let text = String(repeating: "a", count: count) + " 2010-05-09"
            #expect((DateFinder.first(in: text) != nil) == isFound)
        }
    }

    @Test func findsTheDateOfAnAddress() {
        for (path, day) in [
            ("2010/05/09/", "2010-05-09"), ("2010-05-09-hills", "2010-05-09"), ("20100509", "2010-05-09"),
            ("2010_5_9.html", "2010-05-09"), ("news/2010.05.09", "2010-05-09"), ("id-7/2010/05/09/x", "2010-05-09"),
            ("7/2010/05/09", "2010-05-09"), ("x?2010/05/09", nil), ("1995/01/01", "1995-01-01"), ("1994/12/31", nil),
            ("2099/12/31", "2099-12-31"), ("2100/01/01", nil), ("2010/13/09", nil), ("2010/05/32", nil),
            ("2010/005/09", nil), ("2010/05", nil), ("19940101/20100509", "2010-05-09"), ("201005091", nil),
            ("2010x05x09", nil), ("2010/05/3-hills", nil), ("2010/05/09-hills", nil), ("2010-05/09/x", "2010-05-09"),
            ("2010/05/09.html", "2010-05-09"), ("news/2010-05/09", "2010-05-09"), ("2010/hills/05/09", nil),
        ] as [(String, String?)] {
            #expect(DateFinder.first(inAddress: "https://a.example/" + path)?.text == day, "\(path)")
        }
    }

    // MARK: Days

    @Test func readsAndWritesDays() {
        for (text, isDay) in [
            ("2010-05-08", true), ("2008-02-29", true), ("2010-02-29", false), ("2010-5-8", false), ("10-05-08", false),
            ("2010-05", false), ("2010-05-08-", false), ("", false), ("2010-00-01", false), ("2010-12-31", true),
            ("+010-05-08", false), ("0001-01-01", true),
        ] { #expect(CalendarDay(text)?.text == (isDay ? text : nil), "\(text)") }
        let day = CalendarDay(year: 2010, month: 5, day: 8)
        #expect(
            day?.components.year == 2010 && day?.components.month == 5 && day?.components.day == 8 && day?.year == 2010)
        #expect(CalendarDay(year: 2010, month: 4, day: 31) == nil && CalendarDay(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test func countsDaysFromMidnightInUTC() {
        for (instant, number) in [
            (Instant(0), Int64(0)), (86_399, 0), (86_400, 1), (-1, -1), (-86_400, -1), (-86_401, -2),
            (.distantFuture, 10_000_000), (.distantPast, -10_000_000),
        ] { #expect(CalendarDay(instant: instant).number == number, "\(instant)") }
        for (number, kept) in [
            (Int64(10_000_000), Int64(10_000_000)), (10_000_001, 10_000_000), (-10_000_001, -10_000_000),
            (.max, 10_000_000),
        ] {
            #expect(CalendarDay(number: number).number == kept)
        }
    }

    @Test func weekdaysBeginOnMonday() {
        for (text, weekday) in [
            ("2010-05-03", 0), ("2010-05-04", 1), ("2010-05-05", 2), ("2010-05-06", 3), ("2010-05-07", 4),
            ("2010-05-08", 5), ("2010-05-09", 6),
            ("1970-01-01", 3), ("1969-12-31", 2), ("1969-12-29", 0), ("1969-12-28", 6),
        ] { #expect(CalendarDay(text)?.weekday == weekday, "\(text)") }
    }

    @Test func ordersDays() throws {
        let days = try ["1969-12-31", "1970-01-01", "2010-05-08", "2010-05-09"].map { try #require(CalendarDay($0)) }
        for (index, day) in days.enumerated() {
            for (other, later) in days.enumerated() { #expect((day < later) == (index < other)) }
        }
    }

    @Test func writesInstantsInTwoForms() {
        for (instant, rfc3339, rfc822) in [
            (Instant(0), "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
            (1_709_210_096, "2024-02-29T12:34:56Z", "Thu, 29 Feb 2024 12:34:56 GMT"),
            (-62_135_596_800, "0001-01-01T00:00:00Z", "Mon, 01 Jan 1 00:00:00 GMT"),
        ] {
            #expect(Timestamp.rfc3339(instant) == rfc3339 && Timestamp.rfc822(instant) == rfc822)
        }
        for month in 1...12 {
            let instant = DateParser.instant(year: 2023, month: month, day: 9, hour: 23, minute: 8, second: 7) ?? 0
            #expect(
                DateParser.parse(Timestamp.rfc822(instant)) == instant
                    && DateParser.parse(Timestamp.rfc3339(instant)) == instant)
        }
    }
}
