import Testing

@testable import FeedParsing

/// Race files: JSON with line numbers, calendars, tables and tracks.
@Suite struct RaceFilesTests {
    // MARK: JSON

    private func text(_ json: PositionedJSON) -> String {
        switch json.value {
        case .object(let fields):
            "{" + fields.keys.sorted().map { "\($0):\(fields[$0].map(text) ?? "")" }.joined(separator: ",")
                + "}@\(json.line)"
        case .array(let items): "[" + items.map(text).joined(separator: ",") + "]@\(json.line)"
        case .string(let string): "'\(string)'@\(json.line)"
        case .number(let number): "\(number)@\(json.line)"
        case .bool(let bool): "\(bool)@\(json.line)"
        case .null: "null@\(json.line)"
        }
    }

    @Test func recordsTheLineOfEachValue() throws {
        for (document, told) in [
            ("1", "1.0@1"), (" \n\r\n\t-1.5e3 ", "-1500.0@3"), ("0", "0.0@1"), ("-0.5E-1", "-0.05@1"),
            ("true", "true@1"), ("\nfalse\n", "false@2"), ("null", "null@1"), ("\"a\"", "'a'@1"), ("[]", "[]@1"),
            ("{}", "{}@1"), ("[ ]", "[]@1"), ("[1,\n2,\n\n[3]]", "[1.0@1,2.0@2,[3.0@4]@4]@1"),
            ("{\"a\": 1,\n \"b\" :\n{\"c\":null}}", "{a:1.0@1,b:{c:null@3}@3}@1"), ("{\"a\":1,\"a\":2}", "{a:2.0@1}@1"),
            ("\u{FEFF}1", "1.0@1"), ("\"é🚲\"", "'é🚲'@1"), ("\"\\n\\t\\r\\\"\\\\\\/\"", "'\n\t\r\"\\/'@1"),
            ("\"\\b\\f\"", "'\u{8}\u{C}'@1"), ("\"\\u00e9\\u00E9\"", "'éé'@1"), ("\"\\ud83d\\udeb2\"", "'🚲'@1"),
            ("\"\\ud83dx\"", "'\u{FFFD}x'@1"), ("\"\\udeb2\"", "'\u{FFFD}'@1"), ("\"\\ud83d\\u0041\"", "'\u{FFFD}A'@1"),
            ("\"a\\u0062c\"", "'abc'@1"),
        ] { #expect(text(try PositionedJSON.read(Array(document.utf8))) == told, "\(document)") }
    }

    @Test func reportsTheLineOfAMistake() {
        for (document, line) in [
            ("", 1), ("\n", 2), ("1 2", 1), ("[1\n2]", 2), ("[1,\n]", 2), ("{\"a\"\n1}", 2), ("{\"a\":1,\n}", 2),
            ("{a:1}", 1), ("{\"a\":1\n\n", 3), ("[", 1), ("\"a", 1), ("\"a\n\"", 1),
            ("\"a\\x\"", 1), ("\"\\u12\"", 1), ("\"\\u12g4\"", 1), ("\"\\u+123\"", 1), ("01", 1), ("-01", 1), ("+1", 1),
            (".5", 1), ("1.", 1), ("-", 1), ("1e", 1), ("1e999", 1), ("nan", 1), ("tru", 1), ("nul", 1),
            ("True", 1), ("'a'", 1), ("[1]]", 1), ("1,", 1), ("{\"a\":}", 1), ("\n\n[1 1]", 3),
        ] {
            #expect(throws: PositionedJSON.Failure(line: line), "\(document)") {
                try PositionedJSON.read(Array(document.utf8))
            }
        }
    }

    @Test func limitsTheDepthOfJSON() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try PositionedJSON.read(nested(64)) }
        #expect(throws: PositionedJSON.Failure.self) { try PositionedJSON.read(nested(65)) }
        #expect(throws: PositionedJSON.Failure.self) {
            try PositionedJSON.read(Array((String(repeating: "{\"a\":", count: 65) + "1").utf8))
        }
    }

    @Test func findsTheLineOfAPlace() throws {
        let json = try PositionedJSON.read(Array("{\n\"a\": [\n1,\n{\n\"b\": 2}]\n}".utf8))
        for (path, line) in [
            ([], 1), (["a"], 2), (["a", "0"], 3), (["a", "1"], 4), (["a", "1", "b"], 5), (["a", "2"], 2),
            (["a", "-1"], 2), (["a", "x"], 2), (["c"], 1), (["a", "0", "x"], 3), (["a", "1", "c"], 4),
        ] { #expect(json.line(at: path) == line, "\(path)") }
    }

    // MARK: Calendars

    private func calendar(_ event: String, _ maximum: Int = 10) -> CalendarFile {
        CalendarFile("BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n", maximumEvents: maximum)
    }

    @Test func readsThePropertiesOfAnEvent() {
        for (lines, value) in [
            ("SUMMARY:a", "a"), ("summary:a", "a"), ("SUMMARY;X=y:a", "a"), ("SUMMARY;X=\"y:z\":a:b", "a:b"),
            ("SUMMARY:a\n b", "ab"), ("SUMMARY:a\n\tb", "ab"), ("SUMMARY:a\r\n  b", "a b"),
            ("SUMMARY:a\\nb\\Nc", "a b c"), ("SUMMARY:a\\,b\\;c\\\\d", "a,b;c\\d"), ("SUMMARY:a\nSUMMARY:b", "b"),
            ("SUMMARY:", nil), ("SUMMARY", nil), ("X:a", nil),
            ("BEGIN:VALARM\nSUMMARY:x\nBEGIN:Y\nEND:Y\nSUMMARY:y\nEND:VALARM\nSUMMARY:a", "a"),
            ("SUMMARY:a\nBEGIN:VALARM\nSUMMARY:x\nEND:VALARM", "a"),
        ] as [(String, String?)] { #expect(calendar(lines).events.map { $0["SUMMARY"] } == [value], "\(lines)") }
        for (start, day) in [
            ("20260510", "2026-05-10"), ("20260510T123000Z", "2026-05-10"), ("2026051", nil), ("2026-05-10", nil),
            ("", nil), ("tomorrow", nil),
        ] as [(String, String?)] { #expect(calendar("DTSTART:\(start)").events.map(\.day) == [day], "\(start)") }
    }

    @Test func keepsTheFirstEventsAndTheNameOfACalendar() {
        let events = (1...3).map { "BEGIN:VEVENT\nSUMMARY:\($0)\nX-WR-CALNAME:no\nEND:VEVENT\n" }.joined()
        for maximum in 0...4 {
            let file = CalendarFile("X-WR-CALNAME:A\\, b\n" + events, maximumEvents: maximum)
            #expect(
                file.events.map { $0["SUMMARY"] } == (1...3).prefix(maximum).map(String.init) && file.name == "A, b")
        }
        #expect(
            CalendarFile(events, maximumEvents: 9).name == nil
                && CalendarFile("BEGIN:VEVENT\nSUMMARY:a\n", maximumEvents: 9).events.isEmpty)
    }

    // MARK: Tracks

    /// A file of a planner has the route beside the track that was recorded along it.
    @Test func readsTheTrackOfAFileWithARoute() throws {
        let point = { (kind: String, north: Double, height: Int) in
            "<\(kind) lat='\(north)' lon='0'><ele>\(height)</ele></\(kind)>"
        }
        let route = "<rte>\(point("rtept", 45, 1))\(point("rtept", 46, 2))</rte>"
        let recorded = "<trk><trkseg>\(point("trkpt", 45, 10))\(point("trkpt", 45.1, 20))</trkseg></trk>"
        for file in [route + recorded, recorded + route] {
            let found = try track(file)
            #expect(found.points.map(\.height) == [10, 20] && found.points[1].distance < 12)
        }
        // A track without heights is none.
        let flat = "<trk><trkseg><trkpt lat='45' lon='0'/><trkpt lat='46' lon='0'/></trkseg></trk>"
        #expect(try track(flat + route).points.map(\.height) == [1, 2])
    }

    private func track(_ inner: String) throws -> Track { try TrackReader.read(Array("<gpx>\(inner)</gpx>".utf8)) }

    /// Tracks that continue each other are one; of others, such as that of another race, the longest counts.
    @Test func readsSeveralTracks() throws {
        func line(_ degrees: ClosedRange<Int>, _ name: String = "trk") -> String {
            let points = degrees.map { "<\(name)pt lat='4\($0)' lon='9'><ele>\($0)</ele></\(name)pt>" }.joined()
            return name == "trk" ? "<trk><trkseg>\(points)</trkseg></trk>" : "<rte>\(points)</rte>"
        }
        for (tracks, heights) in [
            (line(0...2) + line(2...3), [0, 1, 2, 2, 3]), (line(0...2) + line(0...2), [0, 1, 2]),
            (line(5...6) + line(0...2), [0, 1, 2]), (line(0...2) + line(5...6), [0, 1, 2]),
            (line(0...1) + line(4...6) + line(6...7) + line(0...2), [4, 5, 6, 6, 7]),
            (line(0...1, "rte") + line(0...2, "rte"), [0, 1, 2]),
        ] as [(String, [Double])] {
            let found = try track(tracks).points
            #expect(found.map(\.height) == heights && found.first?.distance == 0, "\(tracks)")
        }
    }

    private static let two =
        "<trkpt lat='45' lon='9'><ele>100</ele></trkpt><trkpt lat='46' lon='9'><ele>-20.5</ele></trkpt>"

    @Test func readsPointsWithDistanceAndElevation() throws {
        let found = try track(
            "<trk><trkseg>\(Self.two)<trkpt lat='46' lon='10'/><trkpt lat='46' lon='9'><ele> 7 </ele></trkpt></trkseg></trk>"
        )
        #expect(
            found.points.map(\.height) == [100, -20.5, 7] && found.points.map(\.north) == [45, 46, 46]
                && found.points.map(\.east) == [9, 9, 9])
        // A degree of latitude is 111.19 km; a degree of longitude at 46° is 77.24 km, there and back.
        #expect(found.points.map { ($0.distance * 10).rounded() / 10 } == [0, 111.2, 265.7])
        #expect(
            try track("<rte>\(Self.two.replacing("trkpt", with: "rtept"))</rte>").points.map(\.height) == [100, -20.5])
        for height in ["x", "10000", "-10000", "nan", "1e9", ""] {
            #expect(
                try track(Self.two + "<trkpt lat='46' lon='9'><ele>\(height)</ele></trkpt>").points.count == 2,
                "\(height)")
        }
        for height in ["9999.9", "-9999.9", "0"] {
            #expect(try track(Self.two + "<trkpt lat='46' lon='9'><ele>\(height)</ele></trkpt>").points.count == 3)
        }
        #expect(try track(Self.two + "<trkpt lat='x' lon='9'><ele>1</ele></trkpt>").points.count == 2)
    }

    @Test func limitsTheLengthOfATrack() throws {
        // Each step is 4,448 km along the equator.
        let steps = (0..<4).map { "<trkpt lat='0' lon='\($0 % 2 == 0 ? 0 : 40)'><ele>\($0)</ele></trkpt>" }.joined()
        let found = try track(steps)
        #expect(found.points.map(\.height) == [0, 1, 2] && found.points.allSatisfy { $0.distance < 10_000 })
    }

    @Test func readsWayPoints() throws {
        func names(_ inner: String) throws -> [String] {
            try (track(inner + Self.two).wayPoints ?? []).map { "\($0.name) \($0.north) \($0.east)" }
        }
        #expect(
            try names(
                "<wpt lat='1' lon='2'><name> Pass </name><ele>9</ele></wpt><wpt lat='3' lon='4'><name>Sprint</name></wpt>"
            ) == ["Pass 1.0 2.0", "Sprint 3.0 4.0"])
        #expect(
            try names(
                "<name>Race</name><wpt lat='1' lon='2'><name> </name></wpt><wpt lat='1' lon='2'/><wpt lat='91' lon='2'><name>x</name></wpt><trk><name>y</name></trk>"
            ).isEmpty)
        let many = (1...101).map { "<wpt lat='1' lon='2'><name>\($0)</name></wpt>" }.joined()
        #expect(try names(many).count == 100 && names(many).last == "100 1.0 2.0")
        let long = String(repeating: "x", count: 70)
        #expect(
            try names("<wpt lat='1' lon='2'><name>\(long)</name></wpt>") == [
                String(repeating: "x", count: 64) + " 1.0 2.0"
            ])
    }

    @Test func explainsWhyAFileHasNoTrack() {
        for (text, reason) in [
            ("<kml/>", "this is not GPX"), ("<gpx/>", "the file has no track with heights"),
            ("<gpx><trkpt lat='1' lon='2'><ele>1</ele></trkpt></gpx>", "the file has no track with heights"),
        ] {
            do {
                _ = try TrackReader.read(Array(text.utf8))
                Issue.record("\(text) has a track")
            } catch { #expect(error.description == reason, "\(text)") }
        }
        do {
            _ = try TrackReader.read(Array("words".utf8))
            Issue.record("words have a track")
        } catch { #expect(error.description.hasPrefix("this is not GPX (line 1: "), "\(error.description)") }
    }

    @Test func dropsInvalidPointsOfStoredTracks() {
        func point(_ distance: Double, _ height: Double, _ north: Double? = nil, _ east: Double? = nil) -> Track.Point {
            Track.Point(distance: distance, height: height, north: north, east: east)
        }
        for (stored, kept) in [
            (point(1, 1, 1, 1), point(1, 1, 1, 1)), (point(1, 1), point(1, 1)), (point(-1, 1), nil),
            (point(.nan, 1), nil), (point(10_000, 1), point(10_000, 1)), (point(10_001, 1), nil),
            (point(1, 10_000), nil), (point(1, -9_999), point(1, -9_999)), (point(1, .nan), nil),
            (point(1, 1, 91, 1), point(1, 1)), (point(1, 1, 1, 181), point(1, 1)),
            (point(1, 1, 90, -180), point(1, 1, 90, -180)),
        ] as [(Track.Point, Track.Point?)] {
            #expect(TrackReader.sound(Track(points: [stored])).points == [kept].compactMap { $0 }, "\(stored)")
        }
        let back = TrackReader.sound(Track(points: [point(5, 1), point(4, 2), point(5, 3), point(6, 4)]))
        #expect(back.points.map(\.height) == [1, 3, 4] && back.wayPoints == nil)
        let places = TrackReader.sound(
            Track(
                points: [],
                wayPoints: [
                    Track.WayPoint(name: "a", north: 91, east: 0), Track.WayPoint(name: "b", north: 0, east: 0),
                ]))
        #expect(places.wayPoints?.map(\.name) == ["b"])
        let many = TrackReader.sound(
            Track(
                points: (0...4000).map { point(Double($0), 1) },
                wayPoints: (0...100).map { Track.WayPoint(name: "\($0)", north: 0, east: 0) }))
        #expect(many.points.count == 4000 && many.wayPoints?.count == 100)
    }
}
