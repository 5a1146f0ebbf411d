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
    /// - Returns: The race, or `nil` if it has not changed.
    func update(_ subscription: inout RaceSubscription, from previous: Race?) async throws -> Race?
}

extension RaceProvider {
    func refusal(of subscription: RaceSubscription) -> String? { nil }
}
