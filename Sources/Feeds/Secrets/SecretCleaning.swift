import Fetching
import Foundation
import GRDB
import LibraryKernel
import WebAddresses

/// Removes secrets that earlier versions stored in the library.
package enum SecretCleaning {
    /// Whether there may be secrets to remove. Checked at each start.
    package static func isNeeded(_ db: Database) throws -> Bool {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT url, former_url, headers FROM subscription
                WHERE headers IS NOT NULL OR url LIKE '%://%@%' OR former_url LIKE '%://%@%'
                """)
        return try rows.contains { row in
            let (url, previous, lines): (String, String?, String?) = (try row.at(0), try row.at(1), try row.at(2))
            return [url, previous].compactMap { $0 }.contains { UserInfo.split($0).address != $0 }
                || lines?.split(separator: "\n").contains { !SecretStore.isReference(String($0)) } == true
        }
    }

    /// Moves header lines, user names and passwords to the secrets file.
    ///
    /// - Returns: The number of feeds that had some.
    package static func run(_ db: Database, _ secrets: SecretStore) throws -> Int {
        // Overwritten data must not remain in free pages.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        let rows = try Row.fetchAll(db, sql: "SELECT id, url, former_url, headers FROM subscription")
        var count = 0
        for row in rows {
            let url: String = try row.at(1)
            let previous: String? = try row.at(2)
            let text: String? = try row.at(3)
            let lines = text?.split(separator: "\n").map(String.init) ?? []
            let (plain, authorization) = UserInfo.split(url)
            let own = lines.filter { !SecretStore.isReference($0) }
            guard plain != url || !own.isEmpty || previous.map({ UserInfo.split($0).address != $0 }) == true else {
                continue
            }
            var references = lines.filter(SecretStore.isReference)
            let headers = own + [authorization].compactMap { $0 }
            if !headers.isEmpty { references.append(try secrets.keep(Secret(headers: headers))) }
            let id: FeedID = try row.at(0)
            let stored = references.isEmpty ? nil : references.joined(separator: "\n")
            count += 1
            // The address without its password may already be a feed. Then they are merged, and the feed uses the
            // password.
            if let present = try feed(at: plain, besides: id, db) {
                try db.execute(
                    sql: "UPDATE subscription SET headers = coalesce(headers, ?) WHERE id = ?",
                    arguments: [stored, present])
                try FeedWriter(db: db).merge(id, into: present)
                continue
            }
            try db.execute(
                sql: "UPDATE subscription SET url = ?, former_url = ?, headers = ? WHERE id = ?",
                arguments: [plain, previous.map { UserInfo.split($0).address }, stored, id])
        }
        // Relative links of such feeds contain the password.
        let links = try Row.fetchAll(db, sql: "SELECT entry_id, link FROM entry_content WHERE link LIKE '%://%@%'")
        for row in links {
            let (id, link): (EntryID, String) = (try row.at(0), try row.at(1))
            let plain = UserInfo.split(link).address
            guard plain != link else { continue }
            try db.execute(sql: "UPDATE entry_content SET link = ? WHERE entry_id = ?", arguments: [plain, id])
        }
        // Undo steps that would restore them.
        let steps = try UndoStepID.fetchAll(
            db, sql: "SELECT id FROM undo_step WHERE inverse LIKE ? OR inverse LIKE ?",
            arguments: ["%\(SetFeedHeaders.kind)%", "%\(RestoreTrash.kind)%"])
        for step in steps { try UndoLog(db).delete(step) }
        return count
    }

    /// Returns another feed with an address in the same account, or another local feed.
    private static func feed(at address: String, besides id: FeedID, _ db: Database) throws -> FeedID? {
        try FeedID.fetchOne(
            db,
            sql: """
                SELECT other.id FROM subscription other JOIN subscription own ON own.account_id IS other.account_id
                WHERE own.id = ?1 AND other.id <> ?1 AND other.url = ?2
                """, arguments: [id, address])
    }
}
