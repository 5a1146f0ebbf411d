import CSQLiteFunctions
import Foundation
import GRDB
import Platform

/// A database that is open and migrated to the current schema version.
package struct OpenedDatabase {
    package var writer: any DatabaseWriter
    var path: String?
    /// The reason why the database is read-only, or `nil` if it is writable.
    package var readOnlyReason: String?
    /// Whether the file system can lock files. Otherwise another machine may change what is read.
    package var hasLocks = true

    /// The `PRAGMA application_id` in the header of each library: "tapp".
    static let applicationID: Int32 = 0x7461_7070
    /// The number of seconds to wait while another program migrates the library.
    private static let patience = 120.0

    /// Opens or creates the library at a path, or creates one in memory if the path is `nil`.
    ///
    /// - Parameters:
    ///   - readsWithoutLocks: Whether to open the library read-only if its file system can't lock files. Other machines
    ///     may write to it meanwhile, so only programs that end soon may do that.
    ///   - prepare: Called with each connection.
    package static func open(
        _ path: String?, _ schema: LibrarySchema, readsWithoutLocks: Bool = false,
        prepare: (@Sendable (Database) throws -> Void)?
    ) throws(LibraryError) -> OpenedDatabase {
        csq_configure()
        do {
            guard let path else {
                let queue = try DatabaseQueue(configuration: configuration(prepare))
                try schema.migrate(queue)
                return OpenedDatabase(writer: queue)
            }
            return try open(file: path, schema, readsWithoutLocks: readsWithoutLocks, prepare: prepare)
        } catch {
            throw LibraryError(error, path: path ?? "memory")
        }
    }

    private static func configuration(_ prepare: (@Sendable (Database) throws -> Void)?) -> Configuration {
        var configuration = Configuration()
        // Short, because longer waits happen in the change queue, which responds when the user quits.
        configuration.busyMode = .timeout(0.25)
        // More than all background reads, so that the main thread finds a free connection. Each opens when it is needed.
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { db in
            // New libraries have pages of 8 KiB, twice the default size, in which articles leave less space empty (10,000
            // compressed articles of 3 kB take 31 MB instead of 33). The writer's cache holds the pages of a large feed's
            // transaction, which SQLite would otherwise write twice. A checkpoint runs after every 16 MiB of log, while
            // documents are still being parsed, so that little remains to be written at the end.
            try db.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
                    PRAGMA cache_size = \(db.configuration.readonly ? -2000 : -8000);
                    PRAGMA wal_autocheckpoint = 2000
                    """)
            RegularExpression.add(to: db)
            try StoredText.addTokenizer(to: db)
            try prepare?(db)
        }
        return configuration
    }

    private static func open(
        file path: String, _ schema: LibrarySchema, readsWithoutLocks: Bool,
        prepare: (@Sendable (Database) throws -> Void)?
    ) throws -> OpenedDatabase {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: false)
        if FileManager.default.fileExists(atPath: path) {
            try requireRegularFile(path)
            guard access(path, R_OK) == 0 else {
                throw LibraryError.cannotOpen(path: path, reason: "it can't be read")
            }
            try refuseForeign(path)
            if access(path, W_OK) != 0 {
                return try reading(path, because: "the library file is read-only", schema, prepare)
            }
        } else if access(folder + "/", W_OK) != 0 {
            let reason = errno == ENOTDIR ? "its directory is a file" : "the directory is read-only"
            throw LibraryError.cannotOpen(path: path, reason: reason)
        }
        PrivateFile.touch(path)
        if let reason = FileLocks.problem(of: path) {
            // A file with a log isn't complete, and only locks protect its readers from a checkpoint.
            guard readsWithoutLocks, Quarantine.isDatabase(path), !Quarantine.hasLog(path) else {
                throw LibraryError.cannotOpen(path: path, reason: reason)
            }
            return try reading(path, because: reason, hasLocks: false, schema, prepare)
        }
        // SQLite gives log files the mode of the library. Logs from a time when the library was read-only are therefore
        // read-only.
        for suffix in ["", "-wal", "-shm"] { PrivateFile.protect(path + suffix, isWritten: true) }
        let start = Stopwatch.now
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration(prepare))
                try migrate(pool, path, schema)
                return OpenedDatabase(writer: pool, path: path)
            } catch {
                let error = LibraryError(error, path: path)
                if error.isBusy, start.duration(to: Stopwatch.now) < .seconds(patience) {
                    Stopwatch.pause(for: .milliseconds(20))
                    continue
                }
                if case .unreadable = error { throw LibraryError.damaged(path: path) }
                if case .cannotStore(let reason) = error { return try reading(path, because: reason, schema, prepare) }
                // SQLite creates its log beside the file, so the directory must be writable.
                guard access(folder, W_OK) != 0 else { throw error }
                return try reading(path, because: "the library's directory is read-only", schema, prepare)
            }
        }
    }

    private static func migrate(_ pool: DatabasePool, _ path: String, _ schema: LibrarySchema) throws {
        let version = try pool.read { try schema.version(of: $0) }
        if version == .newer { throw LibraryError.newerVersion(path: path) }
        if version == .foreign { throw LibraryError.foreignTriggers(path: path) }
        // A damaged library can still be read.
        let isOutdated = (try? pool.read(schema.isOutdated)) == true
        if version == .older || isOutdated { try schema.migrate(pool) }
    }

    /// Opens a library that can't be written to, not even the shared memory beside it.
    ///
    /// Which method works depends on the files beside the library (https://www.sqlite.org/wal.html, sections 7 and 8):
    /// - If a full disk has no room for the shared memory, SQLite holds the index of the write-ahead log in memory.
    ///   This requires exclusive locking and a writable file.
    /// - If everything is read-only, SQLite reads the log through the existing shared memory.
    /// - If there is no log, the file is complete and SQLite opens it as immutable.
    private static func reading(
        _ path: String, because reason: String, hasLocks: Bool = true, _ schema: LibrarySchema,
        _ prepare: (@Sendable (Database) throws -> Void)?
    ) throws -> OpenedDatabase {
        var alone = configuration(prepare)
        alone.prepareDatabase { db in
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
        }
        var reader = configuration(prepare)
        reader.readonly = true
        var ways = hasLocks ? [(path, reader)] : []
        if hasLocks, access(path, W_OK) == 0 { ways.insert((path, alone), at: 0) }
        if !Quarantine.hasLog(path) { ways.append((unchanging(path), reader)) }
        for (name, configuration) in ways {
            guard let queue = try? DatabaseQueue(path: name, configuration: configuration),
                let version = try? queue.read({ try schema.version(of: $0) })
            else { continue }
            switch version {
            case .present:
                return OpenedDatabase(writer: queue, path: path, readOnlyReason: reason, hasLocks: hasLocks)
            case .newer: throw LibraryError.newerVersion(path: path)
            case .foreign: throw LibraryError.foreignTriggers(path: path)
            case .older: throw LibraryError.cannotOpen(path: path, reason: "\(reason), so it can't be upgraded")
            }
        }
        throw LibraryError.cannotOpen(path: path, reason: "\(reason), and its log can't be read")
    }

    /// Deletes a database and all files that SQLite writes beside it.
    ///
    /// SQLite would restore pages from a remaining journal into the next file of this name.
    package static func delete(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// Throws an error if a path leads to something else than a file. Opening a pipe could wait forever.
    package static func requireRegularFile(_ path: String) throws(LibraryError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotOpen(path: path, reason: "it is a directory, pipe or device")
        }
    }

    /// Returns the URI that opens a file as immutable (https://www.sqlite.org/uri.html).
    private static func unchanging(_ path: String) -> String {
        URL(fileURLWithPath: path, isDirectory: false).absoluteString + "?immutable=1"
    }

    /// Opens a single read-only connection for queries that take milliseconds.
    ///
    /// Returns `nil` if the library needs a full opening, which may create, repair or migrate it.
    package static func glance(at path: String, _ schema: LibrarySchema) -> OpenedDatabase? {
        csq_configure()
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(0.25)
        // SQLite deletes the log beside an empty file, and waits long for locks that the file system doesn't have.
        guard (try? requireRegularFile(path)) != nil, access(path, R_OK | W_OK) == 0, Quarantine.isDatabase(path),
            FileLocks.problem(of: path) == nil,
            let queue = try? DatabaseQueue(path: path, configuration: configuration),
            (try? queue.read { try schema.version(of: $0) }) == .present
        else { return nil }
        return OpenedDatabase(writer: queue, path: path, readOnlyReason: "it was opened read-only")
    }

    /// Throws an error if the file is the database of another program.
    ///
    /// Checks the application ID in the header (https://www.sqlite.org/fileformat.html, section 1.3). A database without
    /// tables may have none.
    private static func refuseForeign(_ path: String) throws {
        guard let header = FileReading.piece(of: path, count: 100), !header.isEmpty else { return }
        guard header.count == 100, header.starts(with: Quarantine.signature) else {
            throw LibraryError.damaged(path: path)
        }
        let number = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        if number == applicationID { return }
        if number != 0 { throw LibraryError.foreign(path: path) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let isForeign: Bool
        do {
            isForeign = try DatabaseQueue(path: path, configuration: configuration).read { db in
                // Until the first checkpoint, the number is in the log only.
                try Int32.fetchOne(db, sql: "PRAGMA application_id") != applicationID
                    && Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table'") != nil
            }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            throw LibraryError.damaged(path: path)
        } catch {
            // The next attempt to open the file reports the error.
            return
        }
        if isForeign { throw LibraryError.foreign(path: path) }
    }
}
