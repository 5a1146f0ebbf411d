import LibraryKernel
import Races
import TerminalUI

/// A time trial under way: who has finished, the best times on the way, and who is on the road.
extension StageLiveText {
    /// The maximum numbers of riders with their times, and of riders on the road.
    private static let (maximumTimes, maximumOnTheRoad) = (5, 10)

    /// Returns the provisional order, the best times on the way, and the riders who have passed a place on the way but
    /// not the finish, those nearest to it first.
    ///
    /// - Parameter teams: The teams, whose order counts instead of that of the riders if there are any.
    static func trial(_ finished: [Standing], teams: [Standing] = [], _ splits: [SplitTimes]) -> [TextParagraph] {
        var lines: [TextParagraph] = []
        let (order, unit) = teams.isEmpty ? (finished, "rider") : (teams, "team")
        if !order.isEmpty {
            lines.append(TextParagraph(DisplayText("So far · \(order.count.counted(unit)) finished"), .heading))
            lines += TextParagraph.facts(
                order.prefix(maximumTimes).map { standing in
                    (
                        DisplayText(String(standing.place)),
                        DisplayText(standing.name + " · ") + StandingText.time(standing)
                    )
                })
        }
        let best = splits.compactMap { split -> (name: DisplayText, value: DisplayText)? in
            guard let first = split.standings.first, first.place == 1 else { return nil }
            let count = split.standings.count.counted("rider")
            return (
                place(split), DisplayText(first.name + " · ") + StandingText.time(first) + DisplayText(" · \(count)")
            )
        }
        if !best.isEmpty {
            lines += section("Best times on the way", TextParagraph.facts(best), isFirst: lines.isEmpty)
        }
        var seen = Set(finished.map(\.key))
        let riders = splits.reversed().flatMap { split in
            split.standings.filter { seen.insert($0.key).inserted }.map { (split, $0) }
        }
        guard !riders.isEmpty else { return lines }
        let rows = riders.prefix(maximumOnTheRoad).map { split, standing -> (name: DisplayText, value: DisplayText) in
            let words = standing.place == 1 ? "best time at " : "place \(standing.place) at "
            let gap = standing.place == 1 ? .empty : DisplayText(", ") + StandingText.time(standing)
            return (DisplayText(standing.name), DisplayText(words) + place(split) + gap)
        }
        let more =
            riders.count > maximumOnTheRoad ? [TextParagraph(DisplayText("+\(riders.count - maximumOnTheRoad)"))] : []
        return lines + section("On the road", TextParagraph.facts(rows) + more, isFirst: lines.isEmpty)
    }

    private static func place(_ split: SplitTimes) -> DisplayText {
        let km = "km " + DecimalText.short(split.km)
        return DisplayText(split.name.map { "\($0) (\(km))" } ?? km)
    }

    private static func section(_ title: DisplayText, _ lines: [TextParagraph], isFirst: Bool) -> [TextParagraph] {
        (isFirst ? [] : [.blank]) + [TextParagraph(title, .heading)] + lines
    }
}
