import Feeds
import ModelCore

/// The settings that decide how lists of entries are arranged.
extension Settings {
    /// The order of the list of feeds.
    package var feedSorting: FeedSorting { FeedSorting(rawValue: self[.feedOrder]) ?? .own }

    /// Returns a query that lists the entries in a scope in the configured order.
    package func query(_ scope: EntryScope) -> EntryQuery {
        EntryQuery(scope, order: EntryOrder(setting: self[.entryOrder]), mergesDuplicates: self[.mergeDuplicates])
    }
}
