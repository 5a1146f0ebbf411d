import Foundation
import GRDB
import Synchronization

/// The one store: races and stages, subscriptions, entries and their state, settings.
///
/// What is public of it only reads, from any thread; what changes it goes through ``changes``.
package final class Library: Sendable {
    let store: Store
    /// The one way of all changes.
    package let changes: ChangeQueue
    /// Names, passwords and header lines, which are not in the library itself.
    package let secrets: SecretStore
    /// What the user should know of the opening, as sentences.
    package let notices: [String]
    /// What holds as long as it is open, as a sentence: that nothing can be stored, or that nothing is kept.
    package let caveat: String?
    private let folding = Mutex(false)
    /// Whether lists of several feeds show one row for entries about one page.
    package var mergesDuplicates: Bool {
        get { folding.withLock { $0 } }
        set { folding.withLock { $0 = newValue } }
    }

    private let reversal = Mutex(false)
    /// Whether lists of entries begin with the oldest.
    package var listsOldestFirst: Bool {
        get { reversal.withLock { $0 } }
        set { reversal.withLock { $0 = newValue } }
    }

    private let ownRules = Mutex<[Rule]>([])
    /// What is done with entries as they arrive, in this order.
    package var rules: [Rule] {
        get { ownRules.withLock { $0 } }
        set { ownRules.withLock { $0 = newValue } }
    }

    /// Where it is; `nil` in memory.
    package var path: String? { store.path }

    /// Why it can only be read; `nil`: it can be changed.
    package var readOnlyReason: String? { store.readOnlyReason }

    /// Bytes of its file; 0 in memory.
    package var size: Int {
        var status = stat()
        return path.map { stat($0, &status) == 0 ? Int(status.st_size) : 0 } ?? 0
    }

    /// Whether another file stands at its place now, or none.
    package var wasReplaced: Bool { store.wasReplaced }

    /// Whether the library is from elsewhere, and its programs could not be switched off since it can only be read: then nothing that it
    /// names is run.
    package let isForeign: Bool

    /// Opens a library, or makes one; `nil` keeps it in memory. What earlier programs could not store is stored now.
    ///
    /// - Parameter known: The libraries of this machine; in any other one the programs are switched off. `nil`: any library is trusted.
    /// - Throws: ``LibraryError``; then nothing was changed.
    package convenience init(path: String?, known: KnownLibraries? = nil) throws(LibraryError) {
        try self.init(path: path, prepare: nil, known: known)
    }

    /// Makes a library in memory, where none can be made in a file.
    package convenience init(inMemoryBecause error: LibraryError) throws(LibraryError) {
        try self.init(path: nil, prepare: nil, caveat: "nothing will be stored after this run: \(error)")
    }

    /// - Parameters:
    ///   - prepare: Called with each connection: for tests that look at statements.
    ///   - caveat: What holds in any case.
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

    /// Opens a library that is there and as it should be, to read from it alone: nothing is written, not even beside it.
    ///
    /// `nil`: it has to be opened as a whole.
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

    /// The tokens of the machines that the library was used on.
    private static func tokens(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT substr(name, length(?) + 1) FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// Makes the library a known one; of one from elsewhere the programs are switched off before.
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

    /// Gives back the pages of the library that are kept in memory.
    package func releaseMemory() { store.releaseMemory() }

    /// Runs a read on the calling thread. Reads of a window take well under a millisecond.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value { try store.read(body) }
}

extension Row {
    /// A column's value.
    ///
    /// - Throws: When it is not of the kind that is asked for: in a damaged library any value can stand anywhere.
    func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        try decode(atIndex: index)
    }

    /// The value of a column that is named.
    func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) throws -> Value {
        try decode(forColumn: name)
    }
}
