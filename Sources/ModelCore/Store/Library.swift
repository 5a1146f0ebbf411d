import Foundation
import GRDB
import Synchronization

/// The library: races, subscriptions, entries with their state, and settings.
///
/// Its methods only read and can be called on any thread. All changes go through ``changes``.
package final class Library: Sendable {
    let store: Store
    /// The queue that applies all changes.
    package let changes: ChangeQueue
    /// The store of user names, passwords and header lines, which are not in the library itself.
    package let secrets: SecretStore
    /// Messages for the user about the opening of the library.
    package let notices: [String]
    /// A warning that applies while the library is open, such as "read-only".
    package let caveat: String?
    private let folding = Mutex(false)
    /// Whether lists of several feeds show one row for all entries about the same page.
    package var mergesDuplicates: Bool {
        get { folding.withLock { $0 } }
        set { folding.withLock { $0 = newValue } }
    }

    private let reversal = Mutex(false)
    /// Whether lists show the oldest entries first.
    package var listsOldestFirst: Bool {
        get { reversal.withLock { $0 } }
        set { reversal.withLock { $0 = newValue } }
    }

    private let ownRules = Mutex<[Rule]>([])
    /// The rules for new entries, in the order in which they are applied.
    package var rules: [Rule] {
        get { ownRules.withLock { $0 } }
        set { ownRules.withLock { $0 = newValue } }
    }

    /// The path of the database file, or `nil` for a library in memory.
    package var path: String? { store.path }

    /// The reason why the library is read-only, or `nil` if it is writable.
    package var readOnlyReason: String? { store.readOnlyReason }

    /// The size of the database file in bytes; 0 for a library in memory.
    package var size: Int {
        var status = stat()
        return path.map { stat($0, &status) == 0 ? Int(status.st_size) : 0 } ?? 0
    }

    /// Whether the database file was deleted or replaced by another file.
    package var wasReplaced: Bool { store.wasReplaced }

    /// Whether the library comes from another machine and is read-only, so that its programs could not be disabled.
    /// Then tappa runs none of them.
    package let isForeign: Bool

    /// Opens or creates a library, and stores the changes of journals beside it.
    ///
    /// - Parameters:
    ///   - path: The path of the database file, or `nil` for a library in memory.
    ///   - known: The libraries of this machine. In any other library, programs are disabled. `nil` trusts every
    ///     library.
    /// - Throws: ``LibraryError`` if nothing was changed.
    package convenience init(path: String?, known: KnownLibraries? = nil) throws(LibraryError) {
        try self.init(path: path, prepare: nil, known: known)
    }

    /// Creates a library in memory because none can be opened at the path.
    package convenience init(inMemoryBecause error: LibraryError) throws(LibraryError) {
        try self.init(path: nil, prepare: nil, caveat: "nothing will be stored after this run: \(error)")
    }

    /// - Parameters:
    ///   - prepare: Called with each connection, for tests that inspect statements.
    ///   - caveat: A warning that applies in any case.
    ///   - known: The libraries of this machine.
    package init(
        path: String?, prepare: (@Sendable (Database) throws -> Void)?, caveat: String? = nil,
        known: KnownLibraries? = nil
    ) throws(LibraryError) {
        var notices: [String] = []
        let isNew = path.map { !FileManager.default.fileExists(atPath: $0) } ?? true
        if let path, let aside = Quarantine.logWithoutLibrary(path) {
            notices.append("\(path) was empty or missing; its remains were moved to \(aside)")
        }
        let opened = try OpenedDatabase.open(path, prepare: prepare)
        do { store = try Store(opened) } catch { throw LibraryError(error, path: path ?? "memory") }
        secrets = SecretStore(library: path)
        changes = ChangeQueue(store, secrets)
        self.caveat = opened.readOnlyReason.map { "nothing can be stored: \($0)" } ?? caveat
        let tokens = path == nil ? [] : try store.read(Library.tokens)
        let isUnknown = path != nil && known.map { !$0.contains(tokens) } ?? false
        let mustSwitchOff = isUnknown && !isNew && known?.acceptsUnknown == false
        isForeign = mustSwitchOff && opened.readOnlyReason != nil
        if isForeign, let path {
            notices.append("\(path) comes from another machine: its programs and folders are disabled")
        }
        if let path, opened.readOnlyReason == nil {
            notices += try Library.takeJournals(beside: path, changes, identity: store.identity)
            if isUnknown, let known {
                notices += try Library.settle(path, known, changes, secrets, isForeign: mustSwitchOff)
            }
            if try store.read(SecretCleaning.isNeeded) {
                let count = try changes.clean(secrets)
                notices.append(
                    "the names, passwords and header lines of \(count.counted("feed")) were moved out of the library, into \(path).secrets"
                )
            }
        }
        self.notices = notices
    }

    /// Opens an intact library for reading only, without writing anything, not even beside it.
    ///
    /// Returns `nil` if the library must be opened in full.
    package init?(glancingAt path: String) {
        guard Journal.files(beside: path).isEmpty, let opened = OpenedDatabase.glance(at: path),
            let store = try? Store(opened)
        else { return nil }
        self.store = store
        secrets = SecretStore(library: path)
        changes = ChangeQueue(store, secrets)
        notices = []
        caveat = nil
        isForeign = false
    }

    /// Returns the tokens of the machines on which the library was used.
    private static func tokens(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT substr(name, length(?) + 1) FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// Registers the library as known. If it comes from another machine, its programs are disabled first.
    private static func settle(
        _ path: String, _ known: KnownLibraries, _ changes: ChangeQueue, _ secrets: SecretStore, isForeign: Bool
    ) throws(LibraryError) -> [String] {
        let token = UUID().uuidString
        var off = try changes.settle(token, isForeign: isForeign)
        if isForeign { off.passwords = secrets.removeIndirectPasswords() }
        let isKept = known.add(token)
        guard let message = off.message else { return [] }
        let warning =
            isKept ? "" : ". This repeats at each start, because the list of known libraries can't be written"
        return ["\(path) comes from another machine: \(message)\(warning)"]
    }

    private static func takeJournals(beside path: String, _ changes: ChangeQueue, identity: String?)
        throws(LibraryError) -> [String]
    {
        var notices: [String] = []
        for file in Journal.files(beside: path) {
            guard let journal = Journal.read(file), journal.library == identity else {
                Quarantine.rename(file, to: file + ".not-taken")
                notices.append("\(file) belongs to another library and was moved aside")
                continue
            }
            try changes.restoreJournal(journal)
            unlink(file)
            let count = journal.items.count
            notices.append(
                count == 1 ? "1 change of the last run was stored" : "\(count) changes of the last run were stored")
        }
        return notices
    }

    /// Releases the cached pages of the library.
    package func releaseMemory() { store.releaseMemory() }

    /// Runs a read on the calling thread. Reads of a window take well under a millisecond.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value { try store.read(body) }
}

extension Row {
    /// Returns a column's value.
    ///
    /// - Throws: If the value has another type. In a damaged library any column can contain any value.
    func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        try decode(atIndex: index)
    }

    /// Returns the value of a named column.
    func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) throws -> Value {
        try decode(forColumn: name)
    }
}
