import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about races.
    package static let races = LibraryFeature(
        RaceSchema.tables,
        changes: [
            DelayLive.self, FollowRace.self, HideResults.self, MarkFavourite.self, RemoveRace.self, RemoveTrack.self,
            RestoreFollowed.self, RestoreRace.self, RestoreTrack.self, RevealEntry.self, RevealStage.self,
            StoreRace.self, StoreRaceFile.self, StoreTrack.self, UnfollowRace.self,
        ])
}

extension LibraryPart {
    /// The races with their stages, tracks and sources.
    package static let races = LibraryPart([
        "race", "stage", "stage_track", "race_source", "race_spoiler", "seen_stage", "wikidata_answer", "fetched_track",
        "live_delay", "favourite",
    ])
    /// Which spoilers are hidden and which are revealed.
    package static let spoilers = LibraryPart(["race_spoiler", "seen_stage", "revealed_entry"])
}
