import ArgumentParser
import LibraryKernel
import Synchronization

/// The libraries that a command has opened. Each is closed when the command ends in any way.
enum OpenLibraries {
    private static let all = Mutex<[Library]>([])

    static func note(_ library: Library) { all.withLock { $0.append(library) } }

    /// Stores pending changes and completes the library's file, with nothing left in its log.
    static func close() {
        for library in all.withLock({ $0 }) {
            if case .lost(let names, let reason) = library.changes.drain() {
                printError("tappa: not stored: \(names.joined(separator: ", ")): \(reason)")
            }
        }
    }
}

extension Library {
    /// Performs a change and waits for it, for commands.
    @discardableResult
    func carryOut(_ change: Change) throws -> Receipt { try waiting { try await self.changes.perform(change) } }

    @discardableResult
    func carryOut(_ maintenance: any MaintenanceStep) throws -> Receipt {
        try waiting { try await self.changes.perform(maintenance) }
    }

    private func waiting(_ work: @escaping @Sendable () async throws -> Receipt) throws -> Receipt {
        do {
            return try runBlocking(work)
        } catch let failure as ChangeFailure {
            throw fail("\(failure)", failure.error?.exitCode ?? ExitStatus.inputOutput)
        }
    }
}
