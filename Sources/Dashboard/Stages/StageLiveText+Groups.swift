import ModelCore
import TerminalUI

/// The groups on the road, and what they reach next.
extension StageLiveText {
    /// The maximum number of riders who are named in a group.
    private static let mostNames = 8

    /// Returns the groups with the age that they carry. Outdated groups become one sentence.
    ///
    /// - Parameters:
    ///   - history: The reports until this one, for trends.
    ///   - usesArrows: Whether the terminal can show arrows.
    static func groups(_ report: LiveReport, _ history: LiveHistory, now: Instant, usesArrows: Bool) -> [TextParagraph]
    {
        let groups = report.groups ?? []
        guard !groups.isEmpty, let instant = report.instant else { return [] }
        let time = DateText.clock(instant)
        let freshness = report.freshness(at: now)
        if freshness == .folded {
            return [
                TextParagraph(DisplayText("The groups of ") + time + DisplayText(" are too old to tell."), .secondary)
            ]
        }
        let role: TextRole = freshness == .dim ? .secondary : []
        let rows = groups.enumerated().map { place, group in
            (name: name(of: group), value: value(of: group, history, isFirst: place == 0, usesArrows: usesArrows))
        }
        let widest = min(28, rows.map(\.name.columns).max() ?? 0)
        return [TextParagraph(DisplayText("Groups, as of ") + time, .heading)]
            + rows.map { row in
                TextParagraph(
                    [StyledSpan(row.value, role)],
                    firstPrefix: StyledLine([
                        StyledSpan(row.name, role),
                        StyledSpan(.blanks(max(1, widest - row.name.columns + 2))),
                    ]), prefix: StyledLine(.blanks(2)), isNamed: true)
            }
    }

    private static func name(of group: LiveGroup) -> DisplayText {
        let name = GroupNames.name(group.name, in: "en")
        return DisplayText(group.size.map { "\(name) (\($0))" } ?? name)
    }

    private static func value(of group: LiveGroup, _ history: LiveHistory, isFirst: Bool, usesArrows: Bool)
        -> DisplayText
    {
        var parts: [String] = []
        if !isFirst, let gap = group.gap {
            parts.append("+" + RaceTime.text(gap) + trend(history.trend(of: group), usesArrows: usesArrows))
        }
        if let km = group.kmToGo { parts.append(DecimalText.short(km) + " km to go") }
        if let speed = group.speed { parts.append(DecimalText.short(speed.rounded()) + " km/h") }
        if let riders = riders(of: group) { parts.append(riders) }
        return DisplayText(parts.joined(separator: " · "))
    }

    /// Returns how a gap has changed in five minutes, such as " ▲ 0:12", or nothing if it has hardly changed.
    private static func trend(_ seconds: Int?, usesArrows: Bool) -> String {
        guard let seconds, abs(seconds.limited(-86_400, 86_400)) >= 5 else { return "" }
        let sign = usesArrows ? (seconds > 0 ? "▲" : "▼") : (seconds > 0 ? "up" : "down")
        return " \(sign) " + RaceTime.text(abs(seconds.limited(-86_400, 86_400)))
    }

    /// Returns the names of the riders, or `nil` for a group that is too large to be named.
    private static func riders(of group: LiveGroup) -> String? {
        guard let riders = group.riders, !riders.isEmpty, riders.count <= mostNames * 2 else { return nil }
        let named = riders.prefix(mostNames).joined(separator: ", ")
        return riders.count > mostNames ? "\(named) and \(riders.count - mostNames) more" : named
    }

    /// Returns the next climb or sprint after a position, such as "Next: Télégraphe in 12 km, 11.9 km at 7.1 %".
    ///
    /// - Parameter km: The position of the first group, in kilometres from the start.
    static func next(after km: Double?, on stage: Stage) -> DisplayText? {
        guard let km else { return nil }
        let climbs = (stage.climbs ?? []).map { climb -> (km: Double, words: String) in
            let length = climb.length.map { ", \(DecimalText.short($0)) km" } ?? ""
            let gradient = climb.gradient.map { " at \(DecimalText.short($0)) %" } ?? ""
            return (climb.km, "\(climb.name ?? "a climb")|\(length)\(length.isEmpty ? "" : gradient)")
        }
        let sprints = (stage.sprints ?? []).map { sprint in (km: sprint.km, words: "\(sprint.name ?? "a sprint")|") }
        guard let next = (climbs + sprints).filter({ $0.km > km }).min(by: { $0.km < $1.km }) else { return nil }
        let parts = next.words.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let distance = DecimalText.short(((next.km - km) * 10).rounded() / 10)
        return DisplayText("Next: \(parts[0]) in \(distance) km\(parts.count > 1 ? String(parts[1]) : "")")
    }
}
