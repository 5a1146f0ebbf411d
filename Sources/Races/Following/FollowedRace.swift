import LibraryKernel
import RaceModel

/// A race to follow, as its provider has read it.
package struct FollowedRace: Sendable {
    package var race: Race
    var subscription: RaceSubscription

    /// The change that follows the race.
    package var change: Change { .followRace(race, subscription) }

    /// The race in words, such as "Volta 2026 with 5 stages".
    package var words: String { "\(race.race) \(race.year) with \(race.countOfStages)" }
}
