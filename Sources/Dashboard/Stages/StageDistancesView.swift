import ModelCore
import TerminalUI

/// The distances of all stages as bars, with this stage marked. It replaces the profile of a stage without a track, and
/// says so.
@MainActor
final class StageDistancesView: View {
    private let race: Race
    private let index: Int

    init(_ race: Race, index: Int) {
        self.race = race
        self.index = index
        super.init()
    }

    override func sizeThatFits(_ limit: Size) -> Size { limit }

    private static let eighths: [Glyph] = " ▁▂▃▄▅▆▇█".unicodeScalars.map { Glyph($0) ?? .replacement }

    /// Returns the range of stages around an index whose bars fit into some columns, and the width of each bar.
    nonisolated static func bars(of count: Int, around index: Int, in columns: Int) -> (stages: Range<Int>, width: Int)
    {
        let width = (columns / max(1, count)).limited(1, 4)
        let fitting = columns / width
        let first = max(0, min(index - fitting / 2, count - fitting))
        return (first..<min(count, first + fitting), width)
    }

    override func draw(in surface: Surface) {
        let distances = race.stages.map { $0.distance ?? 0 }
        let most = max(1, distances.max() ?? 1)
        let label = StageText.distance(most)
        let top = bounds.height >= 8 ? 3 : 1
        if top == 3 {
            surface.draw(
                DisplayText("No profile. Add a track of this stage with 'tappa race track'.").truncated(
                    to: bounds.width - 2), at: Point(x: 1, y: 0), style: theme[.text])
            surface.draw("The distances of all stages, up to ", at: Point(x: 1, y: 1), style: theme[.secondary])
            surface.draw(label, at: Point(x: 36, y: 1), style: theme[.secondary])
        } else {
            surface.draw(label, at: Point(x: 1, y: 0), style: theme[.secondary])
        }
        let height = max(1, bounds.height - 2 - top)
        let room = max(1, bounds.width - 2)
        let (shown, width) = StageDistancesView.bars(of: distances.count, around: index, in: room)
        for (place, stage) in shown.enumerated() {
            let isThis = stage == index
            let style = theme[isThis ? .accent : .secondary]
            let level = Int(clamping: (distances[stage] / most * Double(height * 8)).rounded()).limited(0, height * 8)
            let columns = max(1, width - (width > 1 ? 1 : 0))
            for row in 0..<height {
                let eighth = max(0, min(8, level - (height - 1 - row) * 8))
                guard eighth > 0 else { continue }
                let glyph =
                    traits.capabilities.hasUnicode ? StageDistancesView.eighths[eighth] : Glyph("#") ?? .replacement
                surface.fill(
                    Rect(x: 1 + place * width, y: top + row, width: columns, height: 1), with: glyph, style: style)
            }
            if isThis || width >= 3 && race.stages.count <= 60 {
                let number = DisplayText(String(race.stages[stage].number))
                surface.draw(number, at: Point(x: 1 + place * width, y: top + height), style: style)
            }
        }
        let stage = race.stages[index]
        let words = stage.distance.map { DisplayText("Stage \(stage.number): ") + StageText.distance($0) }
        surface.draw(
            words ?? "Distance unknown.", at: Point(x: 1, y: top + 1 + height),
            style: theme[.text])
    }
}
