import FeedParsing
import Feeds
import Fetching
import LibraryKernel
import RaceCentre
import RaceModel

/// Reads editions that only Wikidata knows: stages, winners and final standings, days late. The address is
/// `wikidata:Q33881`.
struct WikidataProvider: RaceProvider {
    let source: WikidataSource
    private static let day: Int64 = 86_400
    /// The number of days after the end in which results are expected each day, and corrections each month; and of days
    /// before the start in which stages are expected each day.
    private static let (daysOfResults, daysOfCorrections, daysOfStages): (Int64, Int64, Int64) = (14, 120, 14)

    func reads(_ address: String) -> Bool { address.hasPrefix(WikidataItem.scheme) }

    /// An edition is requested at most once a day, and less often long before and after the race.
    func refusal(of subscription: RaceSubscription) -> String? {
        if let last = subscription.lastSuccess, subscription.failures == 0 {
            let race = try? source.library.races.race(subscription.raceID)
            let next = last + WikidataProvider.days(race, at: source.clock()) * WikidataProvider.day
            if source.clock() < next { return "Wikidata is asked for it again at \(QueryAllowance.time(next))" }
        }
        return try? source.refusal()
    }

    /// Returns the number of days between two requests.
    private static func days(_ race: Race?, at now: Instant) -> Int64 {
        let days = (race?.stages ?? []).compactMap(\.day)
        guard let first = days.min(), let last = days.max() else { return 1 }
        let today = CalendarDay(instant: now).number
        let since = today.subtractingClamped(last.number)
        if first.number.subtractingClamped(today) > daysOfStages { return 7 }
        if since <= 1 || since <= daysOfResults && race?.overall == nil { return 1 }
        return since <= daysOfCorrections ? 30 : 365
    }

    func begin(_ address: String, name: String) async throws -> FollowedRace {
        let race = try await race(at: address)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: race.race)
        schedule(&subscription)
        return FollowedRace(race: race, subscription: subscription)
    }

    func update(
        _ subscription: inout RaceSubscription, from previous: Race?, didRead: @Sendable (Int) -> Void
    ) async throws -> ProviderNews {
        let race = try await race(at: subscription.address)
        schedule(&subscription)
        return .race(race)
    }

    private func race(at address: String) async throws -> Race {
        guard let item = WikidataItem(address), item.address == address else {
            throw PageService.Failure(description: "'\(address)' names no item of Wikidata; write 'wikidata:Q33881'")
        }
        guard let edition = try WikidataEdition.read(try await source.answer(.edition(item)), item: item) else {
            throw PageService.Failure(description: "Wikidata knows neither days nor stages of \(item)")
        }
        return try edition.race()
    }

    private func schedule(_ subscription: inout RaceSubscription) {
        subscription.notBefore = nil
        subscription.lastSuccess = source.clock()
        subscription.nextFetch = source.clock() + WikidataProvider.day
    }
}
