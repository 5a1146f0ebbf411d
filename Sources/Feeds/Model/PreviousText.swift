import FeedParsing
import Foundation
import GRDB
import LibraryKernel

/// The text of an entry before the last change of its wording.
package struct PreviousText: Codable, Hashable, Sendable {
    package var title: String
    package var html: String?
    package var text: String?
    /// The date of the change.
    package var replaced: Instant
    /// The number of words that the change added.
    package var came: Int
    /// The number of words that the change removed.
    package var went: Int

    /// The relevant fields of an entry before the change.
    struct Source {
        var title: String
        var html: String?
        var text: String?
        var extras: String?
    }

    /// Creates the previous text, or returns `nil` if only markup, addresses or trackers changed.
    init?(_ old: Source, replacedBy new: StoredEntry, at date: Instant) throws {
        let before = PreviousText.words(old.title, old.html, old.text)
        let after = try PreviousText.words(new.title, new.html?.text(), new.text?.text())
        guard before != after else { return nil }
        var counts: [Substring: Int] = [:]
        for word in after { counts[word, default: 0] += 1 }
        for word in before { counts[word, default: 0] -= 1 }
        came = counts.values.reduce(0) { $0 + max(0, $1) }
        went = counts.values.reduce(0) { $0 + max(0, -$1) }
        title = old.title
        html = old.html
        text = old.text
        replaced = date
    }

    private static func words(_ title: String, _ html: String?, _ text: String?) -> [Substring] {
        let body = html.map { Markup.plainText($0) } ?? text ?? ""
        return title.split(whereSeparator: \.isWhitespace) + body.split(whereSeparator: \.isWhitespace)
    }

    /// Decodes the text from the database, or returns `nil` if it is missing or unreadable.
    init?(stored text: String?) {
        guard let text, let read = try? JSONDecoder().decode(PreviousText.self, from: Data(text.utf8)) else {
            return nil
        }
        self = read
    }

    /// The JSON text for the database.
    var stored: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension PreviousText.Source {
    /// Reads the current content of an entry, or returns `nil` if there is none or it is damaged, which is replaced like
    /// none.
    init?(of entry: EntryID, _ db: Database) throws {
        let find = try db.cachedStatement(
            sql: """
                SELECT e.title, c.html, c.text, c.extras FROM entry e JOIN entry_content c ON c.entry_id = e.id
                WHERE e.id = ?
                """)
        guard let row = try Row.fetchOne(find, arguments: [entry]), let (html, text) = try? (row.text(1), row.text(2))
        else { return nil }
        self.init(title: try row.at(0), html: html, text: text, extras: try row.at(3))
    }
}
