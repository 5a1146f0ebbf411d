import Foundation
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Races
@testable import StagesSegment

/// The map, the standings and the signs of stages (rows STA-01 and STA-06).
@MainActor
@Suite struct StagePagesTests {
    @Test(
        arguments: [
            ("individual time trial", StageKind.timeTrial), ("Prologue", .timeTrial),
            ("team time trial", .teamTimeTrial), ("flat", .flat), ("Hilly", .hilly), ("medium mountain", .mountain),
            ("mountain", .mountain), ("criterium", nil), ("", nil),
        ] as [(String, StageKind?)])
    func STA_01_hasASignForEachStageType(words: String, kind: StageKind?) { #expect(StageKind(words) == kind) }

    @Test func coloursJerseys() {
        #expect(JerseyColor.of("maglia rosa") != nil && JerseyColor.of("Maillot Jaune") == JerseyColor.of("yellow"))
        #expect(JerseyColor.of("leader") == nil)
        func color(_ color: String?, _ name: String = "leader") -> Color? {
            JerseyColor.of(Jersey(classification: "general", name: name, color: color))
        }
        #expect(color("#ff0080") == .rgb(255, 0, 128) && color("green") == JerseyColor.of("maglia verde"))
        // With an invalid colour, the jersey's name determines it.
        for wrong in ["#ff008", "#ff00zz", "", "#1234567", nil] {
            #expect(color(wrong, "maglia rosa") == JerseyColor.of("rosa"))
        }
    }

    // MARK: Outlines

    private func file(_ lines: [(isBorder: Bool, points: [(Int, Int)])]) -> [UInt8] {
        var bytes = Array("TAPPAMAP".utf8)
        func short(_ value: Int) -> [UInt8] {
            let bits = UInt16(bitPattern: Int16(value))
            return [UInt8(bits & 255), UInt8(bits >> 8)]
        }
        for line in lines {
            bytes.append(line.isBorder ? 1 : 0)
            bytes += short(line.points.count)
            for point in line.points { bytes += short(point.0) + short(point.1) }
        }
        return bytes
    }

    @Test func readsOutlines() throws {
        let outlines = MapOutlines(file([(false, [(4500, 850), (-100, -2000)]), (true, [(0, 0), (1, 1), (2, 2)])]))
        try #require(outlines.lines.count == 2)
        #expect(outlines.lines[0].points[0] == (45, 8.5) && outlines.lines[0].points[1] == (-1, -20))
        #expect(!outlines.lines[0].isBorder && outlines.lines[1].isBorder && outlines.lines[1].points.count == 3)
        #expect(outlines.lines[0].area.south == -1 && outlines.lines[0].area.north == 45)
    }

    @Test func endsATruncatedOutline() {
        let whole = file([(false, [(1, 1), (2, 2)]), (false, [(3, 3), (4, 4)])])
        for count in 0..<whole.count {
            let found = MapOutlines(Array(whole[..<count])).lines.count
            #expect(found == (count < 19 ? 0 : 1))
        }
        #expect(MapOutlines(Array("something else".utf8)).lines.isEmpty && MapOutlines.none.lines.isEmpty)
    }

    /// The bundled file contains Italy's coast and its border with France.
    @Test func readsTheBundledOutlines() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Assets/map/outlines.bin")
        let outlines = MapOutlines(Array(try Data(contentsOf: path)))
        #expect(outlines.lines.count > 1000)
        func has(_ isBorder: Bool, near north: Double, _ east: Double) -> Bool {
            outlines.lines.contains { line in
                line.isBorder == isBorder
                    && line.points.contains { abs($0.north - north) < 0.3 && abs($0.east - east) < 0.3 }
            }
        }
        #expect(has(false, near: 37.9, 15.7) && has(true, near: 45.9, 6.9) && !has(true, near: 41.9, 12.5))
    }

    // MARK: The map

    private static let race = """
        {"race": "V", "year": 2026, "leader_jersey": "maglia rosa", "stages": [
        {"number": 1, "start": "Ao", "finish": "Bo", "start_lat_lon": [45.0, 8.0], "finish_lat_lon": [45.0, 9.0],
         "winner": "Ann Alpha", "leader_after": "Ann Alpha"},
        {"number": 2, "start": "Bo", "finish": "Far", "start_lat_lon": [45.0, 9.0], "finish_lat_lon": [40.0, 16.0],
         "winner": "Bea Beta", "leader_after": "Bea Beta"},
        {"number": 3, "start": "Far", "finish": "Ao", "winner": "Cy Gamma", "leader_after": "Bea Beta"}]}
        """

    @Test func STA_06_theMapShowsTheStageOrTheWholeRace() async throws {
        let dashboard = try await DashboardScreen(120, 40, segment: "stages", race: StagePagesTests.race)
        let screen = dashboard.screen
        #expect(screen.press("l", "]", shows: "▐Map▌"))
        func column(_ name: String) -> Int? {
            screen.lines.dropFirst(5).lazy.compactMap { String($0.drop { $0 != "│" }).column(of: name) }.first
        }
        // The stage fills the frame with a margin of a tenth on each side; far places lie outside.
        let (start, finish) = (try #require(column("○ Ao")), try #require(column("Bo")))
        #expect(finish - start > 40)
        #expect(column("Far") == nil)
        #expect(screen.lines.contains { $0.contains("╭───") } && screen.lines.contains { $0.contains("╰───") })
        screen.press("0")
        #expect(column("Far") != nil)
        screen.press("0")
        #expect(column("Far") == nil && column("○ Ao") == start)
        // Zooming out from the stage shows the race; zooming in shows the stage again.
        screen.press("-")
        #expect(column("Far") != nil)
        screen.press("+")
        #expect(column("○ Ao") == start)
    }

    @Test func listsLeadersInTheOrderOfTheStrip() async throws {
        let dashboard = try await DashboardScreen(120, 30, segment: "stages", race: StagePagesTests.race)
        let screen = dashboard.screen
        #expect(screen.press("[", shows: "▐Standings▌"))
        let strip = try #require(screen.lines.first { $0.contains("▀▀ ▀▀▀▀▀") })
        #expect(strip.contains("▀▀ ▀▀▀▀▀"))
        #expect(screen.text.contains("maglia rosa"))
        // Numbers and names are below the strip.
        let lines = screen.lines.map { String($0.dropFirst(46)) }
        let row = try #require(lines.firstIndex { $0.contains("▀▀ ▀▀▀▀▀") })
        let start = lines[row].column(of: "▀▀ ▀▀▀▀▀")
        #expect(lines[row + 1].column(of: "1  2  3") == start, "\(screen.text)")
        #expect(lines[row + 2...row + 3].contains { $0.column(of: "Alpha") == start }, "\(screen.text)")
        #expect(screen.text.contains("▸ 1 Ann Alpha"))
    }

    @Test func formatsDateHeadings() {
        let now: Instant = 1_795_341_600  // 22 November 2026, 10:00 UTC, a Sunday
        let dates = DateText(style: .relative, now: now)
        let day: Int64 = 86_400
        let found = [-day, 0, day, 2 * day, 6 * day, 30 * day, 400 * day].map { dates.heading(now - $0).string }
        #expect(found == ["Upcoming", "Today", "Yesterday", "Friday", "Monday", "October", "2025"])
        #expect(DateText(style: .day, now: now).heading(Instant(-day)).string == "1969")
    }
}
