import Fetching
import GRDB

/// Changes to subscriptions (following, names, folders, tags, header lines) and to saved searches.
extension ChangeWriter {
    func subscribe(_ feeds: [NewSubscription], now: Int64) throws -> Receipt {
        var result: [(id: Int64, isNew: Bool)] = []
        let account = feeds.first?.account
        var known = try knownAddresses(in: account)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO subscription (url, title, custom_title, folder, home_page, headers, added, position, account_id,
                    runs_program) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let addTag = try db.cachedStatement(sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)")
        var position = try Int64.fetchOne(db, sql: "SELECT max(position) FROM subscription") ?? 0
        for feed in feeds where feed.account == account {
            // The gate has already removed user names and passwords. This removes them from addresses that bypass the
            // gate.
            let url = UserInfo.split(feed.url).address
            let isTyped = feed.options?.isFromOutside != true
            if let present = known[url] {
                if isTyped { try note(isFromOutside: false, of: present) }
                // The same address with and without a password is a single feed, which is requested with the password.
                if !feed.headers.isEmpty, result.contains(where: { $0.id == present && $0.isNew }) {
                    try db.execute(
                        sql: "UPDATE subscription SET headers = ? WHERE id = ? AND headers IS NULL",
                        arguments: [feed.headers.joined(separator: "\n"), present])
                }
                // The user allows a program that was switched off.
                if feed.runsProgram == true, account == nil {
                    try db.execute(sql: "UPDATE subscription SET runs_program = 1 WHERE id = ?", arguments: [present])
                }
                result.append((present, false))
                continue
            }
            // Only the user can allow an address to run a program, even if something else provides such an address.
            let runsProgram = feed.runsProgram == true && account == nil
            guard runsProgram || !ProgramFeed.isOne(url) else { continue }
            position += 1
            let headers = feed.headers.isEmpty ? nil : feed.headers.joined(separator: "\n")
            try insert.execute(arguments: [
                url, feed.title, feed.customTitle, feed.folder, feed.homePage, headers, now, position,
                account, runsProgram,
            ])
            let new = db.lastInsertedRowID
            if let options = feed.options { _ = try restoreOptions(before: options.stored, of: new) }
            try queue(.subscribe, of: new, value: url)
            if let folder = feed.folder { try queue(.move, of: new, value: folder) }
            known[url] = new
            for tag in feed.tags where !tag.isEmpty { try addTag.execute(arguments: [new, tag]) }
            result.append((new, true))
        }
        let new = result.filter(\.isNew).map(\.id)
        let name = new.count == 1 ? feeds[result.firstIndex { $0.isNew } ?? 0].customTitle ?? "the new feed" : ""
        let words = new.count == 1 ? "Unfollows \(name)" : "Unfollows the \(new.count) new feeds"
        var receipt = try receipt(new.count, undo: words, .unsubscribe(new))
        receipt.subscriptions = result
        return receipt
    }

    /// Returns the subscriptions by address, including previous addresses.
    private func knownAddresses(in account: Int64?) throws -> [String: Int64] {
        var known: [String: Int64] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, url, former_url FROM subscription WHERE account_id IS ?", arguments: [account])
        var previous: [(String, Int64)] = []
        while let row = try rows.next() {
            known[try row.at(1)] = try row.at(0)
            if let address: String = try row.at(2) { previous.append((address, try row.at(0))) }
        }
        for (address, id) in previous where known[address] == nil { known[address] = id }
        return known
    }

    /// Deletes a subscription with its entries, and copies them to the trash for undo.
    ///
    /// - Parameter isOnServer: Whether the server of the feed, if any, has to be notified.
    func unsubscribe(_ subscription: Int64, now: Int64, isOnServer: Bool = true) throws -> Receipt {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT coalesce(custom_title, title, url), total_count FROM subscription WHERE id = ?",
                arguments: [subscription])
        else { return Receipt(id) }
        if isOnServer { try queue(.unsubscribe, of: subscription, value: row.at(0)) }
        let step = try note(.restore, "")
        try copy("subscription", where: "id", subscription, to: step)
        for table in ["subscription_tag", "deleted_entry", "entry"] {
            try copy(table, where: "subscription_id", subscription, to: step)
        }
        for entry in try Int64.fetchAll(
            db, sql: "SELECT id FROM entry WHERE subscription_id = ?", arguments: [subscription])
        {
            try copy("entry_content", where: "entry_id", entry, to: step)
            try copy("entry_tag", where: "entry_id", entry, to: step)
        }
        try db.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [subscription])
        let name: String = try row.at(0)
        let total: Int = try row.at(1)
        let entries = total == 1 ? "its entry" : "its \(total) entries"
        return try receipt(1, of: step, undo: "Follows \(name) again, with \(entries)")
    }

    // MARK: Names and folders

    private func name(of subscription: Int64) throws -> String {
        try String.fetchOne(
            db, sql: "SELECT coalesce(custom_title, title, url) FROM subscription WHERE id = ?",
            arguments: [subscription]) ?? ""
    }

    /// Sets a column of a subscription.
    ///
    /// - Returns: The previous value, or `nil` if the value didn't change or there is no such subscription.
    private func set(_ column: String, _ value: String?, of subscription: Int64) throws -> String?? {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(column) FROM subscription WHERE id = ? AND \(column) IS NOT ?",
            arguments: [subscription, value])
        guard let row else { return nil }
        try db.execute(sql: "UPDATE subscription SET \(column) = ? WHERE id = ?", arguments: [value, subscription])
        let before: String? = try row.at(0)
        return .some(before)
    }

    func rename(_ subscription: Int64, _ title: String?) throws -> Receipt {
        let name = try self.name(of: subscription)
        guard let before = try set("custom_title", title, of: subscription) else { return Receipt(id) }
        try queueName(of: subscription)
        // A server stores only one name, so undo has to send the previous name.
        let previous = try isOnServer(subscription) ? before ?? name : before
        return try receipt(1, undo: "Restores the name of \(name)", .rename(subscription, title: previous))
    }

    func move(_ subscription: Int64, _ folder: String?) throws -> Receipt {
        let name = try self.name(of: subscription)
        guard let before = try set("folder", folder, of: subscription) else { return Receipt(id) }
        try queue(.move, of: subscription, value: folder, previous: before)
        let words = before.map { "Moves \(name) back to \($0)" } ?? "Moves \(name) out of its folder"
        return try receipt(1, undo: words, .move(subscription, folder: before))
    }

    private func isOnServer(_ subscription: Int64) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM subscription WHERE id = ? AND account_id IS NOT NULL", arguments: [subscription])
            != nil
    }

    private func queueName(of subscription: Int64) throws {
        try queue(.rename, of: subscription, value: name(of: subscription))
    }

    func setHeaders(_ subscription: Int64, _ lines: [String]) throws -> Receipt {
        let name = try self.name(of: subscription)
        let text = lines.isEmpty ? nil : lines.joined(separator: "\n")
        guard let before = try set("headers", text, of: subscription) else { return Receipt(id) }
        return try receipt(1, undo: "Restores the header lines of \(name)", .setHeaders(subscription, before))
    }

    /// Restores the value of a column for undo.
    func restore(_ column: String, _ value: String?, of subscription: Int64) throws -> Int {
        guard let before = try set(column, value, of: subscription) else { return 0 }
        switch column {
        case "custom_title": try queueName(of: subscription)
        case "folder": try queue(.move, of: subscription, value: value, previous: before)
        default: break
        }
        return 1
    }

    func tag(_ subscription: Int64, _ tags: [String]) throws -> Receipt {
        let before = try self.tags(of: subscription)
        guard Set(before) != Set(tags), try setTags(tags, of: subscription) else { return Receipt(id) }
        let name = try self.name(of: subscription)
        return try receipt(1, undo: "Restores the tags of \(name)", .tag(subscription, before))
    }

    private func tags(of subscription: Int64) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT tag FROM subscription_tag WHERE subscription_id = ? ORDER BY tag",
            arguments: [subscription])
    }

    func exists(_ subscription: Int64) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM subscription WHERE id = ?", arguments: [subscription]) != nil
    }

    /// Replaces the tags of a subscription. Returns false if there is no such subscription.
    func setTags(_ tags: [String], of subscription: Int64) throws -> Bool {
        guard try exists(subscription) else { return false }
        try db.execute(sql: "DELETE FROM subscription_tag WHERE subscription_id = ?", arguments: [subscription])
        for tag in tags where !tag.isEmpty {
            try db.execute(sql: "INSERT OR IGNORE INTO subscription_tag VALUES (?, ?)", arguments: [subscription, tag])
        }
        // SQLite doesn't report changes to the tag table, because it is `WITHOUT ROWID`. Updating the feed's row
        // reports them.
        try db.execute(sql: "UPDATE subscription SET position = position WHERE id = ?", arguments: [subscription])
        return true
    }

    // MARK: Saved searches

    func saveSearch(_ name: String, _ query: String) throws -> Receipt {
        if let row = try Row.fetchOne(
            db, sql: "SELECT id, name FROM saved_search WHERE query = ?", arguments: [query])
        {
            let (search, before): (Int64, String) = (try row.at(0), try row.at(1))
            guard before != name else { return Receipt(id) }
            try db.execute(sql: "UPDATE saved_search SET name = ? WHERE id = ?", arguments: [name, search])
            return try receipt(1, undo: "Restores the name of the search", .renameSearch(search, name: before))
        }
        try db.execute(
            sql: """
                INSERT INTO saved_search (name, query, position)
                VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM saved_search))
                """, arguments: [name, query])
        return try receipt(1, undo: "Deletes the search \(name)", .forgetSearch(db.lastInsertedRowID))
    }

    func sort(_ search: Int64, _ order: EntryOrder) throws -> Receipt {
        let before = try String.fetchOne(
            db, sql: "SELECT sort FROM saved_search WHERE id = ? AND sort <> ?", arguments: [search, order.rawValue])
        guard let before else { return Receipt(id) }
        try db.execute(sql: "UPDATE saved_search SET sort = ? WHERE id = ?", arguments: [order.rawValue, search])
        return try receipt(
            1, undo: "Restores the order of the search", .sortSearch(search, EntryOrder(rawValue: before) ?? .newest))
    }

    func deleteSearch(_ search: Int64) throws -> Receipt {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT name, query, position, sort FROM saved_search WHERE id = ?", arguments: [search])
        else { return Receipt(id) }
        let sort: String = try row.at(3)
        let (name, query, position): (String, String, Int) = (try row.at(0), try row.at(1), try row.at(2))
        try db.execute(sql: "DELETE FROM saved_search WHERE id = ?", arguments: [search])
        return try receipt(
            1, undo: "Restores the search \(name)",
            .restoreSearch(search, name: name, query: query, position: position, sort: sort))
    }
}
