import CSQLiteSettings
import Foundation
import GRDB

/// A database that was opened and brought to the present version.
struct OpenedDatabase {
    var writer: any DatabaseWriter
    var path: String?
    /// Why it can only be read.
    var readOnlyReason: String?

    /// What stands at the end of the header of each library (`PRAGMA application_id`): "tapp".
    static let applicationID: Int32 = 0x7461_7070
    /// Seconds that another program may take to bring the library to the present version.
    private static let patience = 120.0

    /// Opens a library, or makes one; `nil` keeps it in memory.
    ///
    /// - Parameter prepare: Called with each connection.
    static func open(_ path: String?, prepare: (@Sendable (Database) throws -> Void)?) throws(LibraryError)
        -> OpenedDatabase
    {
        csq_configure()
        do {
            guard let path else {
                let queue = try DatabaseQueue(configuration: configuration(prepare))
                try queue.writeWithoutTransaction { try Schema.migrate($0) }
                return OpenedDatabase(writer: queue)
            }
            return try open(file: path, prepare: prepare)
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }

    private static func configuration(_ prepare: (@Sendable (Database) throws -> Void)?) -> Configuration {
        var configuration = Configuration()
        // Short: who waits for a library does so in the queue, where the program's end and its keys are heard.
        configuration.busyMode = .timeout(0.25)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // Twice the usual size of a page, for a library that is made now: an article fills most of a usual one, which leaves
            // the rest of it empty (for 10,000 articles of 3 kB, 78 MB rather than 92).
            // The writer keeps the pages of a large feed's transaction, which are written twice otherwise; what is written
            // goes to its place in the file after 16 MiB, beside the reading of documents, so that little of it is left at the end.
            try db.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
                    PRAGMA cache_size = \(db.configuration.readonly ? -2000 : -8000);
                    PRAGMA wal_autocheckpoint = 2000
                    """)
            RegularExpression.add(to: db)
            try prepare?(db)
        }
        return configuration
    }

    private static func open(file path: String, prepare: (@Sendable (Database) throws -> Void)?) throws
        -> OpenedDatabase
    {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: false)
        if FileManager.default.fileExists(atPath: path) {
            guard access(path, R_OK) == 0 else {
                throw LibraryError.cannotOpen(path: path, reason: "it can't be read")
            }
            try refuseForeign(path)
            if access(path, W_OK) != 0 {
                return try reading(path, because: "the library file is read-only", prepare)
            }
        } else if access(folder, W_OK) != 0 {
            throw LibraryError.cannotOpen(path: path, reason: "the directory is read-only")
        }
        PrivateFile.touch(path)
        // SQLite gives logs the mode of the library: one that could only be read for a while leaves such logs behind.
        for suffix in ["", "-wal", "-shm"] { PrivateFile.protect(path + suffix, isWritten: true) }
        let start = ContinuousClock.now
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration(prepare))
                try migrate(pool, path)
                return OpenedDatabase(writer: pool, path: path)
            } catch {
                let error = LibraryError(error, path: path)
                if error.isBusy, start.duration(to: .now) < .seconds(patience) {
                    usleep(20_000)
                    continue
                }
                if case .unreadable = error { throw LibraryError.damaged(path: path) }
                if case .cannotStore(let reason) = error { return try reading(path, because: reason, prepare) }
                // SQLite makes its log beside the file.
                guard access(folder, W_OK) != 0 else { throw error }
                return try reading(path, because: "the library's directory is read-only", prepare)
            }
        }
    }

    private static func migrate(_ pool: DatabasePool, _ path: String) throws {
        let version = try pool.read { try Schema.version(of: $0) }
        if version == .newer { throw LibraryError.newerVersion(path: path) }
        if version == .foreign { throw LibraryError.foreignTriggers(path: path) }
        if version == .older { try pool.writeWithoutTransaction { try Schema.migrate($0) } }
    }

    /// A library that nothing can be written to, not even the shared memory beside it.
    ///
    /// Which way is open depends on what is beside the file (https://www.sqlite.org/wal.html, sections 7 and 8):
    /// - Where a full disk has no room for the shared memory, the index of the write-ahead log lies in memory, as where one
    ///   connection has a database for itself; this needs a file that may be written to.
    /// - Where all may only be read, the log is read with the shared memory that is there.
    /// - Where there is no log, the file is all there is, and is opened as one that does not change.
    private static func reading(
        _ path: String, because reason: String, _ prepare: (@Sendable (Database) throws -> Void)?
    ) throws -> OpenedDatabase {
        var alone = configuration(prepare)
        alone.prepareDatabase { db in
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
        }
        var reader = configuration(prepare)
        reader.readonly = true
        var ways = [(path, reader)]
        if access(path, W_OK) == 0 { ways.insert((path, alone), at: 0) }
        if !Quarantine.hasLog(path), let address = unchanging(path) { ways.append((address, reader)) }
        for (name, configuration) in ways {
            guard let queue = try? DatabaseQueue(path: name, configuration: configuration),
                let version = try? queue.read({ try Schema.version(of: $0) })
            else { continue }
            switch version {
            case .present: return OpenedDatabase(writer: queue, path: path, readOnlyReason: reason)
            case .newer: throw LibraryError.newerVersion(path: path)
            case .foreign: throw LibraryError.foreignTriggers(path: path)
            case .older: throw LibraryError.cannotOpen(path: path, reason: "\(reason), so it can't be upgraded")
            }
        }
        throw LibraryError.cannotOpen(path: path, reason: "\(reason), and its log can't be read")
    }

    /// The address of a file that does not change (https://www.sqlite.org/uri.html).
    private static func unchanging(_ path: String) -> String? {
        var address = URLComponents()
        address.scheme = "file"
        address.path = URL(fileURLWithPath: path).path
        address.queryItems = [URLQueryItem(name: "immutable", value: "1")]
        return address.string
    }

    /// One connection that reads alone, for a look that is over in milliseconds; `nil`: the library has to be opened as a whole,
    /// which may make it, mend it or bring it to the present version.
    static func glance(at path: String) -> OpenedDatabase? {
        csq_configure()
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(0.25)
        guard access(path, R_OK | W_OK) == 0,
            let queue = try? DatabaseQueue(path: path, configuration: configuration),
            (try? queue.read { try Schema.version(of: $0) }) == .present
        else { return nil }
        return OpenedDatabase(writer: queue, path: path, readOnlyReason: "it was opened read-only")
    }

    /// Databases of other programs are left alone: they are told by the application's number in the header, and those
    /// of before it was written by their tables (https://www.sqlite.org/fileformat.html, section 1.3).
    private static func refuseForeign(_ path: String) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else { return }
        defer { try? handle.close() }
        guard let header = try? handle.read(upToCount: 100), !header.isEmpty else { return }
        guard header.count == 100, header.starts(with: Quarantine.signature) else {
            throw LibraryError.damaged(path: path)
        }
        let number = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        if number == applicationID { return }
        if number != 0 { throw LibraryError.foreign(path: path) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let tables: Set<String>
        do {
            tables = try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Set(String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
            }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            throw LibraryError.damaged(path: path)
        } catch {
            // Whoever opens it next tells what is wrong.
            return
        }
        if !tables.isEmpty, !tables.isSuperset(of: ["grdb_migrations", "subscription", "entry_content"]) {
            throw LibraryError.foreign(path: path)
        }
    }
}
