import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about races.
    package static let races = LibraryFeature(
        RaceSchema.tables,
        changes: [
            DelayLive.self, FollowRace.self, HideResults.self, RemoveRace.self, RemoveTrack.self,
            RestoreRace.self, RestoreTrack.self, RevealEntry.self, RevealStage.self, StoreRace.self, StoreRaceFile.self,
            StoreTrack.self, UnfollowRace.self,
        ])
}
