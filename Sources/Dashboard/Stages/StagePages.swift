import ModelCore
import TerminalUI

/// Which pages a stage has, and which of them is shown.
extension StageDetailViewController.Page {
    /// What decides which pages a stage has.
    struct Contents: Hashable {
        /// Whether it is the stage's day, or its ticker is there.
        var isDay = false
        var hasPicture = false
        var hasMap = false
        var hasStandings = false
        var hasNews = false
        /// Whether the screen is read line by line.
        var isLinear = false
    }

    /// The pages of a stage in their order.
    ///
    /// A screen that is read line by line has none of the drawn pages, since the facts say the same in words.
    static func pages(_ contents: Contents) -> [Self] {
        let drawn: [Self] =
            contents.isLinear
            ? [] : (contents.hasPicture ? [.picture] : []) + (contents.hasMap ? [.map] : []) + [.profile]
        return (contents.isDay ? [.live] : []) + [.facts] + drawn + (contents.hasStandings ? [.standings] : [])
            + (contents.hasNews ? [.related] : [])
    }

    /// The page that a stage opens on: its live page on its day, else the facts.
    static func first(of stage: Stage, today: CalendarDay) -> Self { stage.day == today ? .live : .facts }

    /// The page so many steps further, round the ends; `nil` where this one is not among the pages.
    func turned(_ step: Int, in pages: [Self]) -> Self? {
        pages.firstIndex(of: self).map { pages[($0 + step + pages.count) % pages.count] }
    }
}

extension Race {
    /// Whether the winner of any stage, or a leader after one, is known.
    var hasStandings: Bool { stages.contains { $0.winner != nil || $0.leaderAfter != nil } }
}

/// Which stage is chosen at the start.
enum StageChoice {
    /// Today's stage, or the first of the race that is nearest to today, or the first of any race that has stages.
    ///
    /// - Parameters:
    ///   - next: The next stage of all races, and its day.
    ///   - nearest: The race whose stages are nearest to today.
    static func first(
        next: (path: RowPath, day: CalendarDay)?, today: CalendarDay, nearest: String?, races: [RaceRow]
    ) -> RowPath? {
        if let next, next.day == today { return next.path }
        let section = races.firstIndex { $0.id == nearest && $0.stageCount > 0 }
        return (section ?? races.firstIndex { $0.stageCount > 0 }).map { RowPath(section: $0, row: 0) }
    }

    /// Whether the stage of an earlier run is chosen again: on another day a stage of today comes before it.
    ///
    /// - Parameter chosen: The day on which it was chosen, in days since 1970; `nil`: it does not matter.
    static func restores(chosenOn chosen: Int64?, today: CalendarDay, next: CalendarDay?) -> Bool {
        chosen == nil || chosen == today.number || next != today
    }
}
