import Feeds
import Fetching
import Foundation
import GRDB
import LibraryKernel
import RaceCentre
import WebAddresses

/// A race that is followed at an address.
package struct RaceSubscription: Codable, Hashable, Sendable {
    /// The address to fetch.
    package var address: String
    /// The identifier of the race in the library.
    package var raceID: String
    /// The name for a document without one.
    package var name: String
    var etag: String?
    var lastModified: String?
    /// The instant of the next automatic update.
    package var nextFetch: Instant?
    /// The instant until which the server asks clients to wait.
    var notBefore: Instant?
    /// The number of failed updates in a row.
    var failures = 0
    var lastSuccess: Instant?
    /// The reason why the last update failed, as a sentence.
    package var error: String?
    /// Whether the address is a program that the user has allowed to run; `nil` means no.
    var runsProgram: Bool?
    /// The state of the requests to a race centre.
    package var plan: RequestPlan?
    /// The program that makes the requests, or `nil` if the next one that notices may do so.
    var reservation: RaceReservation?

    package init(address: String, raceID: String, name: String) {
        self.address = address
        self.raceID = raceID
        self.name = name
    }

    /// The address without user name and password, for display.
    package var shownAddress: String { UserInfo.split(address).address }

    init(_ row: Row) throws {
        address = try row.at("address")
        raceID = try row.at("race_id")
        name = try row.at("name")
        etag = try row.at("etag")
        lastModified = try row.at("last_modified")
        nextFetch = try row.at("next_fetch")
        notBefore = try row.at("not_before")
        failures = (try row.at("failures") as Int).limited(to: 0...1_000_000)
        lastSuccess = try row.at("last_success")
        error = try row.at("error")
        runsProgram = try row.at("runs_program")
        plan = RequestPlan(text: try row.at("plan"))
        let (holder, until): (String?, Instant?) = (try row.at("holder"), try row.at("reserved_until"))
        if let holder, let until {
            reservation = RaceReservation(holder: holder, rank: (try row.at("holder_rank") as Int?) ?? 0, until: until)
        }
    }

    /// Returns what ``store(_:)`` replaces: what is followed at the address or for the race.
    func replaced(_ db: Database) throws -> [RaceSubscription] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM race_source WHERE address = ? OR race_id = ?", arguments: [address, raceID]
        ).map { try RaceSubscription($0) }
    }

    func store(_ db: Database) throws {
        var plan = plan
        // Another program may have made requests meanwhile.
        let stored = try String.fetchOne(
            db, sql: "SELECT plan FROM race_source WHERE address = ?", arguments: [address])
        if let stored = RequestPlan(text: stored) { plan?.adopt(stored) }
        // A race has only one address: the last that was entered.
        try db.execute(sql: "DELETE FROM race_source WHERE address = ? OR race_id = ?", arguments: [address, raceID])
        try db.execute(
            sql: "INSERT INTO race_source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                address, raceID, name, etag, lastModified, nextFetch, notBefore, failures, lastSuccess, error,
                runsProgram == true, try plan?.text, reservation?.holder, reservation?.rank, reservation?.until,
            ])
    }
}

extension RequestPlan {
    /// Reads a stored plan. One with impossible numbers is ignored.
    init?(text: String?) {
        let stored = text.flatMap { try? JSONDecoder().decode(RequestPlan.self, from: Data($0.utf8)) }
        guard let stored, stored.isSound else { return nil }
        self = stored
    }

    /// The plan as it is stored.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

extension RaceStore {
    /// Returns the host and port that pictures and articles of a race may use although it is private.
    ///
    /// This is the host of the address at which the race is followed. For a race from the user's own file it is any
    /// host.
    package func trustedHost(of race: String, for url: String) throws(LibraryError) -> String? {
        let source = try store.read { db in
            try String.fetchOne(db, sql: "SELECT address FROM race_source WHERE race_id = ?", arguments: [race])
        }
        return TrustedHost.of(source ?? url)
    }

    /// Returns the followed races that still exist.
    package func subscriptions() throws(LibraryError) -> [RaceSubscription] {
        try store.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT race_source.* FROM race_source JOIN race ON race.id = race_id ORDER BY race_source.rowid
                    """
            ).map { try RaceSubscription($0) }
        }
    }
}
