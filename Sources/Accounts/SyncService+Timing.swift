import Feeds
import Platform

/// When an account is synced: if it is due, after pauses, and after other programs.
extension SyncService {
    /// The number of seconds to wait for another program's sync: a little longer than a killed program's lock lasts.
    package static let patience: Int64 = 180

    /// Syncs one account as soon as no other program does.
    ///
    /// - Parameters:
    ///   - patience: The duration after which the sync counts as failed.
    ///   - beginsWaiting: Called once if another program is syncing the account.
    package func sync(
        _ account: Account, _ extent: Extent, waitingUpTo patience: Duration,
        beginsWaiting: @Sendable () async -> Void, progress: @escaping @Sendable (SyncProgress) async -> Void = { _ in }
    ) async -> SyncOutcome {
        var end: ContinuousClock.Instant?
        while true {
            let outcome = await sync(account, extent, progress: progress)
            guard outcome == .otherProgram else { return outcome }
            if end == nil, patience > .zero {
                await beginsWaiting()
                end = Clock.uptime + patience
            }
            guard let end, Clock.uptime < end else {
                return .failed("another program is still syncing it; try again later")
            }
            do { try await Clock.sleep(for: min(.milliseconds(250), patience)) } catch { return outcome }
        }
    }

    /// Returns the reason why an account is not synced now, or `nil` if it is.
    ///
    /// - Parameter isOccasion: Whether there is an occasion to try a server again that was away: a start, a change or
    ///   the end.
    static func heldBack(
        _ account: Account, _ extent: Extent, isOccasion: Bool = false, now: Instant
    ) -> String? {
        let triesAgain = isOccasion && account.wasAway
        let waits = FetchSchedule.holds(account.nextTry, now: now) && !triesAgain
        switch extent {
        case .whole:
            let mustWait = account.error == ServerError.waitSentence && FetchSchedule.holds(account.nextTry, now: now)
            return mustWait ? "the server asked to wait" : nil
        case .send:
            if account.pending == 0 { return "nothing to send" }
            return waits ? "its next attempt is later" : nil
        case .timer:
            if waits { return "its next attempt is later" }
            if triesAgain { return nil }
            // One minute less than the interval, so that two timers don't wait for twice as long.
            let due = account.lastSync.map { $0 + SyncService.interval - 60 } ?? 0
            return now < due && now >= (account.lastSync ?? 0) ? "it was just synced" : nil
        }
    }

    /// Returns the time of the next try.
    ///
    /// Permanent errors have a long pause. Other errors have a short pause that doubles.
    ///
    /// - Parameters:
    ///   - failures: The number of failed syncs in a row before this one.
    ///   - error: The server's error, or `nil` for any other.
    ///   - asksAgain: Whether the password comes from a command or the environment, which may have another one soon.
    static func nextTry(after failures: Int, _ error: ServerError?, asksAgain: Bool, now: Instant) -> Instant {
        if case .tooManyRequests(let seconds?) = error { return now + Int64(max(60, min(seconds, 86_400))) }
        switch error {
        // 1, 8 and 64 minutes: a server may lock out a user after many wrong passwords.
        case .passwordRefused where asksAgain: return now + min(6 * 3600, 60 << Int64(min(3 * failures, 9)))
        // A keyring that is locked now costs the server nothing.
        case .noPassword where asksAgain: break
        default: guard error?.mayPass ?? true else { return now + 6 * 3600 }
        }
        return now + min(3600, 60 << Int64(min(failures, 6)))
    }
}
