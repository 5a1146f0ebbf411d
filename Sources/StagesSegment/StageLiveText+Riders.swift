import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// What the live page says about single riders.
extension StageLiveText {
    /// The width below which a found rider gets one line.
    private static let minimumForFacts = 40

    /// Returns where a rider is: group, gap, and places in the result and the classifications.
    ///
    /// - Parameter scene: The groups, or `nil` without any.
    static func rider(_ key: String, _ places: [RiderPlace], _ roster: LiveRoster, _ scene: LiveScene?, columns: Int)
        -> [TextParagraph]
    {
        let group = group(of: key, scene)
        let withdrawal = roster.withdrawal(of: key).map { "withdrew in stage \($0.stage): " + reason($0) }
        let standing = places.map(words)
        if columns < minimumForFacts {
            let parts = [withdrawal ?? group?.brief].compactMap { $0 } + standing.prefix(1)
            return [
                TextParagraph([
                    StyledSpan("▸ " + shortName(of: key, roster), .strong),
                    StyledSpan(DisplayText(": " + parts.joined(separator: " · "))),
                ])
            ]
        }
        let number = roster.rider(key)?.number.map { "number \($0)" }
        let who = [roster.name(key), number, roster.team(key)].compactMap { $0 }.joined(separator: " · ")
        var rows: [(name: DisplayText, value: DisplayText)] = [("Rider", DisplayText(who))]
        if let withdrawal {
            rows.append(("Group", DisplayText(withdrawal)))
        } else if let group {
            rows.append(("Group", DisplayText(group.words)))
        }
        if !standing.isEmpty { rows.append(("Places", DisplayText(standing.joined(separator: " · ")))) }
        return TextParagraph.facts(rows)
    }

    private static func group(of rider: String, _ scene: LiveScene?) -> (words: String, brief: String)? {
        guard let scene, !scene.groups.isEmpty, scene.report.freshness(at: scene.now) != .old else { return nil }
        guard let place = scene.group(of: rider) else { return ("in no group of the report", "no group") }
        let group = scene.groups[place]
        let gap = place > 0 ? group.gap.map { " +" + RaceTime.text($0) } ?? "" : ""
        let time = scene.report.instant.map { ", as of " + DateText.clock($0).string } ?? ""
        return (scene.letters[place] + " " + groupName(group).string + gap + time, scene.letters[place] + gap)
    }

    /// Returns a place such as "general 3 +1:20" or "points 12 (45)".
    private static func words(_ place: RiderPlace) -> String {
        let list = place.list == .results ? "stage" : place.list.name
        let gap = place.gap.flatMap { $0 > 0 && place.place > 1 ? " +" + RaceTime.text($0) : nil } ?? ""
        return "\(list) \(place.place)\(gap)" + (place.points.map { " (\(DecimalText.short($0)))" } ?? "")
    }

    /// Returns the first of the general classification on the road, and the favourites.
    static func onTheRoad(_ rows: [Standing], _ scene: LiveScene) -> [TextParagraph] {
        let shown = rows.filter { $0.place <= maximumPlaces || scene.roster.favourites.contains($0.key) }
        guard !shown.isEmpty else { return [] }
        let facts = shown.map { row -> (name: DisplayText, value: DisplayText) in
            let name = scene.columns < minimumForFacts ? shortName(of: row.key, scene.roster) : DisplayText(row.name)
            let gap = row.place > 1 ? DisplayText(" +" + RaceTime.text(row.gap ?? 0)) : .empty
            return (DisplayText(String(row.place)), scene.marked(name, row.key) + gap)
        }
        return [TextParagraph("General on the road, computed", .heading)] + TextParagraph.facts(facts)
    }

    static func withdrawals(_ roster: LiveRoster, of stage: Int) -> [TextParagraph] {
        let gone = roster.withdrawals.filter { $0.stage == stage }
        guard !gone.isEmpty else { return [] }
        return [TextParagraph("Withdrawals", .heading)]
            + TextParagraph.facts(gone.map { (DisplayText(roster.name($0.rider)), DisplayText(reason($0))) })
    }

    static func reason(_ withdrawal: Withdrawal) -> String {
        switch withdrawal.reason?.uppercased() {
        case "DNF": "did not finish"
        case "DNS": "did not start"
        case "OTL": "outside the time limit"
        case "DSQ": "disqualified"
        case nil: "withdrew"
        default: withdrawal.reason ?? ""
        }
    }

    /// Returns the wearers of the jerseys, for stages without groups.
    static func wearers(_ scene: LiveScene) -> [TextParagraph] {
        let rows = scene.roster.wearers.map { wearer -> (name: DisplayText, value: DisplayText) in
            let jersey = scene.jerseys.of(wearer.list)
            return (DisplayText(jersey?.name ?? wearer.list.name), DisplayText(scene.roster.name(wearer.rider)))
        }
        guard scene.hasSigns else { return TextParagraph.facts(rows) }
        return zip(scene.roster.wearers, TextParagraph.facts(rows)).map { wearer, row in
            var row = row
            let sign = StyledSpan(scene.jersey(wearer.list), link: scene.link(to: wearer.rider, jersey: wearer.list))
            row.firstPrefix.spans.insert(contentsOf: [sign, StyledSpan(" ")], at: 0)
            row.prefix.spans.insert(StyledSpan("  "), at: 0)
            return row
        }
    }

    /// Returns mean speed and weather, such as "41.2 km/h on average · 26 °C · wind 13 km/h", or `nil`.
    static func conditions(_ report: LiveReport?, of stage: Stage) -> DisplayText? {
        var parts: [String] = []
        if let speed = report?.meanSpeed, speed > 0 {
            parts.append(DecimalText.short((speed * 10).rounded() / 10) + " km/h on average")
        }
        if let weather = stage.weather {
            parts.append(weather)
        } else {
            if let degrees = report?.temperature { parts.append(DecimalText.short(degrees.rounded()) + " °C") }
            if let wind = report?.wind {
                let from = report?.windDirection.map { " from the " + Compass.point($0) } ?? ""
                parts.append("wind " + DecimalText.short(wind.rounded()) + " km/h" + from)
            }
        }
        return parts.isEmpty ? nil : DisplayText(parts.joined(separator: " · "))
    }
}
