import DashboardFrame
import RaceModel
import Races
import TerminalUI

/// Which pages a stage has, and which one is shown.
extension StageDetailViewController.Page {
    /// What decides which pages a stage has.
    struct Contents: Hashable {
        /// Whether it is the day of the stage, or it has a ticker.
        var isDay = false
        var hasPicture = false
        var hasMap = false
        /// Whether the stage has a track.
        var hasProfile = false
        var hasStandings = false
        var hasNews = false
        /// Whether screen-reader mode is on.
        var isLinear = false
    }

    /// Returns the pages of a stage in order.
    ///
    /// Screen-reader mode has no drawings, because the facts contain the same in words.
    static func pages(_ contents: Contents) -> [Self] {
        let all: [(page: Self, exists: Bool)] = [
            (.live, contents.isDay), (.facts, true), (.picture, contents.hasPicture && !contents.isLinear),
            (.map, contents.hasMap && !contents.isLinear), (.profile, contents.hasProfile && !contents.isLinear),
            (.standings, contents.hasStandings), (.related, contents.hasNews),
        ]
        return all.filter(\.exists).map(\.page)
    }

    /// Returns the first page: the live page on the stage's day, otherwise the facts.
    static func first(isToday: Bool) -> Self { isToday ? .live : .facts }

    /// Returns the toolbar items of the live page.
    ///
    /// - Parameter pause: The item that pauses a replay, or `nil` for a page of the present, which can be delayed.
    @MainActor
    static func liveItems(pause: BarButtonItem?) -> [BarButtonItem] {
        [
            pause ?? BarButtonItem(StageCommands.delayLive, title: "delay", priority: 1),
            BarButtonItem(StageCommands.findRider, title: "find rider", priority: 1),
            BarButtonItem(StageCommands.nextStage, title: "next stage", priority: 0),
        ]
    }

    /// The toolbar items of the other pages.
    @MainActor
    static var otherItems: [BarButtonItem] {
        [
            BarButtonItem(StageCommands.nextStage, title: "next stage", priority: 1),
            BarButtonItem(StageCommands.stageBrowser, title: "browser", priority: 0),
        ]
    }

    /// Returns the page some steps further, wrapping around, or `nil` if this page doesn't exist for the stage.
    func turned(_ step: Int, in pages: [Self]) -> Self? {
        pages.firstIndex(of: self).map { pages[($0 + step + pages.count) % pages.count] }
    }
}

extension Race {
    /// The race without the reports of stages under way. Only the live page reads them, so they don't replace details.
    var withoutReports: Race {
        var race = self
        for index in race.stages.indices { race.stages[index].live = nil }
        return race
    }

    /// Whether the winner of any stage, or the leader after one, is known, or riders of one have finished.
    var hasStandings: Bool { stages.contains { $0.winner != nil || $0.leaderAfter != nil || $0.isRunning == true } }
}

/// Decides which stage is selected at the start.
enum StageChoice {
    /// Returns today's stage, otherwise the next or first stage of the race nearest to today, otherwise the first stage of
    /// any race.
    ///
    /// - Parameters:
    ///   - next: The next stage of all races, and the number of days until then.
    ///   - nearest: The race whose stages are nearest to today.
    static func first(next: (path: RowPath, days: Int64)?, nearest: String?, races: [RaceRow]) -> RowPath? {
        // On a rest day the next stage follows.
        if let next,
            next.days == 0 || races.indices.contains(next.path.section) && races[next.path.section].id == nearest
        {
            return next.path
        }
        let section = races.firstIndex { $0.id == nearest && $0.stageCount > 0 }
        return (section ?? races.firstIndex { $0.stageCount > 0 }).map { RowPath(section: $0, row: 0) }
    }

    /// Whether to restore the stage of an earlier run. On another day, a stage of today takes precedence.
    ///
    /// - Parameters:
    ///   - chosen: The day on which it was selected, in days since 1970, or `nil` to ignore the day.
    ///   - hasStageToday: Whether there is a stage today.
    static func restores(chosenOn chosen: Int64?, today: CalendarDay, hasStageToday: Bool) -> Bool {
        chosen == nil || chosen == today.number || !hasStageToday
    }
}
