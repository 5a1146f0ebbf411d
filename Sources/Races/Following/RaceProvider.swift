import RaceModel

/// Where the documents of followed races come from.
///
/// A provider reads everything that is due of a race. What can't be read stays as it was.
protocol RaceProvider: Sendable {
    /// Whether the provider reads races at such an address.
    func reads(_ address: String) -> Bool

    /// Returns the reason why nothing may be requested now, not even by the user, or `nil`.
    func refusal(of subscription: RaceSubscription) -> String?

    /// Reads a race that is not followed yet.
    ///
    /// - Parameter name: The name for a document without one.
    func begin(_ address: String, name: String) async throws -> FollowedRace

    /// Reads what is due of a followed race.
    ///
    /// - Parameters:
    ///   - subscription: Receives the state of the requests, the instant of the next update, and the reason if
    ///     something could not be read.
    ///   - previous: The stored race, without roster, placings and tickers.
    ///   - didRead: Called after each document with the number of those that are still due.
    func update(
        _ subscription: inout RaceSubscription, from previous: Race?, didRead: @Sendable (Int) -> Void
    ) async throws -> ProviderNews
}

/// What an update has read.
enum ProviderNews {
    case nothing
    /// A new version to store.
    case race(Race)
    /// New documents, each of which the provider has stored.
    case stored
}

/// A document has lost more than half of the stages, so the user must accept it.
struct ShrunkRace: Error {
    /// The numbers of stages.
    let kept, previous: Int

    /// Returns an error if a race has less than half of the stages of the previous version.
    init?(_ race: Race?, after previous: Race?) {
        guard let race, let previous, race.stages.count * 2 < previous.stages.count else { return nil }
        (kept, self.previous) = (race.stages.count, previous.stages.count)
    }
}

extension RaceProvider {
    func refusal(of subscription: RaceSubscription) -> String? { nil }
}
