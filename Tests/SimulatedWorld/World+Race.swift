@testable import Feeds
import Foundation
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// A race that programs follow.
extension World {
    func beginRace() async throws {
        let (program, caller) = (try Program(-2, path: path), Caller(program: -2, .race))
        let followed = try await Caller.$current.withValue(caller) {
            try await program.races.read(WorldCentre.address)
        }
        try await program.library.changes.perform(.delayLive(LiveDelay(seconds: 300), now: .now))
        try await program.library.changes.perform(followed.change)
        race = followed.race.id
    }

    /// Updates the race as a dashboard does, and shows what was held back.
    func updateRace(by pane: Program, _ reason: ReloadReason) async throws {
        let service = pane.races
        if reason != .timer { service.audience = max(service.audience, .dashboard) }
        let outcomes = Outcomes<RaceUpdate>()
        _ = await run(pane, .race, feeds: 1) { _ in
            for update in (try? await service.update(reason: reason)) ?? [] { outcomes.add(update) }
        }
        let now = Instant.now
        // Less often than a dashboard, because each update takes milliseconds.
        let shortest: Int64 = 1200
        pane.nextUpdate = clock.seconds + shortest
        for update in outcomes.all {
            if case .heldBack(let reason) = update.result {
                if reason.contains("another program") { servers.reach("race left to another program") }
                if reason.contains("refused") { servers.reach("race centre refused") }
            }
            let pause = (update.subscription.nextFetch ?? now).seconds(since: now)
            pane.nextUpdate = clock.seconds + min(3600, max(shortest, pause))
        }
        if isDiskFull { try forgetUnstoredResults() }
        try? await pane.library.releaseHeldStages(at: .now)
        // Held parts appear when they are due, not at the next update.
        let next = (try? pane.library.races.nextRelease())?.map { $0.seconds(since: .now) }
        if let next { pane.nextUpdate = min(pane.nextUpdate, clock.seconds + max(60, next)) }
        try checkRace()
    }

    /// Forgets what couldn't be stored on a full disk.
    private func forgetUnstoredResults() throws {
        guard let race else { return }
        let newest = try observer.read { try HeldStages.newestRace(race, $0) }
        for stage in newest?.stages ?? [] {
            let count = stage.results?.count ?? 0
            servers.with {
                $0.centre.received[stage.number] = $0.centre.received[stage.number]?.filter { $0.key.rows <= count }
            }
        }
    }

    /// Checks that results that a program has received are neither lost, nor early, nor late.
    func checkRace() throws {
        guard let race, !isDiskFull else { return }
        let second = clock.seconds
        let centre = servers.with { $0.centre }
        let newest = try observer.read { try HeldStages.newestRace(race, $0) }
        let shown = try observer.races.wholeRace(race)
        let delay = Int64(try observer.races.delay().seconds)
        let hides = try observer.races.hidingSpoilers()?.isEmpty != true
        for stage in 1...WorldCentre.count {
            let received = centre.received[stage] ?? [:]
            let level = received.keys.max() ?? .nothing
            // The transaction of a document that has just arrived may not have begun.
            let isStored = !panes.contains { $0.running?.caller.reason == .race }
            let stored = newest?.stages.first { $0.number == stage }?.results?.count ?? 0
            if isStored, stored < level.rows {
                throw Violation("stage \(stage) has \(stored) results, but \(level.rows) were received")
            }
            let rows = shown?.stages.first { $0.number == stage }?.results?.count ?? 0
            if rows > 0, hides, !revealed.contains(stage) { throw Violation("stage \(stage) shows its hidden results") }
            // News of stages of other days aren't live.
            let isLive = clockError == 0 && clock.truth < WorldCentre.instant(stage, hour: 13) + 86_400
            guard rows > 0, delay > 0, isLive else { continue }
            guard let seen: WorldCentre.Level = [.provisional, .official].first(where: { $0.rows >= rows }),
                let at = received[seen], at > lastJump, at > delayedSince
            else { continue }
            servers.reach("result shown after the delay")
            if second < at + delay {
                throw Violation("stage \(stage) shows \(rows) results \(at + delay - second) s early")
            }
        }
        if newest?.stages.map(\.results) != shown?.stages.map(\.results), !hides { servers.reach("result held back") }
        try checkPunctuality(centre, at: second)
    }

    /// Checks that official results have arrived some time after the end of the stage, if a pane shows the dashboard.
    private func checkPunctuality(_ centre: WorldCentre, at second: Int64) throws {
        let slowest = max(centre.fineSince, lastJump, withoutViewerUntil)
        // A refusal lasts a day, and the plan may have been made under a wrong clock.
        guard clockError == 0, centre.behaviour == .fine, second > slowest.addingClamped(26 * 3600) else { return }
        for stage in 1...WorldCentre.count {
            let end = WorldCentre.instant(stage, hour: 20)
            guard clock.truth > end, centre.received[stage]?[.official] == nil else { continue }
            throw Violation("second \(second): stage \(stage) ended long ago, and nobody has asked for its result")
        }
    }
}
