import Feeds
import GRDB
import LibraryKernel

/// Makes changes that a server rejected pending again.
struct RetryOutbox: LibraryChange {
    static let kind = "outbox.retry"
    var items: [OutboxItem.ID]

    var summary: String { "the outbox" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var count = 0
        for item in items {
            switch item {
            case .mark(let mark):
                try db.execute(
                    sql: "UPDATE pending_mark SET sent = NULL, tries = 0, is_refused = 0 WHERE seq = ?",
                    arguments: [mark])
            case .operation(let operation):
                try db.execute(sql: "UPDATE pending_operation SET error = NULL WHERE seq = ?", arguments: [operation])
            }
            count += db.changesCount
        }
        return Outcome(count: count)
    }
}

/// Discards pending changes. The next sync restores the server's state.
struct DropFromOutbox: LibraryChange {
    static let kind = "outbox.drop"
    var items: [OutboxItem.ID]

    var summary: String { "the outbox" }
    var isUndoable: Bool { false }

    func apply(in transaction: LibraryTransaction) throws -> Outcome {
        let db = transaction.db
        var count = 0
        // The discarded marks may differ on the server, so its whole state must be fetched.
        try db.execute(sql: "UPDATE account SET last_whole = NULL")
        for item in items {
            switch item {
            case .mark(let mark):
                try db.execute(sql: "DELETE FROM pending_mark WHERE seq = ?", arguments: [mark])
            case .operation(let operation):
                try db.execute(sql: "DELETE FROM pending_operation WHERE seq = ?", arguments: [operation])
            }
            count += db.changesCount
        }
        return Outcome(count: count)
    }
}

extension Change {
    /// Sends changes again that a server has rejected.
    package static func retryOutbox(_ items: [OutboxItem.ID]) -> Change { Change(RetryOutbox(items: items)) }

    /// Removes changes from the outbox.
    package static func dropFromOutbox(_ items: [OutboxItem.ID]) -> Change { Change(DropFromOutbox(items: items)) }
}
