import CommonTesting
import Foundation
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Values that people and other programs write: addresses, days, names with passwords.
@Suite struct TypedValueTests {
    @Test(
        arguments: [
            ("a.example", "https://a.example"), (" https://a.example/x ", "https://a.example/x"),
            ("http://a.example", "http://a.example"),
            ("feed://a.example/x", "http://a.example/x"), ("FEED://a.example", "http://a.example"),
            ("itpc://a.example/x", "http://a.example/x"), ("pcast:http://a.example/x", "http://a.example/x"),
            ("http:/a.example/f", "http://a.example/f"), ("https:a.example/f", "https://a.example/f"),
            ("https://https://a.example/f", "https://a.example/f"), ("//a.example/f", "https://a.example/f"),
            ("https://http://a.example/f", "http://a.example/f"),
            ("HTTPS://A.example/f", "https://a.example/f"), ("a.example:8080/f", "https://a.example:8080/f"),
            ("http://feed:pw@a.example/f", "http://feed:pw@a.example/f"),
            ("ann:pw@a.example/f", "https://ann:pw@a.example/f"),
            ("magnet:?xt=urn:btih:a", nil), ("mailto:ann@a.example", nil), ("xmpp:ann@a.example", nil),
            ("feed:https://a.example/x", "https://a.example/x"), ("feed:a.example", "https://a.example"),
            ("file:///tmp", "file:///tmp"), ("file://%", nil), ("file:///a%ff", nil), ("file://other.example/a", nil),
            ("", nil), ("https://", nil), ("ftp://a.example", nil), ("https:///x", nil),
            ("javascript:x", "https://javascript:x"), ("/no/such/file", nil), ("~/no/such", nil), ("./no-such", nil),
            ("../no-such", nil),
        ])
    func readsTypedAddresses(text: String, expected: String?) {
        let address = try? FeedAddress.read(text).get()
        if text.hasPrefix("javascript") {
            #expect(address == nil || address?.hasPrefix("https://") == true)
        } else {
            #expect(address == expected)
        }
    }

    @Test func readsPathsAsFiles() throws {
        let temporary = TemporaryFolder()
        let file = temporary.url.appendingPathComponent("a b.xml")
        try Data().write(to: file)
        #expect(try FeedAddress.read(file.path).get() == file.standardized.absoluteString)
        #expect(throws: FeedAddress.Problem.self) { try FeedAddress.read(file.path + "x").get() }
        // Only a regular file can be a feed.
        for path in ["/", "/dev/null", "/dev/tty"] {
            #expect(throws: FeedAddress.Problem.self, "\(path)") { try FeedAddress.read(path).get() }
        }
    }

    @Test(arguments: [
        ("2010-05-08", 14_737, 5), ("1970-01-01", 0, 3), ("1969-12-31", -1, 2), ("2000-02-29", 11_016, 1),
        ("2026-11-22", 20_779, 6), ("0001-01-01", -719_162, 0), ("2024-12-30", 20_087, 0),
    ])
    func computesNumberAndWeekdayOfADay(text: String, number: Int64, weekday: Int) throws {
        let day = try #require(CalendarDay(text))
        #expect(day.number == number && day.weekday == weekday && day.text == text)
        let (year, month, date) = day.components
        #expect(text == String(format: "%04d-%02d-%02d", year, month, date))
        #expect(CalendarDay(number: number - 1) < day && !(day < day) && !(CalendarDay(number: number + 1) < day))
    }

    @Test(arguments: [
        "2010-5-08", "10-05-08", "2010-05-8", "2010-02-30", "2010-13-01", "2010-05", "2010-05-08T", "", "x",
    ])
    func rejectsInvalidDays(text: String) { #expect(CalendarDay(text) == nil) }

    @Test(
        arguments: [
            ("machine a.example login al password pw", "a.example", nil, "al:pw"),
            ("machine a.example\n  login al\n  password pw\n", "a.example", "al", "al:pw"),
            ("machine A.Example login al password pw", "a.example", nil, "al:pw"),
            ("machine b.example login x password y machine a.example login al password pw", "a.example", nil, "al:pw"),
            (
                "machine a.example login x password y\nmachine a.example login al password pw", "a.example", "al",
                "al:pw"
            ),
            ("default login al password pw", "a.example", nil, "al:pw"),
            ("# machine a.example login x password y\ndefault\tlogin al password pw", "a.example", nil, "al:pw"),
            ("machine a.example login al", "a.example", nil, nil),
            ("machine a.example password pw", "a.example", nil, nil),
            ("machine a.example login al password pw", "b.example", nil, nil),
            ("machine a.example login al password", "a.example", nil, nil),
            ("machine a.example login al password pw", "a.example", "bo", nil),
            ("login al password pw", "a.example", nil, nil),
            ("", "a.example", nil, nil), ("machine", "a.example", nil, nil),
            ("machine a.example account acc login al password pw\r\n", "a.example", nil, "al:pw"),
        ] as [(String, String, String?, String?)])
    func readsNetrcLikeOtherPrograms(text: String, host: String, user: String?, expected: String?) throws {
        let temporary = TemporaryFolder()
        let path = try temporary.write(text, to: "netrc")
        chmod(path, 0o600)
        let found = try? Netrc.find(host: host, user: user, in: path)
        #expect(found.map { "\($0.user):\($0.password)" } == expected)
        for mode in [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] as [mode_t] {
            chmod(path, mode)
            #expect(throws: SecretProblem.self) { try Netrc.find(host: host, user: user, in: path) }
        }
    }

    @Test func marksTheWordsOfAQuery() throws {
        let query = try SearchQuery("climb \"white roads\" giro* -rain feed:x is:unread")
        #expect(query.words == ["climb", "white roads", "giro"])
        let of = "{title author body} : "
        #expect(
            query.match == "((\(of)\"climb\" AND \(of)\"white roads\" AND \(of)\"giro\"*) NOT (\(of)\"rain\"))")
        for text in ["", "  ", "-rain", "\"\"", "- *"] {
            #expect(throws: SearchQuery.Problem.self, "\(text)") { try SearchQuery(text) }
        }
    }
}
