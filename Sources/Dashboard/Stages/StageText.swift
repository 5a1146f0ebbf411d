import ModelCore
import TerminalUI

/// The facts of a stage as text.
enum StageText {
    /// `209 km`, `8.4 km`.
    static func distance(_ kilometres: Double) -> DisplayText {
        let tenths = Int((kilometres * 10).rounded())
        return DisplayText(tenths % 10 == 0 ? "\(tenths / 10) km" : "\(DecimalText.tenths(Int64(tenths))) km")
    }

    /// The lines of the detail.
    static func paragraphs(_ race: Race, index: Int, dates: DateText, hasHeading: Bool) -> [TextParagraph] {
        let stage = race.stages[index]
        var rows: [(name: DisplayText, value: DisplayText)] = []
        if let day = stage.day {
            rows.append(("Date", DateText.longDay(day) + " · " + dates.distance(day)))
        }
        if let distance = stage.distance { rows.append(("Distance", self.distance(distance))) }
        if let type = stage.type { rows.append(("Type", DisplayText(type))) }
        if stage.isCovered { rows.append(("Result", "hidden until you look")) }
        if let winner = stage.winner { rows.append(("Winner", DisplayText(winner))) }
        if let leader = stage.leaderAfter {
            rows.append((DisplayText("Leader after it"), DisplayText(leader)))
        }
        if let jersey = race.leaderJersey { rows.append(("Leader's jersey", DisplayText(jersey))) }
        let heading =
            (hasHeading ? [TextParagraph(DisplayText(stage.route), .heading)] : []) + [
                TextParagraph(
                    DisplayText("Stage \(stage.number) of \(race.stages.count) · \(race.race) \(race.year)"), .secondary
                ),
                .blank,
            ]
        return heading + TextParagraph.facts(rows) + neighbours(race, index: index)
    }

    private static func neighbours(_ race: Race, index: Int) -> [TextParagraph] {
        func line(_ mark: String, _ index: Int) -> TextParagraph? {
            guard race.stages.indices.contains(index) else { return nil }
            let stage = race.stages[index]
            return TextParagraph(DisplayText("\(mark) \(stage.number) \(stage.route)"), .secondary)
        }
        let lines = [line("‹", index - 1), line("›", index + 1)].compactMap { $0 }
        return lines.isEmpty ? [] : [.blank] + lines
    }
}
