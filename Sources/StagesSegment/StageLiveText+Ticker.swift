import DashboardFrame
import LibraryKernel
import RaceModel
import TerminalUI

extension StageLiveText {
    /// Returns messages with their times, and before them signs of what happened, if the pane is wide enough.
    ///
    /// - Parameter isLinear: Whether words replace the signs, for screen-reader mode.
    static func ticker(_ lines: [TickerLine], columns: Int, isLinear: Bool, hasUnicode: Bool) -> [TextParagraph] {
        let events = lines.map { TickerEvent($0.kind) }
        let rows = TextParagraph.facts(
            zip(lines, events).map { line, event in
                let km = line.km.map { DisplayText(" km " + DecimalText.short($0)) } ?? .empty
                let time = line.instant.map(DateText.clock) ?? .empty
                var text = DisplayText(line.text)
                if isLinear, let event { text = event.name + ": " + text }
                return (time + km, text)
            })
        guard !isLinear, columns >= tiny, events.contains(where: { $0 != nil }) else { return rows }
        return zip(rows, events).map { row, event in
            var row = row
            let sign = event.map { event in
                StyledSpan(DisplayText(event.glyph(hasUnicode: hasUnicode)), event.isBad ? .failure : .strong)
            }
            row.firstPrefix.spans.insert(contentsOf: [sign ?? StyledSpan(.blanks(1)), StyledSpan(.blanks(1))], at: 0)
            row.prefix.spans.insert(StyledSpan(.blanks(2)), at: 0)
            return row
        }
    }

    /// Returns a line with the latest message if it is newer than groups that are no longer fresh.
    ///
    /// - Parameter lines: The messages, latest first.
    static func newer(_ lines: [TickerLine], than scene: LiveScene?) -> [TextParagraph] {
        guard let scene, let groups = scene.report.instant, !scene.groups.isEmpty, let line = lines.first,
            let instant = line.instant, instant > groups, scene.report.freshness(at: scene.now) != .fresh
        else { return [] }
        return [TextParagraph([StyledSpan(DateText.clock(instant) + "  " + DisplayText(line.text))], wraps: false)]
    }
}
