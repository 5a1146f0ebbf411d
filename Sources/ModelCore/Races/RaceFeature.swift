/// What the library has to know about races.
enum RaceFeature {
    /// The kinds of changes, for journals and undo steps.
    static let changes: [any LibraryChange.Type] = [
        FollowDirectory.self, FollowRace.self, HideResults.self, RemoveRace.self, RemoveTrack.self,
        RestoreRace.self, RestoreTrack.self, RevealEntry.self, RevealStage.self, StoreRace.self, StoreRaceFile.self,
        StoreTrack.self, UnfollowDirectory.self, UnfollowRace.self,
    ]
}
