/// The features whose tables and changes a library contains.
enum LibraryFeatures {
    /// The kinds of changes that journals and undo steps can contain.
    static let changeKinds = ChangeKinds(
        [SetSetting.self] + FeedFeature.changes + SearchFeature.changes + RuleFeature.changes + AccountFeature.changes
            + DownloadFeature.changes + RaceFeature.changes)
}
