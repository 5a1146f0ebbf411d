import Accounts
import Feeds
import GRDB
import LibraryKernel
import RaceModel
import Races

/// The features of which a library consists. A new feature is named here only.
enum LibraryFeatures {
    /// All features, ordered so that rows refer only to tables of earlier ones.
    static let all: [LibraryFeature] = [.settings, .accounts, .feeds, .search, .rules, .races, .downloads, .undo]

    /// The kinds of changes that journals and undo steps can contain.
    static let changeKinds = ChangeKinds(all.flatMap { $0.changes })

    /// What features have to know of each other.
    static let attachments: [any Sendable] = [SpoilerReader { try SpoilerFilter.read($0) }]
}

extension LibraryFeature {
    /// The settings that are stored in the library.
    fileprivate static let settings = LibraryFeature(SettingSchema.tables, changes: [SetSetting.self])
}

extension LibrarySchema {
    /// The schema of the libraries that this version of tappa creates.
    static let current = LibrarySchema(
        features: LibraryFeatures.all.map { $0.tables }, triggers: 0xFD1B_C10F_9DF8_92BD)
}
