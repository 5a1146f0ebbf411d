import Feeds
import GRDB
import LibraryKernel

extension AccountStore {
    /// Whether entries of an account belong to a list locally, and none of their marks is waiting to be sent.
    func hasMarked(_ list: RemoteList, in account: AccountID) throws(LibraryError) -> Bool {
        let (condition, mark): (String, RemoteMark) =
            switch list {
            case .unread: ("e.is_read = 0", .read)
            case .starred: ("e.is_starred = 1", .starred)
            case .later: ("e.is_later = 1", .later)
            case .label(let label): ("e.id IN (SELECT entry_id FROM entry_tag WHERE tag = :label)", .label(label))
            }
        var arguments: StatementArguments = ["account": account, "mark": mark.name]
        if case .label(let label) = list { _ = arguments.append(contentsOf: ["label": label]) }
        return try store.read { [arguments] db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM entry e JOIN remote_entry r ON r.entry_id = e.id
                    WHERE r.account_id = :account AND \(condition) AND NOT EXISTS
                        (SELECT 1 FROM pending_mark p WHERE p.entry_id = e.id AND p.mark = :mark) LIMIT 1
                    """, arguments: arguments) != nil
        }
    }

    /// Whether labels were sent that no list has confirmed yet.
    func hasSentLabels(in account: AccountID) throws(LibraryError) -> Bool {
        try store.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM pending_mark WHERE account_id = ? AND (mark = 'later' OR mark LIKE 'label/%')
                        AND sent IS NOT NULL LIMIT 1
                    """, arguments: [account]) != nil
        }
    }

    /// Returns the labels that entries can't receive until somebody creates them on the server.
    func waitingLabels(in account: AccountID) throws(LibraryError) -> [String] {
        try store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT CASE mark WHEN 'later' THEN 'later' ELSE substr(mark, 7) END FROM pending_mark
                    WHERE account_id = ? AND (mark = 'later' OR mark LIKE 'label/%') AND value = 1
                        AND sent IS NOT NULL AND NOT is_refused ORDER BY 1
                    """, arguments: [account])
        }
    }
}
