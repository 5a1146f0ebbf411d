import LibraryKernel
import RaceModel

extension RaceStore {
    /// Returns the newest report of a stage, or `nil` if there is none or the result is hidden.
    package func live(of stage: Int, in race: String) throws(LibraryError) -> LiveReport? {
        try store.read { db in
            if try SpoilerFilter.read(db)?.hides(race, stage: stage) == true { return nil }
            return try StoredRace.stage(stage, of: race, db)?.live
        }
    }
}
