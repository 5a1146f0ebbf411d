import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// The route of a stage: the map, the profile with its cursor, and the bar of its distance.
@MainActor
@Suite struct DrawsStageWays {
    /// Shows a single view.
    private final class Host: ViewController {
        private let content: View

        init(_ content: View) {
            self.content = content
            super.init()
        }

        override func makeView() -> View { content }
    }

    private func screen(_ view: View, _ width: Int, _ height: Int) -> TestScreen {
        let screen = TestScreen(root: Host(view), size: Size(width: width, height: height))
        screen.application.window.focus(view)
        screen.application.render()
        return screen
    }

    // MARK: The map's frame

    @Test func zoomsFromTheRaceToTheStageAndIn() {
        var frame = MapFrame()
        #expect(!frame.isZoomed && frame.canZoomOut && !frame.showsWholeRace)
        // Zooming out from the stage shows the race, and zooming out further does nothing.
        frame.zoom(by: 0.5)
        #expect(frame.showsWholeRace && !frame.isZoomed && !frame.canZoomOut)
        frame.zoom(by: 0.5)
        #expect(frame.showsWholeRace && frame.viewport == Viewport())
        // Zooming in from the race shows the stage, whatever the step.
        frame.zoom(by: 9)
        #expect(!frame.showsWholeRace && frame.viewport == Viewport() && frame.canZoomOut)
        frame.zoom(by: 1.5)
        #expect(frame.viewport.zoom == 1.5 && frame.isZoomed)
        for _ in 0..<20 { frame.zoom(by: 1.5) }
        #expect(frame.viewport.zoom == 12)
        frame.pan(columns: 10, rows: 5, in: Size(width: 100, height: 50))
        // Back to the whole centred stage, before the race.
        for _ in 0..<20 where frame.isZoomed { frame.zoom(by: 0.5) }
        #expect(frame.viewport == Viewport() && !frame.showsWholeRace)
    }

    @Test func movesTheMapUpToItsEdges() {
        let size = Size(width: 100, height: 50)
        var frame = MapFrame()
        frame.zoom(by: 2)
        frame.pan(columns: 4, rows: -2, in: size)
        #expect(frame.viewport.centerX == 0.52 && frame.viewport.centerY == 0.48)
        frame.zoom(by: 2)
        frame.pan(columns: -4, rows: 2, in: size)
        #expect(abs(frame.viewport.centerX - 0.51) < 1e-9 && abs(frame.viewport.centerY - 0.49) < 1e-9)
        frame.pan(columns: 9999, rows: 9999, in: size)
        #expect(frame.viewport.centerX == 1 && frame.viewport.centerY == 1)
        frame.pan(columns: -9999, rows: -9999, in: .zero)
        #expect(frame.viewport.centerX == 0 && frame.viewport.centerY == 0)
    }

    @Test func togglesBetweenStageAndWholeRace() {
        var frame = MapFrame()
        frame.zoom(by: 4)
        frame.turn()
        #expect(frame.showsWholeRace && frame.viewport == Viewport())
        frame.turn()
        #expect(frame == MapFrame())
    }

    @Test func framesPlacesWithAMargin() {
        let area = MapArea([(40, -8), (42, -7), (41, -9)])
        #expect(area.south == 40 && area.north == 42 && area.west == -9 && area.east == -7)
        let wide = area.with(margin: 0.1, minimum: 0.7)
        #expect(abs(wide.south - 39.8) < 1e-9 && abs(wide.north - 42.2) < 1e-9)
        #expect(abs(wide.west + 9.2) < 1e-9 && abs(wide.east + 6.8) < 1e-9)
        // A single town is shown with its surroundings.
        let town = MapArea([(40, -8)]).with(margin: 0.1, minimum: 0.7)
        #expect(abs(town.north - 40.35) < 1e-9 && abs(town.west + 8.35) < 1e-9)
    }

    /// Areas meet where they overlap or touch on any side.
    @Test func findsWhatIsInsideTheFrame() {
        func area(_ south: Double, _ north: Double, _ west: Double, _ east: Double) -> MapArea {
            MapArea([(south, west), (north, east)])
        }
        let own = area(0, 10, 0, 10)
        let others: [(area: MapArea, meets: Bool)] = [
            (area(2, 3, 2, 3), true), (area(-5, 15, -5, 15), true), (area(10, 12, 0, 5), true),
            (area(-2, 0, 0, 5), true), (area(0, 5, 10, 12), true), (area(0, 5, -2, 0), true),
            (area(10.1, 12, 0, 5), false), (area(-2, -0.1, 0, 5), false), (area(0, 5, 10.1, 12), false),
            (area(0, 5, -2, -0.1), false), (area(4, 5, -5, 15), true), (area(-5, 15, 4, 5), true),
        ]
        for (other, meets) in others {
            #expect(own.meets(other) == meets && other.meets(own) == meets, "\(other)")
        }
    }

    /// The position of the race is measured along the route, not by the number of points.
    @Test func findsThePlaceOnTheWay() throws {
        typealias Place = StageRoute.Place
        let way = [
            Place(north: 0, east: 0), Place(north: 3, east: 0), Place(north: 3, east: 0), Place(north: 4, east: 0),
        ]
        for (share, north) in [(0.0, 0.0), (0.25, 1), (0.5, 2), (0.75, 3), (0.875, 3.5), (1, 4), (-1, 0), (2, 4)] {
            let place = try #require(StageRoute.place(at: share, on: way))
            #expect(abs(place.north - north) < 1e-9 && place.east == 0, "\(share)")
        }
        // In the north a degree of longitude is shorter than one of latitude.
        let corner = [Place(north: 60, east: 0), Place(north: 60, east: 2), Place(north: 61, east: 2)]
        let half = try #require(StageRoute.place(at: 0.5, on: corner))
        #expect(abs(half.east - 2) < 0.01 && abs(half.north - 60) < 0.01)
        #expect(StageRoute.place(at: 0.5, on: []) == nil)
        #expect(StageRoute.place(at: 0.5, on: [way[1]]) == way[1])
    }

    // MARK: The map

    private static func race(_ places: [(String, String, [Double]?, [Double]?)], distance: Double? = 100) -> Race {
        let stages = places.enumerated().map { index, place -> Stage in
            var stage = Stage(number: index + 1, start: place.0, finish: place.1, distance: distance)
            (stage.startPlace, stage.finishPlace) = (place.2, place.3)
            return stage
        }
        return Race(race: "V", year: 2026, stages: stages)
    }

    private func map(_ race: Race, _ index: Int = 0, track: StageTrack? = nil) -> StageMapView? {
        StageMapView(race, index: index, track: track, outlines: { .none })
    }

    @Test func hasAMapOnceCoordinatesAreKnown() {
        let track = StageTrack(
            Track(points: [
                .init(distance: 0, height: 1, north: 40, east: -8), .init(distance: 9, height: 2, north: 41, east: -8),
            ]))
        let heights = StageTrack(Track(points: [.init(distance: 0, height: 1), .init(distance: 9, height: 2)]))
        func has(_ start: [Double]?, _ finish: [Double]?, _ track: StageTrack? = nil) -> Bool {
            map(DrawsStageWays.race([("A", "B", start, finish)]), track: track) != nil
        }
        #expect(has([40, -8], [41, -8]))
        #expect(!has(nil, [41, -8]) && !has([40, -8], nil) && !has(nil, nil) && !has([40], [41, -8]))
        #expect(has(nil, nil, track) && has([40, -8], nil, track) && !has(nil, nil, heights))
    }

    @Test func namesTheTownsWhereThereIsRoom() throws {
        let race = DrawsStageWays.race([
            ("Porto", "Lisbon", [41, -8], [39, -8]), ("Lisbon", "Beja", [39, -8], [39.01, -8]),
            ("Ovar", "Nowhere", [40, -8.2], nil), ("Faraway", "Gone", [10, 50], [11, 50]),
        ])
        let view = try #require(map(race))
        let screen = screen(view, 60, 24)
        #expect(screen.text.contains("○ Porto") && screen.text.contains("● Lisbon"), "\(screen.text)")
        #expect(screen.text.contains("· Ovar"))
        // Names that would overlap others or lie outside are left out.
        #expect(!screen.text.contains("Beja") && !screen.text.contains("Faraway"))
        let lines = screen.lines
        let (porto, lisbon) = (
            try #require(lines.firstIndex { $0.contains("Porto") }),
            try #require(lines.firstIndex { $0.contains("Lisbon") })
        )
        #expect(porto < 5 && lisbon > 18)
        // The whole race has the town far away.
        screen.press("0")
        #expect(screen.text.contains("Faraway") && screen.text.contains("Gone"), "\(screen.text)")
        // A stage that ends where it started is named once.
        let round = try #require(map(DrawsStageWays.race([("Roma", "Roma", [41.9, 12.5], [41.9, 12.5])])))
        let second = self.screen(round, 60, 24)
        #expect(second.text.components(separatedBy: "Roma").count == 2 && second.text.contains("● Roma"))
        #expect(!second.text.contains("○"))
    }

    /// The sea around an island with a lake is dotted; land and lake aren't told apart by other coasts or borders.
    @Test func dotsTheSea() throws {
        func ring(_ half: Double, isBorder: Bool = false) -> MapOutlines.Line {
            let points = [(half, -half), (half, half), (-half, half), (-half, -half), (half, -half)].map {
                (north: 40 + $0.0, east: 8 + $0.1)
            }
            return MapOutlines.Line(isBorder: isBorder, points: points, area: MapArea(points))
        }
        let outlines = MapOutlines(lines: [ring(1), ring(0.75, isBorder: true), ring(0.5)])
        #expect(outlines.shores(first: 41.5, step: 0.75, count: 3, east: 20) == [[], [7, 9], [7, 7.5, 8.5, 9]])
        // Coasts further east don't matter, and a row at a corner is on one side of it.
        #expect(outlines.shores(first: 41.5, step: 0.75, count: 3, east: 6) == [[], [], []])
        #expect(outlines.shores(first: 41, step: 2, count: 2, east: 20) == [[7, 9], []])
        let race = DrawsStageWays.race([("North", "South", [42, 8], [38, 8])])
        let view = try #require(StageMapView(race, index: 0, track: nil, outlines: { outlines }))
        let lines = screen(view, 80, 24).lines
        let dots = lines.map { line in line.filter { $0 == "⠂" || $0 == "⡀" }.count }
        #expect(dots[2] > 70 && dots[20] > 70 && (30..<70).contains(dots[8]) && dots[12] > dots[8], "\(lines)")
        #expect(!screen(try #require(map(race)), 80, 24).text.contains("⠂"))
    }

    /// The climbs of the race file are on the recorded way at their kilometres.
    @Test func namesTheClimbsOnTheWay() throws {
        let track = StageTrack(
            Track(
                points: (0...10).map {
                    .init(distance: Double($0) * 10, height: 1, north: 44 - Double($0) / 2, east: 8)
                }))
        var race = DrawsStageWays.race([("North", "South", [44, 8], [39, 8])])
        race.stages[0].climbs = [Climb(name: "Serra", km: 50), Climb(name: "Foz", km: 500), Climb(km: 75)]
        let screen = screen(try #require(map(race, track: track)), 60, 24)
        let rows = screen.lines.indices.filter { screen.lines[$0].contains("▲") }
        #expect(rows.count == 2 && screen.lines[rows[0]].contains("▲ Serra"), "\(screen.text)")
        #expect(abs(rows[0] - 11) <= 1 && rows[1] > rows[0])
    }

    /// A name at the right edge is to the left of its mark.
    @Test func keepsNamesInsideTheFrame() throws {
        let view = try #require(map(DrawsStageWays.race([("West", "Eastern Harbour", [40, -10], [40, 0])])))
        let screen = screen(view, 60, 20)
        #expect(screen.text.contains("○ West") && screen.text.contains("Eastern Harbour ●"), "\(screen.text)")
    }

    @Test func marksWhereTheRaceIs() throws {
        let view = try #require(map(DrawsStageWays.race([("North", "South", [44, 8], [40, 8])])))
        let screen = screen(view, 60, 24)
        func row() -> Int? { screen.lines.firstIndex { $0.contains("◉") } }
        #expect(row() == nil)
        var rows: [Int] = []
        for share in [0.2, 0.5, 0.8] {
            view.shareRidden = share
            screen.application.render()
            rows.append(try #require(row()))
        }
        #expect(rows == rows.sorted() && Set(rows).count == 3 && abs(rows[1] - 11) <= 1, "\(rows)")
        view.shareRidden = nil
        screen.application.render()
        #expect(row() == nil)
    }

    @Test func movesTheMapByKeysWheelAndDrag() throws {
        let view = try #require(map(DrawsStageWays.race([("North", "South", [44, 8], [40, 8])])))
        let screen = screen(view, 60, 24)
        let whole = screen.text
        // Without zoom there is nothing to pan.
        screen.press("left", "down")
        #expect(screen.text == whole)
        screen.press("+")
        #expect(abs(view.frameShown.viewport.zoom - 1.5) < 1e-9)
        func center() -> (x: Double, y: Double) { (view.frameShown.viewport.centerX, view.frameShown.viewport.centerY) }
        let moves: [(key: String, x: Double, y: Double)] = [
            ("right", 1, 0), ("l", 1, 0), ("left", -1, 0), ("h", -1, 0), ("down", 0, 1), ("j", 0, 1), ("up", 0, -1),
            ("k", 0, -1),
        ]
        for (key, x, y) in moves {
            let before = center()
            screen.press(key)
            let step = (x: center().x - before.x, y: center().y - before.y)
            #expect((step.x > 0) == (x > 0) && (step.x < 0) == (x < 0), "\(key)")
            #expect((step.y > 0) == (y > 0) && (step.y < 0) == (y < 0), "\(key)")
        }
        // The map follows the pointer.
        let before = center()
        screen.drag(from: Point(x: 30, y: 12), to: Point(x: 24, y: 15))
        #expect(center().x > before.x && center().y < before.y)
        screen.press("-")
        #expect(view.frameShown == MapFrame())
        screen.application.send(.mouse(MouseEvent(.wheel(1), at: Point(x: 30, y: 12))))
        #expect(view.frameShown.showsWholeRace)
        screen.application.send(.mouse(MouseEvent(.wheel(-1), at: Point(x: 30, y: 12))))
        #expect(view.frameShown == MapFrame())
        screen.application.send(.mouse(MouseEvent(.wheel(-1), at: Point(x: 30, y: 12))))
        #expect(view.frameShown.viewport.zoom == 1.25)
    }

    // MARK: The profile

    private static let hill = StageProfile(
        Track(points: [
            .init(distance: 0, height: 100), .init(distance: 10, height: 100), .init(distance: 20, height: 900),
            .init(distance: 40, height: 300),
        ]))

    @Test func saysWhatTheProfileShows() {
        let view = StageProfileView(DrawsStageWays.hill, climbs: [Climb(km: 20, category: "HC"), Climb(km: 30)])
        let screen = screen(view, 80, 20)
        let lines = screen.lines
        #expect(lines[0].contains("40 km · 800 m of climbing"), "\(screen.text)")
        #expect(lines[1].hasPrefix(" 900 m") && lines[13].hasPrefix(" 100 m"), "\(screen.text)")
        // The kilometres of the summits are between those of start and finish.
        #expect(lines[17].contains(/0 +20 +30 +40 km/) && lines[17].hasSuffix("40 km"))
        #expect(
            screen.text.contains("km 20: 10") && screen.text.contains(" at 8.0 %") || screen.text.contains(" at 8 %"),
            "\(screen.text)")
        // The category appears above the summit, in the middle of the profile.
        let column = lines[1].column(of: "HC")
        #expect(column.map { abs($0 - 42) <= 1 } == true, "\(column ?? -1)")
        let low = StageProfileView(DrawsStageWays.hill, climbs: [])
        #expect(self.screen(low, 40, 5).lines[1].hasPrefix(" 900 m"), "one row has one label")
        let flat = StageProfileView(DrawsStageWays.flat, climbs: [])
        #expect(self.screen(flat, 80, 20).text.contains("no climbs"))
        // Where the race file names climbs, nothing contradicts it.
        #expect(
            !self.screen(StageProfileView(DrawsStageWays.flat, climbs: [Climb(km: 2)]), 80, 20).text.contains(
                "no climbs"))
    }

    /// On its own page the profile has a table of the climbs with the gradients of their kilometres, as far as there is
    /// space.
    @Test func listsTheClimbsBelowTheProfile() {
        let climbs = [
            Climb(name: "Serra", km: 20, category: "1", length: 4, gradient: 8),
            Climb(name: "Foz", km: 30, elevation: 77),
        ]
        let view = StageProfileView(DrawsStageWays.hill, climbs: climbs)
        #expect(!screen(view, 80, 30).text.contains("Summit"))
        view.listsClimbs = true
        let lines = screen(view, 80, 30).lines
        let head = lines.firstIndex { $0.contains("km  Climb  Category") } ?? 0
        #expect(lines[head + 1].contains("20  Serra  1") && lines[head + 1].contains("8.0 %   900 m"), "\(lines)")
        #expect(lines[head + 2].hasPrefix("  %  8  8  8  8") && lines[head + 3].contains("77 m"), "\(lines)")
        #expect(!lines[head - 1].contains("⣿") && lines[1].contains("1 Serra 4 km"))
        // Lower panes omit the gradients, then the table.
        #expect(!screen(view, 80, 15).text.contains("  %  8") && screen(view, 80, 15).text.contains("Summit"))
        #expect(!screen(view, 80, 14).text.contains("Summit"))
        // Without a race file the climbs of the track are listed; a sketch has no gradients.
        let found = ClimbTable(DrawsStageWays.hill, []).lines(in: Size(width: 60, height: 9))
        #expect(found.count == 3 && found[2].dropFirst().count == 10, "\(found)")
        #expect(found[0][0].text.string.contains("Length") && !found[0][0].text.string.contains("Category"))
    }

    private static let flat = StageProfile(
        Track(points: [.init(distance: 0, height: 1), .init(distance: 9, height: 2)]))

    /// The cursor follows the race until the user moves it.
    @Test func readsThePositionUnderTheCursor() {
        let view = StageProfileView(DrawsStageWays.hill, climbs: [])
        let screen = screen(view, 49, 20)
        func place() -> String? {
            screen.lines[18].split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(place() == "20 km · 900 m", "\(screen.text)")
        for (km, words) in [
            (0.0, "0 km · 100 m"), (10, "10 km · 100 m"), (15, "15 km · 500 m"), (40, "40 km · 300 m"),
            (99, "40 km · 300 m"),
        ] {
            view.kilometre = km
            screen.application.render()
            #expect(place() == words)
            #expect(screen.text.contains("▼"))
        }
        view.kilometre = 10
        screen.application.render()
        #expect(screen.lines.compactMap { $0.column(of: "▼") } == [17])
        // The mark is on the road, below the names of the climbs.
        #expect(!screen.lines[1].contains("▼"))
        // One column is a fortieth of the distance.
        screen.press("right")
        #expect(place() == "11 km · 180 m", "\(screen.text)")
        screen.press("left", "h")
        #expect(place() == "9 km · 100 m")
        view.kilometre = 20
        screen.application.render()
        #expect(place() == "9 km · 100 m")
        screen.click(7, 5)
        #expect(place() == "0 km · 100 m")
        screen.press("left")
        #expect(place() == "0 km · 100 m")
        screen.click(47, 5)
        #expect(place() == "40 km · 300 m")
        screen.drag(from: Point(x: 47, y: 5), to: Point(x: 27, y: 5))
        #expect(place() == "20 km · 900 m")
        view.kilometre = nil
        screen.application.render()
        #expect(!screen.text.contains("▼"))
    }

    /// Four colours, each from its own gradient on.
    @Test func coloursTheProfileByItsGradient() {
        let gradients: [(Double, ThemeRole)] = [
            (-8, .secondary), (0, .secondary), (2.9, .secondary), (3, .good), (5.9, .good), (6, .warm), (8.9, .warm),
            (9, .failure), (20, .failure),
        ]
        for (gradient, role) in gradients { #expect(StageProfileView.role(gradient) == role, "\(gradient)") }
    }

    // MARK: Distances

    @Test func drawsABarForEachDistance() {
        let bars: [(Double, String)] = [
            (240, "━━━━━━━━"), (120, "━━━━    "), (130, "━━━━╸   "), (12.8, "╸       "), (0.01, "╸       "),
            (600, "━━━━━━━━"),
        ]
        for (distance, bar) in bars { #expect(StageRowText.bar(distance) == bar, "\(distance)") }
    }
}
