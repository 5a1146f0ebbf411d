import DashboardFrame
import ModelCore
import RaceModel
import Races
import TerminalUI

/// The races in the list of stages, one section each. The stages of a race are read on request.
@MainActor
final class StageListModel {
    private let access: LibraryAccess
    private let appearance: Appearance
    /// The races, one for each section.
    private(set) var races: [RaceRow] = []
    private(set) var wasRead = false
    /// Today's stage of any race, or the next one, and the number of days until then.
    private(set) var nextStage: (path: RowPath, days: Int64)?
    /// The reasons why followed races could not be updated, by race.
    private(set) var errors: [String: String] = [:]
    private(set) var favourites = Favourites()
    private var known: [String: Race] = [:]
    /// The small profiles of stages with a track, by race and number.
    private var sparks: [String: [Int: String]] = [:]

    /// The name of the only race to show, or `nil` for all.
    private let only: String?

    /// - Parameter only: The identifier or name of the only race to show, or `nil` for all.
    init(access: LibraryAccess, appearance: Appearance, only: String? = nil) {
        self.access = access
        self.only = only
        self.appearance = appearance
    }

    /// Reads the races. If that fails, the races remain that were read before.
    func load() {
        let read = access.read(nil) { library in
            try only.map { try PlaceNames(library).race(named: $0).map { [$0] } ?? [] } ?? library.races.all()
        }
        guard let all = read else { return }
        forget()
        races = all
        wasRead = true
        let followed = access.read([]) { try $0.races.subscriptions() }
        errors = Dictionary(followed.compactMap { race in race.error.map { (race.raceID, $0) } }) { first, _ in first }
        favourites = access.read(Favourites()) { try $0.races.favourites() }
        let today = appearance.dates.today
        let now = access.clock()
        nextStage = access.read(nil) { try $0.races.nextStage(from: today, at: now) }.flatMap { next in
            path(race: next.raceID, number: next.stage.number).map { ($0, next.days) }
        }
    }

    /// Releases what can be read again.
    func forget() {
        known = [:]
        sparks = [:]
    }

    /// Returns a section's race with its stages.
    func race(_ section: Int) -> Race? {
        guard races.indices.contains(section) else { return nil }
        let id = races[section].id
        if let race = known[id] { return race }
        known[id] = access.read(nil) { try $0.races.race(id) }
        return known[id]
    }

    /// Returns the stage of a row, or `nil` if it was removed since the races were read.
    func stage(at path: RowPath) -> Stage? {
        guard let race = race(path.section), race.stages.indices.contains(path.row) else { return nil }
        return race.stages[path.row]
    }

    func path(race id: String, number: Int) -> RowPath? {
        guard let section = races.firstIndex(where: { $0.id == id }),
            let row = race(section)?.stages.firstIndex(where: { $0.number == number })
        else { return nil }
        return RowPath(section: section, row: row)
    }

    /// Returns the width of the longest distance in a row's race.
    func distanceColumns(at path: RowPath) -> Int {
        (race(path.section)?.stages ?? []).compactMap { $0.distance.map { StageText.distance($0).columns } }.max() ?? 0
    }

    /// Returns the small profile of a row's stage if it has a track.
    func spark(at path: RowPath) -> String? {
        guard let stage = stage(at: path) else { return nil }
        let id = races[path.section].id
        let ofRace = sparks[id] ?? access.read([:]) { try $0.races.sparks(of: id) }
        sparks[id] = ofRace
        return ofRace[stage.number]
    }
}
