import DashboardFrame
import ModelCore
import Platform
import RaceModel
import Races
import TerminalUI

/// What the inspector shows of a stage: its day, start, distance, weather and jerseys. Results that are hidden stay
/// hidden, because the race is read with them left out.
@MainActor
enum StageFacts {
    /// Returns a stage as what a view controller shows.
    static func shown(_ number: Int, of race: String, _ access: LibraryAccess, _ dates: DateText) -> ShownPlace {
        let place = Place.race(race, stage: number)
        return ShownPlace(subject: place, place: { place }) { paragraphs(of: number, in: race, access, dates) }
    }

    static func paragraphs(
        of number: Int, in id: String, _ access: LibraryAccess, _ dates: DateText
    ) -> [TextParagraph] {
        guard let race = access.read(nil, { try $0.races.race(id) }),
            let stage = race.stages.first(where: { $0.number == number })
        else { return [] }
        var lines = [
            TextParagraph(DisplayText("\(race.race) \(race.year)"), .heading),
            TextParagraph(DisplayText("\(stage.name)  \(stage.route)")), .blank,
        ]
        lines += PublishDateViewController.lines(stage, article: nil, dates)
        var facts: [(name: DisplayText, value: DisplayText)] = []
        func add(_ name: DisplayText, _ value: String?) {
            if let value, !value.isEmpty { facts.append((name, DisplayText(value))) }
        }
        add("Distance", stage.distance.map { StageText.distance($0).string })
        add("Type", stage.type)
        add("Weather", stage.weather)
        let roster = access.read(LiveRoster()) { try $0.races.liveRoster(of: number, in: id) }
        if !stage.isSpoiler {
            add("Winner", stage.winner)
            add("Leader", stage.leaderAfter)
            for (list, rider) in (stage.wearers ?? [:]).sorted(by: { $0.key < $1.key }) {
                add(DisplayText(list.prefix(1).uppercased() + list.dropFirst()), roster.name(rider))
            }
        }
        return lines + (facts.isEmpty ? [] : [.blank]) + TextParagraph.facts(facts) + riders(roster, of: number)
    }

    /// The riders of a stage by number, favourites first, with the reasons of those who left the race on it.
    private static func riders(_ roster: LiveRoster, of number: Int) -> [TextParagraph] {
        let gone = Dictionary(roster.withdrawals.map { ($0.rider, $0) }) { first, _ in first }
        let riders = roster.riders.filter { gone[$0.key].map { $0.stage == number } ?? true }.enumerated().sorted {
            func order(_ rider: (offset: Int, element: Rider)) -> (Int, Int, Int) {
                (roster.favourites.contains(rider.element.key) ? 0 : 1, rider.element.number ?? .max, rider.offset)
            }
            return order($0) < order($1)
        }.map(\.element)
        guard !riders.isEmpty else { return [] }
        let rows = riders.map { rider in
            let reason = gone[rider.key].map { " " + StageLiveText.reason($0) } ?? ""
            return (name: DisplayText(rider.number.map(String.init) ?? ""), value: DisplayText(rider.name + reason))
        }
        return [.blank, TextParagraph(DisplayText(riders.count.counted("rider")), .heading)] + TextParagraph.facts(rows)
    }
}
