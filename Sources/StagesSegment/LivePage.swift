import RaceModel
import Races
import TerminalUI

/// The live page of a stage as text: its progress, groups and ticker, then its winner.
struct LivePage {
    let stage: Stage
    let content: LiveContent
    /// The groups until the stage is over, if there is a report; otherwise none, in the same pane.
    let scene: LiveScene
    let marks: [LiveMark]
    /// The profile on which the race is shown.
    let elevation: StageProfile?
    let size: Size
    /// The key that reveals a hidden result.
    let revealKey: String

    private static let maximumProfile = 10
    /// The widths from which short lists are beside each other, and the ticker beside them.
    private static let minimumForColumns = 60, minimumForTicker = 110

    private var columns: Int { scene.columns }
    private var progress: StageProgress { content.progress }
    /// The groups that are known.
    private var known: LiveScene? { content.report != nil && progress.phase != .over ? scene : nil }

    /// Returns the text.
    ///
    /// - Parameters:
    ///   - notices: The lines below the headline, such as one about the delay.
    ///   - news: The newest entries.
    func paragraphs(notices: [TextParagraph], news: [TextParagraph]) -> [TextParagraph] {
        let headline = StageLiveText.headline(progress, of: stage, now: content.now, key: revealKey, columns: columns)
        var lines = [TextParagraph(headline, .strong)]
        if let hidden = StageLiveText.hidden(progress, of: stage, key: revealKey) {
            lines.append(TextParagraph(hidden))
        }
        lines += notices + profile + StageLiveText.newer(content.ticker, than: known)
        var lists = [result, onTheRoad, wearers]
        if columns < StageLiveText.narrow, let known, known.report.freshness(at: content.now) != .old,
            !known.isLinear, !known.groups.isEmpty
        {
            lines += narrow(known)
            lists = [onTheRoad, result]
        } else {
            lines += wide
        }
        lists.append(StageLiveText.withdrawals(content.roster, of: stage.number))
        var messages = [
            StageLiveText.ticker(
                content.ticker, columns: columns, isLinear: scene.isLinear, hasUnicode: scene.hasUnicode), news,
        ]
        if columns >= LivePage.minimumForColumns, !scene.isLinear {
            if columns >= LivePage.minimumForTicker { (lists, messages) = (lists + messages, []) }
            lists = [TextParagraph.arranged(lists, columns: columns)]
        }
        return lines + (lists + messages).flatMap(section)
    }

    /// In a narrow pane the groups come first, and in the narrowest ones the caption last.
    private func narrow(_ scene: LiveScene) -> [TextParagraph] {
        let road = StageLiveText.bar(scene, of: stage.distance, hasAge: true)
        let groups = StageLiveText.groups(scene, hasHeading: road.isEmpty)
        let first = columns < StageLiveText.tiny ? 1 : road.count
        return found + road.prefix(first) + groups + road.dropFirst(first) + ahead
    }

    private var wide: [TextParagraph] {
        var lines = known.map { StageLiveText.bar($0, of: stage.distance) } ?? []
        // The profile shows as much as the bar of the distance.
        if lines.isEmpty, profile.isEmpty, !scene.isLinear, scene.hasUnicode,
            let bar = StageLiveText.bar(progress.km, of: stage.distance, columns: size.width - 3)
        {
            lines = [TextParagraph(bar)]
        }
        return lines + ahead + section(found) + section(known.map { StageLiveText.groups($0) } ?? [])
    }

    /// The wearers of the jerseys, shown if there are no groups or the page is wide enough for lists beside each other.
    private var wearers: [TextParagraph] {
        let isAlone = known?.groups.isEmpty ?? true
        let isShown = progress.phase != .over && (isAlone || columns >= LivePage.minimumForColumns && !scene.isLinear)
        return isShown ? StageLiveText.wearers(scene) : []
    }

    /// The profile with the groups, or the first rider, where the race is under way. Low panes have no space for it.
    private var profile: [TextParagraph] {
        let rows =
            size.height >= 30
            ? min(LivePage.maximumProfile, size.height / 4) : size.height >= 16 ? 2 : size.height >= 10 ? 1 : 0
        guard let elevation, rows > 0, progress.phase == .underWay, !scene.isLinear, scene.hasUnicode else { return [] }
        return StageLiveText.profile(elevation, marks, km: progress.km, size: Size(width: columns, height: rows))
    }

    /// What comes next on the road, and the conditions.
    private var ahead: [TextParagraph] {
        let next = StageLiveText.next(after: progress.km, on: stage).map { [TextParagraph($0)] } ?? []
        guard progress.phase == .underWay, let conditions = StageLiveText.conditions(content.report, of: stage) else {
            return next
        }
        return next + [TextParagraph(conditions, .secondary)]
    }

    private var onTheRoad: [TextParagraph] { StageLiveText.onTheRoad(content.onTheRoad, scene) }

    /// The rider whom the user looks for.
    private var found: [TextParagraph] {
        scene.wanted.map { StageLiveText.rider($0, content.places, content.roster, known, columns: columns) } ?? []
    }

    private var result: [TextParagraph] {
        let (riders, teams) = (content.results, content.teams)
        if stage.isRunning == true { return StageLiveText.trial(riders, teams: teams, content.splits) }
        return TextParagraph.facts(StageLiveText.result(teams.isEmpty ? riders : teams))
    }

    /// Returns paragraphs after an empty line, or nothing if there are none.
    private func section(_ paragraphs: [TextParagraph]) -> [TextParagraph] {
        paragraphs.isEmpty ? [] : [.blank] + paragraphs
    }
}
