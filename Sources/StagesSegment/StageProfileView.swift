import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// The elevation profile of a stage with its climbs. A cursor shows position and elevation.
@MainActor
final class StageProfileView: View {
    private let profile: StageProfile
    /// The climbs listed in the race file.
    private let climbs: [Climb]
    /// The cursor's position along the stage, from 0 to 1.
    private var cursorShare = 0.5 { didSet { setNeedsDisplay() } }
    /// The position of the race in kilometres. The cursor follows it until the user moves the cursor.
    var kilometre: Double? {
        didSet {
            if let kilometre, kilometre != oldValue, profile.length > 0, !hasMoved {
                cursorShare = max(0, min(1, kilometre / profile.length))
            }
            setNeedsDisplay()
        }
    }
    /// Whether the climbs are listed below, as on the profile's own page. Beside facts they are listed already.
    var listsClimbs = false { didSet { setNeedsDisplay() } }
    private lazy var table = ClimbTable(profile, climbs)
    var groups: [LiveMark] = [] { didSet { setNeedsDisplay() } }
    private var hasMoved = false

    init(_ profile: StageProfile, climbs: [Climb]) {
        self.profile = profile
        self.climbs = climbs
        super.init()
    }

    override var canBecomeFocused: Bool { true }

    /// The minimum height of the profile with its words, above a table.
    private static let rowsWithoutTable = 12

    /// The lines below the profile: a table of the climbs, or a line where there is no space for a table.
    private var climbLines: [[RoleText]] {
        let height = min(bounds.height / 2, bounds.height - StageProfileView.rowsWithoutTable)
        let lines = listsClimbs ? table.lines(in: Size(width: bounds.width - 8, height: height)) : []
        if !lines.isEmpty { return [[]] + lines }
        return climbList.isEmpty ? [] : [[RoleText(climbList, .secondary)]]
    }

    /// Beside facts the profile has no cursor until the user moves one.
    private var hasCursor: Bool { isFocused || hasMoved }
    /// The number of lines between the profile and the climbs: the distances, and the place of the cursor.
    private var scaleLines: Int { hasCursor ? 2 : 1 }

    private var plot: Rect {
        let height = bounds.height - 1 - scaleLines - climbLines.count
        return Rect(x: 7, y: 1, width: max(1, bounds.width - 8), height: max(1, height))
    }

    override func draw(in surface: Surface) {
        let plot = plot
        let (bottom, low, high) = profile.scale(minimum: 50)
        var canvas = BrailleCanvas(size: plot.size)
        for x in 0..<canvas.width {
            let distance = profile.length * Double(x) / Double(max(1, canvas.width - 1))
            let share = (profile.height(at: distance) - bottom) / (high - bottom)
            let top = Double(canvas.height - 1) * (1 - share)
            let style = theme[StageProfileView.role(profile.gradient(at: distance))]
            canvas.line(from: (Double(x), Double(canvas.height - 1)), to: (Double(x), top), style: style)
        }
        if !symbols.isLinear { canvas.draw(in: surface, at: plot.origin, isASCII: !traits.capabilities.hasUnicode) }
        // In a single row the labels would overlap.
        let lowRow = plot.maxY - 1 - Int(clamping: (low - bottom) / (high - bottom) * Double(plot.height - 1))
        for (row, height) in [(plot.minY, high), (max(plot.minY + 1, lowRow), low)].prefix(plot.height) {
            let label = DisplayText("\(Int(clamping: height)) m")
            surface.draw(label, at: Point(x: max(1, 6 - label.columns), y: row), style: theme[.secondary])
        }
        let length = StageText.distance(profile.length)
        surface.draw("0", at: Point(x: plot.minX, y: plot.maxY), style: theme[.secondary])
        surface.draw(length, at: Point(x: plot.maxX - length.columns, y: plot.maxY), style: theme[.secondary])
        if hasCursor { drawCursor(in: surface, plot) }
        drawClimbs(in: surface, plot)
        drawRace(in: surface, plot, from: bottom, to: high)
        let end = surface.draw(summary.truncated(to: bounds.width - 2), at: Point(x: 1, y: 0), style: theme[.text])
        drawLegend(in: surface, after: end)
        for (row, pieces) in climbLines.enumerated() {
            var column = 1
            for piece in pieces {
                let text = piece.text.truncated(to: max(0, bounds.width - 1 - column))
                column = surface.draw(
                    text, at: Point(x: column, y: plot.maxY + scaleLines + row), style: theme[piece.role])
            }
        }
    }

    /// Returns a colour for a gradient, which also appears in the text below the profile.
    nonisolated static func role(_ gradient: Double) -> ThemeRole {
        gradient >= 9 ? .failure : gradient >= 6 ? .warm : gradient >= 3 ? .good : .secondary
    }

    /// Draws the gradients from which the colours apply, if there is space.
    private func drawLegend(in surface: Surface, after end: Int) {
        let pieces = [0.0, 3, 6, 9].map { gradient in
            (
                DisplayText(symbols.bar), DisplayText(" \(DecimalText.short(gradient)) % "),
                StageProfileView.role(gradient)
            )
        }
        var column = bounds.width - 1 - pieces.reduce(0) { $0 + $1.0.columns + $1.1.columns }
        guard column > end + 2, traits.capabilities.colors > .none, !symbols.isLinear else { return }
        for (sign, words, role) in pieces {
            column = surface.draw(sign, at: Point(x: column, y: 0), style: theme[role])
            column = surface.draw(words, at: Point(x: column, y: 0), style: theme[.secondary])
        }
    }

    private func column(_ km: Double, in plot: Rect) -> Int {
        plot.minX + Int(clamping: (Double(plot.width - 1) * max(0, min(1, km / profile.length))).rounded())
    }

    /// Draws the letters of the groups on the road, or a mark at the position of the race.
    private func drawRace(in surface: Surface, _ plot: Rect, from low: Double, to high: Double) {
        guard profile.length > 0 else { return }
        /// The row on the road at a place. Marks are there, below the names of the climbs.
        func row(at km: Double) -> Int {
            let share = (profile.height(at: km) - low) / (high - low)
            return plot.maxY - 1
                - Int(clamping: (Double(plot.height) * share).rounded(.up)).limited(0, max(0, plot.height - 2))
        }
        if groups.isEmpty, let kilometre {
            surface.draw(
                traits.capabilities.hasUnicode ? "▼" : "v",
                at: Point(x: column(kilometre, in: plot), y: row(at: kilometre)), style: theme[.failure])
        }
        var free = plot.maxX
        for group in groups.sorted(by: { $0.km > $1.km }) {
            // A group whose place is taken moves back.
            let place = min(column(group.km, in: plot), free - 1)
            guard place >= plot.minX else { return }
            free = place
            surface.draw(DisplayText(group.letter), at: Point(x: place, y: row(at: group.km)), style: theme[.failure])
        }
    }

    /// Draws the categories, names and lengths of the climbs above their summits, as far as there is space.
    private func drawClimbs(in surface: Surface, _ plot: Rect) {
        guard profile.length > 0 else { return }
        var free = plot.maxX
        for climb in climbs.sorted(by: { $0.km > $1.km }) {
            let category = climb.category.flatMap { $0.count <= 4 ? $0 : nil }
            let name = [category, climb.name].compactMap { $0 }.joined(separator: " ")
            let length = climb.length.map { " " + StageText.distance($0).string } ?? ""
            let summit = column(climb.km, in: plot)
            // The next climb to the left needs the space before its own summit.
            let before = climbs.filter { $0.km < climb.km }.map { column($0.km, in: plot) }.max() ?? plot.minX - 2
            let room = free - max(plot.minX, before + 2)
            let texts = [name + length, name, category ?? ""].map { DisplayText($0) }
            guard let text = texts.first(where: { !$0.isEmpty && $0.columns <= room }) else { continue }
            let left = max(plot.minX, min(summit - text.columns / 2, free - text.columns))
            surface.draw(text, at: Point(x: max(left, before + 2), y: plot.minY), style: theme[.text])
            free = max(left, before + 2) - 1
        }
        // The kilometres of the summits between those of start and finish.
        var last = plot.minX + 1
        for climb in climbs.sorted(by: { $0.km < $1.km }) {
            let km = DisplayText(DecimalText.short(climb.km))
            let left = column(climb.km, in: plot) - km.columns / 2
            let end = plot.maxX - StageText.distance(profile.length).columns
            guard left > last, left + km.columns < end else { continue }
            last = surface.draw(km, at: Point(x: left, y: plot.maxY), style: theme[.secondary])
        }
    }

    private func drawCursor(in surface: Surface, _ plot: Rect) {
        let distance = profile.length * cursorShare
        let column = plot.minX + Int(clamping: (Double(plot.width - 1) * cursorShare).rounded())
        surface.fill(
            Rect(x: column, y: plot.minY, width: 1, height: plot.height), with: symbols.vertical, style: theme[.accent])
        let words = StageText.distance(distance) + DisplayText(" · \(Int(clamping: profile.height(at: distance))) m")
        let left = max(1, min(column - words.columns / 2, bounds.width - words.columns - 1))
        surface.draw(words, at: Point(x: left, y: plot.maxY + 1), style: theme[.accent])
    }

    private var summary: DisplayText {
        StageText.distance(profile.length)
            + (profile.isSketch
                ? " · sketched from the climbs" : DisplayText(" · \(Int(clamping: profile.totalAscent)) m of climbing"))
    }

    /// The climbs with position, length and gradient. Those of the race file are named above their summits.
    private var climbList: DisplayText {
        let found = profile.climbs.map { climb in
            let length = StageText.distance(climb.end - climb.start).string
            return "km \(Int(clamping: climb.end)): \(length) at \(DecimalText.long(climb.gradient)) %"
        }
        return DisplayText(found.isEmpty && climbs.isEmpty ? "no climbs" : found.joined(separator: "  "))
    }

    private func move(_ columns: Int) {
        hasMoved = true
        cursorShare = max(0, min(1, cursorShare + Double(columns) / Double(max(1, plot.width - 1))))
    }

    override var commands: [Command] {
        [
            Command(StageCommands.profileLeft, of: self, isEnabled: cursorShare > 0) { $0.move(-1) },
            Command(StageCommands.profileRight, of: self, isEnabled: cursorShare < 1) { $0.move(1) },
        ]
    }

    override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left), .drag(.left):
            hasMoved = true
            cursorShare = max(0, min(1, Double(event.location.x - plot.minX) / Double(max(1, plot.width - 1))))
            return true
        default: return false
        }
    }
}

extension StageProfile {
    /// Returns the elevations of a drawing: of its lower edge, of the lowest point, which has some ground below it, and of
    /// the highest.
    ///
    /// - Parameter minimum: The minimum difference between the lowest and the highest, in metres.
    func scale(minimum: Double) -> (bottom: Double, low: Double, high: Double) {
        let heights = points.map(\.height)
        let low = heights.min() ?? 0
        let high = max(low + minimum, heights.max() ?? 0)
        return (low - (high - low) / 4, low, high)
    }
}
