import Feeds
import Fetching
import Foundation
import LibraryKernel
import RaceModel

/// Runs a program of the user's that prints a race file: `exec:PROGRAM ARGUMENTS`.
///
/// A program runs only if the user followed it by hand and the library belongs to this machine. Its time and its output
/// are limited as those of feeds are.
struct ProgramProvider: RaceProvider {
    let library: Library
    let clock: @Sendable () -> Instant
    /// The number of seconds between two runs while a stage is under way.
    private static let pause: Int64 = 60

    func reads(_ address: String) -> Bool { ProgramFeed.isOne(address) }

    func begin(_ address: String, name: String) async throws -> FollowedRace {
        let race = try await run(address, name: name)
        var subscription = RaceSubscription(address: address, raceID: race.id, name: name)
        subscription.runsProgram = true
        schedule(&subscription, race)
        return FollowedRace(race: race, subscription: subscription)
    }

    func update(
        _ subscription: inout RaceSubscription, from previous: Race?, didRead: @Sendable (Int) -> Void
    ) async throws -> ProviderNews {
        guard subscription.runsProgram == true, !library.isForeign else {
            throw PageService.Failure(
                description: "its program is disabled; 'tappa race follow' with the same address enables it")
        }
        let race = try await run(subscription.address, name: subscription.name)
        schedule(&subscription, race)
        return .race(race)
    }

    private func run(_ address: String, name: String) async throws -> Race {
        guard let program = ProgramFeed(address), program.source == nil else {
            throw PageService.Failure(description: "it names no program; write 'exec:PROGRAM ARGUMENTS'")
        }
        return try RaceFile.read(Data(try await program.run(input: nil)), name: name)
    }

    private func schedule(_ subscription: inout RaceSubscription, _ race: Race) {
        let now = clock()
        subscription.lastSuccess = now
        subscription.nextFetch = RaceFollowService.next(of: race, after: now, pauseOfRaceDays: ProgramProvider.pause)
    }
}
