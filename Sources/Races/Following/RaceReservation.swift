import GRDB
import LibraryKernel
import RaceCentre
import RaceModel

/// The right of one program to make the requests for a followed race. The others that use the library read what it
/// stores.
struct RaceReservation: Codable, Hashable, Sendable {
    /// The identifier of the program's ``RaceFollowService``.
    var holder: String
    /// How much the holder's user would see of new data (``RaceAudience``). A program with a higher rank replaces it.
    var rank: Int
    /// The instant from which any program may replace the holder, which has ended or doesn't need the data any more.
    var until: Instant

    /// The rank during an update, which no other program interrupts.
    static let busy = 1000
    /// The number of seconds for which an update is reserved after each request. No request takes longer.
    static let updateDuration: Int64 = 75
    /// The number of seconds by which the holder may be late for its next update.
    static let grace: Int64 = 20
    /// The maximum number of seconds until the end of a reservation. A later one comes from a wrong clock.
    static let longest: Int64 = 86_400
}

/// Reserves an update of a followed race, so that one of the programs that use the library makes the requests.
struct ClaimRaceUpdate: MaintenanceStep {
    let address: String
    /// The instant of the next update as the program has read it.
    let seen: Instant?
    /// The identifier of the program's ``RaceFollowService``.
    let holder: String
    /// How much the program's user would see of new data.
    let rank: Int
    let now: Instant

    /// Returns a count of 1, or of 0 if another program makes the requests.
    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: """
                UPDATE race_source SET holder = ?1, holder_rank = \(RaceReservation.busy), reserved_until = ?2
                WHERE address = ?3 AND next_fetch IS ?4 AND (
                    holder_rank < ?5 OR holder = ?1 AND holder_rank < \(RaceReservation.busy)
                    OR reserved_until IS NULL OR reserved_until NOT BETWEEN ?6 AND ?7)
                """,
            arguments: [
                holder, now + RaceReservation.updateDuration, address, seen, rank, now + 1,
                now + RaceReservation.longest,
            ])
        return Outcome(count: transaction.db.changesCount)
    }
}

/// Stores a race after each document of an update in the transaction that stores the state of the requests, so that a
/// program can be killed at any moment. It extends the update's reservation.
struct StoreRaceDocument: MaintenanceStep {
    let address: String
    let holder: String
    let plan: RequestPlan
    /// The race with the document, or `nil` if that has changed nothing.
    let race: Race?
    let now: Instant

    /// Returns a count of 1, or of 0 if another program has replaced this one, or the race is not followed any more.
    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "UPDATE race_source SET plan = ?, reserved_until = ? WHERE address = ? AND holder = ?",
            arguments: [try plan.text, now + RaceReservation.updateDuration, address, holder])
        guard transaction.db.changesCount > 0 else { return Outcome() }
        if let race { try race.replaceFollowed(at: address, received: now, transaction.db) }
        return Outcome(count: 1)
    }
}

/// Ends the reservation of an update that the user has stopped, so that any program may continue it.
struct ReleaseRaceUpdate: MaintenanceStep {
    let address: String
    let holder: String
    let now: Instant

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(
            sql: "UPDATE race_source SET holder_rank = 0, reserved_until = ? WHERE address = ? AND holder = ?",
            arguments: [now, address, holder])
        return Outcome(count: transaction.db.changesCount)
    }
}

/// Another program has replaced this one during an update, or the race is not followed any more.
struct LostReservation: Error {}
