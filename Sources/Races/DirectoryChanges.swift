import Feeds
import GRDB
import LibraryKernel

/// Follows a race directory and stores the races that it lists.
struct FollowDirectory: LibraryChange {
    static let kind = "directories.follow"
    var races: [ListedRace]
    var directory: DirectorySubscription

    var summary: String { "a race directory" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try DirectoryWriter(db: transaction.db).store(races, directory, isNew: true)
    }
}

/// Stops following a race directory.
struct UnfollowDirectory: LibraryChange {
    static let kind = "directories.unfollow"
    var address: String

    var summary: String { "a race directory" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try transaction.db.execute(sql: "DELETE FROM race_directory WHERE address = ?", arguments: [address])
        return Outcome(count: transaction.db.changesCount)
    }
}

extension Change {
    /// Follows a race directory and stores the races that it lists.
    package static func followDirectory(_ races: [ListedRace], _ directory: DirectorySubscription) -> Change {
        Change(FollowDirectory(races: races, directory: directory))
    }

    /// Stops following a race directory.
    package static func unfollowDirectory(_ address: String) -> Change { Change(UnfollowDirectory(address: address)) }
}

/// Stores the new contents of a race directory.
struct UpdateDirectory: MaintenanceStep {
    let races: [ListedRace]?
    let directory: DirectorySubscription

    /// - Parameters:
    ///   - races: The races, or `nil` to store only the result of the request.
    ///   - directory: The result of the request.
    init(_ races: [ListedRace]?, _ directory: DirectorySubscription) {
        self.races = races
        self.directory = directory
    }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        try DirectoryWriter(db: transaction.db).store(races, directory, isNew: false)
    }
}

/// Writes the rows of race directories.
private struct DirectoryWriter {
    let db: Database

    /// Stores a directory and the races it lists.
    ///
    /// - Parameter races: The races, or `nil` if the directory has not changed or could not be read.
    func store(_ races: [ListedRace]?, _ directory: DirectorySubscription, isNew: Bool) throws -> Outcome {
        let exists = try Int.fetchOne(
            db, sql: "SELECT 1 FROM race_directory WHERE address = ?", arguments: [directory.address])
        // The user stopped following it in the meantime.
        guard isNew || exists != nil else { return Outcome() }
        try db.execute(
            sql: """
                INSERT INTO race_directory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (address) DO UPDATE SET title = excluded.title, etag = excluded.etag,
                    last_modified = excluded.last_modified, next_fetch = excluded.next_fetch,
                    not_before = excluded.not_before, failures = excluded.failures,
                    last_success = excluded.last_success, error = excluded.error
                """,
            arguments: [
                directory.address, directory.title, directory.etag, directory.lastModified, directory.nextFetch,
                directory.notBefore, directory.failures, directory.lastSuccess, directory.error,
            ])
        guard let races else { return Outcome() }
        try db.execute(sql: "DELETE FROM listed_race WHERE directory = ?", arguments: [directory.address])
        let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO listed_race VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for race in races {
            try insert.execute(arguments: [
                directory.address, race.address, race.name, race.start, race.end ?? race.start, race.kind, race.country,
                race.words,
            ])
        }
        return Outcome(count: 1)
    }
}
