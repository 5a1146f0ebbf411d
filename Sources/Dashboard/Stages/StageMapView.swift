import ModelCore
import TerminalUI

/// Where a stage goes: its start and finish on a map of coarse outlines, drawn in dots, and the way between them with its way
/// points where a track was added. It can be moved and made larger with the keys of a picture, and needs no network.
@MainActor
final class StageMapView: View {
    private let places: [(name: DisplayText, north: Double, east: Double)]
    private let others: [(north: Double, east: Double)]
    private let route: StageRoute?
    /// Degrees of the whole race, and of the stage, with some room around them.
    private let whole: (south: Double, north: Double, west: Double, east: Double)
    private var viewport = Viewport() { didSet { setNeedsDisplay() } }
    private var dragStart: (place: Point, viewport: Viewport)?

    init?(_ race: Race, index: Int, route: StageRoute?) {
        let stage = race.stages[index]
        func place(_ own: [Double]?, or recorded: StageRoute.Place?) -> StageRoute.Place? {
            if let own, own.count == 2 { return StageRoute.Place(north: own[0], east: own[1]) }
            return recorded
        }
        guard let start = place(stage.startPlace, or: route?.places.first),
            let finish = place(stage.finishPlace, or: route?.places.last)
        else { return nil }
        var places = [(name: DisplayText(stage.start), north: start.north, east: start.east)]
        if stage.start != stage.finish { places.append((DisplayText(stage.finish), finish.north, finish.east)) }
        self.places = places
        self.route = route
        let others = race.stages.compactMap { $0.finishPlace }.filter { $0.count == 2 }
            .map { (north: $0[0], east: $0[1]) }
        self.others = others
        let recorded = route?.places ?? []
        let norths = others.map(\.north) + places.map(\.north) + recorded.map(\.north)
        let easts = others.map(\.east) + places.map(\.east) + recorded.map(\.east)
        whole = (
            (norths.min() ?? 0) - 1, (norths.max() ?? 1) + 1, (easts.min() ?? 0) - 1.5, (easts.max() ?? 1) + 1.5
        )
        super.init()
    }

    override var canBecomeFocused: Bool { true }

    /// From degrees to dots: parallels shrink with the cosine of the latitude, a dot is taken to be square.
    private func projection() -> (Double, Double) -> (x: Double, y: Double) {
        let area = whole
        let shrink = cosine(degrees: (area.south + area.north) / 2)
        let (across, down) = ((area.east - area.west) * shrink, area.north - area.south)
        let (width, height) = (Double(bounds.width * 2), Double(bounds.height * 4))
        let scale = min(width / across, height / down) * viewport.zoom
        let middleEast = area.west + (area.east - area.west) * viewport.centerX
        let middleNorth = area.north - (area.north - area.south) * viewport.centerY
        return { north, east in
            ((east - middleEast) * shrink * scale + width / 2, (middleNorth - north) * scale + height / 2)
        }
    }

    override func draw(in surface: Surface) {
        guard !bounds.isEmpty else { return }
        let project = projection()
        var canvas = BrailleCanvas(size: bounds.size)
        for outline in CountryOutlines.all {
            for (a, b) in zip(outline, outline.dropFirst()) {
                canvas.line(from: project(a.north, a.east), to: project(b.north, b.east), style: theme[.secondary])
            }
        }
        for place in others {
            let dot = project(place.north, place.east)
            canvas.set(Int(dot.x), Int(dot.y), style: theme[.rule])
        }
        let way = route?.places.map { ($0.north, $0.east) } ?? places.map { ($0.north, $0.east) }
        for (a, b) in zip(way, way.dropFirst()) {
            canvas.line(from: project(a.0, a.1), to: project(b.0, b.1), style: theme[.accent])
        }
        canvas.draw(in: surface, isASCII: !traits.capabilities.hasUnicode)
        var taken: [Rect] = []
        for (index, place) in places.enumerated() {
            let mark: DisplayText = index == 0 && places.count > 1 ? "○" : "●"
            draw(place.name, mark, at: project(place.north, place.east), theme[.title], &taken, isNeeded: true, surface)
        }
        for (name, place) in route?.wayPoints ?? [] {
            let dot = project(place.north, place.east)
            draw(DisplayText(name), "◆", at: dot, theme[.text], &taken, isNeeded: false, surface)
        }
    }

    /// Draws a place with its name beside it; a name that is not needed is left out where others are.
    private func draw(
        _ name: DisplayText, _ mark: DisplayText, at dot: (x: Double, y: Double), _ style: Style, _ taken: inout [Rect],
        isNeeded: Bool, _ surface: Surface
    ) {
        guard dot.x >= 0, dot.y >= 0, dot.x < Double(bounds.width * 2), dot.y < Double(bounds.height * 4) else {
            return
        }
        let cell = Point(x: Int(dot.x) / 2, y: Int(dot.y) / 4)
        let fits = cell.x + 2 + name.columns <= bounds.width
        let left = fits ? cell.x + 2 : max(0, cell.x - 1 - name.columns)
        let area = Rect(x: min(left, cell.x), y: cell.y, width: name.columns + 2, height: 1)
        guard isNeeded || !taken.contains(where: { !$0.intersection(area).isEmpty }) else { return }
        surface.fill(area, style: theme[.text])
        surface.draw(mark, at: cell, style: theme[.accent])
        surface.draw(name, at: Point(x: left, y: cell.y), style: style)
        taken.append(area)
    }

    // MARK: Moving

    private func zoom(by factor: Double) {
        let before = viewport.zoom
        viewport.zoom = max(1, min(ImageView.maximumZoom * 2, viewport.zoom * factor))
        // The first enlargement goes to the stage.
        if before == 1, viewport.zoom > 1 { centerOnStage() }
        if viewport.zoom == 1 { viewport = Viewport() }
    }

    private func centerOnStage() {
        let area = whole
        let north = places.map(\.north).reduce(0, +) / Double(places.count)
        let east = places.map(\.east).reduce(0, +) / Double(places.count)
        viewport.centerX = (east - area.west) / (area.east - area.west)
        viewport.centerY = (area.north - north) / (area.north - area.south)
    }

    private func pan(_ columns: Int, _ rows: Int) {
        viewport.centerX = max(
            0, min(1, viewport.centerX + Double(columns) / Double(max(1, bounds.width)) / viewport.zoom))
        viewport.centerY = max(
            0, min(1, viewport.centerY + Double(rows) / Double(max(1, bounds.height)) / viewport.zoom))
    }

    override var commands: [Command] {
        let isZoomed = viewport.zoom > 1
        func pan(_ definition: CommandDefinition, _ columns: Int, _ rows: Int) -> Command {
            Command(definition, isEnabled: isZoomed) { [weak self] in self?.pan(columns, rows) }
        }
        return [
            Command(.mapZoomIn) { [weak self] in self?.zoom(by: 1.5) },
            Command(.mapZoomOut, isEnabled: isZoomed) { [weak self] in self?.zoom(by: 1 / 1.5)
            },
            Command(.mapWhole, isEnabled: isZoomed) { [weak self] in
                self?.viewport = Viewport()
            },
            pan(.mapLeft, -4, 0), pan(.mapRight, 4, 0), pan(.mapUp, 0, -2), pan(.mapDown, 0, 2),
        ]
    }

    override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .wheel(let direction): zoom(by: direction < 0 ? 1.25 : 0.8)
        case .press(.left): dragStart = (event.location, viewport)
        case .drag(.left):
            guard let dragStart else { return true }
            viewport = dragStart.viewport
            pan(dragStart.place.x - event.location.x, dragStart.place.y - event.location.y)
        default: return false
        }
        return true
    }
}

/// The cosine of an angle, to a millionth (its series around 0).
private func cosine(degrees: Double) -> Double {
    let angle = degrees * .pi / 180
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
}
