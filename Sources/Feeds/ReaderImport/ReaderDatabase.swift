import FeedParsing
import Foundation
import GRDB
import LibraryKernel

/// An entry from another program's database, with its marks.
package struct ForeignEntry: Sendable {
    package var feed: String
    /// The name of the feed, if the other program stored one.
    var feedTitle: String?
    package var entry: ParsedEntry
    package var isRead = false
    package var isStarred = false
    package var isDeleted = false
    var tags: [String] = []
}

/// Reads the databases of newsboat (`cache.db`) and newsraft (`newsraft.sqlite3`) without changing them.
package enum ReaderDatabase {
    /// The program that a database belongs to.
    package enum Kind: String, Sendable {
        case newsboat, newsraft
    }

    /// The reason why a database could not be read, as a sentence without a full stop.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Whether a file is an SQLite database.
    package static func isOne(_ path: String) -> Bool { Quarantine.isDatabase(path) }

    /// Reads all entries.
    ///
    /// - Parameter take: Called with the entries of one feed after another.
    /// - Throws: ``Problem`` if the database belongs to neither program or is locked.
    package static func read(_ path: String, take: (String, [ForeignEntry]) throws -> Void) throws -> Kind {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read { db in
                if try db.tableExists("rss_item") {
                    try readNewsboat(db, take)
                    return .newsboat
                }
                if try db.tableExists("items"), try db.columns(in: "items").contains(where: { $0.name == "important" })
                {
                    try readNewsraft(db, take)
                    return .newsraft
                }
                throw Problem(description: "\(path) is not a database of newsboat or newsraft")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw Problem(description: "\(path) is in use; close the program first")
        } catch let error as DatabaseError {
            throw Problem(description: "\(path): \(error.message ?? "it can't be read")")
        }
    }

    /// Returns the titles of feeds by address, as far as a database contains them.
    package static func titles(of feeds: Set<String>, in path: String) -> [String: String] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let titles = try? DatabaseQueue(path: path, configuration: configuration).read { db -> [String: String] in
            var titles: [String: String] = [:]
            for (table, address) in [("rss_feed", "rssurl"), ("feeds", "feed_url")] where try db.tableExists(table) {
                let rows = try Row.fetchCursor(db, sql: "SELECT \(address), title FROM \(table)")
                while let row = try rows.next() {
                    guard let url: String = row.known(0), feeds.contains(url) else { continue }
                    let title = (row.known(1) as String?).map { Markup.plainText($0) } ?? ""
                    let shown = ImportedText.limited(title, to: ImportedText.maximumTitle)
                    if !shown.isEmpty { titles[url] = shown }
                }
            }
            return titles
        }
        return titles ?? [:]
    }

    private static func readNewsboat(_ db: Database, _ take: (String, [ForeignEntry]) throws -> Void) throws {
        for feed in try String.fetchAll(db, sql: "SELECT DISTINCT feedurl FROM rss_item") {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT guid, title, author, url, pubDate, content, unread, enclosure_url, enclosure_type, flags, deleted
                    FROM rss_item WHERE feedurl = ? ORDER BY pubDate DESC, id
                    """, arguments: [feed])
            var entries: [ForeignEntry] = []
            while let row = try rows.next() {
                func text(_ column: Int) -> String? {
                    let value: String? = row.known(column)
                    return value?.isEmpty == false ? value : nil
                }
                var entry = ParsedEntry()
                entry.id = text(0)
                entry.title = text(1).map { Markup.plainText($0) }
                entry.authors = text(2).map { [ParsedAuthor(name: $0)] } ?? []
                entry.link = text(3)
                entry.published = date(row.known(4))
                entry.contentHTML = text(5)
                if let url = text(7) { entry.enclosures = [ParsedEnclosure(url: url, mediaType: text(8))] }
                let flags = (text(9) ?? "").filter { $0.isASCII && $0.isLetter }
                entries.append(
                    ForeignEntry(
                        feed: feed, entry: entry, isRead: row.known(6) == 0, isStarred: !flags.isEmpty,
                        isDeleted: row.known(10) == 1, tags: flags.map { "flag-\($0)" }))
            }
            try take(feed, entries)
        }
    }

    private static func readNewsraft(_ db: Database, _ take: (String, [ForeignEntry]) throws -> Void) throws {
        for feed in try String.fetchAll(db, sql: "SELECT DISTINCT feed_url FROM items") {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT guid, title, link, content, publication_date, update_date, unread, important FROM items
                    WHERE feed_url = ? ORDER BY publication_date DESC, rowid
                    """, arguments: [feed])
            var entries: [ForeignEntry] = []
            while let row = try rows.next() {
                var entry = ParsedEntry()
                (entry.id, entry.title, entry.link) = (row.known(0), row.known(1), row.known(2))
                let (html, plain) = content(row.known(3) ?? "")
                (entry.contentHTML, entry.contentText) = (html, plain)
                entry.published = date(row.known(4))
                entry.updated = date(row.known(5))
                entries.append(
                    ForeignEntry(
                        feed: feed, entry: entry, isRead: row.known(6) == 0, isStarred: row.known(7) == 1))
            }
            try take(feed, entries)
        }
    }

    /// Decodes newsraft's content: fields between ASCII's unit and record separators, each with a name, `=` and a
    /// value.
    private static func content(_ text: String) -> (html: String?, plain: String?) {
        var (kind, longest, longestKind) = ("", "", "")
        for field in text.split(whereSeparator: { $0 == "\u{1F}" || $0 == "\u{1E}" || $0 == "\u{1D}" }) {
            if field.hasPrefix("type=") {
                kind = String(field.dropFirst(5))
            } else if field.hasPrefix("text="), field.count - 5 > longest.count {
                (longest, longestKind) = (String(field.dropFirst(5)), kind)
            }
        }
        guard !longest.isEmpty else { return (nil, nil) }
        return longestKind.contains("plain") ? (nil, longest) : (longest, nil)
    }

    private static func date(_ instant: Instant?) -> ParsedDate? {
        guard let instant, instant > 0 else { return nil }
        return ParsedDate(instant: instant, text: Timestamp.rfc3339(instant))
    }
}

extension Row {
    /// Returns the value of a column, or `nil` if the row has no such column or the value has another type.
    ///
    /// Another program's database can contain any values, and one of them must not hide the others.
    fileprivate func known<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        index < count ? Value.fromDatabaseValue(self[index]) : nil
    }
}
