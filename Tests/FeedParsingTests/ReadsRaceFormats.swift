import Foundation
import Testing

@testable import FeedParsing

/// Calendars, JSON with lines, and tracks: every form that their standards allow, and forms that they don't.
@Suite struct ReadsRaceFormats {
    @Test func readsTheDayOfAnEvent() {
        func day(_ start: String) -> String? {
            CalendarFile("BEGIN:VEVENT\n\(start)\nEND:VEVENT", maximumEvents: 1).events.first?.day
        }
        #expect(day("DTSTART:20260501") == "2026-05-01" && day("DTSTART;VALUE=DATE:20260501") == "2026-05-01")
        #expect(
            day("dtstart:20260501T100000Z") == "2026-05-01" && day("DTSTART:2026050") == nil
                && day("DTSTART:2026-05-01") == nil)
        #expect(day("SUMMARY:x") == nil)
    }

    @Test func readsTheEventsOfACalendar() {
        let calendar = CalendarFile(
            "BEGIN:VCALENDAR\nX-WR-CALNAME:One\nBEGIN:VEVENT\nSUMMARY:a\nSUMMARY:b\nX-WR-CALNAME:Two\nBEGIN:VALARM\nBEGIN:X\nSUMMARY:c\nEND:X\nSUMMARY:d\nEND:VALARM\nURL:u\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:e\nEND:VEVENT\nSUMMARY:f\nBEGIN:VEVENT\nSUMMARY:g\nEND:VCALENDAR",
            maximumEvents: 5)
        #expect(calendar.name == "One" && calendar.events.map { $0["SUMMARY"] } == ["b", "e"])
        #expect(calendar.events[0]["URL"] == "u" && calendar.events[0]["X-WR-CALNAME"] == "Two")
        let text = (0..<3).map { "BEGIN:VEVENT\nSUMMARY:\($0)\nEND:VEVENT\n" }.joined()
        for maximum in 0...4 { #expect(CalendarFile(text, maximumEvents: maximum).events.count == min(3, maximum)) }
    }

    // MARK: JSON

    private func value(_ text: String) -> PositionedJSON? { try? PositionedJSON.read(Array(text.utf8)) }

    @Test func readsJSONNumbers() {
        for (text, number) in [
            ("0", 0), ("-0", 0), ("12", 12), ("-1.5", -1.5), ("1e2", 100), ("1E+2", 100), ("1.5e-1", 0.15),
            ("0.5", 0.5),
        ] as [(String, Double)] {
            guard case .number(let found)? = value(text)?.value else { #expect(Bool(false), "\(text)"); continue }
            #expect(found == number)
        }
        for text in ["01", "-01", "+1", "1.", ".5", "-", "1e", "1e999", "NaN", "0x1", "--1", "1-1", "e1"] {
            #expect(value(text) == nil, "\(text)")
        }
    }

    @Test func readsJSONStrings() {
        for (text, string) in [
            (#""""#, ""), (#""a\/b\\c\"d""#, "a/b\\c\"d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00E9""#, "Aé"), (#""\uD83D\uDE00""#, "😀"),
            (#""\uD83Dx""#, "\u{FFFD}x"), (#""\uDE00""#, "\u{FFFD}"), (#""\uD83D\u0041""#, "\u{FFFD}A"),
            ("\"é😀\"", "é😀"),
        ] {
            guard case .string(let found)? = value(text)?.value else { #expect(Bool(false), "\(text)"); continue }
            #expect(found == string, "\(text)")
        }
        for text in ["\"", "\"\\\"", #""\x""#, #""\u12""#, #""\u12G4""#, "\"\t\"", "'a'"] {
            #expect(value(text) == nil, "\(text)")
        }
    }

    /// The lines of values, duplicate keys, and the limit on nesting.
    @Test func recordsTheLinesOfValues() throws {
        let text = "\u{FEFF}{\n \"a\": [\n  1,\n  {\"b\": null}\n ],\r\n \"c\": true, \"c\": false\n}\n"
        let document = try PositionedJSON.read(Array(text.utf8))
        #expect(document.line == 1)
        for (path, line) in [
            ([], 1), (["a"], 2), (["a", "0"], 3), (["a", "1"], 4), (["a", "1", "b"], 4), (["c"], 6), (["a", "9"], 2),
            (["a", "x"], 2), (["z"], 1), (["a", "0", "q"], 3),
        ] as [([String], Int)] { #expect(document.line(at: path) == line, "\(path)") }
        guard case .object(let fields) = document.value, case .bool(false)? = fields["c"]?.value else {
            return #expect(Bool(false))
        }
        for depth in [63, 64, 65] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect((value(nested) != nil) == (depth <= 64), "\(depth)")
        }
        for (broken, line) in [("{\n\"a\": 1,\n}", 3), ("[1\n2]", 2), ("[]\n\n x", 3), ("", 1), ("[\n", 2)] {
            let failure = #expect(throws: PositionedJSON.Failure.self) { try PositionedJSON.read(Array(broken.utf8)) }
            #expect(failure?.line == line, "\(broken)")
        }
    }

    // MARK: Tracks

    private func track(_ points: [(Double, Double, String)], tag: String = "trkpt", before: String = "") throws -> Track
    {
        let text = points.map { "<\(tag) lat=\"\($0.0)\" lon=\"\($0.1)\">\($0.2)</\(tag)>" }.joined()
        return try TrackReader.read(Array("<gpx>\(before)<trk><trkseg>\(text)</trkseg></trk></gpx>".utf8))
    }

    /// Great-circle kilometres of the points of tracks and routes; those without an elevation count for the distance
    /// only.
    @Test func measuresATrack() throws {
        for tag in ["trkpt", "rtept"] {
            let track = try track(
                [(0, 0, "<ele>1</ele>"), (0, 1, ""), (0, 2, "<ele> 3.5 </ele>"), (1, 2, "<ele>4</ele>")], tag: tag)
            #expect(
                track.points.map(\.height) == [1, 3.5, 4] && track.points.map(\.north) == [0, 0, 1]
                    && track.points.map(\.east) == [0, 2, 2])
            #expect(abs(track.points[1].distance - 222.39) < 0.01 && abs(track.points[2].distance - 333.58) < 0.01)
        }
        let north = try track([(60, 0, "<ele>1</ele>"), (60, 1, "<ele>1</ele>")])
        #expect(abs(north.points[1].distance - 55.6) < 0.1)
        // An elevation belongs to its own point.
        #expect(throws: TrackReader.NoTrack.self) { try track([(0, 0, "<ele>1</ele>"), (0, 1, ""), (0, 2, "")]) }
        #expect(
            try track([
                (0, 0, "<ele>1</ele>"), (0, 1, "<ele>x</ele>"), (0, 2, "<ele>9999</ele>"), (0, 3, "<ele>10000</ele>"),
            ]).points.map(\.height) == [1, 9999])
    }

    @Test func limitsPointsAndWayPoints() throws {
        for (count, kept) in [(4000, 4000), (4001, 2001), (8000, 4000)] {
            let points = (0..<count).map { (Double($0) * 0.0001, 0.0, "<ele>\($0 % 9)</ele>") }
            let track = try track(points)
            #expect(track.points.count == kept, "\(count)")
            #expect(track.points.first?.north == 0)
        }
        let places = (0..<102).map { "<wpt lat=\"1\" lon=\"2\"><name>P\($0)</name></wpt>" }.joined()
        let track = try track(
            [(0, 0, "<ele>1</ele>"), (0, 1, "<ele>1</ele>")], before: places + "<wpt lat=\"1\" lon=\"2\"></wpt>")
        #expect(track.wayPoints?.count == 100 && track.wayPoints?.last?.name == "P99")
    }

    /// A stored track without points that go backwards, are too far away, too high or nowhere.
    @Test func leavesOutInvalidPoints() {
        typealias Point = Track.Point
        let track = Track(
            points: [
                Point(distance: 0, height: 0), Point(distance: -1, height: 0), Point(distance: 5, height: 10_000),
                Point(distance: 5, height: 3, north: 91, east: 0),
                Point(distance: 4, height: 0), Point(distance: 5, height: 4, north: 90, east: -180),
                Point(distance: 10_001, height: 0), Point(distance: 9, height: -9999),
            ],
            wayPoints: [
                Track.WayPoint(name: "a", north: 90, east: 180), Track.WayPoint(name: "b", north: 0, east: 181),
            ])
        let sound = TrackReader.sound(track)
        #expect(sound.points.map(\.distance) == [0, 5, 5, 9] && sound.points.map(\.height) == [0, 3, 4, -9999])
        #expect(sound.points.map(\.north) == [nil, nil, 90, nil] && sound.wayPoints?.map(\.name) == ["a"])
    }
}
