import Fetching
import GRDB

/// A race that is followed at an address.
package struct RaceSubscription: Codable, Hashable, Sendable {
    /// The address that it is asked for at.
    package var address: String
    /// The race as the library calls it.
    package var raceID: String
    /// Its name where the document has none.
    package var name: String
    package var etag: String?
    package var lastModified: String?
    /// The instant from which it is asked for again by itself.
    package var nextFetch: Int64?
    /// The instant that the server has asked to wait for.
    package var notBefore: Int64?
    /// How often it could not be read in a row.
    package var failures = 0
    package var lastSuccess: Int64?
    /// Why it could not be read the last time, in a sentence.
    package var error: String?

    package init(address: String, raceID: String, name: String) {
        self.address = address
        self.raceID = raceID
        self.name = name
    }

    /// The address without a name and a password in it, which nobody is to see.
    package var shownAddress: String { UserInfo.split(address).address }

    init(_ row: Row) throws {
        address = try row.at("address")
        raceID = try row.at("race_id")
        name = try row.at("name")
        etag = try row.at("etag")
        lastModified = try row.at("last_modified")
        nextFetch = try row.at("next_fetch")
        notBefore = try row.at("not_before")
        failures = try row.at("failures")
        lastSuccess = try row.at("last_success")
        error = try row.at("error")
    }

    func store(_ db: Database) throws {
        // A race is followed at one address: at the last that was named.
        try db.execute(
            sql: "DELETE FROM race_source WHERE address = ? OR race_id = ?", arguments: [address, raceID])
        try db.execute(
            sql: "INSERT INTO race_source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                address, raceID, name, etag, lastModified, nextFetch, notBefore, failures, lastSuccess, error,
            ])
    }
}

extension Library {
    /// Whether the host of a followed race may be a private one: not where a directory on another host has named the address.
    func mayBePrivate(race address: String) throws(LibraryError) -> Bool {
        let directories = try read { db in
            try String.fetchAll(db, sql: "SELECT directory FROM listed_race WHERE address = ?", arguments: [address])
        }
        return directories.isEmpty || directories.contains { TypedAddress($0).isOnSameHost(address) }
    }

    /// The host, with its port, that a picture or an article of a race may share although it is a private one: that of the address
    /// that the race is followed at, or any for a race from a file of the user's own.
    package func trustedHost(ofRace race: String, for url: String) throws(LibraryError) -> String? {
        let source = try read { db in
            try String.fetchOne(db, sql: "SELECT address FROM race_source WHERE race_id = ?", arguments: [race])
        }
        guard let source else { return PageService.host(url) }
        return try mayBePrivate(race: source) ? PageService.host(source) : nil
    }

    /// The races that are followed and are there: one that was taken away is not asked for.
    package func raceSubscriptions() throws(LibraryError) -> [RaceSubscription] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT race_source.* FROM race_source JOIN race ON race.id = race_id ORDER BY race_source.rowid
                    """
            ).map { try RaceSubscription($0) }
        }
    }
}
