import Accounts
import Feeds
import Foundation
import GRDB
import LibraryKernel
import Races

/// Opening and creating libraries that have all features.
extension Library {
    /// Opens or creates the library at a path, or creates one in memory if the path is `nil`.
    ///
    /// Also stores the changes that earlier runs left in journals.
    ///
    /// - Parameters:
    ///   - prepare: Called with each connection, for tests that inspect statements.
    ///   - caveat: The warning to use if the library is not read-only.
    ///   - known: The libraries of this machine. Programs are switched off in any other library. `nil` trusts every
    ///     library.
    ///   - readsWithoutLocks: Whether to open the library read-only if its file system can't lock files.
    /// - Throws: ``LibraryError``; then nothing was changed.
    package convenience init(
        path: String?, prepare: (@Sendable (Database) throws -> Void)? = nil, caveat: String? = nil,
        known: KnownLibraries? = nil, readsWithoutLocks: Bool = false
    ) throws(LibraryError) {
        var notices: [String] = []
        let isNew = path.map { !FileManager.default.fileExists(atPath: $0) } ?? true
        if let path, let aside = Quarantine.logWithoutLibrary(path) {
            notices.append(
                "\(path) is damaged: it was empty or missing, and its remains were moved to \(aside); "
                    + "'tappa recover --database \(aside) --output FILE' recovers what is readable")
        }
        let opened = try OpenedDatabase.open(
            path, .current, readsWithoutLocks: readsWithoutLocks, prepare: prepare)
        if !opened.hasLocks, let path, let reason = opened.readOnlyReason {
            notices.append("\(path) was opened read-only: \(reason)")
        }
        let store: Store
        do { store = try Store(opened) } catch { throw LibraryError(error, path: path ?? "memory") }
        let secrets = SecretStore(library: path)
        let changes = Library.queue(store, secrets)
        let tokens = path == nil ? [] : try store.read(Library.tokens)
        let isUnknown = path != nil && known.map { !$0.contains(tokens) } ?? false
        let mustSwitchOff = isUnknown && !isNew && known?.acceptsUnknown == false
        let isForeign = mustSwitchOff && opened.readOnlyReason != nil
        if isForeign, let path {
            notices.append("\(path) comes from another machine: its programs and folders are disabled")
        }
        if let path, opened.readOnlyReason == nil {
            notices += try Library.takeJournals(beside: path, changes, identity: store.identity)
            if isUnknown, let known {
                notices += try Library.settle(path, known, changes, secrets, isForeign: mustSwitchOff)
            }
        }
        self.init(
            store: store, changes: changes, notices: notices,
            caveat: opened.readOnlyReason.map { "nothing can be stored: \($0)" } ?? caveat, isForeign: isForeign,
            attachments: LibraryFeatures.attachments + [secrets])
    }

    /// Creates an in-memory library as a replacement for a file that can't be opened.
    package convenience init(inMemoryBecause error: LibraryError) throws(LibraryError) {
        try self.init(path: nil, caveat: "nothing will be stored after this run: \(error)")
    }

    /// Opens an existing, up-to-date library for reading only. It writes nothing, not even beside the file.
    ///
    /// Returns `nil` if the library needs a full opening, for example because a journal has to be stored.
    package convenience init?(glancingAt path: String) {
        guard (try? Journal.files(beside: path))?.isEmpty == true,
            let opened = OpenedDatabase.glance(at: path, .current),
            let store = try? Store(opened)
        else { return nil }
        let secrets = SecretStore(library: path)
        self.init(
            store: store, changes: Library.queue(store, secrets), attachments: LibraryFeatures.attachments + [secrets])
    }

    private static func queue(_ store: Store, _ secrets: SecretStore) -> ChangeQueue {
        let gate = SubscriptionGate(secrets: secrets, store: store)
        return ChangeQueue(store, LibraryFeatures.changeKinds) { change throws(ChangeFailure) in
            try gate.admit(change)
        }
    }

    /// Returns the tokens of the machines on which the library was used.
    private static func tokens(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT substr(name, length(?) + 1) FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// Registers the library as known. First switches off the programs of a library from another machine.
    private static func settle(
        _ path: String, _ known: KnownLibraries, _ changes: ChangeQueue, _ secrets: SecretStore, isForeign: Bool
    ) throws(LibraryError) -> [String] {
        let token = UUID().uuidString
        var off = try changes.prepare { db in
            let off = isForeign ? try SwitchedOff.apply(to: db) : SwitchedOff()
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, 'yes')", arguments: [KnownLibraries.tokenPrefix + token]
            )
            return off
        }
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
        let files: [String]
        do throws(UserFile.Problem) { files = try Journal.files(beside: path) } catch {
            return ["can't look for changes of previous runs: \(error)"]
        }
        for file in files {
            let journal: Journal
            do throws(UserFile.Problem) {
                let own = try Journal.read(file, changes.kinds)
                guard let own, own.library == identity else {
                    Quarantine.rename(file, to: file + ".not-taken")
                    let reason = own == nil ? "is damaged" : "belongs to another library"
                    notices.append("\(file) \(reason) and was moved aside")
                    continue
                }
                journal = own
            } catch {
                notices.append("the changes of a previous run are not stored yet: \(error)")
                continue
            }
            try changes.restoreJournal(journal)
            if !journal.items.isEmpty {
                notices.append("stored \(journal.items.count.counted("change")) of the previous run")
            }
            if journal.unreadable > 0 {
                let aside = file + ".not-taken"
                Quarantine.rename(file, to: aside)
                let changes = journal.unreadable.counted("change")
                notices.append("\(changes) of another version of tappa can't be stored; see \(aside)")
            } else {
                unlink(file)
            }
        }
        return notices
    }
}
