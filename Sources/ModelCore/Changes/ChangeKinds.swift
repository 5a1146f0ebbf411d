/// The kinds of changes that journals and undo steps can contain: the kernel's own, and those of each feature.
enum ChangeKinds {
    static let all: [any LibraryChange.Type] =
        [ChangeGroup.self, SetSetting.self, Undo.self, UndoParts.self] + FeedFeature.changes + SearchFeature.changes
        + RuleFeature.changes + AccountFeature.changes + DownloadFeature.changes + RaceFeature.changes

    /// The kinds by their names.
    static let byName = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
}
