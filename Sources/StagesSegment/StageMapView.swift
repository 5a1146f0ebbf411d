import DashboardFrame
import ModelCore
import Platform
import RaceModel
import Races
import TerminalUI

/// The route of a stage on a map of coasts and borders, with the rest of the race in the background (row STA-06).
///
/// The map shows the stage with a margin of a tenth, or the whole race. It can be moved and zoomed with the keys for
/// pictures, and needs no network.
@MainActor
final class StageMapView: View {
    /// A place with its name.
    private typealias Town = (name: DisplayText, place: StageRoute.Place)

    private let start: Town
    private let finish: Town?
    /// The route, recorded or as straight lines.
    private let way: [StageRoute.Place]
    private let wayPoints: [Town]
    /// The climbs of the race file with their names, otherwise those found in the track.
    private let climbs: [Town]
    /// The routes of the other stages, and their towns.
    private let otherWays: [[StageRoute.Place]]
    private let otherTowns: [Town]
    private let outlines: () -> MapOutlines
    /// The position of the race as a share of the stage's route.
    var shareRidden: Double? { didSet { setNeedsDisplay() } }
    var groups: [LiveMark] = [] { didSet { setNeedsDisplay() } }
    private let distance: Double?
    private let stageArea: MapArea
    private let raceArea: MapArea
    private(set) var frameShown = MapFrame() { didSet { setNeedsDisplay() } }
    private var dragStart: (place: Point, frame: MapFrame)?

    /// The minimum visible size in degrees: a town and its surroundings.
    private static let minimum = 0.7

    init?(_ race: Race, index: Int, track: StageTrack?, outlines: @escaping () -> MapOutlines) {
        func place(_ pair: [Double]?) -> StageRoute.Place? {
            guard let pair, pair.count == 2 else { return nil }
            return StageRoute.Place(north: pair[0], east: pair[1])
        }
        let stage = race.stages[index]
        let recorded = track?.route?.places ?? []
        guard let first = place(stage.startPlace) ?? recorded.first,
            let last = place(stage.finishPlace) ?? recorded.last
        else { return nil }
        start = (DisplayText(stage.start), first)
        finish = stage.start == stage.finish ? nil : (DisplayText(stage.finish), last)
        let listed = (stage.way ?? []).compactMap(place)
        way = recorded.count > 1 ? recorded : listed.count > 1 ? listed : [first, last]
        distance = stage.distance
        wayPoints = (track?.route?.wayPoints ?? []).map { (DisplayText($0.name), $0.place) }
        let (listedClimbs, way, length) = (stage.climbs ?? [], way, stage.distance ?? 0)
        if !listedClimbs.isEmpty, length > 0, way.count > 2 {
            climbs = listedClimbs.compactMap { climb in
                StageRoute.place(at: climb.km / length, on: way).map { (DisplayText(climb.name ?? ""), $0) }
            }
        } else {
            climbs = (track?.profile.climbs ?? []).compactMap { climb in
                let top = track?.profile.points.first { $0.distance >= climb.end && $0.north != nil && $0.east != nil }
                guard let north = top?.north, let east = top?.east else { return nil }
                return (.empty, StageRoute.Place(north: north, east: east))
            }
        }
        self.outlines = outlines
        let others = race.stages.indices.filter { $0 != index }.map { race.stages[$0] }
        otherWays = others.map { [place($0.startPlace), place($0.finishPlace)].compactMap { $0 } }.filter {
            $0.count == 2
        }
        otherTowns = others.flatMap { stage in
            [(stage.start, stage.startPlace), (stage.finish, stage.finishPlace)].compactMap { name, pair in
                place(pair).map { (DisplayText(name), $0) }
            }
        }
        func degrees(_ places: [StageRoute.Place]) -> [(north: Double, east: Double)] {
            places.map { ($0.north, $0.east) }
        }
        let own = degrees(way + [first, last])
        stageArea = MapArea(own).with(margin: 0.1, minimum: StageMapView.minimum)
        raceArea = MapArea(own + degrees(otherWays.flatMap { $0 })).with(margin: 0.1, minimum: StageMapView.minimum)
        super.init()
    }

    override var canBecomeFocused: Bool { true }

    // MARK: Drawing

    /// The area inside the frame.
    private var plot: Rect {
        bounds.width >= 12 && bounds.height >= 5 ? bounds.inset(left: 1, top: 1, right: 1, bottom: 1) : bounds
    }

    private var framed: MapArea { frameShown.showsWholeRace ? raceArea : stageArea }

    /// The projection from degrees to dots. Longitudes shrink with the cosine of the latitude, and dots count as
    /// square.
    private struct Projection {
        let shrink: Double, scale: Double
        let middleNorth: Double, middleEast: Double
        let size: Size

        init(_ area: MapArea, _ viewport: Viewport, _ size: Size) {
            self.size = size
            middleNorth = area.north - (area.north - area.south) * viewport.centerY
            middleEast = area.west + (area.east - area.west) * viewport.centerX
            shrink = max(0.05, cosine(degrees: (area.south + area.north) / 2))
            let across = max(1e-6, (area.east - area.west) * shrink)
            let down = max(1e-6, area.north - area.south)
            scale = min(Double(size.width * 2) / across, Double(size.height * 4) / down) * viewport.zoom
        }

        func dot(_ north: Double, _ east: Double) -> (x: Double, y: Double) {
            (
                (east - middleEast) * shrink * scale + Double(size.width),
                (middleNorth - north) * scale + Double(size.height * 2)
            )
        }

        func dot(_ place: StageRoute.Place) -> (x: Double, y: Double) { dot(place.north, place.east) }

        /// Returns the latitude and longitude of a dot.
        func place(_ x: Double, _ y: Double) -> (north: Double, east: Double) {
            (
                middleNorth - (y - Double(size.height * 2)) / scale,
                middleEast + (x - Double(size.width)) / (shrink * scale)
            )
        }

        /// The visible area in degrees.
        var area: MapArea { MapArea([place(0, 0), place(Double(size.width * 2), Double(size.height * 4))]) }
    }

    override func draw(in surface: Surface) {
        let plot = plot
        guard !plot.isEmpty else { return }
        if plot != bounds { surface.drawBorder(bounds, symbols: symbols, style: theme[.rule]) }
        let inside = surface.subsurface(plot)
        let projection = Projection(framed, frameShown.viewport, plot.size)
        var canvas = BrailleCanvas(size: plot.size)
        let seen = projection.area
        for line in outlines().lines where line.area.meets(seen) {
            let style = theme[line.isBorder ? .rule : .secondary]
            var last = projection.dot(line.points[0].north, line.points[0].east)
            for point in line.points.dropFirst() {
                let next = projection.dot(point.north, point.east)
                canvas.line(from: last, to: next, style: style)
                last = next
            }
        }
        for other in otherWays {
            canvas.line(from: projection.dot(other[0]), to: projection.dot(other[1]), style: theme[.rule])
        }
        for (a, b) in zip(way, way.dropFirst()) {
            canvas.line(from: projection.dot(a), to: projection.dot(b), style: theme[.accent])
        }
        if !symbols.isLinear {
            drawSea(projection, in: inside)
            canvas.draw(in: inside, isASCII: !traits.capabilities.hasUnicode)
        }
        drawPlaces(projection, in: inside, plot.size)
    }

    /// Fills the sea with sparse dots.
    private func drawSea(_ projection: Projection, in surface: Surface) {
        let (outlines, size, style) = (outlines(), projection.size, theme[.rule])
        guard !outlines.lines.isEmpty else { return }
        // The middles of the first cell and of the one below it to the right.
        let (first, second) = (projection.place(1, 2), projection.place(3, 6))
        let shores = outlines.shores(
            first: first.north, step: first.north - second.north, count: size.height, east: projection.area.east)
        let signs: [Unicode.Scalar] = traits.capabilities.hasUnicode ? ["\u{2802}", "\u{2840}"] : [".", " "]
        let waves = signs.map { Glyph($0) ?? .space }
        for (y, row) in shores.enumerated() {
            var crossings = row[...]
            for x in stride(from: 0, to: size.width, by: 1) {
                let east = first.east + Double(x) * (second.east - first.east)
                crossings = crossings.drop { $0 < east }
                guard (row.count - crossings.count).isMultiple(of: 2) else { continue }
                surface.draw(waves[x % 2], at: Point(x: x, y: y), style: style)
            }
        }
    }

    /// Draws start and finish, then climbs, points of interest and other towns where there is space.
    private func drawPlaces(_ projection: Projection, in surface: Surface, _ size: Size) {
        var taken: [Rect] = []
        let hasUnicode = traits.capabilities.hasUnicode
        func draw(_ town: Town, _ mark: DisplayText, _ role: ThemeRole, isNeeded: Bool = false) {
            let dot = projection.dot(town.place)
            guard dot.x >= 0, dot.y >= 0, dot.x < Double(size.width * 2), dot.y < Double(size.height * 4) else {
                return
            }
            let cell = Point(x: Int(clamping: dot.x) / 2, y: Int(clamping: dot.y) / 4)
            let columns = town.name.isEmpty ? 0 : town.name.columns + 1
            let left = cell.x + 1 + columns <= size.width ? cell.x + 1 : max(0, cell.x - columns)
            let name = Rect(x: left, y: cell.y, width: min(columns, size.width), height: 1)
            let mine = [Rect(x: cell.x, y: cell.y, width: 1, height: 1), name].filter { !$0.isEmpty }
            let isFree = !taken.contains { other in mine.contains { !$0.intersection(other).isEmpty } }
            guard isNeeded || isFree else { return }
            surface.fill(name, style: theme[.text])
            surface.draw(mark, at: cell, style: theme[role == .text ? .accent : role])
            surface.draw(
                town.name.truncated(to: size.width - 1), at: Point(x: left == cell.x + 1 ? left + 1 : left, y: cell.y),
                style: theme[role])
            taken += mine
        }
        draw(start, finish == nil ? "●" : "○", .text, isNeeded: true)
        if let finish { draw(finish, "●", .text, isNeeded: true) }
        for group in groups {
            guard let place = place(of: group) else { continue }
            draw((.empty, place), DisplayText(group.letter), .failure, isNeeded: group == groups.first)
        }
        if groups.isEmpty, let place = shareRidden.flatMap({ StageRoute.place(at: $0, on: way) }) {
            draw((.empty, place), hasUnicode ? "◉" : "@", .failure, isNeeded: true)
        }
        for climb in climbs { draw(climb, hasUnicode ? "▲" : "^", .text) }
        for point in wayPoints { draw(point, "◆", .text) }
        for town in otherTowns { draw(town, "·", .secondary) }
    }

    /// Returns the position of a group: its own, or otherwise that of its kilometre.
    private func place(of group: LiveMark) -> StageRoute.Place? {
        if let place = group.place, place.count == 2 { return StageRoute.Place(north: place[0], east: place[1]) }
        return distance.flatMap { StageRoute.place(at: group.km / $0, on: way) }
    }

    // MARK: Moving

    override var commands: [Command] {
        func pan(_ definition: CommandDefinition, _ columns: Int, _ rows: Int) -> Command {
            Command(definition, of: self, isEnabled: frameShown.isZoomed) {
                $0.frameShown.pan(columns: columns, rows: rows, in: $0.bounds.size)
            }
        }
        return [
            Command(StageCommands.mapZoomIn, of: self) { $0.frameShown.zoom(by: 1.5) },
            Command(StageCommands.mapZoomOut, of: self, isEnabled: frameShown.canZoomOut) {
                $0.frameShown.zoom(by: 1 / 1.5)
            },
            Command(StageCommands.mapWholeRace, of: self) { $0.frameShown.turn() },
            pan(StageCommands.mapLeft, -4, 0), pan(StageCommands.mapRight, 4, 0),
            pan(StageCommands.mapUp, 0, -2), pan(StageCommands.mapDown, 0, 2),
        ]
    }

    override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .wheel(let direction): frameShown.zoom(by: direction < 0 ? 1.25 : 0.8)
        case .press(.left): dragStart = (event.location, frameShown)
        case .drag(.left):
            guard let dragStart else { return true }
            frameShown = dragStart.frame
            frameShown.pan(
                columns: dragStart.place.x - event.location.x, rows: dragStart.place.y - event.location.y,
                in: bounds.size)
        default: return false
        }
        return true
    }
}

/// Returns the cosine of an angle with an error below a millionth (its series around 0).
private func cosine(degrees: Double) -> Double {
    let angle = degrees * .pi / 180
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
}

extension StageRoute {
    /// Returns the position on a route at a share of its length, from 0 to 1.
    package static func place(at share: Double, on way: [Place]) -> Place? {
        func length(_ a: Place, _ b: Place) -> Double {
            let east = (b.east - a.east) * cos(a.north * .pi / 180)
            return ((b.north - a.north) * (b.north - a.north) + east * east).squareRoot()
        }
        let parts = zip(way, way.dropFirst()).map { (from: $0, to: $1, length: length($0, $1)) }
        var rest = parts.reduce(0) { $0 + $1.length } * max(0, min(1, share))
        for part in parts {
            if rest <= part.length, part.length > 0 {
                let inPart = rest / part.length
                return Place(
                    north: part.from.north + (part.to.north - part.from.north) * inPart,
                    east: part.from.east + (part.to.east - part.from.east) * inPart)
            }
            rest -= part.length
        }
        return way.last
    }
}
