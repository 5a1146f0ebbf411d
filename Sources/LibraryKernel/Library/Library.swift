import Foundation
import GRDB
import Synchronization

/// An open library: the database, the queue of its changes, and what features attach to it.
///
/// The interface only reads, from any thread. All changes go through ``changes``.
package final class Library: Sendable {
    package let store: Store
    /// The queue that applies all changes.
    package let changes: ChangeQueue
    /// Messages for the user about the opening of the library, as sentences.
    package let notices: [String]
    /// A warning that applies while the library is open, such as "nothing can be stored", or `nil`.
    package let caveat: String?
    /// Whether the library comes from another machine and is read-only, so that its programs could not be switched off.
    ///
    /// tappa then runs none of the programs that the library names.
    package let isForeign: Bool
    /// What features have attached. There are few, so that an array is faster than a dictionary.
    private let attachments: Mutex<[(type: ObjectIdentifier, value: any Sendable)]>

    /// - Parameter attachments: What features have to know of each other, each of a type of its own.
    package init(
        store: Store, changes: ChangeQueue, notices: [String] = [], caveat: String? = nil, isForeign: Bool = false,
        attachments: [any Sendable]
    ) {
        self.store = store
        self.changes = changes
        self.notices = notices
        self.caveat = caveat
        self.isForeign = isForeign
        self.attachments = Mutex(attachments.map { (ObjectIdentifier(type(of: $0)), $0) })
    }

    /// Returns what a feature has attached under a type, or `nil`.
    package func attachment<Value: Sendable>(_ type: Value.Type) -> Value? {
        attachments.withLock { all in all.first { $0.type == ObjectIdentifier(type) }?.value as? Value }
    }

    /// Attaches a value for other features, in place of an earlier one of the same type.
    package func attach<Value: Sendable>(_ value: Value) {
        attachments.withLock { all in
            all.removeAll { $0.type == ObjectIdentifier(Value.self) }
            all.append((ObjectIdentifier(Value.self), value))
        }
    }

    /// The path of the library file, or `nil` for an in-memory library.
    package var path: String? { store.path }

    /// The reason why the library is read-only, or `nil` if it is writable.
    package var readOnlyReason: String? { store.readOnlyReason }

    /// The size of the library file in bytes, or 0 for an in-memory library.
    package var size: Int { path.flatMap(Quarantine.size) ?? 0 }

    /// Releases the database pages that are cached in memory.
    package func releaseMemory() { store.releaseMemory() }

    /// Runs a read on the calling thread. Reading a list window takes well under a millisecond.
    package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value { try store.read(body) }
}
