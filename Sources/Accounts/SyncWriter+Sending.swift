import Feeds
import GRDB
import LibraryKernel

/// The sending half of a sync: marks and changes of subscriptions, oldest first.
extension SyncWriter {
    /// Returns pending rows with the same mark and value, oldest first. A mark that the server contradicted before is
    /// sent alone.
    func claimMarks(_ account: AccountID, maximum: (RemoteMark) -> Int) throws -> SyncAnswer.Marks? {
        guard
            let first = try Row.fetchOne(
                db,
                sql: """
                    SELECT mark, value, tries FROM pending_mark
                    WHERE account_id = ? AND sent IS NULL AND NOT is_refused ORDER BY seq LIMIT 1
                    """, arguments: [account])
        else { return nil }
        let (name, value, tries): (String, Bool, Int) = try (first.at(0), first.at(1), first.at(2))
        guard let mark = RemoteMark(name: name) else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.seq, (SELECT remote_id FROM remote_entry r WHERE r.entry_id = p.entry_id AND
                    r.account_id = p.account_id ORDER BY length(remote_id) DESC, remote_id DESC LIMIT 1)
                FROM pending_mark p WHERE p.account_id = ? AND p.mark = ? AND p.value = ? AND p.sent IS NULL
                    AND NOT p.is_refused AND (p.tries > 0) = ?
                ORDER BY p.seq LIMIT ?
                """, arguments: [account, name, value, tries > 0, tries > 0 ? 1 : maximum(mark)])
        var marks = SyncAnswer.Marks(mark: mark, value: value, numbers: [], ids: [])
        for row in rows {
            let number: PendingMarkID = try row.at(0)
            guard let remote: String = try row.at(1) else {
                // The server has deleted the entry, so its marks can't be sent.
                try db.execute(sql: "DELETE FROM pending_mark WHERE seq = ?", arguments: [number])
                continue
            }
            marks.numbers.append(number)
            marks.ids.append(remote)
            try db.execute(sql: "UPDATE pending_mark SET is_attempted = 1 WHERE seq = ?", arguments: [number])
        }
        return marks
    }

    /// Returns marks that the server has accepted and its lists contradict, with the identifiers of their entries.
    func contradictedMarks(_ account: AccountID, maximum: Int) throws -> SyncAnswer.Marks {
        var marks = SyncAnswer.Marks(mark: .read, value: true, numbers: [], ids: [])
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.seq, (SELECT remote_id FROM remote_entry r WHERE r.entry_id = p.entry_id AND
                    r.account_id = p.account_id ORDER BY length(remote_id) DESC, remote_id DESC LIMIT 1)
                FROM pending_mark p WHERE p.account_id = ? AND p.tries > 0 AND (p.sent IS NULL OR p.is_refused)
                ORDER BY p.seq LIMIT ?
                """, arguments: [account, maximum])
        for row in rows {
            guard let remote: String = try row.at(1) else { continue }
            marks.numbers.append(try row.at(0))
            marks.ids.append(remote)
        }
        return marks
    }

    /// Records that marks were sent.
    ///
    /// - Returns: The number of marks that didn't change in the meantime.
    func noteSent(_ numbers: [PendingMarkID], now: Instant) throws -> Int {
        var count = 0
        for number in numbers {
            try db.execute(
                sql: "UPDATE pending_mark SET sent = ?, tries = tries + 1 WHERE seq = ?", arguments: [now, number])
            count += db.changesCount
        }
        return count
    }

    /// Removes marks that the server confirmed, and returns their number.
    func noteConfirmed(_ numbers: [PendingMarkID]) throws -> Int {
        for number in numbers {
            try db.execute(sql: "DELETE FROM pending_mark WHERE seq = ?", arguments: [number])
        }
        return numbers.count
    }

    /// Records rejected marks. Each of several is retried alone; one that was sent alone waits for the user.
    ///
    /// - Returns: The number of marks that wait for the user.
    func noteRefused(_ numbers: [PendingMarkID]) throws -> Int {
        let column = numbers.count == 1 ? "is_refused = 1" : "tries = max(tries, 1)"
        let update = try db.cachedStatement(sql: "UPDATE pending_mark SET \(column) WHERE seq = ?")
        for number in numbers { try update.execute(arguments: [number]) }
        return numbers.count
    }

    /// Removes a change of subscriptions that the server has applied.
    ///
    /// - Parameter remote: The identifier that the server assigned to a new feed, or `nil` if it assigned none.
    func noteDone(_ number: PendingOperationID, remote: String?, _ account: AccountID) throws {
        if let remote {
            try db.execute(
                sql: """
                    UPDATE subscription SET remote_id = ?
                    WHERE id = (SELECT subscription_id FROM pending_operation WHERE seq = ?) AND account_id = ?
                    """, arguments: [remote, number, account])
            try forgetWithoutPlace(account)
        }
        try db.execute(sql: "DELETE FROM pending_operation WHERE seq = ?", arguments: [number])
    }

    func claimOperation(_ account: AccountID) throws -> (number: PendingOperationID, RemoteOperation)? {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT o.seq, o.operation, o.value, o.former, coalesce(o.remote_id, s.remote_id)
                    FROM pending_operation o LEFT JOIN subscription s ON s.id = o.subscription_id
                    WHERE o.account_id = ?1 AND o.error IS NULL
                        AND (o.operation = 'subscribe' OR coalesce(o.remote_id, s.remote_id) IS NOT NULL)
                    ORDER BY o.seq LIMIT 1
                    """, arguments: [account])
        else { return nil }
        let (number, name): (PendingOperationID, String) = try (row.at(0), row.at(1))
        let (value, previous, remote): (String?, String?, String?) = try (row.at(2), row.at(3), row.at(4))
        try db.execute(sql: "UPDATE pending_operation SET is_attempted = 1 WHERE seq = ?", arguments: [number])
        switch PendingOperation(rawValue: name) {
        case .subscribe: return (number, .subscribe(url: value ?? ""))
        case .unsubscribe: return (number, .unsubscribe(id: remote ?? ""))
        case .rename: return (number, .rename(id: remote ?? "", title: value ?? ""))
        case .move: return (number, .move(id: remote ?? "", folder: value, from: previous))
        case nil: return nil
        }
    }
}
