import Testing

@testable import FeedParsing

@Suite struct DateParserTests {
    @Test(arguments: [
        ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"), ("01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
        ("Thu, 1 Jan 04 19:48 EST", "2004-01-02T00:48:00Z"), ("Thu,  5 Apr 2012 10:00:00 GMT", "2012-04-05T10:00:00Z"),
        ("Wed, 19 Aug 2009 18:28:00 +02:00", "2009-08-19T16:28:00Z"),
        ("Mon, 26 January 2004 16:31:00", "2004-01-26T16:31:00Z"),
        ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z"), ("2003-12-31T10:14:55.7-08:00", "2003-12-31T18:14:55Z"),
        ("2003-12-31", "2003-12-31T00:00:00Z"), ("2003-12", "2003-12-01T00:00:00Z"), ("2003", "2003-01-01T00:00:00Z"),
        ("20031231", "2003-12-31T00:00:00Z"), ("2003-12-31 10:14:55", "2003-12-31T10:14:55Z"),
        ("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"),
        ("Sun, 31 Dec 1999 23:59:59 +0000", "1999-12-31T23:59:59Z"),
        ("12/31/2003 10:14:55 PM", "2003-12-31T22:14:55Z"), ("2003-02-30T10:00:00Z", nil), ("yesterday", nil),
        ("", nil),
        ("32 Jan 2004 10:00:00 GMT", nil), ("Thu, 01 Jan 2004 25:00:00 GMT", nil),
        ("2004-02-29", "2004-02-29T00:00:00Z"),
    ])
    func readsWhatFeedsWrite(text: String, expected: String?) {
        #expect(DateParser.parse(text).map(Timestamp.rfc3339) == expected.flatMap { $0 })
    }

    @Test func rfc3339RoundTrips() {
        for instant in stride(from: Int64(-2_208_988_800), to: 4_102_444_800, by: 40_003_217) {
            #expect(DateParser.parse(Timestamp.rfc3339(instant)) == instant)
        }
    }
}
