import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

extension StageLiveText {
    /// The widths from which the names of riders follow their group, wrap, and have speeds before them.
    private static let (minimumForNames, minimumForWrapping, minimumForSpeeds) = (40, 60, 100)
    /// The maximum number of riders who are named in a group in screen-reader mode.
    private static let maximumNames = 8
    /// The size from which a group gets only one line of names.
    private static let large = 25
    private static let longestName = 24
    /// The widths from which groups have their sizes, and what is left for names and signs of jerseys has both.
    private static let (minimumForSizes, minimumForSigns) = (24, 14)

    /// Returns the groups with the age that they carry. Outdated groups become one sentence.
    ///
    /// - Parameter hasHeading: Whether the age is in a heading instead of the caption of the bar.
    static func groups(_ scene: LiveScene, hasHeading: Bool = true) -> [TextParagraph] {
        guard !scene.groups.isEmpty, let instant = scene.report.instant else { return [] }
        let time = DateText.clock(instant)
        let freshness = scene.report.freshness(at: scene.now)
        if freshness == .old {
            return [
                TextParagraph(DisplayText("The groups of ") + time + DisplayText(" are out of date."), .secondary)
            ]
        }
        let role: TextRole = freshness == .dim ? .secondary : []
        let heading = TextParagraph(DisplayText("Groups, as of ") + time, .heading)
        if scene.isLinear { return [heading] + scene.groups.indices.map { spoken($0, scene, role) } }
        return (hasHeading ? [heading] : []) + table(scene, role)
    }

    // MARK: In columns

    /// The columns of a group before its riders.
    private struct Row {
        var letter: String
        var name: DisplayText
        var size: String
        var gap: DisplayText
    }

    private static func table(_ scene: LiveScene, _ role: TextRole) -> [TextParagraph] {
        let letters = scene.letters
        let isNarrow = scene.columns < minimumForWrapping
        let rows = scene.groups.enumerated().map { place, group -> Row in
            Row(
                letter: letters[place], name: groupName(group), size: group.size.map { String($0) } ?? "",
                gap: DisplayText(gap(of: group, scene, isFirst: place == 0, hasAmount: !isNarrow)))
        }
        let gaps = rows.map { $0.gap.columns }.max() ?? 0
        // Letter and gap stay whole; of the name there is as much as fits beside the size and the signs of jerseys.
        let sizes = scene.columns < minimumForSizes ? 0 : rows.map { $0.size.count }.max() ?? 0
        let room = scene.columns - 2 - (sizes > 0 ? sizes + 1 : 0) - (gaps > 0 ? gaps + 2 : 0)
        let signs = scene.hasSigns && room >= minimumForSigns ? min(4, scene.roster.wearers.count) + 2 : 0
        let maximum = isNarrow ? (scene.columns < minimumForNames ? room - signs : min(16, room - 12)) : longestName
        let names = min(max(1, maximum), rows.map { $0.name.columns }.max() ?? 0)
        return zip(scene.groups, rows).map { group, row in
            var text = row.name.truncated(to: names).padded(to: names)
            if sizes > 0 { text = text + .blanks(sizes - row.size.count + 1) + DisplayText(row.size) }
            if gaps > 0 { text = text + .blanks(2) + row.gap.padded(to: gaps) }
            let letter = StyledSpan(DisplayText(row.letter), role.union(.strong))
            return paragraph(group, StyledLine([letter, StyledSpan(.blanks(1) + text, role)]), scene, role)
        }
    }

    private static func paragraph(_ group: LiveGroup, _ start: StyledLine, _ scene: LiveScene, _ role: TextRole)
        -> TextParagraph
    {
        var start = start
        if scene.columns >= minimumForSpeeds {
            let km = group.kmToGo.map { DecimalText.short(($0 * 10).rounded() / 10) + " km" } ?? ""
            let speed = group.speed.map { DecimalText.short($0.rounded()) + " km/h" } ?? ""
            start.spans.append(
                StyledSpan("  " + DisplayText(km).padded(to: 8) + DisplayText(speed).padded(to: 7), .secondary))
        }
        let room = scene.columns - start.columns - 2
        guard room >= 1, group.riders?.isEmpty == false else {
            return TextParagraph(start.spans, wraps: false)
        }
        if room < 12 {
            return TextParagraph(
                start.spans + [StyledSpan("  ")] + signs(of: group, scene, maximum: room), wraps: false)
        }
        let isWrapped = scene.columns >= minimumForWrapping && (group.riders?.count ?? 0) <= large
        let names = names(of: group, scene, role, columns: isWrapped ? room * 2 - 12 : room)
        start.spans.append(StyledSpan("  "))
        guard scene.columns >= minimumForWrapping else { return TextParagraph(start.spans + names, wraps: false) }
        return TextParagraph(names, firstPrefix: start, prefix: StyledLine(.blanks(start.columns)))
    }

    /// Returns the signs of the jerseys in a group, for the bar and for lines without space for names.
    static func signs(of group: LiveGroup, _ scene: LiveScene, maximum: Int = .max) -> [StyledSpan] {
        guard scene.hasSigns else { return [] }
        let wearers = scene.roster.wearers.filter { group.riders?.contains($0.rider) == true }
        return wearers.prefix(maximum).map { wearer in
            StyledSpan(scene.jersey(wearer.list), link: scene.link(to: wearer.rider, jersey: wearer.list))
        }
    }

    /// Returns the names of riders that fit into a width. Wearers of jerseys are always among them, if need be as signs.
    private static func names(of group: LiveGroup, _ scene: LiveScene, _ role: TextRole, columns: Int) -> [StyledSpan] {
        let riders = scene.riders(of: group)
        let count = max(riders.count, group.size ?? 0)
        let more = DisplayText(" +\(count)").columns
        // The signs of the wearers whose names may not fit.
        var signs = scene.hasSigns ? riders.reduce(0) { $0 + scene.roster.jerseys(of: $1).count } : 0
        var spans: [StyledSpan] = []
        var (used, shown, endsInSign) = (0, 0, false)
        for rider in riders {
            let jerseys = scene.roster.jerseys(of: rider)
            var separator: DisplayText = shown == 0 ? .empty : ", "
            var name = named(rider, scene, role)
            signs -= scene.hasSigns ? jerseys.count : 0
            func width() -> Int { separator.columns + name.reduce(0) { $0 + $1.text.columns } }
            let room = columns - used - (shown + 1 < count ? more : 0) - (signs > 0 ? signs + 1 : 0)
            if width() > room {
                guard !jerseys.isEmpty || scene.isNamed(rider) else { break }
                if scene.hasSigns, !jerseys.isEmpty {
                    name = Array(name.prefix(jerseys.count))
                    separator = shown == 0 || endsInSign ? .empty : " "
                    endsInSign = true
                }
            } else {
                endsInSign = false
            }
            if !separator.isEmpty { spans.append(StyledSpan(separator, role)) }
            used += width()
            spans += name
            shown += 1
        }
        if shown < count {
            spans.append(StyledSpan(DisplayText("\(shown > 0 ? " " : "")+\(count - shown)"), .secondary))
        }
        return spans
    }

    /// Returns a rider's name with the signs of the jerseys before it, or their names behind it.
    private static func named(_ rider: String, _ scene: LiveScene, _ role: TextRole) -> [StyledSpan] {
        let jerseys = scene.roster.jerseys(of: rider)
        let role = scene.isNamed(rider) ? role.union(.strong) : role
        let short = scene.isLinear ? DisplayText(scene.roster.name(rider)) : shortName(of: rider, scene.roster)
        let name = scene.marked(short, rider)
        let named = StyledSpan(name, role, link: scene.link(to: rider))
        guard !jerseys.isEmpty else { return [named] }
        if scene.hasSigns {
            return jerseys.map { StyledSpan(scene.jersey($0), role, link: scene.link(to: rider, jersey: $0)) } + [named]
        }
        let words = jerseys.map { scene.jersey($0).string }.joined(separator: ", ")
        return [named, StyledSpan(DisplayText(" (\(words))"), role)]
    }

    /// Returns a name without its first word, the given name.
    static func shortName(of rider: String, _ roster: LiveRoster) -> DisplayText {
        let name = roster.name(rider)
        let words = name.split(separator: " ", maxSplits: 1)
        return DisplayText(words.count == 2 && roster.rider(rider)?.number != nil ? String(words[1]) : name)
    }

    // MARK: In words

    private static func spoken(_ place: Int, _ scene: LiveScene, _ role: TextRole) -> TextParagraph {
        let group = scene.groups[place]
        var parts = [gap(of: group, scene, isFirst: place == 0, hasAmount: true)].filter { !$0.isEmpty }
        if let km = group.kmToGo { parts.append(DecimalText.short(km) + " km to go") }
        if let speed = group.speed { parts.append(DecimalText.short(speed.rounded()) + " km/h") }
        let riders = scene.riders(of: group)
        let needed = riders.count { scene.isNamed($0) || !scene.roster.jerseys(of: $0).isEmpty }
        let count = riders.count <= 2 * maximumNames ? maximumNames : needed
        let told = riders.prefix(max(count, needed)).map { rider in
            named(rider, scene, role).map(\.text.string).joined()
        }
        let rest = max(riders.count, group.size ?? 0) - told.count
        if !told.isEmpty {
            parts.append(told.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
        }
        let title = groupName(group).string + (group.size.map { " (\($0))" } ?? "")
        return TextParagraph(DisplayText(title + ": " + parts.joined(separator: " · ")), role)
    }

    static func groupName(_ group: LiveGroup) -> DisplayText { DisplayText(GroupNames.name(group.name, in: "en")) }

    /// Returns a gap with its trend, such as "+1:24 ▼ 0:26".
    private static func gap(of group: LiveGroup, _ scene: LiveScene, isFirst: Bool, hasAmount: Bool) -> String {
        guard !isFirst, let gap = group.gap else { return "" }
        let arrows = scene.hasUnicode && !scene.isLinear
        return "+" + RaceTime.text(gap)
            + trend(scene.history.trend(of: group), usesArrows: arrows, hasAmount: hasAmount)
    }

    /// Returns how a gap has changed in five minutes, such as " ▲ 0:12", or nothing if it has hardly changed.
    private static func trend(_ seconds: Int?, usesArrows: Bool, hasAmount: Bool) -> String {
        guard let seconds, abs(seconds.limited(-86_400, 86_400)) >= 5 else { return "" }
        let sign = usesArrows ? (seconds > 0 ? "▲" : "▼") : (seconds > 0 ? "up" : "down")
        return " \(sign)" + (hasAmount ? " " + RaceTime.text(abs(seconds.limited(-86_400, 86_400))) : "")
    }
}
