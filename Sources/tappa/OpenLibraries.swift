import ArgumentParser
import ModelCore
import Synchronization

/// The libraries that a command has opened: each is closed at the command's end, whatever that was.
enum OpenLibraries {
    private static let all = Mutex<[Library]>([])

    static func note(_ library: Library) { all.withLock { $0.append(library) } }

    /// Stores what waits, and leaves the library's file whole, with nothing in its log.
    static func close() {
        for library in all.withLock({ $0 }) {
            if case .lost(let names, let reason) = library.changes.drain() {
                printError("tappa: not stored: \(names.joined(separator: ", ")): \(reason)")
            }
        }
    }
}

extension Library {
    /// Carries a change out and waits for it: for commands, which have no interface beside it.
    @discardableResult
    func carryOut(_ change: Change) throws -> Receipt { try waiting { try await self.changes.perform(change) } }

    @discardableResult
    func carryOut(_ maintenance: Maintenance) throws -> Receipt {
        try waiting { try await self.changes.perform(maintenance) }
    }

    /// Adds what is not in the full-text index yet; where that cannot be stored, it says so.
    func fillIndexNow() throws {
        if let readOnlyReason {
            let count = try unindexedCount()
            if count > 0 {
                printError(
                    "tappa: \(count.counted("entry is", "entries are")) not indexed and not searched: \(readOnlyReason)"
                )
            }
            return
        }
        while try carryOut(.indexSome).count > 0 {}
    }

    private func waiting(_ work: @escaping @Sendable () async throws -> Receipt) throws -> Receipt {
        do {
            return try runBlocking(work)
        } catch let failure as ChangeFailure {
            throw fail("\(failure)", failure.error?.exitCode ?? ExitStatus.inputOutput)
        }
    }
}
